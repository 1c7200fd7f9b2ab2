// SPDX-License-Identifier: MIT
// Golden pictures of whole screens: bots on every shipped map, everything drawn over a match, the title, a replay.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/menu/draw_menu.h"
#include "app/menu/screens.h"
#include "app/replay/replay_bar.h"
#include "game/ai/ai.h"
#include "game/ai/nav_graph_build.h"
#include "game/map/tiled/map_file.h"
#include "game/tuning.h"
#include "pictures.h"
#include "pictures_scene.h"
#include "presentation/presenter.h"
#include "presentation/title_demo.h"
#include "sync/world.h"
#include "test_map.h"
#include "text/text.h"

#define BOTS    8
#define MAPS    16
#define MATCHES 32

static const char *const NAMES[BOTS] = {"Ada", "Jørgen", "Rivet", "Slag", "Zoë", "Ember", "Cinder", "Anvil"};
static const struct nav_graph *graph;
static struct world before;

// Many pictures show the same map.
static void read_map(const char *name, struct map *map)
{
    static struct {
        const char *name;
        struct map map;
    } read[MAPS];
    uint32_t i = 0;
    while (read[i].name && strcmp(read[i].name, name) != 0)
        if (++i == MAPS)
            abort();
    char path[512];
    struct error error;
    snprintf(path, sizeof path, SOURCE_ROOT "/shared/maps/%s.tmj", name);
    if (!read[i].name && !map_file_read(path, &read[i].map, &error)) {
        fprintf(stderr, "%s\n", error.text);
        exit(EXIT_FAILURE);
    }
    read[i].name = name;
    *map = read[i].map;
}

// The graph of a map takes longer than a picture.
static const struct nav_graph *graph_of(const struct map *map)
{
    static struct {
        uint64_t map_hash;
        struct nav_graph graph;
    } kept[MAPS];
    uint64_t hash = map_hash(map);
    for (uint32_t i = 0; i < MAPS; i++) {
        if (kept[i].map_hash == hash)
            return &kept[i].graph;
        if (!kept[i].map_hash) {
            kept[i].map_hash = hash;
            nav_graph_build(&kept[i].graph, map);
            return &kept[i].graph;
        }
    }
    abort();
}

static void join(struct world *world, const struct map *map, uint32_t slot)
{
    struct command command = {.kind = COMMAND_JOIN, .slot = slot, .bot = slot != 0, .colour = slot};
    memcpy(command.name, NAMES[slot], strlen(NAMES[slot]));
    world_command(world, map, &command);
    still.hats[slot] = (uint8_t)(slot % HATS);
}

// Begins a match of bots on still.match.map, seen by the first of them.
static void begin(enum mode mode)
{
    struct test_match *match = &still.match;
    memset(still.hats, 0, sizeof still.hats);
    memset(&before, 0, sizeof before);
    still.display = still_options();
    still.scene = (struct scene){.display = &still.display};
    still_share(1);
    graph = graph_of(&match->map);
    world_init(&match->world, &match->map, &(struct rules){.mode = mode, .seed = 5, .score_limit = 20});
    memset(match->inputs, 0, sizeof match->inputs);
    for (uint32_t slot = 0; slot < BOTS; slot++)
        join(&match->world, &match->map, slot);
}

static void look_at(uint32_t slot)
{
    const struct world *world = &still.match.world;
    uint32_t fresh = world->event_count - before.event_count;
    view_fill(&still.view, &still.match.map, &before, &still.match.world, 200, NULL);
    still.view.slot = slot;
    still.view.hats = still.hats;
    still.view.event_count = 0;
    for (uint32_t i = fresh < EVENT_CAPACITY ? fresh : EVENT_CAPACITY; i > 0; i--)
        still.view.events[still.view.event_count++] = world->events[(world->event_count - i) % EVENT_CAPACITY];
}

