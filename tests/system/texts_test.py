#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What hostile texts reach: terminals, logs, pages. texts_test.py PROGRAMS TOOLS (two folders)

Every border gets the same texts from a stranger: a server, a client, a replay, a map, a config file, a datagram. All that
a program prints, logs or answers must be UTF-8 of characters that a person sees.
"""
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unicodedata

from processes import LOOPBACK, PATIENCE_S, Server, check, read_text, wait_for
from window import HEADLESS

PROGRAMS, TOOLS = sys.argv[1:3]
MAPS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "shared", "maps")

HOSTILE = [
    b"\x1b[2Jesc", b"\x1b]0;title\x07", b"line\ninfo: forged", b"\rback", b"\x08\x08\x7f", b"\t tab",  # C0, DEL
    "\u0080\u009b2J\u009f".encode(), b"\x9b2J", b"\x80\x9f",  # C1 as UTF-8 and as bytes
    "\u202egnp\u202c".encode(), "\u2066x\u2069\u200f".encode(), "\u061cy\u200e".encode(),  # direction
    "a\u2028b\u2029c".encode(), "z\u200bw\u200dj\ufeff".encode(),  # ends of lines, no width
    "t\U000e0041\U000e007f".encode(), "\U000f0000\ue000".encode(), "\ufdd0\uffff".encode(),  # tags, private, none
    b"\xc0\xaf\xe0\x80\x80\xf0\x80\x80\x80", b"\xed\xa0\x80\xf4\x90\x80\x80", b"\xff\xfe", b"cut\xe2\x82", b"\xf0\x9f\x98",
]
# Hundreds of programs start; after each, a sanitizer's search for leaks would take longer than the program.
ENVIRONMENT = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}
HIDDEN = {"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"}


def program(name):
    return os.path.join(PROGRAMS, name)


def check_clean(output, border):
    try:
        text = output.decode()
    except UnicodeDecodeError as error:
        sys.exit(f"FAILED: {border}: {error}: {output[max(0, error.start - 60):error.end + 20]}")
    for at, character in enumerate(text):
        if character != "\n" and unicodedata.category(character) in HIDDEN:
            sys.exit(f"FAILED: {border}: U+{ord(character):04X} in {text[max(0, at - 60):at + 20]!r}")
    check("\ninfo: forged" not in text, f"{border}: no line is forged\n{text}")


def run(border, *command, holds=b"", stdin=b""):
    """Runs a program whose output must be clean, and must hold some bytes: the border was reached."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, input=stdin, timeout=PATIENCE_S, check=False,
                          env=ENVIRONMENT)
    check_clean(done.stdout, border)
    check(holds in done.stdout, f"{border}: {holds} is printed\n{done.stdout.decode()}")
    return done.stdout


class HostileServer:
    def __init__(self, way):
        self.process = subprocess.Popen([os.path.join(TOOLS, "hostile_server"), way, *HOSTILE], stdout=subprocess.PIPE)
        self.place = re.match(rb"ready: udp (\S+) ", self.process.stdout.readline())[1].decode()

    def __enter__(self):
        return self.place

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def window(place, folder, *arguments):
    environment = {**os.environ, **HEADLESS}
    path = os.path.join(folder, "window.log")
    with open(path, "wb") as log:
        client = subprocess.Popen([program("deadfall"), "--state-dir", os.path.join(folder, "window"), "--log-level", "debug",
                                   "--connect", place, "--frames", "240", *arguments], stdout=log, stderr=log, env=environment)
        client.wait(PATIENCE_S)
    with open(path, "rb") as log:
        return log.read()


def a_server_s_texts(folder):
    """Names, votes and system messages at a client with a window and at the load tester."""
    with HostileServer("play") as place:
        run("names in the scoreboard of bots", program("deadfall-bots"), "--server", place, "--count", "1", "--duration", "3s",
            "--scoreboard", holds=b"score")
        log = window(place, folder)
        check(b"joined as player" in log, f"the window joined\n{log}")
        check_clean(log, "votes in the log of a window")
    with HostileServer("ban") as place:
        for i, _ in enumerate(HOSTILE):
            run(f"reason {i} of a refusal", program("deadfall-bots"), "--server", place, "--count", "1", "--duration", "1s",
                holds=b"banned")


def a_replay(folder):
    for i, text in enumerate(HOSTILE):
        path = os.path.join(folder, "hostile.dfr")
        subprocess.run([os.path.join(TOOLS, "record_match"), path, "1", "2", "700", "99999", text], check=True)
        run(f"name {i} in a replay", program("deadfall-replay"), "--info", path, holds=b"joined")
        json.loads(run(f"name {i} in a replay", program("deadfall-replay"), "--json", path))


