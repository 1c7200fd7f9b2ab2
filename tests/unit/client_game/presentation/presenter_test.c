// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/rules/standing.h"
#include "presentation/presenter.h"
#include "test.h"
#include "test_match.h"

#define KILLER 1
#define VICTIM 0

static const char *const ROOM[] = {"####################",
                                   "#..................#",
                                   "#..................#",
                                   "#..................#",
                                   "#.S................#",
                                   "####################",
                                   0};
static struct test_match match;
static struct world before;
static struct view view;
static struct kill_cam kill_cam;
static struct presenter presenter;
static struct canvas canvas, other, after_round;

static void make(void)
{
    assert_true(kill_cam_create(&kill_cam));
}

static void drop(void)
{
    kill_cam_destroy(&kill_cam);
}

ALL_TESTS(make, drop);

static void start(void)
{
    test_match_draw(&match, ROOM);
    test_match_start(&match);
    test_match_put(&match, VICTIM, 30, 40);
    test_match_put(&match, KILLER, 100, 40);
    match.world.round.phase = ROUND_PLAYING;
    kill_cam_clear(&kill_cam);
    kill_cam.view = (struct view){0};
}

// One tick of the match, recognisable by the second player's position, with an event or none.
static struct view *live(const struct event *event)
{
    before = match.world;
    match.world.tick++;
    match.world.actors[KILLER].x = (int32_t)(100 + match.world.tick % 40);
    if (event) {
        struct event *place = &match.world.events[match.world.event_count++ % EVENT_CAPACITY];
        *place = *event;
        place->tick = match.world.tick;
    }
    view_fill(&view, &match.map, &before, &match.world, 0, 0);
    view.slot = VICTIM;
    view.event_count = event ? 1 : 0;
    if (event)
        view.events[0] = match.world.events[(match.world.event_count - 1) % EVENT_CAPACITY];
    return kill_cam_record(&kill_cam, &view);
}

static struct event kill_of(uint32_t killer, uint32_t victim)
{
    return (struct event){.kind = EVENT_KILL, .subject = victim, .other = killer, .x = 30, .y = 40};
}

// Plays so many ticks, then a tick in which these events happen: kills, and the end of a round.
static void play_to(uint32_t ticks, const struct event *events, uint32_t count)
{
    for (uint32_t i = 0; i < ticks; i++)
        assert_null(live(0));
    before = match.world;
    match.world.tick++;
    for (uint32_t i = 0; i < count; i++) {
        struct event *place = &match.world.events[match.world.event_count++ % EVENT_CAPACITY];
        *place = events[i];
        place->tick = match.world.tick;
        match.world.round.phase = events[i].kind == EVENT_ROUND ? events[i].detail : match.world.round.phase;
    }
    view_fill(&view, &match.map, &before, &match.world, 0, 0);
    view.slot = VICTIM;
    view.event_count = 0;
    view_add_events(&view, &match.world, before.event_count);
    assert_null(kill_cam_record(&kill_cam, &view));
}

// Plays a round that a kill decides. The killer wins it.
static void decide(uint32_t ticks, enum round_phase phase)
{
    struct event events[] = {kill_of(KILLER, VICTIM), {.kind = EVENT_ROUND, .subject = KILLER, .detail = phase}};
    play_to(ticks, events, 2);
}

TEST(the_deciding_kill_is_replayed_slower_toward_the_hit_and_once)
{
    start();
    decide(100, ROUND_OVER);
    tick killed = match.world.tick, first = 0, last = 0;
    uint32_t shown = 0, kills = 0, rounds = 0, at_start = 0, at_hit = 0;
    for (uint32_t i = 0; i < 400; i++) {
        struct view *again = live(0);
        if (!again)
            continue;
        shown++;
        first = first ? first : again->world->tick;
        last = again->world->tick;
        at_start += again->world->tick <= killed - 40;
        at_hit += again->world->tick > killed - 4 && again->world->tick <= killed + 4;
        assert_int_equal(again->slot, KILLER);
        for (uint32_t event = 0; event < again->event_count; event++) {
            kills += again->events[event].kind == EVENT_KILL;
            rounds += again->events[event].kind == EVENT_ROUND;
        }
    }
    assert_in_range(first, killed - KILL_CAM_BEFORE_TICKS - 2, killed - KILL_CAM_BEFORE_TICKS + 3);
    assert_in_range(last, killed + KILL_CAM_AFTER_TICKS - 3, killed + KILL_CAM_AFTER_TICKS + 3);
    assert_in_range(at_start, 17, 22); // 20 ticks at full speed
    assert_in_range(at_hit, 20, 30);   // 8 ticks at a third of it
    assert_in_range(shown, 95, 125);
    assert_int_equal(kills, 1);
    assert_int_equal(rounds, 0);
    assert_false(kill_cam.shows);
}

