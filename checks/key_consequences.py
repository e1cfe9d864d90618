#!/usr/bin/env python3
"""What each key changes beyond luck, asked of all keys at once: the settings and changes of `docs/src/keys`. And what each rule changes
that no other study asked: the settings and changes of `checks/rule-figures.csv`.

    checks/key_consequences.py STUDY explore MORTA OUT    lives through a sweep for each setting on seeds 1 to 6
    checks/key_consequences.py STUDY choose OUT           picks a measure and a sign for each row: the study's file of `checks`
    checks/key_consequences.py STUDY confirm MORTA OUT    lives through what that file registers on seeds 79001 on, or 80001 on
    checks/key_consequences.py STUDY page OUT             the page of `docs/src/results`, and its lines of `docs/consequence-of-*.txt`

STUDY is `keys` or `rules`, each with an OUT of its own. `checks/key-consequences.sh` does it all but for the choice, which is registered.
A setting is resolved by MORTA itself: it lives through two ticks of it, and the run folder has every key with its value. Needs Python
3.11 or later and nothing else.
"""

import csv
import json
import math
import re
import shutil
import statistics
import subprocess
import sys
import tomllib
from bisect import bisect_left
from collections import Counter, defaultdict
from itertools import product
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Name of the page and of the registration, what is asked, its file of answers, head of the page, first seed of the confirmation, and
# seconds a cell from which a setting is expensive: fewer worlds. (Rules were explored on a machine that had other work.)
STUDIES = {
    "keys": ("key-consequences", "key", "consequence-of-keys", "# All other keys at once", 79001, 0.3),
    "rules": ("rule-figures", "rule", "consequence-of-rules", "# All other rules at once", 80001, 1.0),
}

EXPLORED = (1, 6)
WORLDS = (24, 12)
ALPHA = 0.05
LUCK = (1, 2, 3)
# Shipped settings that are lived for fewer ticks than they are shipped with, by file. Keys whose runs part in the second half of that have
# a sweep of their own.
TICKS = {
    "scenarios/nightly.toml": 3000,
    "scenarios/hard-times.toml": 2100,
    "scenarios/reverting.toml": 2500,
    "scenarios/predator.toml": 2500,
    "scenarios/mortal.toml": 2160,
    "scenarios/quickstart.toml": 1000,
}
TICKS_OF_ARMS = 2500

# Keys that no arm can set.
CANNOT = {"seed": "every arm of a sweep sees the same worlds"}
# The registration's columns after what is asked; rules have one more, of measures that count a rule's own coming about and aren't picked.
COLUMNS = "setting change ticks worlds measure sign score worlds_parted sweep arm".split()
# What a key sets itself, or a law does, is no consequence.
NO_CONSEQUENCE = {"endowments_usdc", "law_changes"}
# A price is seen first in what is paid: scores of these count half.
PAID = {"compute_usdc", "inference_usdc", "gate_usdc", "gas_usdc", "lethe_usdc", "dream_cost_mean_usdc"}
# From here on a standard error of six worlds is taken by its word; below, its variance is pooled with that of other arms of the setting.
CERTAIN = 12.0


def say(text):
    print(text, file=sys.stderr, flush=True)


# The study that is run; `main` sets it.
NAME, ASKED, ANSWERS, HEAD, CONFIRMED, EXPENSIVE = STUDIES["keys"]


def registration():
    return ROOT / "checks" / f"{NAME}.csv"


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
    return answer == "not asked" or "(results/key-consequences.md)" in answer.replace("../", "")


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
    """Entries of `set`. Files have no null, and a table that is set leaves keys alone that it hasn't got: the list around is set whole."""
    found = []
    for path, value in changes:
        if value is None:
            list_path, place, key = re.fullmatch(r"(.*)\.(\d+)\.(.*)", path).groups()
            value = json.loads(json.dumps(at(scenario, list_path)))
            *tables, last = key.split(".")
            del at(value, ".".join([place, *tables]))[last]
            path = list_path
        found.append(f"{path} = {toml(value)}")
    return "{ " + ", ".join(found) + " }"


def morta(program, *arguments):
    return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)


