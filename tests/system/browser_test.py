#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The window as a page: browser_test.py SOURCE_FOLDER SERVER

The page is built with Debian's emscripten. Its world is bit for bit the same: every golden match, replayed under node. Chromium
opens it from a link with nothing but the server's address, key and certificate, joins an ordinary server, and plays by keys.
The first time takes minutes, for the libraries, so it runs only with DEADFALL_TEST_LONG set; later, whenever they are there.
"""
import glob
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from browser import Browser, invitation, site
from processes import LOOPBACK, Server, check, wait_for

SOURCE, SERVER = sys.argv[1:3]
LIBRARIES = os.path.join(SOURCE, "build/portable")
PAGE = os.path.join(SOURCE, "build/browser/bin")
EX_UNAVAILABLE = 69
SILENT_S = 8  # after which a server drops a client
COMPRESSED_BYTES_MAX = 900_000


def skip(sentence):
    print(sentence)
    sys.exit(77)


def run(*words, **more):
    done = subprocess.run(words, text=True, capture_output=True, check=False, **more)
    return done.returncode, done.stdout + done.stderr


def build():
    for tool in ("emcc", "node", "chromium", "Xvfb", "xdotool"):
        if not shutil.which(tool):
            skip(f"{tool} is missing; tests/tools/install.sh names the packages")
    # The recipe of the last library leaves its stamp last.
    if not os.environ.get("DEADFALL_TEST_LONG") and not glob.glob(os.path.join(LIBRARIES, "browser/.qrencode-*")):
        skip("the libraries for browsers are not built yet, which takes minutes: set DEADFALL_TEST_LONG to do that")
    os.environ.pop("DEADFALL_TEST_LONG", None)  # the programs would warn of it
    code, output = run(os.path.join(SOURCE, "shared/packages/portable/libraries.sh"), "browser", LIBRARIES)
    if code == EX_UNAVAILABLE or code != 0 and "Failed to fetch" in output:
        skip(f"no sources, or no tools: {output[-500:]}")
    check(code == 0, output[-4000:])
    for words in (["--preset", "browser"], ["--build", "--preset", "browser", "-j2"]):
        code, output = run("cmake", *words, cwd=SOURCE)
        check(code == 0, f"cmake {' '.join(words)}\n{output[-4000:]}")


def golden_matches_are_the_same():
    replays = sorted(glob.glob(os.path.join(SOURCE, "tests/golden/*.dfr")))
    check(len(replays) >= 12, f"only {len(replays)} golden matches")
    for replay in replays:
        # This emscripten takes fetch() for a sign of a page.
        code, output = run("node", "--no-experimental-fetch", os.path.join(PAGE, "deadfall-replay.js"), "--verify", replay)
        check(code == 0 and " 0 differences" in output, f"{replay}: {output[-500:]}")
    print(f"{len(replays)} golden matches are the same under node")


def it_is_small():
    total = 0
    for name in ("deadfall.wasm", "deadfall.js", "deadfall.data", "page.js", "index.html"):
        packed = subprocess.run(["gzip", "-9c", os.path.join(PAGE, name)], capture_output=True, check=True).stdout
        total += len(packed)
    print(f"the page: {total} bytes, compressed")
    check(total <= COMPRESSED_BYTES_MAX, f"the page has {total} bytes")


def it_outlives_its_channel(server, browser):
    """The process for browsers ends, and the page goes on by another channel before the server drops it."""
    os.kill(server.child(), signal.SIGKILL)
    time.sleep(SILENT_S + 4)
    check(server.status()["sessions"]["playing"] == 1, f"the session stays: {server.status()['sessions']}")
    check(browser.log().count("joined as player") == 1 and server.count("Ada joins") == 1, f"it has joined once:\n{server.log()[-2000:]}")


def chromium_joins_and_plays(folder):
    pages = site(PAGE)
    with Server(SERVER, "--web", "--run-empty", "--print-invitations", "--bots", "2", "--metrics", f"{LOOPBACK}:0") as server:
        where = invitation(server, server.port)
        browser = Browser(folder, f"http://{LOOPBACK}:{pages.server_port}/index.html?name=Ada&log-level=debug#{where}")
        try:
            wait_for(lambda: "joined as player" in browser.log(), 60, "the page joins")
            for _ in range(20):
                browser.press("space")
                if re.search(r"event jump .*\(you\)", browser.log()):
                    break
            check(re.search(r"event jump .*\(you\)", browser.log()), f"no jump by the keys:\n{browser.log()[-2000:]}")
            check("Ada joins" in server.log(), "the server has seen nobody")
            it_outlives_its_channel(server, browser)
        except Exception:
            print(browser.log()[-3000:], server.log()[-2000:], sep="\n")
            raise
        finally:
            browser.close()
            pages.shutdown()


build()
golden_matches_are_the_same()
it_is_small()
with tempfile.TemporaryDirectory() as place:
    chromium_joins_and_plays(place)
