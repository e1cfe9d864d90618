#!/usr/bin/env bash
# OpenClaw's own recall store, ranking and promotion beside Morta's, on months of random searches.
#
#   tools/tests/originals/openclaw.sh MORTA_MEMORY
#
# The package comes from npm (45 MB), is read as it is, and nothing of it is kept here. Says SKIPPED where there is no node, or nothing can be fetched.
set -euo pipefail
[ $# -eq 1 ] || { echo "usage: $0 MORTA_MEMORY" >&2; exit 2; }
memory=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
version=2026.4.5
room=$(cd "$here/../../.." && pwd)/target/openclaw-$version

fetch() {
    mkdir -p "$room"
    cd "$room"
    npm pack "openclaw@$version" --silent
    tar -xzf "openclaw-$version.tgz" package/dist package/package.json
    touch ready
}
if ! { [ -e "$room/ready" ] || { command -v npm && (fetch); }; } > /dev/null 2>&1; then
    echo "originals: OpenClaw SKIPPED, there is no node, or nothing can be fetched"
    exit
fi
cd "$room"
node "$here/openclaw.mjs" "$memory"
