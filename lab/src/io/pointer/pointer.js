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

  const number = text => { const found = text.replace(/[\u202f\u00a0\s]/g, "").replaceAll("\u2212", "-").match(/^[+-]?[\d.]+(e[+-]?\d+)?/i); return found ? Number(found[0]) : null; };
  function sort(table, column, head) {
    const down = head.getAttribute("aria-sort") === "ascending", body = table.tBodies[0];
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const cell = row => row.cells[column]?.textContent ?? "";
    const order = (a, b) => {
      const [one, other] = [number(cell(a)), number(cell(b))];
      // What is no number comes last, whichever way.
      if (one !== null && other !== null) return down ? other - one : one - other;
      if (one !== null || other !== null) return one === null ? 1 : -1;
      return cell(a).localeCompare(cell(b), "en", { numeric: true }) * (down ? -1 : 1);
    };
    body.append(...[...body.rows].sort(order));
  }
  function dressTable(table) {
    const rows = () => [...table.tBodies[0].rows];
    if (rows().length < 3) return;
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button"; button.className = "sort";
      button.append(...head.childNodes);
      if (!button.textContent.trim()) button.setAttribute("aria-label", "Sort by this column");
      head.append(button);
      button.addEventListener("click", () => sort(table, column, head));
    });
    if (rows().length < 9) return;
    const label = document.createElement("label"), input = document.createElement("input"), said = document.createElement("span");
    label.className = "filter"; input.type = "search"; said.setAttribute("role", "status");
    label.append("Rows with ", input, " ", said);
    (table.closest(".wide") ?? table).before(label);
    input.addEventListener("input", () => {
      const wanted = input.value.toLowerCase(), all = rows();
      for (const row of all) row.hidden = !row.textContent.toLowerCase().includes(wanted);
      said.textContent = wanted ? `${all.filter(row => !row.hidden).length} of ${all.length}` : "";
    });
  }

  // Done once for a page, and again for figures that were drawn anew.
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
    for (const wide of root.querySelectorAll(".wide")) wide.toggleAttribute("data-scrolls", wide.scrollWidth > wide.clientWidth + 1);
  };
  document.querySelectorAll("main table:not([id])").forEach(dressTable);
  globalThis.dress(document);
  addEventListener("resize", () => globalThis.dress(document));
})();
