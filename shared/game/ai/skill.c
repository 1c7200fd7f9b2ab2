// SPDX-License-Identifier: MIT
#include "ai.h"

#include "game/player/player.h"
#include "game/rules/mode.h"
#include "sync/game.h"

#define STEPS_OF_LIMIT 6
#define STEP_UNLIMITED 3

const char *const AI_SKILL_CHOICES[SKILLS + 2] = {AI_SKILL_WORDS, [AI_SKILL_ADAPTIVE] = "adaptive"};

const char *ai_skill_name(enum skill skill)
{
    return (uint32_t)skill < SKILLS ? AI_SKILL_CHOICES[skill] : "unknown";
}

// The best score of the humans or of the bots, who must not be all.
static bool best_of(const struct world *world, uint32_t bot, int32_t *score)
{
    bool found = false;
    for (uint32_t slot = 0; slot < world->player_slots; slot++) {
        const struct player *player = &world->players[slot];
        if (!player_plays(player) || (player->flags & PLAYER_BOT) != bot || (found && player->score <= *score))
            continue;
        *score = player->score;
        found = true;
    }
    return found;
}

int32_t ai_skill_lead(const struct world *world)
{
    int32_t human = 0, bot = 0;
    if (!best_of(world, 0, &human) || !best_of(world, PLAYER_BOT, &bot))
        return 0;
    if (!mode_of(world)->teams)
        return human - bot;
    int32_t more = 0, lead = world->round.team_scores[0] - world->round.team_scores[1];
    for (uint32_t slot = 0; slot < world->player_slots; slot++) {
        const struct player *player = &world->players[slot];
        if (player_plays(player) && !(player->flags & PLAYER_BOT))
            more += player->team == 1 ? 1 : -1;
    }
    return more > 0 ? lead : more < 0 ? -lead : 0;
}

int32_t ai_skill_step_points(const struct world *world)
{
    int32_t limit = world->rules.score_limit;
    if (limit == 0)
        return STEP_UNLIMITED;
    return limit < STEPS_OF_LIMIT ? 1 : limit / STEPS_OF_LIMIT;
}

enum skill ai_skill_next(const struct world *world)
{
    int32_t lead = ai_skill_lead(world), step = ai_skill_step_points(world);
    switch ((enum skill)world->rules.bot_skill) {
    case SKILL_EASY:
        return lead >= step ? SKILL_NORMAL : SKILL_EASY;
    case SKILL_NORMAL:
        return lead >= 2 * step ? SKILL_HARD : lead <= -2 * step ? SKILL_EASY : SKILL_NORMAL;
    case SKILL_HARD:
        return lead <= -step ? SKILL_NORMAL : SKILL_HARD;
    case SKILL_IDLE:
    case SKILL_RANDOM:
    case SKILLS:
        break;
    }
    return SKILL_EASY;
}

const char *game_adapt_bots(const struct world *world, struct command *command)
{
    static const char *const SHOWN[] = {[SKILL_EASY] = "bots now play at skill easy",
                                        [SKILL_NORMAL] = "bots now play at skill normal",
                                        [SKILL_HARD] = "bots now play at skill hard"};
    const struct rules *rules = &world->rules;
    enum skill next = ai_skill_next(world);
    if (next == (enum skill)rules->bot_skill)
        return NULL;
    *command = (struct command){.kind = COMMAND_RULES,
                                .score_limit = rules->score_limit,
                                .time_limit_ticks = rules->time_limit_ticks,
                                .friendly_fire = rules->friendly_fire,
                                .bot_skill = next};
    return SHOWN[next];
}
