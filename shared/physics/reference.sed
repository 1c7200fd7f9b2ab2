# SPDX-License-Identifier: MIT
# Makes the headers readable for Doxygen. What opens a header describes the file.
1s|^// SPDX.*|/// @file|
1,/^#ifndef/s|^//( .*)?$|///\1|
# Where one comment describes two fields, Doxygen gives it to the last.
s~^( +(u?int32_t|struct \w+) )([a-z_]+), ([a-z_]+);( *///<.*)~\1\3;\5\n\1\4;\5~