def maps_and_paths(folder):
    good = read_text(os.path.join(MAPS, "duel.tmj"))
    for i, text in enumerate(HOSTILE):
        bad = os.path.join(folder.encode(), b"bad.tmj")
        with open(bad, "wb") as file:
            named = json.dumps(text.decode(errors="ignore") + "!")[1:-1].encode()
            file.write(re.sub(rb'("type": ?")[^"]*', lambda found: found[1] + named, good.encode()))
        run(f"word {i} of a map", program("deadfall-map"), "check", bad, holds=b"bad.tmj")
        for tool, words in (("deadfall-map", ["check"]), ("deadfall-replay", []), ("deadfall-scenario", [])):
            run(f"path {i}", program(tool), *words, os.path.join(folder.encode(), text.replace(b"/", b"_")), holds=folder.encode())


def options(folder):
    """Values of options, from the command line, the environment and a file."""
    for i, text in enumerate(HOSTILE):
        path = os.path.join(folder, "server.conf")
        with open(path, "wb") as file:
            file.write(b"bots = " + text + b"\n")
        run(f"value {i} of a file", program("deadfall-server"), "--config", path, "--port", "0", "--duration", "1", holds=b"server.conf")
        for tool, option in (("deadfall-server", "--bots"), ("deadfall-bots", "--count"), ("deadfall", "--scale"),
                             ("deadfall-replay", "--hash-every"), ("deadfall-server", "--mode")):
            run(f"value {i} of {option}", program(tool), option, text, holds=option[2:].encode())
        run(f"operand {i}", program("deadfall-map"), text)
        run(f"name {i} of a server", program("deadfall-server"), "--name", text, "--port", "0", "--bind", "127.0.0.1", "--duration", "1",
            "--state-dir", os.path.join(folder, "named"))


def an_info_answer():
    """The answer to A2S_INFO at the health check."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind((LOOPBACK, 0))
        texts = iter(HOSTILE)

        def answer():
            for text in texts:
                _, asker = server.recvfrom(2000)
                server.sendto(b"\xff\xff\xff\xffI\x11" + text + b"!\0" + text + b"?\0deadfall\0Deadfall\0" + bytes(20), asker)

        threading.Thread(target=answer, daemon=True).start()
        for i, _ in enumerate(HOSTILE):
            run(f"name {i} at the health check", program("deadfall-server"), "--healthcheck", "--bind", LOOPBACK, "--port",
                str(server.getsockname()[1]), holds=b"well: ")


def a2s(port, kind):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asker:
        asker.settimeout(PATIENCE_S)
        asker.connect((LOOPBACK, port))
        request = b"\xff\xff\xff\xff" + kind
        asker.send(request + (b"\xff\xff\xff\xff" if kind == b"U" else b""))
        return asker.send(request + asker.recv(2000)[5:]) and asker.recv(2000)


def a_client_s_texts(folder):
    """Names and chat at the server: its log, its pages, its answers, its tool, its recording."""
    server = Server(program("deadfall-server"), "--metrics", f"{LOOPBACK}:0", "--admin-socket", "auto", "--record", folder, "--max-players", "64",
                    "--log-level", "debug", folder=folder)
    lines = [text for text in HOSTILE if b"\n" not in text]  # an option has one
    clients = [subprocess.Popen([program("deadfall-bots"), "--server", server.place, "--count", "1", "--duration", "6s", "--name",
                                 text, "--say", text + b"?"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
               for text in lines]
    wait_for(lambda: server.log().count(" joins at slot") == len(lines), "all join")
    time.sleep(2)  # answers are renewed each second
    for path in ("/status.json", "/metrics"):
        check_clean(server.page(path).encode(), path)
    players = server.match()["players"]
    check(len(players) == len(lines), f"{len(lines)} players: {players}")
    for player in players:
        check_clean(player["name"].encode(), "a name on the page")
        check("\n" not in player["name"] and player["name"].strip(), f"a name is shown: {player}")
    rows = a2s(server.port, b"U")[6:]
    while len(rows) > 9:
        name, rows = rows[1:].split(b"\0", 1)
        check_clean(name, "a name in the answer to A2S_PLAYER")
        rows = rows[8:]
    for words in (["status"], ["--json", "status"]):
        command = [words[0], os.path.join(folder, "admin.sock"), *words[1:]] if len(words) > 1 else \
            [os.path.join(folder, "admin.sock"), *words]
        run("deadfall-admin", program("deadfall-admin"), *command, holds=b"tab1")
    for client in clients:
        client.wait(PATIENCE_S)
    check(server.end() == 0, "the server ends")
    with open(server.log_path, "rb") as log:
        text = log.read()
    check_clean(text, "the log of the server")
    check(text.count(b" joins at slot") == len(lines) and b"tab?" in text, f"all joined, and one spoke\n{text}")
    for name in os.listdir(folder):
        if name.endswith(".dfr"):
            run("the recording", program("deadfall-replay"), "--info", os.path.join(folder, name), holds=b"joined")


def main():
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        a_replay(folder)
        maps_and_paths(folder)
        options(folder)
        an_info_answer()
        a_server_s_texts(folder)
        state = os.path.join(folder, "server")
        os.mkdir(state)
        a_client_s_texts(state)


main()
