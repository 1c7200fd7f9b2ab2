// SPDX-License-Identifier: MIT
//
// Until the library is there: its calls, answered by the literal implementation.
#include "literal.h"

#define AS(result, name, parameters, arguments)                                                                        \
    result df_##name parameters                                                                                        \
    {                                                                                                                  \
        return literal_##name arguments;                                                                               \
    }
AS(enum df_result, actor_move_x, (struct df_space * s, int32_t a, int32_t v, df_collide *c, void *x), (s, a, v, c, x))
AS(enum df_result, actor_move_y, (struct df_space * s, int32_t a, int32_t v, df_collide *c, void *x), (s, a, v, c, x))
AS(struct df_hit, actor_ground, (const struct df_space *s, int32_t a), (s, a))
AS(struct df_hit, actor_probe, (const struct df_space *s, int32_t a, int32_t x, int32_t y), (s, a, x, y))
AS(bool, space_blocked, (const struct df_space *s, struct df_box b), (s, b))
AS(bool, actor_resize, (struct df_space * s, int32_t a, struct df_box b), (s, a, b))
AS(enum df_result, actor_place, (struct df_space * s, int32_t a, int32_t x, int32_t y), (s, a, x, y))
AS(bool, actor_is_embedded, (const struct df_space *s, int32_t a), (s, a))
AS(bool, find_free, (const struct df_space *s, int32_t a, int32_t r, int32_t *x, int32_t *y), (s, a, r, x, y))
AS(bool, actor_wiggle, (struct df_space * s, int32_t a, int32_t x, int32_t y), (s, a, x, y))
AS(void, actor_lift, (const struct df_space *s, int32_t a, int32_t *x, int32_t *y), (s, a, x, y))
AS(enum df_result, solid_move, (struct df_space * s, int32_t i, int32_t x, int32_t y), (s, i, x, y))
AS(enum df_result, group_move, (struct df_space * s, const int32_t *i, int32_t n, int32_t x, int32_t y),
   (s, i, n, x, y))
AS(enum df_bounce, ball_against, (const struct df_ball *b, struct df_box r), (b, r))
AS(enum df_bounce, ball_bounce, (struct df_ball * b, struct df_box r), (b, r))
AS(enum df_result, ball_step, (struct df_space * s, int32_t b), (s, b))
AS(void, tick_begin, (struct df_space * s, uint32_t t), (s, t))
enum df_tile df_tiles_at(const struct df_tiles *tiles, int32_t column, int32_t row)
{
    return literal_tile_at(tiles, column, row);
}
size_t df_index_bytes(const struct df_space *space)
{
    (void)space;
    return 8;
}
enum df_result df_space_init(struct df_space *space, void *memory, size_t bytes)
{
    (void)space, (void)memory, (void)bytes;
    return DF_OK;
}
void df_space_refresh(struct df_space *space)
{
    (void)space;
}
void df_actor_changed(struct df_space *space, int32_t actor)
{
    (void)space, (void)actor;
}
void df_solid_changed(struct df_space *space, int32_t solid)
{
    (void)space, (void)solid;
}
