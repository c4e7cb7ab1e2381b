// What can be seen of a page that not everybody can read or use, one sentence each.
// Tests of pages run it; axe finds more (make axe).
(() => {
  if (document.readyState !== "complete") throw new Error("the page is still loading");
  const found = [];
  const say = (element, what) => found.push(`${what}: ${element.outerHTML.slice(0, 160)}`);
  const shown = (e) => e.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) && !e.closest(".sr, .skip, [aria-hidden=true]");
  const all = (selector) => [...document.querySelectorAll(selector)].filter(shown);

  if (!document.documentElement.lang) found.push("the page names no language");
  if (!document.title) found.push("the page has no title");
  if (all("h1").length !== 1) found.push(`the page has ${all("h1").length} main headings`);
  if (all("main").length !== 1) found.push("the page has no main part");
  const over = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (over > 0) {
    found.push(`the page is ${over} px too wide`);
    const beyond = (e) => e.getBoundingClientRect().right > document.documentElement.clientWidth + 0.5;
    for (const e of all("body *").filter((e) => beyond(e) && ![...e.children].some(beyond)).slice(0, 3)) say(e, "it ends beyond the window");
  }
  const ids = new Set();
  for (const e of document.querySelectorAll("[id]")) ids.has(e.id) ? say(e, "an id stands twice") : ids.add(e.id);
  for (const e of document.querySelectorAll("[style]")) say(e, "a style of its own");
  for (const e of document.querySelectorAll("[aria-labelledby]"))
    if (!document.getElementById(e.getAttribute("aria-labelledby"))) say(e, "its label is missing");

  const name = (e) => (e.getAttribute("aria-label") || e.textContent.trim() || e.title).trim();
  for (const e of all("a[href], button, [role=img], nav, [role=region], [role=group]"))
    if (!name(e)) say(e, "it has no name");
  for (const e of all("input:not([type=hidden]), select, textarea"))
    if (!e.labels.length && !e.getAttribute("aria-label")) say(e, "the field has no label");

  // A target has 24 px, or nothing else to hit within 12 px of its middle.
  const targets = all("a[href], button").filter((e) => !e.closest("svg")).map((e) => [e, e.getBoundingClientRect()]);
  const small = (box) => box.width < 24 || box.height < 24;
  for (const [e, box] of targets) {
    if (!small(box) || getComputedStyle(e).display === "inline") continue;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    for (const [other, o] of targets) {
      if (other === e || other.contains(e) || e.contains(other)) continue;
      if (e.closest(".tabbar") !== other.closest(".tabbar")) continue; // it lies over the page, which scrolls
      const distance = Math.hypot(Math.max(o.left - x, 0, x - o.right), Math.max(o.top - y, 0, y - o.bottom));
      if (distance < 12) say(e, `a target of ${Math.round(box.width)} × ${Math.round(box.height)} px beside another`);
    }
  }

  // Contrast of text with what is painted behind it.
  const parse = (text) => {
    const [, space, values] = text.match(/^(rgba?|color\(srgb)[ (]?(.*)\)$/) ?? [];
    const [r, g, b, a = 1] = (values ?? "").split(/[ ,/]+/).filter(Boolean).map(Number);
    return space?.startsWith("color") ? [r * 255, g * 255, b * 255, a] : [r, g, b, a];
  };
  const luminance = ([r, g, b]) =>
    [r, g, b].reduce((sum, v, i) => {
      const c = v / 255;
      return sum + [0.2126, 0.7152, 0.0722][i] * (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    }, 0);
  const behind = (e) => {
    for (; e; e = e.parentElement) {
      const colour = parse(getComputedStyle(e).backgroundColor);
      if (colour[3] === 1) return colour;
    }
    return [255, 255, 255, 1];
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const e = node.parentElement;
    if (!node.data.trim() || !shown(e) || e.closest("svg, [disabled]")) continue;
    const [x, y] = [luminance(parse(getComputedStyle(e).color)), luminance(behind(e))];
    const ratio = (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
    if (ratio < 4.5) say(e, `contrast ${ratio.toFixed(2)} of "${node.data.trim()}"`);
  }
  return found;
})()
