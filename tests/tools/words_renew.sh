#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Collects the sentences of the game into client/text/*.po: new ones are added without a translation, those that the
# game no longer has are removed. With a FILE, writes only the list of sentences there (a .pot file).
# usage: words_renew.sh [FILE]
set -euo pipefail
cd "$(dirname "$0")/../.."
list=${1:-$(mktemp)}
# Sentences of rooms that know nothing of the window are keys too: they reach the screen as they are, and become
# translated there. Each ends with a period.
xgettext --language=C --from-code=UTF-8 --sort-output --no-location --keyword --keyword=text_of:1 \
  --keyword=text_plural:1,2 --keyword=TEXT_KEY:1 --keyword=TEXT_PLURAL:1,2 --flag=text_of:1:pass-c-format \
  --flag=text_plural:1:pass-c-format --flag=text_plural:2:pass-c-format --flag=snprintf:3:c-format \
  --flag=menu_format:2:c-format --flag=error_set:2:c-format \
  --output="$list.marked" $(find client/app client/engine/window client/game client/text -name '*.c' -o -name '*.h' | sort)
xgettext --language=C --from-code=UTF-8 --extract-all --no-location --output=- \
  client/engine/core/client.c client/engine/core/connection.c client/engine/core/map_download.c shared/engine/wire/message.c \
  shared/engine/net/crypto/handshake.c shared/engine/net/punch.c shared/engine/wire/replay_reader.c 2>"$list.log" | sed 's/charset=CHARSET/charset=UTF-8/' |
  msggrep --msgid --extended-regexp --regexp='^[A-Z].* .*\.$' - >"$list.others" || { cat "$list.log"; exit 1; }
sed -i 's/charset=CHARSET/charset=UTF-8/' "$list.marked"
# What a server says in fixed sentences becomes translated in the chat of the window.
xgettext --language=C --from-code=UTF-8 --extract-all --no-location --output=- \
  server/engine/match/chat.c server/engine/match/drain.c server/program/admin/play_commands.c server/program/admin/commands.c \
  server/program/lifecycle/rotation.c server/program/lifecycle/bracket.c 2>"$list.log" | sed 's/charset=CHARSET/charset=UTF-8/' |
  msggrep --msgid --extended-regexp --regexp='^[A-Z][a-z][^%{]* [^%{]*\.$' - >"$list.server" || { cat "$list.log"; exit 1; }
msgcat --use-first --sort-output --no-location --output-file="$list" "$list.marked" "$list.others" "$list.server"
rm -f "$list.marked" "$list.others" "$list.server" "$list.log"
[ $# -eq 0 ] || exit 0
for catalogue in client/text/*.po; do
  msgmerge --quiet --no-fuzzy-matching --sort-output --no-location --output-file="$catalogue.new" "$catalogue" "$list"
  msgattrib --no-obsolete --sort-output --width=120 "$catalogue.new" | grep -v '^"POT-Creation\|^"Report-M' >"$catalogue"
  rm "$catalogue.new"
done
rm -f "$list"
