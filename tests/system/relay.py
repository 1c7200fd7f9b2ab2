# SPDX-License-Identifier: MIT
"""A relay between clients and a server, as a router is: each client has a port of its own at the server."""
import select
import socket
import threading

from processes import LOOPBACK


def udp_socket():
    made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    made.bind((LOOPBACK, 0))
    return made


class Relay(threading.Thread):
    """Passes on what up() and down() return; it drops what goes in the directions of `blocked` (> and <)."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.server, self.front = (LOOPBACK, server.port), udp_socket()
        self.place = f"{LOOPBACK}:{self.front.getsockname()[1]}"
        self.backs, self.blocked = {}, ""  # the sockets to the server, by the addresses of clients
        self.start()

    def up(self, datagram, _address):
        return datagram

    def down(self, datagram):
        return datagram

    def run(self):
        while True:
            clients = {back: address for address, back in self.backs.items()}
            for ready in select.select([self.front, *clients], [], [])[0]:
                if ready.fileno() < 0:
                    continue  # up() has closed it
                datagram, address = ready.recvfrom(65536)
                if ready is not self.front:
                    if "<" not in self.blocked:
                        self.front.sendto(self.down(datagram), clients[ready])
                elif ">" not in self.blocked:
                    self.backs.setdefault(address, None) or self.backs.update({address: udp_socket()})
                    datagram = self.up(datagram, address)
                    self.backs[address].sendto(datagram, self.server)
