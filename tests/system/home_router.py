#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The router of a home: NAT-PMP (RFC 6886) and UPnP (SSDP, a description, SOAP), with the faults that routers have. What it
maps it forwards for real, by nftables. Prints a line for everything that it does.

  home_router.py INSIDE OUTSIDE [--claims ADDRESS] [--grants SECONDS] [--natpmp MODE] [--upnp MODE]

INSIDE is its address in the home, OUTSIDE the one of the internet; MODE is on, off or refuse; of NAT-PMP also lie
(it says that it maps, and does not); of UPnP also leaseless (no mapping has an end), conflict (the first port is taken),
strict (no mapping can be changed, not even by its owner), elsewhere (its control is on the internet) and garbage. No
lease is longer than SECONDS.
"""
import argparse
import http.server
import re
import socket
import struct
import subprocess
import threading
import time

import processes  # ends every process that it starts

SERVICE = "urn:schemas-upnp-org:service:WANIPConnection:1"
COMMON = "urn:schemas-upnp-org:service:WANCommonInterfaceConfig:1"
DEVICE = "urn:schemas-upnp-org:device:InternetGatewayDevice:1"
HTTP_PORT = 5000
FORWARD = """
add table ip home
add chain ip home in {{ type nat hook prerouting priority -100; }}
add chain ip home out {{ type nat hook postrouting priority 100; }}
flush table ip home
add rule ip home out ip saddr {inside}/24 ip daddr != {inside}/24 masquerade
"""


class Router:
    def __init__(self, arguments):
        self.arguments, self.mappings, self.lock = arguments, {}, threading.Lock()
        self.forward()

    def say(self, line):
        print(line, flush=True)

    def forward(self):
        rules = FORWARD.format(inside=self.arguments.inside)
        for outside, (host, port, _) in self.mappings.items():
            rules += f"add rule ip home in ip daddr {self.arguments.outside} udp dport {outside} dnat to {host}:{port}\n"
        subprocess.run(["nft", "-f", "-"], input=rules, text=True, check=True)

    def map(self, protocol, outside, host, port, lease):
        """Returns for how many seconds; 0: without end."""
        granted = min(lease, self.arguments.grants)
        with self.lock:
            self.mappings[outside] = (host, port, time.monotonic() + granted if granted else float("inf"))
            self.forward()
        self.say(f"{protocol} maps {outside} to {host}:{port} for {granted}")
        return granted

    def expire(self):
        while True:
            time.sleep(0.2)
            with self.lock:
                ended = [outside for outside, (_, _, end) in self.mappings.items() if end < time.monotonic()]
                for outside in ended:
                    del self.mappings[outside]
                    self.say(f"{outside} expires")
                if ended:
                    self.forward()

    def unmap(self, protocol, outside):
        with self.lock:
            known = self.mappings.pop(outside, None)
            self.forward()
        self.say(f"{protocol} unmaps {outside}{'' if known else ', which was not there'}")

    def natpmp(self):
        """Answers on port 5351."""
        service = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        service.bind((self.arguments.inside, 5351))
        claimed = socket.inet_aton(self.arguments.claims or self.arguments.outside)
        refused = 2 if self.arguments.natpmp == "refuse" else 0
        while True:
            asked, place = service.recvfrom(64)
            if asked == b"\0\0":
                service.sendto(struct.pack(">BBHI4s", 0, 128, 0, 1, claimed), place)
            elif len(asked) == 12 and asked[:2] == b"\0\1":
                port, outside, lease = struct.unpack(">HHI", asked[4:])
                if refused:
                    self.say("natpmp refuses")
                elif lease and self.arguments.natpmp != "lie":
                    lease = self.map("natpmp", outside, place[0], port, lease)
                elif not lease:
                    for known in [at for at, to in self.mappings.items() if to[:2] == (place[0], port)]:
                        self.unmap("natpmp", known)
                service.sendto(struct.pack(">BBHIHHI", 0, 129, refused, 1, port, outside, lease), place)

    def ssdp(self):
        """Answers searches by multicast."""
        service = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        service.bind(("239.255.255.250", 1900))
        service.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP,
                           socket.inet_aton("239.255.255.250") + socket.inet_aton(self.arguments.inside))
        while True:
            asked, place = service.recvfrom(2048)
            wanted = re.search(rb"^ST: *(\S+)", asked, re.I | re.M)
            if not wanted or wanted[1] not in (DEVICE.encode(), b"ssdp:all", b"upnp:rootdevice"):
                continue
            answer = (f"HTTP/1.1 200 OK\r\nCACHE-CONTROL: max-age=120\r\nST: {wanted[1].decode()}\r\n"
                      f"USN: uuid:home::{DEVICE}\r\nEXT:\r\nSERVER: home\r\n"
                      f"LOCATION: http://{self.arguments.inside}:{HTTP_PORT}/root.xml\r\n\r\n").encode()
            if self.arguments.upnp == "garbage":
                answer = b"HTTP/1.1 200 OK\r\nST:" + bytes(range(256)) * 4 + b"\r\nLOCATION: http://\xff\0" + b"A" * 300
                service.sendto(bytes(1200), place)
            service.sendto(answer, place)

    def description(self):
        base = f"http://203.0.113.1:{HTTP_PORT}" if self.arguments.upnp == "elsewhere" else f"http://{self.arguments.inside}:{HTTP_PORT}"
        service = (f"<service><serviceType>{SERVICE}</serviceType><serviceId>wan</serviceId><controlURL>/control</controlURL>"
                   f"<eventSubURL>/event</eventSubURL><SCPDURL>/wan.xml</SCPDURL></service>")
        return (f'<?xml version="1.0"?><root xmlns="urn:schemas-upnp-org:device-1-0"><URLBase>{base}</URLBase><device>'
                f"<deviceType>{DEVICE}</deviceType><deviceList><device><deviceType>urn:schemas-upnp-org:device:WANDevice:1"
                f"</deviceType><serviceList>{service.replace(SERVICE, COMMON)}</serviceList><deviceList><device><deviceType>urn:schemas-upnp-org:device:WANConnectionDevice:1</deviceType>"
                f"<serviceList>{service}</serviceList></device></deviceList></device></deviceList></device></root>")

    def obey(self, action, body):
        """Returns an error of UPnP, or the answer."""
        def value(name):
            found = re.search(rf"<{name}>([^<]*)<", body)
            return found[1] if found else ""
        mode = self.arguments.upnp
        if action == "GetStatusInfo":
            return "<NewConnectionStatus>Connected</NewConnectionStatus><NewUptime>1</NewUptime>"
        if action == "GetExternalIPAddress":
            return f"<NewExternalIPAddress>{self.arguments.claims or self.arguments.outside}</NewExternalIPAddress>"
        if mode == "refuse":
            self.say("upnp refuses")
            return 606
        outside = int(value("NewExternalPort") or 0)
        known = self.mappings.get(outside)
        if action == "GetSpecificPortMappingEntry":
            left = 0 if not known or known[2] == float("inf") else max(1, round(known[2] - time.monotonic()))
            return (f"<NewInternalPort>{known[1]}</NewInternalPort><NewInternalClient>{known[0]}</NewInternalClient><NewEnabled>1</NewEnabled>"
                    f"<NewPortMappingDescription>known</NewPortMappingDescription><NewLeaseDuration>{left}</NewLeaseDuration>") if known else 714
        if action == "DeletePortMapping":
            self.unmap("upnp", outside)
            return ""
        if action != "AddPortMapping" or value("NewProtocol") != "UDP":
            return 401
        if mode == "leaseless" and value("NewLeaseDuration") != "0":
            return 725
        if mode == "conflict" and not hasattr(self, "taken"):
            self.taken = outside
        if outside == getattr(self, "taken", 0) or (mode == "strict" and known):
            self.say(f"upnp has {outside} already")
            return 718
        self.map("upnp", outside, value("NewInternalClient"), int(value("NewInternalPort")), int(value("NewLeaseDuration") or 0))
        return ""

    def serve(self):
        """Describes itself and takes orders, by HTTP."""
        router = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def answer(self, code, body):
                self.send_response(code)
                self.send_header("Content-Type", "text/xml")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body.encode())

            def do_GET(self):
                self.answer(200, router.description())

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                action = self.headers["SOAPAction"].strip('"').split("#")[1]
                said = router.obey(action, body)
                fault = (f"<s:Fault><faultcode>s:Client</faultcode><faultstring>UPnPError</faultstring><detail><UPnPError "
                         f'xmlns="urn:schemas-upnp-org:control-1-0"><errorCode>{said}</errorCode></UPnPError></detail></s:Fault>')
                inner = fault if isinstance(said, int) else f'<u:{action}Response xmlns:u="{SERVICE}">{said}</u:{action}Response>'
                self.answer(500 if isinstance(said, int) else 200,
                            f'<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" '
                            f's:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><s:Body>{inner}</s:Body></s:Envelope>')

        http.server.ThreadingHTTPServer((self.arguments.inside, HTTP_PORT), Handler).serve_forever()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("inside")
    parser.add_argument("outside")
    parser.add_argument("--claims")
    parser.add_argument("--grants", type=int, default=7200)
    parser.add_argument("--natpmp", default="off")
    parser.add_argument("--upnp", default="off")
    router = Router(parser.parse_args())
    services = [router.natpmp] if router.arguments.natpmp != "off" else []
    services += [router.expire]
    services += [router.ssdp, router.serve] if router.arguments.upnp != "off" else []
    threads = [threading.Thread(target=service, daemon=True) for service in services]
    for thread in threads:
        thread.start()
    router.say("ready")
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main()
