// SPDX-License-Identifier: MIT
//
// What deadfall-webrtc takes from itself before it reads what strangers send: it may read and write what is open, ask
// for the time, for memory that is no code and for random bytes, and end. It can open no file and no socket, start no
// program and look at no other process. In a build with AddressSanitizer calls that are not allowed fail; in others
// they end the process.
#ifndef WEBRTC_SANDBOX_H
#define WEBRTC_SANDBOX_H

#include "base/error.h"

/// Enters it for good. False with an error.
bool sandbox_enter(struct error *error);

#endif
