#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Two real windows in one match, one English with keys, one German with a pad: what each says by its wheel, both read,
each in its own language. The figure stands still while keys point.

usage: quick_chat_test.py DEADFALL DEADFALL-SERVER wheels VIRTUAL-PAD
"""
import os
import sys

import menu_test
import processes  # ends all that it starts


def do(window, steps):
    """A row of each: a key or a line for the pad, to press or to let go, and what the log says then."""
    mark = window.mark()
    for step, down, pattern in steps:
        if " " in step:
            window.pad(step)
        else:
            window.xdotool("keydown" if down else "keyup", step)
        mark = window.wait(pattern, mark)


def wheels(program, server, folder):
    for name in "ada", "bo":
        os.mkdir(os.path.join(folder, name))
    running, port = menu_test.start_server(server, folder, "--bots", "0", "--map", "duel")
    windows = []
    try:
        for name, language in ("ada", "en"), ("bo", "de"):
            windows.append(menu_test.Window(program, os.path.join(folder, name), "--name", name, "--language", language,
                                            "--connect", f"127.0.0.1:{port}"))
            windows[-1].wait(r"joined as player \d+")
        ada, bo = windows
        bo.pad("plug")
        # Who says it, how they open the wheel and point, how they let go, and what each reads.
        rows = [
            (ada, ["e", "Up"], ["e", "Up"], 1, 1, "1: Hello", "1: Hallo"),
            (ada, ["q", "Down"], ["q", "Down"], 2, 5, "1: Good game!", "1: Gutes Spiel!"),
            (bo, ["down 8", "axis 2 32767"], ["up 8", "axis 2 0"], 1, 3, "2: Love it", "2: Herrlich"),
            (bo, ["down 7", "axis 3 32767"], ["up 7", "axis 3 0"], 2, 5, "2: Good game!", "2: Gutes Spiel!"),
        ]
        for speaker, down, up, wheel, choice, english, german in rows:
            marks = [window.mark() for window in windows]
            do(speaker, [(down[0], True, f"wheel {wheel} points at 0"), (down[1], True, f"wheel {wheel} points at {choice}"),
                         (up[0], False, "wheel 0 points at 0"), (up[1], False, "")])
            for window, mark, text in zip(windows, marks, (english, german)):
                window.wait(f"chat from {text}\n", mark)
        mark = ada.mark()
        do(ada, [("e", True, "wheel 1 points at 0"), ("e", False, "wheel 0 points at 0"), ("e", True, "wheel 1 points at 0"),
                 ("space", True, ""), ("space", False, ""), ("Right", True, "wheel 1 points at 3"), ("e", False, "wheel 0")])
        ada.wait(r"chat from 1: Love it\n", mark)
        said = ada.log()[mark:]
        if said.count("chat from") != 1 or "event jump" in said:
            raise menu_test.Fault(f"the wheel said more, or its keys moved the figure:\n{said}")
    finally:
        for window in windows:
            window.close()
        running.terminate()
        running.wait(20)


if __name__ == "__main__":
    sys.exit(menu_test.run_part({"wheels": wheels}))
