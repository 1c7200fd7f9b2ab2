#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A directory that asks an allocator of Agones for places: over mutual TLS, with an allocator that fails in many ways.

  allocator_test.py DEADFALL_DIRECTORY DEADFALL_SERVER
"""
import http.server
import json
import os
import ssl
import subprocess
import sys
import tempfile
import threading
import time

from directories import Announced, Directory, announce_to, make_certificates
from processes import check, wait_for

KEY = "abcdefghijklmnopqrstuvwxyz234567"
ARENA = f"192.0.2.7:7463#{KEY}"
LEFT_ALONE_S = 3  # after a failure
folder = tempfile.TemporaryDirectory()


def answer_with(invitation):
    return json.dumps({"gameServerName": "deadfall-x", "ports": [{"name": "default", "port": 7463}], "address": "192.0.2.7",
                       "nodeName": "node", "source": "local", "metadata": {"labels": {}, "annotations": {
                           "agones.dev/sdk-invitation": invitation}}}).encode()


class Allocator(http.server.BaseHTTPRequestHandler):
    """Answers as it is told, and keeps what it was asked."""
    status, answer, delay_s, asked = 200, answer_with("deadfall://" + ARENA), 0, []

    def do_POST(self):  # noqa: the name that http.server wants
        body = self.rfile.read(int(self.headers["Content-Length"]))
        Allocator.asked.append((self.path, self.headers["Content-Type"], json.loads(body)))
        time.sleep(self.delay_s)
        try:
            self.send_response(self.status)
            self.send_header("Content-Length", str(len(self.answer)))
            self.end_headers()
            self.wfile.write(self.answer)
        except OSError:
            pass  # nobody waits any more

    def log_message(self, *_):
        pass


class Quiet(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass  # a handshake that is refused


def start_allocator(certificates):
    server = Quiet(("127.0.0.1", 0), Allocator)
    scheme = "http"
    if certificates:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(os.path.join(certificates, "tls.crt"), os.path.join(certificates, "tls.key"))
        context.load_verify_locations(os.path.join(certificates, "ca.crt"))
        context.verify_mode = ssl.CERT_REQUIRED
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        scheme = "https"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"{scheme}://127.0.0.1:{server.server_port}"


def log_of(directory):
    with open(directory.log_path, encoding="utf-8") as log:
        return log.read()


def allocations(directory, result):
    return directory.metric(f'allocations_total{{result="{result}"}}')


def a_place_comes_from_the_allocator(directory):
    check(directory.get("/play?mode=lms&region=eu") == (200, ARENA + "\n"), "a place in an arena")
    path, kind, request = Allocator.asked[-1]
    check((path, kind) == ("/gameserverallocation", "application/json"), "it was asked as Agones wants it")
    labels = {"agones.dev/fleet": "arenas", "agones.dev/sdk-open": "true", "agones.dev/sdk-mode": "lms"}
    selectors = [{"matchLabels": labels, "gameServerState": state, "lists": {"players": {"minAvailable": 1}}}
                 for state in ("ALLOCATED", "READY")]
    check(request["namespace"] == "games" and request["gameServerSelectors"] == selectors, f"for such an arena: {request}")
    check(request["priorities"] == [{"type": "List", "key": "players", "order": "Ascending"}], "the fullest one")
    names = request["lists"]["players"]["addValues"]
    check(directory.get("/play")[0] == 200 and Allocator.asked[-1][2]["lists"]["players"]["addValues"] != names,
          "and each player has a reservation")
    check("agones.dev/sdk-mode" not in Allocator.asked[-1][2]["gameServerSelectors"][0]["matchLabels"], "in any mode")
    check(directory.get("/play", 1) == (200, ARENA + "\n"), "over IPv6 too")
    check(allocations(directory, "place") == 3, "all are counted")


def no_arena_is_no_failure(directory, listed):
    none = b'{"code":%d,"message":"there is no available GameServer to allocate","details":[]}'
    busy = b'{"code":10,"message":"too many concurrent requests have overwhelmed the system","details":[]}'
    answers = [(429, none % 8), (429, none % 8), (409, busy), (503, none % 14)]  # the last as an allocator may be set
    for Allocator.status, Allocator.answer in answers:
        check(directory.get("/play") == (200, listed), "the list has a place")
    check(allocations(directory, "none") == len(answers) and "allocator" not in log_of(directory), "the allocator is asked each time")


def failures_lead_to_the_list(directory, listed):
    failures = [(500, b""), (200, b"rubbish \x00\xff"), (200, b"[" * 60000), (200, answer_with("deadfall://nowhere")),
                (200, answer_with("deadfall://evil\r\nhost:7#" + KEY)), (200, answer_with(ARENA)), (302, b"")]
    for count, (Allocator.status, Allocator.answer) in enumerate(failures, 1):
        check(directory.get("/play?mode=ffa") == (200, listed), "the list has a place")
        asked = len(Allocator.asked)
        check(directory.get("/play?mode=ffa") == (200, listed) and len(Allocator.asked) == asked, "the allocator is left alone")
        check(allocations(directory, "failed") == count, "the failure is counted")
        check(log_of(directory).count("gives no place") == 1, "it is logged once")
        time.sleep(LEFT_ALONE_S)
    Allocator.status, Allocator.answer = 200, answer_with("deadfall://" + ARENA)
    check(directory.get("/play") == (200, ARENA + "\n") and log_of(directory).count("answers again") == 1, "and it is back")
    check(directory.get("/play?mode=%22%2F") == (503, '{"error":"no server has room for this now"}'), "such a mode is none")


def a_hanging_allocator_makes_only_its_player_wait(directory, listed):
    Allocator.delay_s = 20
    got = []
    waiting = threading.Thread(target=lambda: got.append(directory.get("/play")))
    asked, begun = len(Allocator.asked), time.monotonic()
    waiting.start()
    wait_for(lambda: len(Allocator.asked) > asked, "the allocator is asked")
    for _ in range(10):
        check(directory.get("/healthz")[0] == 200 and directory.get("/servers.json")[0] == 200, "others are answered")
    check(waiting.is_alive() and not got, "meanwhile")
    waiting.join(20)
    check(got == [(200, listed)] and time.monotonic() - begun < 15, f"then the list has a place: {got}")


def a_directory_ends_while_somebody_waits(directory):
    time.sleep(LEFT_ALONE_S)
    asked, begun = len(Allocator.asked), time.monotonic()

    def ask():
        try:
            directory.get("/play")
        except OSError:
            pass  # it ended

    waiting = threading.Thread(target=ask)
    waiting.start()
    wait_for(lambda: len(Allocator.asked) > asked, "the allocator is asked")
    directory.process.terminate()
    check(directory.process.wait(10) == 0 and time.monotonic() - begun < 15, "it ends in time")
    waiting.join(10)
    Allocator.delay_s = 0


def strangers_are_refused(url, own, foreign):
    for place, words in ((own, ["--allocator-tls", foreign]), (own, [])):
        directory = Directory("foreign", "--allocator", place, *words)
        check(directory.get("/play")[0] == 503 and allocations(directory, "failed") == 1, "no place without trust on both sides")
        directory.process.terminate()
        check(directory.process.wait(10) == 0, "it ends")
    directory = Directory("plain", "--allocator", url + "/")
    check(directory.get("/play") == (200, ARENA + "\n"), "without TLS inside a cluster")
    directory.process.terminate()
    for words in (["--allocator", "ftp://x"], ["--allocator", "https://x", "--allocator-tls", folder.name],
                  ["--allocator", "https://x", "--allocator-fleet", "a/b/c"], ["--allocator", "https://x y"]):
        wrong = subprocess.run([sys.argv[1], *words], text=True, capture_output=True, check=False, timeout=10)
        check(wrong.returncode == 64 and "--allocator" in wrong.stderr, f"{words} is wrong: {wrong.stderr}")


def main():
    own, foreign = make_certificates("own"), make_certificates("foreign")
    url, plain = start_allocator(own), start_allocator(None)
    directory = Directory("agones", "--allocator", url, "--allocator-tls", own, "--allocator-fleet", "games/arenas")
    server = Announced("Listed", *announce_to(directory.urls()[0]), "--max-players", "32", bind="127.0.0.1")
    wait_for(lambda: server.key in directory.servers(), "the server is listed")
    listed = f"127.0.0.1:{server.port}#{server.key}\n"
    a_place_comes_from_the_allocator(directory)
    no_arena_is_no_failure(directory, listed)
    failures_lead_to_the_list(directory, listed)
    a_hanging_allocator_makes_only_its_player_wait(directory, listed)
    a_directory_ends_while_somebody_waits(directory)
    strangers_are_refused(plain, url, foreign)


main()