def slug(setting):
    return re.sub(r"[^A-Za-z0-9]+", "-", setting.removeprefix("scenarios/").replace(".toml", "").replace("`", "")).strip("-")


def resolved(program, setting, out):
    """The scenario of a setting with all its keys, as a run of two ticks has it."""
    kept = out / "resolved" / f"{slug(setting)}.json"
    kept.parent.mkdir(parents=True, exist_ok=True)
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


def keys_to_ask():
    """Keys of which the pages know nothing yet, each with the setting, the change and the ticks."""
    for key, setting, change, parts, answer in rows_of_pages():
        if setting and is_unasked(answer) and key not in CANNOT:
            yield {"of": key, "setting": setting, "change": change, "ticks": ticks_of(setting, shipped_ticks(setting), parts)}


def rules_to_ask():
    """Rules with what was written down of them by hand."""
    for row in registered():
        if row["of"]:
            yield {"of": row["of"], "own": row["own"], "setting": row["setting"], "change": row["change"], "ticks": int(row["ticks"])}


def rows_to_ask():
    """What is asked, as rows of the registration; each setting has a sweep for each number of ticks."""
    rows, names = [], {}
    for row in list(rules_to_ask() if ASKED == "rule" else keys_to_ask()):
        place = names.setdefault((row["setting"], row["ticks"]), len(names) + 1)
        arm = re.sub(r"[^A-Za-z0-9_.]+", "-", row["of"].split(";")[0]).strip("-")
        rows.append({**row, "sweep": f"{place:02}-{slug(row['setting'])[:50]}-{row['ticks']}", "arm": arm})
    return rows


def luck_of(rows):
    """The same of other luck in dreams, in the setting of these rows."""
    return [{**rows[0], "of": "", "own": "", "change": f"`dream.luck = {luck}`", "arm": f"luck-{luck}"} for luck in LUCK]


def sweeps_of(rows):
    of = defaultdict(list)
    for row in rows:
        of[row["sweep"]].append(row)
    return of


def write_scenario(program, out, row):
    """The file that a sweep varies."""
    scenario = {**resolved(program, row["setting"], out), "ticks": int(row["ticks"]), "record": {"events": False}}
    text = "".join(f"{key} = {toml(one)}\n" for key, one in scenario.items() if one is not None)
    (out / f"{row['sweep']}.scenario.toml").write_text(text, encoding="utf-8")
    return scenario


def live(program, out, kind, rows, scenario, worlds):
    """Lives through a sweep, or goes on with it; cells are of no use once its tables are written."""
    name = rows[0]["sweep"]
    (out / kind).mkdir(exist_ok=True)
    arms = [("as-shipped", "{ }"), *((row["arm"], settings_of(scenario, changes_of(row["change"]))) for row in rows)]
    text = f'name = "{name}"\nscenario = "../{name}.scenario.toml"\n[seeds]\nfirst = {worlds[0]}\ncount = {worlds[1]}\n'
    text += '[question]\nmeasure = "r_per_golem_tick"\n'
    text += "".join(f'[[arms]]\nname = "{arm}"\nset = {given}\n' for arm, given in arms)
    (out / kind / f"{name}.toml").write_text(text, encoding="utf-8")
    folder = out / kind / name
    resume = ["--resume"] if folder.exists() else []
    told = morta(program, "sweep", out / kind / f"{name}.toml", "--out", folder, "--jobs", 1, *resume)
    if told.returncode:
        say(f"{name}: {told.stdout[-300:]} {told.stderr[-600:]}")
    else:
        shutil.rmtree(folder / "cells")
    say(f"{name}: {len(arms)} arms in {worlds[1]} worlds")


def is_done(out, kind, name):
    return (out / kind / name / "sweep.json").exists() and not (out / kind / name / "cells").exists()


def explore(program, out):
    for name, rows in sweeps_of(rows_to_ask()).items():
        if not is_done(out, "explore", name):
            scenario = write_scenario(program, out, rows[0])
            live(program, out, "explore", [*(luck_of(rows) if dreams(scenario) else []), *rows], scenario, EXPLORED)


