// SPDX-License-Identifier: MIT
//
// Every number of the game in one const table, with its unit and its source. "Celeste" is the published
// Player.cs of Celeste: px per second there, sub per tick here (x 256 / 60), so 90 px/s = 384.
// To change how the game feels, edit tuning.c and nothing else. Variants change some numbers of a match (variant.h).
#ifndef GAME_TUNING_H
#define GAME_TUNING_H

#include <stdint.h>

#include "game/map/map.h"

/// Speeds are sub per tick, accelerations sub per tick per tick; the suffix names any other unit.
struct tuning {
    int32_t body_w_px, body_h_px; ///< box of a player
    int32_t hurt_h_px;            ///< height of the part that can be hit, from the top

    int32_t run_max;                           ///< speed on foot
    int32_t run_accel_ground, run_accel_air;   ///< toward run_max
    int32_t run_reduce_ground, run_reduce_air; ///< back to run_max when faster

    int32_t gravity;          ///< down
    int32_t gravity_apex;     ///< the same while jump is held and |vy| < apex_speed
    int32_t apex_speed;       ///< below it the top of the jump begins
    int32_t fall_max;         ///< cap of the fall
    int32_t fall_fast_max;    ///< cap with down held
    int32_t fall_cap_step;    ///< change of the cap per tick
    int32_t wall_slide_max;   ///< cap when a slide begins
    int32_t wall_slide_relax; ///< growth of that cap per tick: after 72 ticks nobody holds a wall
    int32_t speed_max;        ///< no player and no arrow is ever faster on one axis

    int32_t jump_vy, jump_vx;           ///< a jump's speed up, and its help in the held direction
    uint32_t jump_hold_ticks;           ///< that holding jump keeps the speed up
    uint32_t coyote_ticks;              ///< after the last grounded tick in which a player may still jump
    uint32_t jump_buffer_ticks;         ///< after the press in which it still counts
    int32_t corner_correction_px;       ///< sideways when the head hits a corner, upward and downward in a dash
    int32_t wall_jump_vx, wall_jump_vy; ///< away and up
    int32_t wall_jump_gap_px;           ///< widest gap to the wall
    uint32_t wall_jump_forced_ticks;    ///< in which the player cannot steer back
    int32_t drop_vy;                    ///< that starts a drop through a one-way, at least one pixel

    int32_t dash_speed, dash_diagonal;         ///< straight, and per axis
    int32_t dash_end_speed, dash_end_diagonal; ///< what is left of it
    uint32_t dash_ticks;                       ///< length
    uint32_t dash_cooldown_ticks;              ///< from its start to the next
    int32_t dash_shove_vy;                     ///< up, of the player who is run into

    uint32_t arrows_start, arrows_max;     ///< that a player carries: at a spawn, at most
    int32_t arrow_edge_px;                 ///< width and height of an arrow's box
    int32_t arrow_speed, arrow_diagonal;   ///< straight, and per axis
    uint32_t arrow_straight_ticks;         ///< in which it does not fall
    int32_t arrow_gravity, arrow_fall_max; ///< it falls a little
    uint32_t arrow_owner_safe_ticks;       ///< in which it cannot hit its shooter
    uint32_t shoot_cooldown_ticks;         ///< between two shots

    uint32_t bomb_fuse_ticks;  ///< from sticking to the explosion
    uint32_t bomb_chain_ticks; ///< until a bomb follows that another set off
    int32_t bomb_break_px;     ///< radius in which blocks break
    int32_t bomb_kill_px;      ///< in which players die and chests break
    int32_t bomb_shove_px;     ///< in which players and balls are shoved
    int32_t bomb_shove_speed;  ///< of a player, on the longer axis
    int32_t bomb_throw_speed;  ///< added to a ball's, on the longer axis
    int32_t drill_px;          ///< thickest wall that a drill arrow passes

