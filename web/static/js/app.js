// The pages work without this file. It adds four comforts: values that refresh
// by themselves, countdowns that count, the reader's local time on hover, and
// buttons that cannot be pressed twice.
(() => {
  "use strict";

  // Countdowns: <time data-countdown datetime="...">in 2 min 13 s</time>
  const words = document.body.dataset; // in the page's language, with {} for the value
  const [day, hour, minute, second] = (words.units ?? "d h min s").split(" ");
  const span = (ms) => {
    const s = Math.max(0, Math.floor(ms / 1000));
    const pair = (a, ua, b, ub) => (b ? `${a} ${ua} ${b} ${ub}` : `${a} ${ua}`);
    if (s >= 86400) return pair(Math.floor(s / 86400), day, Math.floor(s / 3600) % 24, hour);
    if (s >= 3600) return pair(Math.floor(s / 3600), hour, Math.floor(s / 60) % 60, minute);
    if (s >= 60) return pair(Math.floor(s / 60), minute, s % 60, second);
    return `${s} ${second}`;
  };
  // The server's clock decides, not the reader's: the page says when it was
  // rendered, and the difference is kept.
  let skew = 0;
  const readClock = () => {
    const rendered = document.querySelector('[data-region="rendered"] time');
    if (rendered) skew = Date.parse(rendered.dateTime) - Date.now();
  };
  const tick = () => {
    for (const t of document.querySelectorAll("time[data-countdown]")) {
      const left = Date.parse(t.dateTime) - (Date.now() + skew);
      t.textContent = left >= 0 ? words.in.replace("{}", span(left)) : words.due.replace("{}", span(-left));
    }
  };

  // Local time on hover.
  const local = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "long" });
  const localise = (root) => {
    for (const t of root.querySelectorAll("time[datetime]:not([data-local])")) {
      t.dataset.local = "";
      t.title = `${t.title}\n${words.here.replace("{}", local.format(new Date(t.dateTime)))}`;
    }
  };

  // Live regions: fetch this page again and exchange what is marked, unless the
  // reader is busy there.
  const seconds = Number(document.body.dataset.live);
  const button = document.querySelector("[data-live-toggle]");
  const state = document.querySelector("[data-live-state]");
  let paused = sessionStorage.getItem("live") === "paused";
  const say = (what) => {
    if (!button || !state) return;
    const word = state.querySelector("[role=status]");
    const text = { live: state.dataset.wordLive, paused: state.dataset.wordPaused, broken: state.dataset.wordBroken }[what];
    if (word.textContent !== text) word.textContent = text;
    state.dataset.state = what;
    button.textContent = paused ? button.dataset.resume : button.dataset.pause;
  };
  const idle = () => say(paused ? "paused" : "live");
  // Updates are held where the reader is at work: rows chosen, something open, text
  // selected, the focus inside. What waits is counted, and shown when asked for.
  const hold = document.querySelector("[data-live-held]");
  const held = new Map(); // region -> the element that waits to take its place
  const served = new Map(); // region -> its HTML as the server wrote it
  for (const region of document.querySelectorAll("[data-region]")) served.set(region, region.innerHTML);
  const busy = (region) => {
    if (document.querySelector("dialog[open]")) return true;
    if (region.contains(document.activeElement) && document.activeElement !== document.body) return true;
    if (region.querySelector("details[open], input[type=checkbox]:checked")) return true;
    const selection = getSelection();
    return Boolean(selection && !selection.isCollapsed && region.contains(selection.anchorNode));
  };
  const exchange = (region, next) => {
    served.set(region, next.innerHTML);
    region.innerHTML = next.innerHTML;
    localise(region);
  };
  const sayHeld = () => {
    if (!hold) return;
    hold.hidden = held.size === 0;
    hold.textContent = words.held.replace("{}", held.size);
  };
  hold?.addEventListener("click", () => {
    for (const [region, next] of held) exchange(region, next);
    held.clear();
    sayHeld();
    tick();
  });
  const refresh = async () => {
    if (paused || document.hidden) return;
    let answer;
    try {
      // Rows stay where they are until the reader asks: the server has to
      // know which ones are shown.
      const headers = { "X-Live": "1" };
      const rows = [...document.querySelectorAll("[data-row]")].map((row) => row.dataset.row);
      if (rows.length) headers["X-Rows"] = rows.join(",");
      answer = await fetch(location.href, { headers, signal: AbortSignal.timeout(8000) });
    } catch {
      say("broken");
      return;
    }
    if (answer.redirected || !answer.ok) {
      location.reload(); // signed out, or something to be shown on a whole page
      return;
    }
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const region of document.querySelectorAll("[data-region]")) {
      const next = fresh.querySelector(`[data-region="${region.dataset.region}"]`);
      held.delete(region);
      if (!next || next.innerHTML === served.get(region)) continue;
      if (busy(region)) held.set(region, next);
      else exchange(region, next);
    }
    sayHeld();
    readClock();
    tick();
    idle();
  };

  readClock();
  localise(document);
  tick();
  setInterval(tick, 1000);
  if (seconds > 0 && button) {
    button.hidden = false;
    idle();
    button.addEventListener("click", () => {
      paused = !paused;
      sessionStorage.setItem("live", paused ? "paused" : "on");
      idle();
      if (!paused) refresh();
    });
    setInterval(refresh, seconds * 1000);
    document.addEventListener("visibilitychange", refresh);
  }

  // One press, one action. The button is not disabled at once: a disabled button
  // would not be part of what is sent.
  document.addEventListener("submit", (event) => {
    if (event.target.method !== "post") return;
    if (event.target.dataset.sent) {
      event.preventDefault();
      return;
    }
    event.target.dataset.sent = "1";
  });
  // A page that comes back from the browser's memory may send again.
  addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
  });
})();
