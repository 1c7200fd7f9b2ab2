#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A directory, real servers, and strangers, on loopback.

  directory_test.py DEADFALL_DIRECTORY DEADFALL_SERVER FAKE_SERVERS

DEADFALL_TEST_LONG=1 also waits a minute for a dead server, and floods with 10,000 announcements a second for a minute.
"""
import http.client
import http.server
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time

from directories import Announced, Directory, announce_to, path
from processes import check, wait_for

FAKES = sys.argv[3]
LONG = os.environ.get("DEADFALL_TEST_LONG") == "1"


def a_new_server_is_listed_and_leaves(directory):
    begun = time.monotonic()
    server = Announced("Forge & Söhne", "--region", "eu", "--mode", "lms", *announce_to(*directory.urls()))
    addresses = [f"127.0.0.1:{server.port}", f"[::1]:{server.port}"]
    wait_for(lambda: directory.servers().get(server.key, {}).get("addresses") == addresses, "a new server is listed over both families")
    print(f"listed after {time.monotonic() - begun:.1f} s")
    row = directory.servers()[server.key]
    check((row["name"], row["mode"], row["region"], row["map"], row["password"], row["places"]) ==
          ("Forge & Söhne", "lms", "eu", "foundry", False, 16), f"the list shows the server: {row}")
    wait_for(lambda: [row["key"] for row in directory.file()["servers"]] == [server.key], "the file is the same")
    check(os.stat(os.path.join(directory.pages, "servers.json")).st_mode & 0o777 == 0o644, "any web server can read it")
    wait_for(lambda: [(row["state"], row["address"]) for row in server.announcements()] ==
             [("listed", address) for address in addresses], "the server knows where it is reached")
    check(f"invite with deadfall://{addresses[0]}#{server.key}" in server.log(), "the log has an invitation")
    for family in range(2):
        status, text = directory.get("/play?mode=lms&region=eu", family)
        check((status, text) == (200, f"{addresses[family]}#{server.key}\n"), f"a place for family {family}: {text}")
    check(directory.get("/play?mode=ffa")[0] == 503, "there is no other mode")
    server.end()
    wait_for(lambda: server.key not in directory.servers(), "a server that ends is gone", 30)
    return server


def the_best_match_can_be_watched(directory):
    check(directory.get("/watch") == (503, '{"error":"no match can be watched now"}'), "nothing can be watched yet")
    server = Announced("Watched", "--mode", "ffa", "--bots", "4", "--publish", path("watched.live"), "--publish-url",
                       "https://example.org/live/", *announce_to(directory.urls()[0]))
    wait_for(lambda: directory.get("/watch?mode=ffa") == (200, "https://example.org/live/\n"), "it can be watched")
    wait_for(lambda: directory.servers().get(server.key, {}).get("interest", 0) > 0, "the list says how good it is")
    row = directory.servers()[server.key]
    check(row["watch"] == "https://example.org/live/" and row["interest"] <= 100, f"the list says so: {row}")
    check(directory.get("/watch?mode=lms")[0] == 503, "not in another mode")
    check(directory.get("/watch?protocol=x")[0] == 400, "a protocol is a number")
    server.end()
    wait_for(lambda: directory.get("/watch")[0] == 503, "a server that ends cannot be watched", 30)


class Relay(http.server.BaseHTTPRequestHandler):
    """Stands in front of a directory, keeps what servers send, and says that it comes from another address."""
    directory, sender, bodies = None, "127.0.0.99", []

    @classmethod
    def forward(cls, body, sender):
        connection = http.client.HTTPConnection("127.0.0.1", cls.directory.ports[0], timeout=10)
        connection.request("POST", "/announce", body, {"X-Forwarded-For": f"203.0.113.1, {sender}"})
        answer = connection.getresponse()
        return answer.status, answer.read()

    def do_POST(self):  # noqa: the name that http.server wants
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.bodies.append(body)
        status, text = self.forward(body, self.sender)
        self.send_response(status)
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


def strangers_get_nothing_into_the_list():
    directory = Directory("proxied", "--proxy", "127.0.0.1")
    Relay.directory = directory
    relay = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Relay)
    threading.Thread(target=relay.serve_forever, daemon=True).start()
    server = Announced("Unreachable", *announce_to(f"http://127.0.0.1:{relay.server_port}/"), bind="127.0.0.1")
    sentence = f"is not reachable from outside over IPv4 at 127.0.0.99:{server.port}; open UDP port {server.port}"
    wait_for(lambda: sentence.replace("is not", "it is not", 1) in server.log(), "the server says that it cannot be reached")
    check(server.announcements()[0]["state"] in ("unreachable", "punched"), "and so does its status")
    addresses = lambda: directory.servers().get(server.key, {"addresses": []})["addresses"]  # introductions list it as well
    check(addresses() == [], f"an address that cannot be reached is not listed: {directory.servers()}")
    body = next(body for body in Relay.bodies if b"Unreachable" in body)  # others may know the port from a directory before
    check(Relay.forward(body, "127.0.0.1")[0] == 409, "an announcement that is sent again is refused")
    check(Relay.forward(body.replace(b"Unreachable", b"Unreachabel"), "127.0.0.1")[0] == 400, "a forged one is refused")
    check(Relay.forward(b"{", "127.0.0.1")[0] == 400 and Relay.forward(b"x" * 5000, "127.0.0.1")[0] == 400, "noise is refused")
    check(Relay.forward(body, "nobody")[0] == 400, "a proxy must say who asks")
    Relay.sender = "127.0.0.1"
    wait_for(lambda: addresses() == [f"127.0.0.1:{server.port}"], "the server is listed where it can be reached")
    server.end()
    directory.process.terminate()
    relay.shutdown()


class Liar(http.server.BaseHTTPRequestHandler):
    """A directory that answers anything."""
    answers = {
        "/refuses/announce": (403, b'{"error":"go away \\u001b[2J"}'),
        "/rubbish/announce": (200, b"\x00\xff{"),
        "/nests/announce": (200, b"[" * 60000),
        "/large/announce": (200, b"x" * 100000),
        "/types/announce": (200, b'{"address":7,"reachable":"yes","again_ms":-1}'),
        "/hurries/announce": (200, b'{"address":"192.0.2.7:1","reachable":true,"again_ms":0}'),
        "/names/announce": (200, b'{"address":"evil.example.org:1","reachable":true,"again_ms":20000}'),
    }
    counts = {}

    def do_POST(self):  # noqa: the name that http.server wants
        self.rfile.read(int(self.headers["Content-Length"]))
        self.counts[self.path] = self.counts.get(self.path, 0) + 1
        status, text = self.answers[self.path]
        self.send_response(status)
        self.end_headers()
        try:
            self.wfile.write(text)
        except OSError:
            pass  # nobody wants so much

    def log_message(self, *_):
        pass


def lying_directories_change_nothing():
    liar = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Liar)
    threading.Thread(target=liar.serve_forever, daemon=True).start()
    pages = [path.rsplit("/", 1)[0] for path in Liar.answers]
    server = Announced("Patient", *announce_to("http://127.0.0.1:1", *[f"http://127.0.0.1:{liar.server_port}{page}" for page in pages]),
                       bind="127.0.0.1")
    wait_for(lambda: len(Liar.counts) == len(pages), "every directory has had its turn")
    wait_for(lambda: server.announcements()[-1]["state"] != "waiting", "the last answer was read")
    states = [row["state"] for row in server.announcements()]
    check(states == ["silent", "refused", "refused", "refused", "silent", "refused", "listed", "refused"], f"what they said: {states}")
    check("\x1b" not in server.log() and all("\x1b" not in row["text"] for row in server.announcements()), "no escapes")
    time.sleep(3)
    check(max(Liar.counts.values()) == 1, "nobody makes a server hurry")
    begun = time.monotonic()
    server.end()
    check(time.monotonic() - begun < 8 and server.process.returncode == 0, "the server ends in time")
    liar.shutdown()


def dribble(crowd, text):
    for slow in crowd:
        try:
            slow.sendall(text)
        except OSError:
            pass  # it has given way


def callers_that_never_ask_keep_nobody_out(directory):
    """More slow connections, from more addresses, than a directory has room for."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 8192), most))
    crowd = []
    for number in range(4480):
        slow = socket.socket()
        slow.bind((f"127.1.{number // 16 // 250}.{1 + number // 16 % 250}", 0))
        slow.settimeout(10)
        slow.connect(("127.0.0.1", directory.ports[0]))
        dribble([slow], b"GET /servers.json HTTP/1.1\r\nHost: x\r\nX: ")
        crowd.append(slow)
        if number % 500 == 0:
            dribble(crowd, b"x")
    for _ in range(5):
        dribble(crowd, b"x")
        check(directory.get("/healthz") == (200, "ok\n"), "who asks gets an answer")
    for slow in crowd:
        slow.close()


