#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What deadfall-replay answers, and with which exit code.  replay_test.sh DEADFALL_REPLAY RECORD_MATCH
set -euo pipefail
replay=$1 record_match=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failed=0

"$record_match" good.dfr 3 5 1300
"$record_match" lying.dfr 3 5 1300 650
head -c -500 good.dfr >torn.dfr
cp good.dfr bent.dfr
printf '\377\377\377\377' | dd of=bent.dfr bs=1 seek=9000 conv=notrunc status=none
cp good.dfr other.dfr
printf '\143' | dd of=other.dfr bs=1 seek=4 conv=notrunc status=none
: >empty.dfr

row() {  # row EXIT_CODE WORDS ARGUMENTS...: a word of the answer, on whichever stream
  local code=0
  "$replay" "${@:3}" >answer 2>&1 || code=$?
  if [ "$code" != "$1" ] || ! grep -qE -- "$2" answer; then
    echo "deadfall-replay ${*:3}: exit $code, expected $1 and '$2':"
    head -5 answer
    failed=1
  fi
}

row 0 'Usage: deadfall-replay' --help
row 0 '[0-9]\.[0-9]' --version
row 0 'ticks     1300, from 0 to 1300' good.dfr
row 0 'end       complete' --info good.dfr
row 0 '"last_tick":1300,"duration_s":21.666' --json good.dfr
row 0 '^1300 ticks, 21 hashes, 2 keyframes, 0 differences$' --verify good.dfr
row 0 '"differences":0' --verify --json good.dfr
row 0 '^1000 [0-9a-f]{16}$' --hash-every 500 good.dfr
row 0 '^player 4 name' --print-tick 700 good.dfr
row 0 '^\{"tick":0,' --print-tick 0 --json good.dfr
row 1 '^tick 660: the hash is [0-9a-f]{16}, the replay has [0-9a-f]{16}$' --verify lying.dfr
row 1 '^tick 1200: player 0 score: -?[0-9]+, expected -?[0-9]+$' --verify lying.dfr
row 1 '^1200 ticks, 20 hashes, 2 keyframes, 2 differences$' --verify lying.dfr
row 0 '"bot4ë\\"","X\\u0002","�\\u0004"]' --json good.dfr
row 0 'bot4ë", X�, ��$' --info good.dfr
row 64 'hash-every is a number from 1' --hash-every 0 good.dfr
row 0 'one of --info' --help
row 64 'no tick 1301' --print-tick 1301 good.dfr
row 64 'only one of' --info --verify good.dfr
row 64 'a replay is missing'
row 64 'nonsense' --nonsense good.dfr
row 65 'end       torn' torn.dfr
row 65 'middle of a record' --verify torn.dfr
row 65 'damaged' --verify bent.dfr
row 65 'another version' other.dfr
row 65 'not a replay' empty.dfr
row 65 'not a replay' "$record_match"
row 74 'No such file' nowhere.dfr
row 74 'directory' .

"$replay" --hash-every 1 good.dfr >hashes
[ "$(wc -l <hashes)" = 1300 ] || { echo "--hash-every 1: not 1300 lines"; failed=1; }
"$replay" --print-tick 1234 good.dfr >world
cmp <(head -1 world) <(sed -n 1234p hashes) || { echo "--print-tick: another hash"; failed=1; }
exit $failed
