const MODES = { awake: "", drowsy: "z", dreaming: "Z", dying: "†" };
let chosen = null, atChosen = false;

async function post(path, body, said) {
  try {
    const reply = await fetch(at(path), { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    const text = await reply.text();
    if (said) said.textContent = reply.ok ? "" : text || reply.statusText;
  } catch (error) { if (said) said.textContent = "the server can't be reached"; }
}

function showGolems() {
  const dots = $("dots"), golems = state.golems;
  while (dots.children.length > golems.length) dots.lastChild.remove();
  golems.forEach(([id, cohort, mode], index) => {
    let dot = dots.children[index];
    if (!dot) { dot = el("button", { type: "button" }); dot.addEventListener("click", () => look(dot.dataset.id)); dots.append(dot); }
    const now = mode || "dead", key = id + now + (id === chosen);
    if (dot.dataset.key === key) return;
    dot.dataset.key = key; dot.dataset.id = id; dot.className = now; dot.textContent = MODES[mode] || "";
    dot.style.setProperty("--own", colourOf(cohort)); dot.classList.toggle("dark", cohort % 7 === 0 || cohort % 7 === 6);
    const name = `${id}, ${state.cohorts[cohort]?.name ?? ""}, ${now}`;
    dot.title = name; dot.setAttribute("aria-label", name); dot.setAttribute("aria-pressed", id === chosen);
  });
  $("more").textContent = state.golems_left_off ? `and ${state.golems_left_off} more` : "";
}

const link = id => { const made = el("button", { type: "button", class: "link" }, id); made.addEventListener("click", () => look(id)); return made; };
function tell(line) {
  const what = { born: () => `born in ${line.cohort}${line.parent ? ", heir of " + line.parent : ""}`, died: () => `died: ${words(line.cause)}, aged ${line.age_ticks} ticks`,
    bloodstain_left: () => `left ${line.bloodstain}`, bloodstain_drawn: () => `drew ${line.bloodstain} (rank ${line.rank}, score ${fixed(line.score, 2)})` }[line.event];
  return el("li", {}, `tick ${line.tick}  `, link(line.golem), "  " + (what ? what() : words(line.event)));
}

const swatch = (place, name) => { const box = el("span", { class: "shade full" }); box.style.background = colourOf(place); return el("span", {}, box, " " + name); };
function column(series, name) { return series.tick.map((tick, i) => [tick, series[name][i]]); }
const REGIMES = { trending_up: "#999933", trending_down: "#882255", range_bound: "#bbbbbb", volatile: "#ddcc77" };
// Stretches of one regime, each until the tick at which the next was seen.
function regimes(series) {
  const found = [];
  series.regime.forEach((regime, i) => {
    const last = found.at(-1), to = series.tick[Math.min(i + 1, series.tick.length - 1)];
    if (last && last.regime === regime) last.to = to;
    else found.push({ regime, name: words(regime), colour: REGIMES[regime] ?? "#bbbbbb", from: series.tick[i], to });
  });
  return found;
}
const DASHES = ["5 3", "2 3", "9 3", "9 3 2 3"];
function showCourse() {
  const branches = state.branches.filter(branch => branch.series.tick.length > 1);
  // This run's lines, then those of each branch, dashed.
  const all = make => [make(state.series, "", undefined), ...branches.map((branch, i) => make(branch.series, `, branch ${i + 1}`, DASHES[i % 4]))].flat();
  const world = name => all((series, of, dash) => [{ name: of ? of.slice(2) : branches.length ? "this run" : words(name), colour: colourOf(of ? Number(of.slice(-1)) : 0), dash, points: column(series, name) }]);
  const cohorts = pick => all((series, of, dash) => series.cohorts.map((cohort, i) => ({ name: state.cohorts[i].name + of, colour: colourOf(i), dash, points: series.tick.map((tick, at) => pick(tick, cohort, at)).filter(point => point) })));
  const count = name => cohorts((tick, cohort, at) => [tick, cohort[name][at]]);
  const r = cohorts((tick, cohort, at) => { const q = cohort.total_r[at]; return q && [tick, q[1], branches.length ? null : [q[0], q[2]]]; });
  redraw($("plots"), plot("living golems", count("alive"), { floor: 0 }), plot("dreaming golems", count("dreaming"), { floor: 0 }), plot("R made by the living: median, quartiles", r), plot("mean balance (USDC)", world("balance_usd_mean")),
    plot("price of the first asset", world("price"), { shades: regimes(state.series) }), plot("bloodstains in the Lethe", world("bloodstains"), { floor: 0 }));
  const curves = state.cohorts.map((cohort, i) => ({ name: cohort.name, colour: colourOf(i), points: [[0, 1], ...(cohort.survival?.points ?? [])] })).filter(line => line.points.length > 1);
  redraw($("survival"), curves.length ? plot("share surviving", curves, { step: true, floor: 0, across: "age (ticks)" }) : el("p", { class: "note" }, "Nobody has died yet."));
}

// Ticks a second, over about the last two seconds.
const seen = [];
function pace() {
  const now = performance.now();
  if (seen.length && state.tick < seen.at(-1)[1]) seen.length = 0;
  seen.push([now, state.tick]);
  while (seen.length > 2 && now - seen[0][0] > 2000) seen.shift();
  const [then, tick] = seen[0];
  return now - then > 300 ? (state.tick - tick) / (now - then) * 1000 : null;
}

function show() {
  const s = state;
  document.title = `${s.name} · Morta`;
  $("name").textContent = s.name;
  const date = s.time_s ? new Date(s.time_s * 1000).toISOString().slice(0, 16).replace("T", " ") : "";
  const speed = pace();
  const status = s.state === "ended" ? s.end : s.state;
  if ($("status").textContent !== status) $("status").textContent = status;
  $("tick").textContent = [`tick ${s.tick} of ${s.ticks}`, date, `${s.alive ?? 0} alive`, speed === null || s.state !== "running" ? "" : `${speed < 10 ? speed.toFixed(1) : Math.round(speed)} ticks a second`, `seed ${s.seed}`, `${s.viewers} looking`].filter(part => part).join(" · ");
  $("progress").value = s.ticks ? s.tick / s.ticks : 0;
  const over = s.state === "ended";
  $("pause").textContent = s.state === "paused" ? "Go on" : "Pause"; $("pause").disabled = $("step").disabled = $("speed").disabled = over;
  if (document.activeElement !== $("speed")) $("speed").value = s.ticks_per_second ?? "";
  $("cohorts").tBodies[0].replaceChildren(...s.cohorts.map((c, i) => row([swatch(i, c.name), c.modes.awake, c.modes.drowsy, c.modes.dreaming, c.modes.dying, c.born, c.died, c.survival?.median ?? "–"], [1, 2, 3, 4, 5, 6, 7])));
  showGolems();
  if (!$("dreamers").contains(document.activeElement)) $("dreamers").tBodies[0].replaceChildren(...s.dreamers.map(d => row([link(d.golem), d.dream.dream, d.dream.phase, fixed(d.dream.share_done * 100, 0) + " %", "$" + fixed(d.dream.spent_usd, 4),
    d.pad ? `${d.mood} (${d.pad.map(v => fixed(v, 2)).join(", ")})` : "–"], [1, 3, 4])));
  $("styx").textContent = `${s.in_lethe ?? 0} bloodstains in the Lethe; ${s.styx.left} left and ${s.styx.drawn} drawn so far; the market is ${words(s.regime ?? "–")}.`;
  for (const [list, lines] of [["crossings", s.styx.last], ["recent", s.recent]]) if (!$(list).contains(document.activeElement)) $(list).replaceChildren(...lines.map(tell).reverse());
  const m = s.money;
  if (m) $("money").replaceChildren(...[["in all purses", m.purses_usd], ["paid for compute", m.compute_usd], ["for inference", m.inference_usd], ["for gas", m.gas_usd], ["to the Lethe", m.lethe_usd]].flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, dollars(value))]));
  showCourse();
  $("branch").querySelector("button").disabled = !s.can_branch;
  for (const button of $("direct").querySelectorAll("button")) button.disabled = !s.can_direct;
  $("directives").replaceChildren(...s.directives.map(d => el("li", {}, d.event === "directive" ? `tick ${d.tick}  ${d.do}: ${d.golem ?? d.cohort ?? "all"}` : `refused: ${d.said}: ${d.why}`)).reverse());
  $("at").max = Math.max(0, s.tick - 1);
  if (!atChosen) $("at").value = $("at").max;
  $("branches").replaceChildren(...s.branches.map((b, i) => el("li", {}, `branch ${i + 1} from tick ${b.at}, ${b.set.join(", ")}: ${words(b.state)}${b.state === "under_way" ? ", tick " + b.tick : ""}${b.words ? ": " + b.words : ""}${b.folder ? "; written to " + b.folder : ""}`)));
}

