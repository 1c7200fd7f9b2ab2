// SPDX-License-Identifier: MIT
#include "team.h"

#include "game/player/player.h"
#include "mode.h"

bool team_mode(const struct world *world)
{
    return mode_of(world)->teams;
}

uint32_t team_size(const struct world *world, uint32_t team)
{
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < world->player_slots; slot++) {
        const struct player *player = &world->players[slot];
        count += player_plays(player) && (team == 0 || player->team == team);
    }
    return count;
}

uint32_t team_smaller(const struct world *world)
{
    if (!team_mode(world))
        return 0;
    return team_size(world, 2) < team_size(world, 1) ? 2 : 1;
}

bool team_choose(struct world *world, uint32_t slot, uint32_t choice)
{
    struct player *player = &world->players[slot];
    bool names_team = choice == TEAM_ONE || choice == TEAM_TWO;
    if (choice > TEAM_SPECTATE || (names_team && !team_mode(world)))
        return false;
    bool watched = player->state == PLAYER_SPECTATOR;
    uint32_t team = choice == TEAM_SPECTATE ? 0 : names_team ? choice : watched ? team_smaller(world) : player->team;
    player->team_choice = choice;
    if (watched == (choice == TEAM_SPECTATE) && team == player->team)
        return true;
    player->team = team;
    player_withdraw(world, slot, choice == TEAM_SPECTATE ? PLAYER_SPECTATOR : PLAYER_DEAD);
    return true;
}

void team_balance(struct world *world)
{
    if (!team_mode(world))
        return;
    for (uint32_t sizes[] = {team_size(world, 1), team_size(world, 2)};;) {
        uint32_t large = sizes[1] > sizes[0] ? 1 : 0;
        if (sizes[large] - sizes[1 - large] <= 1)
            return;
        struct player *moved = NULL; // nobody, if nobody left the choice to the match
        for (struct player *player = world->players; player < world->players + world->player_slots; player++) {
            if (!player_plays(player) || player->team != large + 1 || player->team_choice != TEAM_AUTO)
                continue;
            uint32_t bot = player->flags & PLAYER_BOT, moved_bot = moved != NULL ? moved->flags & PLAYER_BOT : 0;
            if (moved == NULL || bot > moved_bot || (bot == moved_bot && player->generation > moved->generation))
                moved = player;
        }
        if (moved == NULL)
            return;
        moved->team = 2 - large;
        player_withdraw(world, (uint32_t)(moved - world->players), PLAYER_DEAD);
        sizes[large]--;
        sizes[1 - large]++;
    }
}

bool team_spares(const struct world *world, uint32_t by, uint32_t victim)
{
    if (by == victim || by == EVENT_NOBODY || victim == EVENT_NOBODY || world->rules.friendly_fire != 0)
        return false;
    uint32_t team = world->players[by].team;
    return team != 0 && team == world->players[victim].team;
}

bool team_is_valid(const struct world *world, const struct player *player)
{
    bool watches = player->state == PLAYER_SPECTATOR;
    bool has_team = team_mode(world) && !watches;
    return player->team <= TEAM_COUNT && (player->team != 0) == has_team &&
           (player->team_choice == TEAM_SPECTATE) == watches &&
           (has_team || player->team_choice == TEAM_AUTO || player->team_choice == TEAM_SPECTATE);
}
