// The page's own data and the sentences of the catalogue that scripts use.
const data = JSON.parse(document.getElementById("page-data").textContent);

export const page = data;

export function word(key, facts = {}) {
  const text = data.words[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => (name in facts ? String(facts[name]) : "–"));
}

export function notice(text) {
  const place = document.getElementById("notice");
  if (place.textContent === text && !place.hidden) return;
  place.textContent = text;
  place.hidden = text === "";
}
