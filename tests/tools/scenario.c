// SPDX-License-Identifier: MIT
#include "scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct parser {
    struct words words;
    struct scenario *scenario;
    int32_t statement_room, member_room; // of the arrays in `scenario`, which grow
};

#define MEMBERS_CAPACITY (SCENARIO_STATEMENT_CAPACITY * 4)

// Room for one more entry in an array that grows by doubling.
static bool make_room(struct parser *parser, void **array, int32_t count, int32_t *room, size_t entry_bytes)
{
    if (count < *room)
        return true;
    int32_t more = *room == 0 ? 16 : *room * 2;
    void *grown = realloc(*array, (size_t)more * entry_bytes);
    if (grown == NULL)
        return words_fail(&parser->words, 1, "there is no memory left");
    *array = grown;
    *room = more;
    return true;
}

// ---- names -----------------------------------------------------------------------------------------------------

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int32_t find_body(const struct scenario *scenario, struct word name)
{
    for (int32_t i = 0; i < scenario->body_count; i++)
        if (word_is(name, scenario->bodies[i].name))
            return i;
    return -1;
}

static bool check_new_name(struct parser *parser, struct word name)
{
    bool is_name = name.bytes > 0 && is_letter(name.text[0]);
    for (size_t i = 0; i < name.bytes; i++)
        is_name = is_name && (is_letter(name.text[i]) || (name.text[i] >= '0' && name.text[i] <= '9'));
    if (!is_name)
        return words_fail(&parser->words, name.column, "\"%s\" is no name: letters, digits and _, not a digit first",
                          words_show(name).text);
    if (name.bytes > SCENARIO_NAME_LENGTH)
        return words_fail(&parser->words, name.column, "a name has at most %d characters", SCENARIO_NAME_LENGTH);
    if (word_is(name, "tile"))
        return words_fail(&parser->words, name.column,
                          "\"tile\" is what a hit on a tile is called, so no body can have this name");
    if (find_body(parser->scenario, name) >= 0)
        return words_fail(&parser->words, name.column, "there is a body called \"%s\" already", words_show(name).text);
    return true;
}

static const char *const KIND_NAMES[] = {
    [SCENARIO_SOLID] = "a solid or one-way", [SCENARIO_ACTOR] = "an actor", [SCENARIO_BALL] = "a ball"};

static bool find_kind(struct parser *parser, struct word name, enum scenario_kind kind, int32_t *body)
{
    *body = find_body(parser->scenario, name);
    if (*body < 0)
        return words_fail(&parser->words, name.column, "there is no body called \"%s\" up to here",
                          words_show(name).text);
    if (parser->scenario->bodies[*body].kind != kind)
        return words_fail(&parser->words, name.column, "\"%s\" must be %s here", words_show(name).text,
                          KIND_NAMES[kind]);
    return true;
}

static bool take_body(struct parser *parser, enum scenario_kind kind, int32_t *body)
{
    struct word name = {0};
    return words_take(&parser->words, KIND_NAMES[kind], &name) && find_kind(parser, name, kind, body);
}

static bool take_rem(struct parser *parser, int32_t *rem_x, int32_t *rem_y, bool *found)
{
    struct word value = {0};
    *found = words_take_option(&parser->words, "rem=", &value);
    return !*found || words_pair(&parser->words, value, "rem", -DF_SUB / 2, DF_SUB / 2, rem_x, rem_y);
}

static bool take_ride(struct parser *parser, uint32_t *ride)
{
    static const char *const names[] = {
        [DF_RIDE_STAND] = "stand", [DF_RIDE_CLING_LEFT] = "cling_left", [DF_RIDE_CLING_RIGHT] = "cling_right",
        [DF_RIDE_NEVER] = "never", [DF_RIDE_CLING_UP] = "cling_up",     NULL,
    };
    struct word value = {0};
    int32_t chosen = DF_RIDE_STAND;
    if (words_take_option(&parser->words, "ride=", &value) &&
        !words_choice(&parser->words, value, "ride", names, &chosen))
        return false;
    *ride = (uint32_t)chosen;
    return true;
}