def fakes_leave_at_most_their_quota(directory, honest):
    per_s, rounds = (10000, 3000) if LONG else (2000, 24)
    done = subprocess.run([FAKES, str(directory.ports[0]), "200", str(per_s), str(rounds)], text=True, capture_output=True,
                          check=True, timeout=900)  # a slow machine takes longer
    counts = json.loads(done.stdout)
    known, listed = directory.metric("known"), directory.metric('listed{family="ipv4"}')
    # Those that are gone from the list are remembered for a while.
    print(f"fakes: {done.stdout.strip()}; {known} known, {listed} listed")
    check(counts["200"] >= 200 * 16 and counts["429"] > 0, "there were more than all quotas together")
    check(known <= 200 * 16 + 6, "each household has its quota")
    check({server.key for server in honest} == set(directory.servers()), "every honest server is listed, and nothing else")
    late = Announced("Late", *announce_to(directory.urls()[0]), bind="127.0.0.1")
    wait_for(lambda: late.key in directory.servers(), "a new server is listed after the flood")
    late.end()


def main():
    directory = Directory("open", "--household-lan", "limited", "--household-servers", "16")
    check(directory.get("/nothing")[0] == 404 and directory.get("/healthz") == (200, "ok\n"), "other pages")
    a_new_server_is_listed_and_leaves(directory)
    the_best_match_can_be_watched(directory)
    honest = [Announced(f"Honest {i}", *announce_to(directory.urls()[0]), bind="127.0.0.1") for i in range(3)]
    dead = Announced("Dead", *announce_to(directory.urls()[0]), bind="127.0.0.1")
    wait_for(lambda: len(directory.servers()) == 4, "all are listed")
    dead.end(signal.SIGKILL)
    died = time.monotonic()
    strangers_get_nothing_into_the_list()
    callers_that_never_ask_keep_nobody_out(directory)
    lying_directories_change_nothing()
    if LONG:
        wait_for(lambda: dead.key not in directory.servers(), "a dead server is gone", 75)
        print(f"gone {time.monotonic() - died:.0f} s after it died")
    else:
        check(dead.key in directory.servers(), "a server may be silent for a while")
        honest.append(dead)
    fakes_leave_at_most_their_quota(directory, honest)
    last = directory.file()
    directory.process.send_signal(signal.SIGKILL)
    directory.process.wait(10)
    check(directory.file() == last, "the file stays when the directory dies")
    again = Directory("open", "--listen", f"127.0.0.1:{directory.ports[0]}", "--household-lan", "limited")
    check(again.key == directory.key, "a directory keeps its key")
    check(all(server.process.poll() is None for server in honest if server is not dead), "servers play on")
    again.process.terminate()
    check(again.process.wait(10) == 0, "a directory ends well")


main()
