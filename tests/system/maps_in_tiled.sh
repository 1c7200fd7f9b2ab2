#!/bin/sh
# SPDX-License-Identifier: MIT
# Tiled reads each shipped map and writes the same map back, with its tileset embedded: maps_in_tiled.sh TILED DEADFALL_MAP MAPS
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for map in "$3"/*.tmj; do
  QT_QPA_PLATFORM=offscreen XDG_RUNTIME_DIR=$folder "$1" --export-map --embed-tilesets json "$map" "$folder/${map##*/}"
  before=$("$2" check "$map")
  after=$("$2" check "$folder/${map##*/}")
  echo "$after"
  test "$before" = "$after"
done
