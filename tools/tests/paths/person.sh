#!/usr/bin/env bash
# A person's path through each of the three memories, at the size of years, with times: ten thousand trades are imported, recalled from and validated; a
# month of searches is lived on a workspace; a hundred sessions of logs are dreamt over, night by night, and told at login.
#
#   tools/tests/paths/person.sh MORTA_MEMORY
#
# The inputs are made up by the scripts beside it, and are the same everywhere.
set -euo pipefail
[ $# -eq 1 ] || { echo "usage: $0 MORTA_MEMORY" >&2; exit 2; }
memory=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
cd "$room"
TIMEFORMAT=%R

# What is done in how many seconds; what is printed goes into a file.
timed() {
    local into=$1 seconds
    shift
    seconds=$( { time "$memory" "$@" > "$into" 2> notes; } 2>&1 ) || { cat notes >&2; exit 1; }
    printf '%7s s  morta-memory %s\n' "$seconds" "$*"
}
# Fails unless a file says something.
says() { grep -qe "$2" "$1" || { echo "$1 doesn't say $2:" >&2; head -30 "$1" >&2; exit 1; }; }

awk -v trades=10000 -f "$here/trades.awk" > trades.csv
echo '{ "symbol": "XAUUSD", "strategy_name": "breakout", "limit": 3, "query_context": { "regime": "volatile", "session": "london" } }' > now.json
timed imported owm import store trades.csv
says imported '"trades": 10000'
says imported '"skipped": 0'
says imported '"forgotten": 0'
timed recalled owm recall now.json --store store
timed whole owm recall now.json --store store --whole
says whole '"id"'
timed state owm state store
says state '"episodes": 10000'
timed validated owm validate --trades trades.csv
says validated '^H4 '
timed exported owm export store
[ "$(wc -l < exported)" -eq 10000 ]

mkdir -p ws/memory
awk -v ws=ws -v a_day=40 -f "$here/searches.awk" > searches.jsonl
timed lived openclaw live ws --searches searches.jsonl --until 2026-05-01T00:00:00Z
says lived '^1200 searches recorded, 1200 recalls, 0 lines skipped; 152 runs, 0 failed'
timed status openclaw status ws/memory/.dreams/short-term-recall.json --deep
timed page openclaw page ws --out dreams.html
says ws/MEMORY.md '^- '
echo "           $(grep -c '^- ' ws/MEMORY.md) facts in MEMORY.md, of 300 noted"

mkdir -p data/sessions/ada
awk -v sessions=100 -v logs=data/sessions/ada -f "$here/sessions.awk"
timed dreamt dark-pawns dream --agent ada --nightly
says dreamt 'Sessions read:    100'
timed login dark-pawns login --agent ada
says login '^{"type":"memory_summary","summary":"## Memory'
timed salience dark-pawns salience --agent ada
says salience 'half-life of 3 over 1'
timed notes-of-ada dark-pawns notes --agent ada
sed -n '3,7p' dreamt | sed 's/^/         /'
