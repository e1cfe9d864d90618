#!/usr/bin/env bash
# The figures of plain words: counts by crate as `tests/it/words.rs` holds them, and draws for a cold reading: thirty comments that say why, ten
# files, ten public names. The same seed draws the same of the same sources.
#
#   checks/words.sh [SEED]
set -euo pipefail
cd "$(dirname "$0")/.."
cat tests/it/words.txt
python3 - "${1:-43}" << 'PYTHON'
import pathlib, random, re, sys

HOMES = ["base", "console", "engine", "stats", "memories", "actors", "lab", "load", "tools", "replications", "python", "src"]
# As in the test: words that only a reason, a source, a rejected alternative or a consequence needs.
REASONS = ["because", "so that", "otherwise", "rather than", "instead of", "would", "measured", "rejected", "our choice", " lest ", "or else",
           "not to be", "rejects", "the spec", "§", "et al."]
luck = random.Random(int(sys.argv[1]))
files = sorted(path for home in HOMES for path in pathlib.Path(home).rglob("*.rs") if "tests" not in path.parts and path.name != "tests.rs")
comments, names = [], []
for path in files:
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        bare = line.strip()
        if bare.startswith("//") and any(reason in bare for reason in REASONS):
            comments.append((path, number))
        named = re.match(r"\s*pub (?:struct|enum|trait|fn) (\w+)", line)
        if named:
            names.append((named[1], path))


def whole(path, number):
    """The comment around a line, and the first line of code after it."""
    lines = path.read_text(encoding="utf-8").splitlines()
    is_comment = lambda place: 0 <= place < len(lines) and lines[place].strip().startswith("//")
    first = last = number - 1
    while is_comment(first - 1):
        first -= 1
    while is_comment(last + 1):
        last += 1
    return "\n".join(lines[first:last + 2])


print("\nthirty comments")
for path, number in luck.sample(comments, 30):
    print(f"\n{path}:{number}\n{whole(path, number)}")
print("\nten files")
print("\n".join(str(path) for path in sorted(luck.sample(files, 10))))
print("\nten names")
print("\n".join(f"{name}  {path}" for name, path in luck.sample(names, 10)))
PYTHON