// Layers are given as a number with a bit for each.
static bool take_layers(struct parser *parser, const char *key, uint32_t *flags)
{
    struct word value = {0};
    int32_t layers = 0;
    if (words_take_option(&parser->words, key, &value) &&
        !words_number(&parser->words, value, "a set of layers", 0, 0xffff, &layers))
        return false;
    *flags |= (uint32_t)layers * DF_LAYER(0);
    return true;
}

static bool take_attachment(struct parser *parser, uint32_t *ride)
{
    struct word value = {0};
    int32_t body = 0;
    if (!words_take_option(&parser->words, "attach=", &value))
        return true;
    if (!find_kind(parser, value, SCENARIO_SOLID, &body))
        return false;
    *ride = DF_RIDE_ATTACHED + (uint32_t)parser->scenario->bodies[body].index;
    return true;
}

static bool take_squish(struct parser *parser, struct scenario_rule *rule)
{
    static const char *const names[] = {
        [SCENARIO_SQUISH_DESTROY] = "destroy", [SCENARIO_SQUISH_IGNORE] = "ignore", [SCENARIO_SQUISH_WIGGLE] = NULL};
    struct word value = {0};
    int32_t chosen = SCENARIO_SQUISH_DESTROY;
    if (words_take_option(&parser->words, "squish=wiggle:", &value)) {
        rule->squish = SCENARIO_SQUISH_WIGGLE;
        return words_pair(&parser->words, value, "the reach of a wiggle", 0, SCENARIO_WIGGLE_PX_MAX, &rule->wiggle_x_px,
                          &rule->wiggle_y_px);
    }
    if (words_take_option(&parser->words, "squish=", &value) &&
        !words_choice(&parser->words, value, "squish (or wiggle:MX,MY)", names, &chosen))
        return false;
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
    if (period_x_px(tiles) > 0 && (w >= period_x_px(tiles) || h >= period_y_px(tiles)))
        return words_fail(&parser->words, name.column,
                          "in a world that wraps, \"%s\" must be smaller than its %d x %d px", words_show(name).text,
                          period_x_px(tiles), period_y_px(tiles));
    return true;
}

// The next free place for a body of this kind, not counted yet.
static bool new_body(struct parser *parser, enum scenario_kind kind, struct word *name)
{
    struct scenario *scenario = parser->scenario;
    if (!words_take(&parser->words, "a name", name) || !check_new_name(parser, *name))
        return false;
    if (scenario->counts[kind] == SCENARIO_BODY_CAPACITY)
        return words_fail(&parser->words, name->column, "there is room for %d bodies of a kind",
                          SCENARIO_BODY_CAPACITY);
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
    int32_t max = DF_COORDINATE_PX_MAX;
    if (!words_take_number(&parser->words, "x", -max, max, &box->x) ||
        !words_take_number(&parser->words, "y", -max, max, &box->y) ||
        !words_take_number(&parser->words, "w", 1, max, &box->w) ||
        !words_take_number(&parser->words, "h", 1, max, &box->h))
        return false;
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
    if (!new_body(parser, SCENARIO_SOLID, &name) || !take_box(parser, &box) || !check_size(parser, name, box.w, box.h))
        return false;
    struct df_solid *solid = &scenario->solids[scenario->counts[SCENARIO_SOLID]];
    *solid = (struct df_solid){.x = box.x, .y = box.y, .w = box.w, .h = box.h, .flags = flags};
    return take_rem(parser, &solid->rem_x, &solid->rem_y, &has_rem) && take_layers(parser, "layers=", &solid->flags) &&
           words_take_end(&parser->words) && add_body(parser, SCENARIO_SOLID, name);
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
    if (!new_body(parser, SCENARIO_ACTOR, &name) || !take_box(parser, &box) || !check_size(parser, name, box.w, box.h))
        return false;
    struct df_actor *actor = &scenario->actors[scenario->counts[SCENARIO_ACTOR]];
    *actor = (struct df_actor){.x = box.x, .y = box.y, .w = box.w, .h = box.h};
    return take_rem(parser, &actor->rem_x, &actor->rem_y, &has_rem) && take_ride(parser, &actor->ride) &&
           take_attachment(parser, &actor->ride) && take_layers(parser, "passes=", &actor->flags) &&
           take_squish(parser, &scenario->rules[scenario->counts[SCENARIO_ACTOR]]) && words_take_end(&parser->words) &&
           add_body(parser, SCENARIO_ACTOR, name);
}

