#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A server in a home behind a router, which home_router.py is, and the internet, with a directory and players.

  port_mapping_test.py DEADFALL_DIRECTORY DEADFALL_SERVER DEADFALL_BOTS [PART]...

A PART is the name of a function below; without any, all of them are tried. Home, router and internet are network namespaces; where there are none, the test is skipped.
"""
import os
import re
import subprocess
import sys
import tempfile

from namespaces import Machine, go_inside
from processes import Directory, PATIENCE_S, check, ms_until, read_text, wait_for

DIRECTORY, SERVER, BOTS = sys.argv[1:4]
PARTS = sys.argv[4:]
ROUTER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "home_router.py")
# Here is the internet, at 203.0.113.1; beside it the router, at .2 and 192.168.7.1, and the home, at 192.168.7.2.
LINES = """
set -e
ip link set lo up
ip link add here type veth peer name outside netns "$1"
ip addr add 203.0.113.1/24 dev here
ip link set here up
nsenter -t "$1" -n sh -ec '
  ip link set lo up
  ip addr add 203.0.113.2/24 dev outside
  ip link set outside up
  ip link add inside type veth peer name home netns "'$2'"
  ip addr add 192.168.7.1/24 dev inside
  ip link set inside up
  sysctl -qw net.ipv4.ip_forward=1 || echo 1 > /proc/sys/net/ipv4/ip_forward'
nsenter -t "$2" -n sh -ec '
  ip link set lo up
  ip addr add 192.168.7.2/24 dev home
  ip link set home up
  ip route add default via 192.168.7.1'
