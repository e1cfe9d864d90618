#!/usr/bin/env python3
"""What each key changes beyond luck, asked of all keys at once: the settings and changes of `docs/src/keys`, each change in worlds of its own.

    checks/key_consequences.py write MORTA OUT      resolves every setting with MORTA and writes a sweep file for each into OUT
    checks/key_consequences.py explore MORTA OUT    lives through them on seeds 1 to 6
    checks/key_consequences.py choose OUT           picks a measure and a sign for each key: `checks/key-consequences.csv`
    checks/key_consequences.py confirm MORTA OUT    lives through them again on seeds 79001 on, by the choice of that file
    checks/key_consequences.py page OUT             `docs/src/results/key-consequences.md`, and the lines of `docs/consequence-of-keys.txt`

`checks/key-consequences.sh` does it all but for the choice, which is registered. A setting is resolved by MORTA itself: it lives through two ticks of
it, and the run folder has every key with its value. Needs Python 3.11 or later and nothing else.
"""

import csv
import json
import math
import re
import shutil
import statistics
import subprocess
import sys
from bisect import bisect_left
from collections import Counter, defaultdict
from itertools import product
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REGISTERED = ROOT / "checks/key-consequences.csv"
PAGE = ROOT / "docs/src/results/key-consequences.md"
ANSWERS = ROOT / "docs/consequence-of-keys.txt"
HEAD = "# All other keys at once"
NAME = "key-consequences"

EXPLORED = (1, 6)
CONFIRMED = 79001
WORLDS = (24, 12)
# Seconds a cell from which a setting is expensive: fewer worlds.
EXPENSIVE = 0.3
ALPHA = 0.05
LUCK = (1, 2, 3)
# Shipped settings that are lived for fewer ticks than they are shipped with, by file. A key whose runs part later than at half of it has a file of its own.
TICKS = {
    "scenarios/nightly.toml": 3000,
    "scenarios/hard-times.toml": 2100,
    "scenarios/reverting.toml": 2500,
    "scenarios/predator.toml": 2500,
    "scenarios/mortal.toml": 2160,
    "scenarios/quickstart.toml": 1000,
}
TICKS_OF_ARMS = 2500

# What a key sets itself, or a law does, is no consequence.
NO_CONSEQUENCE = {"endowments_usdc", "law_changes"}
# A price is seen first in what is paid: scores of these count half.
PAID = {"compute_usdc", "inference_usdc", "gate_usdc", "gas_usdc", "lethe_usdc", "dream_cost_mean_usdc"}
# From here on a standard error of six worlds is taken by its word; below, its variance is pooled with that of other arms of the setting.
CERTAIN = 12.0


def say(text):
    print(text, file=sys.stderr, flush=True)


# Pages of keys.


def cells_of(line):
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def changes_of(text):
    """Paths and values of a change as the page prints it: `a = 1` and `b = {"c":2}`."""
    return [(path, json.loads(value)) for path, value in (one.split(" = ", 1) for one in re.findall(r"`([^`]*)`", text))]


def rows_of_pages():
    """Keys in the order of the pages: name, setting, change in words, tick from which the runs part, answer."""
    for page in [ROOT / "docs/src/keys.md", *sorted((ROOT / "docs/src/keys").glob("*.md"))]:
        for line in page.read_text(encoding="utf-8").splitlines():
            cells = cells_of(line) if line.startswith("| `") else []
            if len(cells) == 6:
                key, setting, change, _, parts, answer = cells
                yield key.strip("`"), setting, change, int(parts), answer
            elif len(cells) == 3:
                yield cells[0].strip("`"), None, cells[1], 0, cells[2]


def is_unasked(answer):
    return answer == "not asked" or f"({'results/' + NAME}.md)" in answer.replace("../", "")


# Files that MORTA reads.


