// Buttons that file events: at once when that is safe, after a dialog when it needs a reason or is dangerous.
import { notice, page, word } from "./words.js";

export async function post(path, body) {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  }).catch(() => null);
  if (answer === null) return { error: word("js.unreachable") };
  const data = await answer.json().catch(() => ({ error: word("js.unreachable") }));
  return data;
}

export async function file(event) {
  const data = await post(`/api/submit?lang=${page.language}`, { event });
  if (data.error) {
    notice(data.error);
    return false;
  }
  notice(data.accepted ? "" : data.rulings.map((each) => `${each.seen} ${each.expected}`).join(" "));
  return data.accepted;
}

// Tells why the referee would refuse an event, with the clauses; nothing is filed.
export async function askWhyNot(event) {
  const data = await post(`/api/ask?lang=${page.language}`, { event });
  const why = (each) => `${each.seen} ${each.expected} (${each.clauses.map((clause) => clause.id).join(", ")})`;
  notice(data.error ?? data.rulings.map(why).join(" "));
}

function put(target, path, value) {
  if (path === "") {
    Object.assign(target, value);
    return;
  }
  const names = path.split(".");
  const last = names.pop();
  let here = target;
  for (const name of names) here = here[name];
  here[last] = value;
}

function labelled(text, input) {
  const label = document.createElement("label");
  label.append(text, input);
  return label;
}

function make(name, attributes = {}) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== undefined && value !== null) made.setAttribute(key, value);
  }
  return made;
}

// With `must` nothing is chosen beforehand, and the dialog does not close before something is.
function choice(options, value, must = false) {
  const input = make("select", { required: must });
  if (must) {
    const none = make("option", { value: "" });
    none.textContent = "–";
    input.append(none);
  }
  for (const [given, text] of options) {
    const option = make("option", { value: JSON.stringify(given) });
    option.textContent = text;
    input.append(option);
  }
  if (value !== undefined && options.some(([given]) => JSON.stringify(given) === JSON.stringify(value))) {
    input.value = JSON.stringify(value);
  }
  return input;
}

// One field of a dialog: what it shows, and how to read it.
const FIELDS = {
  text: (field) => {
    const input = make("input", { type: "text", required: field.required, maxlength: 300, value: field.value });
    return { show: labelled(field.label, input), read: () => input.value.trim() };
  },
  number: (field) => {
    const given = { min: field.min, max: field.max, value: field.optional ? undefined : field.value };
    const input = make("input", { type: "number", required: !field.optional, ...given });
    return { show: labelled(field.label, input), read: () => (input.value === "" ? null : Number(input.value)) };
  },
  select: (field) => {
    const input = choice(field.options, field.value, field.must);
    return { show: labelled(field.label, input), read: () => JSON.parse(input.value) };
  },
  // Several values one after the other; unless all are asked for, those left empty are not sent.
  list: (field) => {
    const set = make("fieldset", { class: "list" });
    const legend = make("legend");
    legend.textContent = field.label;
    const options = field.exact ? field.options : [[null, "–"], ...field.options];
    const inputs = Array.from({ length: field.count }, () => choice(options, undefined, field.exact));
    set.append(legend, ...inputs.map((input, place) => labelled(`${place + 1}`, input)));
    return { show: set, read: () => inputs.map((input) => JSON.parse(input.value)).filter((each) => each !== null) };
  },
  // One of several events, each with fields of its own.
  variant: (field) => {
    const place = make("div", { class: "fields" });
    const input = make("select");
    field.options.forEach(([, text], number) => {
      const option = make("option", { value: number });
      option.textContent = text;
      input.append(option);
    });
    const nested = make("div", { class: "fields" });
    let made = [];
    const show = () => {
      made = field.options[Number(input.value)][2].map((each) => ({ path: each.path, ...FIELDS[each.type](each) }));
      nested.replaceChildren(...made.map((each) => each.show));
    };
    input.addEventListener("change", show);
    show();
    place.append(labelled(field.label, input), nested);
    const read = () => {
      const event = structuredClone(field.options[Number(input.value)][0]);
      for (const each of made) put(event, each.path, each.read());
      return event;
    };
    return { show: place, read };
  },
  check: (field) => {
    const input = make("input", { type: "checkbox" });
    const label = make("label", { class: "row" });
    label.append(input, field.label);
    return { show: label, read: () => input.checked };
  },
  faces: (field) => {
    const set = make("fieldset");
    const legend = make("legend");
    legend.textContent = field.label;
    const row = make("div", { class: "row" });
    const inputs = Array.from({ length: 6 }, (_, place) => {
      const input = make("input", { inputmode: "numeric", pattern: "[1-6]", maxlength: 1, value: field.value?.[place] });
      row.append(labelled(word("js.die", { place: place + 1 }), input));
      return input;
    });
    set.append(legend, row);
    return { show: set, read: () => inputs.map((input) => (input.value === "" ? null : Number(input.value))) };
  },
};

function ask(button) {
  const given = button.dataset;
  const event = JSON.parse(given.event);
  const fields = JSON.parse(given.fields ?? "[]");
  const dialog = make("dialog", { "aria-labelledby": "ask-title" });
  const form = make("form", { method: "dialog" });
  const title = make("h2", { id: "ask-title" });
  title.textContent = given.title ?? button.textContent;
  form.append(title);
  if (given.why) {
    const why = make("p", { class: given.danger === undefined ? "" : "consequence" });
    why.textContent = given.why;
    form.append(why);
  }
  const place = make("div", { class: "fields" });
  const made = fields.map((field) => ({ path: field.path, ...FIELDS[field.type](field) }));
  place.append(...made.map((each) => each.show));
  const confirm = make("button", { type: "submit", class: given.danger === undefined ? "primary" : "danger" });
  confirm.textContent = word("js.confirm");
  if (given.danger !== undefined) {
    const sure = make("input", { type: "checkbox", required: true });
    const label = make("label", { class: "row" });
    label.append(sure, word("js.sure"));
    place.append(label);
  }
  const cancel = make("button", { type: "button" });
  cancel.textContent = word("js.cancel");
  const ends = make("div", { class: "ends" });
  ends.append(cancel, confirm);
  form.append(place, ends);
  dialog.append(form);
  document.body.append(dialog);
  cancel.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  form.addEventListener("submit", async (submitted) => {
    submitted.preventDefault();
    for (const each of made) put(event, each.path, each.read());
    dialog.close();
    await file(event);
  });
  dialog.showModal();
}

export function startActions() {
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-event]");
    if (!button) return;
    if (button.dataset.fields || button.dataset.danger !== undefined) ask(button);
    else file(JSON.parse(button.dataset.event));
  });
}
