# SPDX-License-Identifier: MIT
# Inserts the options that a program prints into the prose of its man page.
cmake_path(GET PAGE PARENT_PATH folder)
file(MAKE_DIRECTORY ${folder}) # Ninja makes this folder, Make does not
execute_process(COMMAND ${PROGRAM} --help-man OUTPUT_VARIABLE OPTIONS COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${PROGRAM} --help-bash OUTPUT_FILE ${COMPLETION} COMMAND_ERROR_IS_FATAL ANY)
string(STRIP "${OPTIONS}" OPTIONS)
configure_file(${PROSE} ${PAGE} @ONLY)
execute_process(COMMAND ${GZIP} -9nkf ${PAGE} COMMAND_ERROR_IS_FATAL ANY)
