// A seat's own page: its two buttons. A press counts from its arrival at the table.
import { post } from "./actions.js";
import { notice, page, word } from "./words.js";

export function startSeat() {
  for (const button of document.querySelectorAll("button[data-press]")) {
    const press = async () => {
      const data = await post(`/api/press?lang=${page.language}`, { seat: page.seat, button: button.dataset.press });
      notice(data.error ?? word("js.pressed"));
      if (!data.error) setTimeout(() => notice(""), 1500);
    };
    // The first touch counts, not the lifting of the finger.
    button.addEventListener("pointerdown", (event) => {
      if (event.button === 0) press();
    });
    button.addEventListener("click", (event) => {
      if (event.detail === 0) press();
    });
  }
}
