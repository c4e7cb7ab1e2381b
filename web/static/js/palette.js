// The link "Jump to…" ([data-palette]) leads to a page that finds jobs, servers, runs
// and pages. This file shows the same in a dialog, by a press on the link, ⌘K or
// Ctrl-K: it asks that page for its region as one types. The arrows move, Enter opens,
// and the arrow to the right brings what can be done with a job.
const link = document.querySelector("[data-palette]");
let dialog, field, list, asked, timer;

const build = () => {
  dialog = document.createElement("dialog");
  dialog.className = "pal";
  dialog.setAttribute("aria-label", link.dataset.label);
  field = document.createElement("input");
  Object.assign(field, { type: "search", className: "pal-q", maxLength: 100, placeholder: link.dataset.placeholder, autocomplete: "off", spellcheck: false });
  field.setAttribute("aria-label", link.dataset.label);
  list = document.createElement("div");
  list.className = "pal-list";
  const foot = document.createElement("p");
  foot.className = "pal-foot";
  foot.textContent = link.dataset.foot;
  dialog.append(field, list, foot);
  document.body.append(dialog);
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(find, 80);
  });
  dialog.addEventListener("keydown", onKey);
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
};
const find = async () => {
  asked?.abort();
  asked = new AbortController();
  const address = new URL(link.href);
  address.searchParams.set("q", field.value);
  try {
    const answer = await fetch(address, { headers: { "X-Region": "found" }, signal: asked.signal });
    if (answer.redirected || !answer.ok) {
      location.href = address; // signed out, or something to be shown on a whole page
      return;
    }
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    list.replaceChildren(...page.querySelectorAll("[data-region=found] > *"));
  } catch {
    // another letter was typed, or there is no answer: what is shown stays
  }
};
const onKey = (event) => {
  const links = [...list.querySelectorAll("a, button:not([disabled])")];
  const at = links.indexOf(document.activeElement);
  const job = (document.activeElement === field ? links[0] : links[at])?.dataset.palJob;
  if (event.key === "ArrowDown") (links[at + 1] ?? links[0])?.focus();
  else if (event.key === "ArrowUp") (at > 0 ? links[at - 1] : field).focus();
  else if (event.key === "Enter" && document.activeElement === field) links[0]?.click();
  else if (event.key === "ArrowRight" && job && field.value !== job && (at >= 0 || field.selectionStart === field.value.length)) {
    field.value = job;
    field.focus();
    find();
  } else {
    if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && at >= 0) field.focus();
    return;
  }
  event.preventDefault();
};
const show = () => {
  if (!dialog) build();
  if (dialog.open) return;
  field.value = "";
  dialog.showModal(); // and gives the focus back when it closes
  field.focus();
  find();
};
link?.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  show();
});
document.addEventListener("keydown", (event) => {
  if (!link || event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey) return;
  event.preventDefault();
  show();
});
