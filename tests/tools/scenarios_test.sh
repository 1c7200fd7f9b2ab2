#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# scenarios_test.sh PROGRAM FOLDER: every scenario in the folders by subject holds, and the library and the literal
# implementation print the same. Every file in FOLDER/output prints what its .expected says. Every file in
# FOLDER/malformed is refused with exit status 65 and the line in its .expected.
set -u
program=$(realpath "$1") folder=$(realpath "$2")
failures=0 count=0
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT

fail() {
    echo "$1"
    failures=$((failures + 1))
}

GLOBIGNORE="$folder/malformed/*:$folder/output/*"
scenarios=("$folder"/*/*.txt)
unset GLOBIGNORE
"$program" "${scenarios[@]}" >"$temporary/fast" || fail "a scenario does not hold"
"$program" --reference "${scenarios[@]}" >"$temporary/literal" || fail "a scenario does not hold with --reference"
cmp -s "$temporary/fast" "$temporary/literal" ||
    fail "the library (<) and the literal implementation (>) differ: $(diff "$temporary/fast" "$temporary/literal" | head -20)"
silent=$(grep -L '^expect' "${scenarios[@]}")
[ -z "$silent" ] || fail "these expect nothing: $silent"

cd "$folder/malformed" || exit
malformed=(*.txt)
"$program" "${malformed[@]}" >"$temporary/fast" 2>"$temporary/found"
status=$?
[ $status -eq 65 ] || fail "malformed files: exit status $status, not 65"
for file in "${malformed[@]}"; do
    echo "$file:$(cat "${file%.txt}.expected")"
done | diff - "$temporary/found" || fail "malformed files: expected (<) and said (>)"
count=$((${#scenarios[@]} + ${#malformed[@]}))

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
