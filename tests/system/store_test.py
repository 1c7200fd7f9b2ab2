#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Directories that share their list through a real Redis, which dies, hangs and says rubbish.

  store_test.py DEADFALL_DIRECTORY DEADFALL_SERVER

It needs redis-server; elsewhere it is skipped.
"""
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from directories import LIST_MS, ROUND_MS, Announced, Directory, Posted, announce_to, path
from processes import LOOPBACK, PATIENCE_S, REDIS, check, free_port, ms_until, need, run, wait_for, write
from sites import make_certificates

KEY = "deadfall:directory"
PASSWORD = "a pass word"
PATIENCE_MS = 1000  # that a Redis may take to answer


class Redis:
    """A Redis, which with certificates takes nothing but TLS, from clients with a certificate of the same authority."""

    def __init__(self, certificates=None):
        self.certificates = certificates
        self.port = free_port()
        self.folder = tempfile.TemporaryDirectory()
        self.password_file = os.path.join(self.folder.name, "password")
        write(self.password_file, PASSWORD + "\n")
        self.start()

    def start(self):
        tls = ["--port", "0", "--tls-port", str(self.port), "--tls-cert-file", f"{self.certificates}/tls.crt", "--tls-key-file",
               f"{self.certificates}/tls.key", "--tls-ca-cert-file", f"{self.certificates}/ca.crt"]
        port = tls if self.certificates else ["--port", str(self.port)]
        self.process = subprocess.Popen([*REDIS, *port, "--bind", "127.0.0.1", "--requirepass", PASSWORD, "--dir",
                                         self.folder.name], stdout=subprocess.DEVNULL)
        wait_for(lambda: self.ask("PING", code=None) == "PONG", "Redis answers")

    def kill(self):
        self.process.kill()
        self.process.wait(PATIENCE_S)

    def url(self, host="127.0.0.1"):
        return f"{'rediss' if self.certificates else 'redis'}://{host}:{self.port}/1"

    def ask(self, *words, code=0):
        tls = ["--tls", "--cacert", f"{self.certificates}/ca.crt", "--cert", f"{self.certificates}/tls.crt", "--key",
               f"{self.certificates}/tls.key"]
        return run("redis-cli", *(tls if self.certificates else []), "-p", self.port, "-n", "1", *words, code=code,
                   env={**os.environ, "REDISCLI_AUTH": PASSWORD}).stdout.strip()


class Shared(Directory):
    """A directory that shares its list with those that have its key."""
    first = None

    def __init__(self, name, redis, *arguments, has_own_key=False):
        if Shared.first and not has_own_key:
            os.makedirs(path(name), 0o700)
            shutil.copy(os.path.join(path(Shared.first), "directory.key"), path(name))
        Shared.first = Shared.first or name
        super().__init__(name, "--store", redis.url(), "--store-password-file", redis.password_file, *arguments)

    def changes(self, result):
        return self.metric(f'store_changes_total{{result="{result}"}}')


def all_know(what, directories, servers):
    wait_for(lambda: all(directory.knows(*servers) for directory in directories), what)
    if not servers:
        time.sleep(LIST_MS / 1000)  # directories count households each second


def lists_are_one(directories):
    one, two, three = directories
    server = Announced("Both", *announce_to(one.urls()[0], two.urls()[1]))
    wanted = [f"127.0.0.1:{server.port}", f"[::1]:{server.port}"]
    for directory in directories:
        wait_for(lambda: directory.servers().get(server.key, {}).get("addresses") == wanted, "each lists what the others have seen")
    server.end()
    all_know("each hears a goodbye", directories, [])
    check(three.changes("sent") == 0 and three.changes("received") > 0, "nothing was sent to the third one")


def places_are_reserved_once(directories):
    small = Announced("Small", "--max-players", "2", "--mode", "lms", *announce_to(directories[0].urls()[0]), bind=LOOPBACK)
    all_know("all know the small one", directories, [small])
    play = "/play?mode=lms"
    place = (200, f"127.0.0.1:{small.port}#{small.key}\n")
    check(directories[0].get(play) == place, "a place")
    wait_for(lambda: all(directory.metric("reserved") == 1 for directory in directories), "the others know of it")
    check(all(directory.get(play) == place for directory in directories), "its household may ask anywhere")
    check(directories[1].get(play, sender="127.0.0.2") == place, "another place, for another household")
    wait_for(lambda: all(directory.metric("reserved") == 2 for directory in directories), "all know of both and no more")
    check(all(directory.get(play, sender="127.0.0.3")[0] == 503 for directory in directories), "no place is left")
    small.end()
    all_know("it is gone", directories, [])


def nobody_gains_by_asking_another(directories):
    relay = Posted(lambda _path, body, _headers: directories[0].post("/announce", body))
    servers = [Announced(f"Of one house {i}", *announce_to(relay.url), bind=LOOPBACK) for i in range(2)]
    all_know("both are listed", directories, servers)
    check(directories[1].post("/announce", relay.bodies[-1])[0] == 409, "a copy is refused elsewhere, too")
    third = Announced("Too many", *announce_to(directories[1].urls()[0]), bind=LOOPBACK)
    third.said("too many servers")  # a household has its quota everywhere
    all_know("so all lists stay", directories, servers)
    for server in [third, *servers]:
        server.end()
    all_know("all are gone", directories, [])
    relay.shutdown()


def each_goes_on_without_redis(redis, directories):
    old = Announced("Old", *announce_to(directories[0].urls()[0]), bind=LOOPBACK)
    all_know("all know the old one", directories, [old])
    redis.kill()
    for directory in directories:
        wait_for(lambda: directory.metric("store_up") == 0, "each notices")
    young = Announced("Young", *announce_to(directories[0].urls()[0]), bind=LOOPBACK)
    wait_for(lambda: directories[0].knows(old, young), "the list goes on")
    check(directories[1].knows(old), "with what each has")
    time.sleep(2)
    for directory in directories:
        check(directory.log().count("does not answer") == 1, "it is logged once")
    redis.start()  # empty
    for directory in directories:
        wait_for(lambda: directory.metric("store_up") == 1, "each finds it again")
        check(directory.log().count("answers again") == 1, "and says so")
    all_know("what happened meanwhile is known in time for the next announcement", directories, [old, young])
    late = Shared("late", redis)
    all_know("a new directory knows all at once", [late], [old, young])
    late.end()
    return [old, young]


def a_hanging_redis_makes_nobody_wait(redis, directories, servers):
    redis.process.send_signal(signal.SIGSTOP)
    lost_ms = ms_until(lambda: directories[0].metric("store_up") == 0, "it counts as lost", PATIENCE_MS - 1)
    check(PATIENCE_MS <= lost_ms <= PATIENCE_MS + ROUND_MS, f"after {lost_ms} ms")
    begun = time.monotonic()
    for _ in range(20):
        check(directories[0].knows(*servers), "it answers")
        check(directories[0].get("/healthz")[0] == 200, "all the time")
        time.sleep(0.1)
    check(directories[0].get("/play")[0] == 200, "and finds places")
    check(round(time.monotonic() - begun, 3) == 2, "and at once: only this test has waited")
    redis.process.send_signal(signal.SIGCONT)
    for directory in directories:
        wait_for(lambda: directory.metric("store_up") == 1, "and is found again")


def rubbish_changes_nothing(redis, directories, servers):
    refused = [directory.changes("refused") for directory in directories]
    change = redis.ask("XRANGE", KEY, "-", "+", "COUNT", "1").split("\n")
    words = dict(zip(change[1::2], change[2::2]))
    check(words["kind"] == "proven" and "announced" in words, f"a change is readable: {words}")
    good = {"from": "x", "kind": "proven", "key": "0" * 64, "address": "127.0.0.1:1", "proven_ms": "0",
            "announced": words["announced"]}
    rubbish = [{"a": "b"}, {"from": "x"}, good, {**good, "kind": "eaten"}, {**good, "address": "nowhere"}, {**good, "announced": "{" * 5000},
               {**good, "kind": "reserved"}, {**good, "announced": words["announced"].replace("Old", "New")},
               {**words, "kind": "failed"}, {**words, "address": "127.0.0.1:1"},
               {**good, "proven_ms": "99999999999999999999"}]
    for row in rubbish:
        redis.ask("XADD", KEY, "*", *[word for pair in row.items() for word in pair])
    # One of them passes over what has its own name.
    wait_for(lambda: sum(directory.changes("refused") >= before + len(rubbish) for directory, before in zip(directories, refused)) >= 2,
             "rubbish is refused and counted")
    redis.ask("DEL", KEY)
    redis.ask("SET", KEY, "a text")
    wait_for(lambda: directories[0].metric("store_up") == 0, "a key of another kind counts as lost")
    redis.ask("DEL", KEY)
    wait_for(lambda: directories[0].metric("store_up") == 1, "until it is gone")
    all_know("the lists are as they were", directories, servers)


def another_key_changes_nothing(redis, directories, servers):
    refused = directories[0].changes("refused")
    own = Shared("own", redis, has_own_key=True)
    check(own.key != directories[0].key, "it has another key")
    stranger = Announced("Stranger", *announce_to(own.urls()[0]), bind=LOOPBACK)
    wait_for(lambda: own.knows(stranger), "it lists its own server")
    wait_for(lambda: directories[0].changes("refused") > refused, "the others refuse that")
    all_know("so their lists stay", directories, servers)
    check(own.changes("received") == 0, "and it learns nothing from them")
    stranger.end()
    own.end()


def exchange_notes(directory, left=(), wanted=()):
    """Leaves notes and returns those of the names that are there."""
    body = b"DFN1" + bytes([len(left), len(wanted)]) + b"".join(name + name[:1] * 264 for name in left) + b"".join(wanted)
    while (got := directory.post("/notes", body))[0] == 429:  # a household may ask twice a second
        time.sleep(0.5)
    answer = got[1]
    check(answer[:4] == b"DFN1" and len(answer) == 5 + 280 * answer[4], "an answer")
    return {answer[5 + 280 * i:][:16] for i in range(answer[4])}


def note_names(letter, count):
    return [letter.encode() + bytes(14) + bytes([i]) for i in range(count)]


def all_find(what, directories, names):
    for directory in directories:
        wait_for(lambda: exchange_notes(directory, wanted=names) == set(names), what)


def notes_are_one(redis, directories):
    ours, theirs, late, own = note_names("a", 32), note_names("b", 4), note_names("c", 4), note_names("o", 4)
    exchange_notes(directories[0], left=ours)
    exchange_notes(directories[1], left=theirs)
    all_find("notes that are left at one are found at each", directories, ours + theirs)
    redis.kill()
    wait_for(lambda: all(directory.metric("store_up") == 0 for directory in directories), "each notices")
    all_find("without Redis each has what it had", directories, ours + theirs)
    exchange_notes(directories[0], left=late)
    check(exchange_notes(directories[0], wanted=late) == set(late), "and what comes to it")
    check(not exchange_notes(directories[1], wanted=late), "that the others do not have yet")
    redis.start()  # empty
    all_find("they have it when Redis is back", directories, late)
    fresh = Shared("fresh", redis, "--household-lan", "limited")
    all_find("a new directory knows what is still in Redis", [fresh], late)
    exchange_notes(directories[2], left=ours)
    all_find("and the rest when it is renewed", [fresh], ours)
    stranger = Shared("another", redis, has_own_key=True)
    check(not exchange_notes(stranger, left=own, wanted=ours), "a directory with another key learns no notes")
    time.sleep(1)
    check(not exchange_notes(fresh, wanted=own), "and nobody learns its own")
    check("127.0.0.1:0" in redis.ask("XRANGE", "deadfall:notes", "-", "+", "COUNT", "1"), "no port of a player is told")
    check(0 < int(redis.ask("PTTL", "deadfall:notes")) <= 240000, "and they go when nobody shares them")
    for directory in (fresh, stranger):
        directory.end()


def strangers_are_refused(redis):
    wrong = os.path.join(redis.folder.name, "wrong")
    write(wrong, "guess\n")
    for words, why in (([], "NOAUTH"), (["--store-password-file", wrong], "WRONGPASS"),
                       (["--store-password-file", wrong + "er"], "cannot be read")):
        stranger = Directory("stranger", "--store", redis.url(), *words)
        wait_for(lambda: why in stranger.log(), "the log says why")
        check(stranger.metric("store_up") == 0, "a stranger shares nothing")
        stranger.end()


def tls_is_for_those_who_can_prove_themselves():
    good, other, half = make_certificates(path("good")), make_certificates(path("other")), path("half")
    os.mkdir(half)
    shutil.copy(os.path.join(good, "ca.crt"), half)
    redis = Redis(good)
    one, two = [Shared(f"tls{i}", redis, "--store-tls", good) for i in range(2)]
    server = Announced("Sealed", *announce_to(one.urls()[0]), bind=LOOPBACK)
    all_know("what one has seen reaches the other by TLS", [one, two], [server])
    for name, words in (("another authority", ["--store-tls", other]), ("no authority", []), ("no certificate", ["--store-tls", half]),
                        ("another host", ["--store-tls", good])):
        url = redis.url("localhost") if name == "another host" else redis.url()
        stranger = Directory(name.replace(" ", ""), "--store", url, "--store-password-file", redis.password_file, *words)
        wait_for(lambda: "does not answer" in stranger.log(), f"with {name} it says that there is no Redis")
        check(stranger.metric("store_up") == 0, f"with {name} nothing is shared")
        stranger.end()
    for words in (["--store", "redis://127.0.0.1", "--store-tls", good], ["--store", redis.url(), "--store-tls", path("nowhere")]):
        check("--store-tls is a directory" in run(sys.argv[1], *words, code=64).stderr, f"{words} are wrong")
    server.end()
    for directory in (one, two):
        directory.end()
    redis.kill()


def a_directory_needs_no_redis_to_begin():
    with socket.socket() as silent:  # it listens and says nothing
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        alone = Directory("alone", "--store", f"redis://127.0.0.1:{silent.getsockname()[1]}")
        server = Announced("Alone", *announce_to(alone.urls()[0]), bind=LOOPBACK)
        wait_for(lambda: server.key in alone.servers(), "it lists")
        check(alone.metric("store_up") == 0, "alone")
        server.end()
        alone.end()
    for address in ("redis://", "redis://host:0", "redis://host/x", "http://127.0.0.1", "redis://user@host", "disk"):
        check("--store is memory" in run(sys.argv[1], "--store", address, code=64).stderr, f"{address} is no store")


def main():
    need("redis-server")
    redis = Redis()
    limits = ["--household-lan", "limited", "--household-servers", "2"]
    directories = [Shared(f"front{i}", redis, *limits) for i in range(3)]
    lists_are_one(directories)
    places_are_reserved_once(directories)
    nobody_gains_by_asking_another(directories)
    servers = each_goes_on_without_redis(redis, directories)
    a_hanging_redis_makes_nobody_wait(redis, directories, servers)
    rubbish_changes_nothing(redis, directories, servers)
    notes_are_one(redis, directories)
    another_key_changes_nothing(redis, directories, servers)
    check("ERROR" not in directories[0].log(), "nothing else went wrong")
    strangers_are_refused(redis)
    tls_is_for_those_who_can_prove_themselves()
    a_directory_needs_no_redis_to_begin()
    for directory in directories:
        directory.end()


main()