def confirm(program, out):
    sweeps = sweeps_of(row for row in registered() if row["measure"])
    for name, rows in sorted(sweeps.items(), key=lambda sweep: (-int(sweep[1][0]["worlds"]), sweep[0])):
        if not is_done(out, "confirm", name):
            scenario = write_scenario(program, out, rows[0])
            live(program, out, "confirm", rows, scenario, (CONFIRMED, int(rows[0]["worlds"])))


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
    chosen_rows = []
    columns = [ASKED, *(["own"] if ASKED == "rule" else []), *COLUMNS]
    for name, rows in sweeps_of(rows_to_ask()).items():
        found, digests = results(out / "explore" / name)
        every = {measure for worlds in found.values() for values in worlds.values() for measure in values}
        measures = [one for one in measures_in_order(out / "explore" / name) if one in every and one not in NO_CONSEQUENCE]
        pooled = pool(found, measures)
        worlds = WORLDS[cost(out, name) >= EXPENSIVE]
        for row in [*(luck_of(rows) if f"luck-{LUCK[0]}" in found else []), *rows]:
            arm = row["arm"]
            parted = sum(digests.get((arm, seed)) != digests["as-shipped", seed] for seed in found["as-shipped"])
            others = [one for one in measures if one not in row.get("own", "").split()]
            measure, score, sign = chosen(found, arm, pooled, others) or ("", 0.0, 0)
            sign = {1: "+", -1: "-", 0: ""}[sign]
            what = {"worlds": worlds if measure else 0, "measure": measure, "sign": sign, "score": f"{score:.3g}", "worlds_parted": parted}
            chosen_rows.append({ASKED: row["of"], **{column: row[column] for column in row if column in columns}, **what})
    with open(registration(), "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(chosen_rows)
    still, alike = (sum(not row[column] for row in chosen_rows) for column in ("measure", "worlds_parted"))
    say(f"{len(chosen_rows)} arms: {still} move no measure, {alike} part in no world")


def measures_in_order(folder):
    with open(folder / "results.csv", encoding="utf-8") as file:
        names = next(csv.reader(file))
    return names[names.index("births"):]


def registered():
    with open(registration(), encoding="utf-8") as file:
        return [{"of": row[ASKED], **row} for row in csv.DictReader(file)]


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
    is_there = lambda row: not row["measure"] or is_done(out, "confirm", row["sweep"])
    whole = registered()
    rows, of = [row for row in whole if is_there(row)], {}
    if len(rows) < len(whole):
        say(f"{len(whole) - len(rows)} arms are registered, and not confirmed yet: the page is without them")
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
    asked = [row for row in rows if row["of"]]
    found, most = benjamini_hochberg([row["p"] for row in asked])
    for row, is_found in zip(asked, found):
        row["found"] = is_found
    for row in rows:
        if not row["of"]:
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
    text = (ROOT / "docs/src/sweep-files.md").read_text(encoding="utf-8").split("## Measures", 1)[1].split("## Learning curves")[0]
    return {cells[0].strip("`"): cells[1] for cells in map(cells_of, text.splitlines()) if len(cells) == 5 and cells[0].startswith("`")}


def place_of(row):
    return row["setting"].replace("scenarios/", "").replace(".toml", "")


def worlds_of(row):
    worlds = f", {row['n']} worlds" if row["measure"] else ""
    return f"{place_of(row)}, {row['ticks']} ticks{worlds}"


def shown(text):
    return text.replace("|", "\\u007c")


def row_of_page(row, names):
    if not row["measure"]:
        parted = f"no measure differs in {EXPLORED[1]} worlds; the runs part in {row['worlds_parted']}"
        return f"| `{row['of']}` | {worlds_of(row)} | {shown(row['change'])} | {parted} |  |  | none found |"
    measure = f"{names[row['measure']]} ({'more' if row['sign'] == '+' else 'less'})"
    verdict = "consequence" if row["found"] else "none found"
    return f"| `{row['of']}` | {worlds_of(row)} | {shown(row['change'])} | {measure} | {difference_of(row)} | {row['p']:.2g} | {verdict} |"


def answers_of(row, names):
    """The lines of the file of answers."""
    changes = [one.split(" = ", 1) for one in re.findall(r"`([^`]*)`", row["change"])]
    if ASKED == "rule":
        changed = changes[0][0] if len(changes[0][1]) > 60 else " = ".join(changes[0])
        where = f"at `{changed}`{' and others' if len(changes) > 1 else ''} in {place_of(row)}"
    else:
        value = changes[0][1].strip('"') if re.fullmatch(r'"?[\w.-]+"?', changes[0][1]) else f"`{changes[0][1]}`"
        beside = "".join(f", `{path}` {given}" for path, given in changes[1:])
        where = f"at {value}{beside} in {place_of(row)}"
    if not row["measure"]:
        what = f"none found {where}: no measure differs in {EXPLORED[1]} worlds"
    elif row["found"]:
        what = f"{where.removeprefix('at ')}: {names[row['measure']]} {difference_of(row)}, p {row['p']:.2g}"
    else:
        what = f"none found {where}: {names[row['measure']]} {difference_of(row)}, p {row['p']:.2g}"
    return [f"{one}  {what}  {NAME}" for one in row["of"].split("; ")]


def keys_with_a_reason():
    return sum(setting is None and is_unasked(answer) for _, setting, _, _, answer in rows_of_pages())


TEXT = """# All other keys at once

[Where each key acts](../keys.md) names a setting and a change for each key, by which something else happens. What that changes beyond
luck no study had asked of most keys. This page asks it of all of those at once: `checks/key-consequences.sh MORTA OUT`.

**What was asked.** {asked} keys, each changed alone (those that have to add up by twos) in the one setting and to the one value that the
pages of keys have, against the same setting as it is shipped, in the same worlds. "None found" is of that change in that setting, for so
many ticks and worlds, by that one measure; it isn't of the key. Long settings were cut to between 1,000 and 3,000 ticks and others
lengthened, so that every run goes on for at least as long as it took to part. An arm is changed from tick 0, also where the pages of keys
begin later. `market.start_within_bars` parts none of the worlds 1 to 6, whose starts lie within either limit, so its line says little.

**How.** On seeds 1 to 6 each key got the one measure of a sweep's results, and its sign, that stood out most: the mean paired difference
over its standard error; where that is below {certain:.0f}, the error's variance is pooled half and half with the usual one of the other
arms of the setting where that makes it larger. Measures that moved in less than half of the worlds came last, and what is paid counted
half, because a price is seen there first; endowments and changes of law were left out, because keys set them. That choice was committed
(`checks/key-consequences.csv`) before the worlds of the table below were lived through: seeds {first} on, {cheap} worlds of settings
below {expensive} s a cell and {dear} of others. p is exact, of all signs of the paired differences, to the side named; a consequence is
what Benjamini and Hochberg's step-up finds at .05 over all {asked} keys: p up to {most}. A key that moved no measure in any of the six
worlds counts there with p = 1. Intervals are Student's, of 95 % each, and not corrected.

**What came of it.** Of {asked} keys **{found} have a consequence**; for {none} none was found. {still} of these moved no measure in six
worlds, and of the other {tested_none}, {away} moved to the other side than before. Of those found the measure is about: {groups}.

**Luck.** In {luck_settings} sweeps whose golems dream, arms with other luck in dreams alone (`dream.luck` = 1, 2 and 3) went through the
same choice and the same test. {luck_text}

Not asked: {cannot}. {left}{reasons} keys have a reason in place of a setting ([the same pages](../keys.md)).

{luck_table}## Each key

The difference is from the setting as it is shipped, with its interval, *of* what that has; *more* or *less* is the sign that was named.

| key | setting | changed | measure | difference | p | verdict |
|---|---|---|---|---|---|---|
"""

TEXT_OF_RULES = """# All other rules at once

[What happens in the shipped scenarios](../coverage.md) counts how often each rule came about. This page asks what rules change beyond
luck: those that a key can take away or turn and that no other study asked. `checks/key-consequences.sh MORTA OUT --rules` makes it.

**What was asked.** {rules} rules in {asked} rows. A row is one change of one shipped setting, mostly that in which its rules come about
most often, from tick 0, against the setting as it is shipped, in the same worlds. Rules that one change takes away together share a row.
A cause of a mood that is set to noughts is still felt, as nothing. "None found" is of that change in that setting, by that measure.

**How.** As for [all other keys](key-consequences.md), by the same program: on seeds 1 to 6 each row got the one measure of a sweep's
results, and its sign, that stood out most. Measures that count the rule's own coming about were left out (column `own` of
`checks/rule-figures.csv`), and what is paid counted half. Settings, changes, measures and signs were committed there before the worlds of
the table below were lived through: seeds {first} on, {cheap} worlds of settings below {expensive} s a cell and {dear} of others. p is
exact, of all signs of the paired differences, to the side named; a consequence is what Benjamini and Hochberg's step-up finds at .05 over
all {asked} rows: p up to {most}. A row that moved no measure in any of the six worlds counts there with p = 1. Intervals are Student's, of
95 % each, and not corrected.

**What came of it.** Of {asked} rows **{found} have a consequence**; for {none} none was found. {still} of these moved no measure in six
worlds, and of the other {tested_none}, {away} moved to the other side than before. Of those found the measure is about: {groups}.

**Luck.** In {luck_settings} sweeps whose golems dream, arms with other luck in dreams alone (`dream.luck` = 1, 2 and 3) went through the
same choice and the same test. {luck_text}

{left}{luck_table}## Each rule

The difference is from the setting as it is shipped, with its interval, *of* what that has; *more* or *less* is the sign that was named.

| rule | setting | changed | measure | difference | p | verdict |
|---|---|---|---|---|---|---|
"""

# What measures are about, by their names.
GROUPS = {
    "what is paid": "compute_usdc inference_usdc gate_usdc gas_usdc lethe_usdc dream_cost_mean_usdc inference_calls",
    "money": "pnl_usdc equity_usdc equity_per_survivor_usdc equity_over_endowments returned_over_endowments equity_growth_per_tick"
             " equity_drawdown stranded_usdc",
    "lives": "births deaths deaths_economic deaths_epistemic deaths_model_staleness epistemic_death_share deaths_stochastic"
             " deaths_owner_kill deaths_kill_switch deaths_fault survivors survivor_share would_have_died_share lifespan_mean_ticks"
             " lifespan_median_ticks restricted_mean_ticks max_generation same_cause_share liquidations_a_life trade_death_share"
             " liquidation_death_share liquidation_deaths_per_1000_golem_ticks testaments vitality_late_mean ruined_share",
    "dreams": "dreams dreams_interrupted dream_ticks_mean dream_gap_ticks dream_intensity_mean unsure_dream_share confused_dream_share"
              " mood_dream_share legacy_dream_share depotentiated_a_dream dream_quality_mean episodes_replayed",
    "claims and rules": "claims_staged claims_promoted claims_refuted replay_predictive_accuracy guard_predictive_accuracy"
                        " fragment_predictive_accuracy imagination_predictive_accuracy displaced_untested_share rules_admitted"
                        " claims_per_1000_golem_ticks rules_per_1000_golem_ticks rules_retired playbook_settled_ticks",
    "R": "r_per_golem_tick mean_r sharpe_r total_r r_drawdown mean_regret_r successor_first_r first_r_per_tick ratchet_slope"
         " law_change_cost_r r_per_thought successor_first_sharpe_r threat_mean_r retrieval_gain_r_per_tick learning_slope_r_per_tick"
         " long_range_gain_r_per_tick unlearning_ticks still_true_lost_r_per_tick bloodstain_mean_r legacy_mean_r clade_mean_r win_rate"
         " bloodstain_win_rate legacy_win_rate",
    "trades": "trades wins decision_ticks_mean stayed_out explored_share left_share niches_occupied"
              " gate_t0_share gate_t1_share gate_t2_share",
    "what is handed on": "bloodstains_left bloodstains_drawn bloodstains_used legacy_used ratchet_mean shared clade_used"
                         " legacy_hypotheses_mean",
}


def group_of(measure):
    return next((name for name, measures in GROUPS.items() if measure in measures.split()), "what is known")


def counts(keys, luck, most, names):
    """The figures of the page's text."""
    found = [row for row in keys if row["found"]]
    of = Counter(group_of(row["measure"]) for row in found).most_common()
    tested, tested_keys = [[row for row in rows if row["measure"]] for rows in (luck, keys)]
    not_found = [row for row in tested_keys if not row["found"]]
    sign = lambda row: 1 if row["sign"] == "+" else -1
    apart, below = [row for row in tested if row["found"]], sum(row["p"] <= ALPHA for row in tested)
    left = sum(bool(row["of"]) for row in registered()) - len(keys)
    return {
        "asked": len(keys),
        "rules": sum(len(row["of"].split("; ")) for row in keys),
        "certain": CERTAIN,
        "first": CONFIRMED,
        "cheap": WORLDS[0],
        "dear": WORLDS[1],
        "expensive": f"{EXPENSIVE:g}".removeprefix("0"),
        "most": f"{most:.2g}",
        "found": len(found),
        "none": len(keys) - len(found),
        "still": len(keys) - len(tested_keys),
        "tested_none": len(not_found),
        "away": sum(sign(row) * sum(row.get("differences", [])) < 0 for row in not_found),
        "groups": ", ".join(f"{name} {count}" for name, count in of),
        "luck_settings": len({row["sweep"] for row in luck}),
        "luck_text": still_luck(len(luck), len(tested)) +
                     f" {len(tested)}, p is up to .05 in {below}, where {len(tested) * ALPHA:.0f} were to be expected, and up"
                     f" to {most:.2g}, where {ASKED}s are found, in {len(apart)}: {share(apart, tested)}, against {share(found, tested_keys)}"
                     f" of the {len(tested_keys)} {'rows' if ASKED == 'rule' else 'keys'} that moved a measure.",
        "cannot": "; ".join(f"`{key}`, because {why}" for key, why in CANNOT.items()),
        "left": f"{left} {ASKED}s are registered, and not confirmed yet. " if left else "",
        "reasons": keys_with_a_reason(),
        "luck_table": table_of_luck(apart, names),
    }


def still_luck(every, tested):
    still = f"Of {every} such arms {every - tested} moved no measure in six worlds, where no memory dreams. Of the other"
    return still if tested < every else "Of all"


def share(some, of):
    return f"{100 * len(some) / max(1, len(of)):.1f} %"


def table_of_luck(apart, names):
    if not apart:
        return ""
    cells = ([worlds_of(row), shown(row["change"]), names[row["measure"]], difference_of(row), f"{row['p']:.2g}"] for row in apart)
    rows = (f"| {' | '.join(row)} |\n" for row in cells)
    head = "Arms of luck with such a p:\n\n| setting | changed | measure | difference | p |\n|---|---|---|---|---|\n"
    return head + "".join(rows) + "\n"


def page(out):
    """The page and the lines of answers."""
    rows, most = confirmed(out)
    names = names_of_measures()
    keys, luck = [row for row in rows if row["of"]], [row for row in rows if not row["of"]]
    text = (TEXT_OF_RULES if ASKED == "rule" else TEXT).format(**counts(keys, luck, most, names))
    text += "\n".join(row_of_page(row, names) for row in keys) + "\n"
    (ROOT / f"docs/src/results/{NAME}.md").write_text(text, encoding="utf-8")
    file = ROOT / f"docs/{ANSWERS}.txt"
    answers = file.read_text(encoding="utf-8").split(f"\n{HEAD}")[0].rstrip("\n")
    lines = "\n".join(line for row in keys for line in answers_of(row, names))
    how = "each taken away or turned" if ASKED == "rule" else "each to one other value"
    head = f"{HEAD}, {how} in one setting, by the measure that stood out on other worlds."
    file.write_text(f"{answers}\n\n{head}\n{lines}\n", encoding="utf-8")


def main(study, command, *arguments):
    global NAME, ASKED, ANSWERS, HEAD, CONFIRMED, EXPENSIVE
    NAME, ASKED, ANSWERS, HEAD, CONFIRMED, EXPENSIVE = STUDIES[study]
    *program, out = arguments
    run = {"explore": explore, "choose": choose, "confirm": confirm, "page": page}[command]
    run(*(str(Path(one).resolve()) for one in program), Path(out).resolve())


if __name__ == "__main__":
    main(*sys.argv[1:])
