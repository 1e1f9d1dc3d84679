// The wheel: a tap on a dot is the button of that dot. Of a dot that may not be sailed to the referee is asked why not;
// nothing of that is on the record.
import { askWhyNot } from "./actions.js";
import { notice, word } from "./words.js";

export function startCourse() {
  document.addEventListener("click", (event) => {
    const dot = event.target.closest(".wheel [data-spot]");
    if (!dot || !document.querySelector(".wheel .tappable")) return;
    const name = dot.dataset.spot;
    const buttons = [...document.querySelectorAll("button[data-dot]")].filter((each) => each.dataset.dot === name);
    if (buttons.length === 1) buttons[0].click();
    else if (buttons.length) {
      buttons[0].focus();
      notice(word("js.which-way"));
    } else whyNot(name);
  });
}

function whyNot(name) {
  const mover = document.querySelector(".wheel [data-mover]")?.dataset.mover;
  if (!mover) return;
  const [place, id] = name.split(":");
  askWhyNot({ kind: "step", seat: Number(mover), to: [Number(place), id] });
}