def toml(value):
    """A value in TOML, on one line; what is null is left out of tables."""
    if isinstance(value, dict):
        entries = (f"{word(key)} = {toml(one)}" for key, one in value.items() if one is not None)
        return "{ " + ", ".join(entries) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def word(key):
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key)


def at(scenario, path):
    for step in path.split("."):
        scenario = scenario[int(step)] if isinstance(scenario, list) else scenario.get(step)
        if scenario is None:
            return None
    return scenario


def settings_of(scenario, changes):
    """Entries of `set`. Files have no null: what takes a key away sets the table around it."""
    found = []
    for path, value in changes:
        if value is None:
            path, last = path.rsplit(".", 1)
            value = {key: one for key, one in at(scenario, path).items() if key != last}
        found.append(f"{path} = {toml(value)}")
    return "{ " + ", ".join(found) + " }"


def morta(program, *arguments):
    return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)


def slug(setting):
    return re.sub(r"[^A-Za-z0-9]+", "-", setting.removeprefix("scenarios/").replace(".toml", "").replace("`", "")).strip("-")


def resolved(program, setting, out):
    """The scenario of a setting with all its keys, as a run of two ticks has it."""
    kept = out / "resolved" / f"{slug(setting)}.json"
    if kept.exists():
        return json.loads(kept.read_text())
    setting, _, given = setting.partition(" with ")
    file, _, arm = setting.partition(" ")
    text = (ROOT / file).read_text(encoding="utf-8")
    folder = out / "resolved" / slug(f"{setting} {given}")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    of_run = "\n[record]\nruns = true\n"
    if arm:
        base = (ROOT / file).parent / re.search(r'^scenario = "([^"]*)"', text, re.M)[1]
        text = re.sub(r'^scenario = .*', lambda _: f'scenario = "{base.resolve()}"', text, flags=re.M)
        text = re.sub(r"^horizon_ticks = .*", "horizon_ticks = 1", text, flags=re.M)
        text += of_run + '[profiles.two-ticks]\nseeds = 2\nset = { ticks = 2 }\n'
        profile = ["--profile", "two-ticks"]
    else:
        of_given = "".join(f"{path} = {toml(value)}\n" for path, value in changes_of(given))
        text = f'name = "resolved"\nscenario = "{ROOT / file}"\n[seeds]\nfirst = 1\ncount = 1\n[set]\nticks = 2\n{of_given}'
        text += f'[[arms]]\nname = "as-shipped"\n[question]\nmeasure = "mean_r"\n{of_run}'
        profile, arm = [], "as-shipped"
    (folder / "sweep.toml").write_text(text)
    told = morta(program, "sweep", folder / "sweep.toml", "--out", folder / "sweep", "--jobs", 1, *profile)
    if told.returncode not in (0, 1):
        sys.exit(f"{setting}: {told.stderr}")
    for record in sorted((folder / "sweep").glob("cells/*/cell.json")):
        cell = json.loads(record.read_text())
        if cell["arm"] == arm:
            manifest = json.loads((record.parent / "run/manifest.json").read_text())
            scenario = manifest["scenario"]
            for asset in scenario["market"]["assets"]:
                if "file" in asset["source"]:
                    asset["source"]["file"] = str(ROOT / "sim-data" / Path(asset["source"]["file"]).name)
            kept.write_text(json.dumps(scenario))
            shutil.rmtree(folder)
            return scenario
    sys.exit(f"{setting}: there is no such arm")


def ticks_of(setting, shipped, parts):
    file, _, arm = setting.split(" with ")[0].partition(" ")
    ticks = min(shipped, TICKS_OF_ARMS if arm else TICKS.get(file, shipped))
    return ticks if 2 * parts <= ticks else math.ceil(2 * parts / 500) * 500


