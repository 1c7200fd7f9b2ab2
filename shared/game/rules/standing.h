// SPDX-License-Identifier: MIT
//
// How a match stands: who leads, who needs one point more, who of a round is left, and which players did most of
// something. Pure functions of the world, so the scoreboard, the music, the announcer and the bots' skill agree about
// it, and no award has to be sent.
#ifndef GAME_STANDING
#define GAME_STANDING

#include "game/state.h"
#include "mode.h"

/// Returns the player or team that leads, all zero if several do, and writes their points; INT32_MIN if nobody plays.
struct outcome standing_leader(const struct world *world, int32_t *score);

/// Returns true if the leaders, one or several, need one more point to win by the score limit.
bool standing_is_match_point(const struct world *world);

/// Returns how many players live.
uint32_t standing_alive(const struct world *world);

// --- awards

/// What an award is for.
enum award_kind {
    AWARD_KILLS,    ///< most kills
    AWARD_SQUISHES, ///< most players squished
    AWARD_CATCHES,  ///< most arrows caught
    AWARD_ACCURACY, ///< best share of hits, at least AWARD_HITS_LEAST, in at least AWARD_SHOTS_LEAST shots; value: per
                    ///< cent
    AWARD_KINDS
};

/// Accuracy over fewer shots than these proves nothing.
#define AWARD_SHOTS_LEAST 5
/// Nobody is praised for fewer hits, per cent of the shots.
#define AWARD_HITS_LEAST 10

/// One award.
struct award {
    enum award_kind kind;
    uint32_t slot;  ///< of the player who gets it
    uint32_t value; ///< how many; never 0
};

/// Writes the awards of the present match in the order of their kinds, without those that nobody earned. Players who
/// left get none. Of equals the player with the higher score gets it, then the lower slot. Returns how many there are.
uint32_t standing_awards(const struct world *world, struct award awards[AWARD_KINDS]);

/// What about a player may make the others smile.
enum award_oddity_kind {
    ODDITY_NONE,       ///< nothing remarkable has happened
    ODDITY_OWN_KILLS,  ///< deaths of their own doing
    ODDITY_WALL_SHOTS, ///< arrows in walls
    ODDITY_FALL,       ///< metres fallen; a player is 1.75 m tall
    ODDITY_JUMPS,      ///< jumps
    ODDITY_KINDS
};

/// Pixels of a metre.
#define AWARD_METRE_PX 8

/// The oddity of a match.
struct award_oddity {
    enum award_oddity_kind kind;
    uint32_t slot;  ///< of the player
    uint32_t value; ///< how many
};

/// Returns the most remarkable number of the present match: the largest for what is usual of its kind. Of equals the
/// first kind, then the lower slot.
struct award_oddity standing_oddity(const struct world *world);

#endif