TEST(of_several_kills_that_of_the_winner_decides)
{
    for (uint32_t first = 0; first < 2; first++) {
        start();
        struct event kills[] = {kill_of(KILLER, VICTIM), kill_of(EVENT_NOBODY, 3)};
        struct event events[] = {
            kills[first], kills[!first], {.kind = EVENT_ROUND, .subject = KILLER, .detail = ROUND_OVER}};
        play_to(100, events, 3);
        for (uint32_t i = 0; i < 30; i++)
            live(0);
        assert_true(kill_cam.shows);
        assert_int_equal(kill_cam.kill.subject, VICTIM);
    }
}

TEST(an_earlier_kill_decides_nothing)
{
    start();
    struct event kill = kill_of(KILLER, VICTIM), end = {.kind = EVENT_ROUND, .subject = KILLER, .detail = ROUND_OVER};
    play_to(100, &kill, 1);
    play_to(0, &end, 1); // such as the end of the time
    for (uint32_t i = 0; i < 100; i++)
        assert_null(live(0));
}

TEST(the_kill_of_the_next_round_is_replayed_too)
{
    start();
    for (int round = 0; round < 2; round++) {
        uint32_t shown = 0;
        match.world.round.phase = ROUND_PLAYING;
        decide(100, ROUND_MATCH_OVER);
        for (uint32_t i = 0; i < 300; i++)
            shown += live(0) != 0;
        assert_true(shown > 90);
    }
}

TEST(the_next_round_ends_the_replay)
{
    start();
    decide(100, ROUND_OVER);
    for (uint32_t i = 0; i < 40; i++)
        live(0);
    assert_true(kill_cam.shows);
    struct event next = {.kind = EVENT_ROUND, .subject = EVENT_NOBODY, .detail = ROUND_COUNTDOWN};
    assert_null(live(&next));
    for (uint32_t i = 0; i < 100; i++)
        assert_null(live(0));
}

TEST(a_round_without_a_kill_replays_nothing)
{
    start();
    struct event end = {.kind = EVENT_ROUND, .subject = EVENT_NOBODY, .detail = ROUND_OVER};
    play_to(100, &end, 1);
    for (uint32_t i = 0; i < 300; i++)
        assert_null(live(0));
}

// The prediction may show a kill and the end of a round that never happen.
TEST(only_confirmed_worlds_are_replayed)
{
    static struct world predicted;
    start();
    decide(100, ROUND_OVER);
    for (uint32_t i = 0; i < 60; i++) {
        before = match.world;
        match.world.tick++;
        predicted = match.world;
        predicted.tick += 10;
        predicted.actors[KILLER].x = 300;
        view_fill(&view, &match.map, &predicted, &predicted, 0, 0);
        view.confirmed = &match.world;
        view.event_count = 0;
        const struct view *again = kill_cam_record(&kill_cam, &view);
        assert_true(!again || again->world->actors[KILLER].x < 140);
    }
    assert_true(kill_cam.shows);
}

TEST(a_tick_that_goes_back_means_another_match)
{
    start();
    decide(100, ROUND_OVER);
    match.world.tick = 3;
    for (uint32_t i = 0; i < 60; i++)
        assert_null(live(0));
    for (uint32_t i = 0; i + 1 < kill_cam.world_count; i++)
        assert_true(kill_cam.worlds[i].tick < kill_cam.worlds[i + 1].tick);
}

