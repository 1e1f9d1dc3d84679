// The camera page: a new picture as soon as the last one has arrived, at most four a second.
import { page, word } from "./words.js";

const EVERY_MS = 250;
const AFTER_FAILURE_MS = 2000;

function list(id, texts) {
  const place = document.getElementById(id);
  place.replaceChildren(
    ...texts.map((text) => {
      const item = document.createElement("li");
      item.textContent = text;
      return item;
    }),
  );
}

export function startCamera() {
  const picture = document.getElementById("picture");
  const summary = document.getElementById("picture-words");
  const freeze = document.getElementById("freeze");
  let shown = null;

  async function next() {
    let wait = EVERY_MS;
    try {
      if (!document.hidden && freeze.getAttribute("aria-pressed") !== "true") {
        const data = await (await fetch(`/api/camera?lang=${page.language}`)).json();
        summary.textContent = data.text;
        list("seen-dice", data.dice);
        list("seen-markers", data.markers);
        picture.hidden = data.sequence === null && data.dice.length === 0 && data.markers.length === 0;
        if (!picture.hidden && (data.sequence === null || data.sequence !== shown)) {
          shown = data.sequence;
          picture.src = `/camera.jpg?frame=${shown ?? Date.now()}`;
          await picture.decode().catch(() => null);
        }
      }
    } catch {
      summary.textContent = word("js.unreachable");
      wait = AFTER_FAILURE_MS;
    }
    setTimeout(next, wait);
  }
  next();
}