static bool take_ball_state(struct parser *parser, int32_t *cx, int32_t *cy, int32_t *r, int32_t *vx, int32_t *vy)
{
    int32_t place = DF_COORDINATE_PX_MAX * DF_SUB, speed = 64 * DF_SUB;
    return words_take_number(&parser->words, "cx", -place, place, cx) &&
           words_take_number(&parser->words, "cy", -place, place, cy) &&
           (r == NULL || words_take_number(&parser->words, "the radius", 1, 64, r)) &&
           words_take_number(&parser->words, "vx", -speed, speed, vx) &&
           words_take_number(&parser->words, "vy", -speed, speed, vy) && words_take_end(&parser->words);
}

static bool parse_ball(struct parser *parser)
{
    struct scenario *scenario = parser->scenario;
    const struct df_tiles *tiles = &scenario->tiles;
    struct word name = {0};
    struct df_ball ball = {0};
    if (!new_body(parser, SCENARIO_BALL, &name) ||
        !take_ball_state(parser, &ball.cx, &ball.cy, &ball.radius_px, &ball.vx, &ball.vy) ||
        !check_size(parser, name, 2 * ball.radius_px, 2 * ball.radius_px))
        return false;
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
    if (tiles->rows == SCENARIO_TILES_CAPACITY || line.bytes > SCENARIO_TILES_CAPACITY)
        return words_fail(&parser->words, line.column, "a grid has at most %d columns and %d rows",
                          SCENARIO_TILES_CAPACITY, SCENARIO_TILES_CAPACITY);
    if (line.bytes == 0 || (tiles->rows > 0 && (int32_t)line.bytes != tiles->columns))
        return words_fail(&parser->words, line.column, "this row has %d tiles, but %s%d", (int32_t)line.bytes,
                          tiles->rows > 0 ? "the rows above have " : "the least is ",
                          tiles->rows > 0 ? tiles->columns : 1);
    uint8_t *kinds = realloc(parser->scenario->kinds, line.bytes * (size_t)(tiles->rows + 1));
    if (kinds == NULL)
        return words_fail(&parser->words, 1, "there is no memory left");
    parser->scenario->kinds = kinds;
    tiles->columns = (int32_t)line.bytes;
    for (int32_t column = 0; column < tiles->columns; column++) {
        const char *letter = memchr(letters, line.text[column], sizeof letters);
        if (letter == NULL) {
            struct word word = {line.text + column, 1, line.column + column};
            return words_fail(&parser->words, word.column, "\"%s\" is no tile: use . # = B ^", words_show(word).text);
        }
        kinds[tiles->rows * tiles->columns + column] = (uint8_t)(letter - letters);
    }
    tiles->rows++;
    return true;
}

static bool parse_rows(struct parser *parser)
{
    struct word line = {0};
    while (words_next_line(&parser->words, &line)) {
        bool is_end = line.bytes >= 3 && memcmp(line.text, "end", 3) == 0;
        if (!is_end) {
            if (!parse_row(parser, line))
                return false;
            continue;
        }
        if (!words_split(&parser->words, line))
            return false;
        if (!word_is(parser->words.list[0], "end"))
            return words_fail(&parser->words, line.column, "\"%s\" is neither a row of tiles nor the line \"end\"",
                              words_show(parser->words.list[0]).text);
        parser->words.next = 1;
        if (parser->scenario->tiles.rows == 0)
            return words_fail(&parser->words, line.column, "a grid needs at least one row before \"end\"");
        parser->scenario->tiles.kinds = parser->scenario->kinds;
        return words_take_end(&parser->words);
    }
    parser->words.line++;
    return words_fail(&parser->words, 1, "the line \"end\" after the rows of tiles is missing");
}

