#!/bin/sh
# SPDX-License-Identifier: MIT
# in_a_real_window.sh PROGRAM SCRIPT: plays a script of screens in an X server of its own, without repeated keys: on a
# busy machine a press may last long.
for tool in Xvfb xauth xdotool; do
    command -v "$tool" >/dev/null || { echo "$tool is missing: skipped" && exit 77; }
done
exec xvfb-run -a -s "-screen 0 1280x800x24 -r" "$1" --real "$2"
