// Keeps the regions of a page up to date: elements with data-region, whose rows have
// data-row. The server says by a stream that something changed (body data-events);
// the page then asks for those regions at its own address and puts what is new in
// place, so that focus, selection and scroll position stay. Without a stream it asks
// for all regions every data-live seconds. What the reader works at is held until he asks for it.
(() => {
  "use strict";
  const words = document.body.dataset;
  const seconds = Number(words.live);
  const button = document.querySelector("[data-live-toggle]");
  const state = document.querySelector("[data-live-state]");
  const hold = document.querySelector("[data-live-held]");
  if (!(seconds > 0) || !button) return;

  // ---- put in place what is new ----
  const isElement = (node) => node.nodeType === Node.ELEMENT_NODE;
  const keyOf = (node) => (isElement(node) ? node.id || node.dataset.row || "" : "");
  const alike = (a, b) => a.nodeName === b.nodeName && keyOf(a) === keyOf(b);
  const changed = new Set(); // elements with another value than before
  const morph = (old, next, all) => {
    if (!isElement(old)) {
      if (old.data === next.data) return;
      old.data = next.data;
      if (!old.parentElement.closest("time")) changed.add(old.parentElement.closest("td, dd, li, [data-value]"));
      return;
    }
    if ("same" in next.dataset || (("countdown" in old.dataset || old.dataset.since === next.dataset.since) && old.nodeName === "TIME" && old.getAttribute("datetime") === next.getAttribute("datetime"))) return;
    for (const { name, value } of next.attributes) if (name !== "open" && old.getAttribute(name) !== value) old.setAttribute(name, value);
    for (const { name } of [...old.attributes]) if (name !== "open" && !next.hasAttribute(name)) old.removeAttribute(name);
    const frozen = "frozen" in old.dataset && !all;
    let at = old.firstChild;
    for (const child of [...next.childNodes]) {
      let match = at;
      while (match && !alike(match, child)) match = match.nextSibling;
      if (!match) {
        if (frozen && keyOf(child)) continue; // a new row waits
        old.insertBefore(child, at);
        continue;
      }
      while (at !== match) {
        const left = at;
        at = at.nextSibling;
        if (frozen && keyOf(left)) left.classList.add("row-left");
        else left.remove();
      }
      at = match.nextSibling;
      morph(match, child, all);
    }
    for (let left = at; left; left = at) {
      at = left.nextSibling;
      if (frozen && keyOf(left)) left.classList.add("row-left");
      else left.remove();
    }
  };
  const waiting = (region, next) => {
    let n = 0;
    for (const list of next.querySelectorAll("[data-frozen]")) {
      for (const row of list.children) if (row.dataset.row && !region.querySelector(`[data-row="${row.dataset.row}"]`)) n++;
    }
    return n;
  };

  // ---- hold what the reader works at ----
  const held = new Map(); // region -> the element that waits to take its place
  const fresh = new Map(); // region -> the element with rows that wait
  const busy = (region) => {
    if (document.querySelector("dialog[open]")) return true;
    if (region.contains(document.activeElement) && document.activeElement !== document.body) return true;
    if (region.querySelector("details[open][data-touched], input[type=checkbox]:checked")) return true;
    const selection = getSelection();
    return Boolean(selection && !selection.isCollapsed && region.contains(selection.anchorNode));
  };
  addEventListener("click", (event) => {
    const details = event.target.closest?.("summary")?.parentElement;
    if (details) details.dataset.touched = "";
  });
  const exchange = (region, next, all) => {
    changed.clear();
    morph(region, next, all);
    for (const element of changed) {
      if (!element || !region.contains(element)) continue;
      element.classList.add("changed");
      setTimeout(() => element.classList.remove("changed"), 600);
    }
    region.dispatchEvent(new CustomEvent("exchanged", { bubbles: true }));
  };
  setInterval(() => {
    for (const [region, next] of held) if (!busy(region)) take(region, next);
    sayHeld();
  }, 500);
  const sayHeld = () => {
    let rows = 0;
    for (const [region, next] of fresh) rows += waiting(region, next);
    hold.hidden = held.size === 0 && rows === 0;
    hold.textContent = held.size ? words.held.replace("{}", held.size) : words.new.replace("{}", rows);
  };
  hold.addEventListener("click", () => {
    for (const [region, next] of [...fresh, ...held]) exchange(region, next.cloneNode(true), true);
    held.clear();
    fresh.clear();
    sayHeld();
  });
  const shown = (region) => {
    const copy = region.cloneNode(true);
    for (const time of copy.querySelectorAll("time")) time.remove();
    return copy.textContent.replace(/\s+/g, " ");
  };
  const take = (region, next) => {
    held.delete(region);
    fresh.delete(region);
    if (busy(region)) {
      if (!region.dataset.h && shown(region) === shown(next)) region.dataset.h = next.dataset.h; // asked for the first time
      else held.set(region, next);
    } else {
      if (waiting(region, next)) fresh.set(region, next.cloneNode(true));
      exchange(region, next, false);
    }
  };

  // ---- ask ----
  let paused = sessionStorage.getItem("live") === "paused";
  const say = (what) => {
    const word = state.querySelector("[role=status]");
    const past = document.querySelector(".outage[data-snapshot]")?.dataset.snapshot; // the registry is away
    if (past && what === "live") what = "stale";
    const text = { live: state.dataset.wordLive, paused: state.dataset.wordPaused, broken: state.dataset.wordBroken, stale: past }[what];
    if (word.textContent !== text) word.textContent = text;
    state.dataset.state = what;
    button.textContent = paused ? button.dataset.resume : button.dataset.pause;
  };
  let typed = false; // a form would be lost with the page
  addEventListener("input", (event) => { typed ||= event.target.form?.method === "post"; });
  const mark = (element, name) => (element.dataset.h ? `${name}.${element.dataset.h}` : name);
  const ask = async (names) => {
    const all = [...document.querySelectorAll("[data-region]:not([data-region=rendered])")];
    const regions = names.has("") ? all : all.filter((region) => names.has(region.dataset.region));
    if (!regions.length) return true;
    const tags = regions.map((region) => `"${mark(held.get(region) ?? region, region.dataset.region)}"`);
    const rows = regions.flatMap((region) => [...region.querySelectorAll("[data-row]")]).map((row) => mark(row, row.dataset.row));
    const headers = { "X-Region": regions.map((region) => region.dataset.region).join(","), "If-None-Match": tags.join(", ") };
    if (rows.length) headers["X-Rows"] = rows.join(",");
    const answer = await fetch(location.href, { headers, cache: "no-store", signal: AbortSignal.timeout(8000) });
    if (answer.redirected || (!answer.ok && answer.status !== 304)) {
      if (!typed) location.reload(); // signed out, or something to be shown on a whole page
      return false;
    }
    const [iso, text] = (answer.headers.get("X-Rendered") ?? "").split(" ");
    const read = document.querySelector('[data-region="rendered"] time');
    if (read && iso) {
      read.dateTime = iso;
      read.textContent = decodeURIComponent(text);
    }
    const page = new DOMParser().parseFromString(answer.status === 304 ? "" : await answer.text(), "text/html");
    for (const region of regions) {
      const next = page.querySelector(`[data-region="${region.dataset.region}"]`);
      if (next) take(region, next);
    }
    sayHeld();
    document.dispatchEvent(new CustomEvent("exchanged"));
    return true;
  };
  // The first answers come at once. A page that keeps changing gets `rate` bytes a second,
  // and a slow server is asked less often.
  const burst = 10000, rate = 1, headers = 2000; // bytes, bytes per millisecond, bytes of a request and its answer
  let spent = 0, counted = performance.now();
  const spend = (bytes) => {
    const now = performance.now();
    spent = Math.max(0, spent - rate * (now - counted)) + bytes;
    counted = now;
    return Math.max(0, spent - burst) / rate; // until the next answer is due
  };
  new PerformanceObserver((list) => {
    for (const { initiatorType, encodedBodySize } of list.getEntries()) if (initiatorType === "fetch") spend(encodedBodySize);
  }).observe({ type: "resource" });
  let asking = false;
  const due = new Set(); // names of regions; "" is all of them
  const next = () => {
    const wait = spend(0);
    if (wait > 0) return setTimeout(next, wait);
    asking = false;
    if (due.size) refresh([]);
  };
  const refresh = async (names = [""]) => {
    for (const name of names) due.add(name);
    if (paused || document.hidden || asking) return;
    asking = true;
    const wanted = new Set(due), began = performance.now();
    due.clear();
    try {
      say((await ask(wanted)) ? "live" : "broken");
    } catch {
      say("broken");
    }
    spend(headers);
    setTimeout(next, 3 * (performance.now() - began));
  };

  // ---- listen ----
  let stream, timer, refused = 0;
  const later = () => {
    clearTimeout(timer);
    if (document.querySelector("[data-live-end]")) return; // nothing changes any more
    const heard = stream?.readyState === EventSource.OPEN;
    timer = setTimeout(() => {
      refresh();
      listen();
      later();
    }, (heard ? 60 : seconds) * 1000);
  };
  const listen = () => {
    const wanted = !paused && !document.hidden && Boolean(words.events);
    if (stream && (!wanted || stream.readyState === EventSource.CLOSED)) {
      if (wanted) refused = Date.now();
      stream.close();
      stream = undefined;
    }
    if (stream || !wanted || Date.now() - refused < 60000) return;
    stream = new EventSource(words.events);
    stream.onopen = () => {
      later();
      refresh(); // what changed before
    };
    stream.onerror = later;
    stream.onmessage = ({ data }) => refresh(data.split(" "));
  };
  const start = () => {
    say(paused ? "paused" : "live");
    listen();
    later();
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    paused = !paused;
    sessionStorage.setItem("live", paused ? "paused" : "on");
    start();
    refresh();
  });
  document.addEventListener("visibilitychange", () => {
    refresh();
    start();
  });
  addEventListener("pagehide", () => stream?.close());
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    stream = undefined;
    start();
    refresh();
  });
  start();
})();
