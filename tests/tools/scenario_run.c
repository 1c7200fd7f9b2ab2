// SPDX-License-Identifier: MIT
#include "scenario_run.h"

#include <stdlib.h>
#include <string.h>

#include "implementation.h"

struct run {
    const struct scenario *scenario;
    const struct implementation *physics;
    const char *file;
    FILE *output, *complaints;
    struct df_space space;
    struct df_solid solids[SCENARIO_BODY_CAPACITY];
    struct df_actor actors[SCENARIO_BODY_CAPACITY];
    struct df_ball balls[SCENARIO_BODY_CAPACITY];
    const char *names[3][SCENARIO_BODY_CAPACITY]; // by enum scenario_kind
    uint32_t *broken;
    void *index;
    int32_t declared;                               // bodies in the world
    int32_t operations;                             // so far
    struct df_solid before[SCENARIO_BODY_CAPACITY]; // the solids when the present shift began
    int32_t shift_x_px, shift_y_px;                 // and how far it goes
    enum scenario_outcome outcome;
};

// ---- rules: what happened becomes an event line -----------------------------------------------------------------

static const char *direction_name(int32_t dx, int32_t dy)
{
    return dx < 0 ? "left" : dx > 0 ? "right" : dy < 0 ? "up" : "down";
}

static const char *hit_name(const struct run *run, int32_t solid)
{
    return solid >= 0 ? run->names[SCENARIO_SOLID][solid] : "tile";
}

static void on_hit_x(struct df_space *space, int32_t actor, struct df_hit hit, void *context)
{
    const struct run *run = context;
    (void)space;
    fprintf(run->output, "event hit_x %s %s\n", run->names[SCENARIO_ACTOR][actor], hit_name(run, hit.index));
}

static void on_hit_y(struct df_space *space, int32_t actor, struct df_hit hit, void *context)
{
    const struct run *run = context;
    (void)space;
    fprintf(run->output, "event hit_y %s %s\n", run->names[SCENARIO_ACTOR][actor], hit_name(run, hit.index));
}

static enum df_squish_answer on_squish(struct df_space *space, struct df_squish squish, void *context)
{
    const struct run *run = context;
    const struct scenario_rule *rule = &run->scenario->rules[squish.actor];
    fprintf(run->output, "event squish %s %s %s\n", run->names[SCENARIO_ACTOR][squish.actor],
            hit_name(run, squish.solid), direction_name(squish.direction_x, squish.direction_y));
    switch (rule->squish) {
    case SCENARIO_SQUISH_DESTROY:
        return DF_SQUISH_DESTROY;
    case SCENARIO_SQUISH_IGNORE:
        return DF_SQUISH_HANDLED;
    case SCENARIO_SQUISH_WIGGLE:
        return run->physics->actor_wiggle(space, squish.actor, rule->wiggle_x_px, rule->wiggle_y_px)
                   ? DF_SQUISH_HANDLED
                   : DF_SQUISH_DESTROY;
    }
    return DF_SQUISH_DESTROY;
}

// The rule is not told the direction. A solid goes all of x first, so one whose y has changed is going along y.
static void on_ball_squish(struct df_space *space, int32_t ball, int32_t solid, void *context)
{
    const struct run *run = context;
    bool along_y = space->solids[solid].y != run->before[solid].y;
    fprintf(run->output, "event squish %s %s %s\n", run->names[SCENARIO_BALL][ball], hit_name(run, solid),
            direction_name(along_y ? 0 : run->shift_x_px, run->shift_y_px));
    space->balls[ball].flags &= ~(uint32_t)DF_BALL_ALIVE;
}

static void break_block(struct run *run, int32_t column, int32_t row)
{
    const struct df_tiles *tiles = &run->space.tiles;
    if (column < 0 || column >= tiles->columns || row < 0 || row >= tiles->rows)
        return;
    int32_t tile = row * tiles->columns + column;
    uint32_t bit = 1u << (tile & 31);
    if (tiles->kinds[tile] == DF_TILE_BLOCK && (run->broken[tile >> 5] & bit) == 0) {
        run->broken[tile >> 5] |= bit;
        fprintf(run->output, "event break %d %d\n", column, row);
    }
}

static const char *const BOUNCE_NAMES[] = {
    [DF_BOUNCE_NONE] = "none",
    [DF_BOUNCE_CORNER] = "corner",
    [DF_BOUNCE_LEFT_RIGHT] = "left_right",
    [DF_BOUNCE_TOP_BOTTOM] = "top_bottom",
    [DF_BOUNCE_INSIDE] = "inside",
};

static void on_ball_hit(struct df_space *space, int32_t ball, struct df_ball_hit hit, void *context)
{
    struct run *run = context;
    (void)space;
    fprintf(run->output, "event bounce %s %s %s\n", run->names[SCENARIO_BALL][ball], BOUNCE_NAMES[hit.bounce],
            hit_name(run, hit.solid));
    if (hit.solid < 0 && hit.bounce != DF_BOUNCE_INSIDE)
        break_block(run, hit.column, hit.row);
}

// ---- state -----------------------------------------------------------------------------------------------------

