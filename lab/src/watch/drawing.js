"use strict";
const $ = id => document.getElementById(id);
const token = new URLSearchParams(location.search).get("token");
const at = path => token ? path + "?token=" + encodeURIComponent(token) : path;
// The figures' colours of cohorts and arms; what else has a colour (regimes, dreams) has another.
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#5c5c66"];
const colourOf = place => COLOURS[place % COLOURS.length];
let state = null, drawn = null;

// Everything that came from elsewhere is set as text, never as markup.
function el(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) name === "class" ? made.className = value : made.setAttribute(name, value);
  made.append(...children.filter(child => child !== null && child !== undefined).map(child => child instanceof Node ? child : String(child)));
  return made;
}
function svg(tag, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes || {})) made.setAttribute(name, value);
  made.append(...children);
  return made;
}
const fixed = (value, digits) => value === null || value === undefined ? "–" : Number(value).toFixed(digits);
const dollars = value => value === null || value === undefined ? "–" : "$" + Number(value).toFixed(2);
const words = text => String(text).replaceAll("_", " ");

const row = (cells, numbers) => el("tr", {}, ...cells.map((cell, i) => el("td", numbers.includes(i) ? { class: "n" } : {}, cell)));

// As wide as it is shown on a telephone, so that its words stay as large as the page's.
const breadth = () => Math.max(300, Math.min(560, document.querySelector("main").clientWidth - 26));

// Round values between two ends, about so many.
function ticks(low, high, about) {
  const raw = (high - low) / about, size = 10 ** Math.floor(Math.log10(raw)), step = [1, 2, 5, 10].find(nice => raw <= nice * size * 1.000001) * size;
  const found = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + step * 1e-9; n++) found.push(n * step);
  return found.map(value => [value, value.toFixed(Math.max(0, -Math.floor(Math.log10(step) + 1e-9)))]);
}

// A line is { name, colour, dash, points: [x, y, [low, high]] }; shades are stretches of time behind them all.
function plot(title, lines, options) {
  const { step, floor, shades, across } = options || {};
  const W = breadth(), H = 178, left = 52, right = 10, top = 8, bottom = 38;
  const points = lines.flatMap(line => line.points);
  if (points.length < 2) return el("figure", {}, el("figcaption", {}, title + ": nothing yet"));
  const xs = points.map(p => p[0]), ys = points.flatMap(p => p[2] ? [p[1], ...p[2]] : [p[1]]);
  const x0 = Math.min(...xs), x1 = Math.max(...xs, x0 + 1);
  let y0 = floor ?? Math.min(...ys), y1 = Math.max(...ys);
  if (y1 <= y0) y1 = y0 + (Math.abs(y0) * .01 || 1);
  const x = v => (left + (v - x0) / (x1 - x0) * (W - left - right)).toFixed(1), y = v => (H - bottom - (v - y0) / (y1 - y0) * (H - top - bottom)).toFixed(1);
  const text = (words, attributes) => { const made = svg("text", attributes); made.textContent = words; return made; };
  const path = points => points.map(([a, b], i) => i === 0 ? `M${x(a)} ${y(b)}` : step ? `H${x(a)}V${y(b)}` : `L${x(a)} ${y(b)}`).join("");
  const banded = line => line.points.filter(p => p[2]);
  const band = line => { const own = banded(line); return own.length < 2 ? [] : [svg("path", { class: "band", fill: line.colour, d: path(own.map(p => [p[0], p[2][1]])) + [...own].reverse().map(p => `L${x(p[0])} ${y(p[2][0])}`).join("") + "Z" })]; };
  const drawn = lines.map(line => { const curve = svg("path", { class: "line", d: path(line.points), stroke: line.colour }); if (line.dash) curve.setAttribute("stroke-dasharray", line.dash); return svg("g", { "data-series": line.name }, ...band(line), curve); });
  const picture = svg("svg", { viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": `${title}: ${lines.map(l => l.name + " " + fixed(l.points.at(-1)?.[1], 2)).join(", ")}` },
    ...(shades ?? []).map(shade => svg("rect", { x: x(shade.from), y: top, width: Math.max(1, x(shade.to) - x(shade.from)), height: H - top - bottom, fill: shade.colour, opacity: ".3" })),
    ...ticks(y0, y1, 4).flatMap(([v, label]) => [svg("path", { class: "axis", d: `M${left} ${y(v)}H${W - right}` }), text(label, { x: left - 6, y: Number(y(v)) + 4, "text-anchor": "end" })]),
    ...ticks(x0, x1, W / 110).map(([v, label]) => text(label, { x: x(v), y: H - bottom + 15, "text-anchor": "middle" })),
    svg("path", { class: "axis", d: `M${left} ${top}V${H - bottom}H${W - right}` }), text(across ?? "time (ticks)", { x: (left + W - right) / 2, y: H - 5, "text-anchor": "middle" }), ...drawn,
    svg("rect", { x: left, y: top, width: W - left - right, height: H - top - bottom, fill: "none", "pointer-events": "all", "data-panel": "", "data-from": x0, "data-to": x1, "data-steps": step ? 1 : 0 }));
  const mark = line => { const made = svg("svg", { class: "swatch", viewBox: "0 0 26 8", "aria-hidden": "true" }, svg("path", { d: "M0 4H26", stroke: line.colour, "stroke-width": "2.5", "stroke-dasharray": line.dash || "none" })); return made; };
  const keys = lines.length > 1 ? lines.map(line => el("button", { type: "button", class: "key-of", "data-key": line.name }, mark(line), line.name)) : [];
  const kinds = new Map((shades ?? []).map(shade => [shade.name, shade.colour]));
  const shaded = [...kinds].map(([name, colour]) => { const box = el("span", { class: "shade" }); box.style.background = colour; return el("span", {}, " ", box, " " + name); });
  const save = el("a", { download: title.replace(/\W+/g, "-") + ".csv", href: "#", "aria-label": `Data of ${title}, as CSV` }, "CSV");
  const figure = el("figure", { "data-name": title }, el("figcaption", {}, title, " ", ...keys, ...shaded, " ", save), picture);
  figure.rows = lines.flatMap(line => line.points.map(([a, b, ends]) => ["", line.name, "curve", a, b, ends?.[0] ?? "", ends?.[1] ?? ""]));
  const quoted = cell => /[",\n]/.test(cell) ? `"${String(cell).replaceAll('"', '""')}"` : cell;
  save.addEventListener("click", () => { save.href = "data:text/csv;charset=utf-8," + encodeURIComponent("series,x,y,low,high\n" + figure.rows.map(([, name, , ...rest]) => [quoted(name), ...rest].join(",")).join("\n")); });
  return figure;
}

// What somebody points at, or has reached by keys, stands still.
function redraw(box, ...figures) {
  if (box.matches(":hover, :focus-within") && box.children.length) return;
  box.replaceChildren(...figures);
  globalThis.dress?.(box);
}

// The browser asks again by itself when the server has gone, and is told the whole state when it is back.
const stream = new EventSource(at("/events"));
stream.onmessage = message => { state = JSON.parse(message.data); if (drawn === null) drawn = requestAnimationFrame(() => { drawn = null; show(); }); };
stream.onerror = () => { $("status").textContent = "the server can't be reached; asking again …"; };
