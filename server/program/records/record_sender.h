// SPDX-License-Identifier: MIT
//
// Connects a match with the records: each player gets what the server has on record about them, when they join and
// after a match, and then a vouch, too. Asks clients for vouches of trusted servers, and keeps the names in them for
// their owners. Null records do nothing.
#ifndef RECORDS_RECORD_SENDER_H
#define RECORDS_RECORD_SENDER_H

#include "records.h"

/// Connects a match; `trust` are fingerprints. The records must outlive the match.
void record_sender_begin(struct records *records, const struct option_list *trust, struct match *match);
/// Sends the vouches that have been made and the records that have been looked up, and follows changes of the names.
/// `server_name`: of this server, for its players. Call after each tick.
void record_sender_update(struct records *records, const char *server_name, struct match *match);

/// Makes the message about a player. What does not fit is cut or as large as it gets.
struct record_message record_sender_message(const struct records_player *player, const char *server_name);

#endif
