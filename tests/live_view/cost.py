"""What it costs a world to be looked at: seconds for a world with no viewer, one and fifty, in turns, and the memory of a server whose viewers come and go.

    python3 tests/live_view/cost.py PATH_OF_MORTA [SECONDS_OF_COMING_AND_GOING]
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
ROUNDS = 5
# Long enough for the start of a process to weigh nothing.
TICKS = "40000"


def watched(morta, out, *flags):
    arguments = [morta, "watch", SCENARIO, "--out", out, "--paused", *flags]
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return process, int(re.search(r":(\d+)/", process.stdout.readline()).group(1))


def look(port, until):
    """Reads what a viewer is sent, until that is over."""
    with socket.create_connection(("127.0.0.1", port)) as viewer:
        viewer.sendall(f"GET /events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
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
    with tempfile.TemporaryDirectory() as room:
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


def unwatched(morta):
    with tempfile.TemporaryDirectory() as room:
        arguments = [morta, "run", SCENARIO, "--ticks", TICKS, "--plain", "--out", f"{room}/run"]
        begun = time.monotonic()
        subprocess.run(arguments, capture_output=True, check=True)
        return time.monotonic() - begun


def resident_mb(process):
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) / 1024


def coming_and_going(morta, seconds):
    with tempfile.TemporaryDirectory() as room:
        process, port = watched(morta, f"{room}/run", "--ticks-per-second", "20")
        control(port, {"do": "go"})
        end = time.monotonic() + seconds
        came, memory = 0, []
        while time.monotonic() < end:
            threads = []
            for _ in range(random.randint(1, 20)):
                leave = time.monotonic() + random.uniform(0, 2)
                threads.append(threading.Thread(target=look, args=(port, lambda leave=leave: time.monotonic() > leave)))
                threads[-1].start()
                came += 1
            for thread in threads:
                thread.join()
            memory.append(resident_mb(process))
        process.kill()
        process.wait()
        third = max(1, len(memory) // 3)
        print(f"{came} viewers came and went in {seconds:.0f} s: {statistics.mean(memory[:third]):.1f} MB in the first third, {statistics.mean(memory[-third:]):.1f} MB in the last")


def main():
    morta = pathlib.Path(sys.argv[1]).resolve()
    times = {name: [] for name in ["unwatched", 0, 1, 50]}
    for _ in range(ROUNDS):
        for name, found in times.items():
            found.append(unwatched(morta) if name == "unwatched" else seconds(morta, name))
    usual = statistics.median(times["unwatched"])
    for name, found in times.items():
        label = "unwatched, plain loop" if name == "unwatched" else f"{name} viewers"
        print(f"{label:24} {statistics.median(found):8.2f} s [{min(found):.2f}, {max(found):.2f}]  {100 * (statistics.median(found) / usual - 1):+.1f} %")
    if len(sys.argv) > 2:
        coming_and_going(morta, float(sys.argv[2]))


main()
