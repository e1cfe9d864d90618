#!/usr/bin/env bash
# A sweep on two nodes of a real Slurm, one of which is killed in the middle: the same bytes as on one machine.
#
#   tests/cluster/slurm.sh MORTA SWEEP [FLAG...]      flags are those of `morta sweep` that choose a profile or seeds
#
# Controller, nodes and munge run on loopback with their own ports, keys and folders, as root, for as long as this does. Where Slurm isn't
# installed, it says SKIPPED and why, and ends with 0; CI_NEEDS_SLURM=1 makes that an error, INSTALL_SLURM=1 installs it (Debian: slurm-wlm, munge).
#
#   KILL_AFTER    units that are done before a node is killed (default 3)
#   UNIT_MINUTES  about how long a unit takes (default 0.02)
#   CRED_EXPIRE   seconds that Slurm holds back what it requeues, as long as its credentials last (default 15; Slurm's own is 120)
set -euo pipefail

skip() {
    echo "slurm: SKIPPED, $1"
    exit "${CI_NEEDS_SLURM:-0}"
}
[ $# -ge 2 ] || { echo "usage: $0 MORTA SWEEP [FLAG...]" >&2; exit 2; }
morta=$(realpath "$1") sweep=$(realpath "$2")
shift 2
[ "$(id -u)" = 0 ] || skip "its daemons are started as root"
if ! command -v slurmctld > /dev/null || ! command -v munged > /dev/null; then
    [ -n "${INSTALL_SLURM:-}" ] || skip "it isn't installed (INSTALL_SLURM=1 installs it, where there is apt-get)"
    command -v apt-get > /dev/null || skip "there is no apt-get"
    DEBIAN_FRONTEND=noninteractive apt-get install -y -q slurm-wlm munge > /dev/null 2>&1 || skip "apt-get can't install slurm-wlm"
fi

room=$(mktemp -d)
chmod 755 "$room"
pids=()
cleanup() {
    for pid in "${pids[@]}"; do kill -9 "$pid" 2> /dev/null || true; done
    pkill -9 -f "slurmstepd.*$room" 2> /dev/null || true
    rm -rf "$room"
}
trap cleanup EXIT

mkdir -p "$room"/{munge,state,spool-n1,spool-n2,log}
head -c 1024 /dev/urandom > "$room/munge/key"
chown -R munge "$room/munge" 2> /dev/null || true
chmod 700 "$room/munge"; chmod 600 "$room/munge/key"
run_as_munge() { if id munge > /dev/null 2>&1; then setpriv --reuid munge --regid munge --clear-groups "$@"; else "$@"; fi; }
run_as_munge munged --foreground --force --key-file="$room/munge/key" --socket="$room/munge/socket" \
    --pid-file="$room/munge/pid" --log-file="$room/munge/log" --seed-file="$room/munge/seed" > "$room/log/munged" 2>&1 &
pids+=($!)
chmod 711 "$room/munge"

host=$(hostname -s)
cat > "$room/slurm.conf" <<EOF
ClusterName=morta
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=16817
AuthType=auth/munge
AuthInfo=socket=$room/munge/socket,cred_expire=${CRED_EXPIRE:-15}
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$room/state
SlurmdSpoolDir=$room/spool-%n
SlurmctldPidFile=$room/slurmctld.pid
SlurmdPidFile=$room/slurmd-%n.pid
SlurmctldLogFile=$room/log/slurmctld
SlurmdLogFile=$room/log/slurmd-%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdTimeout=10
SlurmctldTimeout=10
JobRequeue=1
ReturnToService=2
MaxArraySize=10001
MaxJobCount=20000
SchedulerParameters=sched_interval=1,batch_sched_delay=1,max_rpc_cnt=0
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=17001 CPUs=1 State=UNKNOWN
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=17002 CPUs=1 State=UNKNOWN
PartitionName=main Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
EOF
export SLURM_CONF=$room/slurm.conf
slurmctld -D -c > "$room/log/ctld-out" 2>&1 &
pids+=($!)
for node in n1 n2; do
    setsid slurmd -D -N "$node" > "$room/log/$node-out" 2>&1 &
    pids+=($!)
    eval "$node=$!"
done
for _ in $(seq 100); do
    [ "$(sinfo -h -o '%T %D' 2> /dev/null | awk '$1 == "idle" { n += $2 } END { print n + 0 }')" = 2 ] && break
    sleep 0.3
done
if [ "$(sinfo -h -t idle -o '%D' 2> /dev/null | awk '{ n += $1 } END { print n + 0 }')" != 2 ]; then
    sinfo || true
    tail -n 20 "$room"/log/* >&2
    echo "error: the nodes don't come up" >&2
    exit 1
fi

began=$(date +%s.%N)
"$morta" sweep "$sweep" "$@" --out "$room/local" --jobs 2 > "$room/local.txt"
local_s=$(echo "$(date +%s.%N) - $began" | bc)

began=$(date +%s.%N)
"$morta" sweep "$sweep" "$@" --out "$room/shared" --submit slurm --unit-minutes "${UNIT_MINUTES:-0.02}" > "$room/shared.txt" &
submitted=$!
units_there() { find "$room/shared/units" -name '*.tar' 2> /dev/null | wc -l || true; }
for _ in $(seq 1200); do
    [ "$(units_there)" -ge "${KILL_AFTER:-3}" ] && break
    sleep 0.1
done
there=$(units_there)
# The whole node: its daemon, then whoever watches over a task, then the task: a watcher that outlives its task would tell that it failed.
kill -9 "$n2" 2> /dev/null || true
of_n2=()
for process in $(pgrep -f "$room/shared|slurm_script" || true); do
    grep -qz "SLURMD_NODENAME=n2" "/proc/$process/environ" 2> /dev/null && of_n2+=("$process")
done
for process in "${of_n2[@]}"; do
    parent=$process
    while parent=$(ps -o ppid= -p "$parent" | tr -d ' ') && [ -n "$parent" ] && [ "$parent" -gt 1 ]; do
        ps -o args= -p "$parent" | grep -q slurmstepd && kill -9 "$parent" 2> /dev/null || true
    done
done
for process in "${of_n2[@]}"; do kill -9 "$process" 2> /dev/null || true; done
echo "slurm: node n2 killed with $there units done"
code=0
wait "$submitted" || code=$?
slurm_s=$(echo "$(date +%s.%N) - $began" | bc)
if [ "$code" != 0 ]; then
    cat "$room/shared.txt"
    squeue || true
    tail -n 30 "$room/log/slurmctld" >&2
    exit 1
fi
for table in results.csv results.parquet series.parquet lives.parquet analysis.json sweep.json; do
    if [ -e "$room/local/$table" ] || [ -e "$room/shared/$table" ]; then
        cmp "$room/local/$table" "$room/shared/$table"
    fi
done
units=$(find "$room/shared/units" -name '*.tar' | wc -l)
cells=$(($(wc -l < "$room/shared/timings.csv") - 1))
hosts=$(tail -n +2 "$room/shared/timings.csv" | cut -d, -f8 | sort | uniq -c | tr -s ' \n' ' ')
again=$(awk -F, 'NR > 1 && $9 > 0' "$room/shared/timings.csv" | wc -l)
echo "slurm: $units units, $cells cells, the same bytes; engine:$hosts; $again cells by units that had begun anew; $slurm_s s, on one machine $local_s s"