static const char *life(const struct run *run, int32_t actor)
{
    if ((run->actors[actor].flags & DF_ACTOR_ALIVE) == 0)
        return "dead";
    return run->physics->actor_is_embedded(&run->space, actor) ? "embedded" : "alive";
}

static void print_state(const struct run *run, const struct scenario_body *body)
{
    switch (body->kind) {
    case SCENARIO_SOLID: {
        const struct df_solid *solid = &run->solids[body->index];
        fprintf(run->output, "state %s %d %d %d %d alive\n", body->name, solid->x, solid->y, solid->rem_x,
                solid->rem_y);
        break;
    }
    case SCENARIO_ACTOR: {
        const struct df_actor *actor = &run->actors[body->index];
        fprintf(run->output, "state %s %d %d %d %d %s\n", body->name, actor->x, actor->y, actor->rem_x, actor->rem_y,
                life(run, body->index));
        break;
    }
    case SCENARIO_BALL: {
        const struct df_ball *ball = &run->balls[body->index];
        fprintf(run->output, "state %s %d %d %d %d\n", body->name, ball->cx, ball->cy, ball->vx, ball->vy);
        break;
    }
    }
}

// ---- statements ------------------------------------------------------------------------------------------------

static void declare(struct run *run, const struct scenario_body *body)
{
    run->declared++;
    run->names[body->kind][body->index] = body->name;
    switch (body->kind) {
    case SCENARIO_SOLID:
        run->solids[body->index].flags |= DF_SOLID_PRESENT;
        df_solid_changed(&run->space, body->index);
        break;
    case SCENARIO_ACTOR:
        run->actors[body->index].flags |= DF_ACTOR_ALIVE;
        df_actor_changed(&run->space, body->index);
        break;
    case SCENARIO_BALL:
        run->balls[body->index].flags |= DF_BALL_ALIVE;
        break;
    }
}

static enum df_result shift(struct run *run, const struct scenario_statement *statement)
{
    const int32_t *solids = &run->scenario->members[statement->first];
    const struct df_solid *first = &run->solids[solids[0]];
    memcpy(run->before, run->solids, sizeof run->before);
    run->shift_x_px = statement->values[0] == 0 ? 0 : df_round_px(first->rem_x + statement->values[0]);
    run->shift_y_px = statement->values[1] == 0 ? 0 : df_round_px(first->rem_y + statement->values[1]);
    return run->physics->group_move(&run->space, solids, statement->count, statement->values[0], statement->values[1]);
}

static void bounce(struct run *run, const struct scenario_statement *statement)
{
    int32_t ball = run->scenario->bodies[statement->body].index, other = run->scenario->bodies[statement->other].index;
    const struct df_solid *solid = &run->solids[other];
    struct df_box box = {solid->x, solid->y, solid->w, solid->h};
    enum df_bounce bounce = run->physics->ball_bounce(&run->balls[ball], box);
    if (bounce != DF_BOUNCE_NONE)
        on_ball_hit(&run->space, ball, (struct df_ball_hit){.bounce = bounce, .solid = other}, run);
}

static enum df_result operate(struct run *run, const struct scenario_statement *statement)
{
    const struct implementation *physics = run->physics;
    struct df_space *space = &run->space;
    int32_t body = run->scenario->bodies[statement->body].index;
    fprintf(run->output, "op %d ", ++run->operations);
    for (size_t i = 0; i < statement->text_bytes; i++) {
        char c = statement->text[i] == '\t' ? ' ' : statement->text[i];
        if (c != ' ' || statement->text[i - 1] > ' ')
            fputc(c, run->output);
    }
    fputc('\n', run->output);
    switch (statement->verb) {
    case SCENARIO_TICK:
        physics->tick_begin(space, space->tick + 1);
        return DF_OK;
    case SCENARIO_MOVE_X:
        return physics->actor_move_x(space, body, statement->values[0], on_hit_x, run);
    case SCENARIO_MOVE_Y:
        return physics->actor_move_y(space, body, statement->values[0], on_hit_y, run);
    case SCENARIO_SHIFT:
        return shift(run, statement);
    case SCENARIO_STEP:
        return physics->ball_step(space, body);
    case SCENARIO_BOUNCE:
        bounce(run, statement);
        return DF_OK;
    case SCENARIO_DECLARE:
    case SCENARIO_EXPECT:
    case SCENARIO_EXPECT_BALL:
        break;
    }
    return DF_OK;
}

static void complain(struct run *run, const struct scenario_statement *statement, const char *found)
{
    fprintf(run->complaints, "%s:%d: expected %.*s, found %s\n", run->file, statement->line,
            (int)(statement->text_bytes - strlen("expect ")), statement->text + strlen("expect "), found);
    run->outcome = SCENARIO_FAILED;
}

static bool holds(const struct run *run, enum scenario_condition condition, int32_t actor)
{
    switch (condition) {
    case SCENARIO_ANY:
        return true;
    case SCENARIO_DEAD:
        return (run->actors[actor].flags & DF_ACTOR_ALIVE) == 0;
    case SCENARIO_EMBEDDED:
        return run->physics->actor_is_embedded(&run->space, actor);
    case SCENARIO_GROUNDED:
        return run->physics->actor_ground(&run->space, actor).kind != DF_HIT_NONE;
    }
    return false;
}

