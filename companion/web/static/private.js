// Reads a hidden card to this phone alone: asks, speaks, shows, and forgets after a short while.
import { post } from "./actions.js";
import { page } from "./words.js";

const SHOWN_MS = 20000;

export function startPrivate() {
  const button = document.getElementById("read-card");
  const shown = document.getElementById("card-words");
  const voice = document.getElementById("own-voice");
  let timer = null;

  function forget() {
    clearTimeout(timer);
    timer = null;
    shown.textContent = "";
    window.speechSynthesis?.cancel();
  }

  async function read() {
    forget();
    const data = await post(`/api/private/${button.dataset.seat}?lang=${page.language}`, {});
    const words = data.error ?? data.words;
    const aloud = voice.checked && window.speechSynthesis !== undefined;
    // With the phone's own voice the text is not announced a second time by a screen reader.
    shown.setAttribute("aria-live", aloud ? "off" : "assertive");
    shown.textContent = words;
    if (aloud) {
      const said = new SpeechSynthesisUtterance(words);
      said.lang = page.language;
      window.speechSynthesis.speak(said);
    }
    timer = setTimeout(forget, SHOWN_MS);
  }

  button.addEventListener("click", read);
  document.getElementById("forget").addEventListener("click", forget);
  document.addEventListener("visibilitychange", () => document.hidden && forget());
  addEventListener("pagehide", forget);
  document.addEventListener("keydown", (event) => {
    if (event.key !== " " || event.repeat || event.target.closest("button, input, select, summary, a")) return;
    event.preventDefault();
    read();
  });
}
