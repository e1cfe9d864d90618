"use strict";
// What a page answers to a pointer and to keys. Without it everything can be read: it adds no content, and asks nobody for any.
(() => {
  const numbers = new Intl.NumberFormat("en", { maximumSignificantDigits: 5 });
  const tip = document.createElement("div");
  tip.id = "tip"; tip.hidden = true; tip.setAttribute("aria-hidden", "true");
  document.body.append(tip);

  // The figure's data are the CSV that it offers: panel, series, kind, x, y, low, high. Cells with commas or quotes are quoted.
  const rows = new WeakMap();
  function data(figure) {
    const link = figure?.querySelector("a[download]");
    if (figure?.rows) return figure.rows;
    if (!link) return [];
    if (!rows.has(link)) {
      const text = decodeURIComponent(link.href.slice(link.href.indexOf(",") + 1));
      rows.set(link, text.trim().split("\n").slice(1).map(line => [...line.matchAll(/("([^"]|"")*"|[^,]*)(,|$)/g)].map(([, cell]) => cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)));
    }
    return rows.get(link);
  }

  // Values of every shown curve at the pointer: of steps the last one before it, otherwise the nearest.
  function values(frame, event) {
    const box = frame.getBoundingClientRect(), { from, to, panel, powers, steps } = frame.dataset;
    let x = Number(from) + (event.clientX - box.left) / box.width * (Number(to) - Number(from));
    if (powers === "1") x = 10 ** x;
    const figure = frame.closest("figure"), found = new Map();
    for (const [of, name, kind, cx, y, low, high] of data(figure)) {
      if (of !== panel || kind !== "curve") continue;
      const best = found.get(name), away = Math.abs(cx - x);
      if (steps === "1" ? Number(cx) <= x : !best || away < best.away) found.set(name, { away, cx, y, low, high });
    }
    const shown = [...found].filter(([name]) => !figure.querySelector(`[data-key="${CSS.escape(name)}"][aria-pressed=false]`));
    if (!shown.length) return "";
    const n = text => numbers.format(Number(text));
    const at = steps === "1" ? x : shown[0][1].cx;
    return [`at ${n(at)}`, ...shown.map(([name, { y, low, high }]) => `${name}: ${n(y)}` + (low !== "" && low !== high ? ` [${n(low)}, ${n(high)}]` : ""))].join("\n");
  }

  document.addEventListener("pointermove", event => {
    const target = event.target instanceof Element ? event.target : null;
    let text = "";
    const frame = target?.closest("[data-from]");
    if (frame) text = values(frame, event);
    else if (target?.closest("svg")) {
      // The browser's own box would come late and above this one.
      const title = target.querySelector(":scope > title");
      if (title && target.tagName !== "svg") { target.dataset.tip = title.textContent; title.remove(); }
      text = target.dataset.tip ?? "";
    }
    tip.hidden = text === "";
    if (tip.textContent !== text) tip.textContent = text;
    if (text) {
      const right = event.clientX + 14 + tip.offsetWidth > innerWidth;
      tip.style.left = Math.max(4, right ? event.clientX - 10 - tip.offsetWidth : event.clientX + 14) + "px";
      tip.style.top = Math.max(4, Math.min(event.clientY + 14, innerHeight - tip.offsetHeight - 4)) + "px";
    }
  });
  document.addEventListener("pointerleave", () => { tip.hidden = true; });
  document.addEventListener("keydown", event => { if (event.key === "Escape") tip.hidden = true; });

  // Entries of legends switch what they name on and off; what is off stays off when a figure is drawn anew.
  const off = new Set();
  const keyOf = key => (key.closest("figure")?.dataset.name ?? "") + "\n" + key.dataset.key;
  function set(key, shown) {
    key.setAttribute("aria-pressed", shown);
    for (const part of key.closest("figure").querySelectorAll(`[data-series="${CSS.escape(key.dataset.key)}"]`)) part.style.display = shown ? "" : "none";
  }
  function toggle(event) {
    const key = event.target instanceof Element ? event.target.closest("figure [data-key][aria-pressed]") : null;
    if (!key || (event.type === "keydown" && event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    const shown = key.getAttribute("aria-pressed") !== "true";
    shown ? off.delete(keyOf(key)) : off.add(keyOf(key));
    set(key, shown);
  }
  document.addEventListener("click", toggle);
  document.addEventListener("keydown", toggle);

  // Rows stand as somebody has asked for them, also those that came later: what was asked is in `aria-sort` and in the filter's box.
  const number = text => { const found = text.replace(/[\u202f\u00a0\s$]/g, "").replaceAll("\u2212", "-").match(/^[+-]?[\d.]+(e[+-]?\d+)?/i); return found ? Number(found[0]) : null; };
  const filters = new WeakMap();
  function arrange(table) {
    const body = table.tBodies[0], rows = [...body.rows], head = table.tHead.querySelector("[aria-sort]");
    if (head) {
      const down = head.getAttribute("aria-sort") === "descending";
      const cell = row => row.cells[head.cellIndex]?.textContent ?? "";
      const sorted = rows.toSorted((a, b) => {
        const [one, other] = [number(cell(a)), number(cell(b))];
        // What is no number comes last, whichever way.
        if (one !== null && other !== null) return down ? other - one : one - other;
        if (one !== null || other !== null) return one === null ? 1 : -1;
        return cell(a).localeCompare(cell(b), "en", { numeric: true }) * (down ? -1 : 1);
      });
      // A row that is moved loses the focus.
      if (sorted.some((row, place) => row !== rows[place])) body.append(...sorted);
    }
    if (!filters.has(table)) return;
    const [input, said] = filters.get(table), wanted = input.value.toLowerCase();
    for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
    const count = wanted ? `${rows.filter(row => !row.hidden).length} of ${rows.length}` : "";
    if (said.textContent !== count) said.textContent = count;
  }
  function sort(table, head) {
    const order = head.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", order);
    arrange(table);
  }
  // Few rows need no order, and fewer than nine no filter.
  function dressTable(table) {
    const rows = table.tBodies[0].rows.length, heads = [...table.tHead.rows[0].cells];
    if (rows >= 3 && !table.tHead.querySelector("button.sort")) for (const head of heads) {
      const button = document.createElement("button");
      button.type = "button"; button.className = "sort";
      button.append(...head.childNodes);
      if (!button.textContent.trim()) button.setAttribute("aria-label", "Sort by this column");
      head.append(button);
      button.addEventListener("click", () => sort(table, head));
    }
    if (rows >= 9 && !filters.has(table)) {
      const label = document.createElement("label"), input = document.createElement("input"), said = document.createElement("span");
      label.className = "filter"; input.type = "search"; said.setAttribute("role", "status");
      label.append("Rows with ", input, " ", said);
      (table.closest(".wide") ?? table).before(label);
      filters.set(table, [input, said]);
      input.addEventListener("input", () => arrange(table));
    }
    arrange(table);
  }

  // Done once for a page, and again when figures were drawn anew or tables got other rows.
  globalThis.dress = root => {
    for (const key of root.querySelectorAll("figure [data-key]")) {
      const svg = key.ownerSVGElement;
      if (!key.closest("figure").querySelector(`[data-series="${CSS.escape(key.dataset.key)}"]`)) continue;
      if (svg) {
        // An image has no parts that could be reached by keys.
        svg.setAttribute("role", "group");
        key.setAttribute("role", "button"); key.setAttribute("tabindex", "0"); key.setAttribute("aria-label", "Show " + key.dataset.key);
      }
      set(key, !off.has(keyOf(key)));
    }
    root.querySelectorAll("main table").forEach(dressTable);
    for (const wide of root.querySelectorAll(".wide")) wide.toggleAttribute("data-scrolls", wide.scrollWidth > wide.clientWidth + 1);
  };
  globalThis.dress(document);
  addEventListener("resize", () => globalThis.dress(document));
})();
