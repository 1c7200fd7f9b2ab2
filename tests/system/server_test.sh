#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# deadfall-server as an operator uses it: ready line, exit codes, signals, recording.
#   server_test.sh PATH_OF_deadfall-server [PATH_OF_deadfall-replay]
set -u
server=$1 replay=${2:-}
folder=$(mktemp -d)
failures=0
export XDG_STATE_HOME=$folder/state
running=
trap '[ -z "$running" ] || kill -9 "$running" 2>/dev/null; rm -rf "$folder"' EXIT

expect() {  # expect WHAT FOUND WANTED
    if [ "$2" != "$3" ]; then
        echo "FAILED: $1: found \"$2\", wanted \"$3\""
        failures=$((failures + 1))
    fi
}

has_line() {  # has_line WHAT FILE PATTERN: a line of the file matches
    if ! grep -Eq -- "$3" "$2"; then
        echo "FAILED: $1: no line matches \"$3\" in:"
        sed 's/^/    /' "$2"
        failures=$((failures + 1))
    fi
}

begin() {  # begin ARGUMENTS: starts a server and waits until it is ready
    "$server" --port 0 --bind 127.0.0.1 "$@" >"$folder/out" 2>"$folder/err" &
    running=$!
    for _ in $(seq 200); do
        grep -q '^ready' "$folder/out" && return
        kill -0 "$running" 2>/dev/null || return
        sleep 0.05
    done
}

finish() {  # finish: waits for the server's end and tells its exit code
    wait "$running"
    code=$?
    running=
}

refused() {  # refused WHAT CODE PATTERN ARGUMENTS: ends with a code and one sentence
    local what=$1 wanted=$2 pattern=$3
    shift 3
    "$server" "$@" >"$folder/out" 2>"$folder/err"
    expect "$what" "$?" "$wanted"
    has_line "$what" "$folder/err" "$pattern"
    expect "$what: lines" "$(wc -l <"$folder/err")" 1
    expect "$what: stdout" "$(cat "$folder/out")" ""
}

# A run with a limit.
begin --duration 2 --bots 4 --record "$folder/replays"
finish
expect "a run with a limit" "$code" 0
expect "one line on stdout" "$(wc -l <"$folder/out")" 1
has_line "the ready line" "$folder/out" '^ready: udp 127\.0\.0\.1:[1-9][0-9]* map=foundry mode=ffa key=[a-z2-7]{32}$'
has_line "the summary" "$folder/err" 'tick [1-9][0-9]+, 0 players, 4 bots'
recording=$(ls "$folder"/replays/*.dfr)
[ -s "$recording" ] || expect "the recording" "empty" "something"
if [ -n "$replay" ]; then
    "$replay" "$recording" --verify >"$folder/out" 2>&1
    expect "the recording verifies" "$?" 0
fi

# Signals.
for signal in TERM INT; do
    begin
    kill -s "$signal" "$running"
    finish
    expect "SIG$signal drains" "$code" 0
done

# SIGHUP reads the options again. A bad file changes nothing.
printf 'bots = 2\n' >"$folder/live.conf"
begin --config "$folder/live.conf" --duration 3
hang_up() {  # hang_up TEXT PATTERN: another file, and what is said of it
    printf '%s\n' "$1" >"$folder/live.conf"
    kill -s HUP "$running"
    for _ in $(seq 100); do
        grep -Eq -- "$2" "$folder/err" && return
        sleep 0.05
    done
    has_line "SIGHUP" "$folder/err" "$2"
}
hang_up 'bots = 5
map = duel' 'changed: bots; only a restart changes: map$'
hang_up 'bots = 5
bots = 6' 'nothing changed: .*live\.conf:2: bots is set twice'
hang_up 'bots = 99' 'nothing changed: .*more than --max-players'
finish  # at its end, so that ticks have followed
expect "a reloaded server continues" "$code" 0
has_line "bots after SIGHUP" "$folder/err" ' 0 players, 5 bots'

# A port in use.
begin --duration 5
port=$(sed -E 's/^ready: udp [^:]*:([0-9]+) .*/\1/' "$folder/out")
first=$folder/first && cp "$folder/out" "$first"
refused "a port in use" 69 "cannot open UDP port $port .*in use" --bind 127.0.0.1 --port "$port" --resume never
refused "a second server on one state" 69 "another server \(process $running\) keeps its state here" --bind 127.0.0.1 --port 0
kill "$running"
finish

# Each error is one sentence.
printf 'port = 0\nmax-plyers = 4\n' >"$folder/bad.conf"
printf 'bots = 3\nmax-players = 8\n' >"$folder/good.conf"
printf '{ "not": "a map" }' >"$folder/bad.tmj"
refused "an unknown option" 64 '--colour' --colour red
refused "a bad number" 64 'max-players is a number from 1 to 256' --max-players 257
refused "a mode that is none" 64 'mode is one of ffa, lms' --mode chess
refused "an option of a later version" 64 "--ladder" --ladder duel
refused "more bots than places" 64 'more than --max-players' --bots 17
refused "a bad config file" 78 'bad\.conf:2: .*max-plyers' --config "$folder/bad.conf"
refused "a config file that is not there" 78 'none\.conf' --config "$folder/none.conf"
DEADFALL_BOTS=many refused "a bad environment" 78 'DEADFALL_BOTS'
DEADFALL_BOTS=17 refused "more bots than places in the environment" 78 'more than --max-players'
DEADFALL_BOTS=17 refused "checked bots" 78 'more than --max-players' --check-config
refused "checked bots of the command line" 64 'more than --max-players' --bots 17 --check-config
refused "a checked map" 65 'nope' --map nope --check-config
refused "a checked directory" 74 '/proc/none' --record /proc/none --check-config
refused "a map that is not there" 65 'atlantis' --map atlantis --port 0
refused "a bad map" 65 'bad\.tmj' --map "$folder/bad.tmj" --port 0
refused "an address that is none" 69 'nowhere' --bind nowhere --port 0
refused "a directory that cannot be" 74 '/proc/none' --record /proc/none --port 0 --log-level error

# Options that print something.
"$server" --help >/dev/full 2>"$folder/err"
expect "a summary on a full disk" "$?" 74
DEADFALL_BOT=5 "$server" --check-config 2>"$folder/err"
expect "an unknown variable" "$?" 0
has_line "an unknown variable" "$folder/err" 'DEADFALL_BOT is not an option of deadfall-server$'
"$server" --help >"$folder/out"
expect "--help" "$?" 0
has_line "--help" "$folder/out" '--snapshot-rate 60\|30\|20'
"$server" --version >"$folder/out"
expect "--version" "$?" 0
has_line "--version" "$folder/out" '^deadfall-server [0-9]+\.[0-9]+\.[0-9]+$'
"$server" --config "$folder/good.conf" --check-config
expect "--check-config" "$?" 0
DEADFALL_BOTS=5 "$server" --config "$folder/good.conf" --print-config >"$folder/out"
expect "--print-config" "$?" 0
has_line "the environment over the file" "$folder/out" '^bots = 5$'
has_line "the file over the default" "$folder/out" '^max-players = 8$'

[ "$failures" = 0 ] && echo "deadfall-server: passed"
exit "$((failures > 0))"
