#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A directory that asks an allocator of Agones for places: over mutual TLS, with an allocator that fails in many ways.

  allocator_test.py DEADFALL_DIRECTORY DEADFALL_SERVER
"""
import json
import sys
import threading
import time

from directories import ROUND_MS, Announced, Directory, Posted, announce_to, path
from processes import LOOPBACK, check, ms_until, run, wait_for
from sites import make_certificates

KEY = "abcdefghijklmnopqrstuvwxyz234567"
ARENA = f"192.0.2.7:7463#{KEY}"
ALONE_MS = 2000     # that an allocator is left alone after a failure
PATIENCE_MS = 3000  # that it may take to answer


def answer_with(invitation):
    return json.dumps({"gameServerName": "deadfall-x", "ports": [{"name": "default", "port": 7463}], "address": "192.0.2.7",
                       "nodeName": "node", "source": "local", "metadata": {"labels": {}, "annotations": {
                           "agones.dev/sdk-invitation": invitation}}}).encode()


class Allocator(Posted):
    """Answers as it is told, and keeps what it was asked."""
    status, answer, delay_s, asked = 200, answer_with("deadfall://" + ARENA), 0, []

    def __init__(self, certificates=None):
        super().__init__(self.reply, certificates=certificates, is_for_all=False)

    @staticmethod
    def reply(where, body, headers):
        Allocator.asked.append((where, headers["Content-Type"], json.loads(body)))
        time.sleep(Allocator.delay_s)
        return Allocator.status, Allocator.answer


def allocations(directory, result):
    return directory.metric(f'allocations_total{{result="{result}"}}')


def a_place_comes_from_the_allocator(directory):
    check(directory.get("/play?mode=lms&region=eu") == (200, ARENA + "\n"), "a place in an arena")
    where, kind, request = Allocator.asked[-1]
    check((where, kind) == ("/gameserverallocation", "application/json"), "it was asked as Agones wants it")
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
    check(allocations(directory, "none") == len(answers) and "allocator" not in directory.log(), "the allocator is asked each time")


def failures_lead_to_the_list(directory, listed):
    failures = [(500, b""), (200, b"rubbish \x00\xff"), (200, b"[" * 60000), (200, answer_with("deadfall://nowhere")),
                (200, answer_with("deadfall://evil\r\nhost:7#" + KEY)), (200, answer_with(ARENA)), (302, b"")]
    for count, (Allocator.status, Allocator.answer) in enumerate(failures, 1):
        check(directory.get("/play?mode=ffa") == (200, listed), "the list has a place")
        asked = len(Allocator.asked)
        for wait_ms in (0, ALONE_MS - 1):
            time.sleep(wait_ms / 1000)
            check(directory.get("/play?mode=ffa") == (200, listed) and len(Allocator.asked) == asked, "the allocator is left alone")
        check(allocations(directory, "failed") == count, "the failure is counted")
        check(directory.log().count("gives no place") == 1, "it is logged once")
        time.sleep(0.001)
    Allocator.status, Allocator.answer = 200, answer_with("deadfall://" + ARENA)
    check(directory.get("/play") == (200, ARENA + "\n") and directory.log().count("answers again") == 1, "and it is back")
    check(directory.get("/play?mode=%22%2F") == (503, '{"error":"no server has room for this now"}'), "such a mode is none")


def a_hanging_allocator_makes_only_its_player_wait(directory, listed):
    Allocator.delay_s = 20
    got = []

    def ask():
        begun = time.monotonic()
        got.append((directory.get("/play"), round((time.monotonic() - begun) * 1000)))

    waiting = threading.Thread(target=ask)
    asked = len(Allocator.asked)
    waiting.start()
    wait_for(lambda: len(Allocator.asked) > asked, "the allocator is asked")
    for _ in range(10):
        check(directory.get("/healthz")[0] == 200 and directory.get("/servers.json")[0] == 200, "others are answered")
    check(waiting.is_alive() and not got, "meanwhile")
    waiting.join()
    check(got == [((200, listed), PATIENCE_MS)], f"then the list has a place: {got}")


def a_directory_ends_while_somebody_waits(directory):
    time.sleep(ALONE_MS / 1000)
    asked = len(Allocator.asked)

    def ask():
        try:
            directory.get("/play")
        except OSError:
            pass  # it ended

    waiting = threading.Thread(target=ask)
    waiting.start()
    wait_for(lambda: len(Allocator.asked) > asked, "the allocator is asked")
    directory.process.terminate()
    ended_ms = ms_until(lambda: directory.process.poll() is not None, "it ends")
    check(directory.process.returncode == 0 and ended_ms <= ROUND_MS, f"it ends at once: {ended_ms} ms")
    waiting.join()
    Allocator.delay_s = 0


def strangers_are_refused(url, own, foreign):
    for place, words in ((own, ["--allocator-tls", foreign]), (own, [])):
        directory = Directory("foreign", "--allocator", place, *words)
        check(directory.get("/play")[0] == 503 and allocations(directory, "failed") == 1, "no place without trust on both sides")
        directory.end()
    directory = Directory("plain", "--allocator", url + "/")
    check(directory.get("/play") == (200, ARENA + "\n"), "without TLS inside a cluster")
    directory.end()
    for words in (["--allocator", "ftp://x"], ["--allocator", "https://x", "--allocator-tls", path(".")],
                  ["--allocator", "https://x", "--allocator-fleet", "a/b/c"], ["--allocator", "https://x y"]):
        check("--allocator" in run(sys.argv[1], *words, code=64).stderr, f"{words} is wrong")


def main():
    own, foreign = make_certificates(path("own")), make_certificates(path("foreign"))
    url, plain = Allocator(own).url, Allocator().url
    directory = Directory("agones", "--allocator", url, "--allocator-tls", own, "--allocator-fleet", "games/arenas")
    server = Announced("Listed", *announce_to(directory.urls()[0]), "--max-players", "32", bind=LOOPBACK)
    wait_for(lambda: server.key in directory.servers(), "the server is listed")
    listed = f"127.0.0.1:{server.port}#{server.key}\n"
    a_place_comes_from_the_allocator(directory)
    no_arena_is_no_failure(directory, listed)
    failures_lead_to_the_list(directory, listed)
    a_hanging_allocator_makes_only_its_player_wait(directory, listed)
    a_directory_ends_while_somebody_waits(directory)
    strangers_are_refused(plain, url, foreign)


main()
