#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Programs can be moved with their maps: the server starts from a copy of the installed tree, and from a folder with
# maps/ in it. Release builds contain neither the path of the sources nor that of the build.
#   moved_test.sh BUILD_FOLDER SOURCE_FOLDER BUILD_TYPE
set -eu
build=$1 source=$2 type=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unset DEADFALL_MAP_DIR

cmake --install "$build" --prefix "$folder/installed" >/dev/null
mv "$folder/installed" "$folder/moved"

plays() { # plays SERVER MAP: the map is found and played
  "$1" --map "$2" --port 0 --bind 127.0.0.1 --duration 200ms --state-dir "$folder/state" --resume never >"$folder/out"
  grep -q "^ready: .* map=$2 " "$folder/out" || { echo "there is no match on $2:"; cat "$folder/out"; exit 1; }
}
maps=$folder/moved/share/deadfall/maps
mv "$maps/duel.tmj" "$maps/elsewhere.tmj" # nowhere else is one of this name
plays "$folder/moved/bin/deadfall-server" elsewhere
"$folder/moved/bin/deadfall-map" check "$maps/elsewhere.tmj"

mkdir -p "$folder/flat/maps"
cp "$folder/moved/bin/deadfall-server" "$folder/flat"
cp "$maps/elsewhere.tmj" "$folder/flat/maps/beside.tmj"
cp "$maps"/*.tsj "$folder/flat/maps"
plays "$folder/flat/deadfall-server" beside

[ "$type" = Release ] || { echo "moved; only release builds are searched for paths"; exit 0; }
found=$(grep -rlF -e "$source" -e "$build" "$folder/moved" "$build"/bin/deadfall*) || true
[ -z "$found" ] || { printf 'these name %s or %s:\n%s\n' "$source" "$build" "$found"; exit 1; }
