#!/usr/bin/env bash
# The memories' MCP servers, used by the official clients over standard input and output and over streamable HTTP: Python's from PyPI, TypeScript's and
# the inspector's command line from npm; and held against the official conformance suite.
#
#   tools/tests/mcp/clients.sh MORTA_MEMORY
#
# Installs them under target/ where it can; says SKIPPED where there is no Python, no node, or no registry.
set -euo pipefail
[ $# -eq 1 ] || { echo "usage: $0 MORTA_MEMORY" >&2; exit 2; }
memory=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
target=$(cd "$here/../../.." && pwd)/target

venv=$target/mcp-venv
if [ -e "$venv/ready" ] || { command -v python3 > /dev/null && python3 -m venv "$venv" && "$venv/bin/pip" install -q "mcp==1.*" && touch "$venv/ready"; } > /dev/null 2>&1; then
    "$venv/bin/python" "$here/client.py" "$memory"
else
    echo "mcp: the Python client SKIPPED, there is no Python, or nothing can be installed"
fi

node=$target/mcp-node
if [ -e "$node/ready" ] || { command -v npm > /dev/null && mkdir -p "$node" && npm install --silent --no-fund --no-audit --prefix "$node" @modelcontextprotocol/sdk@1 @modelcontextprotocol/inspector@0 && touch "$node/ready"; } > /dev/null 2>&1; then
    cp "$here/client.mjs" "$node/client.mjs"
    node "$node/client.mjs" "$memory"
    room=$(mktemp -d)
    inspect() { "$node/node_modules/.bin/mcp-inspector" --cli "$@"; }
    # --cli and the tool's arguments as a person types them.
    trade=(--method tools/call --tool-name remember_trade
        --tool-arg symbol=XAUUSD direction=long entry_price=2000 exit_price=2010 pnl_r=1 strategy_name=breakout)
    inspect "$memory" owm serve "$room/store" "${trade[@]}" | grep -q '"trades": 1'
    inspect "$memory" owm serve "$room/store" --method tools/list | grep -q recall_memories
    "$memory" owm serve "$room/store" --http > "$room/said" &
    server=$!
    trap 'kill $server 2> /dev/null || true; rm -rf "$room"' EXIT
    until [ -s "$room/said" ]; do sleep 0.1; done
    url=$(awk '{ print $NF; exit }' "$room/said")
    inspect "$url" --transport http "${trade[@]}" | grep -q '"trades": 1'
    inspect "$url" --transport http --method tools/call --tool-name get_agent_state | grep -q '"episodes": 2'
    version=$(node -p "require('$node/node_modules/@modelcontextprotocol/inspector/package.json').version")
    echo "mcp: the inspector's command line $version has remembered trades over standard input and output and over streamable HTTP"
    # Only what every server can be asked: the other scenarios call tools of a server made for the suite (test_simple_text and so on).
    conformance() {
        timeout 60 "$suite/node_modules/.bin/conformance" server --url "$1" --scenario "$2" -o "$room/conformance" > "$room/said-of-it" 2>&1 ||
            { echo "mcp: the conformance suite's $2 has failed at $1:"; cat "$room/said-of-it"; exit 1; } >&2
    }
    # The last version that runs on node 20; its newest needs 22.
    suite=$target/mcp-conformance-0.1.13
    if [ -e "$suite/ready" ] || { mkdir -p "$suite" && npm install --silent --no-fund --no-audit --prefix "$suite" @modelcontextprotocol/conformance@0.1.13 && touch "$suite/ready"; } > /dev/null 2>&1; then
        mkdir -p "$room/dreaming" "$room/ws/memory"
        for scenario in server-initialize ping tools-list resources-list prompts-list dns-rebinding-protection; do
            conformance "$url" "$scenario"
        done
        for flags in "dark-pawns serve $room/dreaming" "openclaw serve $room/ws"; do
            # shellcheck disable=SC2086 # the flags are words
            "$memory" $flags --http > "$room/said-too" &
            other=$!
            trap 'kill $server $other 2> /dev/null || true; rm -rf "$room"' EXIT
            until [ -s "$room/said-too" ]; do sleep 0.1; done
            for scenario in tools-list resources-list prompts-list; do
                conformance "$(awk '{ print $NF; exit }' "$room/said-too")" "$scenario"
            done
            kill $other
            rm "$room/said-too"
        done
        echo "mcp: the official conformance suite 0.1.13 passes: server-initialize, ping, dns-rebinding-protection, and the lists of all three servers"
    else
        echo "mcp: the conformance suite SKIPPED, nothing can be installed"
    fi
else
    echo "mcp: the TypeScript client, the inspector and the conformance suite SKIPPED, there is no node, or nothing can be installed"
fi
