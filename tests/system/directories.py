# SPDX-License-Identifier: MIT
"""Directories and servers that announce themselves to them, for tests on loopback. The script's first arguments are
DEADFALL_DIRECTORY DEADFALL_SERVER."""
import http.client
import json
import os
import re
import sys
import tempfile

import processes
from processes import LOOPBACK, PAGE, PATIENCE_S, Server, check, read_json, read_text
from sites import Quiet, Site

DIRECTORY, SERVER = sys.argv[1:3]
# What the rules of directories take, in milliseconds.
LIFE_MS = 60000    # ANNOUNCEMENT_LIFE_MS: until a server that says nothing is gone
PERIOD_MS = 20000  # ANNOUNCEMENT_PERIOD_MS
LIST_MS = 1000     # at least between two lists of a directory
STILL_MS = 10000   # at most, so that nobody takes it for old
SWEEP_MS = 1000    # between two looks for servers that are gone
ROUND_MS = 20      # between two looks of a directory at all that it does
folder = tempfile.TemporaryDirectory()


def path(name):
    os.makedirs(folder.name, exist_ok=True)
    return os.path.join(folder.name, name)


class Directory(processes.Directory):
    def __init__(self, name, *arguments):
        self.log_path, self.pages = path(name + ".log"), path(name + ".pages")
        with open(self.log_path, "a", encoding="utf-8") as log:
            super().__init__(DIRECTORY, path(name), "--publish", self.pages, *arguments, listen=(f"{LOOPBACK}:0", "[::1]:0"), log=log)

    def log(self):
        return read_text(self.log_path)

    def urls(self):
        return [f"http://127.0.0.1:{self.ports[0]}", f"http://[::1]:{self.ports[1]}"]

    def get(self, page, family=0, sender=None):
        """Returns the status of a page, and its text. `sender` is the address on this machine that asks."""
        connection = http.client.HTTPConnection(("127.0.0.1", "::1")[family], self.ports[family], timeout=PATIENCE_S,
                                                source_address=(sender, 0) if sender else None)
        connection.request("GET", page)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()

    def post(self, page, body, **headers):
        """Returns the status of an answer, and its bytes."""
        connection = http.client.HTTPConnection(LOOPBACK, self.ports[0], timeout=PATIENCE_S)
        connection.request("POST", page, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()

    def servers(self):
        status, text = self.get("/servers.json")
        check(status == 200, "there is a list")
        return {server["key"]: server for server in json.loads(text)["servers"]}

    def knows(self, *servers):
        return set(self.servers()) == {server.key for server in servers}

    def file(self):
        return read_json(os.path.join(self.pages, "servers.json"))

    def metric(self, name):
        return int(re.search(rf"^deadfall_directory_{re.escape(name)} (\d+)$", self.get("/metrics")[1], re.M)[1])


class Announced(Server):
    """A server that announces itself."""

    def __init__(self, name, *arguments, bind="0.0.0.0"):
        super().__init__(SERVER, "--name", name, *PAGE, "--run-empty", *arguments, folder=path(name),
                         log_path=path(name + ".log"), bind=bind)

    def announcements(self):
        return self.status()["announcements"]


class Posted(Site):
    """A web server that answers as a function of path, body and headers: (status, bytes)."""

    def __init__(self, reply, **how):
        bodies = self.bodies = []

        class Handler(Quiet):
            def do_POST(self):  # noqa: the name that http.server wants
                bodies.append(self.body())
                self.answer(*reply(self.path, bodies[-1], self.headers))

        super().__init__(handler=Handler, **how)


def announce_to(*urls):
    return [word for url in urls for word in ("--announce", url)]
