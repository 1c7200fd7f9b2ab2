#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Adds to each line of bench_features the instructions of a call, counted by callgrind.

    features.py BENCH_FEATURES [CALLS]
"""
import json
import subprocess
import sys

import callgrind

COUNTED, TURNS = 2000, 5

bench, *calls = sys.argv[1:]
for line in subprocess.run([bench, *calls], capture_output=True, text=True, check=True).stdout.splitlines():
    row = json.loads(line)
    count = callgrind.instructions([bench, str(COUNTED), row["feature"]], "run_calls")
    print(json.dumps({**row, "instructions": round(count / COUNTED / TURNS)}), flush=True)
