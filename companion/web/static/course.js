// The wheel: a tap on a dot is the button of that dot; a dot that may not be sailed to is put to the referee, who says why.
import { file } from "./actions.js";
import { notice, word } from "./words.js";

export function startCourse() {
  document.addEventListener("click", (event) => {
    const dot = event.target.closest(".wheel [data-spot]");
    if (!dot) return;
    const name = dot.dataset.spot;
    const buttons = [...document.querySelectorAll("button[data-dot]")].filter((each) => each.dataset.dot === name);
    if (buttons.length === 1) buttons[0].click();
    else if (buttons.length) {
      buttons[0].focus();
      notice(word("js.which-way"));
    } else refused(dot, name);
  });
}

function refused(dot, name) {
  const mover = dot.closest("[data-mover]")?.dataset.mover;
  if (!mover) return;
  const [place, id] = name.split(":");
  file({ kind: "step", seat: Number(mover), to: [Number(place), id] });
}
