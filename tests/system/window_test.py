#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plays the input scripts in this folder with a real window and a real server on foundry, and checks exit codes, events in
the log, and whether the pictures show something.

usage: window_test.py DEADFALL scripts|errors|x11
"""
import os
import re
import struct
import sys
import tempfile
import zlib

import processes
from processes import check, need, write

SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "scripts")


def paeth(left, up, corner):
    """Returns the neighbour that is nearest to left + up - corner."""
    by_left, by_up, by_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
    return left if by_left <= by_up and by_left <= by_corner else up if by_up <= by_corner else corner


def unfiltered(kind, row, above):
    """Returns a row of a PNG's RGB bytes without its filter (RFC 2083, 6)."""
    out = bytearray(row)
    for i, byte in enumerate(row):
        left, corner = (out[i - 3], above[i - 3]) if i >= 3 else (0, 0)
        guess = (0, left, above[i], (left + above[i]) // 2, paeth(left, above[i], corner))[kind]
        out[i] = (byte + guess) & 255
    return bytes(out)


def rows_of(path):
    """Returns width, height and rows of RGB bytes of a PNG; zlib checks the sums."""
    data = open(path, "rb").read()
    check(data[:8] == b"\x89PNG\r\n\x1a\n", f"{path} is not a PNG")
    at, body, size = 8, b"", None
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        content = data[at + 8:at + 8 + length]
        check(struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0] == zlib.crc32(kind + content),
              f"{path}: the checksum of {kind} is wrong")
        if kind == b"IHDR":
            size = struct.unpack(">II", content[:8])
        if kind == b"IDAT":
            body += content
        at += 12 + length
    raw = zlib.decompress(body)
    step = 1 + 3 * size[0]
    rows, above = [], bytes(step - 1)
    for start in range(0, step * size[1], step):
        above = unfiltered(raw[start], raw[start + 1:start + step], above)
        rows.append(above)
    return size, rows


def look_at(path, width=640, height=360):
    """Requires a picture of the right size with many colours, none of which fills it."""
    size, rows = rows_of(path)
    check(size == (width, height), f"{path} is {size[0]} x {size[1]}")
    counts = {}
    for row in rows:
        for x in range(0, len(row), 3):
            counts[row[x:x + 3]] = counts.get(row[x:x + 3], 0) + 1
    check(len(counts) > 100, f"{path} has {len(counts)} colours")
    check(max(counts.values()) < width * height // 2, f"{path} has almost only one colour")
    return rows


def run(program, folder, *arguments, driver="dummy", wrap=()):
    environment = dict(os.environ, SDL_VIDEODRIVER=driver, XDG_STATE_HOME=os.path.join(folder, "state"),
                       XDG_DATA_HOME=os.path.join(folder, "data"))
    done = processes.run(*wrap, program, *arguments, code=None, cwd=folder, env=environment)
    return done.returncode, done.stdout, done.stderr


def play(program, folder, script, seed, **how):
    code, _, log = run(program, folder, "--host", "--bots", "0", "--seed", str(seed), "--name", "Ada", "--frames", "200",
                       "--input-script", os.path.join(SCRIPTS, script), "--screenshot", "last.png", "--log-level",
                       "debug", **how)
    check(code == 0, f"{script} ended with {code}:\n{log}")
    look_at(os.path.join(folder, "last.png"))
    return log


def events(log, pattern):
    return re.findall(rf"event {pattern}", log)


def squish(program, folder, **how):
    log = play(program, folder, "squish.txt", 24, **how)
    for name in ("run", "jump", "warning", "squish"):
        look_at(os.path.join(folder, f"{name}.png"))
    for pattern in (r"jump .*\(you\)", "warn ", "fall ", r"kill by squish .*\(you\)", "slam "):
        check(len(events(log, pattern)) == 1, f"there is no event {pattern}:\n{log}")
    check(re.search(r"drew 200 frames: mean \d+ us, p99 \d+ us", log), f"the figures are missing:\n{log}")


def lift(program, folder, **how):
    log = play(program, folder, "lift.txt", 20, **how)
    for name in ("join", "lift", "shoot"):
        look_at(os.path.join(folder, f"{name}.png"))
    shot = re.search(r"event shoot .*\(you\).* y=(\d+)", log)
    # A jump from the ledge, at 288, does not reach that high.
    check(shot and int(shot.group(1)) < 240, f"there is no shot from the lift:\n{log}")
    check(not events(log, "kill"), f"a player died:\n{log}")


def crowd(program, folder):
    """As many bots as the option allows, which is more than a server's default slots."""
    code, _, log = run(program, folder, "--host", "--bots", "64", "--frames", "30", "--screenshot", "crowd.png")
    check(code == 0, f"with 64 bots it ended with {code}:\n{log}")
    look_at(os.path.join(folder, "crowd.png"))


def scripts(program, folder):
    squish(program, folder)
    lift(program, folder)
    crowd(program, folder)


def x11(program, folder):
    need("xvfb-run")
    squish(program, folder, driver="x11", wrap=("xvfb-run", "-a"))


def errors(program, folder):
    """Each failure that needs no server: one sentence on standard error and the right exit code."""
    bad = os.path.join(folder, "bad.txt")
    write(bad, "0 right\n3 hop\n")
    for arguments, code, sentence in (
        (["--nonsense"], 64, "nonsense"),
        (["--connect", "h", "--host"], 64, "exclude each other"),
        (["--connect", ""], 64, "must not be empty"),
        (["--connect", "no.such.host.invalid", "--frames", "1"], 69, "no address is known"),
        (["--connect", "h:99999"], 64, "not a server address"),
        (["--input-script", bad], 65, f"{bad}:2: \"hop\""),
        (["--input-script", "/nowhere"], 74, "cannot be read"),
        (["--host", "--map", "no-such-map", "--frames", "1"], 65, "did not become ready: there is no map"),
        (["--host", "--bots", "0", "--frames", "1", "--screenshot", "/nowhere/a.png"], 74, "Cannot write the picture"),
    ):
        found, out, err = run(program, folder, *arguments)
        check(found == code, f"{arguments} ended with {found}:\n{err}")
        check(sentence in err and not out, f"{arguments} printed:\n{out}{err}")
    found, _, err = run(program, folder, "--host", "--frames", "1", driver="no-such-driver")
    check(found == 69 and "No window can be opened" in err, f"without a display it ended with {found}:\n{err}")
    found, out, _ = run(program, folder, "--help")
    check(found == 0 and "--input-script" in out, "--help fails")


with tempfile.TemporaryDirectory() as top:
    {"scripts": scripts, "errors": errors, "x11": x11}[sys.argv[2]](os.path.abspath(sys.argv[1]), top)
