// SPDX-License-Identifier: MIT
#include "person.h"

#include <stdbool.h>

#include "base/random.h"

#define DIRECTIONS ((uint32_t)(BUTTON_LEFT | BUTTON_RIGHT | BUTTON_UP | BUTTON_DOWN))

// Between two presses of a button a finger needs a moment.
#define RELEASE_TICKS 3
// A time of reaction lasts a second.
#define LAG_TICKS TICKS_PER_SECOND

static tick ticks_between(struct person *person, tick least, tick most)
{
    return least + random_below(&person->random, most - least + 1);
}

struct player_input person_input(struct person *person, struct player_input decision)
{
    tick now = PERSON_DECISIONS + person->now++;
    person->decisions[now % PERSON_DECISIONS] = decision.buttons;
    if (now % LAG_TICKS == 0 || person->lag_ticks == 0)
        person->lag_ticks = ticks_between(person, 9, 15);
    uint32_t wanted = person->decisions[(now - person->lag_ticks) % PERSON_DECISIONS];
    uint32_t begins = wanted & ~person->decisions[(now - person->lag_ticks - 1) % PERSON_DECISIONS], pressed = 0;
    for (uint32_t bit = 0; bit < BUTTON_BITS; bit++) {
        tick *until = &person->press_until[bit];
        if ((begins & ~DIRECTIONS) >> bit & 1 && now >= *until + RELEASE_TICKS)
            *until = now + ticks_between(person, 4, 9);
        pressed |= now < *until ? 1u << bit : 0;
    }
    bool aims = pressed & begins & (BUTTON_SHOOT | BUTTON_DASH);
    if (aims || now >= person->direction_until) {
        bool rests = !aims && random_below(&person->random, 8) == 0;
        person->direction = rests ? 0 : wanted & DIRECTIONS;
        person->direction_until = now + ticks_between(person, 12, 54);
    }
    return (struct player_input){person->direction | pressed};
}
