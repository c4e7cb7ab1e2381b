// What stands beside the form of a configuration follows what is typed: the schedule in
// words, what would change, what saving does. The form is asked for that region alone.
// Without this file the button Preview answers with the next page.
const form = document.querySelector("[data-config-form]");
const region = form?.querySelector("[data-config-region]");
if (form && region) {
  const pause = 300;
  const typed = form.querySelector('[name="cron"]');
  const state = form.querySelector("span[data-config-state]");
  let timer = 0;
  let asking = null;
  form.querySelector("[data-config-preview]").hidden = true;
  // What differs from what is stored has a tag, and says what stands there.
  const mark = (answer) => {
    const changed = new Map([...(answer?.children ?? [])].map((line) => [line.dataset.configWas, line]));
    // The differences are in sight, so the form can be saved without the page that reviews it.
    const save = form.querySelector("[data-config-save]");
    if (save) {
      save.hidden = !changed.size || Boolean(state.querySelector(".field-error"));
      form.querySelector(".cfg-save [value=review]").classList.toggle("btn-main", save.hidden);
    }
    for (const field of form.querySelectorAll("[data-field]")) {
      const line = changed.get(field.dataset.field);
      field.querySelector("[data-config-tag]").hidden = !line;
      field.querySelector("[data-config-was]")?.remove();
      if (line?.textContent.trim()) field.insertBefore(line.cloneNode(true), field.querySelector(".cfg-help"));
    }
    for (const row of form.querySelectorAll(".cfg-prop")) {
      const key = row.querySelector('[name="prop.key"]').value;
      for (const e of row.querySelectorAll("input")) e.classList.toggle("cfg-chg", changed.has(`props.${key}`));
    }
  };
  const ask = async () => {
    asking?.abort();
    asking = new AbortController();
    const body = new URLSearchParams(new FormData(form));
    body.set("go", "beside");
    try {
      const answer = await fetch(form.action, { method: "POST", body, signal: asking.signal });
      // Signed out, or away: what stands there stays, and the form says so when it is sent.
      if (!answer.ok || answer.redirected) return;
      region.innerHTML = await answer.text();
      const said = region.querySelector("template[data-config-state]");
      if (said) state.replaceChildren(said.content.cloneNode(true));
      mark(region.querySelector("template[data-config-changed]")?.content);
    } catch (e) {
      if (e.name !== "AbortError") console.warn(e);
    }
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(ask, pause);
  };
  form.addEventListener("input", later);
  // A suggestion is taken at once, without another page.
  region.addEventListener("click", (event) => {
    const button = event.target.closest('button[name="use"]');
    if (!button || !typed) return;
    event.preventDefault();
    typed.value = button.value;
    typed.focus();
    ask();
  });
}
