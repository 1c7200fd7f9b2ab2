#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The physics library in another game: it is installed under a prefix and found by CMake and by pkg-config, and the
# example of its README is built and run both ways.
#   physics_package_test.sh BUILD_FOLDER SOURCE_FOLDER COMPILER
set -eu
build=$1 source=$2 compiler=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cmake --install "$build" --component physics --prefix "$folder/prefix" >/dev/null
mkdir "$folder/game"
sed -n '/^```c$/,/^```$/p' "$source/shared/physics/README.md" | sed '1d;$d' >"$folder/game/game.c"
grep -q 'int main' "$folder/game/game.c"
cat >"$folder/game/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(game C)
find_package(deadfall_physics 0.1 CONFIG REQUIRED)
add_executable(game game.c)
target_link_libraries(game PRIVATE deadfall::physics)
CMAKE
cmake -S "$folder/game" -B "$folder/game/build" -DCMAKE_PREFIX_PATH="$folder/prefix" -DCMAKE_C_COMPILER="$compiler" >/dev/null
cmake --build "$folder/game/build" >/dev/null
"$folder/game/build/game" >"$folder/by_cmake"
pc=$(find "$folder/prefix" -name deadfall_physics.pc)
export PKG_CONFIG_PATH=${pc%/*}
# shellcheck disable=SC2046
"$compiler" -std=c17 -Wall -Wextra -Werror "$folder/game/game.c" $(pkg-config --cflags --libs deadfall_physics) -o "$folder/by_hand"
"$folder/by_hand" >"$folder/by_pkg_config"
[ -s "$folder/by_cmake" ] && cmp "$folder/by_cmake" "$folder/by_pkg_config"
cat "$folder/by_cmake"
# Another version is refused.
sed -i 's/deadfall_physics 0.1/deadfall_physics 0.2/' "$folder/game/CMakeLists.txt"
! cmake -S "$folder/game" -B "$folder/other" -DCMAKE_PREFIX_PATH="$folder/prefix" >/dev/null 2>&1
