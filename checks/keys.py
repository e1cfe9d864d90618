#!/usr/bin/env python3
"""Every key has a reason to be there: a file in `scenarios` sets it, or `docs/keys-by-source.txt` says what names it.

    checks/keys.py            (keys that no file sets, each with its reason; fails for one without)
    checks/keys.py --set      (all keys, and how many files set each)

Keys are those of `scenarios/scenario.schema.json`, written as in `docs/src/keys.md`. A file sets a key in a scenario, in [set], arms, rungs, levels
and profiles of a sweep, or as an axis; the screenings of keys that nothing else sets (`scenarios/sensitivity/knobs*.toml`) don't count, because
what they found is a reason and what they set is none. Needs Python 3.11 or later and nothing else.
"""

import json
import re
import sys
import tomllib
from collections import Counter
from fnmatch import fnmatchcase
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SCHEMA = json.loads((ROOT / "scenarios/scenario.schema.json").read_text(encoding="utf-8"))


def resolve(schema):
    while True:
        if "$ref" in schema:
            schema = SCHEMA["$defs"][schema["$ref"].rsplit("/", 1)[1]]
            continue
        others = [one for one in schema.get("anyOf", []) if one.get("type") != "null"]
        if len(others) != 1:
            return schema
        schema = others[0]


def may_be_left_out(schema):
    kinds = schema.get("type")
    return (isinstance(kinds, list) and "null" in kinds) or any(one.get("type") == "null" for one in schema.get("anyOf", []))


def kinds_of(schema):
    """The tables of a table that comes in kinds, each with the key and the word that tell it."""
    tables = [resolve(one) for one in schema.get("oneOf", [])]
    if not tables or any("properties" not in table for table in tables):
        return []
    tells = lambda table: next((key, entry["const"]) for key, entry in table["properties"].items() if "const" in entry)
    return [(*tells(table), table) for table in tables]


def keys(schema=SCHEMA, name=""):
    """Every key with a value, every list, and every table that may be left out; as `tests/keys/keys.rs` has them."""
    within = lambda key: f"{name}.{key}" if name else key
    whole = resolve(schema)
    if kinds := kinds_of(whole):
        for tag, word, table in kinds:
            for key, entry in table["properties"].items():
                if key != tag:
                    yield from keys(entry, f"{name}({word}).{key}")
        yield name
    elif "properties" in whole:
        for key, entry in whole["properties"].items():
            yield from keys(entry, within(key))
        if name and may_be_left_out(schema):
            yield name
    else:
        if "array" in [whole.get("type"), *(whole["type"] if isinstance(whole.get("type"), list) else [])]:
            item = resolve(whole["items"])
            if "properties" in item or kinds_of(item):
                yield from keys(whole["items"], name + "[]")
        yield name


KEYS = list(keys())
# Kinds of tables are left out where files are read: `start` stands below `source`, whatever its kind.
BY_PATH = {}
for one in KEYS:
    BY_PATH.setdefault(re.sub(r"\(.*?\)", "", one), []).append(one)
PLACES = {".".join(path.split(".")[:count]) for path in BY_PATH for count in range(1, path.count(".") + 2)}


def snake(text):
    """Keys may be written as the specs write them: batchSize."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", lambda found: "_" + found[1].lower(), text)


def set_in(table, place=""):
    """The keys that a table sets. Entries of lists are tables, or named: `cohorts.bardo.golems`."""
    for written, value in table.items():
        here = place
        for segment in map(snake, written.split(".")):
            inside = f"{here}.{segment}" if here else segment
            # The name of an entry, and not a key of the list.
            here = f"{here}[]" if f"{here}[]" in PLACES and inside not in PLACES else inside
        yield from BY_PATH.get(here, [])
        if isinstance(value, dict):
            if f"{here}[]" in PLACES:
                for entry in value.values():
                    yield from set_in(entry if isinstance(entry, dict) else {}, f"{here}[]")
            else:
                yield from set_in(value, here)
        elif isinstance(value, list):
            for entry in value:
                yield from set_in(entry if isinstance(entry, dict) else {}, f"{here}[]")


def set_by_sweep(part):
    if isinstance(part, list):
        for entry in part:
            yield from set_by_sweep(entry)
    elif isinstance(part, dict):
        for key, value in part.items():
            if key == "set" or (key == "axes" and isinstance(value, dict)):
                yield from set_in(value)
            elif key == "key" and isinstance(value, str):
                yield from set_in({value: None})
            else:
                yield from set_by_sweep(value)


def set_by(path):
    with path.open("rb") as file:
        found = tomllib.load(file)
    return set(set_by_sweep(found) if "scenario" in found or "memories" in found else set_in(found))


def sources():
    lines = (ROOT / "docs/keys-by-source.txt").read_text(encoding="utf-8").splitlines()
    return [tuple(line.split("  ", 1)) for line in lines if line and not line.startswith("#")]


def main():
    paths = [path for path in sorted((ROOT / "scenarios").rglob("*.toml")) if not path.name.startswith("knobs")]
    files = Counter(key for path in paths for key in set_by(path))
    if "--set" in sys.argv[1:]:
        for key in KEYS:
            print(f"{files[key]:4} {key}")
        return 0
    unset = [key for key in KEYS if not files[key]]
    known, used, without = sources(), set(), []
    reasons = Counter()
    for key in unset:
        # Brackets are letters here, and no choice of letters.
        found = next((one for one in known if fnmatchcase(key, one[0].replace("[", "[[]"))), None)
        used.add(found)
        if found is None:
            without.append(key)
        else:
            reasons[found[1].split(":")[0].split(",")[0].split(" ")[0]] += 1
        print(f"{key}  {found[1] if found else 'NO REASON'}")
    print(f"\n{len(KEYS)} keys, {len(KEYS) - len(unset)} of them set by a file; {len(unset)} by none:")
    for reason, count in reasons.most_common():
        print(f"{count:4} {reason}")
    for pattern, _ in (one for one in known if one not in used):
        print(f"speaks of no key that no file sets: {pattern}", file=sys.stderr)
    for key in without:
        print(f"no file sets it and nothing names it: {key}", file=sys.stderr)
    return 1 if without else 0


if __name__ == "__main__":
    sys.exit(main())