def shipped_ticks(setting):
    """The ticks of a setting, read from its files: the run that resolves it has two."""
    import tomllib

    file, _, arm = setting.split(" with ")[0].partition(" ")
    read = tomllib.loads((ROOT / file).read_text(encoding="utf-8"))
    if not arm:
        return read["ticks"]
    ticks = tomllib.loads(((ROOT / file).parent / read["scenario"]).read_text(encoding="utf-8"))["ticks"]
    named = [one for one in [*read.get("arms", []), *read.get("ladder", [])] if one["name"] in arm.split("/")]
    for one in [read, *named]:
        ticks = one.get("set", {}).get("ticks", ticks)
    return ticks


def dreams(scenario):
    return scenario["dream"]["enabled"] and any(cohort.get("dreams") is not False for cohort in scenario["cohorts"])


def write(program, out):
    """Sweep files, and `asked.json`: what each of their arms is."""
    (out / "resolved").mkdir(parents=True, exist_ok=True)
    groups, cannot = defaultdict(list), []
    for key, setting, change, parts, answer in rows_of_pages():
        if setting and is_unasked(answer):
            groups[setting, ticks_of(setting, shipped_ticks(setting), parts)].append((key, change))
    asked = {}
    for (setting, ticks), keys in groups.items():
        scenario = resolved(program, setting, out)
        scenario = {**scenario, "ticks": ticks, "record": {"events": False}}
        name = f"{len(asked) + 1:02}-{slug(setting)[:50]}-{ticks}"
        (out / f"{name}.scenario.toml").write_text("".join(f"{key} = {toml(one)}\n" for key, one in scenario.items() if one is not None))
        arms = [("as-shipped", None, None, "{ }")]
        if dreams(scenario):
            arms += [(f"luck-{luck}", None, f"`dream.luck = {luck}`", f"{{ dream.luck = {luck} }}") for luck in LUCK]
        for key, change in keys:
            arm = re.sub(r"[^A-Za-z0-9_.]+", "-", key).strip("-")
            arms.append((arm, key, change, settings_of(scenario, changes_of(change))))
        head = f'name = "{name}"\nscenario = "{name}.scenario.toml"\n[seeds]\nfirst = {{first}}\ncount = {{count}}\n[question]\nmeasure = "r_per_golem_tick"\n'
        told = {}
        whole = [arm for arm in arms if can_be(program, out, head, arm, told)] if not fits(program, out, head, arms) else arms
        cannot += [{"key": key, "setting": setting, "change": change, "why": told[arm]} for arm, key, change, _ in arms if arm in told]
        asked[name] = {"setting": setting, "ticks": ticks, "head": head, "arms": whole}
        say(f"{name}: {len(whole)} arms")
    (out / "asked.json").write_text(json.dumps({"groups": asked, "cannot": cannot}, indent=1, ensure_ascii=False))
    for one in cannot:
        say(f"cannot be asked: {one['key']}: {one['why']}")


def file_of(head, arms, first, count):
    text = head.format(first=first, count=count)
    return text + "".join(f'[[arms]]\nname = "{arm}"\nset = {given}\n' for arm, _, _, given in arms)


def fits(program, out, head, arms):
    (out / "try.toml").write_text(file_of(head, arms, 1, 2))
    return morta(program, "sweep", out / "try.toml", "--dry-run").returncode == 0


def can_be(program, out, head, arm, told):
    (out / "try.toml").write_text(file_of(head, [("nothing", None, None, "{ }"), arm], 1, 2))
    tried = morta(program, "sweep", out / "try.toml", "--dry-run")
    if tried.returncode:
        told[arm[0]] = " ".join(tried.stderr.split())
    return not tried.returncode


def live(program, out, name, group, arms, first, count, kind):
    path = out / f"{name}.{kind}.toml"
    path.write_text(file_of(group["head"], arms, first, count))
    folder = out / kind / name
    resume = ["--resume"] if folder.exists() else []
    told = morta(program, "sweep", path, "--out", folder, "--jobs", 1, *resume)
    (out / f"{name}.{kind}.log").write_text(told.stdout + told.stderr)
    if told.returncode:
        say(f"{name}: {told.stdout[-300:]} {told.stderr[-600:]}")
    shutil.rmtree(folder / "cells", ignore_errors=True) if not told.returncode else None


