#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A running server in the hands of its operator: the admin socket and who abuses it, kicks, bans that outlive the server,
one server to a state directory, orders by signal.

  admin_test.py DEADFALL_SERVER DEADFALL_BOTS DEADFALL_ADMIN DEADFALL_REPLAY
"""
import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time

from processes import Bots, LOOPBACK, check, wait_for

SERVER, BOTS, ADMIN, REPLAY = sys.argv[1:5]


class Server:
    """A server on a folder that others may have used before."""

    def __init__(self, folder, *arguments):
        self.path = os.path.join(folder, "admin.sock")
        self.log_path = os.path.join(folder, "log")
        with open(self.log_path, "a", encoding="utf-8") as log:
            self.process = subprocess.Popen([SERVER, "--port", "0", "--bind", LOOPBACK, "--state-dir", folder, *arguments],
                                            text=True, stdout=subprocess.PIPE, stderr=log)
        ready = re.match(r"ready: udp \S+:(\d+) ", self.process.stdout.readline())
        check(ready, f"the server is ready\n{self.log()}")
        self.place = f"{LOOPBACK}:{ready[1]}"

    def log(self):
        with open(self.log_path, encoding="utf-8") as log:
            return log.read()

    def order(self, *words, code=0):
        done = subprocess.run([ADMIN, self.path, *words], capture_output=True, text=True, timeout=20)
        check(done.returncode == code, f"{words} ends with {code}, not {done.returncode}: {done.stdout}{done.stderr}")
        return done.stdout

    def end(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        return self.process.wait(20)

    def connect(self):
        line = socket.socket(socket.AF_UNIX)
        line.connect(self.path)
        line.settimeout(15)
        return line


def answer_of(line, sent):
    """What is answered to bytes, up to the line that ends it."""
    if sent:
        line.sendall(sent)
    text = b""
    while not re.search(rb"^(done|refused).*\n\Z", text, re.M):
        got = line.recv(65536)
        if not got:
            break
        text += got
    return text.decode()


def refused_reason(server):
    """What somebody reads who cannot come in."""
    done = subprocess.run([BOTS, "--server", server.place, "--count", "1", "--duration", "2s"], capture_output=True, text=True,
                          timeout=60)
    return done.stdout + done.stderr if done.returncode else ""


def commands_and_their_tool(folder):
    server = Server(folder, "--bots", "3")
    check(stat.S_IMODE(os.stat(server.path).st_mode) == 0o600, "the socket is its owner's alone")
    check("kick PLAYER" in server.order("help"), "help lists commands")
    check("changed: bots" in server.order("bots", "4"), "bots change")
    check("no such command" in server.order("dance", code=1), "what is not there is refused")
    answer = json.loads(server.order("--json", "status"))
    check(answer["done"] and "foundry" in answer["answer"][0], "JSON is told")
    check(json.loads(server.order("--json", "dance", code=1))["done"] is False, "JSON is told of refusals")
    check("recording to " + folder in server.order("record", "on"), "a recording begins")
    check("already" in server.order("record", "on", code=1), "once")
    time.sleep(1)
    recorded = re.search(r"recorded to (\S+\.dfr)", server.order("record", "off"))
    check(recorded and os.path.getsize(recorded[1]) > 100, "and ends with a file")
    subprocess.run([REPLAY, "--verify", recorded[1]], check=True, stdout=subprocess.DEVNULL, timeout=60)
    typed = subprocess.run([ADMIN, server.path], input="bans\n\ndance\nhelp\n", capture_output=True, text=True, timeout=20)
    check(typed.returncode == 1 and "Nobody is banned." in typed.stdout and "kick PLAYER" in typed.stdout, "lines of stdin")
    gone = subprocess.run([ADMIN, os.path.join(folder, "nothing"), "help"], capture_output=True, text=True, timeout=20)
    check(gone.returncode == 69 and "No such file" in gone.stderr, "no server is told")
    check(subprocess.run([ADMIN], capture_output=True, timeout=20).returncode == 64, "no path is a usage error")
    server.order("shutdown")
    check(server.process.wait(20) == 0, "a server that was told to end has ended well")
    check(not os.path.exists(server.path), "its socket is gone")
    with open(os.path.join(folder, "audit.log"), encoding="utf-8") as file:
        lines = file.readlines()
    check(any(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ socket done: bots 4 -> changed: bots; .*\n", line)
              for line in lines), f"the audit log knows\n{lines}")


def hostile_lines(folder):
    server = Server(folder)
    first = server.connect()
    check("too long" in answer_of(first, b"x" * 5000 + b"\n"), "a long line is refused")
    check(answer_of(first, b"bans\n").endswith("done\n"), "the line after it is good")
    check(answer_of(first, b"\n").endswith("refused\n"), "an empty line is answered")
    check(answer_of(first, b"\x00\xff\x1b[2J\n").endswith("refused\n"), "bytes that are no text are answered")
    check(answer_of(first, b"say " + b"y" * 508 + b"\n").endswith("done\n"), "a line of 512 bytes is taken")
    check("too long" in answer_of(first, b"say " + b"y" * 509 + b"\n"), "one of 513 is not")
    many = answer_of(first, b"bans\n" * 20)
    while many.count("done\n") < 20:
        many += first.recv(65536).decode()
    check(many.count("Nobody is banned.") == 20, "lines that come together are all answered")
    half = server.connect()
    half.sendall(b"bans")
    half.shutdown(socket.SHUT_WR)
    check("Nobody is banned." in answer_of(half, b"") and half.recv(10) == b"", "a last line without an end counts")
    slow = server.connect()
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    slow.setblocking(False)
    begun, cut = time.monotonic(), False
    while not cut and time.monotonic() - begun < 30:
        try:
            slow.send(b"help\n" * 100)
        except BlockingIOError:
            time.sleep(0.1)
        except (BrokenPipeError, ConnectionResetError):
            cut = True
    check(cut, "who reads nothing is cut off")
    crowd = [server.connect() for _ in range(40)]
    check(answer_of(crowd[-1], b"bans\n").endswith("done\n"), "the newest of a crowd is served")
    for line in crowd:
        line.close()
    check(server.order("bans") == "Nobody is banned.\n", "the socket is as it was")
    check(server.end() == 0, "the server has not been harmed")


def kick(folder):
    server = Server(folder)
    bots = Bots(BOTS, server.place, 2, 6)
    wait_for(lambda: '"bot2"' in server.order("status"), 10, "both bots are in")
    check("bot2 is sent away." in server.order("kick", "bot2", "too", "good"), "a player is sent away")
    check("no player" in server.order("kick", "bot2", code=1), "and is gone")
    check(bots.report()["totals"]["disconnects_by_reason"].get("kicked") == 1, "he knows it, the other stays")
    check(server.end() == 0, "the server ends")


def bans_outlive_the_server(folder):
    server = Server(folder)
    bots = Bots(BOTS, server.place, 1, 4)
    wait_for(lambda: '"bot1"' in server.order("status"), 10, "the bot is in")
    key = re.search(r'"bot1" ([a-z2-7]{32}) ', server.order("status"))[1]
    check(f"{key} is banned for ever; 1 sent away" in server.order("ban", "bot1", "forever", "aimbot"), "a key is banned")
    bots.report()
    check(not refused_reason(server), "another key at the same address may come in")
    server.order("ban", "127.0.0.0/8", "1h", "flooding", "us")
    check(server.end(signal.SIGKILL) == -signal.SIGKILL, "the server dies")
    check(os.path.exists(server.path), "and leaves its socket lying about")
    server = Server(folder)
    listed = server.order("bans")
    check(f"{key} never aimbot" in listed and "127.0.0.0/8 2" in listed, f"the bans have outlived it\n{listed}")
    told = refused_reason(server)
    check(re.search(r"You are banned until \d{4}-\d\d-\d\d \d\d:\d\d UTC: flooding us\.", told), f"why and until when\n{told}")
    server.order("unban", "127.0.0.0/8")
    check(not refused_reason(server), "who is let in again comes in")
    server.order("ban", LOOPBACK, "3s", "a", "moment")
    check("a moment" in refused_reason(server), "a short ban holds")
    wait_for(lambda: not refused_reason(server), 20, "it expires")
    check(server.end() == 0, "the server ends")
    with open(os.path.join(folder, "bans"), "a", encoding="utf-8") as file:
        file.write("Ann for ever\n")
    server = Server(folder)
    check(re.search(r"bans:\d+: this line is neither a key nor an address; the other 1 bans hold", server.log()), "file:line")
    check(f"{key} never aimbot" in server.order("bans"), "what could be read holds")
    with open(os.path.join(folder, "bans.aside"), encoding="utf-8") as file:
        check("Ann for ever" in file.read(), "the file is kept as it was")
    check(server.end() == 0, "the server ends")


def one_server_to_a_state(folder):
    server = Server(folder)
    second = subprocess.run([SERVER, "--port", "0", "--bind", LOOPBACK, "--state-dir", folder], capture_output=True, text=True,
                            timeout=20)
    check(second.returncode == 69 and f"process {server.process.pid}" in second.stderr, f"a second is refused\n{second.stderr}")
    guest = Server(folder, "--resume", "never", "--admin-socket", os.path.join(folder, "guest.sock"))
    guest.path = os.path.join(folder, "guest.sock")
    check("only until this server ends" in guest.order("ban", "192.0.2.1"), "one that keeps nothing says so")
    check(server.order("bans") == "Nobody is banned.\n", "and writes nothing")
    third = subprocess.run([SERVER, "--port", "0", "--bind", LOOPBACK, "--resume", "never", "--state-dir", folder,
                            "--admin-socket", guest.path], capture_output=True, text=True, timeout=20)
    check(third.returncode == 69 and "another server answers there" in third.stderr, "a socket in use is not taken")
    check(guest.end() == 0 and server.end() == 0, "both end")


def reload_by_signal(folder):
    path = os.path.join(folder, "conf")
    with open(path, "w", encoding="utf-8") as file:
        file.write("bots = 2\n")
    server = Server(folder, "--config", path)
    with open(path, "w", encoding="utf-8") as file:
        file.write("bots = 5\nadmin-key = abcdefghijklmnopqrstuvwxyz234567\nname = Other\n")
    server.process.send_signal(signal.SIGHUP)
    wait_for(lambda: "SIGHUP, changed: bots, admin-key; only a restart changes: name" in server.log(), 10, "SIGHUP is obeyed")
    with open(path, "w", encoding="utf-8") as file:
        file.write("bots = many\n")
    check("nothing changed: " in server.order("reload", code=1), "a bad file is refused")
    check(server.end() == 0, "the server ends")


TESTS = (commands_and_their_tool, hostile_lines, kick, bans_outlive_the_server, one_server_to_a_state, reload_by_signal)
for test in TESTS:
    with tempfile.TemporaryDirectory() as state:
        test(state)
    print(f"{test.__name__}: good", flush=True)
