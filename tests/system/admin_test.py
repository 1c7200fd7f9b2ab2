#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An operator and a running server: the admin socket and its abuse, kicks, bans that survive a restart, one server per state
directory, and commands by signal.

  admin_test.py DEADFALL_SERVER DEADFALL_BOTS DEADFALL_ADMIN DEADFALL_REPLAY
"""
import array
import csv
import fcntl
import json
import os
import re
import signal
import socket
import stat
import sys
import termios
import time

from processes import Bots, LOOPBACK, PAGE, Server, check, in_a_folder, read_text, run, wait_for, write

SERVER, BOTS, ADMIN, REPLAY = sys.argv[1:5]
SLOW_MS = 5000  # ADMIN_SLOW_NS


def begin(folder, *arguments):
    return Server(SERVER, *arguments, folder=folder, admin=ADMIN)


def connect(server):
    line = socket.socket(socket.AF_UNIX)
    line.connect(server.path)
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


def refused_reason(server):
    """Returns the message for a client that cannot join."""
    done = run(BOTS, "--server", server.place, "--count", "1", "--duration", "2s", code=None)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def verified(answer):
    """Plays the recording that an answer names. Returns what is said of it, its path too."""
    path = re.search(r"recorded to (\S+\.dfr)", answer)[1]
    run(REPLAY, "--verify", path)
    return {**json.loads(run(REPLAY, "--json", path).stdout), "path": path}


def commands_and_their_tool(folder):
    server = begin(folder, "--bots", "3", "--run-empty")
    check(stat.S_IMODE(os.stat(server.path).st_mode) == 0o600, "only the owner can use the socket")
    offered = re.search(r"_deadfall_words '(help [^']*)'", run(ADMIN, "--help-bash").stdout)[1]
    listed = [re.match(r"[a-z]+", line)[0] for line in server.order("help").splitlines()]
    check(sorted(offered.split()) == sorted(listed), f"the shell offers what help lists:\n{offered}\n{listed}")
    check("changed: bots" in server.order("bots", "4"), "bots change")
    wait_for(lambda: server.told(" 4 bots,"), "the bots join")
    check("no such command" in server.order("dance", code=1), "an unknown command is refused")
    answer = json.loads(server.order("--json", "status"))
    check(answer["done"] and answer["answer"][0] | {"text": "", "tick": 0} == {
        "text": "", "about": "match", "mode": "ffa", "map": "foundry", "variants": "", "phase": "warm-up", "tick": 0, "players": 0, "bots": 4,
        "players_max": 16, "bot_skill": "normal"} and "foundry" in answer["answer"][0]["text"], f"--json answers with values: {answer}")
    check(json.loads(server.order("--json", "dance", code=1))["done"] is False, "--json reports a refusal")
    check("recording to " + folder in server.order("record", "on"), "a recording starts")
    time.sleep(1)
    recorded = verified(server.order("record", "off"))
    ticks = recorded["last_tick"] - recorded["first_tick"]
    check(ticks in (60, 61), f"a second is recorded, and what is left of a tick when the order comes: {ticks}")
    typed = run(ADMIN, server.path, code=1, input="bans\n\ndance\nhelp\n")
    check("Nobody is banned." in typed.stdout and "kick PLAYER" in typed.stdout, "commands are read from standard input")
    gone = run(ADMIN, os.path.join(folder, "nothing"), "help", code=69)
    check("no server answers at" in gone.stderr and "No such file" in gone.stderr, "a missing server is reported")
    run(ADMIN, code=64)
    server.order("shutdown")
    check(server.process.wait() == 0, "a server that is stopped by command exits with 0")
    check(not os.path.exists(server.path), "a server that ends removes its socket")
    lines = read_text(os.path.join(folder, "audit.log")).splitlines(keepends=True)
    check(not any(" status" in line for line in lines), "the audit log leaves out what changes nothing")
    check(any(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ socket done: bots 4 -> changed: bots; .*\n", line)
              for line in lines), f"the audit log has every command\n{lines}")


def hostile_lines(folder):
    server = begin(folder)
    first = connect(server)
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
    half = connect(server)
    half.sendall(b"bans")
    half.shutdown(socket.SHUT_WR)
    check("Nobody is banned." in answer_of(half, b"") and half.recv(10) == b"", "a last line without a newline is executed")
    slow = connect(server)
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    slow.setblocking(False)
    queued, stuck, is_cut = -1, 0, False
    while not is_cut:
        waiting = array.array("i", [0])
        fcntl.ioctl(slow, termios.FIONREAD, waiting)
        queued, stuck = waiting[0], stuck if waiting[0] == queued else time.monotonic()
        try:
            while True:
                slow.send(b"help\n" * 100)
        except BlockingIOError:
            time.sleep(0.001)
        except (BrokenPipeError, ConnectionResetError):
            is_cut = True
    cut_ms = (time.monotonic() - stuck) * 1000
    check(SLOW_MS < cut_ms < SLOW_MS + 1000 / 60, f"a client that reads nothing is disconnected {cut_ms} ms after no answer had room")
    crowd = [connect(server) for _ in range(40)]
    check(answer_of(crowd[-1], b"bans\n").endswith("done\n"), "the newest of many clients is served")
    for line in crowd:
        line.close()
    check(server.order("bans") == "Nobody is banned.\n", "the socket still works")
    check(server.end() == 0, "the server still runs")


def kick(folder):
    server = begin(folder)
    bots = Bots(BOTS, server.place, 2, seconds=6)
    wait_for(lambda: server.told('"bot2"'), "both bots have joined")
    check("bot2 was kicked." in server.order("kick", "bot2", "too", "good"), "a player is kicked")
    check("no player" in server.order("kick", "bot2", code=1), "and is gone")
    check(bots.report()["totals"]["disconnects_by_reason"].get("kicked") == 1, "the kicked bot knows why, and the other stays")
    check(server.end() == 0, "the server exits with 0")


def bans_outlive_the_server(folder):
    server = begin(folder)
    bots = Bots(BOTS, server.place, 1, seconds=4)
    wait_for(lambda: server.told('"bot1"'), "the bot has joined")
    key = re.search(r'"bot1" ([a-z2-7]{32}) ', server.order("status"))[1]
    check(f"{key} is banned forever; 1 kicked" in server.order("ban", "bot1", "forever", "aimbot"), "a key is banned")
    bots.report()
    check(not refused_reason(server), "another key from the same address may join")
    server.order("ban", "127.0.0.0/8", "1h", "flooding", "us")
    check(server.end(signal.SIGKILL) == -signal.SIGKILL, "the server is killed")
    check(os.path.exists(server.path), "a killed server leaves its socket")
    server = begin(folder)
    listed = server.order("bans")
    check(f"{key} never aimbot" in listed and "127.0.0.0/8 2" in listed, f"the bans survive the server\n{listed}")
    reason = refused_reason(server)
    check(re.search(r"You are banned until \d{4}-\d\d-\d\d \d\d:\d\d UTC: flooding us\.", reason),
          f"the message has the reason and the end of the ban\n{reason}")
    server.order("unban", "127.0.0.0/8")
    check(not refused_reason(server), "an unbanned player may join")
    server.order("ban", LOOPBACK, "3s", "a", "moment")
    end = int(time.time()) + 3  # bans have whole seconds
    time.sleep(end - 0.1 - time.time())
    check("a moment" in refused_reason(server), "a ban is enforced to its end")
    time.sleep(max(0, end - time.time()))
    check(not refused_reason(server), "when it expires")
    check(server.end() == 0, "the server exits with 0")
    with open(os.path.join(folder, "bans"), "a", encoding="utf-8") as file:
        file.write("Ann for ever\n")
    server = begin(folder)
    check(re.search(r"bans:\d+: this line does not begin with a key or an address; the other 1 bans are in force", server.log()), "file:line")
    check(f"{key} never aimbot" in server.order("bans"), "the readable lines are enforced")
    check("Ann for ever" in read_text(os.path.join(folder, "bans.aside")), "the file is not changed")
    check(server.end() == 0, "the server exits with 0")


def one_server_to_a_state(folder):
    server = begin(folder)
    second = run(SERVER, "--port", "0", "--bind", LOOPBACK, "--state-dir", folder, code=69)
    check(f"process {server.process.pid}" in second.stderr, f"a second server in the directory is refused\n{second.stderr}")
    guest = begin(folder, "--resume", "never", "--admin-socket", os.path.join(folder, "guest.sock"))
    guest.path = os.path.join(folder, "guest.sock")
    check("only until this server ends" in guest.order("ban", "192.0.2.1"), "a server without a state directory says so")
    check(server.order("bans") == "Nobody is banned.\n", "a server without a state directory writes nothing")
    third = run(SERVER, "--port", "0", "--bind", LOOPBACK, "--resume", "never", "--state-dir", folder, "--admin-socket", guest.path, code=69)
    check("another server answers there" in third.stderr, "a socket in use is not replaced")
    check(guest.end() == 0 and server.end() == 0, "both end")


def reload_by_signal(folder):
    path = os.path.join(folder, "conf")
    write(path, "bots = 2\n")
    server = begin(folder, "--config", path)
    write(path, "bots = 5\nadmin-key = abcdefghijklmnopqrstuvwxyz234567\nname = Other\nrotation = duel, foundry\nmax-players = 9\n")
    server.process.send_signal(signal.SIGHUP)
    wait_for(lambda: "SIGHUP, changed: rotation, bots, name, admin-key; only a restart changes: max-players" in server.log(),
             "SIGHUP reloads the settings")
    write(path, "bots = many\n")
    check("nothing changed: " in server.order("reload", code=1), "a bad file is refused")
    for line in ("rotation = duel, nowhere", f"password-file = {folder}/nothing"):
        write(path, line + "\nbots = 9\n")
        check("nothing changed: " in server.order("reload", code=1), f"a file with {line} is refused as a whole")
    check(server.told(", 5 bots, "), "a refused file changes nothing")
    check(server.end() == 0, "the server exits with 0")


def pause_and_limits(folder):
    arguments = ("--bots", "4", "--score-limit", "500", "--records", "off", *PAGE)
    server = begin(folder, *arguments)
    bots = Bots(BOTS, server.place, 2, "--verify", "2")
    wait_for(lambda: server.told(", playing, tick"), "the match is running")
    server.order("record", "on")
    check("already" in server.order("record", "on", code=1), "once")
    check("paused until resume" in server.order("pause"), "a pause begins")
    wait_for(lambda: server.told(", paused, tick"), "the status shows the pause")
    check("already" in server.order("pause", code=1), "once")
    tick = server.match()["tick"]
    time.sleep(5)
    check(server.match()["tick"] == tick + 300, "ticks go on")
    for words in (("score-limit", "33"), ("time-limit", "7m"), ("friendly-fire", "on")):
        check(f"changed: {words[0]};" in server.order("set", *words), f"{words} is accepted")
    server.order("resume")
    wait_for(lambda: server.told(", playing, tick"), "the match continues")
    check("not paused" in server.order("resume", code=1), "once")
    recorded = verified(server.order("record", "off"))
    world = run(REPLAY, "--print-tick", recorded["last_tick"], recorded["path"]).stdout
    for field in ("rules.score_limit 33", "rules.time_limit_ticks 25200", "rules.friendly_fire 1"):
        check(re.search(field.replace(".", r"\.").replace(" ", r"\D+") + r"\b", world), f"{field} is in the recording\n{world[:800]}")
    report = bots.end()["totals"]
    check(report["desyncs"] + report["disconnects"] == 0, f"no client lost its connection or its world: {report}")
    server.order("pause")
    wait_for(lambda: server.told(", paused, tick"), "a second pause begins")
    check(server.end(signal.SIGKILL) == -signal.SIGKILL, "the server is killed during the pause")
    server = begin(folder, *arguments)
    check(server.told(", paused, tick"), "the restored match is still paused")
    server.order("resume")
    wait_for(lambda: not server.told(", paused, tick"), "the restored match can be resumed")
    check(server.end() == 0, "the server exits with 0")


def name_password_rotation(folder):
    server = begin(folder, "--bots", "1", *PAGE)
    status = server.status
    check(status()["name"] == "Deadfall", "the first name is shown")
    server.order("set", "name", "Other house")
    wait_for(lambda: status()["name"] == "Other house", "the new name is shown")
    secret = os.path.join(folder, "secret")
    write(secret, "open sesame\n")
    bots = Bots(BOTS, server.place, 1)
    wait_for(lambda: server.told('"bot1"'), "the bot has joined")
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
    server = begin(folder)
    bots = Bots(BOTS, server.place, 2, seconds=4)
    wait_for(lambda: server.told('"bot1"'), "the bot has joined")
    key = re.search(r'"bot1" ([a-z2-7]{32}) ', server.order("status"))[1]
    bots.report()
    wait_for(lambda: f"bot1, key {key}" in server.order("records", "player", "BOT1"), "a player is found by name")
    check(f"bot1, key {key}" in server.order("records", "player", key), "and by key")
    check("No player with the name" in server.order("records", "player", "Nobody"), "an unknown name is not found")
    found = json.loads(server.order("--json", "records", "player", key))
    check(found["done"] and "rating" in found["answer"][1]["text"], f"the answer has lines of JSON: {found}")
    record = found["answer"][0]
    check((record["about"], record["name"], record["key"], record["local"]) == ("record", "bot1", key, 1), f"and values: {record}")
    typed = run(ADMIN, server.path, input="records player bot1\nbans\n")
    check(re.search(r"bot1, key(.|\n)*Nobody is banned", typed.stdout), f"the answers are in order\n{typed.stdout}")
    path = re.search(r"All players were written to (\S+\.csv)", server.order("records", "export"))[1]
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    check(sorted(row["name"] for row in rows) == ["bot1", "bot2"] and key in [row["key"] for row in rows], f"every player is listed: {rows}")
    check("Say records player" in server.order("records", "bot1", code=1), "unknown words are refused")
    check(server.end() == 0, "the server exits with 0")
    server = begin(folder, "--records", "off")
    check("keeps no records" in server.order("records", "player", "bot1", code=1), "a server without records says so")
    check(server.end() == 0, "the server exits with 0")


TESTS = (commands_and_their_tool, pause_and_limits, name_password_rotation, records_are_asked_for, hostile_lines, kick, bans_outlive_the_server, one_server_to_a_state, reload_by_signal)
for test in TESTS:
    in_a_folder(test)()
