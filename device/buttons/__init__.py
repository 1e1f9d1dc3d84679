"""Buttons: kernel edge times where there is a kernel edge, our own debounce, callbacks that only enqueue."""

from device.buttons.base import BUTTONS, JUDGE_SEAT, Buttons, ButtonTrouble, OnPress, OnTrouble, Press

__all__ = ["BUTTONS", "JUDGE_SEAT", "ButtonTrouble", "Buttons", "OnPress", "OnTrouble", "Press"]
