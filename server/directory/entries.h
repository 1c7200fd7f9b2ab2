// SPDX-License-Identifier: MIT
//
// The table of a directory: a server for each key, with an address for each family. It finds, adds and removes them,
// and knows which are listed. A server is named by its index, a family by 0 for IPv4 and 1 for IPv6. Also what an
// address is asked, whether the owner of a key listens there, by the query K of the game's port (see PROTOCOL.md): the
// question, its challenge, the question again, the proof; repeated where something is lost. And what other directories
// are told. No socket, no lock; time is an argument.
#ifndef DIRECTORY_ENTRIES_H
#define DIRECTORY_ENTRIES_H

#include "directory_state.h"

/// No entry.
#define ENTRIES_NONE UINT32_MAX

/// Finds a server by its fingerprint.
uint32_t entries_find(struct directory *directory, const char *fingerprint);
/// Finds a server by the key that signs its announcements.
uint32_t entries_find_key(struct directory *directory, const uint8_t key[SIGNED_TEXT_KEY_BYTES]);
/// Finds a server that announces itself, by its fingerprint. Null: there is none.
struct directory_entry *entries_find_entry(struct directory *directory, const char *fingerprint);
/// Adds a server that has announced itself. ENTRIES_NONE: the table is full of servers that are listed.
uint32_t entries_enter(struct directory *directory, const struct announcement *announcement, uint64_t now_ns);
/// Removes a server, and takes it from the list.
void entries_remove(struct directory *directory, uint32_t at);

/// Returns whether clients reach the server over a family.
bool entries_is_listed(const struct directory_entry *entry, uint32_t family);
/// Returns whether clients are introduced to it.
bool entries_is_mapped(const struct directory_entry *entry, uint32_t family);
/// Takes an address from the list, if it is in there.
void entries_unlist(struct directory *directory, uint32_t at, uint32_t family);
/// Returns the address of a server over the family of this one; another address before is forgotten.
struct directory_address *entries_move_address(struct directory *directory, uint32_t at,
                                               const struct net_address *fresh);
/// Ends the question whether the server is reached over a family.
void entries_drop_question(struct directory *directory, uint32_t at, uint32_t family);

/// Tells the other directories with the same list what happened, if there are any. Returns the change, to be completed;
/// null: nobody is told.
struct change *entries_share(struct directory *directory, uint32_t at, uint32_t family, enum change_kind kind,
                             uint64_t now_ns);
/// Tells them where a server has registered here.
void entries_share_mapping(struct directory *directory, uint32_t at, uint32_t family, uint64_t now_ns);
/// Logs what happened to a server: `line` may name {name}, {address} and {key}.
void entries_log(const struct directory *directory, const struct directory_entry *entry, const struct net_address *at,
                 const char *event, const char *line);

/// Begins a question to the owner of a key (X25519). False if the key is bad.
bool entries_begin_question(struct reach_question *question, const uint8_t server_key[QUERY_PROOF_KEY_BYTES],
                            uint64_t now_ns);
/// Writes the datagram that is to be sent now. Returns its bytes; 0: none. REACH_FAILED in `*answer`: nobody answers.
size_t entries_send_question(struct reach_question *question, uint64_t now_ns, uint8_t bytes[REACH_QUESTION_BYTES],
                             enum reach_answer *answer);
/// Takes a datagram from the address that was asked. Returns REACH_PROVEN for the proof, else REACH_WAITS:
/// noise and false proofs change nothing.
enum reach_answer entries_take_proof(struct reach_question *question, const uint8_t *bytes, size_t byte_count,
                                     uint64_t now_ns);

/// Returns whether changes of this kind have an announcement.
bool entries_announces(enum change_kind kind);
/// Adds a change, without its text. Returns it, to be filled.
struct change *entries_push_change(struct change_queue *queue);
/// Takes the oldest one away. False if there is none.
bool entries_pop_change(struct change_queue *queue, struct change *change);

#endif