    uint32_t chest_respawn_ticks; ///< until an opened chest comes back, where the map does not say
    uint32_t gift_arrows;         ///< arrows in a chest, of each kind
    uint32_t shield_broken_ticks; ///< after a chest's shield took a hit, in which nothing else kills
    uint32_t wings_ticks;         ///< that wings last
    uint32_t wings_flaps;         ///< jumps in the air until the player lands, at most 3
    int32_t wings_vy;             ///< speed of such a jump
    int32_t wings_fall_max;       ///< cap of the fall while jump is held
    uint32_t magnet_ticks;        ///< that a magnet lasts
    int32_t magnet_px;            ///< within which it draws arrows
    int32_t magnet_speed;         ///< of an arrow that it draws, on the longer axis

    int32_t ledge_reach_px;  ///< by which hands may be below a ledge to take hold of it
    int32_t ledge_air_px;    ///< that must be free above a ledge
    int32_t ledge_ground_px; ///< that must be free below the feet
    int32_t ledge_hop_vy;    ///< up from a ledge

    int32_t stomp_vy;         ///< bounce off a head
    int32_t stomp_slack_px;   ///< by which feet may be too deep in a head
    int32_t squish_wiggle_px; ///< by which a squished player may slip out of the way
    uint32_t credit_ticks;    ///< after a shove or hit in which a squish is the shover's
    uint32_t shield_ticks;    ///< after a spawn
    uint32_t respawn_ticks;   ///< after a death
    int32_t spawn_far_px;     ///< enemies farther than this do not matter to a spawn
    uint32_t spawns_per_tick; ///< at most, so that no tick is slow
    int32_t lost_px;          ///< beyond the map where a player, arrow or ball is lost

    uint32_t crusher_warn_ticks; ///< between seeing someone and falling
    int32_t crusher_gravity;     ///< of its fall
    int32_t crusher_fall_max;    ///< cap of it
    uint32_t crusher_rest_ticks; ///< on the ground
    int32_t crusher_rise;        ///< speed of its way back

    int32_t ball_lethal_speed;             ///< from which a ball kills
    int32_t ball_speed_max;                ///< per axis, whatever hits it
    int32_t ball_kick, ball_kick_diagonal; ///< by a dash: straight, and per axis
    int32_t ball_shot_speed;               ///< of an arrow on one axis, from which it drives a ball
    int32_t ball_shot_part;                ///< of the arrow's speed one part in so many goes to the ball
    int32_t ball_calm_share;        ///< of its speed on an axis, and one more, a ball that was hit loses in a tick
    uint32_t ball_owner_safe_ticks; ///< in which a ball does not kill the player who hit it

    uint32_t block_return_ticks[5]; ///< by enum mode: after which a broken block comes back; 0: never
    int32_t chest_w_px, chest_h_px; ///< box of a chest

    uint32_t warmup_ticks;               ///< from the second player to the countdown
    uint32_t countdown_ticks;            ///< in which everybody stands at their spawn
    uint32_t round_over_ticks;           ///< between a round of a match and the next
    uint32_t over_ticks;                 ///< of the scoreboard at the end of a match
    uint32_t sudden_death_after_ticks;   ///< from the start of an lms round until the walls close in
    uint32_t sudden_death_closing_ticks; ///< from then until they meet
    uint32_t breakout_round_ticks;       ///< after which a round of breakout is a draw
    uint32_t round_players;              ///< that a round needs
    int32_t score_max;                   ///< no score leaves [-score_max, score_max]

    // What only variants change (variant.h).
    int32_t steering;            ///< 1; -1: left is right
    uint32_t dashes;             ///< between two landings, at most 1
    uint32_t arrows_endless;     ///< 1: a shot costs no arrow
    uint32_t arrow_kind;         ///< enum arrow_kind that all arrows become; ARROW_NORMAL: each stays what it is
    uint32_t arrow_refill_ticks; ///< after which a player with fewer than arrows_start gets one; 0: never
    uint32_t death_fuse_ticks;   ///< of the bomb that is left by a player who dies; 0: there is none
    uint32_t spawn_shield;       ///< 1: everybody spawns with a chest's shield
    uint32_t spawn_wings_ticks;  ///< that the wings last with which everybody spawns; 0: none
};

extern const struct tuning TUNING;

#endif