async function look(id, again) {
  chosen = id;
  const box = $("golem"), told = $("golem-told");
  box.hidden = false; $("h-golem").textContent = id;
  if (!again) { told.textContent = "…"; history.replaceState(null, "", "#" + id); }
  showGolems();
  try {
    const reply = await fetch(at("/golem/" + encodeURIComponent(id)));
    if (chosen !== id) return;
    if (!reply.ok) { told.textContent = await reply.text(); return; }
    const { cohort, person: p, ancestors, inspect } = await reply.json();
    if (again && box.matches(":hover, :focus-within")) return;
    const { total_r, dreams, moods } = p.course, now = Math.max(state?.tick ?? 0, p.born + 1);
    const asleep = dreams.map(([from, to]) => ({ name: "dreaming", colour: "#882255", from, to: to ?? now }));
    const mood = ["pleasure", "arousal", "dominance"].map((name, i) => ({ name, colour: ["#332288", "#999933", "#661100"][i], points: moods.map(([tick, pad]) => [tick, pad[i]]) }));
    const course = total_r.length + moods.length ? [el("h3", {}, "Course"), plot("R made by trades until then", [{ name: "R", colour: "#332288", points: [[p.born, 0], ...total_r] }], { step: true, shades: asleep }), plot("mood (-1 to 1)", mood, { step: true, shades: asleep })] : [];
    const facts = [["cohort", cohort], ["born", "tick " + p.born], [p.died === null ? "mode" : "died", p.died === null ? p.mode : `tick ${p.died}: ${words(p.cause)}`], ["endowment", dollars(p.endowment_usd)],
      ["trades", `${p.trades}, of which ${p.wins} won; ${fixed(p.total_r, 2)} R together`], ["vitality", fixed(p.vitality, 2)], ["mood", p.pad ? `${p.mood} (${p.pad.map(v => fixed(v, 2)).join(", ")})` : "–"],
      ["dreams", p.dreams], ["last dream", p.last_dream ?? "–"], ["inherited", p.drew.join(", ") || "–"]];
    const family = ancestors.length ? [el("h3", {}, "Ancestors"), el("p", {}, ...ancestors.flatMap(a => [link(a), "  "]))] : [];
    const rules = p.rules.length ? [el("h3", {}, "Playbook"), el("ul", {}, ...p.rules.map(([claim, trust]) => el("li", {}, `${claim} (trust ${fixed(trust, 2)})`)))] : [];
    const texts = (inspect ?? []).flatMap(([name, lines]) => [el("h3", {}, "inspect: " + name), el("pre", { tabindex: "0" }, lines.join("\n"))]);
    told.replaceChildren(el("dl", {}, ...facts.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])), ...course, ...family, ...rules, ...texts);
    globalThis.dress?.(told);
    if (!again) $("h-golem").focus();
  } catch (error) { told.textContent = "the server can't be reached"; }
}