static void play_on(uint32_t ticks)
{
    struct test_match *match = &still.match;
    for (uint32_t i = 0; i < ticks; i++) {
        world_copy(&before, &match->world);
        for (uint32_t slot = 0; slot < BOTS; slot++)
            match->inputs[slot] = ai_think(&match->world, &match->map, graph, slot, SKILL_NORMAL);
        test_match_step(match, 1);
        look_at(0);
        scene_update(&still.scene, &still.view);
    }
}

// What a match begins with, and for how long it is played. It has no padding, since its bytes are compared.
struct beginning {
    uint64_t map_hash, world_hash, is_calm;
    uint32_t ticks, seats;
};

// Matches that have been played. Many pictures show the same one, in each language, and it takes longer than they do.
static struct played {
    struct beginning from;
    struct test_match match;
    struct world before;
    struct view view;
    struct scene scene;
} kept[MATCHES], *playing;

// Returns whether the match that has begun was played for so long before, and brings it back.
static bool bring_back(uint32_t ticks)
{
    struct beginning from = {map_hash(&still.match.map), world_hash(&still.match.world), still.display.reduced_motion,
                             ticks, local_seats_count(&still.view.own)};
    playing = kept;
    while (playing->from.map_hash && memcmp(&playing->from, &from, sizeof from) != 0)
        if (++playing == kept + MATCHES)
            abort();
    if (!playing->from.map_hash) {
        playing->from = from;
        return false;
    }
    still.match = playing->match;
    before = playing->before;
    still.view = playing->view;
    still.scene = playing->scene;
    return true;
}

static void keep(void)
{
    playing->match = still.match;
    playing->before = before;
    playing->view = still.view;
    playing->scene = still.scene;
}

static void play(uint32_t ticks)
{
    if (bring_back(ticks))
        return;
    play_on(ticks);
    keep();
}

// The maps by their index in SCREEN_MAPS.
static void map(struct canvas *canvas, uint32_t index)
{
    const char *name = SCREEN_MAPS[index].name;
    read_map(name, &still.match.map);
    begin(strcmp(name, "breakout") ? MODE_FFA : MODE_BREAKOUT);
    play(900);
    draw_view(canvas, &still.view, &still.scene, &(struct draw_options){.silence_us = 0});
}

void picture_couch(struct canvas *canvas, uint32_t map, uint32_t local_count, uint32_t colour_vision)
{
    const char *name = SCREEN_MAPS[map].name;
    read_map(name, &still.match.map);
    begin(strcmp(name, "breakout") ? MODE_FFA : MODE_BREAKOUT);
    still.display.colour_vision = colour_vision;
    still_share(local_count);
    play(900);
    still_preferences();
    struct hints hints = {.controls = &still.preferences.controls, .since = 800};
    draw_view(canvas, &still.view, &still.scene, &(struct draw_options){.hints = &hints});
}

// A match as somebody sees it who plays by touch: the small buttons stand at the right of it
// (window/touch_controls.c).
static void by_touch(struct canvas *canvas, uint32_t unused)
{
    (void)unused;
    read_map("duel", &still.match.map);
    begin(MODE_FFA);
    play(900);
    still_preferences();
    struct hints hints = {.controls = &still.preferences.controls, .since = 800, .by_touch = true};
    draw_view(canvas, &still.view, &still.scene, &(struct draw_options){.hints = &hints});
}

// Everything drawn over a match.
enum { SCOREBOARD, VOTE, VOTE_AND_SCOREBOARD, EVERYTHING, BARE, LARGE, REDUCED_MOTION, RESTARTING, OVERDUE };

