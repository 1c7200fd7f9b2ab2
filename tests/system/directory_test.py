#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A directory, real servers, and strangers, on loopback.

  directory_test.py DEADFALL_DIRECTORY DEADFALL_SERVER FAKE_SERVERS

DEADFALL_TEST_LONG=1 floods with 10,000 announcements a second for a minute.
"""
import http.client
import json
import os
import resource
import signal
import socket
import sys
import time

from directories import DIRECTORY, LIFE_MS, LIST_MS, PERIOD_MS, ROUND_MS, SERVER, SWEEP_MS, Announced, Directory, Posted, announce_to, path
from processes import LOOPBACK, PATIENCE_S, check, ms_until, run, wait_for

FAKES = sys.argv[3]
LONG = os.environ.get("DEADFALL_TEST_LONG") == "1"


def a_new_server_is_listed_and_leaves(directory):
    server = Announced("Forge & Söhne", "--region", "eu", "--mode", "lms", *announce_to(*directory.urls()))
    addresses = [f"127.0.0.1:{server.port}", f"[::1]:{server.port}"]
    listed_ms = ms_until(lambda: directory.servers().get(server.key, {}).get("addresses") == addresses, "listed over both families")
    check(listed_ms == LIST_MS, f"it is in the next list of the directory, which has just made one: {listed_ms} ms")
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
    gone_ms = ms_until(lambda: server.key not in directory.servers(), "a server that ends is gone")
    check(gone_ms <= LIST_MS + ROUND_MS, f"with the next list: {gone_ms} ms")
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
    check(directory.get("/watch")[0] == 503, "a server that has ended cannot be watched")


def strangers_get_nothing_into_the_list():
    directory = Directory("proxied", "--proxy", "127.0.0.1")
    sender = "127.0.0.99"

    def forward(body, sender):
        return directory.post("/announce", body, **{"X-Forwarded-For": f"203.0.113.1, {sender}"})

    # It stands in front of the directory, keeps what servers send, and says that it comes from another address.
    relay = Posted(lambda _path, body, _headers: forward(body, sender))
    server = Announced("Unreachable", *announce_to(relay.url), bind=LOOPBACK)
    server.said(f"it is not reachable from outside over IPv4 at 127.0.0.99:{server.port}; open UDP port {server.port}")
    check(server.announcements()[0]["state"] in ("unreachable", "punched"), "and so does its status")
    addresses = lambda: directory.servers().get(server.key, {"addresses": []})["addresses"]  # noqa: E731; introductions list it as well
    check(addresses() == [], f"an address that cannot be reached is not listed: {directory.servers()}")
    body = next(body for body in relay.bodies if b"Unreachable" in body)  # others may know the port from a directory before
    for sent, by, status, what in ((body, LOOPBACK, 409, "an announcement that is sent again"), (b"{", LOOPBACK, 400, "noise"),
                                   (body.replace(b"Unreachable", b"Unreachabel"), LOOPBACK, 400, "a forged one"),
                                   (b"x" * 5000, LOOPBACK, 400, "more noise"), (body, "nobody", 400, "a proxy that does not say who asks")):
        check(forward(sent, by)[0] == status, f"{what} is refused")
    sender = LOOPBACK
    wait_for(lambda: addresses() == [f"127.0.0.1:{server.port}"], "the server is listed where it can be reached")
    server.end()
    directory.end()
    relay.shutdown()


def nobody_is_listed_in_the_place_of_a_server():
    """Somebody who hears what a server announces says it from their own address, and carries datagrams between both."""
    thief = "127.0.0.77"
    honest, other = Directory("honest"), Directory("other", "--proxy", "127.0.0.1")
    heard = Posted(lambda _path, _body, _headers: (503, b"{}"))
    server = Announced("Carried", *announce_to(honest.urls()[0], heard.url), bind=LOOPBACK)
    wait_for(lambda: server.key in honest.servers() and heard.bodies, "it is listed where it is")
    time.sleep(1)  # its game knows by now, too
    outside, inside = socket.socket(socket.AF_INET, socket.SOCK_DGRAM), socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    outside.bind((thief, server.port))
    inside.connect((LOOPBACK, server.port))
    outside.settimeout(5)
    inside.settimeout(1)
    status, _ = other.post("/announce", heard.bodies[-1], **{"X-Forwarded-For": thief})
    check(status == 200, "the other directory takes it, since it takes what is for anybody")
    asked = answered = 0
    try:
        while True:
            question, asker = outside.recvfrom(2048)
            asked += 1
            inside.send(question)
            try:
                outside.sendto(inside.recv(2048), asker)
                answered += 1
            except TimeoutError:
                pass
    except TimeoutError:
        pass
    print(f"{asked} questions were carried, and {answered} answers, which ask for a challenge")
    check(asked > 0 and answered > 0, "it was asked and it answers")
    check(not other.servers(), f"it proves nothing for another address: {other.servers()}")
    server.end()
    heard.shutdown()
    honest.end()
    other.end()


LIES = {  # answers of directories, and what a server thinks of them
    "refuses": (403, b'{"error":"go away \\u001b[2J"}', "refused"),
    "rubbish": (200, b"\x00\xff{", "refused"),
    "nests": (200, b"[" * 60000, "refused"),
    "large": (200, b"x" * 100000, "silent"),
    "types": (200, b'{"address":7,"reachable":"yes","again_ms":-1}', "refused"),
    "hurries": (200, b'{"address":"192.0.2.7:1","reachable":true,"again_ms":0}', "listed"),
    "names": (200, b'{"address":"evil.example.org:1","reachable":true,"again_ms":20000}', "refused"),
}


def lying_directories_change_nothing():
    asked = []
    liar = Posted(lambda path, *_: (asked.append((time.monotonic(), path)), LIES[path.split("/")[1]][:2])[1])
    server = Announced("Patient", *announce_to("http://127.0.0.1:1", *[f"{liar.url}/{name}" for name in LIES]), bind=LOOPBACK)
    wait_for(lambda: len(asked) == len(LIES), "every directory has had its turn")
    wait_for(lambda: server.announcements()[-1]["state"] != "waiting", "the last answer was read")
    states = [row["state"] for row in server.announcements()]
    check(states == ["silent", *[state for *_, state in LIES.values()]], f"what they said: {states}")
    check("\x1b" not in server.log() and all("\x1b" not in row["text"] for row in server.announcements()), "no escapes")
    time.sleep(3 * PERIOD_MS / 1000)
    for name in LIES:
        times = [at for at, path in asked if path.startswith(f"/{name}/")]
        periods_ms = [round(1000 * (after - before)) for before, after in zip(times, times[1:])]
        check(periods_ms == [PERIOD_MS] * 3, f"nobody makes a server hurry: {name} is asked after {periods_ms} ms")
    server.process.terminate()
    ended_ms = ms_until(lambda: server.process.poll() is not None, "the server ends")
    check(server.process.returncode == 0 and ended_ms <= 1000 / 60, f"at once: after {ended_ms} ms")
    liar.shutdown()


def one_address_does_not_empty_a_small_directory():
    directory = Directory("small", "--proxy", "127.0.0.1")
    server = Announced("Small", "--max-players", "4", *announce_to(directory.urls()[1]), bind="::")
    wait_for(lambda: server.key in directory.servers(), "it is listed over IPv6")

    def play(sender):
        connection = http.client.HTTPConnection(LOOPBACK, directory.ports[0], timeout=PATIENCE_S)
        connection.request("GET", "/play", headers={"X-Forwarded-For": sender})
        return connection.getresponse().status
    check({play("2001:db8::1") for _ in range(4)} == {200}, "one address may ask again")
    check(directory.metric("reserved") == 1, "and has one place")
    check([play(f"2001:db8:{site}::1") for site in range(1, 5)] == [200, 200, 200, 503], "the others are for others")
    check(play("2001:db8::1") == 200 and directory.metric("reserved") == 4, "who has one may still ask again")
    server.end()
    directory.end()


def a_port_has_one_owner(directory):
    """Else both would get half of what comes."""
    place = f"{LOOPBACK}:{directory.ports[0]}"
    said = run(DIRECTORY, "--listen", place, "--publish", "off", "--state-dir", path("second"), code=os.EX_UNAVAILABLE).stderr
    check(f"cannot listen on http://{place}: Address already in use" in said, f"a second directory says why it ends: {said}")
    said = run(SERVER, "--port", "0", "--metrics", place, "--state-dir", path("third"), code=os.EX_UNAVAILABLE).stderr
    check(f"cannot listen on http://{place} for --metrics: Address already in use" in said, f"so does a server: {said}")


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
    done = run(FAKES, directory.ports[0], "200", per_s, rounds)
    counts = json.loads(done.stdout)
    known, listed = directory.metric("known"), directory.metric('listed{family="ipv4"}')
    # Those that are gone from the list are remembered for a while.
    print(f"fakes: {done.stdout.strip()}; {known} known, {listed} listed")
    check(counts["200"] >= 200 * 16 and counts["429"] > 0, "there were more than all quotas together")
    check(known <= 200 * 16 + 6, "each household has its quota")
    check({server.key for server in honest} == set(directory.servers()), "every honest server is listed, and nothing else")
    late = Announced("Late", *announce_to(directory.urls()[0]), bind=LOOPBACK)
    wait_for(lambda: late.key in directory.servers(), "a new server is listed after the flood")
    late.end()


def main():
    directory = Directory("open", "--household-lan", "limited", "--household-servers", "16")
    check(directory.get("/nothing")[0] == 404 and directory.get("/healthz") == (200, "ok\n"), "other pages")
    a_new_server_is_listed_and_leaves(directory)
    the_best_match_can_be_watched(directory)
    honest = [Announced(f"Honest {i}", *announce_to(directory.urls()[0]), bind=LOOPBACK) for i in range(3)]
    announced = time.monotonic()
    dead = Announced("Dead", *announce_to(directory.urls()[0]), bind=LOOPBACK)
    wait_for(lambda: len(directory.servers()) == 4, "all are listed")
    dead.end(signal.SIGKILL)
    left_ms = LIFE_MS - round((time.monotonic() - announced) * 1000)
    late_ms = ms_until(lambda: dead.key not in directory.servers(), "a dead server is gone", left_ms - 1) - left_ms
    check(0 <= late_ms <= SWEEP_MS + LIST_MS, f"with a look and a list of the directory, {late_ms} ms after its life")
    strangers_get_nothing_into_the_list()
    nobody_is_listed_in_the_place_of_a_server()
    one_address_does_not_empty_a_small_directory()
    a_port_has_one_owner(directory)
    callers_that_never_ask_keep_nobody_out(directory)
    lying_directories_change_nothing()
    fakes_leave_at_most_their_quota(directory, honest)
    last = directory.file()
    directory.process.send_signal(signal.SIGKILL)
    directory.process.wait()
    check(directory.file() == last, "the file stays when the directory dies")
    again = Directory("open", "--listen", f"127.0.0.1:{directory.ports[0]}", "--household-lan", "limited")
    check(again.key == directory.key, "a directory keeps its key")
    check(all(server.process.poll() is None for server in honest), "servers play on")
    for server in honest:
        server.end()
    again.end()


main()