TEST(another_match_forgets_the_worlds_before)
{
    start();
    for (uint32_t i = 0; i < 100; i++)
        live(0);
    kill_cam_clear(&kill_cam);
    tick begun = match.world.tick;
    decide(20, ROUND_OVER);
    uint32_t shown = 0;
    for (uint32_t i = 0; i < 300; i++) {
        struct view *again = live(0);
        shown += again != NULL;
        if (again)
            assert_true(again->world->tick > begun);
    }
    assert_in_range(shown, 40, 125);
}

TEST(without_memory_nothing_is_replayed)
{
    static struct kill_cam none;
    start();
    match.world.round.phase = ROUND_OVER;
    view_fill(&view, &match.map, &match.world, &match.world, 256, 0);
    assert_null(kill_cam_record(&none, &view));
}

static void show(void)
{
    match.world.tick++;
    view_fill(&view, &match.map, &match.world, &match.world, 256, 0);
    view.slot = VICTIM;
    view.event_count = 0;
    presenter_show(&presenter, &canvas, &view, &(struct draw_options){0});
}

TEST(a_spectator_sees_the_view_of_the_chosen_player)
{
    start();
    memset(&presenter, 0, sizeof presenter);
    presenter.display = DISPLAY_OPTIONS_DEFAULT;
    presenter_begin(&presenter);
    match.world.players[VICTIM].state = PLAYER_SPECTATOR;
    show();
    assert_int_equal(view.slot, VICTIM);
    presenter.held = BUTTON_SHOOT;
    show();
    assert_int_equal(view.slot, KILLER);
    presenter.held = BUTTON_JUMP;
    show();
    assert_true(presenter.scene.camera.free);
    match.world.players[VICTIM].state = PLAYER_ALIVE;
    show();
    assert_int_equal(view.slot, VICTIM);
    assert_false(presenter.scene.camera.free);
}

// Plays a kill and the end of its round; returns whether the kill was replayed.
static bool sees_the_kill_again(bool wanted)
{
    bool shown = false;
    start();
    memset(&presenter, 0, sizeof presenter);
    presenter.display = DISPLAY_OPTIONS_DEFAULT;
    presenter.display.kill_replays = wanted;
    assert_true(kill_cam_create(&presenter.kill_cam));
    presenter_begin(&presenter);
    for (int i = 0; i < 200; i++) {
        uint32_t first = match.world.event_count;
        match.world.tick++;
        if (i == 100) {
            struct event kill = kill_of(KILLER, VICTIM), end = {.kind = EVENT_ROUND, .detail = ROUND_OVER};
            kill.tick = end.tick = match.world.tick;
            match.world.events[match.world.event_count++ % EVENT_CAPACITY] = kill;
            match.world.events[match.world.event_count++ % EVENT_CAPACITY] = end;
            match.world.round.phase = ROUND_OVER;
        }
        view_fill(&view, &match.map, &match.world, &match.world, 256, 0);
        view.slot = VICTIM;
        view.event_count = 0;
        view_add_events(&view, &match.world, first);
        presenter_show(&presenter, &canvas, &view, &(struct draw_options){0});
        shown |= presenter.kill_cam.shows;
        if (i == 105)
            after_round = canvas;
    }
    kill_cam_destroy(&presenter.kill_cam);
    return shown;
}

TEST(the_deciding_kill_is_replayed_if_the_option_is_on)
{
    assert_false(sees_the_kill_again(false));
    other = after_round;
    assert_true(sees_the_kill_again(true));
    assert_memory_not_equal(&after_round, &other, sizeof other); // the card would tell the end of the story
}

TEST(reduced_motion_or_no_shaking_keeps_the_picture_still)
{
    static const struct display_options rows[] = {{.shake = 10, .reduced_motion = true}, {.shake = 0}, {.shake = 10}};
    for (size_t i = 0; i < 3; i++) {
        start();
        memset(&presenter, 0, sizeof presenter);
        presenter.display = rows[i];
        presenter_begin(&presenter);
        show();
        view.event_count = 1;
        view.events[0] = (struct event){.kind = EVENT_SLAM, .x = 60, .y = 30, .subject = EVENT_NOBODY};
        presenter_show(&presenter, &other, &view, &(struct draw_options){0});
        assert_int_equal(presenter.scene.camera.shake > 0, i == 2);
    }
}