static void expect(struct run *run, const struct scenario_statement *statement)
{
    const struct scenario_body *body = &run->scenario->bodies[statement->body];
    const int32_t *wanted = statement->values;
    struct df_actor *actor = &run->actors[body->index];
    struct df_solid *solid = &run->solids[body->index];
    bool is_actor = body->kind == SCENARIO_ACTOR;
    int32_t x = is_actor ? actor->x : solid->x, y = is_actor ? actor->y : solid->y;
    int32_t rem_x = is_actor ? actor->rem_x : solid->rem_x, rem_y = is_actor ? actor->rem_y : solid->rem_y;
    if (x != wanted[0] || y != wanted[1] || (statement->has_rem && (rem_x != wanted[2] || rem_y != wanted[3])) ||
        !holds(run, statement->condition, body->index)) {
        bool grounded = is_actor && run->physics->actor_ground(&run->space, body->index).kind != DF_HIT_NONE;
        char found[160];
        snprintf(found, sizeof found, "%s %d %d rem=%d,%d %s%s", body->name, x, y, rem_x, rem_y,
                 is_actor ? life(run, body->index) : "alive", grounded ? " grounded" : "");
        complain(run, statement, found);
    }
}

static void expect_ball(struct run *run, const struct scenario_statement *statement)
{
    const struct scenario_body *body = &run->scenario->bodies[statement->body];
    const struct df_ball *ball = &run->balls[body->index];
    const int32_t *wanted = statement->values;
    if (ball->cx != wanted[0] || ball->cy != wanted[1] || ball->vx != wanted[2] || ball->vy != wanted[3]) {
        char found[160];
        snprintf(found, sizeof found, "%s %d %d %d %d", body->name, ball->cx, ball->cy, ball->vx, ball->vy);
        complain(run, statement, found);
    }
}

static bool do_statement(struct run *run, const struct scenario_statement *statement)
{
    switch (statement->verb) {
    case SCENARIO_DECLARE:
        declare(run, &run->scenario->bodies[statement->body]);
        return true;
    case SCENARIO_EXPECT:
        expect(run, statement);
        return true;
    case SCENARIO_EXPECT_BALL:
        expect_ball(run, statement);
        return true;
    case SCENARIO_TICK:
    case SCENARIO_MOVE_X:
    case SCENARIO_MOVE_Y:
    case SCENARIO_SHIFT:
    case SCENARIO_STEP:
    case SCENARIO_BOUNCE:
        break;
    }
    if (operate(run, statement) != DF_OK) {
        fprintf(run->complaints, "%s:%d:%d: this leads beyond the coordinates, which end at %d px\n", run->file,
                statement->line, statement->column, DF_COORDINATE_PX_MAX);
        run->outcome = SCENARIO_IMPOSSIBLE;
        return false;
    }
    for (int32_t i = 0; i < run->declared; i++)
        print_state(run, &run->scenario->bodies[i]);
    return true;
}

// ---- the run ---------------------------------------------------------------------------------------------------

static void begin(struct run *run)
{
    const struct scenario *scenario = run->scenario;
    memcpy(run->solids, scenario->solids, sizeof run->solids);
    memcpy(run->actors, scenario->actors, sizeof run->actors);
    memcpy(run->balls, scenario->balls, sizeof run->balls);
    run->broken = calloc((size_t)scenario->tiles.columns * (size_t)scenario->tiles.rows / 32 + 1, sizeof *run->broken);
    run->space = (struct df_space){
        .tiles = scenario->tiles,
        .solids = run->solids,
        .actors = run->actors,
        .balls = run->balls,
        .solid_count = scenario->counts[SCENARIO_SOLID],
        .actor_count = scenario->counts[SCENARIO_ACTOR],
        .ball_count = scenario->counts[SCENARIO_BALL],
        .rules = {.squish = on_squish, .ball_hit = on_ball_hit, .ball_squish = on_ball_squish},
        .context = run,
    };
    run->space.tiles.broken = run->broken;
    size_t bytes = df_index_bytes(&run->space);
    run->index = calloc(1, bytes + 8);
    if (run->broken == NULL || run->index == NULL || df_space_init(&run->space, run->index, bytes) != DF_OK)
        abort(); // the parser has checked all that the space may refuse
    run->physics->tick_begin(&run->space, 1);
}

enum scenario_outcome scenario_run(const struct scenario *scenario, const char *file, bool reference, FILE *output,
                                   FILE *complaints)
{
    struct run *run = calloc(1, sizeof *run);
    if (run == NULL)
        abort();
    run->scenario = scenario;
    run->physics = reference ? &implementation_literal : &implementation_fast;
    run->file = file;
    run->output = output;
    run->complaints = complaints;
    begin(run);
    for (int32_t i = 0; i < scenario->statement_count; i++)
        if (!do_statement(run, &scenario->statements[i]))
            break;
    enum scenario_outcome outcome = run->outcome;
    free(run->broken);
    free(run->index);
    free(run);
    return outcome;
}
