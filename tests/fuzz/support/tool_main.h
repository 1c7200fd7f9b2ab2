// SPDX-License-Identifier: MIT
//
// Lets a fuzzer call a whole program: included before each line of it, this gives its main() another name.
#ifndef FUZZ_TOOL_MAIN_H
#define FUZZ_TOOL_MAIN_H

#define main tool_main

/// The program's main().
int tool_main(int argc, char **argv);

#endif
