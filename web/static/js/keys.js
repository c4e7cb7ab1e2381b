// Single keys work on the row in focus (data-row), otherwise on the page: they move the focus or
// follow a visible link, found by its address. They never press a button, because a button acts
// at once; the links lead to a page that asks. Keys are off in fields, in dialogs, and with ⌘,
// Ctrl or Alt. x belongs to select.js, ⌘K to palette.js.
const ends = { t: "run", d: "disable", e: "enable", w: "explain" };
const rows = () => [...document.querySelectorAll("[data-row]")];
const focused = () => document.activeElement?.closest("[data-row]");

const move = (by) => {
  const list = rows();
  if (!list.length) return false;
  const at = list.indexOf(focused());
  const next = list[Math.max(0, Math.min(list.length - 1, at < 0 ? 0 : at + by))];
  const link = next.querySelector("a[href]");
  link?.focus();
  next.scrollIntoView({ block: "nearest" });
  return Boolean(link);
};
const follow = (verb) => {
  const row = focused();
  for (const place of row ? [row] : document.querySelectorAll("header.head, main")) {
    for (const link of place.querySelectorAll("a[href]")) {
      if (!row && link.closest("[data-row]")) continue; // of a row without the focus
      const to = new URL(link.href);
      if (to.pathname.endsWith(`/${verb}`) || to.searchParams.get("do") === verb) {
        link.click();
        return true;
      }
    }
  }
  const more = row?.querySelector("a[data-more]"); // its menu has not been open yet
  if (!more || (verb !== "explain" && !more.dataset.more.split(" ").includes(verb))) return false;
  more.click();
  return follow(verb);
};
const click = (selector, root = document) => {
  const element = root.querySelector(selector);
  element?.click();
  return Boolean(element);
};
const act = (key) => {
  if (ends[key]) return follow(ends[key]);
  switch (key) {
    case "j": return move(1);
    case "k": return move(-1);
    case ".": return Boolean(focused()) && click("details[data-menu] summary, a[data-more]", focused());
    case "[": return click("a[rel=prev]");
    case "]": return click("a[rel=next]");
    case "?": return click("[data-keys-page]");
    case "/": {
      const field = document.querySelector("main input[type=search]");
      if (!field) return click("[data-palette]");
      field.focus();
      field.select();
      return true;
    }
  }
  return false;
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
  if (event.target.closest?.("input:not([type=checkbox]), select, textarea, [contenteditable], dialog") || document.querySelector("dialog[open]")) return;
  if (act(event.key)) event.preventDefault();
});
