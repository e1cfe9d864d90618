#!/usr/bin/env bash
# The wheel and the source distribution of the Python package, into python/dist. One wheel serves Python 3.9 and later. Beyond the machine it was built
# on it serves where the libc is as new; for older ones hand maturin's flags on: python/wheels.sh --zig --compatibility manylinux_2_28
# A free-threaded interpreter gets a wheel of its own version, since there is no abi3 for it before 3.15: python/wheels.sh -i python3.14t (which nobody has tried yet).
set -euo pipefail
cd "$(dirname "$0")"
command -v maturin >/dev/null || { echo "maturin is missing: pip install maturin" >&2; exit 2; }
rm -rf dist
maturin build --release --out dist "$@"
maturin sdist --out dist
ls -l dist
