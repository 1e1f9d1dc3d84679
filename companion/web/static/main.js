// Starts what the page needs.
import { post, startActions } from "./actions.js";
import { startAid } from "./aid.js";
import { repeat } from "./announce.js";
import { startCamera } from "./camera.js";
import { startColours } from "./colours.js";
import { startCourse } from "./course.js";
import { startEvidence } from "./evidence.js";
import { freeze, startLive, state } from "./live.js";
import { startPrivate } from "./private.js";
import { startRecord } from "./record.js";
import { startSeat } from "./seat.js";
import { nextTheme, setting, startSettings } from "./settings.js";
import { page } from "./words.js";

const LIVE = ["table", "judge", "camera", "colours", "record", "seat"];
const button = document.getElementById("freeze");

function typing(target) {
  return target.closest("input, select, textarea, dialog, [contenteditable]") !== null;
}

const SHORTCUTS = {
  f: () => button && freeze(button),
  t: nextTheme,
  r: repeat,
  x: () => post("/api/hush", {}),
  1: () => (location.href = "/"),
  2: () => (location.href = "/judge"),
  3: () => (location.href = "/camera"),
  4: () => (location.href = "/record"),
  5: () => (location.href = "/aid"),
  6: () => (location.href = "/help"),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || typing(event.target)) return;
  if (setting("shortcuts") !== "on") return;
  SHORTCUTS[event.key.toLowerCase()]?.();
});

startSettings();
button?.addEventListener("click", () => freeze(button));
startActions();
if (page.page === "aid") startAid();
if (page.page === "camera") startCamera();
if (page.page === "colours") startColours();
if (document.querySelector('[data-region="course"]')) startCourse();
if (page.page === "evidence") startEvidence();
if (page.page === "private") startPrivate();
if (page.page === "seat" && page.seat) startSeat();
if (page.page === "record") startRecord();
if (LIVE.includes(page.page) && page.match !== undefined) startLive();
else state("live", "js.ready");
