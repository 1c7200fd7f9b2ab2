// SPDX-License-Identifier: MIT
#include "mode_text.h"

#include "game/rules/mode.h"
#include "text/text.h"

static const struct {
    const char *title;
    const char *word; ///< where there is no room for the title; of the modes that servers offer
    const char *goal;
} ROWS[MODES] = {
    [MODE_FFA] = {TEXT_KEY("Deathmatch"), TEXT_KEY("deathmatch"),
                  TEXT_KEY("Everybody for themselves: shoot, stomp or crush the others")},
    [MODE_LMS] = {TEXT_KEY("Last one standing"), TEXT_KEY("last one"),
                  TEXT_KEY("One life per round: be the last one standing")},
    [MODE_TEAMS] = {TEXT_KEY("Teams"), TEXT_KEY("teams"),
                    TEXT_KEY("Your team against the other: shoot, stomp or crush them")},
    [MODE_BREAKOUT] = {TEXT_KEY("Breakout"), TEXT_KEY("breakout"),
                       TEXT_KEY("Drive a ball through the other side's wall of blocks")},
    [MODE_TRIAL] = {TEXT_KEY("Course"), NULL, TEXT_KEY("Do all that the course asks, as fast as you can")},
};

const char *mode_text_title(uint32_t mode)
{
    return mode < MODES ? text_of(ROWS[mode].title) : "";
}

const char *mode_text_title_of(const char *name)
{
    enum mode mode = mode_named(name);
    return mode < MODES ? mode_text_title(mode) : name;
}

const char *mode_text_word_of(const char *name)
{
    enum mode mode = mode_named(name);
    return mode < MODES ? text_of(ROWS[mode].word) : name;
}

const char *mode_text_goal(uint32_t mode)
{
    return mode < MODES ? text_of(ROWS[mode].goal) : "";
}
