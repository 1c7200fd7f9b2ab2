#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A server and a player behind routers, directories that introduce them, and strangers who try to misuse it.

  punch_test.py DEADFALL_DIRECTORY DEADFALL_SERVER DEADFALL_BOTS DEADFALL MERGE_LISTS

The routers are network namespaces in which Linux's own firewall translates addresses: "plain" keeps the port of a
connection for all destinations, "random" takes a new one for each. Over IPv6 a router of the kind "firewall" lets in only
what was asked for, and "masquerade" translates addresses, too. It needs namespaces of its own; elsewhere it is skipped.
"""
import json
import os
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request

from namespaces import Machine, go_inside
import processes
from processes import PATIENCE_S, REDIS, Server, check, run, wait_for, write
from window import Game

DIRECTORY, SERVER, BOTS, GAME, MERGE = sys.argv[1:6]
# This namespace is the internet, with the directory at 203.0.113.1. Behind each router is a home with one machine.
HOME = """
set -e
ip link add up"$3" type veth peer name wan netns "$1"
ip addr add "$4".1/24 dev up"$3"
ip link set up"$3" up
ip route replace "$4".0/24 dev up"$3" src 203.0.113.1
ip addr add 2001:db8:"$3"::1/64 dev up"$3" nodad noprefixroute
ip route replace 2001:db8:"$3"::/64 dev up"$3" src 2001:db8::1
ip route add 2001:db8:"$3":1::/64 via 2001:db8:"$3"::2 src 2001:db8::1
nsenter -t "$1" -n sh -ec '
  ip link set lo up
  ip addr add "$1".2/24 dev wan
  ip link set wan up
  ip route add default via "$1".1
  ip link add lan type veth peer name eth netns "$2"
  ip addr add 10.0.0.1/24 dev lan
  ip link set lan up
  echo 1 >/proc/sys/net/ipv4/ip_forward
  ip addr add 2001:db8:"$3"::2/64 dev wan nodad
  ip route add default via 2001:db8:"$3"::1
  ip addr add 2001:db8:"$3":1::1/64 dev lan nodad
  echo 1 >/proc/sys/net/ipv6/conf/all/forwarding' sh "$4" "$2" "$3"
nsenter -t "$2" -n sh -ec '
  ip link set lo up
  ip addr add 10.0.0.2/24 dev eth
  ip link set eth up
  ip route add default via 10.0.0.1
  ip addr add 2001:db8:"$1":1::2/64 dev eth nodad
  ip route add default via 2001:db8:"$1":1::1' sh "$3"
