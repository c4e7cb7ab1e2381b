// The assistant beside a schedule follows what is typed: the form is asked for that
// region alone. Without this file it answers with the next page.
const form = document.querySelector("[data-config-form]");
const region = document.querySelector("[data-cron-region]");
const typed = form?.querySelector('[name="cron"]');
if (form && region && typed && !typed.readOnly) {
  const pause = 300;
  let timer = 0;
  let asking = null;
  const ask = async () => {
    asking?.abort();
    asking = new AbortController();
    const body = new URLSearchParams(new FormData(form));
    body.set("go", "cron");
    try {
      const answer = await fetch(form.action, { method: "POST", body, signal: asking.signal });
      // Signed out, or away: what stands there stays, and the form says so when it is sent.
      if (answer.ok && !answer.redirected) region.innerHTML = await answer.text();
    } catch (e) {
      if (e.name !== "AbortError") console.warn(e);
    }
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(ask, pause);
  };
  for (const name of ["cron", "timeZone", "misfire"]) form.querySelector(`[name="${name}"]`)?.addEventListener("input", later);
  // A suggestion is taken at once, without another page.
  region.addEventListener("click", (event) => {
    const button = event.target.closest('button[name="use"]');
    if (!button) return;
    event.preventDefault();
    typed.value = button.value;
    typed.focus();
    ask();
  });
}
