#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every line of code that docs/your-own-game.md quotes is in tests/dots: quotes_test.py ROOT"""
import os
import re
import sys

root = sys.argv[1]
folder = os.path.join(root, "tests/dots")
lines = set()
for place, _, names in os.walk(folder):
    for name in names:
        if name.endswith((".c", ".h", ".txt")):
            with open(os.path.join(place, name), encoding="utf-8") as file:
                lines.update(line.rstrip("\n") for line in file)
with open(os.path.join(root, "docs/your-own-game.md"), encoding="utf-8") as file:
    page = file.read()
quoted = [line for block in re.findall(r"```\w+\n(.*?)```", page, re.S) for line in block.rstrip("\n").split("\n")]
wrong = [line for line in quoted if line not in lines]
missing = [path for path in re.findall(r"\]\(\.\./(tests/[^)]+)\)", page) if not os.path.exists(os.path.join(root, path))]
for line in wrong:
    print(f"not in tests/dots: {line}")
for path in missing:
    print(f"no such file: {path}")
if len(quoted) < 30 or wrong or missing:
    sys.exit(f"FAILED: {len(quoted)} lines are quoted, {len(wrong)} wrong")
