// SPDX-License-Identifier: MIT
//
// What admins may tell a running server: the functions of their rows in the table of commands.
#ifndef ADMIN_ADMIN_COMMANDS_H
#define ADMIN_ADMIN_COMMANDS_H

#include "commands.h"

bool admin_status(struct call *call);
bool admin_say(struct call *call);
bool admin_kick(struct call *call);
bool admin_ban(struct call *call);
bool admin_unban(struct call *call);
bool admin_bans(struct call *call);
bool admin_bots(struct call *call);
bool admin_set(struct call *call);
bool admin_record(struct call *call);
bool admin_reload(struct call *call);
bool admin_shutdown(struct call *call);

#endif