static void over_match(struct canvas *canvas, uint32_t what)
{
    char overdue[2 * TEXT_BYTES], when[TEXT_BYTES];
    snprintf(when, sizeof when, text_of(" in %u s"), 2u);
    snprintf(overdue, sizeof overdue, text_of("%s Connecting again%s: attempt %u of %u. %s opens the menu."),
             text_of("The server has not come back."), when, 5u, 20u, text_of("Esc"));
    const char *const MESSAGES[] = {
        [EVERYTHING] = "The server closes in one minute", // as an operator wrote it
        [LARGE] = "The server closes in one minute",
        [RESTARTING] = text_of("The server is restarting. The match goes on in a moment."),
        [OVERDUE] = overdue,
    };
    static struct chat_panel chat;
    struct chat_line said[] = {{.from = 2, .text = "gl hf"}, {.from = 0}};
    snprintf(said[1].text, sizeof said[1].text, text_of("%s joined."), "Zoë");
    read_map("foundry", &still.match.map);
    begin(MODE_FFA);
    still.display.large_text = still_large || what == LARGE;
    still.display.reduced_motion = what == REDUCED_MOTION;
    play(700);
    still_preferences();
    bool all = what == EVERYTHING || what == LARGE, away = what == RESTARTING || what == OVERDUE,
         votes = what == VOTE || what == VOTE_AND_SCOREBOARD;
    struct hints hints = {.controls = &still.preferences.controls, .since = 600};
    struct hud_net net = {.statistics = {.rtt_ms = 33, .snapshots = 700}, .draw_us = 999};
    memset(&chat, 0, sizeof chat);
    for (uint32_t i = 0; i < 2; i++)
        chat_panel_add(&chat, &said[i], &still.match.world, 1000);
    chat.votes = votes;
    chat.vote = (struct vote_message){.choice_count = 3,
                                      .own = 2,
                                      .ticks_left = 300,
                                      .question = "Which map is next?",
                                      .choices = {{2, "duel"}, {1, "skyline"}, {0, "colosseum"}}};
    draw_view(canvas, &still.view, &still.scene,
              &(struct draw_options){.scoreboard = what == SCOREBOARD || what == VOTE_AND_SCOREBOARD,
                                     .bare = what == BARE,
                                     .net = all ? &net : NULL,
                                     .system_message = MESSAGES[what],
                                     .silence_us = all ? 700000 : 0,
                                     .chat = all || votes || away ? &chat : NULL,
                                     .hints = all || votes ? &hints : NULL,
                                     .now_us = 2000});
}

// Several people at this window: on a map that fits a picture, and on the one that does not, from far away.
static void couch(struct canvas *canvas, uint32_t players)
{
    read_map(players == 4 ? "foundry" : "colosseum", &still.match.map);
    begin(MODE_FFA);
    still_share(players);
    play(400);
    draw_view(canvas, &still.view, &still.scene, &(struct draw_options){.now_us = 0});
}

// Half way from near to far.
static void zoom(struct canvas *canvas, uint32_t variant)
{
    (void)variant;
    read_map("colosseum", &still.match.map);
    begin(MODE_FFA);
    still_share(2);
    play(400);
    still.scene.camera.nearness = 0.5f;
    still.scene.camera.near_x = still.scene.camera.x - 150;
    still.scene.camera.near_y = still.scene.camera.y + 60;
    draw_view(canvas, &still.view, &still.scene, &(struct draw_options){.now_us = 0});
}

// Players outside of a picture that looks at a corner.
static void outside(struct canvas *canvas, uint32_t variant)
{
    (void)variant;
    read_map("colosseum", &still.match.map);
    begin(MODE_FFA);
    play(400);
    still.scene.camera = (struct camera){.free = true, .free_x = 400, .free_y = 260};
    play_on(1);
    draw_view(canvas, &still.view, &still.scene, &(struct draw_options){.now_us = 0});
}

// A map that wraps, with things on both sides of its seam.
static void seam(struct canvas *canvas, uint32_t variant)
{
    (void)variant;
    test_map_machines(&still.match.map);
    begin(MODE_FFA);
    play(200);
    draw_view(canvas, &still.view, &still.scene, &(struct draw_options){.bare = true});
}

