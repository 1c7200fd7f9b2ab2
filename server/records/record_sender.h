// SPDX-License-Identifier: MIT
//
// Connects a match with the records: each player gets what the server has on record about them, when they join and
// after a match. Null records do nothing.
#ifndef RECORDS_RECORD_SENDER_H
#define RECORDS_RECORD_SENDER_H

#include "records.h"

/// Connects a match. The records must outlive it.
void record_sender_begin(struct records *records, struct match *match);
/// Sends the records that have been looked up. `server_name`: of this server, for its players. Call after each tick.
void record_sender_update(struct records *records, const char *server_name, struct match *match);

/// Makes the message about a player. What does not fit is cut or as large as it gets.
struct record_message record_sender_message(const struct records_player *player, const char *server_name);

#endif
