const MODES = { drowsy: "z", dreaming: "Z", dying: "†" };
const DASHES = ["5 3", "2 3", "9 3", "9 3 2 3"];
// What is drawn of a world's course: of each cohort, or of the world as a whole.
const COURSES = [
  { title: "living golems", of: "alive", floor: 0 },
  { title: "dreaming golems", of: "dreaming", floor: 0 },
  { title: "R made by the living: median, quartiles", of: "total_r" },
  { title: "mean balance (USDC)", of: "balance_usd_mean" },
  { title: "price of the first asset", of: "price", shaded: true },
  { title: "bloodstains in the Lethe", of: "bloodstains", floor: 0 },
];

// Squares are changed in place: one that has the focus keeps it.
function showGolems() {
  const dots = $("dots");
  while (dots.children.length > state.golems.length) dots.lastChild.remove();
  state.golems.forEach(([id, cohort, mode], place) => {
    const dot = dots.children[place] ?? dots.appendChild(el("a"));
    const name = `${id}, ${state.cohorts[cohort].name}, ${mode ?? "dead"}`;
    dot.setAttribute("aria-current", location.hash === "#" + id);
    if (dot.title === name) return;
    dot.title = name; dot.setAttribute("aria-label", name);
    dot.href = "#" + id; dot.className = `c${cohort % 7} ${mode ?? "dead"}`; dot.textContent = MODES[mode] ?? "";
  });
}

// This run's lines, then those of each branch, dashed and without bands.
function showCourse() {
  const branches = state.branches.map(({ series }, i) => ({ series, name: `branch ${i + 1}`, dash: DASHES[i % 4] }));
  const runs = [{ series: state.series, name: "this run" }, ...branches].filter(({ series }) => series.tick.length > 1);
  const lines = of => runs.flatMap(({ series, name, dash }, run) => {
    const line = (name, colour, column) => ({ name, colour: colour % 7, dash, points: series.tick
      .map((tick, i) => [tick, ...[column[i]].flat()].slice(0, branches.length ? 2 : 3)).filter(([, y]) => y !== null) });
    if (of in series) return [line(name, run, series[of])];
    return series.cohorts.map((cohort, i) => line(state.cohorts[i].name + (run ? ", " + name : ""), i, cohort[of]));
  });
  redraw($("plots"), COURSES.map(({ of, shaded, ...course }) => ({ ...course, lines: lines(of), shades: shaded && state.regimes })));
  const curves = state.cohorts.map(({ name, survival }, i) => ({ name, colour: i % 7, points: survival ?? [] }));
  redraw($("survival"), [{ title: "share surviving", lines: curves.filter(curve => curve.points.length), step: true, floor: 0, across: "age (ticks)" }]);
}

let isOver = false, atChosen = false;
function show() {
  isOver = state.state === "ended";
  document.title = `${state.name} · Morta`;
  $("viewers").textContent = `${state.viewers} looking`;
  $("progress").value = state.ticks ? state.tick / state.ticks : 0;
  $("pause").textContent = state.state === "paused" ? "Go on" : "Pause";
  for (const id of ["pause", "step", "speed"]) $(id).disabled = isOver;
  if (document.activeElement !== $("speed")) $("speed").value = state.ticks_per_second ?? "";
  for (const button of $("direct").querySelectorAll("button")) button.disabled = !state.can_direct;
  $("branch").querySelector("button").disabled = !state.can_branch;
  $("at").max = Math.max(0, state.tick - 1);
  if (!atChosen) $("at").value = $("at").max;
  showGolems();
  showCourse();
}

// The golem in the page's address. Its page follows its life until somebody reads in it, and is whole when the world has ended.
let isWhole = false;
async function look(again) {
  const address = location.hash, id = address.slice(1), box = $("golem");
  box.hidden = !id;
  if (!id || (again && box.matches(":hover, :focus-within"))) return;
  if (!again) {
    isWhole = false;
    $("h-golem").textContent = id;
    $("h-golem").focus();
    for (const part of $("golem-told").children) say(part.id, "");
    if (state) showGolems();
  }
  try {
    const wasOver = isOver, reply = await fetch(at("/golem/" + encodeURIComponent(id))), text = await reply.text();
    if (location.hash !== address) return;
    isWhole = wasOver || !reply.ok;
    if (!reply.ok) return say("golem-facts", text);
    const { parts, figures } = JSON.parse(text);
    fill(parts);
    $("golem-course").replaceChildren(...figures.map(plot));
    dress(box);
  } catch { say("golem-facts", "the server can't be reached"); }
}
addEventListener("hashchange", () => look());
look();
setInterval(() => { if (state && !isWhole) look(true); }, 2000);
$("find").addEventListener("submit", event => { event.preventDefault(); location.hash = $("who").value.trim(); });

async function post(path, body, said) {
  const say = text => { if (said) $(said).textContent = text; };
  try {
    const reply = await fetch(at(path), { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    say(reply.ok ? "" : await reply.text() || reply.statusText);
  } catch { say("the server can't be reached"); }
}
$("pause").addEventListener("click", () => post("/control", { do: state?.state === "paused" ? "go" : "pause" }));
$("step").addEventListener("click", () => post("/control", { do: "step", ticks: 1 }));
$("speed").addEventListener("change", () => post("/control", { do: "speed", ticks_per_second: $("speed").value ? Number($("speed").value) : null }));
$("direct").addEventListener("submit", event => {
  event.preventDefault();
  const whom = $("whom").value.trim(), named = whom && (/^L\d+\.G\d+$/.test(whom) ? { golem: whom } : { cohort: whom });
  post("/direct", { do: event.submitter?.value ?? "dream", ...named }, "direct-said");
});
$("at").addEventListener("input", () => { atChosen = true; });
$("branch").addEventListener("submit", event => { event.preventDefault(); post("/branch", { at: Number($("at").value), set: [$("set").value] }, "branch-said"); });
