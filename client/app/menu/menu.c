// SPDX-License-Identifier: MIT
#include "menu.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/config/bindings.h"
#include "base/utf8.h"
#include "scene/text_panel.h"
#include "text/text.h"
#include "window/keyboard.h"

#define NOTE_PX      400 ///< of a line of a paragraph
#define NOTE_TALL_PX 312

const struct screen *menu_screen(const struct menu *menu)
{
    return menu->depth ? menu->stack[menu->depth - 1] : NULL;
}

bool menu_lobby_begins(const struct menu *menu)
{
    return !menu->facts.in_match && menu->depth == 2;
}

enum pad_family menu_pad_family(const struct menu *menu)
{
    return menu->facts.pads[menu->gamepad % MENU_PAD_CAPACITY];
}

uint32_t menu_count(const struct menu *menu)
{
    return menu->count + menu->row_count;
}

const struct item *menu_focused(const struct menu *menu)
{
    uint32_t focus = menu->depth ? menu->focus[menu->depth - 1] : 0;
    if (focus >= menu->count && focus < menu_count(menu))
        return &menu->focused_row;
    return focus < menu->count && menu->items[focus].kind != ITEM_NOTE ? &menu->items[focus] : NULL;
}

void menu_open(struct menu *menu, const struct screen *screen)
{
    if (menu->depth == MENU_DEPTH_CAPACITY)
        return;
    menu->left_depth = 0;
    menu->stack[menu->depth] = screen;
    menu->first[menu->depth] = 0;
    menu->focus[menu->depth++] = 0;
    menu->typing = screen->types && !menu->by_gamepad;
    menu->binding = false;
    menu->facts.message[0] = 0;
    menu_fill(menu);
}

void menu_open_alone(struct menu *menu, const struct screen *screen)
{
    menu->depth = 0;
    menu_open(menu, screen);
}

void menu_close(struct menu *menu)
{
    menu->depth = 0;
    menu->typing = menu->binding = false;
}

void menu_leave(struct menu *menu)
{
    menu->left_depth = menu->depth;
    menu_close(menu);
}

bool menu_return(struct menu *menu)
{
    menu->depth = menu->left_depth;
    menu->left_depth = 0;
    menu_fill(menu);
    return menu->depth > 0;
}

void menu_focus_on(struct menu *menu, const struct screen *screen)
{
    menu_fill(menu);
    for (uint32_t i = 0; i < menu->count; i++)
        if (menu->items[i].kind == ITEM_SCREEN && menu->items[i].screen == screen)
            menu->focus[menu->depth - 1] = i;
}

void menu_add(struct menu *menu, struct item item)
{
    if (menu->count < MENU_ITEM_CAPACITY)
        menu->items[menu->count++] = item;
}

void menu_add_rows(struct menu *menu, uint32_t count, struct item (*row)(struct menu *menu, uint32_t row))
{
    menu->row_count = count;
    menu->row = row;
}

void menu_note(struct menu *menu, const char *texts)
{
    menu_add(menu, (struct item){.kind = ITEM_NOTE, .label = texts});
}

enum font_face menu_face(const struct menu *menu)
{
    return menu->preferences->display.large_text || menu->by_touch ? FONT_LARGE : FONT_SMALL;
}

void menu_paragraph(struct menu *menu, const char *text)
{
    enum font_face face = menu_face(menu);
    char line[TEXT_PANEL_LINE_BYTES];
    int32_t width = menu->is_tall ? NOTE_TALL_PX : NOTE_PX - (menu->depth ? menu_screen(menu)->aside_px : 0);
    while (text_panel_take_line(&text, face, width, line))
        menu_note(menu, menu_format(menu, "%s", line));
}

void menu_add_all(struct menu *menu, const struct item *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct item item = items[i];
        item.label = text_of(item.label);
        item.help = item.help ? text_of(item.help) : NULL;
        menu_add(menu, item);
    }
}

const char *menu_format(struct menu *menu, const char *format, ...)
{
    if (menu->used == sizeof menu->texts / sizeof *menu->texts)
        return "";
    char *texts = menu->texts[menu->used++];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(texts, MENU_TEXT_BYTES, format, arguments);
    va_end(arguments);
    return texts;
}

