// Live regions: short numbered sentences, merged when they come together, refusals never dropped.
import { setting } from "./settings.js";

const MERGE_MS = 300;
const READINGS_AT_ONCE = 2;

let waiting = [];
let timer = null;
let last = "";

export function announce(messages) {
  const wish = setting("announce");
  if (wish === "none") return;
  for (const each of messages) {
    if (each.reading && wish === "rulings") continue;
    if (each.alert) {
      put("stop", each.text);
      continue;
    }
    if (!each.keep) waiting = waiting.filter((other) => other.keep || other.kind !== each.kind);
    waiting.push(each);
  }
  if (waiting.length && timer === null) timer = setTimeout(flush, MERGE_MS);
}

export function clearStop() {
  put("stop", "");
}

export function repeat() {
  const region = document.getElementById("say");
  const text = last;
  region.textContent = "";
  setTimeout(() => (region.textContent = text), 60);
}

export function sayNow(text) {
  last = text;
  put("say", text);
}

function flush() {
  timer = null;
  const readings = waiting.filter((each) => each.reading);
  const dropped = new Set(readings.slice(0, Math.max(0, readings.length - READINGS_AT_ONCE)));
  const said = waiting.filter((each) => !dropped.has(each));
  waiting = [];
  sayNow(said.map((each) => each.text).join(" "));
}

function put(id, text) {
  document.getElementById(id).textContent = text;
}
