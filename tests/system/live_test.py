#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A match that is published live: a real server, and a web server that serves the folder and knows nothing of it.

usage: live_test.py DEADFALL DEADFALL-SERVER DEADFALL-ADMIN DEADFALL-REPLAY
"""
import gzip
import json
import os
import re
import signal
import sys
import tempfile
import urllib.error
import urllib.request

from processes import PAGE, PATIENCE_S, Server, check, in_a_folder, run, run_at_once, wait_for, write
from sites import Quiet, Site
from window import Game

DEADFALL, SERVER, ADMIN, REPLAY = (os.path.abspath(path) for path in sys.argv[1:5])


CHUNK_TICKS = 120
DELAY_S = 3
PAGE_S = 0.1  # between two states of the page


class CompressingHandler(Quiet):
    """Compresses every file for those that ask for it, as nginx does with `gzip on`."""

    def do_GET(self):  # noqa: the name that http.server wants
        path = self.translate_path(self.path)
        if not os.path.exists(path) or "gzip" not in self.headers.get("Accept-Encoding", ""):
            super().do_GET()
            return
        with open(path, "rb") as file:
            self.answer(200, gzip.compress(file.read()), ("Content-Encoding", "gzip"))


class Live(Site):
    """A web server for the folder of a live match."""

    def get(self, name):
        with urllib.request.urlopen(f"{self.url}/{name}", timeout=PATIENCE_S) as answer:
            return answer.read()

    def index(self):
        try:
            return json.loads(self.get("index.json"))
        except urllib.error.HTTPError:
            return {"newest": -1, "match": ""}

    def replay(self, folder):
        """All that is published of the present match, as a file."""
        index = self.index()
        path = os.path.join(folder, "live.dfr")
        with open(path, "wb") as file:
            file.write(self.get(f"{index['match']}.head"))
            for chunk in range(index["oldest"], index["newest"] + 1):
                file.write(self.get(f"{index['match']}-{chunk}.chunk"))
        return path


def begin(folder, *options):
    public = os.path.join(folder, "public")
    server = Server(SERVER, "--publish", public, "--run-empty", "--bots", "6", *options, folder=folder, admin=ADMIN)
    return server, Live(public)


def verify(path):
    said = run(REPLAY, "--verify", path).stdout
    check(" 0 differences" in said, f"the replay is good: {said}")
    return int(said.split()[0])


def what_is_published_is_a_replay(folder):
    server, site = begin(folder)
    wait_for(lambda: site.index()["newest"] >= 2, "chunks are published")
    ticks = verify(site.replay(folder))
    check(ticks == 3 * CHUNK_TICKS - 1, f"three chunks are published, which begin with a world: {ticks} ticks")
    server.end(signal.SIGINT)


def the_folder_is_checked(folder):
    public = os.path.join(folder, "public")

    def refusal(*more):
        done = run(SERVER, "--port", "0", "--state-dir", os.path.join(folder, "other"), "--publish", public, *more, code=None)
        return done.returncode, done.stderr

    check(refusal("--check-config")[0] == 0 and not os.path.exists(public), "a folder that can be made is good")
    server, site = begin(folder)
    check(refusal("--check-config")[0] == 0, "a server checks the one that takes its place")
    code, text = refusal()
    check(code == 74 and "another server publishes there" in text, f"a folder has one server: {text}")
    wait_for(lambda: site.index()["newest"] >= 0, "the first one goes on")
    server.end(signal.SIGINT)
    write(os.path.join(public, "index.json"), '{"title":"not ours"}')
    for option in ("--check-config",), ():
        code, text = refusal(*option)
        check(code == 74 and "belongs to something else" in text, f"no page is overwritten: {text}")
    check(refusal("--publish-url", "http://x/?")[0] == 64, "a wrong URL is refused")


def metrics_count_the_stream(folder):
    server, site = begin(folder, *PAGE, "--publish-delay", f"{DELAY_S}s")
    wait_for(lambda: site.index()["newest"] >= 1, "chunks are published")

    def read():
        return {name: float(value) for name, value in re.findall(r"^deadfall_live_(\w+) ([\d.]+)$", server.page("/metrics"), re.M)}

    wait_for(lambda: read()["chunks_total"] == 2, "chunks are counted")
    found = read()
    check(found["bytes_total"] > 500 and found["lost_total"] == 0, f"{found}")
    check(found["delay_seconds"] == DELAY_S and DELAY_S <= found["behind_seconds"] <= DELAY_S + PAGE_S, f"a new chunk is as old as the page: {found}")
    server.end(signal.SIGINT)


def a_killed_server_goes_on(folder):
    server, site = begin(folder)
    wait_for(lambda: site.index()["newest"] >= 1, "chunks are published")
    before = site.index()
    server.end(signal.SIGKILL)
    server = server.again()
    wait_for(lambda: site.index()["match"] not in ("", before["match"]), "the stream has a new head")
    check(site.index()["first_tick"] > 100, f"the match goes on: {site.index()}")
    wait_for(lambda: site.index()["newest"] > before["newest"] + 1, "chunks follow")
    verify(site.replay(folder))
    check(not any(name.startswith(before["match"]) for name in os.listdir(os.path.join(folder, "public"))),
          "what the killed server left is gone")
    server.end(signal.SIGINT)


def the_next_match_follows(folder):
    server, site = begin(folder, "--map", "duel")
    wait_for(lambda: site.index()["newest"] >= 1, "chunks are published")
    first = site.index()
    path = site.replay(folder)
    server.ask("map", "foundry")
    wait_for(lambda: site.index().get("map") == "foundry", "the next match is published")
    last = f"{first['match']}-{first['newest'] + 1}.chunk"
    wait_for(lambda: os.path.exists(os.path.join(folder, "public", last)), "the match before stays")
    verify(path)
    verify(site.replay(folder))
    server.end(signal.SIGINT)


class Viewer(Game):
    """A window without a screen that watches."""

    def __init__(self, folder, url, frames):
        super().__init__(DEADFALL, folder, "--watch", url, "--frames", str(frames), "--screenshot", os.path.join(folder, "viewer.png"))

    def starts(self):
        """The first ticks of what it has begun to show."""
        return [int(tick) for tick in re.findall(r"watches \S+ of .* from tick (\d+)", self.log())]

    def position(self):
        """The tick that it shows now, as its log says once a second."""
        return int(re.findall(r"shows tick (\d+)", self.log())[-1])


def a_window_watches(folder):
    server, site = begin(folder)
    wait_for(lambda: site.index()["newest"] >= 2, "chunks are published")
    viewer = Viewer(folder, site.url, 3600)
    wait_for(lambda: len(viewer.starts()) == 1, "the window shows the match")
    check(viewer.starts()[0] >= 240, f"it begins at the newest chunk: {viewer.starts()}")
    before = viewer.position()
    wait_for(lambda: viewer.position() > before + 360, "it goes on")
    check(len(viewer.starts()) == 1, "without another beginning")
    server.ask("map", "duel")
    wait_for(lambda: len(viewer.starts()) == 2, "it follows to the next match")
    server.end(signal.SIGKILL)
    server = server.again()
    wait_for(lambda: len(viewer.starts()) == 3, "it goes on after the server was killed")
    again = viewer.position()
    wait_for(lambda: viewer.position() > again + 120, "and shows what follows")
    viewer.end()
    server.end(signal.SIGINT)


def a_missing_chunk_is_passed_over(folder):
    server, site = begin(folder)
    wait_for(lambda: site.index()["newest"] >= 6, "chunks are published")
    index = site.index()
    server.end(signal.SIGINT)
    public = os.path.join(folder, "public")

    def announce(newest):
        with open(os.path.join(public, "fresh"), "w", encoding="utf-8") as file:
            json.dump(index | {"newest": newest, "over": False}, file)
        os.rename(os.path.join(public, "fresh"), os.path.join(public, "index.json"))

    os.remove(os.path.join(public, f"{index['match']}-3.chunk"))
    announce(2)
    viewer = Viewer(folder, site.url, 3600)
    wait_for(lambda: viewer.starts() == [240], "it begins with the second chunk")
    announce(5)
    wait_for(lambda: viewer.position() > 600, "it passes the third")
    check(not re.search(r"shows tick (3[67]|4[0-6])", viewer.log()), "which is not there")
    viewer.end()


def what_is_no_live_match_is_a_sentence(folder):
    site = Site(folder)

    def message(content):
        with open(os.path.join(folder, "index.json"), "wb") as file:
            file.write(content)
        viewer = Viewer(folder, site.url, 1200)
        wait_for(lambda: "cannot watch: " in viewer.log(), "the window says what is wrong")
        viewer.end()
        return re.search(r"cannot watch: (.*)", viewer.log()).group(1)

    no_match = "This address has no live match: its index.json is not that of a server."
    for content in (b"", b"{}", b"[" * 100000, b'{"deadfall":"live","match":"../../x"}', os.urandom(3000)):
        check(message(content) == no_match, f"{content[:40]} is refused")
    good = (b'{"deadfall":"live","protocol":%d,"format":1,"server":"x","match":"1","map":"x","mode":"ffa","chunk_ticks":120,'
            b'"first_tick":0,"oldest":0,"newest":1,"delay_s":0,"over":false}')
    check("another version" in message(good % 1), "another version is refused")


def a_window_watches_what_is_compressed(folder):
    asked = []

    class Counting(CompressingHandler):
        def answer(self, status, body, *headers):
            asked.append(self.path)
            super().answer(status, body, *headers)

    server, site = begin(folder)
    wait_for(lambda: site.index()["newest"] >= 2, "chunks are published")
    viewer = Viewer(folder, Site(os.path.join(folder, "public"), Counting).url, 3600)
    wait_for(lambda: len(viewer.starts()) == 1, "the window shows the match")
    wait_for(lambda: viewer.position() > viewer.starts()[0] + 240, "it goes on")
    for end in "index.json", ".head", ".chunk":
        check(any(path.endswith(end) for path in asked), f"{end} came compressed: {asked}")
    viewer.end()
    server.end(signal.SIGINT)


def what_inflates_without_end_is_refused(folder):
    bomb = gzip.compress(bytes(64 << 20))
    # Inflates to no byte at all, by millions of empty blocks: it is the inner of two layers.
    empty = gzip.compress(b"")[:10] + b"\0\0\0\xff\xff" * (1 << 21) + b"\1\0\0\xff\xff" + bytes(8)
    layered = gzip.compress(empty)
    for body, headers in ((bomb, [("Content-Encoding", "gzip")]), (layered, [("Content-Encoding", "gzip, gzip")]),
                          (layered, [("Content-Encoding", "gzip")] * 2), (bomb, [("Transfer-Encoding", "gzip")]),
                          (layered, [("Content-Encoding", "gzip"), ("Transfer-Encoding", "gzip")])):

        class Bomb(CompressingHandler):
            def do_GET(self):  # noqa: the name that http.server wants
                self.answer(200, body, *headers)

        viewer = Viewer(tempfile.mkdtemp(dir=folder), Site(folder, Bomb).url, 1200)
        wait_for(lambda: "cannot watch: " in viewer.log(), "the window says what is wrong")
        viewer.end()
        check("cannot watch: The live match does not come: it is too large." in viewer.log(), f"{headers}: {viewer.log()}")


run_at_once(map(in_a_folder, (
    a_window_watches_what_is_compressed, what_inflates_without_end_is_refused, what_is_published_is_a_replay, the_folder_is_checked,
    metrics_count_the_stream, a_killed_server_goes_on, the_next_match_follows, a_window_watches, a_missing_chunk_is_passed_over,
    what_is_no_live_match_is_a_sentence)))