def read_asked(out):
    return json.loads((out / "asked.json").read_text())["groups"]


def is_done(out, kind, name):
    return (out / kind / name / "sweep.json").exists() and not (out / kind / name / "cells").exists()


def explore(program, out):
    (out / "explore").mkdir(exist_ok=True)
    for name, group in read_asked(out).items():
        if not is_done(out, "explore", name):
            live(program, out, name, group, group["arms"], *EXPLORED, "explore")
            say(f"{name}: {len(group['arms'])} arms explored, {cost(out, name):.2f} s a cell")


def cost(out, name):
    with open(out / "explore" / name / "timings.csv", encoding="utf-8") as file:
        return statistics.median(float(row["wall_s"]) for row in csv.DictReader(file) if row["wall_s"])


# Figures.


def results(folder):
    """Measures by arm and seed, of everybody; the digest beside them."""
    found, digests = defaultdict(dict), {}
    with open(folder / "results.csv", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        measures = reader.fieldnames[reader.fieldnames.index("births"):]
        for row in reader:
            if row["outcome"] == "failed":
                say(f"{folder.name}: {row['arm']} in world {row['seed']}: {row['error']}")
            elif row["cohort"] == "all":
                value = {measure: float(row[measure]) for measure in measures if row[measure] not in ("", None)}
                found[row["arm"]][int(row["seed"])] = value
                digests[row["arm"], int(row["seed"])] = row["digest"]
    return found, digests


def paired(found, arm, measure):
    """Differences from the setting as it is shipped, in worlds where both have the measure, and its values there."""
    shipped, other = found["as-shipped"], found[arm]
    worlds = [seed for seed in sorted(shipped) if measure in shipped[seed] and seed in other and measure in other[seed]]
    return [other[seed][measure] - shipped[seed][measure] for seed in worlds], [shipped[seed][measure] for seed in worlds]


def t_of(mean, variance, n):
    return abs(mean) / math.sqrt(variance / n) if variance > 0 else math.inf


def chosen(found, arm, pooled, measures):
    """The measure that stands out most, with its score and sign; None where nothing differs."""
    best = None
    for place, measure in enumerate(measures):
        differences, _ = paired(found, arm, measure)
        n, moved = len(differences), sum(difference != 0 for difference in differences)
        if n < 4 or not moved:
            continue
        mean, own = statistics.fmean(differences), statistics.variance(differences)
        if mean == 0:
            continue
        score = t_of(mean, own, n)
        if score < CERTAIN:
            # As many degrees of freedom from other arms as from its own worlds.
            score = min(score, t_of(mean, (own + pooled.get(measure, own)) / 2, n))
        if measure in PAID:
            score /= 2
        rank = (moved * 2 >= n, min(score, 1e6), -place)
        if best is None or rank > best[0]:
            best = rank, measure, score, 1 if mean > 0 else -1
    return best and best[1:]


def pool(found, measures):
    """The usual variance of differences of each measure: the median over the arms of a setting that move it in most worlds."""
    of = {}
    for measure in measures:
        variances = []
        for arm in found:
            if arm != "as-shipped":
                differences, _ = paired(found, arm, measure)
                if len(differences) >= 4 and sum(difference != 0 for difference in differences) * 2 > len(differences):
                    variances.append(statistics.variance(differences))
        if len(variances) >= 3:
            of[measure] = statistics.median(variances)
    return of


def choose(out):
    rows = []
    for name, group in read_asked(out).items():
        found, digests = results(out / "explore" / name)
        every = {measure for worlds in found.values() for value in worlds.values() for measure in value}
        measures = [one for one in measures_in_order(out / "explore" / name) if one in every and one not in NO_CONSEQUENCE]
        pooled = pool(found, measures)
        worlds = WORLDS[cost(out, name) >= EXPENSIVE]
        for arm, key, change, _ in group["arms"]:
            if arm == "as-shipped":
                continue
            best = chosen(found, arm, pooled, measures)
            parted = sum(digests.get((arm, seed)) != digests[("as-shipped", seed)] for seed in found["as-shipped"])
            measure, score, sign = best or ("", 0.0, 0)
            rows.append([key or "", group["setting"], change, group["ticks"], worlds if best else 0, measure, {1: "+", -1: "-", 0: ""}[sign], f"{score:.3g}", parted, name, arm])
    with open(REGISTERED, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["key", "setting", "change", "ticks", "worlds", "measure", "sign", "score", "worlds_parted", "sweep", "arm"])
        writer.writerows(rows)
    say(f"{len(rows)} arms, {sum(not row[5] for row in rows)} without any difference, {sum(row[8] == 0 for row in rows)} that part in no world")


def measures_in_order(folder):
    with open(folder / "results.csv", encoding="utf-8") as file:
        names = next(csv.reader(file))
    return names[names.index("births"):]


def registered():
    with open(REGISTERED, encoding="utf-8") as file:
        return list(csv.DictReader(file))


def confirm(program, out):
    (out / "confirm").mkdir(exist_ok=True)
    rows = registered()
    groups = read_asked(out)
    for name in sorted(groups, key=lambda name: cost(out, name)):
        group = groups[name]
        of = {row["arm"]: row for row in rows if row["sweep"] == name and row["measure"]}
        arms = [arm for arm in group["arms"] if arm[0] == "as-shipped" or arm[0] in of]
        if of and not is_done(out, "confirm", name):
            live(program, out, name, group, arms, CONFIRMED, int(next(iter(of.values()))["worlds"]), "confirm")
            say(f"{name}: {len(arms)} arms confirmed")


TEXT = """# All other keys at once

[Where each key acts](../keys.md) names a setting and a change for each key, by which something else happens. Most keys no study had asked what they change. This page asks all of those at once: `checks/key-consequences.sh MORTA OUT`.

**What was asked.** {asked} keys, each changed alone (those that have to add up by twos) in the one setting and to the one value that the page of keys has, against the same setting as it is shipped, in the same worlds. "None found" is of that change
in that setting, for so many ticks and worlds, by that one measure; it isn't of the key. Settings of many ticks were cut to 2,100 to 3,000, others lengthened, so that every run goes on for at least as long as it took to part.

**How.** On seeds 1 to 6 each key got the one measure of a sweep's results, and its sign, that stood out most: mean paired difference over its standard error; where that is below 12, over one whose variance is pooled half and half with the usual one of the other arms of the setting.
Measures that moved in less than half of the worlds came last, and what is paid counted half, because prices are seen there first; endowments and changes of law were left out, because keys set them. That choice was committed (`checks/key-consequences.csv`)
before the worlds of the table below were lived through: seeds {first} on, 24 worlds of settings below .3 s a cell and 12 of others. p is exact, of all signs of the paired differences, to the side named; a consequence is what Benjamini and Hochberg's
step-up finds at .05 over all {asked} keys: p up to {most}. A key that moved no measure in any of the six worlds counts there with p = 1. Intervals are Student's, 95 % each, and not corrected.

**What came of it.** Of {asked} keys **{found} have a consequence**, for {none} none was found: {still} of these moved no measure in six worlds, and of the others {away} lie on the other side of 0 than before. The measure is of
{groups}.

**Luck.** In {luck_settings} settings that dream, arms with other luck in dreams alone (`dream.luck` = 1, 2, 3) went through the same choice and the same test. {luck_text}

Not asked: {cannot}. {reasons} keys have no setting but a reason ([the same page](../keys.md)).

{luck_table}## Each key

The difference is from the setting as it is shipped, with its interval, *of* what that has.

| key | setting | changed | measure | difference | p | verdict |
|---|---|---|---|---|---|---|
"""

# What measures are about, by their names.
GROUPS = [
    ("what is paid", "compute_usdc inference_usdc gate_usdc gas_usdc lethe_usdc dream_cost_mean_usdc gate_t0_share gate_t1_share gate_t2_share inference_calls"),
    ("money", "pnl_usdc equity_usdc equity_per_survivor_usdc equity_over_endowments returned_over_endowments equity_growth_per_tick equity_drawdown stranded_usdc"),
    ("lives", "births deaths deaths_economic deaths_epistemic deaths_model_staleness epistemic_death_share deaths_stochastic deaths_owner_kill"
     " deaths_kill_switch deaths_fault survivors survivor_share would_have_died_share lifespan_mean_ticks lifespan_median_ticks restricted_mean_ticks"
     " max_generation same_cause_share liquidations_a_life trade_death_share liquidation_death_share liquidation_deaths_per_1000_golem_ticks testaments"
     " vitality_late_mean ruined_share"),
    ("dreams", "dreams dreams_interrupted dream_ticks_mean dream_gap_ticks dream_intensity_mean unsure_dream_share confused_dream_share mood_dream_share"
     " legacy_dream_share depotentiated_a_dream dream_quality_mean episodes_replayed"),
    ("claims and rules", "claims_staged claims_promoted claims_refuted replay_predictive_accuracy guard_predictive_accuracy fragment_predictive_accuracy"
     " imagination_predictive_accuracy displaced_untested_share rules_admitted claims_per_1000_golem_ticks rules_per_1000_golem_ticks rules_retired"
     " playbook_settled_ticks"),
    ("R", "r_per_golem_tick mean_r sharpe_r total_r r_drawdown mean_regret_r successor_first_r first_r_per_tick ratchet_slope law_change_cost_r r_per_thought"
     " successor_first_sharpe_r threat_mean_r retrieval_gain_r_per_tick learning_slope_r_per_tick long_range_gain_r_per_tick unlearning_ticks"
     " still_true_lost_r_per_tick bloodstain_mean_r legacy_mean_r clade_mean_r win_rate bloodstain_win_rate legacy_win_rate"),
    ("trades", "trades wins decision_ticks_mean stayed_out explored_share left_share niches_occupied"),
    ("what is handed on", "bloodstains_left bloodstains_drawn bloodstains_used legacy_used ratchet_mean shared clade_used legacy_hypotheses_mean"),
]


def group_of(measure):
    return next((name for name, measures in GROUPS if measure in measures.split()), "what is known")


def counts(out, keys, luck, most, names):
    """The figures of the page's text."""
    found = [row for row in keys if row["found"]]
    of = Counter(group_of(row["measure"]) for row in found).most_common()
    is_away = lambda row: (statistics.fmean(row["differences"]) > 0) != (row["sign"] == "+") and any(row["differences"])
    tested = [row for row in luck if row["measure"]]
    apart, below = [row for row in tested if row["found"]], sum(row["p"] <= ALPHA for row in tested)
    tested_keys = [row for row in keys if row["measure"]]
    cannot = json.loads((out / "asked.json").read_text())["cannot"]
    return {
        "asked": len(keys),
        "first": CONFIRMED,
        "most": f"{most:.2g}",
        "found": len(found),
        "none": len(keys) - len(found),
        "still": sum(not row["measure"] for row in keys),
        "away": sum(is_away(row) for row in tested_keys if not row["found"] and row["n"] > 0),
        "groups": ", ".join(f"{name} {count}" for name, count in of),
        "luck_settings": len({row["sweep"] for row in luck}),
        "luck_text": f"Of {len(luck)} such arms {len(luck) - len(tested)} moved no measure in six worlds; of the other {len(tested)}, {below} have p up to .05, where {len(tested) * ALPHA:.0f}"
                     f" were to be expected, and {len(apart)} have p up to {most:.2g}, where keys are found: {100 * len(apart) / max(1, len(tested)):.1f} %, against"
                     f" {100 * len(found) / max(1, len(tested_keys)):.0f} % of the {len(tested_keys)} keys that moved a measure.",
        "cannot": "; ".join(f"`{one['key']}`, because {one['why']}" for one in cannot if one["key"]),
        "reasons": keys_with_a_reason(),
        "luck_table": table_of_luck(apart, names),
    }


def table_of_luck(apart, names):
    if not apart:
        return ""
    rows = "".join(f"| {place_of(row)}, {row['ticks']} ticks, {row['n']} worlds | {row['change']} | {names[row['measure']]} | {difference_of(row)} | {row['p']:.2g} |\n" for row in apart)
    return "Arms of luck that the test tells apart:\n\n| setting | changed | measure | difference | p |\n|---|---|---|---|---|\n" + rows + "\n"


# The confirmation.


def p_of_signs(differences, sign):
    """Share of all signs that give a sum at least as large to the side named: exact, half the worlds against the other half."""
    values = [sign * difference for difference in differences]
    sums = lambda part: [sum(chosen) for chosen in signed(part)]
    half = len(values) // 2
    left, right = sums(values[:half]), sorted(sums(values[half:]))
    least = sum(values) - 1e-9 * sum(map(abs, values))
    return sum(len(right) - bisect_left(right, least - one) for one in left) / (len(left) * len(right))


def signed(values):
    return product(*((value, -value) for value in values))


def t_share(t, freedom):
    """Student's distribution function for t above 0, by Simpson's rule over the angle whose tangent is t / sqrt(freedom)."""
    end, steps = math.atan(t / math.sqrt(freedom)), 400
    weigh = lambda place: 1 if place in (0, steps) else 4 if place % 2 else 2
    area = sum(weigh(place) * math.cos(end * place / steps) ** (freedom - 1) for place in range(steps + 1)) * end / steps / 3
    return 0.5 + area * math.gamma((freedom + 1) / 2) / math.gamma(freedom / 2) / math.sqrt(math.pi)


def t_quantile(share, freedom):
    low, high = 0.0, 1000.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if t_share(middle, freedom) < share else (low, middle)
    return high


QUANTILES = {}


def half_width(differences):
    n = len(differences)
    if n not in QUANTILES:
        QUANTILES[n] = t_quantile(1 - ALPHA / 2, n - 1)
    return QUANTILES[n] * statistics.stdev(differences) / math.sqrt(n)


def benjamini_hochberg(ps):
    """Which are found, and the largest p among these."""
    most = max((p for place, p in enumerate(sorted(ps), 1) if p <= ALPHA * place / len(ps)), default=0.0)
    return [p <= most for p in ps], most


def confirmed(out):
    """Rows of the registration with what came of them."""
    rows, of = registered(), {}
    for row in rows:
        name = row["sweep"]
        if not row["measure"]:
            row.update(n=0, p=1.0)
            continue
        if name not in of:
            of[name] = results(out / "confirm" / name)[0]
        differences, shipped = paired(of[name], row["arm"], row["measure"])
        row.update(n=len(differences), differences=differences, shipped=statistics.fmean(shipped) if shipped else math.nan)
        row["p"] = p_of_signs(differences, 1 if row["sign"] == "+" else -1) if len(differences) > 2 else 1.0
    asked = [row for row in rows if row["key"]]
    found, most = benjamini_hochberg([row["p"] for row in asked])
    for row, is_found in zip(asked, found):
        row["found"] = is_found
    for row in rows:
        if not row["key"]:
            row["found"] = row["p"] <= most
    return rows, most


# What people read.


def short(value, plus=""):
    """Three significant digits, whole numbers whole."""
    if value == 0:
        return "0"
    if abs(value) >= 1000:
        return f"{value:{plus}.0f}"
    return f"{value:{plus}.3g}"


def difference_of(row):
    mean = statistics.fmean(row["differences"])
    if len(row["differences"]) < 3:
        return f"{short(mean, '+')} of {short(row['shipped'])}"
    half = half_width(row["differences"])
    return f"{short(mean, '+')} [{short(mean - half)}, {short(mean + half)}] of {short(row['shipped'])}"


def names_of_measures():
    lines = (ROOT / "docs/src/sweep-files.md").read_text(encoding="utf-8").split("## Measures", 1)[1].split("## Learning curves")[0].splitlines()
    return {cells[0].strip("`"): cells[1] for cells in map(cells_of, lines) if len(cells) == 5 and cells[0].startswith("`")}


def place_of(row):
    return row["setting"].replace("scenarios/", "").replace(".toml", "")


def shown(text):
    return text.replace("|", "\\u007c")


def row_of_page(row, names):
    where = f"{place_of(row)}, {row['ticks']} ticks"
    if not row["measure"]:
        parted = f"the runs part in {row['worlds_parted']}" if row["worlds_parted"] != "0" else "the runs don't part"
        return f"| `{row['key']}` | {where} | {shown(row['change'])} | no measure differs in {EXPLORED[1]} worlds; {parted} |  |  | none found |"
    arrow = "more" if row["sign"] == "+" else "less"
    verdict = "consequence" if row["found"] else "none found"
    return (f"| `{row['key']}` | {where}, {row['n']} worlds | {shown(row['change'])} | {names[row['measure']]} ({arrow}) | {difference_of(row)} | {row['p']:.2g}"
            f" | {verdict} |")


def answer_of(row, names):
    """The line of `docs/consequence-of-keys.txt`."""
    changes = [one.split(" = ", 1) for one in re.findall(r"`([^`]*)`", row["change"])]
    value = changes[0][1].strip('"') if re.fullmatch(r'"?[\w.-]+"?', changes[0][1]) else f"`{changes[0][1]}`"
    beside = "".join(f", `{path}` {given}" for path, given in changes[1:])
    where = f"{value}{beside} in {place_of(row)}"
    if not row["measure"]:
        what = f"none found at {where}: no measure differs in {EXPLORED[1]} worlds"
    elif row["found"]:
        what = f"{where}: {names[row['measure']]} {difference_of(row)}, p {row['p']:.2g}"
    else:
        what = f"none found at {where}: {names[row['measure']]} {difference_of(row)}, p {row['p']:.2g}"
    return f"{row['key']}  {what}  {NAME}"


def keys_with_a_reason():
    return sum(setting is None and is_unasked(answer) for _, setting, _, _, answer in rows_of_pages())


def page(out):
    rows, most = confirmed(out)
    names = names_of_measures()
    keys, luck = [row for row in rows if row["key"]], [row for row in rows if not row["key"]]
    text = TEXT.format(**counts(out, keys, luck, most, names))
    text += "\n".join(row_of_page(row, names) for row in keys) + "\n"
    PAGE.write_text(text, encoding="utf-8")
    answers = ANSWERS.read_text(encoding="utf-8").split(f"\n{HEAD}")[0].rstrip("\n")
    lines = "\n".join(answer_of(row, names) for row in keys)
    ANSWERS.write_text(f"{answers}\n\n{HEAD}, each to one other value in one setting, by the measure that stood out on other worlds.\n{lines}\n", encoding="utf-8")


def main(command, *arguments):
    if command in ("write", "explore", "confirm"):
        program, out = arguments
        {"write": write, "explore": explore, "confirm": confirm}[command](str(Path(program).resolve()), Path(out).resolve())
    else:
        {"choose": choose, "page": page}[command](Path(arguments[0]).resolve())


if __name__ == "__main__":
    main(*sys.argv[1:])
