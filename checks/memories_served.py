#!/usr/bin/env python3
"""Figures of the memories as tools: how long a recall and a trade take over MCP at ten thousand trades, beside the disk's own flush; a thousand trades at once
over HTTP; twenty servers on one store; and kills.

    checks/memories_served.py MORTA_MEMORY [--trades 10000] [--kills 1000]
"""
import argparse, concurrent.futures, json, os, pathlib, random, signal, subprocess, tempfile, threading, time, urllib.request

parser = argparse.ArgumentParser()
parser.add_argument("program", type=pathlib.Path)
parser.add_argument("--trades", type=int, default=10_000)
parser.add_argument("--kills", type=int, default=1_000)
arguments = parser.parse_args()
program = str(arguments.program.resolve())
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "checks", "version": "1"}}


class Client:
    """A server over standard input and output."""

    def __init__(self, *flags):
        self.server = subprocess.Popen([program, *flags], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.asked = 0
        self.ask("initialize", HELLO)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.server.stdin.write(json.dumps(message) + "\n")
        self.server.stdin.flush()

    def ask(self, method, params):
        self.asked += 1
        self.send({"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params})
        return json.loads(self.server.stdout.readline())

    def call(self, tool, **given):
        result = self.ask("tools/call", {"name": tool, "arguments": given})["result"]
        assert not result.get("isError"), result
        return result["structuredContent"]

    def leave(self):
        self.server.stdin.close()
        self.server.wait()


def trade(number):
    win = number % 3 != 0
    return {"symbol": ["XAUUSD", "EURUSD"][number % 2], "strategy_name": ["breakout", "fade"][number // 2 % 2], "direction": "long",
            "entry_price": 2000.0 + number % 50, "pnl": 150.0 if win else -100.0, "pnl_r": 1.5 if win else -1.0,
            "context_regime": ["ranging", "volatile"][number // 40 % 2], "context_atr_d1": 20.0 + number % 9}


def said(name, times):
    times = sorted(times)
    at = lambda share: times[min(len(times) - 1, int(share * len(times)))] * 1e3
    print(f"{name:<36} p50 {at(.5):7.2f} ms   p99 {at(.99):7.2f} ms   most {times[-1] * 1e3:7.2f} ms   of {len(times)}")
    return at(.99)


def timed(times, act):
    begun = time.perf_counter()
    act()
    times.append(time.perf_counter() - begun)


def state(store):
    return json.loads(subprocess.run([program, "owm", "state", store], capture_output=True, check=True, text=True).stdout)


room = pathlib.Path(tempfile.mkdtemp(prefix="memories-", dir="."))
try:
    start = 1_600_000_000
    with open(room / "log.jsonl", "w") as log:
        for number in range(arguments.trades):
            log.write(json.dumps({"id": f"t{number}", "timestamp": start + 3_600 * number, **trade(number)}) + "\n")
    store = str(room / "store")
    subprocess.run([program, "owm", "remember", store, str(room / "log.jsonl")], check=True, stdout=subprocess.DEVNULL)

    client = Client("owm", "serve", store)
    client.call("get_agent_state")
    recalls, trades, flushes = [], [], []
    with open(room / "flushed", "ab") as alone:
        for number in range(1_000):
            timed(recalls, lambda: client.call("recall_memories", symbol="XAUUSD", strategy_name="breakout", market_context="gold goes sideways", limit=10))
            timed(trades, lambda: client.call("remember_trade", **trade(number)))

            def flush():
                alone.write(b"x" * 600)
                alone.flush()
                os.fdatasync(alone.fileno())
            timed(flushes, flush)
    print(f"one server, {arguments.trades} trades in the store:")
    said("  recall_memories, whole store", recalls)
    remembered = said("  remember_trade, flushed", trades)
    alone = said("  the flush alone (fdatasync)", flushes)
    print(f"  a trade takes {remembered / alone:.1f} times the flush at p99")
    client.leave()
    assert state(store)["episodes"] == arguments.trades + 1_000

    server = subprocess.Popen([program, "owm", "serve", str(room / "http"), "--http"], stdout=subprocess.PIPE, text=True)
    url = server.stdout.readline().split()[-1]

    def post(number):
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "remember_trade", "arguments": trade(number)}}
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        with urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode(), headers), timeout=120) as answer:
            text = answer.read().decode()
        return json.loads(text[text.index("{"):text.rindex("}") + 1])["result"].get("isError") is not True
    begun = time.perf_counter()
    with concurrent.futures.ThreadPoolExecutor(1_000) as pool:
        taken = sum(pool.map(post, range(1_000)))
    took = time.perf_counter() - begun
    server.send_signal(signal.SIGINT)
    server.wait()
    print(f"1,000 trades at once over HTTP: {taken} taken, {state(str(room / 'http'))['episodes']} in the store, {took:.1f} s")

    clients = [Client("owm", "serve", str(room / "many")) for _ in range(20)]
    begun = time.perf_counter()

    def work(client):
        for number in range(50):
            client.call("remember_trade", **trade(number))
    threads = [threading.Thread(target=work, args=(client,)) for client in clients]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    took = time.perf_counter() - begun
    [client.leave() for client in clients]
    print(f"20 servers on one store, 50 trades each: {state(str(room / 'many'))['episodes']} in the store, {took:.1f} s")

    luck = random.Random(1)
    killed = str(room / "killed")
    acknowledged = 0
    begun = time.perf_counter()
    for _ in range(arguments.kills):
        client = Client("owm", "serve", killed)
        wait = luck.random() * .02
        timer = threading.Timer(wait, client.server.kill)
        timer.start()
        try:
            for number in range(100):
                client.call("remember_trade", **trade(number))
                acknowledged += 1
        except (json.JSONDecodeError, BrokenPipeError, ValueError):
            pass
        timer.cancel()
        client.server.kill()
        client.server.wait()
    found = state(killed)["episodes"]
    # At each kill one trade may be on the disk whose answer didn't arrive.
    lost, unanswered = max(0, acknowledged - found), found - acknowledged
    print(f"{arguments.kills} kills while trades are remembered: {acknowledged} acknowledged, {lost} lost, {unanswered} on the disk unanswered, "
          f"{time.perf_counter() - begun:.0f} s")
finally:
    subprocess.run(["rm", "-rf", str(room)])
