#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The program of the tutorial prints what its page says.
#   readme_test.sh PYTHON README.md PROGRAM
set -euo pipefail
diff <("$1" "$(dirname "$0")/extract.py" --text "$2") <("$3")
