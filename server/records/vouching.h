// SPDX-License-Identifier: MIT
//
// Connects a match with the vouches of the records: asks clients for those of trusted servers, keeps the names in them
// for their owners, and sends players their own vouches after a match. Null records do nothing.
#ifndef RECORDS_VOUCHING_H
#define RECORDS_VOUCHING_H

#include "records.h"

/// Connects a match; `trust` are fingerprints. The records must outlive the match.
void vouching_begin(struct records *records, const struct option_list *trust, struct match *match);
/// Sends the vouches that have been made, and follows changes of the names. Call after each tick.
void vouching_update(struct records *records, struct match *match);

#endif
