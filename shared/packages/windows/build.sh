#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the programs for Windows, and packs them with the maps and the licences of what they carry inside:
#   build.sh FOLDER [CMAKE_OPTION]...
# makes FOLDER/deadfall-VERSION-windows.zip. FOLDER keeps the libraries, as portable/libraries.sh has them.
set -euo pipefail
here=$(realpath "$(dirname "$0")") folder=$(realpath -m "$1")
shift
source=$(realpath "$here/../../..") build=$folder/windows.build
"$here/../portable/libraries.sh" windows "$folder"

quiet() { "$@" >"$build.log" 2>&1 || { tail -40 "$build.log" >&2; exit 1; }; }
quiet cmake -G Ninja -S "$source" -B "$build" -DCMAKE_TOOLCHAIN_FILE="$here/toolchain.cmake" -DDEADFALL_LIBRARIES="$folder/windows" \
  -DCMAKE_BUILD_TYPE=Release "-DCMAKE_C_FLAGS_RELEASE=-O3 -g -ffunction-sections -fdata-sections" -DBUILD_TESTING=OFF "$@"
quiet cmake --build "$build" -j2

version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
name=deadfall-$version-windows
tree=$folder/$name
rm -rf "${tree:?}" "$tree.zip"
mkdir -p "$tree/licences"
for program in "$build"/bin/deadfall*.exe; do
  x86_64-w64-mingw32-strip -o "$tree/${program##*/}" "$program"
done
cp -r "$source/shared/maps" "$tree/maps"
cp "$source/LICENSE" "$tree"
cp "$folder"/windows/licences/* "$tree/licences"
sed "s/VERSION/$version/; s/\$/\r/" "$here/README.txt" >"$tree/README.txt"
cp "$build/_deps/enet-src/LICENSE" "$tree/licences/enet"
cp /usr/share/doc/mingw-w64-common/copyright "$tree/licences/mingw-w64"
find "$tree" -exec touch -d @"${SOURCE_DATE_EPOCH:-315532800}" {} + # the oldest time that an archive knows
cd "$folder" && find "$name" -type f | LC_ALL=C sort | zip -q -X -9 -@ "$name.zip"
ls -l "$folder/$name.zip"
