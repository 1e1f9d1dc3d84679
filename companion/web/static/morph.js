// Turns one piece of the page into another, touching only what differs: focus and open details stay.
export function morph(place, html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  children(place, template.content);
}

function key(node) {
  return node.nodeType === Node.ELEMENT_NODE ? node.id : "";
}

function alike(one, other) {
  return one.nodeType === other.nodeType && one.nodeName === other.nodeName && key(one) === key(other);
}

function children(place, wanted) {
  const named = new Map([...place.childNodes].filter((node) => key(node)).map((node) => [key(node), node]));
  let here = place.firstChild;
  for (const want of [...wanted.childNodes]) {
    const known = key(want) && named.get(key(want));
    if (known && known !== here) {
      place.insertBefore(known, here);
      here = known;
    }
    if (here && alike(here, want)) {
      node(here, want);
      here = here.nextSibling;
    } else {
      place.insertBefore(want, here);
    }
  }
  while (here) {
    const next = here.nextSibling;
    here.remove();
    here = next;
  }
}

function node(here, want) {
  if (here.nodeType !== Node.ELEMENT_NODE) {
    if (here.data !== want.data) here.data = want.data;
    return;
  }
  for (const { name } of [...here.attributes]) {
    const kept = name === "open" && here.nodeName === "DETAILS";
    if (!kept && !want.hasAttribute(name)) here.removeAttribute(name);
  }
  for (const { name, value } of want.attributes) {
    if (here.getAttribute(name) !== value) here.setAttribute(name, value);
  }
  if (here.nodeName === "INPUT" || here.nodeName === "SELECT") return;
  children(here, want);
}
