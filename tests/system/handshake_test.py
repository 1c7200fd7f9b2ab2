#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A client that was written after PROTOCOL.md alone joins a real server, as a scene: handshake_test.py PROTOCOL.md SERVER

First handshake.py is checked with the published vectors of Noise (cacophony) and CPace (appendix B.3 of the draft), then the
vectors of the page with handshake.py.
"""
import hashlib
import os
import re
import socket
import signal
import sys

import handshake
from processes import LOOPBACK, Server, check, read_text, write

PAGE, SERVER = sys.argv[1:3]


def fails(action, *arguments):
    try:
        action(*arguments)
    except handshake.Forged:
        return True
    return False


def noise_is_as_published():
    h = bytes.fromhex
    s, e = h("e61ef9919cde45dd5f82166404bd08e38bceb5dfdfded0a34c8df7ed542214d1"), h("893e28b9dc6ca8d611ab664754b8ceb7bac5117349a4439a6b0569da977c464a")
    rs, re_ = h("4a3acbfdb163dec651dfa3194dece676d437029c62a408b4c5ea9114246e4893"), h("bbdb4cdbd309f1a1f2e1456967fe288cadd6f712d65dc7b7793d5e63da6b375b")
    noise, x25519, public_of = handshake.Symmetric(handshake.NAME), handshake.x25519, handshake.public_of
    noise.mix_hash(b"John Galt")
    noise.mix_hash(public_of(s))
    noise.e(public_of(e))
    made = noise.encrypt_and_hash(b"Ludwig von Mises")
    noise.e(public_of(re_))
    noise.mix_key(x25519(re_, public_of(e)))
    noise.mix_key(x25519(re_, public_of(s)))
    made += noise.encrypt_and_hash(public_of(rs))
    noise.mix_key(x25519(rs, public_of(e)))
    noise.mix_key_and_hash(b"This is my Austrian perspective!")
    made += noise.encrypt_and_hash(b"Murray Rothbard")
    made += handshake.encrypt(noise.split()[1], bytes(12), b"", b"Carl Menger")
    check(made == h("ab34572fb66cffafde9fa7665eebb76db06528033215a67d3ab212cf6420c731"
                    "cb09dbc601592a4d9232ee3c92785388e39c0494227ebc2c8db485feeb2b8226995672539ef6944505b65602733788ba"
                    "5c2bfb1b425424650a120a44fab8f7f37c2fd30aff9f735a9343aa87ab93fb"
                    "7ebbb45896a71d6cbc13d8ce3323c6d085df7614c50a899f2a8fbc"), "Noise is as published")


def cpace_is_as_published():
    h = bytes.fromhex
    cpace = handshake.Cpace(b"Password", b"oc\vB_responder\vA_initiator", h("7e4b4791d6a8ef019b936c79fb7f2c57"), b"ADa", b"ADb")
    a, b = h("da3d23700a9e5699258aef94dc060dfda5ebb61f02a5ea77fad53f4ff0976d08"), h("d2316b454718c35362d83d69df6320f38578ed5984651435e2949762d900b80d")
    key = cpace.key(a, cpace.share(b), cpace.share(a), cpace.share(b))
    check(key == cpace.key(b, cpace.share(a), cpace.share(a), cpace.share(b)), "both sides of CPace agree")
    check(key == h("4c5469a16b2364c4b944ebc1a79e51d1674ad47db26e8718154f59faebfaa52d"
                   "8346f30aa58377117eb20d527f2cbc5c76381f7fd372e89df8239f87f2e02ed1"), "CPace is as published")
    check(fails(cpace.key, a, bytes(32), bytes(32), bytes(32)), "the neutral element is refused")


def read_vectors():
    text = read_text(PAGE)
    block = text.split("### Handshake vectors\n", 1)[1].split("```\n", 2)[1]
    return {name: bytes.fromhex("".join(value.split())) for name, value in re.findall(r"^(\S.*):\n((?:  .*\n)+)", block, re.M)}


def the_page_is_right():
    page = read_vectors()
    protocol = int.from_bytes(page["join with the password"][30:34], "little")

    def client(**proof):
        return handshake.Client(protocol, page["seed of the account"], page["nonce"], page["secret of E"], page["secret of Q"], **proof)
    for name, secret in (("S", 26), ("F", 58)):
        check(page["cookie"][secret:secret + 32] == handshake.public_of(page["secret of " + name]), f"the cookie has {name}")
    one = client(password=b"sesame")
    check(page["cookie"][90:] == handshake.Cpace(b"sesame", page["cookie"][26:58], page["cookie"][58:90]).share(page["secret of P"]), "P")
    check(one.join(page["cookie"]) == page["join with the password"], "join with the password")
    check(page["accept"][9:41] == handshake.public_of(page["secret of G"]), "the accept has G")
    session, ticket, token, of_server, of_client = one.accept(page["accept"])
    check((session, ticket) == ((7, 4660), page["ticket"]), "session and ticket")
    check(handshake.reset(session, token) == page["reset"], "reset")
    check(handshake.datagram(of_client, session, 1, b"ping") == page["encrypted by the client"], "encrypted by the client")
    check(handshake.datagram(of_server, session, 1, b"pong") == page["encrypted by the server"], "encrypted by the server")
    of_server = handshake.next_key(of_server)
    check(handshake.datagram(of_server, session, 1024, b"pong") == page["encrypted by the server under its second key"], "a second key")
    check(one.deny(page["deny"]) == (handshake.BANNED, b"until noon") and page["deny"][9:33] == page["random"], "deny")
    check(client(ticket=page["ticket"]).join(page["cookie"]) == page["join with the ticket"], "join with the ticket")
    check(client().join(page["cookie without a password"]) == page["join without a password"], "join without a password")


class Stranger:
    """A socket that talks to the server as Client says."""

    def __init__(self, port, protocol):
        self.protocol, self.socket = protocol, socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.connect((LOOPBACK, port))
        self.socket.settimeout(1)

    def ask(self, data):
        self.socket.send(data)
        try:
            return self.socket.recv(2048)
        except TimeoutError:
            return b""

    def attempt(self, seed=b"\1" * 32, change=lambda cookie: cookie, protocol=None, **proof):
        """Returns the client and the answer to its join."""
        secret_of_q = os.urandom(31) + b"\1"
        client = handshake.Client(protocol or self.protocol, seed, os.urandom(8), os.urandom(32), secret_of_q, **proof)
        self.cookie = self.ask(client.hello())
        self.join = client.join(change(self.cookie))
        return client, self.ask(self.join)


def strangers_join(port, protocol):
    stranger = Stranger(port, protocol)
    client, answer = stranger.attempt(password=b"sesame")
    _, ticket, *_ = client.accept(answer)
    check(stranger.ask(stranger.join) == answer, "a join that comes again gets the same accept")
    client, answer = stranger.attempt(ticket=ticket)
    client.accept(answer)
    client, answer = stranger.attempt(seed=b"\2" * 32, ticket=ticket)
    check(client.deny(answer)[0] == handshake.PASSWORD, "a ticket is good for its owner alone")
    for password in (b"", b"Sesame", b"sesame "):
        client, answer = stranger.attempt(password=password)
        check(client.deny(answer)[0] == handshake.PASSWORD, f"{password} is not the password")
        other, _ = stranger.attempt(password=password)
        check(fails(other.deny, answer[:1] + other.nonce + answer[9:]), "a refusal is for one attempt")
    client, answer = stranger.attempt(password=b"sesame", protocol=protocol + 1)
    check(client.deny(answer)[0] == handshake.OTHER_VERSION, "another version is refused")


def strangers_get_no_answer(port, protocol):
    stranger = Stranger(port, protocol)
    hello = bytes([handshake.HELLO]) + b"DF01" + bytes(1195)
    check(stranger.ask(hello) == b"", "an older handshake gets no answer")
    for at in (26, 58, 90):  # S, F or P
        secret = os.urandom(32)
        other = handshake.public_of(secret) if at < 90 else handshake.Cpace(b"sesame", secret, secret).share(b"\5" + bytes(31))
        _, answer = stranger.attempt(change=lambda cookie: cookie[:at] + other + cookie[at + 32:], password=b"sesame")
        check(answer == b"", f"a join for other keys at {at} of the cookie gets no answer")
    for at in range(0, 194, 7):
        _, _ = stranger.attempt(password=b"wrong")
        changed = bytearray(stranger.join)
        changed[at] ^= 1
        answer = stranger.ask(bytes(changed))
        check(answer == b"" or (answer[0] == handshake.DENY and at >= 146), f"byte {at} of a join is changed: {answer.hex()}")
    check(len(stranger.cookie) == 122, "strangers still get cookies")


def the_key_file_opens_no_recorded_join(folder, port, protocol):
    """Reads a recorded join with the key file and all that was sent; with the secret of E it works, with others not."""
    stranger = Stranger(port, protocol)
    client, _ = stranger.attempt(password=b"sesame")
    cookie, join = stranger.cookie, stranger.join
    with open(os.path.join(folder, "server.key"), "rb") as file:
        secret_of_s = hashlib.sha512(file.read()).digest()[:32]
    s, f, e = cookie[26:58], cookie[58:90], join[66:98]
    check(handshake.public_of(secret_of_s) == s, "the key file has the secret of S")

    def read(exchange_of_e_and_f):
        noise = handshake.Symmetric(handshake.NAME)
        noise.mix_hash(join[:66] + cookie[90:])
        noise.mix_hash(s)
        noise.e(f)
        noise.encrypt_and_hash(b"")
        noise.e(e)
        noise.mix_key(exchange_of_e_and_f)
        noise.mix_key(handshake.x25519(secret_of_s, e))
        return noise.decrypt_and_hash(join[98:146])
    check(read(handshake.x25519(client.secret_of_e, f)) == handshake.public_of(client.secret_of_i), "the client can read it")
    for guess in (handshake.x25519(secret_of_s, e), handshake.x25519(secret_of_s, f), bytes(32)):
        check(fails(read, guess), "who has the key file cannot")
    for secret in (client.account, handshake.public_of(client.secret_of_i), b"sesame"):
        check(secret not in join, "nothing of a player is readable in a join")


def a_killed_server_says_that_the_session_is_lost(protocol):
    with Server(SERVER) as server:
        stranger, other = Stranger(server.port, protocol), Stranger(server.port, protocol)
        client, answer = stranger.attempt()
        session, _, token, _, of_client = client.accept(answer)
        later, answer = other.attempt()
        check(later.accept(answer)[2] != token, "no two sessions have the same token")
        check(stranger.ask(handshake.datagram(bytes(32), session, 1, b"ping")) == b"", "a session that lives is not reset")
        server.end(signal.SIGKILL)
        server = server.again()
        asked = handshake.datagram(of_client, session, 1, b"p")
        answer = stranger.ask(asked)
        check(answer == handshake.reset(session, token), f"the server knows its token after a restart: {answer.hex()}")
        check(len(answer) < len(asked), "the answer is shorter than the question")
        check(stranger.ask(asked) == answer, "a datagram that comes again gets the same answer")
        answers = [stranger.ask(asked) for _ in range(100)]
        check(b"" in answers, "a household gets only so many")
        server.end()


def main():
    noise_is_as_published()
    cpace_is_as_published()
    the_page_is_right()
    with open(PAGE, encoding="utf-8") as file:
        protocol = int(re.search(r"Version \*\*(\d+)\*\*", file.read())[1])
    with Server(SERVER) as server:
        password = os.path.join(server.folder, "password")
        write(password, "sesame\n")
        server.end()
        with server.again("--password-file", password):
            strangers_join(server.port, protocol)
            strangers_get_no_answer(server.port, protocol)
            the_key_file_opens_no_recorded_join(server.folder, server.port, protocol)
    a_killed_server_says_that_the_session_is_lost(protocol)


main()
