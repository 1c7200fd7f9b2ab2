#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# readme_test.sh README EXAMPLE.c PROGRAM: the README holds the example line by line, and tells what it prints.
set -u
readme=$1 example=$2 program=$3
awk '/^```c$/ {on = 1; next} /^```$/ {on = 0} on' "$readme" | diff - "$example" || {
    echo "$readme: its program is not $example"
    exit 1
}
"$program" | while IFS= read -r line; do
    grep -qF "\`$line\`" "$readme" || {
        echo "$readme does not say that the program prints: $line"
        exit 1
    }
done
