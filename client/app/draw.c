// SPDX-License-Identifier: MIT
#include "draw.h"

#include "backdrop.h"
#include "machines.h"
#include "walls.h"

static void draw_players(const struct frame *frame, const struct scene *scene)
{
    uint32_t own = frame->view->slot;
    for (uint32_t slot = 0; slot < frame->view->world->player_slots; slot++)
        if (slot != own && scene->figures[slot].seen)
            figure_draw(frame, &scene->figures[slot], slot);
    if (own < PLAYER_CAPACITY && scene->figures[own].seen)
        figure_draw(frame, &scene->figures[own], own);
}

// The own name only after a spawn, to be found by; over all names what points at the own player.
static void draw_names(const struct frame *frame, const struct scene *scene)
{
    const struct world *world = frame->view->world;
    for (uint32_t slot = 0; slot < world->player_slots; slot++) {
        bool wanted = slot != frame->view->slot || world->players[slot].shield_until > world->tick;
        if (wanted && scene->figures[slot].seen)
            figure_draw_name(frame, slot);
    }
    if (frame->view->slot < PLAYER_CAPACITY && scene->figures[frame->view->slot].seen)
        figure_draw_marker(frame, frame->view->slot);
}

void draw_view(struct canvas *canvas, const struct view *view, const struct scene *scene,
               const struct draw_options *options)
{
    struct frame frame = {.canvas = canvas,
                          .view = view,
                          .palette = palette_of(view->map->theme),
                          .ground = {view->map, view->world->broken},
                          .tick = view->world->tick};
    camera_corner(&scene->camera, view, &frame.left, &frame.top);
    backdrop_draw(&frame);
    machines_draw_behind(&frame);
    walls_draw(&frame);
    machines_draw_solids(&frame);
    particles_draw_stuck(&frame, &scene->particles);
    machines_draw_flying(&frame);
    draw_players(&frame, scene);
    particles_draw_flying(&frame, &scene->particles);
    walls_draw_light(&frame);
    machines_draw_light(&frame);
    backdrop_draw_weather(&frame);
    draw_names(&frame, scene);
    if (options->scoreboard || view->world->round.phase == ROUND_OVER) {
        hud_draw_scoreboard(&frame);
    } else {
        hud_draw(&frame, scene);
        hud_draw_ranking(&frame);
    }
    hud_draw_told(canvas, options->notice, options->silence_us);
    if (options->net)
        hud_draw_net(canvas, options->net);
}
