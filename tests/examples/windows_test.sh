#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# windows_test.sh ROOT: builds and installs the physics library for Windows, and programs against its DLL and its static
# library. The DLL exports the public functions and nothing else; who uses the DLL imports from it. Where Wine is there,
# the programs run. Skipped (77) without Debian's gcc-mingw-w64-x86-64.
set -euo pipefail
root=$1 target=x86_64-w64-mingw32
command -v $target-gcc >/dev/null || { echo "skipped: no $target-gcc; install gcc-mingw-w64-x86-64"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/windows.cmake" <<END
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_C_COMPILER $target-gcc)
set(CMAKE_RC_COMPILER $target-windres)
set(CMAKE_FIND_ROOT_PATH $work/installed)
END
cmake -S "$root/shared/physics" -B "$work/library" -DCMAKE_TOOLCHAIN_FILE="$work/windows.cmake" \
  -DCMAKE_INSTALL_PREFIX="$work/installed" >/dev/null
cmake --build "$work/library" >/dev/null
cmake --install "$work/library" >/dev/null

mkdir "$work/program"
cp "$root/tests/examples/rollback.c" "$work/program"
cat >"$work/program/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(program C)
find_package(deadfall_physics REQUIRED)
add_executable(with_dll rollback.c)
target_link_libraries(with_dll PRIVATE deadfall::physics_shared)
add_executable(without_dll rollback.c)
target_link_libraries(without_dll PRIVATE deadfall::physics)
END
cmake -S "$work/program" -B "$work/program" -DCMAKE_TOOLCHAIN_FILE="$work/windows.cmake" >/dev/null
cmake --build "$work/program" >/dev/null

dll=$(basename "$work"/installed/bin/*.dll)
declared=$(sed -nE 's/^DF_API [^(]*\b(df_\w+)\(.*/\1/p' "$work"/installed/include/deadfall_physics/*.h | sort)
exported=$($target-objdump -p "$work/installed/bin/$dll" | sed -nE 's/^\s+\[ *[0-9]+\] (\+base\[ *[0-9]+\] +[0-9a-f]+ )?(\w+)$/\2/p' | sort)
[ -n "$declared" ] && [ "$declared" = "$exported" ] || {
  echo "$dll: declared (<) and exported (>) functions differ:"
  diff <(echo "$declared") <(echo "$exported") || true
  exit 1
}
imports() {  # imports PROGRAM: the DLLs that it needs
  $target-objdump -p "$work/program/$1.exe" | sed -n 's/^\tDLL Name: //p'
}
names() {  # names PROGRAM: those in its compiled source
  $target-nm "$(find "$work/program" -path "*/$1.dir/*" -name rollback.c.obj)"
}
fail() {
  echo "$1"
  exit 1
}
grep -qx "$dll" <<<"$(imports with_dll)" || fail "with_dll.exe does not import from $dll"
! grep -q deadfall <<<"$(imports without_dll)" || fail "without_dll.exe imports from a DLL"
grep -q __imp_df_solid_move <<<"$(names with_dll)" || fail "the header does not say dllimport"
! grep -q __imp_df_ <<<"$(names without_dll)" || fail "the header says dllimport for the static library"

if command -v wine >/dev/null; then
  cp "$work/installed/bin/$dll" "$work/program"
  export WINEPREFIX=$work/wine WINEDEBUG=-all
  for program in with_dll without_dll; do
    printed=$(wine "$work/program/$program.exe" | tr -d '\r')
    [ "$printed" = "600 ticks, 46 times rolled back, the same world" ] || fail "$program.exe prints: $printed"
  done
  wineserver -k -w || true
fi
echo "$dll exports $(wc -w <<<"$exported") functions"