"""


class Home:
    def __init__(self, folder):
        self.folder, self.count = folder, 0
        self.router, self.home = Machine(), Machine()
        subprocess.run(["sh", "-c", LINES, "sh", self.router.pid, self.home.pid], check=True)

    def path(self, name):
        return os.path.join(self.folder, f"{name}{self.count}")

    def begin(self, *modes, server=()):
        """Starts a router and, behind it, a server. Returns when the server is ready."""
        self.count += 1
        with open(self.path("router"), "w", encoding="utf-8") as out:
            self.router_process = subprocess.Popen(self.router.words(sys.executable, ROUTER, "192.168.7.1", "203.0.113.2", *modes), stdout=out)
        self.wait("ready", "router")
        os.mkdir(self.path("state"), 0o700)
        return self.begin_server("0", *server)

    def begin_server(self, port, *server):
        with open(self.path("out"), "w", encoding="utf-8") as out, open(self.path("log"), "w", encoding="utf-8") as log:
            self.server = subprocess.Popen(self.home.words(SERVER, "--port", port, "--port-mapping", "--print-invitations", "--state-dir",
                                                           self.path("state"), *server), stdout=out, stderr=log)
        _, self.port, self.key = self.wait(r"^ready: udp \S+:(\d+) .*key=(\w{32})$", "out").group(0, 1, 2)
        return self

    def read(self, name):
        return read_text(self.path(name))

    def found(self, pattern, name):
        check(not hasattr(self, "server") or self.server.poll() is None, f"the server lives:\n{self.logs()}")
        return re.search(pattern, self.read(name), re.M)

    def wait(self, pattern, name):
        return wait_for(lambda: self.found(pattern, name), lambda: f"{pattern!r} in {name}:\n{self.read(name)}\n{self.logs()}")

    def logs(self):
        return "\n".join(self.read(name) for name in ("router", "log", "out") if os.path.exists(self.path(name)))

    def invites(self, reach, address):
        self.wait(rf"^invite: deadfall://{re.escape(address)}#{self.key} reach={reach}$", "out")

    def maps(self, times, line):
        """Waits until the router has mapped so often. Returns the milliseconds between the last two times."""
        mapped = lambda: len(re.findall(line, self.read("router"), re.M))  # noqa: E731
        wait_for(lambda: mapped() >= times - 1, lambda: f"{line!r} {times - 1} times:\n{self.logs()}", every_s=0.001)
        return ms_until(lambda: mapped() >= times, lambda: f"{line!r} {times} times:\n{self.logs()}")

    def end(self):
        self.server.terminate()
        check(self.server.wait(PATIENCE_S) == 0, f"the server ends well:\n{self.read('log')}")
        self.router_process.terminate()
        self.router_process.wait(PATIENCE_S)
        del self.server


def play_from_the_internet(home, address):
    """Somebody joins with the link, and nothing else."""
    player = subprocess.Popen([BOTS, "--server", f"{address}#{home.key}", "--count", "1", "--duration", "30s"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    home.wait(r"joins at slot 0 from 203\.0\.113\.1:", "log")
    player.terminate()
    player.wait(PATIENCE_S)


def mapped_by_natpmp(home):
    home.begin("--natpmp", "on", "--upnp", "on", server=["--announce", "http://203.0.113.1:27480"])
    home.wait(rf"^natpmp maps {home.port} to 192.168.7.2:{home.port} for 3600$", "router")
    home.invites("directory", f"203.0.113.2:{home.port}")
    play_from_the_internet(home, f"203.0.113.2:{home.port}")
    home.end()
    home.wait(rf"^natpmp unmaps {home.port}$", "router")
    check("upnp" not in home.read("router"), "UPnP is not asked as well")


def mapped_by_upnp(home):
    home.begin("--upnp", "on")
    home.invites("router", f"203.0.113.2:{home.port}")
    home.wait(rf"^upnp maps {home.port} to 192.168.7.2:{home.port} for 3600$", "router")
    play_from_the_internet(home, f"203.0.113.2:{home.port}")
    home.end()
    home.wait(rf"^upnp unmaps {home.port}$", "router")


def taken_port(home):
    """Another machine of the home has the port, so players and the directory come by the next one."""
    home.begin("--upnp", "conflict", server=["--announce", "http://203.0.113.1:27480"])
    beside = int(home.port) + 1
    home.invites("directory", f"203.0.113.2:{beside}")
    play_from_the_internet(home, f"203.0.113.2:{beside}")
    home.end()
    home.wait(rf"^upnp unmaps {beside}$", "router")


def without_leases(home):
    home.begin("--upnp", "leaseless")
    home.invites("router", f"203.0.113.2:{home.port}")
    home.wait(r"^upnp maps \d+ to \S+ for 0$", "router")
    home.end()
    home.wait(rf"^upnp unmaps {home.port}$", "router")


def short_leases(home):
    """A router that grants less than was asked for is asked again in time, for the same port."""
    for protocol in ("natpmp", "upnp"):
        home.begin(f"--{protocol}", "on", "--grants", "4")
        renewed_ms = home.maps(4, rf"^{protocol} maps {home.port} to 192.168.7.2:{home.port} for 4$")
        check(renewed_ms == 2000, f"after half of its time: {renewed_ms} ms")
        check(len(re.findall("^invite: .*reach=router", home.read("out"), re.M)) == 1, f"the invitation stays:\n{home.logs()}")
        home.end()
        home.wait(rf"^{protocol} unmaps {home.port}$", "router")


def unchangeable(home):
    """Renewed all the same, at the same port."""
    home.begin("--upnp", "strict", "--grants", "4")
    home.maps(3, rf"^upnp maps {home.port} to 192.168.7.2:{home.port} for 4$")
    check("router" in home.read("out") and not re.search(rf"^\w+ maps (?!{home.port} )", home.read("router"), re.M), f"one port:\n{home.logs()}")
    home.end()


def taken_over(home):
    """A server that was killed has left its mapping behind: the next one on its port takes it over, and removes it at its end."""
    for modes in (["--natpmp", "on"], ["--upnp", "on"], ["--upnp", "leaseless"], ["--upnp", "strict"]):
        home.begin(*modes)
        home.invites("router", f"203.0.113.2:{home.port}")
        home.server.kill()
        home.server.wait(PATIENCE_S)
        check("unmaps" not in home.read("router"), "a killed server removes nothing")
        home.begin_server(home.port)
        home.maps(2, rf"^\w+ maps {home.port} to 192.168.7.2:{home.port} for \d+$")
        home.invites("router", f"203.0.113.2:{home.port}")
        check(not re.search(rf"^\w+ maps (?!{home.port} )", home.read("router"), re.M), f"there is one mapping:\n{home.logs()}")
        home.end()
        home.wait(rf"^\w+ unmaps {home.port}$(?![\s\S]* maps )", "router")


def no_way(home):
    """Each reason why nobody outside can join has its word, and the link is that of the home."""
    for reach, modes in (("refused", ["--natpmp", "refuse"]), ("refused", ["--upnp", "refuse"]), ("silent", []),
                         ("silent", ["--upnp", "garbage"]), ("silent", ["--upnp", "elsewhere"]),
                         ("carrier", ["--natpmp", "on", "--claims", "100.64.0.9"])):
        home.begin(*modes)
        if "on" not in modes:
            home.invites("waiting", f"192.168.7.2:{home.port}")
        home.invites(reach, f"192.168.7.2:{home.port}")
        home.end()


def blocked(home):
    """What the router says is not so: the directory, which has tried, knows better."""
    home.begin("--natpmp", "lie", server=["--announce", "http://203.0.113.1:27480"])
    home.invites("blocked", f"192.168.7.2:{home.port}")
    home.end()


def main():
    go_inside("nft", "add", "table", "ip", "home")
    with tempfile.TemporaryDirectory() as folder:
        home = Home(folder)
        os.mkdir(os.path.join(folder, "directory"), 0o700)
        Directory(DIRECTORY, os.path.join(folder, "directory"), listen=())
        parts = (mapped_by_natpmp, mapped_by_upnp, taken_port, without_leases, short_leases, unchangeable, taken_over, blocked, no_way)
        for part in [part for part in parts if part.__name__ in PARTS or not PARTS]:
            part(home)
            print(part.__name__.replace("_", " "), flush=True)


main()
