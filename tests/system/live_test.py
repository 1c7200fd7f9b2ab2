#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A match that is published live: a real server, and a web server that serves the folder and knows nothing of it.

usage: live_test.py DEADFALL-SERVER DEADFALL-ADMIN DEADFALL-REPLAY
"""
import functools
import http.server
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.request

from processes import LOOPBACK, OperatedServer, check, run_at_once, wait_for

SERVER, ADMIN, REPLAY = (os.path.abspath(path) for path in sys.argv[1:4])


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Site:
    """A web server for a folder."""

    def __init__(self, folder):
        self.server = http.server.ThreadingHTTPServer((LOOPBACK, 0), functools.partial(Handler, directory=folder))
        self.url = f"http://{LOOPBACK}:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def get(self, name):
        with urllib.request.urlopen(f"{self.url}/{name}", timeout=5) as answer:
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
    server = OperatedServer(SERVER, ADMIN, folder, "--publish", public, "--run-empty", "--bots", "6", *options)
    return server, Site(public)


def verify(path):
    done = subprocess.run([REPLAY, "--verify", path], capture_output=True, text=True, check=False)
    check(done.returncode == 0 and " 0 differences" in done.stdout, f"the replay is good: {done.stdout} {done.stderr}")
    return int(done.stdout.split()[0])


def what_is_published_is_a_replay():
    with tempfile.TemporaryDirectory() as folder:
        server, site = begin(folder)
        wait_for(lambda: site.index()["newest"] >= 2, 20, "chunks are published")
        ticks = verify(site.replay(folder))
        check(ticks >= 300, f"{ticks} ticks are published")
        server.end(signal.SIGINT)


def a_killed_server_goes_on():
    with tempfile.TemporaryDirectory() as folder:
        server, site = begin(folder)
        wait_for(lambda: site.index()["newest"] >= 1, 20, "chunks are published")
        before = site.index()
        server.end(signal.SIGKILL)
        server, site = begin(folder)
        wait_for(lambda: site.index()["match"] not in ("", before["match"]), 20, "the stream has a new head")
        check(site.index()["first_tick"] > 100, f"the match goes on: {site.index()}")
        wait_for(lambda: site.index()["newest"] > before["newest"] + 1, 20, "chunks follow")
        verify(site.replay(folder))
        check(not any(name.startswith(before["match"]) for name in os.listdir(os.path.join(folder, "public"))),
              "what the killed server left is gone")
        server.end(signal.SIGINT)


def the_next_match_follows():
    with tempfile.TemporaryDirectory() as folder:
        server, site = begin(folder, "--map", "duel")
        wait_for(lambda: site.index()["newest"] >= 1, 20, "chunks are published")
        first = site.index()
        path = site.replay(folder)
        server.ask("map", "foundry")
        wait_for(lambda: site.index().get("map") == "foundry", 20, "the next match is published")
        last = f"{first['match']}-{first['newest'] + 1}.chunk"
        wait_for(lambda: os.path.exists(os.path.join(folder, "public", last)), 5, "the match before stays")
        verify(path)
        verify(site.replay(folder))
        server.end(signal.SIGINT)


if __name__ == "__main__":
    run_at_once((what_is_published_is_a_replay, a_killed_server_goes_on, the_next_match_follows))
