#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The recipe for packages works with plain make, CMake's default: a program is built with its man page and completion.
# packages_test.sh follows the whole recipe.
#   recipe_test.sh SOURCE_FOLDER
set -eu
source=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cmake -G "Unix Makefiles" -S "$source" -B "$folder" -DDEADFALL_PACKAGE=ON >/dev/null
cmake --build "$folder" --target deadfall-replay.page >"$folder/log" 2>&1 || { tail -20 "$folder/log"; exit 1; }
[ -s "$folder/man/deadfall-replay.6.gz" ] && [ -s "$folder/man/deadfall-replay.bash" ]
