#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The physics library in other games: it is built alone, installed, moved to another folder, and found there by CMake and
# by pkg-config, from C and from C++, static and shared. The programs are the tutorial of its README and the example in C++.
#   physics_package_test.sh SOURCE_FOLDER C_COMPILER C++_COMPILER
set -euo pipefail
source=$1 cc=$2 cxx=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
warnings="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Werror"
quietly() { "$@" >"$folder/log" 2>&1 || { cat "$folder/log"; return 1; }; }

quietly cmake -S "$source/shared/physics" -B "$folder/build" -DCMAKE_C_COMPILER="$cc" -DCMAKE_C_FLAGS="-Wall -Wextra -Werror"
quietly cmake --build "$folder/build" -j2
quietly cmake --install "$folder/build" --prefix "$folder/first"
rm -r "$folder/build"
mv "$folder/first" "$folder/moved"
headers=$folder/moved/include/deadfall_physics
library=$(dirname "$(find "$folder/moved" -name libdeadfall_physics.a)")
! grep -r "$folder" "$folder/moved" || { echo "an installed file names the folder of the build"; exit 1; }

# No link of an installed page is dead.
documents=$folder/moved/share/doc/deadfall_physics
for page in README.md ARTICLE.md; do
  while read -r link; do
    [ -e "$documents/$link" ] || { echo "$page has a dead link: $link"; exit 1; }
  done < <(grep -oP '\]\(\K[^)#:]+(?=\))' "$documents/$page")
done

# The shared library exports the public functions, and nothing else.
sed -nE 's/^DF_API .*\b(df_\w+)\(.*/\1/p' "$headers"/*.h | sort >"$folder/public"
nm -D --defined-only --format=just-symbols "$library/libdeadfall_physics.so" | sort >"$folder/exported"
diff "$folder/public" "$folder/exported"
readelf -d "$library/libdeadfall_physics.so" | grep -q 'SONAME.*\[libdeadfall_physics\.so\.0\.1\]'

# Each header compiles alone, as C and as C++.
for header in "$headers"/*.h; do
  echo "#include <deadfall_physics/${header##*/}>" >"$folder/one.c"
  cp "$folder/one.c" "$folder/one.cpp"
  # shellcheck disable=SC2086
  "$cc" -std=c17 $warnings -Wstrict-prototypes -I"$folder/moved/include" -fsyntax-only "$folder/one.c"
  # shellcheck disable=SC2086
  "$cxx" -std=c++17 $warnings -I"$folder/moved/include" -fsyntax-only "$folder/one.cpp"
done

mkdir "$folder/game"
python3 "$source/tests/examples/extract.py" "$source/shared/physics/README.md" >"$folder/game/game.c"
cp "$source/tests/examples/arena.cpp" "$folder/game/game.cpp"
cat >"$folder/game/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(game C CXX)
find_package(deadfall_physics 0.1 CONFIG REQUIRED)
foreach(library physics physics_shared)
  foreach(language c cpp)
    add_executable(${language}_${library} game.${language})
    target_link_libraries(${language}_${library} PRIVATE deadfall::${library})
  endforeach()
endforeach()
CMAKE
quietly cmake -S "$folder/game" -B "$folder/by_cmake" -DCMAKE_PREFIX_PATH="$folder/moved" -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx"
quietly cmake --build "$folder/by_cmake"
export PKG_CONFIG_PATH=$library/pkgconfig
mkdir "$folder/by_hand"
# shellcheck disable=SC2046,SC2086
{
  "$cc" -std=c17 $warnings "$folder/game/game.c" $(pkg-config --cflags --libs deadfall_physics) -o "$folder/by_hand/c_shared"
  "$cxx" -std=c++17 $warnings "$folder/game/game.cpp" $(pkg-config --cflags --libs deadfall_physics) -o "$folder/by_hand/cpp_shared"
  static=$(pkg-config --variable=libdir deadfall_physics)/libdeadfall_physics.a
  "$cc" -std=c17 $warnings "$folder/game/game.c" $(pkg-config --cflags deadfall_physics) "$static" -o "$folder/by_hand/c_static"
  "$cxx" -std=c++17 $warnings "$folder/game/game.cpp" $(pkg-config --cflags deadfall_physics) "$static" -o "$folder/by_hand/cpp_static"
}
for game in "$folder"/by_cmake/c_physics{,_shared} "$folder"/by_hand/c_{shared,static}; do
  LD_LIBRARY_PATH=$library "$game" | diff <(python3 "$source/tests/examples/extract.py" --text "$source/shared/physics/README.md") -
done
for game in "$folder"/by_cmake/cpp_physics{,_shared} "$folder"/by_hand/cpp_{shared,static}; do
  LD_LIBRARY_PATH=$library "$game" | diff <(printf '5 coins lie on the belt\n5 coins are in the chest\n') -
done
# A shared program does not run without the library; a static one does.
! "$folder/by_hand/c_shared" >/dev/null 2>&1
"$folder/by_hand/c_static" >/dev/null
# Another version is refused.
sed -i 's/deadfall_physics 0.1/deadfall_physics 0.2/' "$folder/game/CMakeLists.txt"
! cmake -S "$folder/game" -B "$folder/other" -DCMAKE_PREFIX_PATH="$folder/moved" >/dev/null 2>&1
echo "$(wc -l <"$folder/public") public functions, found and run in eight ways"
