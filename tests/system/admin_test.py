#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An operator and a running server: the admin socket and its abuse, kicks, bans that survive a restart, one server per state
directory, and commands by signal.

  admin_test.py DEADFALL_SERVER DEADFALL_BOTS DEADFALL_ADMIN DEADFALL_REPLAY
"""
import csv
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
import urllib.request

from processes import Bots, LOOPBACK, OperatedServer, check, wait_for

SERVER, BOTS, ADMIN, REPLAY = sys.argv[1:5]


class Server(OperatedServer):
    def __init__(self, folder, *arguments):
        super().__init__(SERVER, ADMIN, folder, *arguments)

    def order(self, *words, code=0):
        done = self.ask(*words)
        check(done.returncode == code, f"{words} must exit with {code}, not {done.returncode}: {done.stdout}{done.stderr}")
        return done.stdout

    def connect(self):
        line = socket.socket(socket.AF_UNIX)
        line.connect(self.path)
        line.settimeout(15)
        return line


def answer_of(line, sent):
    """Sends bytes. Returns the answer, up to the line that ends it."""
    if sent:
        line.sendall(sent)
    text = b""
    while not re.search(rb"^(done|refused).*\n\Z", text, re.M):
        got = line.recv(65536)
        if not got:
            break
        text += got
    return text.decode()


BUSY_MACHINE = 75  # exit code: it joined, and was slowed down by other processes


def refused_reason(server):
    """Returns the message for a client that cannot join."""
    done = subprocess.run([BOTS, "--server", server.place, "--count", "1", "--duration", "2s"], capture_output=True, text=True,
                          timeout=60)
    came_in = done.returncode in (0, BUSY_MACHINE)
    return "" if came_in else done.stdout + done.stderr


def commands_and_their_tool(folder):
    server = Server(folder, "--bots", "3")
    check(stat.S_IMODE(os.stat(server.path).st_mode) == 0o600, "only the owner can use the socket")
    offered = re.search(r"_deadfall_words '(help [^']*)'", subprocess.run([ADMIN, "--help-bash"], capture_output=True, text=True,
                                                                        check=True, timeout=20).stdout)[1]
    listed = [re.match(r"[a-z]+", line)[0] for line in server.order("help").splitlines()]
    check(sorted(offered.split()) == sorted(listed), f"the shell offers what help lists:\n{offered}\n{listed}")
    check("changed: bots" in server.order("bots", "4"), "bots change")
    check("no such command" in server.order("dance", code=1), "an unknown command is refused")
    answer = json.loads(server.order("--json", "status"))
    check(answer["done"] and answer["answer"][0] | {"text": "", "tick": 0} == {
        "text": "", "about": "match", "mode": "ffa", "map": "foundry", "variants": "", "phase": "warm-up", "tick": 0, "players": 0, "bots": 4,
        "players_max": 16, "bot_skill": "normal"} and "foundry" in answer["answer"][0]["text"], f"--json answers with values: {answer}")
    check(json.loads(server.order("--json", "dance", code=1))["done"] is False, "--json reports a refusal")
    check("recording to " + folder in server.order("record", "on"), "a recording starts")
    check("already" in server.order("record", "on", code=1), "once")
    time.sleep(1)
    recorded = re.search(r"recorded to (\S+\.dfr)", server.order("record", "off"))
    check(recorded and os.path.getsize(recorded[1]) > 100, "a recording leaves a file")
    subprocess.run([REPLAY, "--verify", recorded[1]], check=True, stdout=subprocess.DEVNULL, timeout=60)
    typed = subprocess.run([ADMIN, server.path], input="bans\n\ndance\nhelp\n", capture_output=True, text=True, timeout=20)
    check(typed.returncode == 1 and "Nobody is banned." in typed.stdout and "kick PLAYER" in typed.stdout, "commands are read from standard input")
    gone = subprocess.run([ADMIN, os.path.join(folder, "nothing"), "help"], capture_output=True, text=True, timeout=20)
    check(gone.returncode == 69 and "no server answers at" in gone.stderr and "No such file" in gone.stderr, "a missing server is reported")
    check(subprocess.run([ADMIN], capture_output=True, timeout=20).returncode == 64, "no path is a usage error")
    server.order("shutdown")
    check(server.process.wait(20) == 0, "a server that is stopped by command exits with 0")
    check(not os.path.exists(server.path), "a server that ends removes its socket")
    with open(os.path.join(folder, "audit.log"), encoding="utf-8") as file:
        lines = file.readlines()
    check(not any(" status" in line for line in lines), "the audit log leaves out what changes nothing")
    check(any(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ socket done: bots 4 -> changed: bots; .*\n", line)
              for line in lines), f"the audit log has every command\n{lines}")


def hostile_lines(folder):
    server = Server(folder)
    first = server.connect()
    check("too long" in answer_of(first, b"x" * 5000 + b"\n"), "a long line is refused")
    check(answer_of(first, b"bans\n").endswith("done\n"), "the line after a long one is accepted")
    check(answer_of(first, b"\n").endswith("refused\n"), "an empty line is answered")
    check(answer_of(first, b"\x00\xff\x1b[2J\n").endswith("refused\n"), "bytes that are not text are answered")
    check(answer_of(first, b"say " + b"y" * 508 + b"\n").endswith("done\n"), "a line of 512 bytes is accepted")
    check("too long" in answer_of(first, b"say " + b"y" * 509 + b"\n"), "a line of 513 bytes is refused")
    many = answer_of(first, b"bans\n" * 20)
    while many.count("done\n") < 20:
        many += first.recv(65536).decode()
    check(many.count("Nobody is banned.") == 20, "all lines of one packet are answered")
    half = server.connect()
    half.sendall(b"bans")
    half.shutdown(socket.SHUT_WR)
    check("Nobody is banned." in answer_of(half, b"") and half.recv(10) == b"", "a last line without a newline is executed")
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
    check(cut, "a client that reads nothing is disconnected")
    crowd = [server.connect() for _ in range(40)]
    check(answer_of(crowd[-1], b"bans\n").endswith("done\n"), "the newest of many clients is served")
    for line in crowd:
        line.close()
    check(server.order("bans") == "Nobody is banned.\n", "the socket still works")
    check(server.end() == 0, "the server still runs")


def kick(folder):
    server = Server(folder)
    bots = Bots(BOTS, server.place, 2, seconds=6)
    wait_for(lambda: '"bot2"' in server.order("status"), "both bots have joined")
    check("bot2 was kicked." in server.order("kick", "bot2", "too", "good"), "a player is kicked")
    check("no player" in server.order("kick", "bot2", code=1), "and is gone")
    check(bots.report()["totals"]["disconnects_by_reason"].get("kicked") == 1, "the kicked bot knows why, and the other stays")
    check(server.end() == 0, "the server exits with 0")


def bans_outlive_the_server(folder):
    server = Server(folder)
    bots = Bots(BOTS, server.place, 1, seconds=4)
    wait_for(lambda: '"bot1"' in server.order("status"), "the bot has joined")
    key = re.search(r'"bot1" ([a-z2-7]{32}) ', server.order("status"))[1]
    check(f"{key} is banned forever; 1 kicked" in server.order("ban", "bot1", "forever", "aimbot"), "a key is banned")
    bots.report()
    check(not refused_reason(server), "another key from the same address may join")
    server.order("ban", "127.0.0.0/8", "1h", "flooding", "us")
    check(server.end(signal.SIGKILL) == -signal.SIGKILL, "the server is killed")
    check(os.path.exists(server.path), "a killed server leaves its socket")
    server = Server(folder)
    listed = server.order("bans")
    check(f"{key} never aimbot" in listed and "127.0.0.0/8 2" in listed, f"the bans survive the server\n{listed}")
    reason = refused_reason(server)
    check(re.search(r"You are banned until \d{4}-\d\d-\d\d \d\d:\d\d UTC: flooding us\.", reason),
          f"the message has the reason and the end of the ban\n{reason}")
    server.order("unban", "127.0.0.0/8")
    check(not refused_reason(server), "an unbanned player may join")
    server.order("ban", LOOPBACK, "3s", "a", "moment")
    check("a moment" in refused_reason(server), "a short ban is enforced")
    wait_for(lambda: not refused_reason(server), "it expires")
    check(server.end() == 0, "the server exits with 0")
    with open(os.path.join(folder, "bans"), "a", encoding="utf-8") as file:
        file.write("Ann for ever\n")
    server = Server(folder)
    check(re.search(r"bans:\d+: this line does not begin with a key or an address; the other 1 bans are in force", server.log()), "file:line")
    check(f"{key} never aimbot" in server.order("bans"), "the readable lines are enforced")
    with open(os.path.join(folder, "bans.aside"), encoding="utf-8") as file:
        check("Ann for ever" in file.read(), "the file is not changed")
    check(server.end() == 0, "the server exits with 0")


def one_server_to_a_state(folder):
    server = Server(folder)
    second = subprocess.run([SERVER, "--port", "0", "--bind", LOOPBACK, "--state-dir", folder], capture_output=True, text=True,
                            timeout=20)
    check(second.returncode == 69 and f"process {server.process.pid}" in second.stderr, f"a second server in the directory is refused\n{second.stderr}")
    guest = Server(folder, "--resume", "never", "--admin-socket", os.path.join(folder, "guest.sock"))
    guest.path = os.path.join(folder, "guest.sock")
    check("only until this server ends" in guest.order("ban", "192.0.2.1"), "a server without a state directory says so")
    check(server.order("bans") == "Nobody is banned.\n", "a server without a state directory writes nothing")
    third = subprocess.run([SERVER, "--port", "0", "--bind", LOOPBACK, "--resume", "never", "--state-dir", folder,
                            "--admin-socket", guest.path], capture_output=True, text=True, timeout=20)
    check(third.returncode == 69 and "another server answers there" in third.stderr, "a socket in use is not replaced")
    check(guest.end() == 0 and server.end() == 0, "both end")


def reload_by_signal(folder):
    path = os.path.join(folder, "conf")
    with open(path, "w", encoding="utf-8") as file:
        file.write("bots = 2\n")
    server = Server(folder, "--config", path)
    with open(path, "w", encoding="utf-8") as file:
        file.write("bots = 5\nadmin-key = abcdefghijklmnopqrstuvwxyz234567\nname = Other\nrotation = duel, foundry\nmax-players = 9\n")
    server.process.send_signal(signal.SIGHUP)
    wait_for(lambda: "SIGHUP, changed: rotation, bots, name, admin-key; only a restart changes: max-players" in server.log(),
             "SIGHUP reloads the settings")
    with open(path, "w", encoding="utf-8") as file:
        file.write("bots = many\n")
    check("nothing changed: " in server.order("reload", code=1), "a bad file is refused")
    for line in ("rotation = duel, nowhere", f"password-file = {folder}/nothing"):
        with open(path, "w", encoding="utf-8") as file:
            file.write(line + "\nbots = 9\n")
        check("nothing changed: " in server.order("reload", code=1), f"a file with {line} is refused as a whole")
    check(", 5 bots, " in server.order("status"), "a refused file changes nothing")
    check(server.end() == 0, "the server exits with 0")


def world_of(recorded):
    """Returns the last world of a recording, by field."""
    info = json.loads(subprocess.run([REPLAY, "--json", recorded], check=True, capture_output=True, text=True, timeout=60).stdout)
    print_it = [REPLAY, "--print-tick", str(info["last_tick"]), recorded]
    return subprocess.run(print_it, check=True, capture_output=True, text=True, timeout=60).stdout


def pause_and_limits(folder):
    arguments = ("--bots", "4", "--score-limit", "500", "--records", "off")
    server = Server(folder, *arguments)
    bots = Bots(BOTS, server.place, 2, "--verify", "2")
    wait_for(lambda: ", playing, tick" in server.order("status"), "the match is running")
    server.order("record", "on")
    check("paused until resume" in server.order("pause"), "a pause begins")
    wait_for(lambda: ", paused, tick" in server.order("status"), "the status shows the pause")
    check("already" in server.order("pause", code=1), "once")
    ticks = [int(re.search(r"tick (\d+);", server.order("status"))[1]) for _ in range(2) if not time.sleep(0.5)]
    check(ticks[1] > ticks[0] + 15, "ticks go on")
    for words in (("score-limit", "33"), ("time-limit", "7m"), ("friendly-fire", "on")):
        check(f"changed: {words[0]};" in server.order("set", *words), f"{words} is accepted")
    server.order("resume")
    wait_for(lambda: ", playing, tick" in server.order("status"), "the match continues")
    check("not paused" in server.order("resume", code=1), "once")
    recorded = re.search(r"recorded to (\S+\.dfr)", server.order("record", "off"))[1]
    subprocess.run([REPLAY, "--verify", recorded], check=True, stdout=subprocess.DEVNULL, timeout=60)
    world = world_of(recorded)
    for field in ("rules.score_limit 33", "rules.time_limit_ticks 25200", "rules.friendly_fire 1"):
        check(re.search(field.replace(".", r"\.").replace(" ", r"\D+") + r"\b", world), f"{field} is in the recording\n{world[:800]}")
    report = bots.end()["totals"]
    check(report["desyncs"] + report["disconnects"] == 0, f"no client lost its connection or its world: {report}")
    server.order("pause")
    wait_for(lambda: ", paused, tick" in server.order("status"), "a second pause begins")
    check(server.end(signal.SIGKILL) == -signal.SIGKILL, "the server is killed during the pause")
    server = Server(folder, *arguments)
    check(", paused, tick" in server.order("status"), "the restored match is still paused")
    server.order("resume")
    wait_for(lambda: ", paused, tick" not in server.order("status"), "the restored match can be resumed")
    check(server.end() == 0, "the server exits with 0")


def name_password_rotation(folder):
    server = Server(folder, "--bots", "1", "--metrics", f"{LOOPBACK}:0")
    web = re.search(r"live page on port (\d+)", server.log())[1]

    def status():
        with urllib.request.urlopen(f"http://{LOOPBACK}:{web}/status.json", timeout=10) as page:
            return json.load(page)

    check(status()["name"] == "Deadfall", "the first name is shown")
    server.order("set", "name", "Other house")
    wait_for(lambda: status()["name"] == "Other house", "the new name is shown")
    secret = os.path.join(folder, "secret")
    with open(secret, "w", encoding="utf-8", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
        file.write("open sesame\n")
    bots = Bots(BOTS, server.place, 1)
    wait_for(lambda: '"bot1"' in server.order("status"), "the bot has joined")
    server.order("set", "password-file", secret)
    check("password" in refused_reason(server), "a new player needs the password")
    check("nothing" in server.order("set", "password-file", os.path.join(folder, "nothing"), code=1), "a missing password file is refused")
    check("password" in refused_reason(server), "the old password still holds")
    check(bots.end()["totals"]["disconnects"] == 0, "connected players stay")
    server.order("set", "password-file", '""')
    check(not refused_reason(server), "without a password anyone may join")
    check("nowhere" in server.order("set", "rotation", "duel, nowhere", code=1), "a list with a missing map is refused")
    server.order("set", "rotation", "duel, skyline")
    server.order("bots", "4")
    server.order("set", "score-limit", "1")
    bots = Bots(BOTS, server.place, 1, "--skill", "hard")
    wait_for(lambda: status()["match"]["map"] in ("duel", "skyline"), "the next map is from the new list")
    check(server.end() == 0, "the server exits with 0")
    bots.end()


def records_are_asked_for(folder):
    server = Server(folder)
    bots = Bots(BOTS, server.place, 2, seconds=4)
    wait_for(lambda: '"bot1"' in server.order("status"), "the bot has joined")
    key = re.search(r'"bot1" ([a-z2-7]{32}) ', server.order("status"))[1]
    bots.report()
    wait_for(lambda: f"bot1, key {key}" in server.order("records", "player", "BOT1"), "a player is found by name")
    check(f"bot1, key {key}" in server.order("records", "player", key), "and by key")
    check("No player with the name" in server.order("records", "player", "Nobody"), "an unknown name is not found")
    found = json.loads(server.order("--json", "records", "player", key))
    check(found["done"] and "rating" in found["answer"][1]["text"], f"the answer has lines of JSON: {found}")
    record = found["answer"][0]
    check((record["about"], record["name"], record["key"], record["local"]) == ("record", "bot1", key, 1), f"and values: {record}")
    typed = subprocess.run([ADMIN, server.path], input="records player bot1\nbans\n", capture_output=True, text=True, timeout=20)
    check(re.search(r"bot1, key(.|\n)*Nobody is banned", typed.stdout), f"the answers are in order\n{typed.stdout}")
    path = re.search(r"All players were written to (\S+\.csv)", server.order("records", "export"))[1]
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    check(sorted(row["name"] for row in rows) == ["bot1", "bot2"] and key in [row["key"] for row in rows], f"every player is listed: {rows}")
    check("Say records player" in server.order("records", "bot1", code=1), "unknown words are refused")
    check(server.end() == 0, "the server exits with 0")
    server = Server(folder, "--records", "off")
    check("keeps no records" in server.order("records", "player", "bot1", code=1), "a server without records says so")
    check(server.end() == 0, "the server exits with 0")


TESTS = (commands_and_their_tool, pause_and_limits, name_password_rotation, records_are_asked_for, hostile_lines, kick, bans_outlive_the_server, one_server_to_a_state, reload_by_signal)
for test in TESTS:
    with tempfile.TemporaryDirectory() as state:
        test(state)
    print(f"{test.__name__}: good", flush=True)
