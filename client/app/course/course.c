// SPDX-License-Identifier: MIT
#include "course.h"

#include <stdio.h>
#include <string.h>

#include "game/map/tiled/map_file.h"
#include "game/variant.h"
#include "text/text.h"

#define DROP      (BUTTON_DOWN | BUTTON_JUMP)
#define ARROWLESS (1u << VARIANT_NO_ARROWS)

const struct course COURSES[COURSE_COUNT] = {
    {"lesson-first",
     TEXT_KEY("Run, jump, shoot"),
     0,
     0,
     110,
     {TEXT_KEY("Run to the flag."), TEXT_KEY("Jump up to the next flag."),
      TEXT_KEY("Shoot the target: the keys that you run with aim.")},
     {BUTTON_LEFT | BUTTON_RIGHT, BUTTON_JUMP, BUTTON_SHOOT}},
    {"lesson-catch",
     TEXT_KEY("Catch"),
     3,
     0,
     378,
     {TEXT_KEY("Dash into a flying arrow: you catch it. Catch three."), TEXT_KEY("Well caught! Dash when it is near."),
      TEXT_KEY("One more: jump over an arrow, or dash into it.")},
     {BUTTON_DASH, BUTTON_DASH, BUTTON_DASH}},
    {"lesson-ledge",
     TEXT_KEY("Ledges"),
     0,
     0,
     186,
     {TEXT_KEY("Jump at the step and hold toward it: you hang on its edge. Jump again."),
      TEXT_KEY("The next one is higher: hang on, then jump."),
      TEXT_KEY("From every ledge a jump goes higher than from the ground.")},
     {BUTTON_JUMP, BUTTON_JUMP, BUTTON_JUMP}},
    {"lesson-drop",
     TEXT_KEY("Drop through planks"),
     0,
     0,
     366,
     {TEXT_KEY("Stand on the plank, hold down, and jump: you drop through."),
      TEXT_KEY("Again: down and jump. Every plank lets you through."),
      TEXT_KEY("Find the last plank, and drop to the flag.")},
     {DROP, DROP, DROP}},
    {"lesson-wall-jump",
     TEXT_KEY("Wall jumps"),
     0,
     0,
     252,
     {TEXT_KEY("Jump to the wall, then jump again while you touch it."),
      TEXT_KEY("From wall to wall you climb any shaft: jump, jump, jump.")},
     {BUTTON_JUMP, BUTTON_JUMP, 0}},
    {"lesson-stomp",
     TEXT_KEY("Stomp"),
     0,
     ARROWLESS,
     162,
     {TEXT_KEY("Jump, and land on the head of the figure that waits."),
      TEXT_KEY("A stomp throws you up: hold jump to fly higher."), TEXT_KEY("One more, and nobody is left.")},
     {BUTTON_JUMP, BUTTON_JUMP, BUTTON_JUMP}},
    {"first-steps", TEXT_KEY("First steps"), 0, 0, 156, {TEXT_KEY("Run to the flag.")}, {0}},
    {"three-arrows", TEXT_KEY("Three arrows"), 0, 0, 216, {TEXT_KEY("Hit all targets.")}, {0}},
    {"chimney", TEXT_KEY("Chimney"), 0, 0, 306, {TEXT_KEY("Climb to both flags.")}, {0}},
    {"downstairs", TEXT_KEY("Downstairs"), 0, 0, 264, {TEXT_KEY("Drop from floor to floor.")}, {0}},
    {"press-gang", TEXT_KEY("Press gang"), 0, 0, 156, {TEXT_KEY("Run under the presses.")}, {0}},
    {"freight", TEXT_KEY("Freight"), 0, 0, 204, {TEXT_KEY("Call the lift, and cross the pit.")}, {0}},
    {"hat-trick", TEXT_KEY("Hat trick"), 0, ARROWLESS, 198, {TEXT_KEY("Stomp all three.")}, {0}},
    {"kick-off",
     TEXT_KEY("Kick-off"),
     0,
     ARROWLESS,
     396,
     {TEXT_KEY("Dash into the ball, and hit the targets with it.")},
     {0}},
    {"catch-three", TEXT_KEY("Catch three"), 3, 0, 180, {TEXT_KEY("Catch three arrows.")}, {0}},
    {"ferries", TEXT_KEY("Ferries"), 0, 0, 162, {TEXT_KEY("Cross the spikes.")}, {0}},
    {"belts", TEXT_KEY("Belts"), 0, 0, 138, {TEXT_KEY("Cross the belts.")}, {0}},
    {"open-sesame", TEXT_KEY("Open sesame"), 0, 0, 126, {TEXT_KEY("Targets open the gates.")}, {0}},
    {"gallery",
     TEXT_KEY("Gallery"),
     0,
     1u << VARIANT_ENDLESS_ARROWS,
     192,
     {TEXT_KEY("Five targets, and a quiver without an end.")},
     {0}},
    {"wings", TEXT_KEY("Wings"), 0, 1u << VARIANT_WINGS, 342, {TEXT_KEY("Fly to all three flags.")}, {0}},
    {"drills",
     TEXT_KEY("Drills"),
     0,
     1u << VARIANT_DRILLS | 1u << VARIANT_ENDLESS_ARROWS,
     198,
     {TEXT_KEY("Arrows pass a wall here.")},
     {0}},
    {"demolition", TEXT_KEY("Demolition"), 0, 1u << VARIANT_BOMBS, 294, {TEXT_KEY("Blast your way to the flag.")}, {0}},
    {"moonwalk", TEXT_KEY("Moonwalk"), 0, 1u << VARIANT_LOW_GRAVITY, 168, {TEXT_KEY("Leap to all flags.")}, {0}},
    {"skating", TEXT_KEY("Skating"), 0, 1u << VARIANT_ICE, 138, {TEXT_KEY("Mind the ice.")}, {0}},
    {"gauntlet", TEXT_KEY("Gauntlet"), 0, 0, 138, {TEXT_KEY("Run, and do not stop.")}, {0}},
    {"tower", TEXT_KEY("The tower"), 0, 0, 288, {TEXT_KEY("Up, and through the gate.")}, {0}},
};

bool course_find(const struct course *course, const char *ending, char *path, size_t path_bytes)
{
    // The courses lie beside the map that every installation has.
    char beside[1024];
    bool found = map_file_find("duel", beside, sizeof beside);
    const char *slash = found ? strrchr(beside, '/') : NULL;
    int length =
        slash ? snprintf(path, path_bytes, "%.*s/trials/%s%s", (int)(slash - beside), beside, course->name, ending)
              : -1;
    if (length >= 0 && (size_t)length < path_bytes)
        return true;
    path[0] = 0;
    return false;
}

const struct course *course_of_name(const char *name)
{
    for (size_t i = 0; i < COURSE_COUNT; i++)
        if (strcmp(COURSES[i].name, name) == 0)
            return &COURSES[i];
    return NULL;
}

bool course_is_lesson(const struct course *course)
{
    return course < COURSES + COURSE_LESSONS;
}

uint32_t course_medal_ticks(const struct course *course, enum medal medal)
{
    static const uint32_t TENTHS[MEDALS] = {[MEDAL_BRONZE] = 25, [MEDAL_SILVER] = 16, [MEDAL_GOLD] = 10};
    return course->gold_ticks * TENTHS[medal] / 10;
}

enum medal course_medal(const struct course *course, uint32_t ticks)
{
    enum medal medal = MEDAL_GOLD;
    while (medal != MEDAL_NONE && (ticks == 0 || ticks > course_medal_ticks(course, medal)))
        medal--;
    return medal;
}
