// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "scene/scene.h"
#include "test.h"
#include "test_match.h"

static const char *const ROOM[] = {
    "##########", "#........#", "#........#", "#........#", "#.S......#", "##########", 0};
static struct test_match match;
static struct view view;
static struct scene scene;

static void start(void)
{
    static const char *const NAMES[] = {"Ada", "Zed"};
    test_match_draw(&match, ROOM);
    test_match_start(&match);
    memset(&scene, 0, sizeof scene);
    for (uint32_t slot = 0; slot < 2; slot++) {
        struct player *player = test_match_put(&match, slot, 20 + (int32_t)slot * 30, 40);
        memset(player->name, 0, sizeof player->name);
        memcpy(player->name, NAMES[slot], strlen(NAMES[slot]));
    }
}

static void show(const struct event *event)
{
    match.world.tick++;
    view_fill(&view, &match.map, &match.world, &match.world, 256, 0);
    view.slot = 0;
    view.event_count = event ? 1 : 0;
    if (event)
        view.events[0] = *event;
    scene_update(&scene, &view);
}

static int32_t particles_of(enum particle_kind kind)
{
    int32_t count = 0;
    for (int32_t i = 0; i < PARTICLE_CAPACITY; i++)
        count += scene.particles.all[i].kind == kind;
    return count;
}

TEST(a_death_adds_one_feed_line_and_one_splat)
{
    start();
    show(&(struct event){.kind = EVENT_KILL, .x = 30, .y = 30, .subject = 1, .other = 0, .detail = DEATH_STOMP});
    assert_string_equal(scene.feed[0].killer, "Ada");
    assert_string_equal(scene.feed[0].victim, "Zed");
    assert_int_equal(scene.feed[0].cause, DEATH_STOMP);
    int32_t drops = particles_of(PARTICLE_DROP) + particles_of(PARTICLE_STUCK);
    assert_true(drops > 10);
    for (int i = 0; i < 10; i++)
        show(0);
    assert_string_equal(scene.feed[1].victim, "");
    assert_int_equal(particles_of(PARTICLE_DROP) + particles_of(PARTICLE_STUCK), drops);
}

TEST(a_death_by_a_crusher_has_no_killer_in_the_feed)
{
    start();
    show(&(struct event){.kind = EVENT_KILL, .subject = 1, .other = EVENT_NOBODY, .detail = DEATH_SQUISH});
    assert_string_equal(scene.feed[0].killer, "");
    assert_string_equal(scene.feed[0].victim, "Zed");
}

TEST(the_feed_keeps_the_newest_lines)
{
    start();
    for (uint32_t i = 0; i < KILL_FEED_LINES + 3; i++)
        show(&(struct event){.kind = EVENT_KILL, .subject = i & 1, .other = EVENT_NOBODY, .detail = DEATH_FALL});
    assert_string_equal(scene.feed[0].victim, "Zed");
    assert_string_equal(scene.feed[1].victim, "Ada");
    assert_string_not_equal(scene.feed[KILL_FEED_LINES - 1].victim, "");
}

TEST(drops_of_a_splat_come_to_rest_on_walls_and_vanish_in_time)
{
    start();
    show(&(struct event){.kind = EVENT_KILL, .x = 30, .y = 30, .subject = 1, .other = 0, .detail = DEATH_SQUISH});
    for (int i = 0; i < 120; i++)
        show(0);
    assert_true(particles_of(PARTICLE_STUCK) > 10);
    assert_int_equal(particles_of(PARTICLE_DROP), 0);
    for (int i = 0; i < 500; i++)
        show(0);
    assert_int_equal(particles_of(PARTICLE_STUCK), 0);
}

TEST(reduced_motion_shows_a_third_of_the_particles)
{
    static const struct display_options calm = {.reduced_motion = true};
    int32_t drops[2];
    for (int i = 0; i < 2; i++) {
        start();
        scene.display = i ? &calm : 0;
        show(&(struct event){.kind = EVENT_KILL, .x = 30, .y = 30, .subject = 1, .other = 0, .detail = DEATH_STOMP});
        drops[i] = particles_of(PARTICLE_DROP) + particles_of(PARTICLE_STUCK);
    }
    assert_in_range(drops[1], drops[0] / 3, drops[0] / 3 + 1);
}

TEST(nothing_happens_without_an_event)
{
    start();
    for (int i = 0; i < 60; i++)
        show(0);
    for (int32_t i = 0; i < PARTICLE_CAPACITY; i++)
        assert_int_equal(scene.particles.all[i].kind, PARTICLE_NONE);
    assert_int_equal(scene.camera.shake, 0);
}

TEST(a_slam_shakes_only_a_near_camera)
{
    start();
    show(0);
    show(&(struct event){.kind = EVENT_SLAM, .x = 5000, .y = 5000, .subject = EVENT_NOBODY, .other = EVENT_NOBODY});
    assert_int_equal(scene.camera.shake, 0);
    show(&(struct event){.kind = EVENT_SLAM, .x = 40, .y = 40, .subject = EVENT_NOBODY, .other = EVENT_NOBODY});
    assert_true(scene.camera.shake > 0);
}

TEST(events_with_impossible_values_are_harmless)
{
    start();
    for (uint32_t kind = 0; kind < EVENT_KINDS + 2; kind++)
        for (int i = 0; i < 4; i++) {
            static const uint32_t wild[] = {EVENT_NOBODY, 0xFFFFFFFF, 200, 0};
            static const int32_t places[] = {INT32_MAX, INT32_MIN, DF_COORDINATE_PX_MAX, -DF_COORDINATE_PX_MAX};
            show(&(struct event){.kind = kind,
                                 .x = places[i],
                                 .y = places[3 - i],
                                 .subject = i < 2 ? wild[i] : 0,
                                 .other = wild[i],
                                 .detail = wild[i]});
        }
}

TEST(a_figure_is_reset_with_its_player)
{
    start();
    show(0);
    show(0);
    assert_true(scene.figures[1].seen);
    match.world.players[1].state = PLAYER_DEAD;
    show(0);
    assert_false(scene.figures[1].seen);
    match.world.players[1].state = PLAYER_ALIVE;
    match.world.players[1].generation++;
    show(0);
    assert_true(scene.figures[1].seen);
}
