// A link to a plain text copies the text instead. Without this file, or where the
// browser lets nothing be copied, it opens it.
//
//   a[data-copy]   the link; the attribute is what its first element says afterwards
document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-copy]");
  if (!link || !navigator.clipboard || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  try {
    const answer = await fetch(link.href, { cache: "no-store", signal: AbortSignal.timeout(8000) });
    if (!answer.ok || answer.redirected) throw new Error(`status ${answer.status}`);
    await navigator.clipboard.writeText(await answer.text());
  } catch {
    location.href = link.href;
    return;
  }
  if ("copied" in link.dataset) return;
  const label = link.firstElementChild;
  const before = label.textContent;
  label.textContent = link.dataset.copy;
  link.dataset.copied = "";
  setTimeout(() => { label.textContent = before; delete link.dataset.copied; }, 2000);
});
