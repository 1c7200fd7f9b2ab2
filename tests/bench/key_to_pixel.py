#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How long a key takes to the picture: from XTest's key press to a changed pixel of the real window under Xvfb, in a match
against nobody on the own server. The player stands still, a tap on left or right turns them round, and the probe looks
at the pixels about them that stood still before. Prints a JSON line: mean, median, p99 and most, ms. On a busy machine,
run it with chrt -r 10, which everything that it starts inherits.

usage: key_to_pixel.py DEADFALL [PRESSES]
"""
import array
import json
import mmap
import os
import random
import statistics
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../system"))
from processes import end_all, free_port, wait_for  # noqa: E402
from window import x_server  # noqa: E402

WIDTH, HEIGHT, SCALE = 1280, 720, 2
AROUND = 8  # pixels of the arena about the player that are looked at
STILL_S = 0.6  # for which pixels must not have changed before a press
GIVE_UP_S = 0.5
CHANGED = 40  # pixels of the window: a figure that turns round changes more, a flake of snow fewer
TRIES = 3  # for each press: something may fly by


class Screen:
    """The frame buffer of Xvfb, as the file that it keeps."""

    def __init__(self, path):
        with open(path, "r+b") as file:
            self.bytes = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
        header = struct.unpack(">25I", self.bytes[:100])
        self.row_bytes = header[12]
        self.begin = header[0] + header[19] * 12  # behind the header and the colour map
        assert header[11] == 32, f"{header[11]} bits a pixel"

    def pixels(self, box):
        left, top, right, bottom = box
        at = self.begin + left * 4
        return array.array("I", b"".join(self.bytes[at + row * self.row_bytes:at + row * self.row_bytes + (right - left) * 4]
                                         for row in range(top, bottom)))


def still_pixels(screen, box):
    """The pixels of the box, and the indices of those that stand still for a while."""
    first = screen.pixels(box)
    still = range(len(first))
    end = time.monotonic() + STILL_S
    while time.monotonic() < end:
        now = screen.pixels(box)
        still = [i for i in still if now[i] == first[i]]
        time.sleep(0.01)
    return first, still


def press_ms(screen, keys, key, box):
    """From the press to the first change; None if nothing has changed."""
    first, still = still_pixels(screen, box)
    time.sleep(random.random() / 60)  # at any moment of a frame
    begin = time.monotonic()
    keys.write(f"keydown {key}\n")
    keys.flush()
    took = None
    while time.monotonic() < begin + GIVE_UP_S:
        now, seen = screen.pixels(box), time.monotonic()
        if sum(now[i] != first[i] for i in still) >= CHANGED:
            took = (seen - begin) * 1000
            break
    keys.write(f"keyup {key}\n")
    keys.flush()
    return took


def ask(url, path):
    with urllib.request.urlopen(url + path, timeout=5) as answer:
        return json.load(answer)


def own_box(url):
    """Where the player is, in pixels of the window. A map that is smaller than the picture stands in its middle."""
    x, y, w, h = ask(url, "status.json")["match"]["players"][0]["box"]
    arena = ask(url, "map.json")
    x += (WIDTH // SCALE - arena["columns"] * arena["edge"]) // 2
    y += (HEIGHT // SCALE - arena["rows"] * arena["edge"]) // 2
    return (max(0, (x - AROUND) * SCALE), max(0, (y - AROUND // 2) * SCALE),
            min(WIDTH, (x + w + AROUND) * SCALE), min(HEIGHT, (y + h) * SCALE))


def has_begun(url):
    try:
        return own_box(url)
    except (OSError, IndexError, ValueError):
        return False


def measure(program, presses, folder):
    _, display = x_server(f"{WIDTH}x{HEIGHT}", "-fbdir", folder)
    place = f"127.0.0.1:{free_port()}"
    environment = dict(os.environ, DISPLAY=display, SDL_VIDEODRIVER="x11", SDL_AUDIODRIVER="dummy", DEADFALL_METRICS=place)
    subprocess.Popen([program, "--state-dir", os.path.join(folder, "state"), "--host", "--map", "foundry", "--bots", "0", "--name", "Ada",
                      "--scale", str(SCALE)], env=environment, stderr=subprocess.DEVNULL)
    url = f"http://{place}/"
    wait_for(lambda: has_begun(url), "the window and its match")
    keys = subprocess.Popen(["xdotool", "-"], env=environment, stdin=subprocess.PIPE, text=True)
    screen = Screen(os.path.join(folder, "Xvfb_screen0"))
    time.sleep(2)  # until the player has landed
    times, lost = [], 0
    while len(times) < presses and lost < TRIES * presses:
        took = press_ms(screen, keys.stdin, "Left" if len(times) % 2 else "Right", own_box(url))
        if took is None:
            lost += 1
        else:
            times.append(took)
    return times, lost


def main():
    presses = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    with tempfile.TemporaryDirectory() as folder:
        times, lost = measure(sys.argv[1], presses, folder)
        end_all()
    if len(times) < presses:
        sys.exit(f"key_to_pixel: {lost} presses changed nothing")
    times.sort()
    print(json.dumps({"bench": "key_to_pixel", "presses": presses, "lost": lost,
                      "mean_ms": round(statistics.fmean(times), 1), "median_ms": round(statistics.median(times), 1),
                      "p99_ms": round(times[(len(times) - 1) * 99 // 100], 1), "max_ms": round(times[-1], 1)}))


if __name__ == "__main__":
    main()