void menu_command(struct menu *menu, enum app_command_kind kind, const char *text)
{
    menu->command.kind = kind;
    menu->command.is_confirmed = menu->command.is_foreign = false;
    snprintf(menu->command.text, sizeof menu->command.text, "%s", text ? text : "");
}

void menu_act_command(struct menu *menu, uint32_t kind)
{
    menu_command(menu, (enum app_command_kind)kind, NULL);
}

// The title and its few items never scroll.
uint32_t menu_rows(const struct menu *menu)
{
    bool few = !menu->stack[menu->depth - 1]->title;
    return !menu->by_touch || few ? MENU_ROWS : menu->is_tall ? MENU_ROWS_TOUCH_TALL : MENU_ROWS_TOUCH;
}

uint32_t menu_pinned(const struct menu *menu)
{
    uint32_t head = menu->count - 1;
    bool is_table = menu->row_count && menu->count && menu->items[head].is_table_head;
    return is_table && menu->first[menu->depth - 1] > head ? head : MENU_NOTHING;
}

static bool is_note(const struct menu *menu, uint32_t index)
{
    return index < menu->count && menu->items[index].kind == ITEM_NOTE;
}

// Returns the next item after `from` that can have the focus, in steps of `step`, wrapping; `from` if there is no
// other.
static uint32_t next_focus(const struct menu *menu, uint32_t from, int32_t step)
{
    uint32_t at = from, total = menu_count(menu);
    for (uint32_t tried = 0; tried < total; tried++) {
        at = (uint32_t)((int32_t)(at + total) + step) % total;
        if (!is_note(menu, at))
            return at;
    }
    return from;
}

// Scrolls so that the item with the focus is seen, with so many above and below it where there are.
static void follow_focus(struct menu *menu, uint32_t above, uint32_t below)
{
    uint32_t *first = &menu->first[menu->depth - 1], focus = menu->focus[menu->depth - 1], total = menu_count(menu);
    if (focus < *first + above)
        *first = focus > above ? focus - above : 0;
    if (focus + below >= *first + menu_rows(menu))
        *first = focus + below + 1 - menu_rows(menu);
    if (*first + menu_rows(menu) > total)
        *first = total > menu_rows(menu) ? total - menu_rows(menu) : 0;
    if (focus == *first && menu_pinned(menu) != MENU_NOTHING) // which would hide it
        --*first;
}

void menu_fill(struct menu *menu)
{
    menu->count = menu->used = menu->row_count = 0;
    if (!menu->depth)
        return;
    menu_screen(menu)->fill(menu);
    uint32_t *focus = &menu->focus[menu->depth - 1], total = menu_count(menu);
    if (*focus >= total)
        *focus = total ? total - 1 : 0;
    if (is_note(menu, *focus))
        *focus = next_focus(menu, *focus, 1);
    if (*focus >= menu->count && menu->row_count)
        menu->focused_row = menu->row(menu, *focus - menu->count);
    follow_focus(menu, 0, 0);
}

// Returns what an item binds; NULL for another kind of item.
static const struct binding *binding_of(const struct item *item)
{
    return item->kind == ITEM_KEY || item->kind == ITEM_GAMEPAD ? bindings_find(item->row) : NULL;
}

uint32_t menu_bound(const struct menu *menu, const struct item *item)
{
    const struct binding *binding = binding_of(item);
    return binding ? bindings_get(menu->preferences, binding) : 0;
}

static char *typed_of(struct menu *menu, const struct item *item, size_t *text_bytes)
{
    *text_bytes = item->row ? OPTION_TEXT_BYTES : item->text_bytes;
    return item->kind != ITEM_TEXT ? NULL : item->row ? preferences_text(menu->preferences, item->row) : item->text;
}

void menu_value(const struct menu *menu, const struct item *item, char *text, size_t text_bytes)
{
    text[0] = 0;
    if (item->value)
        snprintf(text, text_bytes, "%s", item->value);
    else if (item->kind == ITEM_KEY)
        controls_key_name(menu_bound(menu, item), text, text_bytes);
    else if (item->row)
        preferences_describe(menu->preferences, item->row, text, text_bytes);
    else if (item->kind == ITEM_TEXT)
        snprintf(text, text_bytes, "%s", item->text);
    for (char *c = text; item->secret && *c; c++)
        *c = '*';
}

