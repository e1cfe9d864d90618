"""The live view in a real browser: Chromium by its own driver, spoken to in the W3C's WebDriver protocol with Python's standard library.

    python3 tests/live_view/browser.py PATH_OF_MORTA [FOLDER_FOR_SCREENSHOTS]

Says SKIPPED, and ends with 0, where there is no chromedriver; CI_NEEDS_BROWSER=1 makes that an error.
"""

import base64
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

PATIENCE_S = 60


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def until(what, look):
    """What `look` returns, once that is something."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        found = look()
        if found:
            return found
        time.sleep(0.1)
    raise AssertionError(f"waited {PATIENCE_S} s in vain: {what}")


class Browser:
    def __init__(self, width, height):
        self.port = free_port()
        self.driver = subprocess.Popen(["chromedriver", f"--port={self.port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.session = None
        until("the driver", self.answers)
        flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--window-size={width},{height}"]
        asked = {"capabilities": {"alwaysMatch": {"goog:chromeOptions": {"args": flags}, "goog:loggingPrefs": {"browser": "ALL"}}}}
        self.session = self.ask("POST", "/session", asked)["sessionId"]
        if width < 500:
            # A window can't be made as narrow as a telephone; what is shown in it can.
            metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": True}
            self.devtools("Emulation.setDeviceMetricsOverride", metrics)

    def answers(self):
        try:
            return self.ask("GET", "/status")["ready"]
        except (urllib.error.URLError, ConnectionError):
            return False

    def ask(self, method, path, body=None):
        path = path if self.session is None else f"/session/{self.session}{path}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as reply:
            return json.load(reply)["value"]

    def devtools(self, command, parameters):
        return self.ask("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def go(self, url):
        self.ask("POST", "/url", {"url": url})

    def run(self, script, *arguments):
        return self.ask("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0])?.textContent ?? ''", selector)

    def click(self, selector):
        self.run("document.querySelector(arguments[0]).click()", selector)

    def picture(self, file):
        height = self.run("return document.documentElement.scrollHeight")
        width = self.run("return innerWidth")
        clip = {"x": 0, "y": 0, "width": width, "height": min(height, 6000), "scale": 1}
        shot = self.devtools("Page.captureScreenshot", {"captureBeyondViewport": True, "clip": clip})
        file.write_bytes(base64.b64decode(shot["data"]))

    def complaints(self):
        return [entry["message"] for entry in self.ask("POST", "/se/log", {"type": "browser"}) if entry["level"] == "SEVERE"]

    def close(self):
        if self.session is not None:
            self.ask("DELETE", "")
        self.driver.terminate()
        self.driver.wait()


class World:
    """A world that is watched."""

    def __init__(self, morta, room, port=0, *flags):
        scenario = pathlib.Path(__file__).parents[2] / "scenarios/quickstart.toml"
        arguments = [morta, "watch", scenario, "--ticks", "3000", "--out", room, "--port", str(port), *flags]
        self.process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.url = self.process.stdout.readline().split()[-1]

    def end(self, how=signal.SIGINT):
        self.process.send_signal(how)
        return self.process.wait(PATIENCE_S)


def tick(browser):
    return int(browser.run("return state === null ? -1 : state.tick"))


def branch(browser, change, at=None):
    """As a person does who types a change, and a tick if it is another than the last."""
    if at is not None:
        browser.run("const at = document.querySelector('#at'); at.value = arguments[0]; at.dispatchEvent(new Event('input'))", at)
    browser.run("document.querySelector('#set').value = arguments[0]", change)
    browser.click("#branch button")


def check(morta, browser, room, pictures):
    world = World(morta, room / "run", 0, "--paused")
    try:
        browser.go(world.url)
        until("the first state", lambda: tick(browser) == 1)
        assert browser.text("#status") == "paused"
        browser.click("#step")
        until("one step", lambda: tick(browser) == 2)
        time.sleep(0.5)
        assert tick(browser) == 2, "it waits after a step"
        browser.run("document.querySelector('#speed').value = '100'; document.querySelector('#speed').dispatchEvent(new Event('change'))")
        browser.click("#pause")
        until("it goes on", lambda: tick(browser) > 20)
        assert browser.text("#pause") == "Pause"
        browser.run("document.querySelector('#speed').value = ''; document.querySelector('#speed').dispatchEvent(new Event('change'))")
        until("dreamers", lambda: browser.run("return state.series.cohorts.some(cohort => cohort.dreaming.some(n => n > 0))"))
        browser.click("#pause")
        until("it is held up", lambda: browser.text("#status") == "paused")
        browser.picture(pictures / f"live-{browser.width}.png")
        # Branched while it is held up, from the tick it is at.
        here = tick(browser) - 1
        assert browser.run("return document.querySelector('#at').value") == str(here)
        branch(browser, "mortality.hazard_scale=5000")
        until("the branch", lambda: "written to" in browser.text("#branches"))
        assert f"branch 1 from tick {here}" in browser.text("#branches"), browser.text("#branches")
        assert browser.text("#status") == "paused"
        browser.picture(pictures / f"branched-{browser.width}.png")
        browser.click("#dots a")
        until("a golem", lambda: "endowment" in browser.text("#golem-told"))
        assert browser.text("#h-golem") == "L0.G" + browser.text("#h-golem")[4:]
        browser.click("#pause")
        until("the end", lambda: "digest" in browser.text("#status"))
        # An heir, with its ancestors and what inspect says of it.
        heir = browser.run("return state.golems.map(golem => golem[0]).find(name => !name.endsWith('G0'))")
        browser.run("location.hash = arguments[0]", heir)
        until("what inspect says", lambda: "inspect: playbook" in browser.text("#golem-told"))
        assert "Ancestors" in browser.text("#golem-told")
        said = subprocess.run([morta, "inspect", room / "run", "golem", heir], capture_output=True, text=True, check=True).stdout
        first = said.splitlines()[0]
        assert first in browser.text("#golem-told"), first
        branch(browser, "mortality.hazard_scale=5000", 1500)
        until("the branch", lambda: browser.text("#branches").count("written to") == 2)
        assert "the first that happened otherwise was at tick 15" in browser.text("#branches"), browser.text("#branches")
        # Three figures have a line for each cohort, three one for the world; both branches are in all of them.
        drawn = browser.run("return document.querySelectorAll('#plots g[data-series] path.line[stroke-dasharray]').length")
        cohorts = browser.run("return state.cohorts.length")
        assert drawn == 2 * (3 * cohorts + 3), f"branches are drawn beside this run: {drawn} lines of {cohorts} cohorts"
        branch(browser, 'lethe.persist="/tmp/x"', 1500)
        until("a refusal", lambda: "can't be changed from here" in browser.text("#branch-said"))
        assert browser.run("return document.documentElement.scrollWidth <= innerWidth"), "nothing is wider than the page"
        unnamed = browser.run("return [...document.querySelectorAll('button, input, select')].filter(e => !(e.textContent || e.getAttribute('aria-label') || e.closest('label'))).length")
        assert unnamed == 0, "every control has a name"
        browser.picture(pictures / f"ended-{browser.width}.png")
        complaints = [text for text in browser.complaints() if "favicon" not in text and "/branch" not in text]
        assert not complaints, complaints
        assert world.end() == 0
        until("its end is noticed", lambda: "can't be reached" in browser.text("#status"))
        # Another server at the same address: the page finds it by itself.
        port = int(world.url.rstrip("/").rsplit(":", 1)[1])
        world = World(morta, room / "again", port, "--paused")
        until("the page is back", lambda: browser.text("#status") == "paused")
        assert world.end() == 130
    finally:
        if world.process.poll() is None:
            world.end(signal.SIGKILL)


def check_sweep(morta, browser, room, pictures):
    sweep = pathlib.Path(__file__).parents[2] / "scenarios/levers/affect.toml"
    command = [morta, "sweep", sweep, "--profile", "smoke", "--seeds", "6", "--out", room / "sweep"]
    subprocess.run(command, check=True, capture_output=True)
    # As if it had been stopped before its last cell.
    shutil.rmtree(max((room / "sweep/cells").iterdir()))
    manifest = room / "sweep/sweep.json"
    manifest.write_text(manifest.read_text().replace('"complete"', '"stopped"', 1))
    shown = subprocess.Popen([morta, "watch", room / "sweep"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        browser.go(shown.stdout.readline().split()[-1])
        until("the cells", lambda: browser.run("return state !== null && state.done === state.cells - 1"))
        until("that it is hidden", lambda: "hidden until every cell has ended" in browser.text("#verdict"))
        assert browser.run("return document.querySelectorAll('#intervals circle').length === state.arms.length")
        assert browser.run("return document.documentElement.scrollWidth <= innerWidth"), "nothing is wider than the page"
        browser.picture(pictures / f"sweep-{browser.width}.png")
        subprocess.run([*command, "--resume"], check=True, capture_output=True)
        until("the verdict", lambda: browser.run("return document.querySelector('#verdict pre') !== null"))
        assert browser.text("#status") == "complete"
        assert browser.run("return document.documentElement.scrollWidth <= innerWidth"), "nor is the verdict"
        browser.picture(pictures / f"sweep-ended-{browser.width}.png")
        # The page before had lost its server.
        complaints = [text for text in browser.complaints() if "favicon" not in text and "/states" not in text]
        assert not complaints, complaints
    finally:
        shown.kill()
        shown.wait()


def main():
    morta = pathlib.Path(sys.argv[1]).resolve()
    if not (shutil.which("chromedriver") and (shutil.which("chromium") or shutil.which("google-chrome"))):
        print("live view in a browser: SKIPPED, there is no Chromium with its driver")
        sys.exit(int(os.environ.get("CI_NEEDS_BROWSER", "0")))
    for width, height in [(1280, 900), (390, 844)]:
        with tempfile.TemporaryDirectory() as room:
            room = pathlib.Path(room)
            pictures = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else room
            browser = Browser(width, height)
            browser.width = width
            try:
                check(morta, browser, room, pictures)
                check_sweep(morta, browser, room, pictures)
            finally:
                browser.close()
        print(f"live view at {width} pixels: load, step, pace, golem, inspect, branch, refusal, reconnect; a sweep under way and complete")


main()
