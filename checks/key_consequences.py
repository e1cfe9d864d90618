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
from itertools import combinations
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
        measures = [measure for measure in next(iter(found["as-shipped"].values()))]
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


def confirm(program, out, first_cheap=True):
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


def main(command, *arguments):
    if command in ("write", "explore", "confirm"):
        program, out = arguments
        {"write": write, "explore": explore, "confirm": confirm}[command](str(Path(program).resolve()), Path(out).resolve())
    else:
        {"choose": choose, "page": page}[command](Path(arguments[0]).resolve())


if __name__ == "__main__":
    main(*sys.argv[1:])