static void step_item(struct menu *menu, const struct item *item, int32_t step)
{
    if (item->kind != ITEM_SETTING)
        return;
    if (item->row)
        preferences_change(menu->preferences, item->row, step);
    menu->changed = true;
    if (item->act)
        item->act(menu, item->argument);
}

static void accept(struct menu *menu, const struct item *item)
{
    switch (item->kind) {
    case ITEM_NOTE:
        break;
    case ITEM_ACTION:
        item->act(menu, item->argument);
        break;
    case ITEM_SCREEN:
        menu_open(menu, item->screen);
        break;
    case ITEM_SETTING:
        step_item(menu, item, 1);
        break;
    case ITEM_TEXT:
        menu->typing = !menu->typing;
        if (!menu->typing && item->act)
            item->act(menu, item->argument);
        break;
    case ITEM_KEY:
    case ITEM_GAMEPAD:
        menu->binding = true;
        menu->facts.message[0] = 0;
        break;
    }
}

static void go_back(struct menu *menu)
{
    const struct screen *screen = menu_screen(menu);
    if (menu->typing || menu->binding) {
        menu->typing = menu->binding = false;
        return;
    }
    if (screen->left)
        screen->left(menu);
    if (menu->depth > 1 && menu_screen(menu) == screen)
        menu->depth--;
    menu->facts.message[0] = 0;
}

// Deletes the last character, or the binding.
static void erase(struct menu *menu, const struct item *item)
{
    size_t room;
    char *text = typed_of(menu, item, &room);
    if (text) {
        text[utf8_previous(text, strlen(text))] = 0;
        menu->changed |= item->row != ROW_NONE;
    } else if (binding_of(item)) {
        bindings_set(menu->preferences, binding_of(item), 0);
        menu->facts.message[0] = 0;
        menu->changed = true;
    }
}

// Moves the focus up or down, but not beyond an end.
static void move_far(struct menu *menu, bool up, uint32_t page)
{
    uint32_t *focus = &menu->focus[menu->depth - 1], total = menu_count(menu);
    if (up)
        *focus = *focus > page ? *focus - page : 0;
    else if (total)
        *focus = page < total - *focus ? *focus + page : total - 1;
    if (is_note(menu, *focus))
        *focus = next_focus(menu, *focus, up && *focus ? -1 : 1);
}

void menu_scroll(struct menu *menu, int32_t rows)
{
    menu_fill(menu);
    uint32_t total = menu_count(menu);
    if (!menu->depth || menu->binding || total <= menu_rows(menu)) {
        menu_press(menu, rows < 0 ? MENU_UP : MENU_DOWN);
        return;
    }
    uint32_t *first = &menu->first[menu->depth - 1], *focus = &menu->focus[menu->depth - 1];
    int64_t moved = (int64_t)*first + rows, most = total - menu_rows(menu);
    *first = (uint32_t)(moved < 0 ? 0 : moved > most ? most : moved);
    uint32_t least = *first + (menu_pinned(menu) != MENU_NOTHING);
    *focus = *focus < least ? least : *focus >= *first + menu_rows(menu) ? *first + menu_rows(menu) - 1 : *focus;
    if (is_note(menu, *focus))
        *focus = next_focus(menu, *focus, rows < 0 ? -1 : 1);
    menu_fill(menu);
}

