#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The window as a page: browser_test.py DIRECTORY SERVER SOURCE_FOLDER

The page is built with Debian's emscripten. Its world is bit for bit the same: every golden match, replayed under node and in
Chromium. Chromium opens it from a link with nothing but the server's address, key and certificate, joins an ordinary server, and
plays by keys, also while nobody sees the page. Without a server it plays against bots, keeps the recording, runs a course, shows a
recording of a web server, and joins from the list of a directory. With DEADFALL_PICTURES it leaves pictures in that folder.
It is part of a kind of its own, page (tests/kinds).
"""
import contextlib
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from browser import Browser, Files, HeadlessBrowser, build_page, invitation, run
from directories import Announced, Directory, announce_to
from processes import PAGE as METRICS, Server, check, in_a_folder, read_text, wait_for
from sites import Site

SERVER, SOURCE = sys.argv[2:4]
SILENT_S = 8  # after which a server drops a client
FIRST_LOAD = ("index.html", "page.css", "page.js", "deadfall.js", "deadfall.wasm", "deadfall.data")
BESIDE = ("deadfall-server.js", "deadfall-server.wasm")  # loaded with the first match of the page's own
COMPRESSED_BYTES_MAX = 600_000


def what_is_linked_is_linked_again_when_it_changes():
    inputs = {"deadfall.js": ["client/app/page/functions.json", "shared/maps/foundry.tmj"], "deadfall-server.js": ["client/app/page/functions.json"]}
    for path in glob.glob(os.path.join(SOURCE, "client/*/*/*_browser.js")) + glob.glob(os.path.join(SOURCE, "shared/engine/base/platform/browser/*.js")):
        program = "deadfall-server.js" if path.endswith("worker.js") else "deadfall.js"
        inputs[program].append(os.path.relpath(path, SOURCE))
    for program, paths in inputs.items():
        _, known = run("ninja", "-C", os.path.join(SOURCE, "build/browser"), "-t", "query", f"bin/{program}")
        check(len(paths) > 1 and all(path in known for path in paths), f"{program} is made of {paths}:\n{known}")


# Each match is verified by a program of its own. What they say is in `said`, by name, when all are done.
VERIFY = """
async function verify(matches) {
  const said = {};
  for (const [name, bytes] of matches) {
    const text = [];
    const program = await Replay({ print: (line) => text.push(line), printErr: (line) => text.push(line), quit: () => {} });
    program.FS.writeFile("/match.dfr", bytes);
    program.callMain(["--verify", "/match.dfr"]);
    said[name] = text.join("\\n");
  }
  return said;
}
"""


def golden_matches_are_the_same():
    replays = sorted(glob.glob(os.path.join(SOURCE, "tests/golden/*.dfr")))
    names = [os.path.basename(replay) for replay in replays]
    check(len(replays) >= 12, f"only {len(replays)} golden matches")
    # This emscripten takes fetch() for a sign of a page.
    script = ("const fs = require('fs'), Replay = require(process.argv[1]); process.setMaxListeners(0);" + VERIFY +
              "verify(process.argv.slice(2).map((path) => [require('path').basename(path), fs.readFileSync(path)]))"
              ".then((said) => console.log(JSON.stringify(said)));")
    code, output = run("node", "--no-experimental-fetch", "-e", script, os.path.join(PAGE, "deadfall-replay.js"), *replays)
    check(code == 0, output[-2000:])
    are_equal(json.loads(output), names, "node")
    with tempfile.TemporaryDirectory() as folder:
        for path in (*replays, *glob.glob(os.path.join(PAGE, "deadfall-replay.*"))):
            shutil.copy(path, folder)
        with open(os.path.join(folder, "index.html"), "w", encoding="utf-8") as page:
            page.write(f"""<!DOCTYPE html><script src="deadfall-replay.js"></script><script>{VERIFY}
                Promise.all({json.dumps(names)}.map(async (name) => [name, new Uint8Array(await (await fetch(name)).arrayBuffer())]))
                    .then(verify).then((all) => {{ window.said = JSON.stringify(all); }});</script>""")
        web, browser = Site(folder, Files), HeadlessBrowser(os.path.join(folder, "profile"))
        try:
            browser.ask("Page.navigate", url=f"{web.url}/index.html")
            browser.wait_until("window.said !== undefined", "the matches are verified")
            are_equal(json.loads(browser.value("said")), names, "Chromium")
        finally:
            browser.close()
            web.shutdown()


def are_equal(said, names, where):
    check(sorted(said) == names, f"verified under {where}: {sorted(said)}")
    for name, text in said.items():
        check(" 0 differences" in text, f"{name} under {where}: {text[-500:]}")
    print(f"{len(names)} golden matches are the same under {where}")


def it_names_the_licences_of_what_it_is_made_of():
    text = read_text(os.path.join(PAGE, "licences.txt"))
    parts = re.findall("^==== (.*)$", text, re.M)
    check(parts[:4] == ["Deadfall", "ENet", "emscripten", "musl"], f"licences of {parts}")
    libraries = [os.path.basename(path) for path in glob.glob(os.path.join(SOURCE, "build/portable/browser/licences/*"))]
    check(len(libraries) >= 4 and sorted(parts[4:]) == sorted(libraries), f"licences of {parts}, and libraries {libraries}")
    check(text.count("WITHOUT WARRANTY OF ANY KIND") >= 4, "each says its terms")


def an_installation_has_all_of_it():
    """By itself, and as a part of the other programs, as in the package deadfall-page."""
    with tempfile.TemporaryDirectory() as folder:
        builds = {"alone": os.path.join(SOURCE, "build/browser"), "package": os.path.join(folder, "build")}
        steps = [("cmake", "-S", SOURCE, "-B", builds["package"], "-G", "Ninja", "-DBUILD_TESTING=OFF", f"-DDEADFALL_PAGE={PAGE}")]
        steps += [("cmake", "--install", build, "--component", "page", "--prefix", os.path.join(folder, name)) for name, build in builds.items()]
        for words in steps:
            code, output = run(*words)
            check(code == 0, f"{' '.join(words)}\n{output[-2000:]}")
        alone, package = (sorted(os.listdir(os.path.join(folder, name, "share/deadfall/page"))) for name in builds)
        check(alone == package and all(f"{name}.br" in alone for name in (*FIRST_LOAD, *BESIDE)), f"alone: {alone}\npackage: {package}")


# As --page sends them.
def compressed(names):
    return sum(os.path.getsize(os.path.join(PAGE, f"{name}.br")) for name in names)


def it_is_small():
    first, beside = compressed(FIRST_LOAD), compressed(BESIDE)
    print(f"the page: {first} bytes, compressed; its server: {beside} bytes")
    check(first <= COMPRESSED_BYTES_MAX, f"the page has {first} bytes")


def it_outlives_its_channel(server, browser):
    """The process for browsers ends, and the page goes on by another channel before the server drops it."""
    before = len(snapshots(browser))
    os.kill(server.child(), signal.SIGKILL)
    wait_for(lambda: len(snapshots(browser)) >= before + SILENT_S + 4, "the page tells once a second how many snapshots have come")
    counts = snapshots(browser)
    check(counts[-1] > counts[-2], f"they come again: {counts}")
    check(server.status()["sessions"]["playing"] == 1, f"the session stays: {server.status()['sessions']}")
    check(browser.count("joined as player") == 1 and server.count("Ada joins") == 1, f"it has joined once:\n{server.log()[-2000:]}")


@contextlib.contextmanager
def page(folder, query, link="", **window):
    """Opens the page in a browser whose storage is in the folder."""
    log = os.path.join(folder, "browser.log")
    if os.path.exists(log):
        os.remove(log)
    url = f"{pages.url}/index.html?log-level=debug&{query}#{link}"
    browser = Browser(folder, url, **window)
    try:
        yield browser
    except BaseException:
        print(browser.log()[-3000:])
        picture(browser, "failed")
        raise
    finally:
        browser.close()


def picture(browser, name):
    """Leaves a picture for people, if they want some. What the page has logged may be drawn later."""
    if os.environ.get("DEADFALL_PICTURES"):
        time.sleep(2)
        browser.picture(os.path.join(os.environ["DEADFALL_PICTURES"], f"{name}.png"))


def jump(browser):
    for _ in range(40):
        browser.press("space")
        if re.search(r"event jump .*\(you\)", browser.log()):
            return
    check(False, "a key makes the player jump")


def snapshots(browser):
    counts = re.findall(r"net: (\d+) snapshots, \d+ lost, \d+ corrections, (\d+) desyncs", browser.log())
    check(all(desyncs == "0" for _, desyncs in counts), f"no desync: {counts}")
    return [int(count) for count, _ in counts]


def a_link_joins_and_the_match_goes_on_unseen(folder):
    with Server(SERVER, "--web", "--run-empty", "--print-invitations", "--bots", "2", *METRICS) as server:
        with page(folder, "name=Ada", invitation(server, server.port), tabs=True) as browser:
            browser.wait_for("joined as player")
            jump(browser)
            picture(browser, "joined")
            check("Ada joins" in server.log(), "the server has seen nobody")
            it_outlives_its_channel(server, browser)
            hidden, before = browser.hide(), len(snapshots(browser))
            wait_for(lambda: len(snapshots(browser)) >= before + 3, "the match goes on in a hidden page")
            browser.show(hidden)
            counts = snapshots(browser)
            check(counts[-1] > counts[-2], f"snapshots come: {counts}")
            check("Ada leaves" not in server.log() and "connection" not in browser.log(), "the player has stayed")


def it_plays_alone_and_keeps_the_recording(folder):
    with page(folder, "name=Ada") as browser:
        browser.wait_for("screen title")
        picture(browser, "title")
        browser.choose("match", "Return")
        browser.wait_for("joined as player")
        jump(browser)
        picture(browser, "alone")
        wait_for(lambda: snapshots(browser) and snapshots(browser)[-1] > 0, "snapshots of the page's own server")
        browser.choose("pause", "Escape")
        browser.choose("title", "Up", "Return")  # the last item leaves
        kept = browser.count("files are kept")
        wait_for(lambda: browser.count("files are kept") >= kept + 2, "the page has kept its files since then")
    with page(folder, "name=Ada&screen=replays") as browser:
        browser.wait_for("screen replays")
        picture(browser, "replays")
        browser.take_keyboard("replays", *["Down"] * 5, "Return")
        browser.press_for(r"replay \S+/replays/foundry-\d+-\d+\.dfr", "Down", "Return")
        picture(browser, "replay")
        check("cannot" not in browser.log(), "the recording is shown")


def a_course_can_be_run(folder):
    """In a small window, since it is played with skill, and a busy machine draws few frames of a large one in software."""
    with page(folder, "trial=lesson-first", size="640,360") as browser:
        def comes(line, *keys):
            """Presses the keys by turns until the page logs the line."""
            before, end = browser.count(line), time.monotonic() + (20 if keys else 60)
            while browser.count(line) == before:
                if time.monotonic() > end:
                    return False
                for key in keys:
                    browser.press(key, held_s)
                time.sleep(0 if keys else 0.05)
            return True

        browser.wait_for("course lesson-first$")
        # Who jumps over a flag, or has no arrow left, begins again; a page that is slower than the clock needs keys to be held for longer.
        for held_s in (0.2, 0.4, 0.6) * 4:
            subprocess.run(["xdotool", "keydown", "Right"], env=browser.environment, check=True)
            stands = comes("lesson-first, task 1") and comes("lesson-first, task 2", "space")
            subprocess.run(["xdotool", "keyup", "Right"], env=browser.environment, check=True)
            if stands and comes("lesson-first done", "x", "space"):
                picture(browser, "course")
                return
            browser.press("r")
        check(False, "the course is done")


def a_link_shows_a_recording(folder):
    files = os.path.join(folder, "files")
    os.mkdir(files)
    golden = os.path.join(SOURCE, "tests/golden/duel.dfr")
    shutil.copy(golden, os.path.join(files, "duel.dfr"))
    with open(golden, "rb") as whole, open(os.path.join(files, "changed.dfr"), "wb") as changed:
        changed.write(whole.read().replace(b"duel", b"dual", 1))
    with open(os.path.join(files, "long.dfr"), "wb") as long:
        long.truncate(65 << 20)
    web = Site(files, Files)
    rows = [("duel.dfr", r"shows a replay from tick 0 to \d{3,}"),
            ("changed.dfr", "What is at this address cannot be shown"),
            ("long.dfr", "The replay at this address has more than 64 MB"),
            ("none.dfr", r"There is no replay at this address \(HTTP 404\)")]
    for name, says in rows:
        with page(folder, "name=Ada", f"replay={web.url}/{name}") as browser:
            browser.wait_for(says)
            picture(browser, f"link-{name}")
    web.shutdown()


def the_list_of_a_directory_says_who_takes_browsers(folder):
    directory = Directory("lists")
    url = directory.urls()[0]
    opened = Announced("Open", "--web", *announce_to(url))
    closed = Announced("Closed", *announce_to(url))
    wait_for(lambda: len(directory.servers()) == 2, "both are listed")
    wait_for(lambda: re.fullmatch(r"[\w-]{43}", directory.servers()[opened.key].get("certificate", "")), "the certificate")
    servers = directory.servers()
    check("certificate" not in servers[closed.key], "only a server with --web announces one")
    with page(folder, f"name=Ada&screen=join&directory={url}") as browser:
        browser.wait_for("screen join")
        browser.wait_for("has 2 servers")
        picture(browser, "list")
        browser.take_keyboard("join", "Down", "Down", "Return")
        browser.press("Up")  # the last row: who cannot be joined comes last
        browser.press("Return")
        picture(browser, "closed")
        browser.press("Up")
        browser.press("Return")
        browser.wait_for("joined as player")
        jump(browser)
        check("Ada joins" in opened.log(), "the server of the list has been joined")
        check(browser.count("joined as") == 1 and "Ada" not in closed.log(), "a server without --web is not joined")


PAGE = build_page(SOURCE)
pages = Site(PAGE, Files)  # one for all, since a browser keeps files for one address alone
what_is_linked_is_linked_again_when_it_changes()
golden_matches_are_the_same()
it_names_the_licences_of_what_it_is_made_of()
an_installation_has_all_of_it()
it_is_small()
for test in (it_plays_alone_and_keeps_the_recording, a_course_can_be_run, a_link_shows_a_recording,
             the_list_of_a_directory_says_who_takes_browsers, a_link_joins_and_the_match_goes_on_unseen):
    in_a_folder(test)()
