"use strict";
const $ = id => document.getElementById(id);
const token = new URLSearchParams(location.search).get("token");
const at = path => token ? `${path}?token=${encodeURIComponent(token)}` : path;
let state = null, drawn = null;

// Text that came from elsewhere is set as text, never as markup.
const maker = space => (tag, attributes = {}, ...children) => {
  const made = document.createElementNS("http://www.w3.org/" + space, tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(name, value);
  made.append(...children);
  return made;
};
const el = maker("1999/xhtml"), svg = maker("2000/svg");

// Parts are markup in which the server has escaped all text, by the id of their element. What has the focus in it stands still.
function fill(parts) {
  for (const [id, markup] of Object.entries(parts)) {
    const box = $(id);
    if (box.markup !== markup && !box.contains(document.activeElement)) box.innerHTML = box.markup = markup;
  }
}

const say = (id, text) => { $(id).textContent = text; $(id).markup = null; };

// A figure is as wide as it is shown, so that its words are as large as the page's on a telephone too.
const breadth = () => Math.max(300, Math.min(560, document.querySelector("main").clientWidth - 26));

// Round values between two ends, about so many.
function ticks(low, high, about) {
  const raw = (high - low) / about, size = 10 ** Math.floor(Math.log10(raw)), step = [1, 2, 5, 10].find(nice => raw <= nice * size * 1.000001) * size;
  const found = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + step * 1e-9; n++) found.push(n * step);
  return found.map(value => [value, value.toFixed(Math.max(0, -Math.floor(Math.log10(step) + 1e-9)))]);
}

// A line is { name, colour, dash, points: [x, y, [low, high]] }; shades { name, colour, from, to } are stretches of time behind the lines.
function plot({ title, lines, shades = [], step, floor, across = "time (ticks)" }) {
  const points = lines.flatMap(line => line.points);
  if (points.length < 2) return el("figure", {}, el("figcaption", {}, title + ": nothing yet"));
  const W = breadth(), H = 178, left = 52, right = W - 10, top = 8, bottom = H - 38;
  const xs = points.map(([x]) => x), ys = points.flatMap(([, y, ends]) => [y, ...ends ?? []]);
  const x0 = Math.min(...xs), x1 = Math.max(...xs, x0 + 1), y0 = floor ?? Math.min(...ys);
  const most = Math.max(...ys), y1 = most > y0 ? most : y0 + (Math.abs(y0) * .01 || 1);
  const x = v => (left + (v - x0) / (x1 - x0) * (right - left)).toFixed(1), y = v => (bottom - (v - y0) / (y1 - y0) * (bottom - top)).toFixed(1);
  const path = points => points.map(([a, b], i) => i === 0 ? `M${x(a)} ${y(b)}` : step ? `H${x(a)}V${y(b)}` : `L${x(a)} ${y(b)}`).join("");
  const band = points => points.length ? path(points.map(([a, , [, high]]) => [a, high])) + points.map(([a, , [low]]) => `L${x(a)} ${y(low)}`).reverse().join("") + "Z" : "";
  const series = lines.map(({ name, colour, dash, points }) => svg("g", { "data-series": name, class: "c" + colour },
    svg("path", { class: "band", d: band(points.filter(([, , ends]) => ends)) }), svg("path", { class: "line", d: path(points), "stroke-dasharray": dash })));
  const picture = svg("svg", { viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": `${title}: ${lines.map(({ name, points }) => `${name} ${points.at(-1)?.[1].toFixed(2) ?? "–"}`).join(", ")}` },
    ...shades.map(({ colour, from, to }) => svg("rect", { class: "stretch c" + colour, x: x(from), y: top, width: Math.max(1, x(to) - x(from)), height: bottom - top })),
    ...ticks(y0, y1, 6).flatMap(([v, label]) => [svg("path", { class: "axis", d: `M${left} ${y(v)}H${right}` }), svg("text", { x: left - 6, y: Number(y(v)) + 4, "text-anchor": "end" }, label)]),
    ...ticks(x0, x1, W / 80).map(([v, label]) => svg("text", { x: x(v), y: bottom + 15, "text-anchor": "middle" }, label)),
    svg("path", { class: "axis", d: `M${left} ${top}V${bottom}H${right}` }), svg("text", { x: (left + right) / 2, y: H - 5, "text-anchor": "middle" }, across), ...series,
    svg("rect", { class: "over", x: left, y: top, width: right - left, height: bottom - top, "data-panel": "", "data-from": x0, "data-to": x1, "data-steps": step ? 1 : 0 }));
  const swatch = ({ colour, dash }) => svg("svg", { class: "swatch c" + colour, viewBox: "0 0 26 8", "aria-hidden": true }, svg("path", { class: "line", d: "M0 4H26", "stroke-dasharray": dash }));
  const keys = lines.length > 1 ? lines.map(line => el("button", { type: "button", class: "key-of", "data-key": line.name }, swatch(line), line.name)) : [];
  const kinds = [...new Map(shades.map(({ name, colour }) => [name, colour]))].map(([name, colour]) => el("span", { class: "kind" }, el("span", { class: "shade c" + colour }), " " + name));
  const save = el("a", { download: title.replace(/\W+/g, "-") + ".csv", href: "#", "aria-label": `Data of ${title}, as CSV` }, "CSV");
  const figure = el("figure", { "data-name": title }, el("figcaption", {}, title, " ", ...keys, ...kinds, " ", save), picture);
  figure.rows = lines.flatMap(({ name, points }) => points.map(([a, b, ends]) => ["", name, "curve", a, b, ...ends ?? ["", ""]]));
  const quoted = cell => /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  save.addEventListener("click", () => { save.href = "data:text/csv;charset=utf-8," + encodeURIComponent("series,x,y,low,high\n" + figure.rows.map(([, name, , ...rest]) => [quoted(name), ...rest].join(",")).join("\n")); });
  return figure;
}

// What somebody points at, or has reached by keys, stands still.
function redraw(box, figures) {
  if (!box.matches(":hover, :focus-within") || !box.children.length) box.replaceChildren(...figures.map(plot));
}

// The browser asks again by itself when the server has gone, and gets the whole state when it is back.
const stream = new EventSource(at("/states"));
stream.onmessage = message => {
  state = JSON.parse(message.data);
  drawn ??= requestAnimationFrame(() => { drawn = null; fill(state.parts); show(); dress(document); });
};
stream.onerror = () => say("status", "the server can't be reached; asking again …");
