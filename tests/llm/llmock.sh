#!/usr/bin/env bash
# Morta's client judged by others: llmock (PyPI) answers 150 calls, fails three of ten with status 429 and one of ten with 500, watches how it is asked
# again, and must find no error.
#
# It may warn of `no_backoff`: it calls two pauses constant when the second isn't a tenth longer than the first, which full jitter makes of some.
#
# Where there is no Python, pip or network it says SKIPPED and why, and ends with 0; CI_NEEDS_LLM=1 makes that an error.
#
#   LLMOCK_VENV  where the virtual environment is, or is made (default: target/llmock-venv)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
venv=${LLMOCK_VENV:-$here/../../target/llmock-venv}

skip() {
    echo "SKIPPED: $1" >&2
    exit "${CI_NEEDS_LLM:-0}"
}

if [ ! -e "$venv/ready" ]; then
    command -v python3 > /dev/null || skip "there is no python3"
    rm -rf "$venv"
    python3 -m venv "$venv" || skip "python3 can't make virtual environments"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check llmock==0.2.2 ||
        skip "PyPI can't be reached, or has no wheel for this machine"
    touch "$venv/ready"
fi

room=$(mktemp -d)
port=$("$venv/bin/python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
url=http://127.0.0.1:$port
"$venv/bin/llmock" serve --host 127.0.0.1 --port "$port" --error-rate-429 .3 --error-rate-500 .1 --log-level warning > "$room/log" 2>&1 &
server=$!
trap 'kill "$server" 2> /dev/null || true; wait "$server" 2> /dev/null || true; rm -rf "$room"' EXIT
for _ in $(seq 300); do
    "$venv/bin/python" -c "import urllib.request as r; r.urlopen('$url/health')" 2> /dev/null && break
    kill -0 "$server" 2> /dev/null || { tail -n 20 "$room/log" >&2; exit 1; }
    sleep 0.1
done
LLMOCK_URL=$url/v1 cargo test --workspace --lib -- --ignored --exact run::model_endpoint::tests::calls_get_through_to_a_server_that_fails | tee "$room/tests"
# A name that no test has selects none, and nothing would have been judged.
grep -q "^test result: ok. 1 passed" "$room/tests"
"$venv/bin/llmock" report --url "$url"
