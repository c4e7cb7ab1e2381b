// Links to the page that asks before a job runs (/jobs/NAME/run) show it in a dialog: the same
// page, fetched. The focus is on the button that confirms, so Enter runs the job, or on a required
// field that is empty. Without this file the links lead to the page.
const asks = /\/jobs\/[^/]+\/run$/;
const dialog = document.createElement("dialog");
dialog.className = "dlg";
dialog.setAttribute("aria-labelledby", "dlg-title");
const content = dialog.appendChild(document.createElement("div"));
content.className = "stories";

const show = async (href) => {
  let page;
  try {
    const answer = await fetch(href);
    if (answer.ok && !answer.redirected) page = new DOMParser().parseFromString(await answer.text(), "text/html");
  } catch {
    // no answer: the browser explains why
  }
  if (!page) {
    location.href = href; // signed out, or refused
    return;
  }
  const title = page.querySelector("h1");
  title.id = "dlg-title";
  content.replaceChildren(title, ...page.querySelectorAll("main > *"));
  const back = dialog.querySelector("form[method=post] input[name=return]");
  const here = document.querySelector(".side input[name=return]");
  if (back && here) back.value = here.value;
  if (!dialog.open) {
    document.querySelector("dialog[open]")?.close(); // the palette
    document.body.append(dialog);
    dialog.showModal(); // and gives the focus back when it closes
  }
  const missing = [...content.querySelectorAll("[required]")].find((field) => !field.value);
  (missing ?? content.querySelector("[data-confirm]") ?? content.querySelector("[data-close]"))?.focus();
  dialog.dispatchEvent(new CustomEvent("exchanged", { bubbles: true }));
};

document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.target === dialog || (event.target.closest("[data-close]") && dialog.contains(event.target))) {
    event.preventDefault();
    dialog.close();
    return;
  }
  const link = event.target.closest("a[href]");
  if (!link || link.origin !== location.origin || !asks.test(link.pathname)) return;
  event.preventDefault();
  link.closest("details[data-menu]")?.removeAttribute("open");
  show(link.href);
});
