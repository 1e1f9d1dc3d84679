// Follows the table: one event stream a tab; when the table allows no more listeners, asks from time to time.
import { announce, clearStop } from "./announce.js";
import { morph } from "./morph.js";
import { notice, page, word } from "./words.js";

const POLL_MS = 2000;
const SILENCE_MS = 15000;

let seq = page.seq ?? 0;
let match = page.match;
let frozen = false;
const held = new Map();
const listeners = [];
let source = null;
let heard = 0;
let polling = null;

export function onEntry(listener) {
  listeners.push(listener);
}

export function state(name, key, facts) {
  document.getElementById("link-state").dataset.state = name;
  document.getElementById("link-words").textContent = word(key, facts);
}

function address(path, extra = {}) {
  const query = new URLSearchParams({ page: page.page, lang: page.language, ...extra });
  if (page.seat) query.set("seat", page.seat);
  return `${path}?${query}`;
}

function show(html) {
  for (const [name, text] of Object.entries(html)) {
    if (frozen) {
      held.set(name, text);
      continue;
    }
    const place = document.querySelector(`[data-region="${name}"]`);
    if (place) morph(place, text);
  }
}

function takeView(data) {
  if (data.match !== match || data.seq < seq) seq = data.seq;
  match = data.match;
  show(data.html);
}

function takeEntry(data) {
  if (data.seq <= seq) return;
  seq = data.seq;
  if (data.entry.filed.event.kind === "resume") clearStop();
  if (!frozen) announce(data.say);
  for (const listener of listeners) listener(data);
}

function connect() {
  source?.close();
  source = new EventSource(address("/events", { since: seq }));
  heard = Date.now();
  const on = (topic, take) =>
    source.addEventListener(topic, (event) => {
      heard = Date.now();
      take(JSON.parse(event.data));
    });
  source.addEventListener("open", () => {
    heard = Date.now();
    stopPolling();
    notice("");
    if (!frozen) state("live", "js.live");
  });
  on("view", takeView);
  on("entry", takeEntry);
  on("dice", (data) => {
    show(data.html);
    if (!frozen) announce(data.say);
  });
  source.addEventListener("beat", () => (heard = Date.now()));
  source.addEventListener("error", lost);
}

function lost() {
  if (source.readyState === EventSource.CLOSED) poll();
  else if (polling === null) state("lost", "js.lost");
}

async function poll() {
  if (polling === null) polling = setInterval(poll, POLL_MS);
  try {
    const answer = await fetch(address("/api/view", { since: seq }));
    if (!answer.ok) throw new Error(String(answer.status));
    const data = await answer.json();
    for (const entry of data.entries) takeEntry(entry);
    takeView(data);
    state("polling", "js.polling");
    notice(word("js.polling.why"));
  } catch {
    state("lost", "js.lost");
  }
}

function stopPolling() {
  clearInterval(polling);
  polling = null;
}

export function freeze(button) {
  frozen = !frozen;
  button.setAttribute("aria-pressed", String(frozen));
  button.textContent = word(frozen ? "js.unfreeze" : "js.freeze");
  if (frozen) {
    state("frozen", "js.frozen");
    return;
  }
  show(Object.fromEntries(held));
  held.clear();
  state(polling === null ? "live" : "polling", polling === null ? "js.live" : "js.polling");
}

export function startLive() {
  connect();
  setInterval(() => {
    const closed = source.readyState === EventSource.CLOSED;
    if (closed || Date.now() - heard > SILENCE_MS) connect();
  }, 5000);
  addEventListener("pagehide", () => source.close());
  addEventListener("pageshow", (event) => event.persisted && connect());
}
