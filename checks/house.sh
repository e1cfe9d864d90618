#!/usr/bin/env bash
# Prints the figures by which the cut of the workspace was judged. Run each on an idle machine.
#
#   checks/house.sh build             a fresh clone: wall and processor seconds of the first build, bytes of the program
#   checks/house.sh tests             a fresh clone: the same of `cargo test --workspace`, building and running apart
#   checks/house.sh rebuild           seconds of a rebuild of `morta` after touching one file of a page, of the golem, of the statistics
#   checks/house.sh lines [COMMIT]    lines of Rust by crate and in all, tests apart from other code, now and at an earlier commit
#   checks/house.sh less              lines of code by crate that the commits of checks/simplifications.txt added and took away
#   checks/house.sh speed OLD [PAIRS [NEW]] golem-ticks a second beside another build's program, interleaved, by the clock and by processor: ratios with
#                                     95 % intervals; and instructions, where valgrind is there
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD

timed() { # NAME COMMAND...
    local name=$1 at
    shift
    at=$(mktemp)
    if ! command time -f "%e %U %S" -o "$at" "$@" > "$at.said" 2>&1; then
        tail -20 "$at.said" >&2
        exit 1
    fi
    # Processor seconds count, because wall seconds hang on what else the machine does.
    awk -v name="$name" '{ printf "%-42s wall %6.0f s   processor %6.0f s\n", name, $1, $2 + $3 }' "$at"
}

fresh_clone() {
    room=$(mktemp -d)
    trap 'rm -rf "$room"' EXIT
    git clone -q "$root" "$room/clone"
    cd "$room/clone"
    # What has to be fetched depends on the line, not on the house.
    cargo fetch -q --locked
    export CARGO_TARGET_DIR=$room/target
}

case ${1:-} in
build)
    fresh_clone
    timed "cargo build --release" cargo build --release --locked
    stat -c 'the program                                %s bytes' "$CARGO_TARGET_DIR/release/morta"
    ;;
tests)
    fresh_clone
    timed "cargo test --workspace --no-run" cargo test --workspace --no-run --locked
    timed "cargo test --workspace, built" cargo test --workspace --locked
    ;;
rebuild)
    cargo build -q --release
    for file in lab/src/report/run/mod.rs engine/src/golem/step.rs stats/src/paired.rs; do
        # A comment that is gone afterwards: touching alone would do for cargo, but not for its incremental cache.
        cp "$file" "$file.kept"
        echo '// touched' >> "$file"
        timed "after $file" cargo build --release || { mv "$file.kept" "$file"; exit 1; }
        mv "$file.kept" "$file"
    done
    ;;
