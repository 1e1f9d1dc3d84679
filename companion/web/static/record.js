// The record page: says when there are newer entries than those it shows.
import { onEntry } from "./live.js";
import { word } from "./words.js";

export function startRecord() {
  const newer = document.getElementById("newer");
  let count = 0;
  onEntry(() => {
    count += 1;
    newer.hidden = false;
    newer.textContent = word("js.newer", { count });
  });
}
