// The reading aid: one large button and the space bar say what the settled dice show.
import { post } from "./actions.js";
import { sayNow } from "./announce.js";
import { page, word } from "./words.js";

let count = 0;

export function startAid() {
  const button = document.getElementById("read");
  const whose = document.getElementById("whose");
  const aloud = document.getElementById("aloud");
  const shown = document.getElementById("aid-text");

  async function read() {
    const seat = whose.value === "" ? null : Number(whose.value);
    let data;
    if (aloud.checked) data = await post(`/api/aid?lang=${page.language}`, { seat });
    else {
      const query = seat === null ? "" : `&seat=${seat}`;
      data = await fetch(`/api/aid?lang=${page.language}${query}`)
        .then((answer) => answer.json())
        .catch(() => ({ error: word("js.unreachable") }));
    }
    count += 1;
    const text = data.error ?? data.text;
    shown.textContent = text;
    sayNow(word("js.reading", { number: count, text }));
  }

  button.addEventListener("click", read);
  document.addEventListener("keydown", (event) => {
    if (event.key !== " " || event.repeat) return;
    if (event.target.closest("button, input, select, summary, a")) return;
    event.preventDefault();
    read();
  });
}
