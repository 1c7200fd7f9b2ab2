// SPDX-License-Identifier: MIT
#include "draw_view.h"

#include "hud/hud.h"
#include "hud/quick_chat.h"
#include "scene/draw_sudden_death.h"
#include "scene/painters.h"
#include "scene/text_panel.h"

#define VARIANTS_Y 60 ///< below the goal of the mode
#define SEAM_PX    48 ///< by which a drawing exceeds its box at most
#define FINGERS_PX 42 ///< what the small buttons for fingers take of the widest picture (platform/touch_controls.c)

static void draw_markers(const struct frame *frame, const struct scene *scene)
{
    for (uint32_t slot = 0; slot < frame->view->world->player_slots; slot++)
        if (view_is_own(frame->view, slot) && scene->figures[slot].seen)
            draw_player_marker(frame, slot);
}

// Draws everything that has one place on the map.
static void draw_things(const struct frame *frame, const struct scene *scene)
{
    draw_solids(frame);
    particles_draw_stuck(frame, &scene->particles);
    draw_devices(frame);
    draw_sudden_death_bands(frame);
    draw_projectiles(frame);
    uint32_t own = frame->view->slot;
    for (uint32_t slot = 0; slot < frame->view->world->player_slots; slot++)
        if (slot != own && scene->figures[slot].seen)
            draw_player(frame, &scene->figures[slot], slot);
    if (own < PLAYER_CAPACITY && scene->figures[own].seen) // before all others
        draw_player(frame, &scene->figures[own], own);
    particles_draw_flying(frame, &scene->particles);
}

static bool is_near(int32_t edge, int32_t size, int32_t canvas_px)
{
    return edge + size + SEAM_PX > 0 && edge - SEAM_PX < canvas_px;
}

// Calls `paint` once, or on a map that wraps also for each seam in the picture: things there appear on both sides.
static void over_seams(const struct frame *frame, const struct scene *scene,
                       void (*paint)(const struct frame *frame, const struct scene *scene))
{
    int32_t w = frame->view->map->columns * MAP_EDGE_PX, h = frame->view->map->rows * MAP_EDGE_PX;
    int32_t around = frame->view->map->outside == DF_OUTSIDE_WRAP;
    for (int32_t y = -around; y <= around; y++)
        for (int32_t x = -around; x <= around; x++) {
            struct frame shifted = *frame;
            shifted.left -= x * w;
            shifted.top -= y * h;
            if (!around || (is_near(-shifted.left, w, canvas_columns(frame->canvas)) &&
                            is_near(-shifted.top, h, canvas_rows(frame->canvas))))
                paint(&shifted, scene);
        }
}

static void draw_behind(const struct frame *frame, const struct scene *scene)
{
    (void)scene;
    draw_solids_behind(frame);
}

static void draw_glow(const struct frame *frame, const struct scene *scene)
{
    (void)scene;
    draw_solids_light(frame);
    draw_projectiles_light(frame);
}

static void draw_over(const struct frame *frame, const struct scene *scene, const struct draw_options *options)
{
    uint32_t phase = frame->view->confirmed->round.phase;
    bool over = (phase == ROUND_OVER || phase == ROUND_MATCH_OVER) && !options->awaits_kill;
    bool shows_scoreboard = options->scoreboard || over;
    bool votes = options->chat && options->chat->votes;
    if (shows_scoreboard) {
        int32_t top = votes ? vote_panel_draw(frame, &options->chat->vote, options->hints, VOTE_PANEL_TOP_Y) : 0;
        if (options->scoreboard)
            scoreboard_draw(frame, top);
        else if (phase == ROUND_OVER)
            round_card_draw(frame, top);
        else
            match_end_draw(frame, top);
    } else {
        hud_draw(frame, scene);
        scoreboard_draw_ranking(frame);
    }
    if (votes && !shows_scoreboard)
        vote_panel_draw(frame, &options->chat->vote, options->hints, VOTE_PANEL_Y);
    if (!shows_scoreboard && !votes && (phase == ROUND_WARMUP || phase == ROUND_COUNTDOWN))
        variant_row_draw(frame, VARIANTS_Y, canvas_width(frame->canvas) - 120);
    int32_t hints_y = canvas_height(frame->canvas);
    if (options->hints && !votes && !options->spectator) // a spectator's view has the slot of the player they follow
        hints_y = hints_draw(frame, options->hints);
    if (options->net && !shows_scoreboard)
        hud_draw_net(frame->canvas, options->net);
    int32_t y = options->spectator ? hud_draw_spectator(frame, options->spectator, options->hints)
                                   : canvas_height(frame->canvas) - frame->below - HUD_BOTTOM_PX;
    y = hud_draw_status(frame, y < hints_y ? y : hints_y, options->system_message, options->silence_us);
    if (options->chat)
        chat_panel_draw(frame, options->chat, y, options->now_us);
    for (uint32_t i = 0; options->wheels && i < LOCAL_PLAYERS; i++)
        quick_chat_draw(frame, &options->wheels[i]);
}

void draw_view(struct canvas *canvas, const struct view *view, const struct scene *scene,
               const struct draw_options *options)
{
    bool has_buttons = options->hints && options->hints->by_touch && canvas->shape == CANVAS_WIDE;
    struct frame frame = {.canvas = canvas,
                          .view = view,
                          .palette = palette_of(view->map->theme),
                          .tiles = {view->map, view->world->broken},
                          .tick = view->world->tick,
                          .display = scene_display(scene),
                          .struck = options->struck,
                          .below = options->below,
                          .right = options->net ? HUD_NET_PX : 0,
                          .top_right = has_buttons ? FINGERS_PX : 0};
    frame.looks = tile_looks_are_of(&scene->looks, &frame.tiles) ? &scene->looks : NULL;
    canvas_resize(canvas, scene->camera.far);
    camera_corner(&scene->camera, view, &frame.left, &frame.top);
    if (options->kill)
        frame.top -= kill_story_shift(&frame, options->kill);
    struct frame_heads heads;
    if (options->chat) {
        chat_panel_heads(options->chat, options->now_us, &heads);
        frame.heads = &heads;
    }
    struct palette dimmed;
    frame.palette = draw_sudden_death_light(&frame, &dimmed);
    draw_backdrop(&frame);
    over_seams(&frame, scene, draw_behind);
    draw_tiles(&frame);
    over_seams(&frame, scene, draw_things);
    draw_tiles_light(&frame);
    over_seams(&frame, scene, draw_glow);
    draw_backdrop_weather(&frame);
    canvas_use_points(canvas);
    if (!options->bare) // else a menu is read there
        over_seams(&frame, scene, name_tags_draw);
    over_seams(&frame, scene, draw_markers); // which cover all names
    if (!options->bare)
        hud_draw_edge_markers(&frame);
    canvas_zoom(canvas, camera_part(&scene->camera));
    if (options->kill)
        kill_story_draw(&frame, options->kill);
    else if (!options->bare)
        draw_over(&frame, scene, options);
}
