// SPDX-License-Identifier: MIT
//
// What deadfall-webrtc takes from itself before it reads what strangers send: it may read and write what is open, ask
// for the time, for memory that is no code and for random bytes, and end. It can open no file and no socket, start no
// program and look at no other process. In a build with AddressSanitizer calls that are not allowed fail; in others
// they end the process.
#ifndef WEBRTC_SANDBOX_H
#define WEBRTC_SANDBOX_H

#include "base/error.h"

/// Whether this build has AddressSanitizer.
#ifdef __has_feature // of clang
#if __has_feature(address_sanitizer)
#define SANDBOX_IS_SANITIZED true
#endif
#elif defined __SANITIZE_ADDRESS__ // of gcc
#define SANDBOX_IS_SANITIZED true
#endif
#ifndef SANDBOX_IS_SANITIZED
#define SANDBOX_IS_SANITIZED false
#endif

/// Enters it for good. False with an error.
bool sandbox_enter(struct error *error);

#endif
