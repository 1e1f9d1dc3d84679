// The page of the dice's colours: its buttons ask seats to show their dice.
import { post } from "./actions.js";
import { notice, page } from "./words.js";

export function startColours() {
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("button[data-colours]");
    if (!button) return;
    const data = await post(`/api/colours?lang=${page.language}`, JSON.parse(button.dataset.colours));
    notice(data.error ?? "");
  });
}
