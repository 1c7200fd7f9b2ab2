#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# scenarios_test.sh PROGRAM FOLDER: every scenario in the folders by subject holds, and the library and the literal
# implementation print the same. Every file in FOLDER/output prints what its .expected says. Every file in
# FOLDER/malformed is refused with exit status 65 and the line in its .expected.
set -u
program=$(realpath "$1") folder=$2
failures=0 count=0
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT

fail() {
    echo "$1"
    failures=$((failures + 1))
}

for file in "$folder"/*/*.txt; do
    case $file in */malformed/* | */output/*) continue ;; esac
    count=$((count + 1))
    "$program" "$file" >"$temporary/fast" 2>"$temporary/complaints" || fail "$file: $(cat "$temporary/complaints")"
    "$program" --reference "$file" >"$temporary/literal" 2>"$temporary/complaints" ||
        fail "--reference $file: $(cat "$temporary/complaints")"
    cmp -s "$temporary/fast" "$temporary/literal" ||
        fail "$file: the library (<) and the literal implementation (>) differ: $(diff "$temporary/fast" "$temporary/literal" | head -5)"
    grep -q '^expect' "$file" || fail "$file: expects nothing"
done

for file in "$folder"/malformed/*.txt; do
    count=$((count + 1))
    found=$(cd "$folder/malformed" && "$program" "$(basename "$file")" 2>&1 >/dev/null)
    status=$?
    expected="$(basename "$file"):$(cat "${file%.txt}.expected")"
    [ $status -eq 65 ] || fail "$file: exit status $status, not 65"
    [ "$found" = "$expected" ] || fail "$file: expected '$expected', found '$found'"
done

for file in "$folder"/output/*.txt; do
    for how in "" --reference; do
        count=$((count + 1))
        "$program" $how "$file" | diff "${file%.txt}.expected" - || fail "$file: the output differs from .expected"
    done
done

"$program" --help >/dev/full 2>"$temporary/complaints"
status=$?
[ $status -eq 74 ] || fail "--help >/dev/full: exit status $status, not 74"

echo "$count files, $failures failures"
[ $failures -eq 0 ] && [ $count -gt 0 ]
