#!/usr/bin/env bash
# The figures of the Python package: what a call of a memory costs, golem-ticks a second, growth over 1,000 runs, digests in threads and
# processes, and what a sweep gains by processes.
#
#   checks/python.sh LIBRARY [costs|growth|digests|processes]...
#
# LIBRARY is the extension, target/release/lib_morta.so after `cargo build --release -p morta-python --lib`. PYTHON names the interpreter
# (python3), which needs no packages for this. Figures of a build before: its own LIBRARY, its own `python/morta` in PACKAGE, and `costs`.
set -euo pipefail
[ $# -ge 1 ] || { echo "usage: $0 LIBRARY [costs|growth|digests|processes]..." >&2; exit 2; }
library=$(realpath "$1")
shift
here=$(cd "$(dirname "$0")/.." && pwd)
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
cp -rL "${PACKAGE:-$here/python/morta}" "$room/morta"
cp "$library" "$room/morta/_morta.abi3.so"
# The tests' own modules are imported without pytest.
mkdir "$room/pytest"
echo "mark = type('Mark', (), {'parametrize': lambda *_, **__: (lambda test: test)})" >"$room/pytest/__init__.py"
PYTHONPATH=$room PYTHONDONTWRITEBYTECODE=1 "${PYTHON:-python3}" "$here/python/tests/figures.py" "$@"
