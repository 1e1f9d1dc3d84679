// Sets the theme before anything is drawn, so that a dark room is not lit up for a moment.
(() => {
  let chosen = "auto";
  try {
    chosen = localStorage.getItem("theme") || "auto";
  } catch {
    // Storage may be forbidden; the theme of the system it is.
  }
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
})();
