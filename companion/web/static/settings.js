// What this browser remembers: theme, how much is announced, whether single letters are shortcuts.
const DEFAULTS = { theme: "auto", announce: "all", shortcuts: "on" };

export function setting(name) {
  try {
    return localStorage.getItem(name) ?? DEFAULTS[name];
  } catch {
    return DEFAULTS[name];
  }
}

function remember(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // Storage may be forbidden: the choice then lasts as long as the page.
    DEFAULTS[name] = value;
  }
}

export function setTheme(value) {
  remember("theme", value);
  if (value === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = value;
  for (const each of document.getElementsByName("theme")) each.checked = each.value === value;
}

export function nextTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.dataset.theme ?? (dark ? "dark" : "light");
  setTheme(now === "dark" ? "light" : "dark");
}

export function startSettings() {
  setTheme(setting("theme"));
  for (const each of document.getElementsByName("theme")) each.addEventListener("change", () => setTheme(each.value));
  for (const each of document.getElementsByName("announce")) {
    each.checked = each.value === setting("announce");
    each.addEventListener("change", () => remember("announce", each.value));
  }
  const shortcuts = document.getElementById("shortcuts");
  shortcuts.checked = setting("shortcuts") === "on";
  shortcuts.addEventListener("change", () => remember("shortcuts", shortcuts.checked ? "on" : "off"));
  const sheet = document.querySelector("details.settings");
  sheet.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !sheet.open) return;
    sheet.open = false;
    sheet.querySelector("summary").focus();
  });
}
