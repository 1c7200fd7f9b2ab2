// SPDX-License-Identifier: MIT
//
// Rates how strong players are, from how matches end: the Plackett-Luce model of OpenSkill (Weng and Lin, "A Bayesian
// Approximation Method for Online Ranking", JMLR 12, 2011, algorithm 4). It knows how sure it is of each player, and
// free-for-alls, teams of any size and draws need no special case. Scaled so that a newcomer has RATING_START, and 400
// points more win about ten times as often. The same on every machine with IEEE doubles. Pure.
#ifndef RECORDS_RATING_H
#define RECORDS_RATING_H

#include <stdbool.h>
#include <stdint.h>

/// Mean and deviation before the first match. OpenSkill's 25 and 25/3, times 30, plus RATING_ZERO.
#define RATING_START           1500.0
#define RATING_START_DEVIATION 250.0
/// OpenSkill's 0. Strengths of team mates add up from here.
#define RATING_ZERO 750.0
/// How much the strength that a player shows differs from match to match: OpenSkill's beta of 25/6.
#define RATING_BETA 125.0
/// How much a strength may change from match to match: OpenSkill's tau of 25/300. No rating ever becomes fixed.
#define RATING_TAU 2.5

/// A strength, as far as it is known: a normal distribution.
struct rating {
    double mean, deviation; ///< points; a deviation is above 0
};

/// The rating of a player who is new.
#define RATING_INITIAL ((struct rating){RATING_START, RATING_START_DEVIATION})
/// Players of a match at most.
#define RATING_PLAYERS_MAX 512
/// Teams of a match at most.
#define RATING_TEAMS_MAX 2

/// A player who took part in a match.
struct rating_player {
    struct rating rating; ///< before it; after rating_match() the one after it
    uint32_t team;        ///< 1 to RATING_TEAMS_MAX; 0: alone
    int32_t standing;     ///< points at its end, of the team if there is one; only compared
    bool left;            ///< before it was over: they, and a team that all have left, come last
};

/// Rates a match of at most RATING_PLAYERS_MAX players. Those who have left a team are rated as if it had come last;
/// for those who stayed, it did not have them. Without opponents nothing changes.
void rating_match(struct rating_player *players, uint32_t count);

/// Returns what a strength is at least, with 97.7 % certainty: two deviations below the mean. Players are ranked by it.
double rating_at_least(const struct rating *rating);
/// Returns a rating that comes from elsewhere: as far as possible within what matches lead to, and no surer than
/// `deviation_min`. What is no number becomes RATING_INITIAL.
struct rating rating_clamp(struct rating rating, double deviation_min);

#endif
