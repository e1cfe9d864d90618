"use strict";
const $ = id => document.getElementById(id);
const token = new URLSearchParams(location.search).get("token");
const at = path => token ? path + "?token=" + encodeURIComponent(token) : path;
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#999999", "#b3478a"];
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

function plot(title, lines, options) {
  const { step, floor, bands } = options || {};
  const W = breadth(), H = 150, left = 52, right = 8, top = 8, bottom = 22;
  const points = lines.flatMap(line => line.points);
  if (points.length < 2) return el("figure", {}, el("figcaption", {}, title + ": nothing yet"));
  const xs = points.map(p => p[0]), ys = points.map(p => p[1]);
  const x0 = Math.min(...xs), x1 = Math.max(...xs, x0 + 1);
  let y0 = floor ?? Math.min(...ys), y1 = Math.max(...ys);
  if (y1 <= y0) y1 = y0 + (Math.abs(y0) * .01 || 1);
  const x = v => left + (v - x0) / (x1 - x0) * (W - left - right), y = v => H - bottom - (v - y0) / (y1 - y0) * (H - top - bottom);
  const path = line => line.points.map(([a, b], i) => i === 0 ? `M${x(a).toFixed(1)} ${y(b).toFixed(1)}` : step ? `H${x(a).toFixed(1)}V${y(b).toFixed(1)}` : `L${x(a).toFixed(1)} ${y(b).toFixed(1)}`).join("");
  const digits = y1 - y0 >= 20 ? 0 : y1 - y0 >= 1 ? 1 : 3;
  const label = (v, dy) => { const t = svg("text", { x: left - 6, y: y(v) + dy, "text-anchor": "end" }); t.textContent = v.toFixed(digits); return t; };
  const foot = (v, anchor) => { const t = svg("text", { x: x(v), y: H - 6, "text-anchor": anchor }); t.textContent = Math.round(v); return t; };
  const width = (a, b) => Math.max(0, x(b) - x(a));
  const shades = (bands ?? []).map(band => svg("rect", { x: x(band.from).toFixed(1), y: top, width: width(band.from, band.to).toFixed(1), height: H - top - bottom, fill: band.colour, opacity: ".22" }));
  const picture = svg("svg", { viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": `${title}: ${lines.map(l => l.name + " " + fixed(l.points.at(-1)[1], digits)).join(", ")}` },
    svg("path", { class: "axis", d: `M${left} ${top}V${H - bottom}H${W - right}` }), ...shades, label(y0, 0), label(y1, 10), foot(x0, "start"), foot(x1, "end"),
    ...lines.map(line => svg("path", { class: "line", d: path(line), stroke: line.colour, "stroke-dasharray": line.dash || "none" })));
  const names = lines.length > 1 ? lines.map(line => { const key = el("span", {}, " ― " + line.name); key.style.color = line.colour; return key; }) : [];
  const kinds = new Map((bands ?? []).map(band => [band.name, band.colour]));
  const shaded = [...kinds].map(([name, colour]) => { const box = el("span", { class: "shade" }); box.style.background = colour; return el("span", {}, " ", box, " " + name); });
  return el("figure", {}, el("figcaption", {}, title, ...names, ...shaded), picture);
}

// The browser asks again by itself when the server has gone, and is told the whole state when it is back.
const stream = new EventSource(at("/events"));
stream.onmessage = message => { state = JSON.parse(message.data); if (drawn === null) drawn = requestAnimationFrame(() => { drawn = null; show(); }); };
stream.onerror = () => { $("status").textContent = "the server can't be reached; asking again …"; };
