// SPDX-License-Identifier: MIT
//
// Tests the controls of a touch screen: fingers in, buttons out.
#include <string.h>

#include "game/input.h"
#include "hud/controls.h"
#include "test.h"

#define THUMB 60

static struct touch_controls touch;

// A phone on its side, and one that is held upright.
static const struct touch_surface LYING = {.w = 844,
                                           .h = 390,
                                           .left = 47,
                                           .right = 47,
                                           .bottom = 21,
                                           .thumb = THUMB,
                                           .picture_x = 75,
                                           .picture_w = 693,
                                           .picture_h = 390};
static const struct touch_surface UPRIGHT = {
    .w = 390, .h = 844, .top = 47, .bottom = 34, .thumb = THUMB, .picture_y = 47, .picture_w = 390, .picture_h = 433};

static void begin(const struct touch_surface *surface, enum touch_use use)
{
    touch = (struct touch_controls){.places = CONTROLS_TOUCH};
    touch_controls_use(&touch, use);
    touch_controls_lay_out(&touch, surface);
}

static struct touch_change press(int64_t finger, uint32_t control)
{
    return touch_controls_down(&touch, finger, touch.circles[control].x, touch.circles[control].y);
}

static void on_its_side(void)
{
    begin(&LYING, TOUCH_USE_PLAY);
}

EACH_TEST(on_its_side, NULL);

BARE_TEST(every_control_is_on_the_screen_and_apart_from_the_others)
{
    const struct touch_surface *surfaces[] = {&LYING, &UPRIGHT};
    for (size_t s = 0; s < 2; s++) {
        const struct touch_surface *surface = surfaces[s];
        begin(surface, TOUCH_USE_PLAY);
        for (uint32_t i = 0; i <= TOUCH_EMOTES; i++) {
            struct touch_circle one = touch.circles[i];
            assert_true(one.radius > 0);
            assert_true(one.x - one.radius >= surface->left && one.x + one.radius <= surface->w - surface->right);
            assert_true(one.y - one.radius >= surface->top && one.y + one.radius <= surface->h - surface->bottom);
            if (surface == &UPRIGHT) // nothing covers the arena
                assert_true(one.y - one.radius >= surface->picture_y + surface->picture_h);
            for (uint32_t j = 0; j < i; j++) {
                struct touch_circle other = touch.circles[j];
                int32_t dx = one.x - other.x, dy = one.y - other.y, gap = one.radius + other.radius;
                assert_true(dx * dx + dy * dy > gap * gap);
            }
        }
    }
}

TEST(the_stick_appears_where_a_finger_lands_and_has_eight_directions)
{
    static const struct {
        int32_t dx, dy;
        uint32_t buttons;
    } ROWS[] = {
        {0, 0, 0},
        {5, -5, 0}, // within the dead zone
        {40, 0, BUTTON_RIGHT},
        {40, -15, BUTTON_RIGHT},
        {40, -18, BUTTON_RIGHT | BUTTON_UP},
        {30, -30, BUTTON_RIGHT | BUTTON_UP},
        {15, -40, BUTTON_UP},
        {-18, -40, BUTTON_LEFT | BUTTON_UP},
        {-40, 0, BUTTON_LEFT},
        {-30, 30, BUTTON_LEFT | BUTTON_DOWN},
        {0, 40, BUTTON_DOWN},
        {30, 30, BUTTON_RIGHT | BUTTON_DOWN},
    };
    for (size_t row = 0; row < sizeof ROWS / sizeof *ROWS; row++) {
        assert_int_equal(touch_controls_down(&touch, 7, 200, 250).control, TOUCH_STICK);
        touch_controls_move(&touch, 7, 200 + ROWS[row].dx, 250 + ROWS[row].dy);
        if (touch_controls_held(&touch) != ROWS[row].buttons)
            fail_msg("row %zu: %x", row, touch_controls_held(&touch));
        touch_controls_up(&touch, 7);
        assert_int_equal(touch_controls_held(&touch), 0);
    }
}

TEST(the_stick_follows_a_finger_that_goes_far)
{
    touch_controls_down(&touch, 1, 150, 250);
    touch_controls_move(&touch, 1, 350, 250);
    assert_int_equal(touch_controls_held(&touch), BUTTON_RIGHT);
    touch_controls_move(&touch, 1, 280, 250); // a part of the way back
    assert_int_equal(touch_controls_held(&touch), BUTTON_LEFT);
}

TEST(two_thumbs_play_at_once_and_each_lets_go_of_its_own)
{
    touch_controls_down(&touch, 10, 150, 250);
    touch_controls_move(&touch, 10, 110, 250);
    assert_int_equal(press(20, TOUCH_JUMP).pressed, BUTTON_JUMP);
    assert_int_equal(press(30, TOUCH_SHOOT).pressed, BUTTON_SHOOT);
    assert_int_equal(touch_controls_held(&touch), BUTTON_LEFT | BUTTON_JUMP | BUTTON_SHOOT);
    touch_controls_up(&touch, 20);
    assert_int_equal(touch_controls_held(&touch), BUTTON_LEFT | BUTTON_SHOOT);
    touch_controls_up(&touch, 10);
    assert_int_equal(touch_controls_held(&touch), BUTTON_SHOOT);
    touch_controls_up(&touch, 99); // nobody's
    touch_controls_move(&touch, 99, 1, 1);
    assert_int_equal(touch_controls_held(&touch), BUTTON_SHOOT);
    touch_controls_clear(&touch);
    assert_int_equal(touch_controls_held(&touch), 0);
}

