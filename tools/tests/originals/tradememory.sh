#!/usr/bin/env bash
# TradeMemory's own tests of outcome-weighted memory, held by Morta; and its recall and stakes beside Morta's on random memories.
#
#   tools/tests/originals/tradememory.sh MORTA_MEMORY
#
# The package and its tests come from PyPI, and nothing of either is kept here. Says SKIPPED where there is no Python, or nothing can be installed.
set -euo pipefail
[ $# -eq 1 ] || { echo "usage: $0 MORTA_MEMORY" >&2; exit 2; }
MORTA_MEMORY=$(realpath "$1")
export MORTA_MEMORY
here=$(cd "$(dirname "$0")" && pwd)
version=0.5.6
room=$(cd "$here/../../.." && pwd)/target/tradememory-$version

install() {
    python3 -m venv "$room/venv"
    "$room/venv/bin/pip" install -q "tradememory-protocol==$version" pytest
    "$room/venv/bin/pip" download -q --no-deps --no-binary :all: -d "$room" "tradememory-protocol==$version"
    tar -xzf "$room"/tradememory_protocol-$version.tar.gz -C "$room"
    touch "$room/ready"
}
if ! { [ -e "$room/ready" ] || { command -v python3 > /dev/null && mkdir -p "$room" && install; }; } > /dev/null 2>&1; then
    echo "originals: TradeMemory SKIPPED, there is no Python, or nothing can be installed"
    exit
fi
cd "$room/tradememory_protocol-$version/tests"
PYTHONPATH=$here "$room/venv/bin/python" -m pytest -q -p tradememory_by_morta -p no:cacheprovider -W ignore -c /dev/null --rootdir . \
    test_owm_{recall,context,kelly,prospective,affective,decay}.py | tail -1 | sed "s/^/originals: TradeMemory $version, of its own tests: /"
PYTHONPATH=$here "$room/venv/bin/python" "$here/tradememory_beside.py"
