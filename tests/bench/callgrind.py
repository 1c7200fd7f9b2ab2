# SPDX-License-Identifier: MIT
"""Counts instructions: they are the same in every run, where nanoseconds change with the machine and its load."""
import re
import subprocess


def instructions(command, function):
    """What a command executes in functions of a name, and in all that they call."""
    found = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
                            f"--toggle-collect=*{function}*", *command], capture_output=True, text=True, check=True)
    return int(re.search(r"Collected : (\d+)", found.stderr).group(1))