TEST(a_second_finger_on_a_button_is_no_new_press)
{
    assert_true(press(1, TOUCH_DASH).began);
    struct touch_change second = press(2, TOUCH_DASH);
    assert_false(second.began);
    assert_int_equal(second.pressed, 0);
    touch_controls_up(&touch, 1);
    assert_int_equal(touch_controls_held(&touch), BUTTON_DASH);
}

TEST(a_button_is_hit_a_little_beside_it_and_the_nearest_wins)
{
    struct touch_circle jump = touch.circles[TOUCH_JUMP], shoot = touch.circles[TOUCH_SHOOT];
    assert_int_equal(touch_controls_down(&touch, 1, jump.x + jump.radius + 10, jump.y).control, TOUCH_JUMP);
    int32_t y = (jump.y + shoot.y) / 2;
    assert_int_equal(touch_controls_down(&touch, 2, jump.x - jump.radius - 2, y).control, TOUCH_JUMP);
    assert_int_equal(touch_controls_down(&touch, 3, shoot.x + shoot.radius + 2, y).control, TOUCH_SHOOT);
    assert_int_equal(touch_controls_down(&touch, 4, 600, 120).control, TOUCH_NOTHING);
    assert_int_equal(touch_controls_down(&touch, 5, 422, 10).control, TOUCH_SCORES);
}

BARE_TEST(a_finger_that_does_not_move_taps_and_one_that_does_drags)
{
    begin(&LYING, TOUCH_USE_POINTER);
    assert_int_equal(touch_controls_down(&touch, 1, 400, 200).control, TOUCH_NOTHING);
    assert_false(touch_controls_move(&touch, 1, 408, 206).dragged);
    assert_true(touch_controls_up(&touch, 1).tapped);
    touch_controls_down(&touch, 1, 400, 200);
    assert_int_equal(touch_controls_move(&touch, 1, 400, 180).down, -20);
    assert_int_equal(touch_controls_move(&touch, 1, 400, 190).down, 10); // also back again
    struct touch_change up = touch_controls_up(&touch, 1);
    assert_true(up.dragged);
    assert_false(up.tapped);
    assert_int_equal(touch_controls_held(&touch), 0);
}

TEST(a_finger_lets_go_of_a_control_that_goes_away_and_taps_nothing_below)
{
    press(1, TOUCH_PAUSE);
    press(2, TOUCH_JUMP);
    touch_controls_use(&touch, TOUCH_USE_POINTER);
    assert_int_equal(touch_controls_held(&touch), 0);
    assert_false(touch_controls_up(&touch, 2).tapped);
    assert_false(touch_controls_up(&touch, 1).tapped);
}

BARE_TEST(each_use_has_its_controls)
{
    static const uint32_t BITS[] = {[TOUCH_USE_POINTER] = 0,
                                    [TOUCH_USE_PAUSE] = 1u << TOUCH_PAUSE,
                                    [TOUCH_USE_COURSE] = (1u << (TOUCH_PAUSE + 1)) - 1,
                                    [TOUCH_USE_PLAY] = (1u << TOUCH_CONTROLS) - 1};
    for (uint32_t use = 0; use <= TOUCH_USE_PLAY; use++) {
        begin(&LYING, (enum touch_use)use);
        for (uint32_t i = 0; i < TOUCH_CONTROLS; i++)
            assert_int_equal(touch_controls_has(&touch, i), BITS[use] >> i & 1);
        assert_int_equal(press(1, TOUCH_JUMP).pressed, use >= TOUCH_USE_COURSE ? BUTTON_JUMP : 0);
    }
}

TEST(more_fingers_than_there_are_do_nothing)
{
    for (int64_t finger = 0; finger < TOUCH_FINGERS; finger++)
        touch_controls_down(&touch, finger, 600, 120);
    assert_int_equal(press(TOUCH_FINGERS, TOUCH_JUMP).control, TOUCH_NOTHING);
    assert_int_equal(touch_controls_held(&touch), 0);
}

TEST(an_emote_is_chosen_by_dragging_from_its_control)
{
    struct touch_circle emotes = touch.circles[TOUCH_EMOTES];
    press(1, TOUCH_EMOTES);
    assert_int_equal(touch_controls_ways(&touch, TOUCH_EMOTES), 0);
    touch_controls_move(&touch, 1, emotes.x - 50, emotes.y + 50);
    assert_int_equal(touch_controls_ways(&touch, TOUCH_EMOTES), BUTTON_LEFT | BUTTON_DOWN);
    assert_int_equal(touch_controls_held(&touch), 0);
}

BARE_TEST(a_glyph_is_a_translucent_disc_with_ink_and_brass_under_a_finger)
{
    static uint32_t pixels[2][64 * 64];
    for (uint32_t glyph = 0; glyph < TOUCH_GLYPHS; glyph++) {
        uint32_t inked = 0, seen_through = 0;
        struct touch_disc disc = {.art = glyph < TOUCH_CONTROLS ? CONTROLS_TOUCH[glyph].art : NULL,
                                  .solid = glyph == TOUCH_CONTROLS};
        touch_picture_disc(pixels[0], 64, disc);
        disc.lit = true;
        touch_picture_disc(pixels[1], 64, disc);
        assert_int_equal(pixels[0][0] >> 24, 0); // a corner
        for (size_t i = 0; i < 64 * 64; i++) {
            inked += (pixels[0][i] & 0xFFFFFF) == 0xF4F6F2;
            seen_through += pixels[0][i] >> 24 > 0 && pixels[0][i] >> 24 < 200;
        }
        assert_true(seen_through > 800);
        assert_int_equal(inked > 100, glyph >= TOUCH_JUMP && glyph <= TOUCH_EMOTES);
        assert_memory_not_equal(pixels[0], pixels[1], sizeof pixels[0]);
    }
}