"""
ROUTER = """
flush ruleset
table ip nat {
  chain out { type nat hook postrouting priority 100; oifname "wan" masquerade %s; }
}
table ip filter {
  chain own { type filter hook input priority 0; policy drop; iifname "lan" accept; ct state established,related accept; }
  chain through { type filter hook forward priority 0; policy drop; iifname "lan" accept; ct state established,related accept; }
}
"""
ROUTER6 = """
table ip6 nat {
  chain out { type nat hook postrouting priority 100; %s }
}
table ip6 filter {
  chain own { type filter hook input priority 0; policy drop; iifname "lan" accept; meta l4proto ipv6-icmp accept; }
  chain through { type filter hook forward priority 0; policy drop; iifname "lan" accept; ct state established,related accept; }
}
"""
KINDS = {"plain": "", "random": "fully-random"}
KINDS6 = {"firewall": "", "masquerade": 'oifname "wan" masquerade;', "random": 'oifname "wan" masquerade fully-random;'}
CLOSED = "There is no way between your router and the server's, because one of them takes a new port for each connection."


class Home:
    """A machine behind a router."""

    def __init__(self, number, net):
        self.router, self.machine, self.net = Machine(), Machine(), net
        subprocess.run(["sh", "-c", HOME, "sh", self.router.pid, self.machine.pid, str(number), net], check=True)

    def set_router(self, kind, kind6="firewall"):
        subprocess.run(self.router.words("nft", "-f", "-"), input=ROUTER  % KINDS[kind] + ROUTER6 % KINDS6[kind6], text=True, check=True)
        # What it knew of connections is forgotten with the ports that they had.
        subprocess.run(self.router.words("conntrack", "-F"), check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def words(self, *words):
        return self.machine.words(*words)


def announced(home, folder, name, directory="203.0.113.1:27480"):
    """A server behind a router."""
    return Server(SERVER, "--run-empty", "--print-invitations", "--announce", f"http://{directory}", folder=os.path.join(folder, name),
                  log_path=os.path.join(folder, name + ".log"), bind="0.0.0.0", prefix=home.words())


def listed(directory="203.0.113.1:27480"):
    with urllib.request.urlopen(f"http://{directory}/servers.json", timeout=PATIENCE_S) as answer:
        return {server["key"]: server for server in json.load(answer)["servers"]}


def metric(name, directory="203.0.113.1:27480"):
    with urllib.request.urlopen(f"http://{directory}/metrics", timeout=PATIENCE_S) as answer:
        return int(re.search(rf"^deadfall_directory_{re.escape(name)} (\d+)$", answer.read().decode(), re.M)[1])


def join(words, address):
    """Lets load-test clients play for two seconds. Returns whether they did."""
    done = run(*words(BOTS, "--server", address, "--count", "2", "--verify", "1", "--duration", "2s", "--threshold", "desyncs<1"), code=None)
    check(done.returncode == 0 or "no client could join a match" in done.stderr, f"bots say why: {done.returncode} {done.stderr}")
    return done.returncode == 0


def read_by_a_player(words, address, folder, pattern):
    """Waits until the game in a window says something."""
    game = Game(words(GAME), folder, f"deadfall://{address}")
    game.wait(pattern)
    game.end()


class Asker:
    """A stranger on the internet who speaks the protocol of introductions by hand."""

    def __init__(self, port, key):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("203.0.113.1", port))
        self.key, self.nonce, self.cookie = key.encode(), os.urandom(8), bytes(8)

    def ask(self):
        self.socket.sendto(b"\xff\xff\xff\xffQ" + self.key + self.nonce + self.cookie, ("203.0.113.1", 27480))

    def hear(self, seconds=1.5):
        """Counts what comes by its letter, and keeps the cookie."""
        counts, end = {}, time.monotonic() + seconds
        while (rest := end - time.monotonic()) > 0:
            self.socket.settimeout(rest)
            try:
                answer = self.socket.recv(2000)
            except TimeoutError:
                break
            counts[answer[4:5]] = counts.get(answer[4:5], 0) + 1
            if answer[4:5] == b"a":
                self.cookie = answer[13:21]
        return counts


def send_as_the_directory(payload, to):
    """Sends a datagram that seems to come from the directory's port."""
    with socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_UDP) as raw:
        raw.bind(("203.0.113.1", 0))
        raw.sendto(struct.pack("!HHHH", 27480, to[1], 8 + len(payload), 0) + payload, (to[0], 0))


def nobody_is_hit_by_strangers(server, mapped):
    host, port = mapped.rsplit(":", 1)
    wires = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.ntohs(3))  # all, or what goes out is not there
    wires.bind(("up1", 3))
    asker = Asker(5555, server.key)
    asker.ask()
    check(asker.hear(0.5) == {b"a": 1}, "without a cookie there is a challenge and nothing else")
    asker.ask()
    counts = asker.hear()
    check(counts.get(b"H", 0) == 5, f"with its cookie the server sends five datagrams: {counts}")
    check(asker.hear(0.5) == {}, "and no more")
    expectation = None
    wires.setblocking(False)
    while expectation is None:
        frame = wires.recv(2000)
        payload = frame[14 + 28:]
        if payload[:5] == b"\xff\xff\xff\xffX":
            expectation = payload
    send_as_the_directory(expectation, (host, int(port)))
    check(asker.hear(1) == {}, "an expectation that is sent again moves nobody")
    number = int.from_bytes(expectation[5:13], "little") + 1
    forged = expectation[:5] + number.to_bytes(8, "little") + expectation[13:]
    for _ in range(200):
        send_as_the_directory(forged[:-16] + os.urandom(16), (host, int(port)))
    check(asker.hear(1) == {}, "a forged one does not, either")
    before = metric('introductions_refused_total{reason="rate"}')
    asker.ask()
    asker.hear(0.2)
    for _ in range(5000):
        asker.ask()
    counts = asker.hear(3)
    refused = metric('introductions_refused_total{reason="rate"}') - before
    print(f"5000 asks at once: {counts.get(b'H', 0)} datagrams from the server, {refused} refused")
    check(counts.get(b"H", 0) <= 5 * (32 + 16 + 8), "a flood of asks moves the server no more than a household may")
    check(refused > 1000, "the rest is refused and counted")