lines)
    room=$(mktemp -d)
    trap 'rm -rf "$room"' EXIT
    # "CRATE other tests" for every folder of a commit that has Rust. Tests are files in folders of tests, files of tests, and what follows
    # `#[cfg(test)]` before a block to the end of a file, where modules of tests stand.
    count() { # COMMIT
        mkdir -p "$room/$1"
        git archive "$1" | tar -x -C "$room/$1"
        (cd "$room/$1" && find . -name '*.rs' -print0 | xargs -0 awk '
            FNR == 1 { split(FILENAME, at, "/"); crate = at[2]; in_tests = FILENAME ~ /\/tests\/|\/benches\/|tests\.rs$/; gate = 0 }
            /^#\[cfg\(test\)\]/ { gate = 1 }
            gate && /^mod .*\{$/ { in_tests = 1 }
            { if (in_tests) tests[crate]++; else other[crate]++; seen[crate] = 1 }
            END { for (crate in seen) print crate, other[crate] + 0, tests[crate] + 0 }
        ')
    }
    printf '%-14s %10s %10s %10s %10s\n' crate "${2:-}" "its tests" now tests
    { [ -z "${2:-}" ] || count "$2" | sed 's/^/before /'; count HEAD | sed 's/^/now /'; } | awk '
        { other[$1, $2] = $3; tests[$1, $2] = $4; rows[$2] = 1 }
        { other[$1, "workspace"] += $3; tests[$1, "workspace"] += $4; rows["workspace"] = 1 }
        END {
            for (row in rows) {
                printf "%-14s %10d %10d", row, other["before", row], tests["before", row]
                printf " %10d %10d\n", other["now", row], tests["now", row]
            }
        }' | sort
    ;;
less)
    # Other work grew the tree meanwhile, so that two totals say nothing of a simplification: its own commits do. Blank lines and comments don't
    # count, and a change of rustfmt's settings is apart, because it makes lines fewer and nothing simpler.
    while read -r commit kind; do
        case $commit in '#'* | '') continue ;; esac
        git show --format= --unified=0 --no-color -M "$commit" -- '*.rs' | awk -v kind="${kind:-simpler}" '
            /^(\+\+\+|---) / { if ($2 != "/dev/null") { path = substr($2, 3); split(path, at, "/"); crate = at[1] } next }
            /^[-+]/ { text = substr($0, 2); gsub(/^[ \t]+/, "", text); if (text != "" && text !~ /^\/\//) print kind, crate, substr($0, 1, 1) }
        '
    done < checks/simplifications.txt | awk '
        { sum[$1, $2, $3]++; sum[$1, "all", $3]++; rows[$1 " " $2]; rows[$1 " all"] }
        END {
            for (row in rows) {
                split(row, at, " ")
                printf "%-8s %-14s +%-6d -%-6d %+d\n", at[1], at[2], sum[at[1], at[2], "+"], sum[at[1], at[2], "-"], sum[at[1], at[2], "+"] - sum[at[1], at[2], "-"]
            }
        }' | sort
    ;;
speed)
    python3 - "${2:?the program of another build}" "${4:-$root/target/release/morta}" "${3:-10}" << 'PYTHON'
import json, math, re, resource, shutil, statistics, subprocess, sys, tempfile, time

old, new, pairs = sys.argv[1], sys.argv[2], int(sys.argv[3])

def run(program, arguments, before=()):
    """Rate by the clock (golem-ticks a second where the program counts them, else runs), the same by processor, and what was written beside."""
    with tempfile.TemporaryDirectory() as room:
        begun, used = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [*before, program, *arguments, "--out", room + "/out", "--json"]
        done = subprocess.run(command, capture_output=True, text=True)
        took, after = time.monotonic() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode != 0:
            sys.exit(done.stderr)
    processor = after.ru_utime - used.ru_utime + after.ru_stime - used.ru_stime
    report = json.loads(done.stdout.strip().splitlines()[-1])
    # Builds may live other lives, so their times are those of other numbers of golem-ticks. A sweep's report has none.
    rate = report.get("golem_ticks_per_s")
    lived = rate * report["wall_s"] if rate else 1
    return rate or 1 / took, lived / processor, done.stderr

def quantile(freedom):
    """The two-sided .975 point of Student's t, by the first term of Cornish and Fisher's expansion: off by .5 % at 9 degrees of freedom."""
    return 1.96 + (1.96**3 + 1.96) / (4 * freedom)

ways = {
    "quickstart": ["run", "scenarios/quickstart.toml", "--ticks", "20000"],
    "synthetic": ["run", "scenarios/synthetic.toml"],
    "gold sweep": ["sweep", "scenarios/experiments/memory-arena-gold.toml", "--profile", "smoke"],
}
for name, arguments in ways.items():
    run(old, arguments), run(new, arguments)
    ratios = {"by the clock": [], "by processor": []}
    for pair in range(pairs):
        # Turns change, so that a machine that slows down wrongs neither.
        first, second = (old, new) if pair % 2 == 0 else (new, old)
        rates = {}
        rates[first], rates[second] = run(first, arguments), run(second, arguments)
        for by, before, now in zip(ratios, rates[old], rates[new]):
            ratios[by].append(math.log(now / before))
    for by, logs in ratios.items():
        mean, spread = statistics.mean(logs), statistics.stdev(logs) / math.sqrt(pairs)
        t = quantile(pairs - 1)
        low, high = math.exp(mean - t * spread), math.exp(mean + t * spread)
        print(f"{name:12} {by:13} new/old {math.exp(mean):.3f} [{low:.3f}, {high:.3f}], {pairs} pairs", flush=True)
# Other work of the machine moves these counts little; threads that wait for one another add some per cent.
if shutil.which("valgrind"):
    tool = ["valgrind", "--tool=cachegrind", "--cache-sim=yes", "--branch-sim=yes", "--cachegrind-out-file=/dev/null"]
    for program in (old, new):
        log = run(program, ["run", "scenarios/quickstart.toml"], tool)[2]
        of = {name: re.search(f"{name}: +([0-9,]+)", log)[1].replace(",", "") for name in ("I +refs", "D1 +misses", "Mispredicts")}
        counts = ", ".join(f"{re.sub(' [+]', ' ', name)} {int(count) / 1e6:.1f} M" for name, count in of.items())
        print(f"quickstart   {counts}: {program}")
PYTHON
    ;;
*)
    sed -n '2,9p' "$0" | cut -c3-
    exit 2
    ;;
esac
