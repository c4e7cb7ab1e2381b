// Rows are selected by the boxes in front of them, and a bar says how many are and
// what can be done with them. That works without this file; it adds the count,
// ranges (a click with shift), the key x for the row in sight, the box in the head
// for the whole page, and clearing without loading the page again.
//
//   .sel input               a row's box          input[data-select-page]  all of the page
//   [data-select-bar]        the bar              input[data-select-all]   all of the view, data-count of them
//   [data-select-count]      says how many, data-words has {} for the number
//   [data-select-clear]      selects none
//
// The page may exchange the rows at any time: nothing is remembered but the name of
// the box that was pressed last. Each change tells the document "selected".
const boxes = () => [...document.querySelectorAll(".sel input")];
const one = (name) => document.querySelector(`[data-select-${name}]`);
let last = "";

const show = () => {
  const list = boxes();
  const chosen = list.filter((box) => box.checked).length;
  const page = one("page");
  if (page) {
    page.checked = chosen > 0 && chosen === list.length;
    page.indeterminate = chosen > 0 && chosen < list.length;
  }
  const all = one("all");
  const count = one("count");
  const n = all?.checked ? Number(all.dataset.count) : chosen;
  if (count) {
    const text = count.dataset.words.replace("{}", n);
    if (count.textContent !== text) count.textContent = text;
  }
  document.dispatchEvent(new CustomEvent("selected", { detail: n }));
};

const set = (box, checked) => {
  if (box.checked === checked) return;
  box.checked = checked;
  if (!checked && one("all")) one("all").checked = false;
};

document.addEventListener("click", (event) => {
  const box = event.target;
  if (box.matches?.(".sel input")) {
    const list = boxes();
    const from = list.findIndex((other) => other.value === last);
    const to = list.indexOf(box);
    if (event.shiftKey && from >= 0) {
      for (const other of list.slice(Math.min(from, to), Math.max(from, to) + 1)) set(other, box.checked);
    }
    last = box.value;
    if (!box.checked && one("all")) one("all").checked = false;
  } else if (box.matches?.("input[data-select-page]")) {
    for (const other of boxes()) set(other, box.checked);
  } else if (box.closest?.("[data-select-clear]") && !one("all")) {
    event.preventDefault();
    for (const other of boxes()) set(other, false);
    one("page")?.focus();
  } else if (!box.matches?.("input[data-select-all]")) {
    return;
  }
  show();
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "x" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest?.("input:not([type=checkbox]), select, textarea, [contenteditable]")) return;
  const row = document.activeElement?.closest("[data-row]") ?? document.querySelector("[data-row]:hover");
  const box = row?.querySelector(".sel input");
  if (!box) return;
  event.preventDefault();
  set(box, !box.checked);
  last = box.value;
  show();
});

// What the browser brings back, or another script exchanges, is counted anew.
addEventListener("pageshow", show);
document.addEventListener("exchanged", show);
new MutationObserver((changes) => {
  if (changes.some((change) => [...change.addedNodes].some((node) => node.querySelector?.(".sel input")))) show();
}).observe(document.body, { childList: true, subtree: true });
show();
