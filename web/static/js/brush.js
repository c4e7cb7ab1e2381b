// Columns of a chart that lead to a time are selected together: with the pointer
// drawn across them, or with shift and the arrow keys from the one in focus, then
// Enter. What is selected is opened: the from of the first and the to of the last.
// Escape selects none. Without this file each column leads to its own time, and the
// page has two fields for another.
//
//   svg[data-brush]          the chart; each a[href] in it is a column, in their order
//   rect[data-brush-span]    is added to show the selection
const SVG = "http://www.w3.org/2000/svg";
let chart = null; // with a selection, or where the pointer went down
let begin = 0, first = 0, last = 0;
let drawn = false;

const columns = () => [...chart.querySelectorAll("a[href]")];

const clear = () => {
  chart?.querySelector("[data-brush-span]")?.remove();
  chart = null;
  drawn = false;
};

// at is the column below a pointer.
const at = (x) => {
  const box = chart.getBoundingClientRect();
  const n = columns().length;
  return Math.min(n - 1, Math.max(0, Math.floor(((x - box.left) / box.width) * n)));
};

const show = (to) => {
  last = to;
  drawn = true;
  let span = chart.querySelector("[data-brush-span]");
  if (!span) {
    span = document.createElementNS(SVG, "rect");
    span.setAttribute("data-brush-span", "");
    span.setAttribute("y", "0");
    span.setAttribute("height", chart.querySelector("a rect").getAttribute("height"));
    chart.prepend(span);
  }
  const n = columns().length;
  span.setAttribute("x", `${(100 * Math.min(first, last)) / n}%`);
  span.setAttribute("width", `${(100 * (Math.abs(first - last) + 1)) / n}%`);
};

const open = () => {
  const list = columns().map((a) => a.getAttribute("href"));
  const address = new URL(list[Math.min(first, last)], location.href);
  const end = new URL(list[Math.max(first, last)], location.href).searchParams.get("to");
  address.searchParams.set("to", end);
  location.assign(address);
};

document.addEventListener("pointerdown", (event) => {
  const svg = event.target.closest?.("svg[data-brush]");
  clear();
  if (!svg || event.button !== 0 || !event.isPrimary) return;
  chart = svg;
  begin = event.clientX;
  first = at(begin);
});
document.addEventListener("pointermove", (event) => {
  if (!chart || !(event.buttons & 1)) return;
  if (drawn || Math.abs(event.clientX - begin) > 4) show(at(event.clientX));
});
document.addEventListener("click", (event) => {
  if (!drawn || !event.detail) return; // detail: not of a key
  event.preventDefault();
  open();
}, true);
document.addEventListener("pointercancel", clear);
document.addEventListener("dragstart", (event) => event.target.closest?.("svg[data-brush]") && event.preventDefault());

document.addEventListener("keydown", (event) => {
  const column = event.target.closest?.("svg[data-brush] a");
  if (event.key === "Escape") clear();
  if (!column) return;
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (event.key === "Enter" && drawn) return event.preventDefault(), open();
  if (!step || !event.shiftKey) return;
  event.preventDefault();
  if (!drawn) (chart = column.closest("svg")), (first = last = columns().indexOf(column));
  show(Math.min(columns().length - 1, Math.max(0, last + step)));
});
