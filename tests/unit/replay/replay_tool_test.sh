#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What deadfall-replay prints, and its exit codes.  replay_tool_test.sh DEADFALL_REPLAY RECORD_MATCH
set -euo pipefail
replay=$1 record_match=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failed=0

"$record_match" good.dfr 3 5 1300
"$record_match" lying.dfr 3 5 1300 650
for lie in chosen withheld forged secret; do
  "$record_match" $lie.dfr 3 5 1300 $lie
done
head -c -501 good.dfr >torn.dfr
cp good.dfr bent.dfr
printf '\377\377\377\377' | dd of=bent.dfr bs=1 seek=10600 conv=notrunc status=none
cp good.dfr other.dfr
printf '\143' | dd of=other.dfr bs=1 seek=4 conv=notrunc status=none
: >empty.dfr

row() {  # row EXIT_CODE PATTERN ARGUMENTS...: the pattern is in the output or among the errors
  local code=0
  "$replay" "${@:3}" >answer 2>&1 || code=$?
  if [ "$code" != "$1" ] || ! grep -qE -- "$2" answer; then
    echo "deadfall-replay ${*:3}: exit $code, not $1 with '$2':"
    head -5 answer
    failed=1
  fi
}

row 0 'Usage: deadfall-replay' --help
row 0 '[0-9]\.[0-9]' --version
row 0 'ticks     1300, from 0 to 1300' good.dfr
row 0 '^players   5 at the start, 2 joined: bot0ë", bot1ë", bot2ë", bot3ë", bot4ë", X' good.dfr
row 0 '^ticks     1300' --print-tick -1 good.dfr
row 0 'end       complete' --info good.dfr
row 0 '^dice      [0-9a-f]{64}; it has their secret' --info good.dfr
row 0 '^dice      [0-9a-f]{64}; unproven: the secret of the dice is not the one' --info forged.dfr
row 0 '^dice      [0-9a-f]{64}; unproven: the recording ended before the match did' --info secret.dfr
row 0 '"dice":"[0-9a-f]{64}","dice_secret":true,' --json good.dfr
row 0 '"last_tick":1300,"duration_s":21.666' --json good.dfr
row 0 '^1300 ticks, 21 hashes, 2 keyframes, 0 differences$' --verify good.dfr
row 0 '"differences":0,"rolls":[1-9][0-9]*,"wrong_rolls":0,"rolls_proven":true}' --verify --json good.dfr
row 0 '^[1-9][0-9]* rolls, 0 wrong; proven by the secret of the dice$' --verify good.dfr
row 1 '^tick [0-9]+: roll 2 gives [a-z ]+ from chest [0-9]+; the secret says [a-z ]+$' --verify chosen.dfr
row 1 '^1300 ticks, 21 hashes, 2 keyframes, 0 differences$' --verify chosen.dfr
row 1 '^[1-9][0-9]* rolls, 1 wrong; ' --verify chosen.dfr
row 1 '"wrong_rolls":1,"rolls_proven":false}' --verify --json chosen.dfr
row 1 '^tick [0-9]+: 1 chests were touched, but 0 rolled$' --verify withheld.dfr
row 1 '^[1-9][0-9]* rolls, 0 wrong; unproven: the secret of the dice is not the one that the server' --verify forged.dfr
row 0 '^[1-9][0-9]* rolls, 0 wrong; unproven: the recording ended before the match did' --verify secret.dfr
row 0 '"differences":0,"rolls":[1-9][0-9]*,"wrong_rolls":0,"rolls_proven":false}' --verify --json secret.dfr
row 65 '^[1-9][0-9]* rolls, 0 wrong; unproven: the recording ended before the match did' --verify torn.dfr
row 0 '^1000 [0-9a-f]{16}$' --hash-every 500 good.dfr
row 0 '^\{"tick":1300,"hash":"[0-9a-f]{16}"\}$' --json --hash-every 650 good.dfr
row 0 '^player 4 name' --print-tick 700 good.dfr
row 0 '^head 0 tick 1300$' --print-tick 1300 good.dfr
row 0 '^\{"tick":0,' --print-tick 0 --json good.dfr
row 1 '^tick 660: the hash is [0-9a-f]{16}, the replay has [0-9a-f]{16}$' --verify lying.dfr
row 1 '^tick 1200: player 0 score: -2, expected -1$' --verify lying.dfr
row 1 '"differences":2' --verify --json lying.dfr
row 1 '^1200 ticks, 20 hashes, 2 keyframes, 2 differences$' --verify lying.dfr
row 0 '"bot4ë\\"","X",""]' --json good.dfr
row 0 'bot4ë", X, $' --info good.dfr
row 64 'hash-every is a number from 1' --hash-every 0 good.dfr
row 0 'one of --info' --help
row 64 'hash-every' --hash-every 4294967296 good.dfr
row 64 'print-tick' --print-tick -2 good.dfr
row 64 '^deadfall-replay: good.dfr: it has no tick 1301: it goes from 0 to 1300\.$' --print-tick 1301 good.dfr
row 0 '^event kill by [a-z]+ subject=[0-9]+ other=[0-9]+ detail=[0-9]+ x=-?[0-9]+ y=-?[0-9]+ tick=[0-9]+$' --events good.dfr
row 0 '^\{"tick":[0-9]+,"event":"kill","cause":"[a-z]+","subject":[0-9]+,"other":[0-9]+,"detail":[0-9]+,"x":-?[0-9]+,"y":-?[0-9]+\}$' --json --events good.dfr
row 0 '^event jump subject=[0-9]+ other=65535 detail=[0-3] ' --events good.dfr
row 65 'damaged' --events bent.dfr
row 64 'only one of' --events --verify good.dfr
row 64 'only one of' --hash-every 5 --print-tick 0 good.dfr
row 64 'only one of' --info --verify good.dfr
row 64 'a replay is missing'
row 64 'nonsense' --nonsense good.dfr
row 65 'end       torn' torn.dfr
row 65 'middle of a record' --verify torn.dfr
row 65 'damaged' --verify bent.dfr
row 65 'damaged' --hash-every 9 bent.dfr
row 65 'damaged' --print-tick 605 bent.dfr
row 65 'damaged' --info bent.dfr
row 65 'another version' other.dfr
row 65 'not a replay' empty.dfr
row 65 'not a replay' "$record_match"
row 74 'No such file' nowhere.dfr
row 74 'directory' .

"$replay" --hash-every 1 good.dfr >hashes
[ "$(wc -l <hashes)" = 1300 ] || { echo "--hash-every 1 does not print 1300 lines"; failed=1; }
for tick in 1 599 600 601 1234 1300; do
  cmp <("$replay" --print-tick $tick good.dfr | head -1) <(sed -n ${tick}p hashes) ||
    { echo "--print-tick $tick and --hash-every 1 print different hashes"; failed=1; }
done
cmp <("$replay" --hash-every 100 good.dfr) <(sed -n '0~100p' hashes) || { echo "--hash-every 100 prints other ticks"; failed=1; }
if "$replay" good.dfr >/dev/full 2>answer; then echo "a full disk is not reported"; failed=1; fi
grep -q '^deadfall-replay: standard output: No space' answer || { echo "a full disk: $(cat answer)"; failed=1; }
exit $failed