void menu_press(struct menu *menu, enum menu_press press)
{
    menu->moved++;
    menu->last = press;
    menu_fill(menu);
    const struct item *item = menu_focused(menu);
    uint32_t *focus = menu->depth ? &menu->focus[menu->depth - 1] : NULL;
    if (!focus)
        return;
    if (menu->binding && press != MENU_BACK)
        return;
    switch (press) {
    case MENU_UP:
    case MENU_DOWN:
        menu->typing = false;
        *focus = next_focus(menu, *focus, press == MENU_UP ? -1 : 1);
        follow_focus(menu, menu_rows(menu) / 2, menu_rows(menu) / 2 - 1);
        break;
    case MENU_PAGE_UP:
    case MENU_PAGE_DOWN:
        menu->typing = false;
        move_far(menu, press == MENU_PAGE_UP, menu_rows(menu) - 1);
        follow_focus(menu, menu_rows(menu) / 2, menu_rows(menu) / 2 - 1);
        break;
    case MENU_FIRST:
    case MENU_LAST:
        menu->typing = false;
        move_far(menu, press == MENU_FIRST, menu_count(menu));
        follow_focus(menu, menu_rows(menu) / 2, menu_rows(menu) / 2 - 1);
        break;
    case MENU_LEFT:
    case MENU_RIGHT:
        if (item)
            step_item(menu, item, press == MENU_LEFT ? -1 : 1);
        break;
    case MENU_ACCEPT:
        if (item)
            accept(menu, item);
        break;
    case MENU_BACK:
        go_back(menu);
        break;
    case MENU_EXTRA:
        if (item && !item->plain && menu_screen(menu)->extra)
            menu_screen(menu)->extra(menu, item->argument);
        break;
    case MENU_ERASE:
        if (item)
            erase(menu, item);
        break;
    }
    menu_fill(menu);
}

void menu_point(struct menu *menu, uint32_t item, bool pressed)
{
    menu_fill(menu);
    if (menu->binding || item >= menu_count(menu) || is_note(menu, item))
        return;
    if (item == menu->first[menu->depth - 1] && menu_pinned(menu) != MENU_NOTHING)
        return;
    if (menu->focus[menu->depth - 1] != item) {
        menu->moved++;
        menu->last = MENU_DOWN;
        menu->typing = false;
    }
    menu->focus[menu->depth - 1] = item;
    if (pressed)
        menu_press(menu, MENU_ACCEPT);
}

void menu_type(struct menu *menu, const char *text)
{
    size_t room;
    const struct item *item = menu_focused(menu);
    char *target = item && !menu->binding ? typed_of(menu, item, &room) : NULL;
    size_t length = target ? strlen(target) : 0;
    bool after_blank = !length || target[length - 1] == ' ';
    bool begins_comment = *text == '#' && after_blank; // in the preferences file
    if (!target || !menu->typing || (uint8_t)*text < ' ' || *text == 0x7F || begins_comment ||
        length + strlen(text) + 1 > room)
        return;
    strcat(target, text);
    menu->changed |= item->row != ROW_NONE;
}

// Shows that what had the key or button has another one now, or none.
static void show_loss(struct menu *menu, const struct binding *loser)
{
    char label[TEXT_BYTES], name[64] = "";
    uint32_t left = bindings_get(menu->preferences, loser);
    snprintf(label, sizeof label, loser->is_alternative ? text_of("%s, alternative") : "%s", text_of(loser->label));
    if (loser->set == BINDING_BUTTONS)
        preferences_describe(menu->preferences, loser->row, name, sizeof name);
    else
        controls_key_name(left, name, sizeof name);
    if (left)
        snprintf(menu->facts.message, sizeof menu->facts.message, text_of("\"%s\" is on %s now."), label,
                 text_of(name));
    else
        snprintf(menu->facts.message, sizeof menu->facts.message, text_of("\"%s\" is not bound any more."), label);
}

static bool bind(struct menu *menu, enum item_kind kind, uint32_t code)
{
    const struct item *item = menu->binding ? menu_focused(menu) : NULL;
    const struct binding *binding = item && item->kind == kind ? binding_of(item) : NULL;
    if (!binding || !code || code > 511)
        return false;
    if (bindings_is_fixed(binding, code)) {
        snprintf(menu->facts.message, sizeof menu->facts.message, "%s",
                 text_of("This one always does the same; take another."));
        return true;
    }
    const struct binding *loser = bindings_set(menu->preferences, binding, code);
    menu->binding = false;
    menu->changed = true;
    menu->moved++;
    menu->facts.message[0] = 0;
    if (loser)
        show_loss(menu, loser);
    return true;
}

bool menu_bind_key(struct menu *menu, uint32_t scancode)
{
    return bind(menu, ITEM_KEY, scancode);
}

bool menu_bind_gamepad(struct menu *menu, uint32_t name)
{
    return bind(menu, ITEM_GAMEPAD, name);
}
