#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The reference of the physics library is made without a warning, and has every public function.
#   reference_test.sh PHYSICS_FOLDER DOXYGEN
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$1"
(cat Doxyfile && echo "OUTPUT_DIRECTORY = $folder") | "$2" - >"$folder/said" 2>&1
[ ! -s "$folder/said" ] || { cat "$folder/said"; exit 1; }
mapfile -t headers < <(sed -nE 's/^#include "(.*)"/\1/p' physics.h)
mapfile -t functions < <(sed -nE 's/^(DF_API|static inline) .*\b(df_\w+)\(.*/\2/p' "${headers[@]}")
for function in "${functions[@]}"; do
  grep -rq "memtitle.*>$function()</h2>" "$folder/html" || { echo "the reference lacks $function"; exit 1; }
done
[ ${#functions[@]} -gt 30 ] && echo "${#functions[@]} functions"