// The walls of sudden death in a match.
static void sudden_death(struct canvas *canvas, uint32_t closed_ticks)
{
    read_map("duel", &still.match.map);
    begin(MODE_LMS);
    uint32_t before_ticks = closed_ticks ? 0 : 200;
    for (uint32_t slot = 2; slot < BOTS; slot++)
        world_command(&still.match.world, &still.match.map, &(struct command){.kind = COMMAND_LEAVE, .slot = slot});
    bool is_kept = bring_back(closed_ticks);
    for (uint32_t i = 0; !is_kept && i < 20000; i++) {
        const struct round *round = &still.match.world.round;
        uint32_t age_ticks = still.match.world.tick - round->since_tick;
        if (closed_ticks ? round->sudden_death_ticks >= closed_ticks
                         : round->phase == ROUND_PLAYING && age_ticks + before_ticks > TUNING.sudden_death_after_ticks)
            break;
        world_copy(&before, &still.match.world);
        memset(still.match.inputs, 0, sizeof still.match.inputs);
        world_step(&still.match.world, &still.match.map, still.match.inputs);
        look_at(0);
        scene_update(&still.scene, &still.view);
    }
    if (!is_kept)
        keep();
    draw_view(canvas, &still.view, &still.scene, &(struct draw_options){.now_us = 0});
}

// A spectator, by the presenter, which chooses the player to follow; with a chat, hints and a system message.
enum { WATCHES_ALL, FOLLOWS, FOLLOWS_AND_READS };

static void spectator(struct canvas *canvas, uint32_t what)
{
    static struct presenter presenter;
    static struct chat_panel chat;
    read_map("colosseum", &still.match.map);
    begin(MODE_FFA);
    world_command(&still.match.world, &still.match.map,
                  &(struct command){.kind = COMMAND_TEAM, .slot = 0, .team = TEAM_SPECTATE});
    play(500);
    still_preferences();
    memset(&presenter, 0, sizeof presenter);
    presenter.display = still_options();
    presenter_begin(&presenter);
    struct hints hints = {.controls = &still.preferences.controls};
    memset(&chat, 0, sizeof chat);
    chat_panel_add(&chat, &(struct chat_line){.from = 2, .text = "a line that nothing covers, however long it is"},
                   &still.match.world, 1000);
    struct draw_options options = {.hints = &hints};
    if (what == FOLLOWS_AND_READS)
        options = (struct draw_options){.hints = &hints,
                                        .chat = &chat,
                                        .now_us = 2000,
                                        .system_message = "The server closes in one minute",
                                        .silence_us = 700000};
    presenter_show(&presenter, canvas, &still.view, &options);
    for (uint32_t i = 0; i < 3; i++) {
        presenter.held = i == 1 && what != WATCHES_ALL ? BUTTON_SHOOT : 0;
        play_on(1);
        presenter_show(&presenter, canvas, &still.view, &options);
    }
}

#define TITLE_FRAMES 199
#define FRAME_US     16667

static uint64_t title_us(uint64_t frame)
{
    return 1000000 + frame * FRAME_US;
}

static void begin_title(struct title_demo *demo, struct canvas *canvas, bool still_wanted)
{
    read_map("skyline", &demo->map);
    demo->ready = true;
    demo->graph = *graph_of(&demo->map);
    world_init(&demo->world, &demo->map, &(struct rules){.mode = MODE_FFA, .seed = 3});
    for (uint32_t slot = 0; slot < 6; slot++)
        join(&demo->world, &demo->map, slot);
    world_copy(&demo->before, &demo->world);
    for (uint64_t frame = 1; frame < TITLE_FRAMES; frame++)
        title_demo_draw(demo, canvas, title_us(frame), still_wanted && frame > 100);
}

// The title, before a match of bots; it stays at its last frame.
static void title(struct canvas *canvas, uint32_t still_wanted)
{
    static struct title_demo demos[2], demo;
    static struct menu menu;
    if (!demos[still_wanted].ready)
        begin_title(&demos[still_wanted], canvas, still_wanted);
    demo = demos[still_wanted];
    if (!title_demo_draw(&demo, canvas, title_us(TITLE_FRAMES), still_wanted))
        abort();
    still_preferences();
    memset(&menu, 0, sizeof menu);
    menu.preferences = &still.preferences;
    menu_open_alone(&menu, &SCREEN_TITLE);
    draw_menu(canvas, &menu, 100000);
}

