#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whether clips of a replay are what they should be: as many frames as the span has, of the right size and length, and
the first equal to a screenshot of the replay; with sound in a video. Errors leave no file. In a real window, E marks a
span and writes it, and says so.

usage: clip_test.py DEADFALL REPLAY export|window
"""
import array
import glob
import json
import os
import subprocess
import sys

from processes import check, in_a_folder, need, wait_for
from window import Window

PROGRAM, REPLAY = (os.path.abspath(path) for path in sys.argv[1:3])
COLUMNS, COMPARED_ROWS = 640, 290  # above the bar and the hints of the viewer


def run(*words, **more):
    return subprocess.run(words, capture_output=True, text=True, timeout=300, **more)


def probe(path):
    answer = run("ffprobe", "-v", "error", "-count_frames", "-show_streams", "-of", "json", path)
    check(answer.returncode == 0, f"{path} is a clip: {answer.stderr}")
    return {stream["codec_type"]: stream for stream in json.loads(answer.stdout)["streams"]}


def first_picture(path):
    """The first frame, 640 x 360, as bytes of red, green and blue."""
    found = subprocess.run(["ffmpeg", "-v", "error", "-i", path, "-frames:v", "1", "-vf", "scale=640:360:flags=area",
                            "-f", "rawvideo", "-pix_fmt", "rgb24", "-"], capture_output=True, check=True).stdout
    return array.array("B", found[:COLUMNS * COMPARED_ROWS * 3])


def export(folder):
    shot = os.path.join(folder, "shot.png")
    environment = dict(os.environ, SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy")
    answer = run(PROGRAM, "--replay", REPLAY, "--frames", "1", "--screenshot", shot, "--state-dir", folder,
                 env=environment)
    check(answer.returncode == 0, f"a screenshot: {answer.stderr}")
    still = first_picture(shot)
    for extension, size, hertz, most in (("gif", (640, 360), 20, 2.5), ("webm", (1280, 720), 60, 4)):
        path = os.path.join(folder, f"clip.{extension}")
        answer = run(PROGRAM, "--export", path, "--to", "2500ms", REPLAY)
        lines = answer.stdout.splitlines()
        check(answer.returncode == 0 and lines[-1] == "100 %" and len(lines) >= 20, f"{extension}: {answer}")
        streams = probe(path)
        video = streams["video"]
        check((video["width"], video["height"]) == size and int(video["nb_read_frames"]) == 2.5 * hertz, f"{extension}: {video}")
        check(("audio" in streams) == (extension == "webm"), f"{extension}: sound is {streams.get('audio')}")
        found = first_picture(path)
        apart = sum(abs(a - b) for a, b in zip(found, still)) / len(still)
        check(len(found) == len(still) and apart <= most, f"{extension}: the first frame is {apart:.2f} of 255 from the screenshot")
        print(f"{extension}: {video['nb_read_frames']} frames, the first {apart:.2f} of 255 from the screenshot", flush=True)
    missing = os.path.join(folder, "missing.gif")
    rows = [  # (arguments, environment, exit code, what it says)
        ((missing, REPLAY), dict(os.environ, PATH=folder), 69, "apt install ffmpeg"),
        ((missing, __file__), None, 65, "is not a replay"),
        ((missing, "--from", "10h", REPLAY), None, 64, "The clip is empty"),
        ((os.path.join(folder, "clip.avi"), REPLAY), None, 64, "a .gif or a .webm file"),
        ((os.path.join(folder, "none", "clip.gif"), "--to", "1s", REPLAY), None, 74, "cannot be written"),
        ((os.path.join(folder, "none", "clip.webm"), "--to", "1s", REPLAY), None, 74, "cannot be written"),
        ((missing,), None, 64, "needs a replay"),
    ]
    for arguments, environment, code, says in rows:
        answer = run(PROGRAM, "--export", *arguments, env=environment)
        check(answer.returncode == code and says in answer.stderr, f"{arguments}: {answer.returncode}, {answer.stderr}")
    left = sorted(name for name in os.listdir(folder) if name.startswith(("missing", "clip")))
    check(left == ["clip.gif", "clip.webm"], f"these are left: {left}")


def window(folder):
    with Window(PROGRAM, folder, "--replay", REPLAY) as client:
        client.xdotool("search", "--sync", "--onlyvisible", "--name", "^Deadfall$")
        client.wait("replay /")
        client.press("e", "period", "period", "g")  # ten seconds
        clips = os.path.join(client.state, "clips", "*.gif")

        def is_there():
            check(client.process.poll() is None, client.log()[-1500:])
            return any(map(os.path.getsize, glob.glob(clips)))
        wait_for(is_there, "a clip")
        frames = int(probe(glob.glob(clips)[0])["video"]["nb_read_frames"])
        check(200 <= frames <= 240, f"{frames} frames")
        print(f"the window wrote {frames} frames", flush=True)
        client.press("e", "period", "period", "e")  # and is closed in the midst of another
        wait_for(client.children, "ffmpeg writes")
        client.process.terminate()
        client.process.wait(20)
    left = [path for path in glob.glob(os.path.join(client.state, "clips", "*")) if path not in glob.glob(clips)]
    check(not left, f"these are left: {left}")


need("Xvfb", "xdotool", "ffmpeg", "ffprobe")
in_a_folder({"export": export, "window": window}[sys.argv[3]])()
