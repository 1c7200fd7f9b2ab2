// SPDX-License-Identifier: MIT
//
// What both programs of dots know.
#ifndef DOTS_H
#define DOTS_H

#define DOTS_PORT     27450
#define DOTS_PROTOCOL 1u ///< other numbers are refused: raise it with each change of the structs or the step

#endif
