const figure = value => value === null || value === undefined ? "–" : Math.abs(value) >= 1e5 || (value !== 0 && Math.abs(value) < 1e-4) ? value.toExponential(3) : String(Number(value.toPrecision(4)));
const time = s => s < 90 ? `${Math.ceil(s)} s` : s < 5400 ? `${Math.round(s / 60)} min` : `${(s / 3600).toFixed(1)} h`;

// A dot for the mean of each arm, with its interval; arms that have none yet keep their line.
function intervals(arms) {
  const shown = arms.filter(arm => arm.mean !== null);
  if (!shown.length) return el("p", { class: "note" }, "No world has been lived by every arm yet.");
  const ends = shown.flatMap(arm => arm.interval ?? [arm.mean]);
  let low = Math.min(...ends), high = Math.max(...ends);
  if (high <= low) { low -= Math.abs(low) * .01 || .5; high += Math.abs(high) * .01 || .5; }
  const W = breadth(), line = 22, left = Math.min(170, W * .36), right = 14, H = arms.length * line + 24;
  const x = v => left + (v - low) / (high - low) * (W - left - right);
  const text = (words, attributes) => { const made = svg("text", attributes); made.textContent = words; return made; };
  const rows = arms.flatMap((arm, i) => {
    const y = i * line + line / 2, colour = colourOf(i), name = arm.short.length > left / 7 ? arm.short.slice(0, Math.floor(left / 7) - 1) + "…" : arm.short;
    // The row fills from the left as its cells end.
    const filled = svg("rect", { class: "filled", x: left, y: i * line + 2, width: ((W - left - right) * (arm.done + arm.failed) / state.worlds).toFixed(1), height: line - 4 });
    const made = [filled, text(name, { x: left - 12, y: y + 4, "text-anchor": "end" })];
    if (arm.interval) made.push(svg("path", { class: "line", stroke: colour, d: `M${x(arm.interval[0]).toFixed(1)} ${y}H${x(arm.interval[1]).toFixed(1)}` }));
    if (arm.mean !== null) made.push(svg("circle", { cx: x(arm.mean).toFixed(1), cy: y, r: 4, fill: colour }));
    const over = svg("rect", { x: 0, y: i * line, width: W, height: line, fill: "none", "pointer-events": "all" });
    over.dataset.tip = `${arm.name}: ${figure(arm.mean)}${arm.interval ? ` [${arm.interval.map(figure).join(", ")}]` : ""}\n${arm.done} of ${state.worlds} worlds done${arm.failed ? `, ${arm.failed} failed` : ""}`;
    return [...made, over];
  });
  const zero = low < 0 && high > 0 ? [svg("path", { class: "axis", d: `M${x(0).toFixed(1)} 0V${H - 22}` })] : [];
  return svg("svg", { viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": shown.map(arm => `${arm.name} ${figure(arm.mean)}`).join(", ") },
    svg("path", { class: "axis", d: `M${left} ${H - 22}H${W - right}` }), ...zero, ...rows, text(figure(low), { x: left, y: H - 6, "text-anchor": "start" }), text(figure(high), { x: W - right, y: H - 6, "text-anchor": "end" }));
}

function show() {
  const s = state, ended = s.done + s.failed;
  document.title = `${ended} of ${s.cells} · ${s.name} · Morta`;
  $("name").textContent = s.name;
  if ($("status").textContent !== s.state) $("status").textContent = s.state;
  $("cells").textContent = `${ended} of ${s.cells} cells, ${s.failed} failed${s.left_s === null ? "" : ", about " + time(s.left_s) + " left"}  ${s.viewers} looking`;
  $("progress").value = s.cells ? ended / s.cells : 0;
  const level = Number((s.level * 100).toPrecision(4));
  const looking = s.looks.length > 0 || s.next_look !== null;
  const which = looking ? "up to the last registered look" : "that every arm has lived";
  $("measured").textContent = `${s.measure} of ${s.cohort}, ${s.unit}; means and ${level} % t intervals over the ${s.worlds_in_all_arms} of ${s.worlds} worlds ${which}. Rows fill as cells end. ${s.names}`
    + (s.verdict !== null ? "" : looking ? " Between looks nothing is shown." : " They decide nothing: who stops when they please has made the test worthless.");
  $("h-arms").textContent = s.verdict === null ? "Means so far" : "Means";
  $("intervals").replaceChildren(intervals(s.arms));
  $("arms").tBodies[0].replaceChildren(...s.arms.map(arm => row([el("span", { title: arm.description || arm.name }, arm.name), arm.done, arm.failed, figure(arm.mean), arm.interval ? `${figure(arm.interval[0])} to ${figure(arm.interval[1])}` : "–"], [1, 2, 3, 4])));
  $("more").textContent = s.arms_left_off ? `and ${s.arms_left_off} more arms` : "";
  $("h-verdict").textContent = s.hypothesis === null ? "What it says" : "What was registered";
  $("hypothesis").textContent = s.hypothesis ?? "";
  const looks = s.looks.map(look => el("p", {}, look)).concat(s.next_look === null || s.verdict !== null ? [] : [el("p", { class: "note" }, `The next look is after ${s.next_look} worlds.`)]);
  if (s.verdict === null && looking) $("verdict").replaceChildren(...looks);
  else if (s.verdict === null) $("verdict").replaceChildren(el("p", { class: "note" }, s.hypothesis === null ? "Told when every cell has ended." : "The verdict is hidden until every cell has ended: that is what was promised."));
  else if (!$("verdict").querySelector("pre")) $("verdict").replaceChildren(el("pre", { tabindex: "0" }, s.verdict.join("\n")));
  redraw($("plots"), plot("cells ended", [{ name: "cells", colour: COLOURS[0], points: s.course }], { step: true, floor: 0, across: "seconds since the first look" }));
  $("recent").replaceChildren(...s.recent.map(cell => el("li", {}, `${cell.arm}, seed ${cell.seed}: ${cell.error === null ? fixed(cell.wall_s, 1) + " s" : "failed: " + cell.error}${cell.by ? `, ${cell.by[0]} (${cell.by[1]})` : ""}`)).reverse());
}
