#!/usr/bin/env bash
# The figures of the memories on people's own files: their tests, what a server takes and loses, a person's path at the size of years, and the originals' own suites.
#
#   checks/memories.sh MORTA_MEMORY [KILLS]
set -euo pipefail
[ $# -ge 1 ] || { echo "usage: $0 MORTA_MEMORY [KILLS]" >&2; exit 2; }
memory=$(realpath "$1")
here=$(cd "$(dirname "$0")/.." && pwd)
for report in "$here"/tools/tests/reports/*.md; do
    printf '%4d public reports and files in %s\n' "$(($(grep -c '^|' "$report") - 2))" "${report#"$here"/}"
done
python3 "$here/checks/memories_served.py" "$memory" --kills "${2:-1000}"
"$here/tools/tests/paths/person.sh" "$memory"
"$here/tools/tests/originals/tradememory.sh" "$memory"
"$here/tools/tests/originals/openclaw.sh" "$memory"
"$here/tools/tests/mcp/clients.sh" "$memory"
