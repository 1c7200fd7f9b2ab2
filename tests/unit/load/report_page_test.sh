#!/bin/sh
# SPDX-License-Identifier: MIT
# report_page_test.sh [NODE]: what the page of a load test makes of a report. Exit status 77: there is no Node.js.
case "$1" in
*/*) exec "$1" "$(dirname "$0")/report_page_test.js" ;;
esac
echo "not checked: what the page makes of a report (no node; Debian's nodejs has it)"
exit 77
