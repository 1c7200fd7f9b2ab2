#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# malformed_test.sh PROGRAM: each line of malformed.txt that begins with "=" is what the lines above it, up to the one
# before, are refused with: LINE:COLUMN: and why. A script that nothing is wrong with has a "=" alone.
set -u
program=$(realpath "$1") folder=$(dirname "$0")
failures=0 count=0
script=$(mktemp)
trap 'rm -f "$script"' EXIT

while IFS= read -r line; do
    case $line in
    =*)
        found=$("$program" --check "$script" 2>&1)
        status=$?
        expected=${line#=}
        [ -n "$expected" ] && expected="$script:${expected# }" wanted=65 || wanted=0
        if [ "$found" != "$expected" ] || [ $status -ne $wanted ]; then
            printf '%s\nis refused with status %d, "%s", not with "%s"\n' "$(cat "$script")" $status "$found" "$expected"
            failures=$((failures + 1))
        fi
        count=$((count + 1))
        : >"$script" ;;
    *) printf '%s\n' "$line" >>"$script" ;;
    esac
done <"$folder/malformed.txt"

echo "$count scripts, $failures failures"
[ $failures -eq 0 ] && [ $count -gt 0 ]