static bool parse_tiles(struct parser *parser)
{
    static const char *const names[] = {
        [DF_OUTSIDE_SOLID] = "solid", [DF_OUTSIDE_EMPTY] = "empty", [DF_OUTSIDE_WRAP] = "wrap", NULL};
    struct scenario *scenario = parser->scenario;
    struct word value = {0};
    int32_t outside = DF_OUTSIDE_SOLID;
    if (scenario->tiles.kinds != NULL || scenario->statement_count > 0)
        return words_fail(&parser->words, parser->words.list[0].column, "tiles come once, before all other statements");
    if (!words_take_number(&parser->words, "the edge of a tile", 1, DF_COORDINATE_PX_MAX / SCENARIO_TILES_CAPACITY,
                           &scenario->tiles.edge_px) ||
        (words_take_option(&parser->words, "outside=", &value) &&
         !words_choice(&parser->words, value, "outside", names, &outside)) ||
        !words_take_end(&parser->words))
        return false;
    scenario->tiles.outside = (enum df_outside)outside;
    return parse_rows(parser);
}

// ---- operations and expectations -------------------------------------------------------------------------------

static bool add_statement(struct parser *parser, struct scenario_statement statement)
{
    struct scenario *scenario = parser->scenario;
    struct word first = parser->words.list[0];
    if (scenario->statement_count == SCENARIO_STATEMENT_CAPACITY)
        return words_fail(&parser->words, first.column, "there is room for %d statements", SCENARIO_STATEMENT_CAPACITY);
    void *statements = scenario->statements;
    if (!make_room(parser, &statements, scenario->statement_count, &parser->statement_room, sizeof statement))
        return false;
    scenario->statements = statements;
    statement.line = parser->words.line;
    statement.column = first.column;
    statement.text = first.text;
    statement.text_bytes = (size_t)(parser->words.end_column - first.column);
    scenario->statements[scenario->statement_count++] = statement;
    return true;
}

static bool parse_tick(struct parser *parser)
{
    return words_take_end(&parser->words) && add_statement(parser, (struct scenario_statement){.verb = SCENARIO_TICK});
}

static bool parse_move(struct parser *parser, enum scenario_verb verb)
{
    struct scenario_statement statement = {.verb = verb};
    return take_body(parser, SCENARIO_ACTOR, &statement.body) &&
           words_take_number(&parser->words, "the amount", -DF_AMOUNT_SUB_MAX, DF_AMOUNT_SUB_MAX,
                             &statement.values[0]) &&
           words_take_end(&parser->words) && add_statement(parser, statement);
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
    if (!find_kind(parser, name, SCENARIO_SOLID, &body))
        return false;
    int32_t solid = scenario->bodies[body].index;
    for (int32_t i = 0; i < statement->count; i++)
        if (scenario->members[statement->first + i] == solid)
            return words_fail(&parser->words, name.column, "\"%s\" is in the group already", words_show(name).text);
    if (statement->count == DF_GROUP_CAPACITY)
        return words_fail(&parser->words, name.column, "a group has at most %d solids", DF_GROUP_CAPACITY);
    if (scenario->member_count == MEMBERS_CAPACITY)
        return words_fail(&parser->words, name.column, "all shifts together name at most %d solids", MEMBERS_CAPACITY);
    void *members = scenario->members;
    if (!make_room(parser, &members, scenario->member_count, &parser->member_room, sizeof solid))
        return false;
    scenario->members = members;
    statement->body = statement->count == 0 ? body : statement->body;
    scenario->members[scenario->member_count++] = solid;
    statement->count++;
    return true;
}

static bool parse_shift(struct parser *parser)
{
    struct scenario_statement statement = {.verb = SCENARIO_SHIFT, .first = parser->scenario->member_count};
    struct word rest = {0};
    if (!words_take(&parser->words, KIND_NAMES[SCENARIO_SOLID], &rest))
        return false;
    for (bool more = true; more;) {
        const char *plus = memchr(rest.text, '+', rest.bytes);
        size_t bytes = plus != NULL ? (size_t)(plus - rest.text) : rest.bytes;
        if (!add_member(parser, (struct word){rest.text, bytes, rest.column}, &statement))
            return false;
        more = plus != NULL;
        if (more)
            rest = (struct word){plus + 1, rest.bytes - bytes - 1, rest.column + (int32_t)bytes + 1};
    }
    int32_t max = DF_AMOUNT_SUB_MAX;
    return words_take_number(&parser->words, "dx", -max, max, &statement.values[0]) &&
           words_take_number(&parser->words, "dy", -max, max, &statement.values[1]) && words_take_end(&parser->words) &&
           add_statement(parser, statement);
}

