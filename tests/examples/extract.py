#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the C code of a Markdown page: all its ```c blocks, one after the other.

    extract.py PAGE.md            a program in pieces
    extract.py --run PAGE.md      functions: main calls each `static void NAME(void)`, in the order of the page
    extract.py --text PAGE.md     its ```text blocks: what the program prints
"""
import re
import sys

with open(sys.argv[-1], encoding="utf-8") as file:
    page = file.read()
language = "text" if "--text" in sys.argv else "c"
blocks = re.findall(rf"^```{language}\n(.*?)^```$", page, re.M | re.S)
if not blocks:
    sys.exit(f"{sys.argv[-1]} has no ```{language} block")
print("\n".join(blocks), end="")
if "--run" in sys.argv:
    functions = re.findall(r"^static void (\w+)\(void\)$", "\n".join(blocks), re.M)
    print("\nint main(void)\n{\n" + "".join(f"    {name}();\n" for name in functions) + "    return 0;\n}")
