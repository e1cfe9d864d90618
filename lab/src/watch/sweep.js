const figure = value => String(Number(value.toPrecision(4)));

// A dot for the mean of each arm, with its interval; arms that have none yet keep their row.
function intervals(arms) {
  const ends = arms.filter(({ mean }) => mean !== null).flatMap(({ mean, interval }) => interval ?? [mean]);
  if (!ends.length) return el("p", { class: "note" }, "No world has been lived by every arm yet.");
  let low = Math.min(...ends), high = Math.max(...ends);
  if (high <= low) { low -= Math.abs(low) * .01 || .5; high += Math.abs(high) * .01 || .5; }
  const W = breadth(), line = 22, left = Math.min(170, W * .36), right = W - 14, bottom = arms.length * line + 2;
  const x = v => (left + (v - low) / (high - low) * (right - left)).toFixed(1);
  const text = (words, x, y, anchor) => svg("text", { x, y, "text-anchor": anchor }, words);
  const letters = Math.floor(left / 7);
  const rows = arms.flatMap(({ short, mean, interval, ended, tip }, i) => {
    const top = i * line, y = top + line / 2, own = "c" + i % 7;
    return [
      // The row fills from the left as its cells end.
      svg("rect", { class: "filled", x: left, y: top + 2, width: ((right - left) * ended / state.worlds).toFixed(1), height: line - 4 }),
      text(short.length > letters ? short.slice(0, letters - 1) + "…" : short, left - 12, y + 4, "end"),
      interval ? svg("path", { class: "line " + own, d: `M${x(interval[0])} ${y}H${x(interval[1])}` }) : "",
      mean === null ? "" : svg("circle", { class: own, cx: x(mean), cy: y, r: 4 }),
      svg("rect", { class: "over", x: 0, y: top, width: W, height: line, "data-tip": tip }),
    ];
  });
  return svg("svg", { viewBox: `0 0 ${W} ${bottom + 22}`, role: "img", "aria-label": arms.map(({ tip }) => tip).join("; ") },
    svg("path", { class: "axis", d: `M${left} ${bottom}H${right}` + (low < 0 && high > 0 ? `M${x(0)} 0V${bottom}` : "") }), ...rows,
    text(figure(low), left, bottom + 16, "start"), text(figure(high), right, bottom + 16, "end"));
}

function show() {
  const ended = state.done + state.failed;
  document.title = `${ended} of ${state.cells} · ${state.name} · Morta`;
  $("viewers").textContent = `${state.viewers} looking`;
  $("progress").value = state.cells ? ended / state.cells : 0;
  $("intervals").replaceChildren(intervals(state.arms));
  redraw($("plots"), [{ title: "cells ended", lines: [{ name: "cells", colour: 0, points: state.course }], step: true, floor: 0, across: "seconds since the first look" }]);
}
