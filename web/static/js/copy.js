// Copies a text. Without this file, or where the browser lets nothing be copied, a link
// opens the text, and a button is not seen.
//
//   a[data-copy]        a link to a plain text; the attribute is what its first element
//                       says afterwards
//   [data-copy-of]      a button: the id of the element whose text is copied
if (navigator.clipboard) document.documentElement.dataset.copies = "";

document.addEventListener("click", async (event) => {
  const from = event.target.closest("[data-copy]");
  if (!from || !navigator.clipboard || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  try {
    await navigator.clipboard.writeText(from.href ? await textAt(from.href) : document.getElementById(from.dataset.copyOf).textContent.trim());
  } catch {
    if (from.href) location.href = from.href;
    return;
  }
  if ("copied" in from.dataset) return;
  const label = from.firstElementChild;
  const before = label.textContent;
  label.textContent = from.dataset.copy;
  from.dataset.copied = "";
  setTimeout(() => { label.textContent = before; delete from.dataset.copied; }, 2000);
});

async function textAt(address) {
  const answer = await fetch(address, { cache: "no-store", signal: AbortSignal.timeout(8000) });
  if (!answer.ok || answer.redirected) throw new Error(`status ${answer.status}`);
  return answer.text();
}
