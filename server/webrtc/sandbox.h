// SPDX-License-Identifier: MIT
//
// Takes from this process what it does not need: it may read and write what is open, ask for the time, for memory and
// for random bytes, and end. It can open no file and no socket, start no program and look at no other process.
#ifndef WEBRTC_SANDBOX_H
#define WEBRTC_SANDBOX_H

#include "base/error.h"

/// Enters the sandbox for good. False with an error.
bool sandbox_enter(struct error *error);

#endif