static bool parse_step(struct parser *parser)
{
    struct scenario_statement statement = {.verb = SCENARIO_STEP};
    return take_body(parser, SCENARIO_BALL, &statement.body) && words_take_end(&parser->words) &&
           add_statement(parser, statement);
}

static bool parse_bounce(struct parser *parser)
{
    struct scenario_statement statement = {.verb = SCENARIO_BOUNCE};
    return take_body(parser, SCENARIO_BALL, &statement.body) && take_body(parser, SCENARIO_SOLID, &statement.other) &&
           words_take_end(&parser->words) && add_statement(parser, statement);
}

static bool take_condition(struct parser *parser, struct scenario_statement *statement)
{
    static const char *const names[] = {[SCENARIO_ANY] = "alive",
                                        [SCENARIO_DEAD] = "dead",
                                        [SCENARIO_EMBEDDED] = "embedded",
                                        [SCENARIO_GROUNDED] = "grounded",
                                        NULL};
    if (parser->words.next == parser->words.count)
        return true;
    struct word word = parser->words.list[parser->words.next++];
    int32_t chosen;
    if (!words_choice(&parser->words, word, "the condition", names + 1, &chosen))
        return false;
    statement->condition = (enum scenario_condition)(chosen + 1);
    if (parser->scenario->bodies[statement->body].kind != SCENARIO_ACTOR)
        return words_fail(&parser->words, word.column, "only an actor can be %s", names[chosen + 1]);
    return true;
}

static bool parse_expect(struct parser *parser)
{
    struct scenario_statement statement = {.verb = SCENARIO_EXPECT};
    int32_t max = 2 * DF_COORDINATE_PX_MAX;
    struct word name = {0};
    if (!words_take(&parser->words, "an actor, a solid or a one-way", &name))
        return false;
    statement.body = find_body(parser->scenario, name);
    if (statement.body < 0 || parser->scenario->bodies[statement.body].kind == SCENARIO_BALL)
        return find_kind(parser, name, SCENARIO_ACTOR, &statement.body);
    return words_take_number(&parser->words, "x", -max, max, &statement.values[0]) &&
           words_take_number(&parser->words, "y", -max, max, &statement.values[1]) &&
           take_rem(parser, &statement.values[2], &statement.values[3], &statement.has_rem) &&
           take_condition(parser, &statement) && words_take_end(&parser->words) && add_statement(parser, statement);
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
    struct word verb = parser->words.list[0];
    parser->words.next = 1;
    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++)
        if (word_is(verb, statements[i].name))
            return statements[i].parse(parser);
    return words_fail(&parser->words, verb.column, "\"%s\" is no statement", words_show(verb).text);
}

static bool parse_text(struct parser *parser)
{
    struct word line = {0};
    while (words_next_line(&parser->words, &line))
        if (!words_split(&parser->words, line) || (parser->words.count > 0 && !parse_statement(parser)))
            return false;
    return true;
}

struct scenario *scenario_parse(const char *text, size_t text_bytes, struct words_error *error)
{
    struct parser parser = {.words = {.at = text, .end = text + text_bytes, .line = 1, .error = error},
                            .scenario = calloc(1, sizeof *parser.scenario)};
    if (parser.scenario == NULL) {
        words_fail(&parser.words, 1, "there is no memory left");
        return NULL;
    }
    if (text_bytes > SCENARIO_TEXT_BYTES_MAX) {
        words_fail(&parser.words, 1, "a scenario has at most %d bytes", SCENARIO_TEXT_BYTES_MAX);
        scenario_free(parser.scenario);
        return NULL;
    }
    parser.words.line = 0;
    if (!parse_text(&parser)) {
        scenario_free(parser.scenario);
        return NULL;
    }
    return parser.scenario;
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
