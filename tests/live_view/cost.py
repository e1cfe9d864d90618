"""What it costs a world to be looked at.

    python3 tests/live_view/cost.py PATH_OF_MORTA speed [ROUNDS]      golem-ticks a second unwatched, with no viewer, one, and fifty
    python3 tests/live_view/cost.py PATH_OF_MORTA memory [SECONDS]    a world whose viewers come and go, beside the same world without

Equal runs differ by a tenth on a busy machine, so every figure of speed is a ratio within a round, whose arms are run in a drawn order; the
interval is that of the median over rounds (bootstrap, 95 %). Memory grows with a world, so it is held against that of a world at the same tick.
"""

import json
import pathlib
import random
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

SCENARIO = pathlib.Path(__file__).parents[2] / "scenarios/quickstart.toml"
# Long enough for the start of a process to weigh little.
TICKS = "12000"
# Those of quickstart, all slots filled again.
GOLEMS = 64
ARMS = {"run --plain": None, "no viewer": 0, "1 viewer": 1, "50 viewers": 50}
RESAMPLES = 4000
# Ticks a second of the two worlds whose memory is compared: an hour of them is six times quickstart, and there are bars for nine.
PACE = 10


def watched(morta, out, *flags):
    arguments = [morta, "watch", SCENARIO, "--out", out, "--paused", *flags]
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return process, int(re.search(r":(\d+)/", process.stdout.readline()).group(1))


def look(port, until):
    """Reads what a viewer is sent, until that is over."""
    with socket.create_connection(("127.0.0.1", port)) as viewer:
        viewer.sendall(f"GET /states HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        viewer.settimeout(0.2)
        while not until():
            try:
                if not viewer.recv(1 << 16):
                    return
            except TimeoutError:
                pass
            except ConnectionError:
                return


def control(port, wish):
    body = json.dumps(wish).encode()
    with socket.create_connection(("127.0.0.1", port)) as asking:
        head = f"POST /control HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        asking.sendall(head.encode() + body)
        assert b" 204 " in asking.recv(1 << 12)


def seconds(morta, viewers):
    """How long a world takes from its first tick on, `viewers` looking on; None for one that nobody could look at."""
    with tempfile.TemporaryDirectory() as room:
        if viewers is None:
            arguments = [morta, "run", SCENARIO, "--ticks", TICKS, "--plain", "--out", f"{room}/run"]
            begun = time.monotonic()
            subprocess.run(arguments, capture_output=True, check=True)
            return time.monotonic() - begun
        process, port = watched(morta, f"{room}/run", "--ticks", TICKS, "--until-end")
        threads = [threading.Thread(target=look, args=(port, lambda: False)) for _ in range(viewers)]
        for thread in threads:
            thread.start()
        time.sleep(0.5)
        begun = time.monotonic()
        control(port, {"do": "go"})
        process.communicate()
        took = time.monotonic() - begun
        for thread in threads:
            thread.join()
        return took


def interval(ratios):
    medians = sorted(statistics.median(random.choices(ratios, k=len(ratios))) for _ in range(RESAMPLES))
    return medians[RESAMPLES * 25 // 1000], medians[RESAMPLES * 975 // 1000]


def speed(morta, rounds):
    times = {arm: [] for arm in ARMS}
    for _ in range(rounds):
        for arm in random.sample(list(ARMS), len(ARMS)):
            times[arm].append(seconds(morta, ARMS[arm]))
    print(f"{rounds} rounds of {TICKS} ticks; rates against no viewer, within rounds")
    for arm, found in times.items():
        ratios = [usual / took for usual, took in zip(times["no viewer"], found)]
        low, high = interval(ratios)
        rate = GOLEMS * int(TICKS) / statistics.median(found)
        print(f"{arm:12} {rate:12.0f} golem-ticks/s  {statistics.median(ratios):.3f} [{low:.3f}, {high:.3f}]")


def status(process):
    told = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", told).group(1)) / 1024, int(re.search(r"Threads:\s+(\d+)", told).group(1))


def visit(port):
    """Up to twenty viewers who stay for up to two seconds each."""
    threads = []
    for _ in range(random.randint(1, 20)):
        leave = time.monotonic() + random.uniform(0, 2)
        threads.append(threading.Thread(target=look, args=(port, lambda leave=leave: time.monotonic() > leave)))
        threads[-1].start()
    for thread in threads:
        thread.join()
    return len(threads)


def memory(morta, seconds):
    with tempfile.TemporaryDirectory() as room:
        flags = ["--ticks", str(int(PACE * seconds * 1.1) + PACE), "--ticks-per-second", str(PACE)]
        worlds = [watched(morta, f"{room}/{name}", *flags) for name in ["visited", "alone"]]
        for _, port in worlds:
            control(port, {"do": "go"})
        begun, came, told = time.monotonic(), 0, []
        while time.monotonic() < begun + seconds:
            came += visit(worlds[0][1])
            told.append([time.monotonic() - begun] + [status(process) for process, _ in worlds])
        for process, _ in worlds:
            process.kill()
            process.wait()
    print(f"{came} viewers came and went in {seconds:.0f} s, {PACE} ticks a second")
    print("minutes  visited MB (threads)  alone MB (threads)  difference MB")
    for tenth in range(10):
        part = told[len(told) * tenth // 10 : len(told) * (tenth + 1) // 10] or told[-1:]
        (visited, threads), (alone, others) = ([statistics.mean(row[at][n] for row in part) for n in (0, 1)] for at in (1, 2))
        print(f"{part[-1][0] / 60:7.1f} {visited:12.1f} ({threads:.0f}) {alone:15.1f} ({others:.0f}) {visited - alone:14.1f}")


def main():
    morta, what = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    much = float(sys.argv[3]) if len(sys.argv) > 3 else None
    if what == "speed":
        speed(morta, int(much or 20))
    else:
        memory(morta, much or 3600)


main()
