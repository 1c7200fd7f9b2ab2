#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Man pages and completions, which are generated from the option tables of the programs.

  pages_test.py FOLDER_OF_PAGES FOLDER_OF_PROGRAMS [MANDOC]
"""
import glob
import os
import re
import subprocess
import sys

from processes import read_text  # ends every process that it starts

PAGES, PROGRAMS = sys.argv[1:3]
MANDOC = sys.argv[3] if len(sys.argv) > 3 else None
NAMES = sorted(os.path.basename(path)[:-2] for path in glob.glob(os.path.join(PAGES, "*.6")))


def options_of(name):
    """Returns the options that --help lists."""
    text = subprocess.run([os.path.join(PROGRAMS, name), "--help"], capture_output=True, text=True, check=True).stdout
    return re.findall(r"^  --([a-z-]+)", text, re.M)


def mandoc_has_nothing_to_say(name):
    if not MANDOC:
        return
    done = subprocess.run([MANDOC, "-Tlint", os.path.join(PAGES, name + ".6")], capture_output=True, text=True)
    # What a page refers to need not be installed here, but our own pages must be among those that we make.
    faults = [line for line in done.stdout.split("\n") if line and "manual not found: Xr " not in line]
    assert not faults, faults
    named = re.findall(r"^\.Xr (deadfall\S*) ", read_text(os.path.join(PAGES, name + ".6")), re.M)
    assert named and set(named) <= set(NAMES), (name, named)


def the_page_tells_every_option(name):
    if not MANDOC:
        return
    page = subprocess.run([MANDOC, "-Tutf8", os.path.join(PAGES, name + ".6")], capture_output=True, text=True,
                          check=True).stdout
    page = re.sub(".\b", "", page).replace("\u2010", "-")
    for option in options_of(name):
        assert re.search(rf"^ +--{option}\b", page, re.M), f"{name}: --{option} is missing in its man page"


def complete(name, *words):
    """Returns what bash offers for the last word."""
    split = [part for word in words for part in re.findall(r"=|[^=]+|^$", word)]
    script = (f'. {PAGES}/{name}.bash; COMP_WORDS=({name} "$@"); COMP_CWORD=$#; _{name.replace("-", "_")}; '
              'printf "%s\\n" "${COMPREPLY[@]}"')
    done = subprocess.run(["bash", "-uc", script, "bash", *split], capture_output=True, text=True, cwd="/usr")
    assert done.returncode == 0 and done.stderr == "", done
    return set(done.stdout.split())


def bash_completes_every_option(name):
    assert complete(name, "--") >= {"--" + option for option in options_of(name)}, name
    assert complete(name, "--vers") == {"--version"}, name
    assert complete(name, "--nosuch") == set(), name


ROWS = [  # words, and what bash offers for the last one
    ("deadfall-server", ["--mod"], {"--mode"}),
    ("deadfall-server", ["--mode", ""], {"ffa", "lms", "teams", "breakout"}),
    ("deadfall-server", ["--mode", "b"], {"breakout"}),
    ("deadfall-server", ["--mode=l"], {"lms"}),
    ("deadfall-server", ["--mode="], {"ffa", "lms", "teams", "breakout"}),
    ("deadfall-server", ["--mode", "lms", "--snapshot-rate", ""], {"60", "30", "20"}),
    ("deadfall-server", ["--port", ""], set()),
    ("deadfall-server", ["--state-dir", "sha"], {"share"}),
    ("deadfall-server", ["--config", "sha"], {"share"}),
    ("deadfall-map", ["c"], {"check", "compile"}),
    ("deadfall-map", ["check", "sha"], {"share"}),
    ("deadfall-admin", ["share", "re"], {"restart", "resume", "records", "record", "reload"}),
    ("deadfall-admin", ["sha"], {"share"}),
    ("deadfall-replay", ["sha"], {"share"}),
    ("deadfall-scenario", ["--ref"], {"--reference"}),
]

assert len(NAMES) >= 7, NAMES
for program in NAMES:
    mandoc_has_nothing_to_say(program)
    the_page_tells_every_option(program)
    bash_completes_every_option(program)
for number, (program, line, wanted) in enumerate(ROWS):
    found = complete(program, *line)
    assert found == wanted, (number, line, found)
print(f"{len(NAMES)} pages and completions match their programs")
