#!/bin/sh
# SPDX-License-Identifier: MIT
# Begins each compiler: launcher.sh COMPILER ARGUMENT... It is ccache; but where ccache fails itself, as when its folder is emptied while
# it looks, the compiler runs alone.
exec 3>&1
said=$(ccache "$@" 2>&1 >&3) && code=0 || code=$?
case $said in "ccache: error:"*) exec "$@" ;; esac
[ -z "$said" ] || printf '%s\n' "$said" >&2
exit "$code"
