// SPDX-License-Identifier: MIT
#include "scenario.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_CAPACITY   12
#define MEMBERS_CAPACITY (SCENARIO_STATEMENT_CAPACITY * 4)

// A piece of one line, and where it stands in it.
struct word {
    const char *text;
    size_t bytes;
    int32_t column;
};

struct parser {
    const char *at, *end; // what was not read yet
    int32_t line;
    struct word words[WORDS_CAPACITY]; // of the present line
    int32_t word_count, next_word;
    int32_t end_column; // just behind the present line's last word
    struct scenario *scenario;
    struct scenario_error *error;
};

// ---- errors ----------------------------------------------------------------------------------------------------

static bool fail_at(struct parser *parser, int32_t column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool fail_at(struct parser *parser, int32_t column, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(parser->error->sentence, sizeof parser->error->sentence, format, arguments);
    va_end(arguments);
    parser->error->line = parser->line;
    parser->error->column = column;
    return false;
}

// A word as it may be shown: printable, not too long.
struct shown {
    char text[28];
};

static struct shown show(struct word word)
{
    struct shown shown = {{0}};
    size_t bytes = word.bytes < sizeof shown.text - 4 ? word.bytes : sizeof shown.text - 4;
    for (size_t i = 0; i < bytes; i++) {
        shown.text[i] = word.text[i] >= ' ' && word.text[i] <= '~' ? word.text[i] : '?';
    }
    if (bytes < word.bytes) {
        memcpy(shown.text + bytes, "...", 4);
    }
    return shown;
}

// ---- words -----------------------------------------------------------------------------------------------------

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool is_word(struct word word, const char *text)
{
    return word.bytes == strlen(text) && memcmp(word.text, text, word.bytes) == 0;
}

// Takes the next line; false at the end of the text.
static bool next_line(struct parser *parser, struct word *line)
{
    if (parser->at == parser->end) {
        return false;
    }
    const char *newline = memchr(parser->at, '\n', (size_t)(parser->end - parser->at));
    const char *stop = newline != NULL ? newline : parser->end;
    const char *start = parser->at;
    parser->at = newline != NULL ? newline + 1 : parser->end;
    parser->line++;
    int32_t column = 1;
    while (start < stop && is_blank(*start)) {
        start++;
        column++;
    }
    while (start < stop && is_blank(stop[-1])) {
        stop--;
    }
    *line = (struct word){start, (size_t)(stop - start), column};
    return true;
}

static bool split(struct parser *parser, struct word line)
{
    const char *comment = memchr(line.text, '#', line.bytes);
    const char *stop = comment != NULL ? comment : line.text + line.bytes;
    parser->word_count = 0;
    parser->next_word = 0;
    parser->end_column = line.column;
    for (const char *c = line.text; c < stop;) {
        if (is_blank(*c)) {
            c++;
            continue;
        }
        struct word word = {c, 0, line.column + (int32_t)(c - line.text)};
        for (; c < stop && !is_blank(*c); c++) {
            word.bytes++;
        }
        parser->end_column = word.column + (int32_t)word.bytes;
        if (parser->word_count == WORDS_CAPACITY) {
            return fail_at(parser, word.column, "more than %d words in one statement", WORDS_CAPACITY);
        }
        parser->words[parser->word_count++] = word;
    }
    return true;
}

static bool take(struct parser *parser, const char *what, struct word *word)
{
    if (parser->next_word == parser->word_count) {
        return fail_at(parser, parser->end_column, "%s is missing here", what);
    }
    *word = parser->words[parser->next_word++];
    return true;
}

static bool take_end(struct parser *parser)
{
    if (parser->next_word < parser->word_count) {
        struct word word = parser->words[parser->next_word];
        return fail_at(parser, word.column, "\"%s\" is not expected here", show(word).text);
    }
    return true;
}

// ---- numbers and names -----------------------------------------------------------------------------------------

static bool number(struct parser *parser, struct word word, const char *what, int32_t low, int32_t high, int32_t *value)
{
    size_t i = word.bytes > 0 && word.text[0] == '-' ? 1 : 0;
    int64_t sum = 0;
    bool is_number = i < word.bytes;
    for (; i < word.bytes && is_number; i++) {
        is_number = word.text[i] >= '0' && word.text[i] <= '9';
        sum = sum < INT32_MAX ? sum * 10 + (word.text[i] - '0') : sum; // far beyond every limit is enough
    }
    if (!is_number) {
        return fail_at(parser, word.column, "%s must be a whole number, not \"%s\"", what, show(word).text);
    }
    sum = word.text[0] == '-' ? -sum : sum;
    if (sum < low || sum > high) {
        return fail_at(parser, word.column, "%s must be from %d to %d, not %s", what, low, high, show(word).text);
    }
    *value = (int32_t)sum;
    return true;
}

static bool take_number(struct parser *parser, const char *what, int32_t low, int32_t high, int32_t *value)
{
    struct word word = {0};
    return take(parser, what, &word) && number(parser, word, what, low, high, value);
}

static bool pair(struct parser *parser, struct word word, const char *what, int32_t low, int32_t high, int32_t *a,
                 int32_t *b)
{
    const char *comma = memchr(word.text, ',', word.bytes);
    if (comma == NULL) {
        return fail_at(parser, word.column, "%s must be two numbers with a comma between, not \"%s\"", what,
                       show(word).text);
    }
    size_t bytes = (size_t)(comma - word.text);
    struct word first = {word.text, bytes, word.column};
    struct word second = {comma + 1, word.bytes - bytes - 1, word.column + (int32_t)bytes + 1};
    return number(parser, first, what, low, high, a) && number(parser, second, what, low, high, b);
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int32_t find_body(const struct scenario *scenario, struct word name)
{
    for (int32_t i = 0; i < scenario->body_count; i++) {
        if (is_word(name, scenario->bodies[i].name)) {
            return i;
        }
    }
    return -1;
}

static bool check_new_name(struct parser *parser, struct word name)
{
    bool is_name = name.bytes > 0 && is_letter(name.text[0]);
    for (size_t i = 0; i < name.bytes; i++) {
        is_name = is_name && (is_letter(name.text[i]) || (name.text[i] >= '0' && name.text[i] <= '9'));
    }
    if (!is_name) {
        return fail_at(parser, name.column, "\"%s\" is no name: letters, digits and _, not a digit first",
                       show(name).text);
    }
    if (name.bytes > SCENARIO_NAME_LENGTH) {
        return fail_at(parser, name.column, "a name has at most %d characters", SCENARIO_NAME_LENGTH);
    }
    if (is_word(name, "tile")) {
        return fail_at(parser, name.column,
                       "\"tile\" is what a hit on a tile is called, so no body can have this name");
    }
    if (find_body(parser->scenario, name) >= 0) {
        return fail_at(parser, name.column, "there is a body called \"%s\" already", show(name).text);
    }
    return true;
}

static const char *const KIND_NAMES[] = {
    [SCENARIO_SOLID] = "a solid or one-way", [SCENARIO_ACTOR] = "an actor", [SCENARIO_BALL] = "a ball"};

static bool find_kind(struct parser *parser, struct word name, enum scenario_kind kind, int32_t *body)
{
    *body = find_body(parser->scenario, name);
    if (*body < 0) {
        return fail_at(parser, name.column, "there is no body called \"%s\" up to here", show(name).text);
    }
    if (parser->scenario->bodies[*body].kind != kind) {
        return fail_at(parser, name.column, "\"%s\" must be %s here", show(name).text, KIND_NAMES[kind]);
    }
    return true;
}

static bool take_body(struct parser *parser, enum scenario_kind kind, int32_t *body)
{
    struct word name = {0};
    return take(parser, KIND_NAMES[kind], &name) && find_kind(parser, name, kind, body);
}

// ---- options: KEY=VALUE ----------------------------------------------------------------------------------------

// Whether the next word begins with this key; then `value` is the rest and the word is taken.
static bool take_option(struct parser *parser, const char *key, struct word *value)
{
    size_t bytes = strlen(key);
    if (parser->next_word == parser->word_count) {
        return false;
    }
    struct word word = parser->words[parser->next_word];
    if (word.bytes < bytes || memcmp(word.text, key, bytes) != 0) {
        return false;
    }
    *value = (struct word){word.text + bytes, word.bytes - bytes, word.column + (int32_t)bytes};
    parser->next_word++;
    return true;
}

// Which of `names` (ended by null) the word is; fails with the list.
static bool choice(struct parser *parser, struct word word, const char *what, const char *const *names, int32_t *chosen)
{
    char list[120] = "";
    for (int32_t i = 0; names[i] != NULL; i++) {
        if (is_word(word, names[i])) {
            *chosen = i;
            return true;
        }
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    return fail_at(parser, word.column, "%s must be one of %s, not \"%s\"", what, list, show(word).text);
}

static bool take_rem(struct parser *parser, int32_t *rem_x, int32_t *rem_y, bool *found)
{
    struct word value = {0};
    *found = take_option(parser, "rem=", &value);
    return !*found || pair(parser, value, "rem", -DF_SUB / 2, DF_SUB / 2, rem_x, rem_y);
}

static bool take_ride(struct parser *parser, uint32_t *ride)
{
    static const char *const names[] = {
        [DF_RIDE_STAND] = "stand",
        [DF_RIDE_CLING_LEFT] = "cling_left",
        [DF_RIDE_CLING_RIGHT] = "cling_right",
        [DF_RIDE_NEVER] = "never",
        NULL,
    };
    struct word value = {0};
    int32_t chosen = DF_RIDE_STAND;
    if (take_option(parser, "ride=", &value) && !choice(parser, value, "ride", names, &chosen)) {
        return false;
    }
    *ride = (uint32_t)chosen;
    return true;
}

static bool take_squish(struct parser *parser, struct scenario_rule *rule)
{
    static const char *const names[] = {
        [SCENARIO_SQUISH_DESTROY] = "destroy", [SCENARIO_SQUISH_IGNORE] = "ignore", [SCENARIO_SQUISH_WIGGLE] = NULL};
    struct word value = {0};
    int32_t chosen = SCENARIO_SQUISH_DESTROY;
    if (take_option(parser, "squish=wiggle:", &value)) {
        rule->squish = SCENARIO_SQUISH_WIGGLE;
        return pair(parser, value, "the reach of a wiggle", 0, SCENARIO_WIGGLE_PX_MAX, &rule->wiggle_x_px,
                    &rule->wiggle_y_px);
    }
    if (take_option(parser, "squish=", &value) && !choice(parser, value, "squish (or wiggle:MX,MY)", names, &chosen)) {
        return false;
    }
    rule->squish = (enum scenario_squish)chosen;
    return true;
}

// ---- declarations ----------------------------------------------------------------------------------------------

static int32_t period_x_px(const struct df_tiles *tiles)
{
    return tiles->kinds != NULL && tiles->outside == DF_OUTSIDE_WRAP ? tiles->columns * tiles->edge_px : 0;
}

static int32_t period_y_px(const struct df_tiles *tiles)
{
    return tiles->kinds != NULL && tiles->outside == DF_OUTSIDE_WRAP ? tiles->rows * tiles->edge_px : 0;
}

static int32_t wrapped(int32_t coordinate, int32_t period)
{
    return period > 0 ? coordinate - df_floor_div(coordinate, period) * period : coordinate;
}

// In a world that wraps a body must be smaller than the world; its place is taken modulo the world.
static bool check_size(struct parser *parser, struct word name, int32_t w, int32_t h)
{
    const struct df_tiles *tiles = &parser->scenario->tiles;
    if (period_x_px(tiles) > 0 && (w >= period_x_px(tiles) || h >= period_y_px(tiles))) {
        return fail_at(parser, name.column, "in a world that wraps, \"%s\" must be smaller than its %d x %d px",
                       show(name).text, period_x_px(tiles), period_y_px(tiles));
    }
    return true;
}

// The next free place for a body of this kind, not counted yet.
static bool new_body(struct parser *parser, enum scenario_kind kind, struct word *name)
{
    struct scenario *scenario = parser->scenario;
    if (!take(parser, "a name", name) || !check_new_name(parser, *name)) {
        return false;
    }
    if (scenario->counts[kind] == SCENARIO_BODY_CAPACITY) {
        return fail_at(parser, name->column, "there is room for %d bodies of a kind", SCENARIO_BODY_CAPACITY);
    }
    return true;
}

static bool add_statement(struct parser *parser, struct scenario_statement statement);

static bool add_body(struct parser *parser, enum scenario_kind kind, struct word name)
{
    struct scenario *scenario = parser->scenario;
    int32_t body = scenario->body_count++;
    scenario->bodies[body].kind = kind;
    scenario->bodies[body].index = scenario->counts[kind]++;
    memcpy(scenario->bodies[body].name, name.text, name.bytes);
    return add_statement(parser, (struct scenario_statement){.verb = SCENARIO_DECLARE, .body = body});
}

static bool take_box(struct parser *parser, struct df_box *box)
{
    const int32_t max = DF_COORDINATE_PX_MAX;
    if (!take_number(parser, "x", -max, max, &box->x) || !take_number(parser, "y", -max, max, &box->y) ||
        !take_number(parser, "w", 1, max, &box->w) || !take_number(parser, "h", 1, max, &box->h)) {
        return false;
    }
    const struct df_tiles *tiles = &parser->scenario->tiles;
    box->x = wrapped(box->x, period_x_px(tiles));
    box->y = wrapped(box->y, period_y_px(tiles));
    return true;
}

static bool parse_solid_with(struct parser *parser, uint32_t flags)
{
    struct scenario *scenario = parser->scenario;
    struct word name = {0};
    struct df_box box;
    bool has_rem;
    if (!new_body(parser, SCENARIO_SOLID, &name) || !take_box(parser, &box) ||
        !check_size(parser, name, box.w, box.h)) {
        return false;
    }
    struct df_solid *solid = &scenario->solids[scenario->counts[SCENARIO_SOLID]];
    *solid = (struct df_solid){.x = box.x, .y = box.y, .w = box.w, .h = box.h, .flags = flags};
    return take_rem(parser, &solid->rem_x, &solid->rem_y, &has_rem) && take_end(parser) &&
           add_body(parser, SCENARIO_SOLID, name);
}

static bool parse_solid(struct parser *parser)
{
    return parse_solid_with(parser, 0);
}

static bool parse_oneway(struct parser *parser)
{
    return parse_solid_with(parser, DF_SOLID_ONEWAY);
}

static bool parse_actor(struct parser *parser)
{
    struct scenario *scenario = parser->scenario;
    struct word name = {0};
    struct df_box box;
    bool has_rem;
    if (!new_body(parser, SCENARIO_ACTOR, &name) || !take_box(parser, &box) ||
        !check_size(parser, name, box.w, box.h)) {
        return false;
    }
    struct df_actor *actor = &scenario->actors[scenario->counts[SCENARIO_ACTOR]];
    *actor = (struct df_actor){.x = box.x, .y = box.y, .w = box.w, .h = box.h};
    return take_rem(parser, &actor->rem_x, &actor->rem_y, &has_rem) && take_ride(parser, &actor->ride) &&
           take_squish(parser, &scenario->rules[scenario->counts[SCENARIO_ACTOR]]) && take_end(parser) &&
           add_body(parser, SCENARIO_ACTOR, name);
}

static bool take_ball_state(struct parser *parser, int32_t *cx, int32_t *cy, int32_t *r, int32_t *vx, int32_t *vy)
{
    const int32_t place = DF_COORDINATE_PX_MAX * DF_SUB, speed = 64 * DF_SUB;
    return take_number(parser, "cx", -place, place, cx) && take_number(parser, "cy", -place, place, cy) &&
           (r == NULL || take_number(parser, "the radius", 1, 64, r)) && take_number(parser, "vx", -speed, speed, vx) &&
           take_number(parser, "vy", -speed, speed, vy) && take_end(parser);
}

static bool parse_ball(struct parser *parser)
{
    struct scenario *scenario = parser->scenario;
    const struct df_tiles *tiles = &scenario->tiles;
    struct word name = {0};
    struct df_ball ball = {0};
    if (!new_body(parser, SCENARIO_BALL, &name) ||
        !take_ball_state(parser, &ball.cx, &ball.cy, &ball.radius_px, &ball.vx, &ball.vy) ||
        !check_size(parser, name, 2 * ball.radius_px, 2 * ball.radius_px)) {
        return false;
    }
    ball.cx = wrapped(ball.cx, period_x_px(tiles) * DF_SUB);
    ball.cy = wrapped(ball.cy, period_y_px(tiles) * DF_SUB);
    scenario->balls[scenario->counts[SCENARIO_BALL]] = ball;
    return add_body(parser, SCENARIO_BALL, name);
}

// ---- tiles -----------------------------------------------------------------------------------------------------

static bool parse_row(struct parser *parser, struct word line)
{
    static const char letters[] = {[DF_TILE_EMPTY] = '.',
                                   [DF_TILE_SOLID] = '#',
                                   [DF_TILE_ONEWAY] = '=',
                                   [DF_TILE_BLOCK] = 'B',
                                   [DF_TILE_HAZARD] = '^'};
    struct df_tiles *tiles = &parser->scenario->tiles;
    if (tiles->rows == SCENARIO_TILES_CAPACITY || line.bytes > SCENARIO_TILES_CAPACITY) {
        return fail_at(parser, line.column, "a grid has at most %d columns and %d rows", SCENARIO_TILES_CAPACITY,
                       SCENARIO_TILES_CAPACITY);
    }
    if (line.bytes == 0 || (tiles->rows > 0 && (int32_t)line.bytes != tiles->columns)) {
        return fail_at(parser, line.column, "this row has %d tiles, but %s%d", (int32_t)line.bytes,
                       tiles->rows > 0 ? "the rows above have " : "the least is ",
                       tiles->rows > 0 ? tiles->columns : 1);
    }
    tiles->columns = (int32_t)line.bytes;
    for (int32_t column = 0; column < tiles->columns; column++) {
        const char *letter = memchr(letters, line.text[column], sizeof letters);
        if (letter == NULL) {
            struct word word = {line.text + column, 1, line.column + column};
            return fail_at(parser, word.column, "\"%s\" is no tile: use . # = B ^", show(word).text);
        }
        parser->scenario->kinds[tiles->rows * tiles->columns + column] = (uint8_t)(letter - letters);
    }
    tiles->rows++;
    return true;
}

static bool parse_rows(struct parser *parser)
{
    struct word line = {0};
    while (next_line(parser, &line)) {
        bool is_end = line.bytes >= 3 && memcmp(line.text, "end", 3) == 0;
        if (!is_end) {
            if (!parse_row(parser, line)) {
                return false;
            }
            continue;
        }
        if (!split(parser, line)) {
            return false;
        }
        if (!is_word(parser->words[0], "end")) {
            return fail_at(parser, line.column, "\"%s\" is neither a row of tiles nor the line \"end\"",
                           show(parser->words[0]).text);
        }
        parser->next_word = 1;
        if (parser->scenario->tiles.rows == 0) {
            return fail_at(parser, line.column, "a grid needs at least one row before \"end\"");
        }
        parser->scenario->tiles.kinds = parser->scenario->kinds;
        return take_end(parser);
    }
    parser->line++;
    return fail_at(parser, 1, "the line \"end\" after the rows of tiles is missing");
}

static bool parse_tiles(struct parser *parser)
{
    static const char *const names[] = {
        [DF_OUTSIDE_SOLID] = "solid", [DF_OUTSIDE_EMPTY] = "empty", [DF_OUTSIDE_WRAP] = "wrap", NULL};
    struct scenario *scenario = parser->scenario;
    struct word value = {0};
    int32_t outside = DF_OUTSIDE_SOLID;
    if (scenario->tiles.kinds != NULL || scenario->statement_count > 0) {
        return fail_at(parser, parser->words[0].column, "tiles come once, before all other statements");
    }
    if (!take_number(parser, "the edge of a tile", 1, DF_COORDINATE_PX_MAX / SCENARIO_TILES_CAPACITY,
                     &scenario->tiles.edge_px) ||
        (take_option(parser, "outside=", &value) && !choice(parser, value, "outside", names, &outside)) ||
        !take_end(parser)) {
        return false;
    }
    scenario->kinds = malloc((size_t)SCENARIO_TILES_CAPACITY * SCENARIO_TILES_CAPACITY);
    if (scenario->kinds == NULL) {
        return fail_at(parser, 1, "there is no memory left");
    }
    scenario->tiles.outside = (enum df_outside)outside;
    return parse_rows(parser);
}

// ---- operations and expectations -------------------------------------------------------------------------------

static bool add_statement(struct parser *parser, struct scenario_statement statement)
{
    struct scenario *scenario = parser->scenario;
    struct word first = parser->words[0];
    if (scenario->statement_count == SCENARIO_STATEMENT_CAPACITY) {
        return fail_at(parser, first.column, "there is room for %d statements", SCENARIO_STATEMENT_CAPACITY);
    }
    statement.line = parser->line;
    statement.column = first.column;
    statement.text = first.text;
    statement.text_bytes = (size_t)(parser->end_column - first.column);
    scenario->statements[scenario->statement_count++] = statement;
    return true;
}

static bool parse_tick(struct parser *parser)
{
    return take_end(parser) && add_statement(parser, (struct scenario_statement){.verb = SCENARIO_TICK});
}

static bool parse_move(struct parser *parser, enum scenario_verb verb)
{
    struct scenario_statement statement = {.verb = verb};
    return take_body(parser, SCENARIO_ACTOR, &statement.body) &&
           take_number(parser, "the amount", -DF_AMOUNT_SUB_MAX, DF_AMOUNT_SUB_MAX, &statement.values[0]) &&
           take_end(parser) && add_statement(parser, statement);
}

static bool parse_move_x(struct parser *parser)
{
    return parse_move(parser, SCENARIO_MOVE_X);
}

static bool parse_move_y(struct parser *parser)
{
    return parse_move(parser, SCENARIO_MOVE_Y);
}

static bool add_member(struct parser *parser, struct word name, struct scenario_statement *statement)
{
    struct scenario *scenario = parser->scenario;
    int32_t body;
    if (!find_kind(parser, name, SCENARIO_SOLID, &body)) {
        return false;
    }
    int32_t solid = scenario->bodies[body].index;
    for (int32_t i = 0; i < statement->count; i++) {
        if (scenario->members[statement->first + i] == solid) {
            return fail_at(parser, name.column, "\"%s\" is in the group already", show(name).text);
        }
    }
    if (statement->count == DF_GROUP_CAPACITY) {
        return fail_at(parser, name.column, "a group has at most %d solids", DF_GROUP_CAPACITY);
    }
    if (scenario->member_count == MEMBERS_CAPACITY) {
        return fail_at(parser, name.column, "all shifts together name at most %d solids", MEMBERS_CAPACITY);
    }
    statement->body = statement->count == 0 ? body : statement->body;
    scenario->members[scenario->member_count++] = solid;
    statement->count++;
    return true;
}

static bool parse_shift(struct parser *parser)
{
    struct scenario_statement statement = {.verb = SCENARIO_SHIFT, .first = parser->scenario->member_count};
    struct word rest = {0};
    if (!take(parser, KIND_NAMES[SCENARIO_SOLID], &rest)) {
        return false;
    }
    for (bool more = true; more;) {
        const char *plus = memchr(rest.text, '+', rest.bytes);
        size_t bytes = plus != NULL ? (size_t)(plus - rest.text) : rest.bytes;
        if (!add_member(parser, (struct word){rest.text, bytes, rest.column}, &statement)) {
            return false;
        }
        more = plus != NULL;
        if (more) {
            rest = (struct word){plus + 1, rest.bytes - bytes - 1, rest.column + (int32_t)bytes + 1};
        }
    }
    const int32_t max = DF_AMOUNT_SUB_MAX;
    return take_number(parser, "dx", -max, max, &statement.values[0]) &&
           take_number(parser, "dy", -max, max, &statement.values[1]) && take_end(parser) &&
           add_statement(parser, statement);
}

static bool parse_step(struct parser *parser)
{
    struct scenario_statement statement = {.verb = SCENARIO_STEP};
    return take_body(parser, SCENARIO_BALL, &statement.body) && take_end(parser) && add_statement(parser, statement);
}

static bool parse_bounce(struct parser *parser)
{
    struct scenario_statement statement = {.verb = SCENARIO_BOUNCE};
    return take_body(parser, SCENARIO_BALL, &statement.body) && take_body(parser, SCENARIO_SOLID, &statement.other) &&
           take_end(parser) && add_statement(parser, statement);
}

static bool take_condition(struct parser *parser, struct scenario_statement *statement)
{
    static const char *const names[] = {[SCENARIO_ANY] = "alive",
                                        [SCENARIO_DEAD] = "dead",
                                        [SCENARIO_EMBEDDED] = "embedded",
                                        [SCENARIO_GROUNDED] = "grounded",
                                        NULL};
    if (parser->next_word == parser->word_count) {
        return true;
    }
    struct word word = parser->words[parser->next_word++];
    int32_t chosen;
    if (!choice(parser, word, "the condition", names + 1, &chosen)) {
        return false;
    }
    statement->condition = (enum scenario_condition)(chosen + 1);
    if (parser->scenario->bodies[statement->body].kind != SCENARIO_ACTOR) {
        return fail_at(parser, word.column, "only an actor can be %s", names[chosen + 1]);
    }
    return true;
}

static bool parse_expect(struct parser *parser)
{
    struct scenario_statement statement = {.verb = SCENARIO_EXPECT};
    const int32_t max = 2 * DF_COORDINATE_PX_MAX;
    struct word name = {0};
    if (!take(parser, "an actor, a solid or a one-way", &name)) {
        return false;
    }
    statement.body = find_body(parser->scenario, name);
    if (statement.body < 0 || parser->scenario->bodies[statement.body].kind == SCENARIO_BALL) {
        return find_kind(parser, name, SCENARIO_ACTOR, &statement.body);
    }
    return take_number(parser, "x", -max, max, &statement.values[0]) &&
           take_number(parser, "y", -max, max, &statement.values[1]) &&
           take_rem(parser, &statement.values[2], &statement.values[3], &statement.has_rem) &&
           take_condition(parser, &statement) && take_end(parser) && add_statement(parser, statement);
}

static bool parse_expect_ball(struct parser *parser)
{
    struct scenario_statement statement = {.verb = SCENARIO_EXPECT_BALL};
    int32_t *values = statement.values;
    return take_body(parser, SCENARIO_BALL, &statement.body) &&
           take_ball_state(parser, &values[0], &values[1], NULL, &values[2], &values[3]) &&
           add_statement(parser, statement);
}

// ---- the text --------------------------------------------------------------------------------------------------

static bool parse_statement(struct parser *parser)
{
    static const struct {
        const char *name;
        bool (*parse)(struct parser *parser);
    } statements[] = {
        {"tiles", parse_tiles},
        {"solid", parse_solid},
        {"oneway", parse_oneway},
        {"actor", parse_actor},
        {"ball", parse_ball},
        {"tick", parse_tick},
        {"move_x", parse_move_x},
        {"move_y", parse_move_y},
        {"shift", parse_shift},
        {"step", parse_step},
        {"bounce", parse_bounce},
        {"expect", parse_expect},
        {"expect_ball", parse_expect_ball},
    };
    struct word verb = parser->words[0];
    parser->next_word = 1;
    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++) {
        if (is_word(verb, statements[i].name)) {
            return statements[i].parse(parser);
        }
    }
    return fail_at(parser, verb.column, "\"%s\" is no statement", show(verb).text);
}

static bool parse_text(struct parser *parser)
{
    struct word line = {0};
    while (next_line(parser, &line)) {
        if (!split(parser, line) || (parser->word_count > 0 && !parse_statement(parser))) {
            return false;
        }
    }
    return true;
}

struct scenario *scenario_parse(const char *text, size_t text_bytes, struct scenario_error *error)
{
    struct scenario *scenario = calloc(1, sizeof *scenario);
    struct parser parser = {.at = text, .end = text + text_bytes, .scenario = scenario, .error = error};
    bool good = false;
    if (scenario != NULL) {
        scenario->statements = calloc(SCENARIO_STATEMENT_CAPACITY, sizeof scenario->statements[0]);
        scenario->members = calloc(MEMBERS_CAPACITY, sizeof scenario->members[0]);
    }
    if (scenario == NULL || scenario->statements == NULL || scenario->members == NULL) {
        fail_at(&parser, 1, "there is no memory left");
    } else if (text_bytes > SCENARIO_TEXT_BYTES_MAX) {
        parser.line = 1;
        fail_at(&parser, 1, "a scenario has at most %d bytes", SCENARIO_TEXT_BYTES_MAX);
    } else {
        good = parse_text(&parser);
    }
    if (!good) {
        scenario_free(scenario);
        return NULL;
    }
    return scenario;
}

void scenario_free(struct scenario *scenario)
{
    if (scenario != NULL) {
        free(scenario->statements);
        free(scenario->members);
        free(scenario->kinds);
        free(scenario);
    }
}