static void begin_replay(struct replay_viewer *viewer, struct presenter *presenter, struct canvas *canvas, bool by_hand)
{
    struct error error;
    if (!replay_viewer_open(viewer, SOURCE_ROOT "/tests/golden/foundry.dfr", &error))
        abort();
    presenter_begin(presenter);
    replay_viewer_seek(viewer, 1500);
    for (uint32_t frame = 0; frame < 60; frame++) {
        replay_viewer_advance(viewer, FRAME_US, by_hand && frame > 30 ? BUTTON_LEFT : 0, &presenter->scene.camera);
        replay_viewer_draw(viewer, presenter, canvas, &(struct draw_options){.below = REPLAY_BAR_PX});
        viewer->free_wanted = by_hand && frame == 30;
    }
    viewer->paused = by_hand;
}

// A replay: showing all players, and with a camera moved by hand while paused; it stays where it is.
static void replay(struct canvas *canvas, uint32_t by_hand)
{
    static struct replay_viewer viewers[2];
    static struct presenter presenters[2];
    struct replay_viewer *viewer = &viewers[by_hand];
    struct presenter *presenter = &presenters[by_hand];
    still_preferences();
    presenter->display = still_options();
    if (!replay_viewer_is_open(viewer))
        begin_replay(viewer, presenter, canvas, by_hand);
    struct hints hints = {.controls = &still.preferences.controls};
    replay_viewer_advance(viewer, 0, 0, &presenter->scene.camera);
    replay_viewer_draw(viewer, presenter, canvas, &(struct draw_options){.below = REPLAY_BAR_PX});
    replay_bar_draw(viewer, canvas, &hints, presenter->display.large_text);
}

const struct picture PICTURES_MATCHES[] = {
    {"map-foundry", 0, 0, 0, 0, map, 0},
    {"map-clockwork", 0, 0, 0, 0, map, 1},
    {"map-skyline", 0, 0, 0, 0, map, 2},
    {"map-breakout", 0, 0, 0, 0, map, 3},
    {"map-duel", 0, 0, 0, 0, map, 4},
    {"map-colosseum", 0, 0, 0, 0, map, 5},
    {"match-touch", 0, 0, 0, 0, by_touch, 0},
    {"match-scoreboard", 0, 0, 0, 0, over_match, SCOREBOARD},
    {"match-vote", 0, 0, 0, 0, over_match, VOTE},
    {"match-vote-scoreboard", 0, 0, 0, 0, over_match, VOTE_AND_SCOREBOARD},
    {"match-everything", 0, 0, 0, 0, over_match, EVERYTHING},
    {"match-bare", 0, 0, 0, 0, over_match, BARE},
    {"match-large", 0, 0, 0, 0, over_match, LARGE},
    {"match-reduced-motion", 0, 0, 0, 0, over_match, REDUCED_MOTION},
    {"match-restarting", 0, 0, 0, 0, over_match, RESTARTING},
    {"match-overdue", 0, 0, 0, 0, over_match, OVERDUE},
    {"match-couch", 0, 0, 0, 0, couch, 4},
    {"match-couch-far", 0, 0, 0, 0, couch, 2},
    {"match-couch-zoom", 320, 260, 640, 360, zoom, 0},
    {"match-outside", 0, 0, 0, 0, outside, 0},
    {"match-seam", 0, 0, 0, 0, seam, 0},
    {"match-sudden-death", 0, 0, 0, 0, sudden_death, 900},
    {"match-sudden-death-begins", 0, 0, 0, 0, sudden_death, 60},
    {"match-sudden-death-near", 0, 0, 0, 0, sudden_death, 0},
    {"match-spectator", 0, 0, 0, 0, spectator, WATCHES_ALL},
    {"match-spectator-follows", 0, 0, 0, 0, spectator, FOLLOWS},
    {"match-spectator-reads", 0, 0, 0, 0, spectator, FOLLOWS_AND_READS},
    {"title", 0, 0, 0, 0, title, 0},
    {"title-still", 0, 0, 0, 0, title, 1},
    {"replay", 0, 0, 0, 0, replay, 0},
    {"replay-free-camera", 0, 0, 0, 0, replay, 1},
    {NULL, 0, 0, 0, 0, NULL, 0},
};
