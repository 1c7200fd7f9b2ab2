#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The recipe for packages works with every generator: a program is optimised and has its man page and completion.
# packages_build.sh follows the whole recipe with plain make.
#   recipe_test.sh SOURCE_FOLDER
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for generator in "Ninja" "Ninja Multi-Config"; do
  build="$folder/$generator"
  cmake -G "$generator" -S "$1" -B "$build" -DDEADFALL_PACKAGE=ON >/dev/null
  cmake --build "$build" --target deadfall-replay.page >"$folder/log" 2>&1 || { tail -20 "$folder/log"; exit 1; }
  [ -s "$build/man/deadfall-replay.6.gz" ] && [ -s "$build/man/deadfall-replay.bash" ]
  grep -q -e '-O3 -g' "$build/compile_commands.json"
  [ "$(grep -c '"file": .*/playback.c"' "$build/compile_commands.json")" = 1 ] || { echo "$generator: several configurations"; exit 1; }
done