$("pause").addEventListener("click", () => post("/control", { do: state?.state === "paused" ? "go" : "pause" }));
$("step").addEventListener("click", () => post("/control", { do: "step", ticks: 1 }));
$("speed").addEventListener("change", () => post("/control", { do: "speed", ticks_per_second: $("speed").value ? Number($("speed").value) : null }));
// A golem's page has an address of its own, and follows its life until somebody reads in it.
const named = () => { const id = decodeURIComponent(location.hash.slice(1)); if (/^L\d+\.G\d+$/.test(id) && id !== chosen) look(id); };
addEventListener("hashchange", named);
named();
setInterval(() => { if (chosen && state?.state === "running" && !$("golem").matches(":hover, :focus-within")) look(chosen, true); }, 2000);
$("find").addEventListener("submit", event => { event.preventDefault(); if ($("who").value.trim()) look($("who").value.trim()); });
$("direct").addEventListener("submit", event => {
  event.preventDefault();
  const whom = $("whom").value.trim(), named = whom && (/^L\d+\.G\d+$/.test(whom) ? { golem: whom } : { cohort: whom });
  post("/direct", { do: event.submitter?.value ?? "dream", ...named }, $("direct-said"));
});
$("at").addEventListener("input", () => { atChosen = true; });
$("branch").addEventListener("submit", event => { event.preventDefault(); post("/branch", { at: Number($("at").value), set: [$("set").value] }, $("branch-said")); });
