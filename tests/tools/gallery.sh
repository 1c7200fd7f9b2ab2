#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Renders every screen of the menus, every map, an error and a replay into PNGs, each of the right size and of more than
# one colour. tests/golden/pictures_test.c compares exact pictures.
# "moving" writes only moving.gif, a few seconds of a match of bots; it needs ffmpeg. "play" renders only a few seconds of
# a match on each map, without hints. Both make pictures of the README.
# usage: gallery.sh DEADFALL FOLDER [SCALE [moving|play]]
set -euo pipefail
program=$1
out=$2
scale=${3:-1}
here=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$out"
state=$(mktemp -d)
trap 'rm -rf "$state"' EXIT
export SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy
failed=0

# Succeeds if a PNG has the full size and more than one colour.
shows_something() {
  python3 - "$1" $((640 * scale)) $((360 * scale)) <<'END'
import struct, sys, zlib
data = open(sys.argv[1], "rb").read()
size = struct.unpack(">II", data[16:24])
at, body = 8, b""
while at < len(data):
    length, kind = struct.unpack(">I4s", data[at:at + 8])
    body += data[at + 8:at + 8 + length] if kind == b"IDAT" else b""
    at += 12 + length
width, height = int(sys.argv[2]), int(sys.argv[3])
sys.exit(size not in ((width, height), (2 * width, 2 * height)) or len(set(zlib.decompress(body))) < 64)
END
}

# NAME EXIT-CODE arguments: renders one picture; the run must exit with this code.
picture() {
  local name=$1 code=$2 found=0
  shift 2
  "$program" --state-dir "$state" --name Ada --scale "$scale" --screenshot "$out/$name.png" "$@" 2>"$state/log" || found=$?
  if [ "$found" != "$code" ] || ! shows_something "$out/$name.png"; then
    printf '%s: ended with %s, or shows nothing\n' "$name" "$found"
    cat "$state/log"
    failed=1
  fi
}

if [ "${4:-}" = moving ]; then
  "$(dirname "$program")/deadfall-server" --port 0 --state-dir "$state" --record "$state/recordings" --map foundry --seed 7 \
    --bots 6 --bot-skill hard --run-empty --duration 20s --log-level warning
  "$program" --state-dir "$state" --replay "$state"/recordings/*.dfr --export "$out/moving.gif" --from 10s --to 13s
  exit
fi

if [ "${4:-}" = play ]; then
  printf '%s\n' '20 left' '30 jump' '40 shoot' '50 dash' '60 down jump' '70 -' >"$state/script"
  for map in "$here"/shared/maps/*.tmj; do
    name=$(basename "$map" .tmj)
    printf 'mode = %s\n' "$([ "$name" = breakout ] && echo breakout || echo ffa)" >"$state/settings"
    picture "play-$name" 0 --host --map "$name" --bots 10 --seed 3 --input-script "$state/script" --frames 900
  done
  exit "$failed"
fi

for screen in title join address password host replays settings video sound keys keys-second pads player accessibility \
  players; do
  picture "screen-$screen" 0 --screen "$screen" --frames 30
done
for screen in pause team host; do
  picture "match-$screen" 0 --host --screen "$screen" --frames 60
done
for map in "$here"/shared/maps/*.tmj; do
  name=$(basename "$map" .tmj)
  picture "map-$name" 0 --host --map "$name" --bots 8 --frames 100
done
picture error 69 --connect 127.0.0.1:9 --frames 1
picture replay 0 --replay "$here/tests/golden/foundry.dfr" --frames 120
exit "$failed"