def firewalls_of_ipv6_are_opened(host, guest, folder):
    for kind, meets in (("firewall", {"firewall": True, "none": True}), ("masquerade", {"masquerade": True}),
                        ("random", {"firewall": False})):
        host.set_router("plain", kind)
        server = announced(host, folder, f"{kind}6", "[2001:db8::1]:27480")
        row = wait_for(lambda key=server.key: listed().get(key), "the server is listed over IPv6")
        address = "2001:db8:1:1::2" if kind == "firewall" else "2001:db8:1::2"
        check(row["addresses"] == [] and row["punched"][0].startswith(f"[{address}]:"),
              f"at the address by which its router is known: {row}")
        link = f"{row['punched'][0]}#{server.key}@[2001:db8::1]:{row['punch_port']}"
        for other, joins in meets.items():
            guest.set_router("plain", other if other != "none" else "firewall")
            words = guest.words if other != "none" else lambda *words: list(words)
            if other == "firewall" and joins:
                check(not join(words, link.split("@")[0]), "without the directory nobody gets in")
            check(join(words, link) == joins,
                  f"over IPv6, a server behind {kind} and a player behind {other}: {'joined' if joins else 'apart'}")
            print(f"IPv6: server behind {kind}, player behind {other}: {'joined' if joins else 'apart'}")
        server.end()


class Redis:
    """A Redis on the internet, for the directories alone."""

    def __init__(self, folder):
        self.password = os.path.join(folder, "password")
        write(self.password, "guess\n")
        self.process = subprocess.Popen([*REDIS, "--port", "6379", "--bind", "203.0.113.1", "--requirepass", "guess",
                                         "--dir", folder], stdout=subprocess.DEVNULL)
        self.words = ["--store", "redis://203.0.113.1", "--store-password-file", self.password]


def another_directory_introduces(host, guest, folder):
    """The server knows one of two directories that share their list, the player the other, or only a copy of its list."""
    redis, other, two = Redis(folder), Home(3, "198.18.3"), "198.18.3.2:27480"
    first = Directory(folder, "first", *redis.words, "--host", "203.0.113.1:27480", "--host", two)
    second = Directory(folder, "second", *redis.words, "--host", two, "--host", "203.0.113.1:27480", key_of=first,
                       prefix=other.router.words())
    host.set_router("plain")
    guest.set_router("plain")
    for directory in ("203.0.113.1:27480", two):
        wait_for(lambda directory=directory: metric("store_up", directory) == 1, "the directories share")
    server = announced(host, folder, "shared")
    row = wait_for(lambda: listed(two).get(server.key), "the other directory lists the server")
    link = f"{row['punched'][0]}#{server.key}@{two}"
    check(join(guest.words, link), "the other directory lets the one that knows the server introduce")
    check(metric("relayed_total") > 0 and metric("introduced_total", two) > 0, "and both count it")
    play = run(*guest.words("curl", "-sf", f"http://{two}/play")).stdout
    check(play == link + "\n", f"/play says by which directory: {play}")
    copy = os.path.join(folder, "copy.json")
    with open(copy, "wb") as file, urllib.request.urlopen(f"http://{two}/servers.json", timeout=PATIENCE_S) as answer:
        file.write(answer.read())
    merged = json.loads(run(MERGE, copy).stdout)
    check([row["link"] for row in merged] == [link], f"a copy of the list names its directory: {merged}")
    redis.process.kill()
    wait_for(lambda: metric("store_up", two) == 0, "the loss of Redis is noticed")
    check(not join(guest.words, link), "without Redis only the directory that knows the server introduces")
    check(join(guest.words, link.replace(two, "203.0.113.1:27480")), "and that one does")
    server.end()
    first.end()
    second.end()


