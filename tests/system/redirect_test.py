#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A web server on the internet cannot send a window into the player's own network, whatever name or number it gives for it,
nor from https to http, nor to a file: on a line of its own with public and private addresses, web servers send the window
on, and those behind count who connects.

usage: redirect_test.py DEADFALL

It needs namespaces of its own, and openssl for certificates; elsewhere it is skipped.
"""
import os
import socket
import subprocess
import sys
import tempfile
import threading

from namespaces import go_inside
from processes import check, need
from sites import Quiet, Site, make_certificates
from window import HEADLESS, Game

DEADFALL = os.path.abspath(sys.argv[1])
PUBLIC, PUBLIC_IPV6, RESOLVER = "203.0.113.1", "2001:db8::1", "203.0.113.53"
PRIVATE = {"a private address": "192.168.7.1", "that of a company": "10.7.7.7", "one of a carrier": "100.64.7.1",
           "link-local": "169.254.169.254", "loopback": "127.0.0.1", "loopback in another notation": "2130706433",
           "loopback in short": "127.1", "no address": "0.0.0.0", "loopback of IPv6": "[::1]", "unique-local": "[fd00::7]",
           "IPv4 inside IPv6": "[::ffff:127.0.0.1]", "a name": "localhost", "a name in the DNS": "inside.test"}
NAMES = {"inside.test": ["192.168.7.1"], "moves.test": [PUBLIC, "127.0.0.1"]}
OWN_NETWORK = "it leads from the internet into a network of your own"
LINES = f"""set -e
ip link set lo up
for address in {PUBLIC} {RESOLVER} 192.168.7.1 10.7.7.7 100.64.7.1 169.254.169.254; do ip addr add $address/32 dev lo; done
for address in {PUBLIC_IPV6} fd00::7; do ip addr add $address/128 dev lo nodad; done
echo nameserver {RESOLVER} >"$1/resolv.conf"
echo 'hosts: files dns' >"$1/nsswitch.conf"
printf '127.0.0.1 localhost\\n' >"$1/hosts"
for name in resolv.conf nsswitch.conf hosts; do mount --bind "$1/$name" "$(realpath /etc/$name)"; done
"""


class Sender(Site):
    """A web server on every address. Sends all who ask on to `target`, or has nothing for them; counts connections."""
    address_family = socket.AF_INET6

    def __init__(self, certificates=None):
        self.target, self.connections, self.requests, self.status = None, 0, [], 302
        super().__init__(handler=Answer, host="::", certificates=certificates)

    def server_bind(self):
        self.socket.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        super().server_bind()

    def get_request(self):
        self.connections += 1
        return super().get_request()


class Answer(Quiet):
    protocol_version = "HTTP/1.1"

    def do_GET(self):  # noqa: the name that http.server wants
        self.server.requests.append(self.path)
        target = self.server.target
        self.answer(self.server.status if target else 404, b"", *([("Location", target)] if target else []))


def answer_names(asked):
    """A name server. For moves.test it says another address each time, as the owner of a name can."""
    talk = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    talk.bind((RESOLVER, 53))
    while True:
        query, client = talk.recvfrom(512)
        labels, at = [], 12
        while query[at]:
            labels.append(query[at + 1:at + 1 + query[at]].decode())
            at += 1 + query[at]
        name, kind = ".".join(labels).lower(), int.from_bytes(query[at + 1:at + 3], "big")
        found = NAMES.get(name, [])[asked.count(name):][:1] or NAMES.get(name, [])[-1:] if kind == 1 else []
        if kind == 1:
            asked.append(name)
        records = b"".join(b"\xc0\x0c\0\1\0\1\0\0\0\0\0\4" + socket.inet_aton(address) for address in found)
        flags = b"\x85\x80" if name in NAMES else b"\x85\x83"
        talk.sendto(query[:2] + flags + b"\0\1" + len(found).to_bytes(2, "big") + b"\0\0\0\0" + query[12:at + 5] + records, client)


def start(folder, *arguments):
    """Starts a window until it says that there is nothing for it. Returns what it says."""
    game = Game(DEADFALL, folder, *arguments, environment={**HEADLESS, "HOME": folder, "LC_ALL": "C", "SSL_CERT_FILE": os.path.join(folder, "tls/ca.crt")})
    game.wait(r"cannot watch|is not renewed")
    game.end()
    return game.log()


def watch(folder, url):
    """What a window says that watches what is at a URL."""
    return start(folder, "--watch", url)


def test(folder):
    asked = []
    threading.Thread(target=answer_names, args=(asked,), daemon=True).start()
    first, inside, safe = Sender(), Sender(), Sender(make_certificates(os.path.join(folder, "tls"), PUBLIC))
    port = inside.server_port

    def send_on(target, status=302):
        first.target, first.status, first.requests = target, status, []
        inside.connections, inside.requests = 0, []
        return target

    outside = f"http://{PUBLIC}:{first.server_port}/live/"
    send_on(f"http://{PUBLIC}:{port}/x")
    said = watch(folder, outside)
    check(inside.requests and "(HTTP 404)" in said, f"from the internet to the internet: {said}")
    send_on(f"http://[{PUBLIC_IPV6}]:{port}/x")
    said = watch(folder, outside)
    check(inside.requests and "(HTTP 404)" in said, f"and from IPv4 to IPv6: {said}")
    for i, (what, host) in enumerate(PRIVATE.items()):
        target = send_on(f"http://{host}:{port}/reboot", (302, 307, 308)[i % 3])
        said = watch(folder, outside if i % 2 == 0 else f"http://[{PUBLIC_IPV6}]:{first.server_port}/")
        check(first.requests and OWN_NETWORK in said, f"{what}: {target} is refused: {said}")
        check(inside.connections == 0, f"{what}: nothing connects to {target}")
    print(f"{len(PRIVATE)} targets are refused without a connection")

    send_on(f"http://moves.test:{port}/")
    said = watch(folder, f"http://moves.test:{first.server_port}/")
    check(asked.count("moves.test") >= 2 and first.requests, f"the name is looked up again: {asked}")
    check(OWN_NETWORK in said and inside.connections == 0, f"a name that moves inside is refused: {said}")

    send_on("file:///etc/passwd")
    check("not supported" in (said := watch(folder, outside)) or "Unsupported protocol" in said, f"a file is refused: {said}")
    send_on(f"http://{PUBLIC}:{port}/")
    safe.target = first.target
    said = watch(folder, f"https://{PUBLIC}:{safe.server_port}/")
    check("from https to http" in said and not inside.requests, f"https stays https: {said}")
    send_on(f"https://{PUBLIC}:{safe.server_port}/")
    safe.target, before = f"http://{PUBLIC}:{port}/", len(safe.requests)
    said = watch(folder, outside)
    check(len(safe.requests) > before and "from https to http" in said and not inside.requests, f"also in between: {said}")

    for home in "127.0.0.1", "192.168.7.1", "inside.test":
        send_on(f"http://127.0.0.1:{port}/")
        said = watch(folder, f"http://{home}:{first.server_port}/")
        check(inside.requests and "(HTTP 404)" in said, f"who begins at home may go on there: {said}")

    send_on(f"http://127.0.0.1:{port}/servers.json")
    said = start(folder, "--directory", f"http://{PUBLIC}:{first.server_port}")
    check(first.requests == ["/servers.json"] and inside.connections == 0, f"a list of servers comes from where it is: {said}")
    said = start(folder, "--replay", f"http://{PUBLIC}:{first.server_port}/match.dfr")
    check(first.requests[-1] == "/match.dfr" and OWN_NETWORK in said and inside.connections == 0, f"and so does a replay: {said}")


def main():
    need("openssl")
    go_inside(mounts=True)
    for word in ("http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY"):
        os.environ.pop(word, None)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["sh", "-c", LINES, "sh", folder], check=True)
        test(folder)


main()
