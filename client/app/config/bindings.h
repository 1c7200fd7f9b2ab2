// SPDX-License-Identifier: MIT
//
// Bindings: the rows of the preferences that hold a key or a gamepad's button, what they are called, and which of them
// may have the same one. Two keyboard players share some keys in the defaults, because the second set takes them over;
// everything else that is used at the same time has keys of its own. Knows no SDL.
#ifndef APP_CONFIG_BINDINGS_H
#define APP_CONFIG_BINDINGS_H

#include "preferences.h"

/// Where a binding is used.
enum binding_set { BINDING_KEYS, BINDING_KEYS_SECOND, BINDING_BUTTONS };

/// A row of the preferences with a key or a button.
struct binding {
    enum preferences_row row;
    const char *label; ///< in English, for text_of()
    enum binding_set set;
    bool plays;          ///< moves the player; the others chat, vote and show things
    bool is_alternative; ///< another key or button for the same action
};

/// All of them, in the order of screens.
extern const struct binding BINDINGS[];
extern const uint32_t BINDING_COUNT;

/// Returns the binding of a row; NULL if that holds no key or button.
const struct binding *bindings_find(enum preferences_row row);

/// Returns the key (enum key) or the button (enum gamepad_button) of a row; 0: none.
uint32_t bindings_get(const struct preferences *preferences, const struct binding *binding);

/// Returns whether a key or button always means the same, so that it cannot be bound: F11, and Start on a gamepad.
bool bindings_is_fixed(const struct binding *binding, uint32_t code);

/// Binds a key or a button; 0: none. A row that had it gets what this one had, or nothing if that is taken. Returns
/// that row, the last one if there were several; NULL: nobody had it.
const struct binding *bindings_set(struct preferences *preferences, const struct binding *binding, uint32_t code);

/// Sets a row to its default. Rows that have that key or button lose it.
void bindings_reset(struct preferences *preferences, const struct binding *binding);

#endif
