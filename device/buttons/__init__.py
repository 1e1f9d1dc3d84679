"""Buttons: kernel edge times where there is a kernel edge, our own debounce, callbacks that only enqueue."""

from device.buttons.base import BUTTONS, JUDGE_SEAT, MORE_BUTTONS, Buttons, ButtonTrouble, OnPress, OnTrouble, Press

__all__ = ["BUTTONS", "JUDGE_SEAT", "MORE_BUTTONS", "ButtonTrouble", "Buttons", "OnPress", "OnTrouble", "Press"]
