// The pages work without this file. It adds some comforts: countdowns that count,
// the reader's local time on hover, buttons that cannot be pressed twice, and pages of an
// outage that load again.
(() => {
  "use strict";

  // Distances: <time data-countdown datetime="...">in 2 min 13 s</time>, and
  // data-since="ago", "for" or "late"; the server does not send them again as time goes by.
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
    for (const t of document.querySelectorAll("time[data-countdown], time[data-since]")) {
      const left = Date.parse(t.dateTime) - (Date.now() + skew);
      const since = t.dataset.since;
      const text = words[since ?? (left >= 0 ? "in" : "due")].replace("{}", span(since ? Math.max(1000, -left) : Math.abs(left)));
      if (t.textContent !== text) t.textContent = text;
    }
  };

  // On a phone the tabs of a page are wider than it: the one that is shown is in sight.
  const tabs = document.querySelector(".htabs");
  const shown = tabs?.querySelector("[aria-current]");
  if (shown && tabs.scrollWidth > tabs.clientWidth) tabs.scrollLeft = shown.offsetLeft - tabs.offsetLeft - (tabs.clientWidth - shown.offsetWidth) / 2;

  // The reader's own time zone, for its button.
  const mine = document.querySelector("[data-zone-mine]");
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (mine?.hidden && zone) {
    mine.value = zone;
    mine.title = `${mine.title}${zone}`;
    mine.hidden = false;
  }

  // Local time on hover.
  const local = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "long" });
  const localise = (root) => {
    for (const t of root.querySelectorAll("time[datetime]:not([data-local])")) {
      t.dataset.local = "";
      t.title = `${t.title}\n${words.here.replace("{}", local.format(new Date(t.dateTime)))}`;
    }
  };

  // A page of an outage is loaded again, unless something is being written in it.
  const reload = Number(words.reload) * 1000;
  let written = false;
  addEventListener("input", () => { written = true; });
  if (reload > 0) setInterval(() => written || document.hidden || location.reload(), reload);

  readClock();
  localise(document);
  tick();
  setInterval(tick, 1000);
  // Parts of the page were exchanged.
  document.addEventListener("exchanged", (event) => {
    if (event.target === document) readClock();
    else localise(event.target);
    tick();
  });

  // Without a network, controls that change something are off, with the reason as their title: buttons
  // that send forms, and links that end in … and ask first.
  const changes = (control) => (control.nodeName === "A" ? control.textContent.includes("…") || /\/run$/.test(control.pathname) : control.form?.method === "post");
  const connection = () => {
    for (const control of document.querySelectorAll("main a[href], .head a[href], button")) {
      if (!changes(control)) continue;
      if (navigator.onLine && control.ariaDisabled) {
        control.removeAttribute("aria-disabled");
        control.title = control.dataset.title;
      } else if (!navigator.onLine && !control.ariaDisabled) {
        control.dataset.title = control.title;
        control.ariaDisabled = "true";
        control.title = words.offline;
      }
    }
  };
  addEventListener("offline", connection);
  addEventListener("online", connection);
  document.addEventListener("exchanged", connection);
  connection();
  document.addEventListener("click", (event) => {
    if (event.target.closest?.("[aria-disabled=true]")) event.preventDefault();
  }, true);

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