class Directory(processes.Directory):
    """A directory on the internet; `key_of`: another one that has the same key."""

    def __init__(self, folder, name, *arguments, key_of=None, prefix=()):
        self.folder = os.path.join(folder, name)
        os.mkdir(self.folder, 0o700)
        if key_of:
            shutil.copy(os.path.join(key_of.folder, "directory.key"), self.folder)
        super().__init__(DIRECTORY, self.folder, *arguments, listen=(), prefix=prefix)
        check(self.ports == [27480, 27480], "it listens over both families")


def main():
    go_inside("nft", "add table ip nat; add chain ip nat out { type nat hook postrouting priority 100; }; "
              "add rule ip nat out masquerade fully-random; add table ip6 nat; add chain ip6 nat out { type nat hook postrouting priority 100; }; "
              "add rule ip6 nat out masquerade")
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    subprocess.run(["ip", "addr", "add", "203.0.113.1/32", "dev", "lo"], check=True)
    subprocess.run(["ip", "addr", "add", "2001:db8::1/128", "dev", "lo", "nodad"], check=True)
    for name in ("ipv4/ip_forward", "ipv6/conf/all/forwarding"):
        write(f"/proc/sys/net/{name}", "1")
    host, guest = Home(1, "198.51.100"), Home(2, "192.0.2")
    with tempfile.TemporaryDirectory() as folder:
        directory = Directory(folder, "directory")
        for kind, meets in (("plain", {"plain": True, "random": False, "none": True}),
                            ("random", {"plain": False, "random": False, "none": True})):
            host.set_router(kind)
            server = announced(host, folder, kind)
            row = wait_for(lambda key=server.key: listed().get(key), "the server is listed")
            check(row["addresses"] == [] and len(row["punched"]) == 1 and row["punch_port"] == 27480,
                  f"it is listed for who is introduced, and not as reachable: {row}")
            link = f"{row['punched'][0]}#{server.key}@203.0.113.1:{row['punch_port']}"
            server.said(re.escape(f"deadfall://{link}"))
            for line in server.process.stdout:  # the invitation, as soon as the directory has tried
                if line.endswith("reach=introduced\n"):
                    break
            check(line == f"invite: deadfall://{link} reach=introduced\n", f"the invitation names the directory: {line}")
            for other, joins in meets.items():
                if other != "none":
                    guest.set_router(other)
                words = guest.words if other != "none" else lambda *words: list(words)
                check(join(words, link) == joins,
                      f"a server behind a {kind} router and a player behind a {other} one: {'joined' if joins else 'apart'}")
                print(f"server behind {kind}, player behind {other}: {'joined' if joins else 'apart'}")
            guest.set_router("plain")
            if kind == "plain":
                read_by_a_player(guest.words, link, folder, r"joined as player \d+")
                check(not join(guest.words, link.split("@")[0]), "without the directory nobody gets in")
                nobody_is_hit_by_strangers(server, row["punched"][0])
            guest.set_router("random")
            read_by_a_player(guest.words, link, folder, CLOSED)
            server.end()
        firewalls_of_ipv6_are_opened(host, guest, folder)
        directory.end()
        if shutil.which("redis-server"):
            another_directory_introduces(host, guest, folder)
        else:
            print("there is no redis-server here: directories that share are left out")


main()
