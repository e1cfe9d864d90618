"""The pages of docs/src/results, from folders that `scenarios/rerun.sh` has filled.

    python docs/results.py OUT COMMIT [NAME...]

Of each sweep: what was asked, every arm with its verdict beside what an earlier build found, and the tables of the report after them
(`morta report SWEEP --markdown`, which lies in OUT/NAME.md). What "In words" says is written by hand, and left as it is: read it again where a verdict has changed; the script
lists those. Earlier figures are those of the page as it was committed before (`git show COMMIT:PAGE`).
"""

import json
import os
import re
import subprocess
import sys

BOOK = os.path.join(os.path.dirname(os.path.abspath(__file__)), "src", "results")
def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def earlier(commit, name):
    """The arms' differences on the page before, in its own text; and its worlds, seeds and build."""
    shown = subprocess.run(["git", "show", f"{commit}:docs/src/results/{name}.md"], cwd=BOOK, capture_output=True, text=True, check=False).stdout
    worlds = re.search(r"^(\d+ worlds, seeds [^;]*); .*?(build [^.]*\.[^.]*\.[^.]*)\.$", shown, re.M)
    found, column = {}, None
    for line in shown.splitlines():
        row = cells(line) if line.startswith("|") else []
        if not row:
            if found:
                break
            column = None
        elif row[0] == "arm":
            column = next((place for place, head in enumerate(row) if head == "difference" or head.startswith("less ")), None)
        elif column is not None and column < len(row) and re.match(r"[+-]?\d", row[column]):
            found[row[0]] = row[column].replace("**", "")
    return found, f"{worlds[1]}, {worlds[2]}" if worlds else None


def tells_apart(text):
    """Whether an interval, as a page writes it, leaves out 0."""
    ends = re.search(r"\[([^,]+), ([^\]]+)\]", text or "")
    return bool(ends) and (float(ends[1]) > 0) == (float(ends[2]) > 0)


def table_of_arms(verdict, before, changed):
    """The report's table of arms, with what was found before as a last column."""
    table = verdict[verdict.index("| arm | verdict |") :].split("\n\n", 1)[0].splitlines()
    column = cells(table[0]).index("difference")
    lines = table[:2] if not before else [f"{table[0]} earlier |", f"{table[1]}---|"]
    for line in table[2:]:
        row = cells(line)
        was = before.get(row[0], "")
        if was and tells_apart(was) != tells_apart(row[column]):
            changed.append(f"{row[0]}: {was} -> {row[column]}")
        lines.append(f"{line} {was} |" if before else line)
    return lines


def body(out, name, commit):
    with open(os.path.join(out, f"{name}.md"), encoding="utf-8") as file:
        head, *sections = re.split(r"^### ", file.read(), flags=re.M)
    before, of = earlier(commit, name)
    lines, changed = [re.sub(r"^## .*", "## What was asked", head.strip()), ""], []
    if of:
        lines += [f"Earlier: {of}; intervals of pages without verdicts are of 95 %, others of what the correction leaves.", ""]
    for section in sections:
        if section.split("\n", 1)[0] == "Verdict":
            sentences = section.split("\n\n", 1)[1].split("| arm | verdict |")[0].strip()
            # The last paragraph says what the table's columns are.
            lines += [sentences, ""]
            lines += [*table_of_arms(section, before, changed), ""]
        else:
            lines += [f"### {section.strip()}", ""]
    return "\n".join(lines).rstrip() + "\n", changed


def four(value, sign="+"):
    """Four figures, or a dash."""
    if value is None:
        return "-"
    return f"{value:{sign}.3e}" if value and abs(value) < 1e-4 else f"{value:{sign}#.4g}".rstrip(".")


def primaries(out):
    """All registered comparisons on one page, from `morta stats across OUT --json`."""
    with open(os.path.join(out, "across.json"), encoding="utf-8") as file:
        across = json.load(file)
    lines = [
        "# Registered comparisons, corrected together",
        "",
        f"{len(across['comparisons'])} comparisons of {len({one['sweep'] for one in across['comparisons']})} sweeps, on worlds that nobody had used (but for gold's, of which there are no others). *p* is corrected for all of "
        "them (Benjamini and Hochberg): of those at or below .05, one in twenty is found by luck, on average. *Shrunken* is the difference drawn "
        "towards 0 by what all of them show (in units of its spread; Stephens 2017): the largest of many differences is too large on average. Intervals are "
        "corrected within their sweep. The same table of a folder of your own sweeps: `morta stats across FOLDER`.",
        "",
        "| sweep | comparison | measure | verdict | worlds | difference | shrunken | p |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for one in across["comparisons"]:
        interval = one["interval"]
        told = four(one["effect"]) + (f" [{four(interval['low'], '')}, {four(interval['high'], '')}]" if interval else "")
        verdict = (one["verdict"] or "-").replace("_", " ")
        found = [f"[{one['sweep']}]({one['sweep']}.md)", f"{one['arm']} − {one['baseline']}", one["measure"], verdict, str(one["worlds"]), told]
        lines.append("| " + " | ".join([*found, four(one["shrunken_effect"]), four(one["false_discovery_p"], "")]) + " |")
    lines += ["", *(f"Left out: {why}." for why in across["left_out"])]
    with open(os.path.join(BOOK, "primaries.md"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines).rstrip() + "\n")


def main(out, commit, names):
    names = names or sorted(entry[: -len(".md")] for entry in os.listdir(out) if entry.endswith(".md"))
    for name in names:
        page = os.path.join(BOOK, f"{name}.md")
        kept, words = None, f"# {name}\n\n## In words\n\nNot yet written.\n\n"
        if os.path.exists(page):
            with open(page, encoding="utf-8") as file:
                words, *generated = re.split(r"^## What was asked", file.read(), flags=re.M)
            kept = re.search(r"^## In the market before.*", "## What was asked".join(generated), re.M | re.S)
        text, changed = body(out, name, commit)
        with open(page, "w", encoding="utf-8") as file:
            file.write("\n".join([words.rstrip(), "", text, *([kept[0]] if kept else [])]))
        print("\n".join(f"{name}: {line}" for line in changed or ["no interval has moved onto 0 or off it"]))
    if os.path.exists(os.path.join(out, "across.json")):
        primaries(out)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
