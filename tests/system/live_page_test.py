#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The live page in a real browser, 390 and 1280 pixels wide: nothing on its console, nothing beyond its width, the match on the
canvas, and the same in words for those who do not see it.

  live_page_test.py DEADFALL_SERVER DEADFALL_BOTS [FOLDER]

FOLDER gets a picture of each width. Exit status 77, so that ctest skips the test: there is no Chromium.
"""
import os
import re
import sys
import tempfile

from browser import HeadlessBrowser
from processes import Bots, LOOPBACK, PAGE, Server, check, need

SERVER, BOTS = sys.argv[1:3]
PICTURES = sys.argv[3] if len(sys.argv) > 3 else None
WIDTHS = (390, 1280)


def looks_right(browser, width):
    check(browser.value("document.documentElement.scrollWidth") <= width, f"nothing is beyond {width} pixels")
    colours = browser.value("""(() => {
        const canvas = document.getElementById("arena"), found = new Set();
        const pixels = new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer);
        for (let i = 0; i < pixels.length; i += 7) found.add(pixels[i]);
        return found.size; })()""")
    check(colours > 8, f"the canvas has a picture of {colours} colours")
    page = browser.value("document.documentElement.outerHTML")
    check(re.search(r'id="match">ffa on foundry, \S+, \d+:\d\d<', page) and 'The "Forge" &lt;b&gt;</h1>' in page, page)
    check('<canvas id="arena" width="640" height="360"' in page and page.count("<small> bot</small>") == 3, page)


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
    with tempfile.TemporaryDirectory() as folder, Server(SERVER, "--name", 'The "Forge" <b>', "--bots", "4", *PAGE) as server:
        page = server.said(r"live page on port (\d+)")[1]
        bots = Bots(BOTS, server, 1)
        browser = HeadlessBrowser(folder)
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
                browser.picture(os.path.join(PICTURES, f"live_page_{width}.png"))
            check(not browser.complaints(), f"nothing is on the console: {browser.complaints()}")
        bots.process.kill()
        browser.close()
    print(f"the page is right at {WIDTHS} pixels")


need("chromium")
main()
