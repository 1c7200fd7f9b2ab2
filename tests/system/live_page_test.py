#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The live page in a real browser, 390 and 1280 pixels wide: nothing on its console, nothing beyond its width, the match on the
canvas, and the same in words for those who do not see it.

  live_page_test.py DEADFALL_SERVER DEADFALL_BOTS [FOLDER]

FOLDER gets a picture of each width. Exit status 77, so that ctest skips the test: there is no Chromium.
"""
import base64
import json
import os
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

from processes import Bots, LOOPBACK, Server, check

SERVER, BOTS = sys.argv[1:3]
PICTURES = sys.argv[3] if len(sys.argv) > 3 else None
WIDTHS = (390, 1280)
COMPLAINTS = ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled")


class Browser:
    """A headless Chromium, driven over two pipes: messages of its DevTools protocol, each with a zero byte behind it."""

    def __init__(self, folder):
        to_browser, self.to_browser = os.pipe()
        self.from_browser, from_browser = os.pipe()
        command = f'exec "$0" "$@" 3<&{to_browser} 4>&{from_browser}'
        self.process = subprocess.Popen(
            ["sh", "-c", command, shutil.which("chromium"), "--headless", "--no-sandbox", "--disable-gpu",
             "--remote-debugging-pipe", f"--user-data-dir={folder}", "about:blank"],
            pass_fds=(to_browser, from_browser), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.buffer, self.number, self.events, self.session = b"", 0, [], None
        pages = [target for target in self.ask("Target.getTargets")["targetInfos"] if target["type"] == "page"]
        self.session = self.ask("Target.attachToTarget", targetId=pages[0]["targetId"], flatten=True)["sessionId"]
        for domain in ("Log", "Runtime", "Page", "Accessibility"):
            self.ask(domain + ".enable")

    def read(self, seconds):
        """Returns the next message, or None after this time."""
        while b"\0" not in self.buffer:
            if not select.select([self.from_browser], [], [], seconds)[0]:
                return None
            self.buffer += os.read(self.from_browser, 1 << 20)
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def ask(self, method, **arguments):
        self.number += 1
        message = {"id": self.number, "method": method, "params": arguments}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to_browser, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read(120)
            check(answer is not None, f"the browser answers to {method}")
            if answer.get("id") == self.number:
                check("result" in answer, f"{method}: {answer}")
                return answer["result"]
            self.events.append(answer)

    def watch(self, seconds):
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            event = self.read(left)
            if event:
                self.events.append(event)

    def value(self, expression):
        return self.ask("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def wait_until(self, expression, what):
        end = time.monotonic() + 90
        while not self.value(expression):
            check(time.monotonic() < end, what)
            self.watch(0.1)

    def complaints(self):
        return [event for event in self.events if event.get("method") in COMPLAINTS]


def looks_right(browser, width):
    check(browser.value("document.documentElement.scrollWidth") <= width, f"nothing is beyond {width} pixels")
    colours = browser.value("""(() => {
        const canvas = document.getElementById("arena"), found = new Set();
        const pixels = new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer);
        for (let i = 0; i < pixels.length; i += 7) found.add(pixels[i]);
        return found.size; })()""")
    check(colours > 8, f"the canvas has a picture of {colours} colours")


def reads_well(browser):
    """What a screen reader gets: the tree of Chromium's accessibility."""
    found = {}
    for node in browser.ask("Accessibility.getFullAXTree")["nodes"]:
        if not node.get("ignored"):
            found.setdefault(node["role"]["value"], []).append(node.get("name", {}).get("value", ""))
    images = [name for role in ("image", "img", "Canvas") for name in found.get(role, [])]
    check(any(re.search(r"foundry.*players", name) for name in images), f"the canvas has a text that says what it shows: {found}")
    check("status" in found, f"a change of the state is said: {sorted(found)}")
    said = browser.value('document.getElementById("summary").textContent')
    check(re.match(r"ffa on foundry, \S+\. 1 player and 3 bots\. .+ leads? with -?\d+\.$", said), f"in words: {said}")
    check({"Player", "Score"} <= set(found["columnheader"]), f"the table has heads: {found['columnheader']}")


def main():
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, \
            Server(SERVER, "--bots", "4", "--metrics", f"{LOOPBACK}:0") as server:
        page = re.search(r"live page on port (\d+)", server.log())[1]
        bots = Bots(BOTS, f"{LOOPBACK}:{server.port}", 1, 300)
        browser = Browser(folder)
        for width in WIDTHS:
            browser.ask("Emulation.setDeviceMetricsOverride", width=width, height=844, deviceScaleFactor=1, mobile=width < 600)
            browser.ask("Page.navigate", url=f"http://{LOOPBACK}:{page}/")
            browser.wait_until('document.querySelectorAll("#players tr").length === 4 && '
                               'document.getElementById("state").textContent === "live"', "the page shows the match")
            browser.watch(2)
            looks_right(browser, width)
            reads_well(browser)
            if PICTURES:
                os.makedirs(PICTURES, exist_ok=True)
                with open(os.path.join(PICTURES, f"live_page_{width}.png"), "wb") as file:
                    file.write(base64.b64decode(browser.ask("Page.captureScreenshot")["data"]))
            check(not browser.complaints(), f"nothing is on the console: {browser.complaints()}")
        bots.process.kill()
        browser.process.kill()
    print(f"the page is right at {WIDTHS} pixels")


if not shutil.which("chromium"):
    print("left out: it needs chromium")
    sys.exit(77)
main()
