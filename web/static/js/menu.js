// Menus are <details data-menu>. Without this file they close where they opened; it
// closes them with Escape, and by a press anywhere else.
//
// The link a[data-more] of a row leads to the page of its subject. A press makes it the
// menu that <template data-menu-pattern> has for all rows, with the address of the
// subject, or its name, for {}: all entries but those data-testid=do-… that data-more
// does not name.
const open = () => document.querySelectorAll("details[data-menu][open]");

const unfold = (link) => {
  const menu = document.createElement("details");
  menu.className = menu.name = "menu";
  Object.assign(menu.dataset, { menu: "", touched: "" });
  const summary = menu.appendChild(document.createElement("summary"));
  summary.className = link.className;
  summary.title = link.title;
  const list = menu.appendChild(document.createElement("div"));
  list.className = "menu-list";
  list.append(document.querySelector("[data-menu-pattern]").content.cloneNode(true));
  const page = link.getAttribute("href");
  const name = encodeURIComponent(decodeURIComponent(page.split("/").pop()));
  const has = link.dataset.more.split(" ");
  for (const entry of [...list.children]) {
    const [verb] = entry.dataset.testid.split("do-").slice(1);
    if (verb && !has.includes(verb)) entry.remove();
    const to = entry.getAttribute("href")?.replace(/^[^?]*%7B%7D/, () => page).replace("%7B%7D", () => name);
    if (to) entry.setAttribute("href", to);
  }
  link.replaceWith(menu);
  menu.open = true;
  summary.focus();
};

document.addEventListener("click", (event) => {
  for (const menu of open()) if (!menu.contains(event.target)) menu.open = false;
  const link = event.target.closest?.("a[data-more]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  unfold(link);
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of open()) {
    const inside = menu.contains(document.activeElement);
    menu.open = false;
    if (inside) menu.querySelector("summary").focus();
  }
});
