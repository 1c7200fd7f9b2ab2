// SPDX-License-Identifier: MIT
#include "rating.h"

#include <assert.h>
#include <math.h>

#define SHRINK_MIN 0.0001 // of a variance by one match; OpenSkill's kappa
// Within these limits a rating comes from elsewhere; no number of matches leads beyond them.
#define MEAN_MAX      10000.0
#define DEVIATION_MIN 1.0

// A team, or a player alone.
struct side {
    double mean, variance, power; // power: e to the mean by the scale of the match
    double gain, certainty;       // how much its mean moves, and how much its variance shrinks
    int32_t standing;
    bool came_last;
    uint32_t same; // sides with the same place, itself included
};

struct field {
    uint32_t side_count;
    struct side sides[RATING_PLAYERS_MAX];
    uint32_t side_of[RATING_PLAYERS_MAX]; // by player; ABSENT: not rated
};
#define ABSENT UINT32_MAX

// The same on every machine, which the exp() of C libraries is not: 2^n times a series for the rest, |x| < 0.35.
static double power_of_e(double x)
{
    double whole = floor(x * 1.4426950408889634 + 0.5), rest = x - whole * 0.6931471805599453, sum = 1;
    for (int i = 17; i > 0; i--)
        sum = 1 + sum * rest / i;
    return ldexp(sum, (int)whole);
}

static double variance_before(const struct rating *rating)
{
    return rating->deviation * rating->deviation + RATING_TAU * RATING_TAU;
}

static bool is_behind(const struct side *side, const struct side *other)
{
    return side->came_last != other->came_last ? side->came_last : side->standing < other->standing;
}

// Returns whether nobody has stayed in a team.
static bool is_deserted(const struct rating_player *players, uint32_t count, uint32_t team)
{
    for (uint32_t i = 0; i < count; i++)
        if (players[i].team == team && !players[i].left)
            return false;
    return true;
}

static struct side *find_side(struct field *field, const struct rating_player *players, uint32_t index)
{
    for (uint32_t i = 0; i < index; i++)
        if (players[index].team != 0 && players[i].team == players[index].team && field->side_of[i] != ABSENT)
            return &field->sides[field->side_of[i]];
    struct side *side = &field->sides[field->side_count++];
    *side = (struct side){.standing = players[index].standing};
    return side;
}

// Fills the field. A player who has left a team that plays on is not in it, unless that is the `fallen` team, which
// comes last with all who were in it.
static void gather(struct field *field, const struct rating_player *players, uint32_t count, uint32_t fallen)
{
    field->side_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct rating_player *player = &players[i];
        bool falls = player->team != 0 && player->team == fallen;
        bool last = falls || (player->left && (player->team == 0 || is_deserted(players, count, player->team)));
        field->side_of[i] = ABSENT;
        if (player->left && !last)
            continue;
        struct side *side = find_side(field, players, i);
        field->side_of[i] = (uint32_t)(side - field->sides);
        side->mean += player->rating.mean - RATING_ZERO;
        side->variance += variance_before(&player->rating);
        side->came_last = last;
        side->standing = last ? 0 : player->standing;
    }
}

// Algorithm 4: for each place from the first, who of those who are left takes it?
static void rate(struct field *field)
{
    double square = 0, most = -INFINITY;
    struct side *sides = field->sides;
    uint32_t count = field->side_count;
    for (uint32_t i = 0; i < count; i++) {
        square += sides[i].variance + RATING_BETA * RATING_BETA;
        most = fmax(most, sides[i].mean);
        for (uint32_t j = 0; j < count; j++)
            sides[i].same += !is_behind(&sides[i], &sides[j]) && !is_behind(&sides[j], &sides[i]);
    }
    double scale = sqrt(square);
    for (uint32_t i = 0; i < count; i++)
        sides[i].power = power_of_e((sides[i].mean - most) / scale); // of no side too large; only ratios matter
    for (uint32_t place = 0; place < count; place++) {
        double rivals = 0;
        for (uint32_t i = 0; i < count; i++)
            rivals += is_behind(&sides[place], &sides[i]) ? 0 : sides[i].power;
        for (uint32_t i = 0; i < count; i++) {
            if (is_behind(&sides[place], &sides[i]))
                continue;
            double chance = rivals > 0 ? sides[i].power / rivals : 1.0 / count;
            sides[i].gain += ((i == place) - chance) / sides[place].same / scale;
            sides[i].certainty +=
                chance * (1 - chance) / sides[place].same * sqrt(sides[i].variance) / (scale * scale * scale);
        }
    }
}

static struct rating rating_after(const struct rating *before, const struct side *side)
{
    double variance = variance_before(before);
    return (struct rating){before->mean + variance * side->gain,
                           sqrt(variance * fmax(1 - variance * side->certainty, SHRINK_MIN))};
}

void rating_match(struct rating_player *players, uint32_t count)
{
    struct field field;
    struct rating after[RATING_PLAYERS_MAX];
    assert(count <= RATING_PLAYERS_MAX);
    gather(&field, players, count, 0);
    if (field.side_count < 2)
        return;
    rate(&field);
    for (uint32_t i = 0; i < count; i++)
        if (field.side_of[i] != ABSENT)
            after[i] = rating_after(&players[i].rating, &field.sides[field.side_of[i]]);
    for (uint32_t team = 1; team <= RATING_TEAMS_MAX; team++) {
        if (is_deserted(players, count, team))
            continue;
        gather(&field, players, count, team); // those who have left it are rated as if it had come last
        rate(&field);
        for (uint32_t i = 0; i < count; i++)
            if (players[i].team == team && players[i].left)
                after[i] = rating_after(&players[i].rating, &field.sides[field.side_of[i]]);
    }
    for (uint32_t i = 0; i < count; i++)
        players[i].rating = after[i];
}

double rating_at_least(const struct rating *rating)
{
    return rating->mean - 2 * rating->deviation;
}

struct rating rating_clamp(struct rating rating, double deviation_min)
{
    if (!isfinite(rating.mean) || !isfinite(rating.deviation))
        return RATING_INITIAL;
    double least = fmax(deviation_min, DEVIATION_MIN);
    return (struct rating){fmin(fmax(rating.mean, -MEAN_MAX), MEAN_MAX),
                           fmin(fmax(rating.deviation, least), RATING_START_DEVIATION)};
}