TEST(awards_go_to_the_best_and_never_for_nothing)
{
    struct award awards[AWARD_KINDS];
    start();
    assert_int_equal(standing_awards(&match.world, awards), 0);
    match.world.players[0].stats.kills = 3;
    match.world.players[1].stats.kills = 5;
    match.world.players[0].stats.catches = 2;
    match.world.players[0].stats.shots = 4; // too few shots for the award
    match.world.players[0].stats.hits = 4;
    match.world.players[1].stats.shots = 10;
    match.world.players[1].stats.hits = 7;
    match.world.players[1].stats.catches = 2; // as many as the first player, who has fewer points
    match.world.players[1].score = 5;
    static const struct {
        uint32_t slot, value;
    } rows[] = {{1, 5}, {1, 2}, {1, 70}};
    assert_int_equal(standing_awards(&match.world, awards), 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(awards[i].slot, rows[i].slot);
        assert_int_equal(awards[i].value, rows[i].value);
    }
}

// The sounds that play now, by the voices of the mixer.
static bool sounds(enum sound sound)
{
    for (uint32_t i = 0; i < MIXER_VOICES; i++) {
        const struct mixer_voice *voice = &presenter.sound.mixer.voices[i];
        if (voice->sound == sound && (voice->left || voice->right))
            return true;
    }
    return false;
}

TEST(a_match_sounds_like_its_map_and_events)
{
    struct error error;
    start();
    memset(&presenter, 0, sizeof presenter);
    presenter.display = DISPLAY_OPTIONS_DEFAULT;
    presenter.volumes = (struct sound_volumes){100, 90, 80, 60, 50};
    setenv("SDL_AUDIODRIVER", "dummy", 1);
    assert_true(presenter_open(&presenter, NULL, &error));
    presenter_begin(&presenter);
    match.map.theme = MAP_THEME_SNOW;
    presenter.volumes.ambience = 70;
    show();
    assert_int_equal(presenter.sound.mixer.ambience.theme->seed, MAP_THEME_SNOW + 1);
    assert_int_equal(presenter.sound.mixer.volumes.master, 100);
    assert_int_equal(presenter.sound.mixer.volumes.effects, 90);
    assert_int_equal(presenter.sound.mixer.volumes.ambience, 70);
    assert_int_equal(presenter.sound.mixer.volumes.music, 60);
    assert_int_equal(presenter.sound.mixer.music.theme->seed, MAP_THEME_SNOW + 1);
    assert_int_equal(presenter.sound.mixer.music.tension, tension_of(&match.world));
    assert_false(sounds(SOUND_EXPLOSION));
    view.events[0] = (struct event){.kind = EVENT_EXPLODE, .subject = VICTIM, .x = 50, .y = 40};
    view.event_count = 1;
    presenter_show(&presenter, &canvas, &view, &(struct draw_options){0});
    assert_true(sounds(SOUND_EXPLOSION));
    sound_device_click(&presenter.sound, SOUND_CHAT);
    assert_true(sounds(SOUND_CHAT));
    presenter_wait(&presenter);
    assert_null(presenter.sound.mixer.ambience.theme);
    assert_non_null(presenter.kill_cam.worlds);
    assert_true(presenter_close(&presenter, NULL));
    assert_null(presenter.kill_cam.worlds);
    assert_int_equal(presenter.sound.id, 0);
    setenv("SDL_AUDIODRIVER", "there is none", 1);
    assert_false(presenter_open(&presenter, NULL, &error)); // silence, and nothing else
    assert_non_null(strstr(error.text, "There is no sound"));
    sound_device_click(&presenter.sound, SOUND_CHAT);
    assert_false(sounds(SOUND_CHAT));
    assert_true(presenter_close(&presenter, NULL));
}
