// SPDX-License-Identifier: MIT
#include "tuning.h"

const struct tuning TUNING = {
    .body_w_px = MAP_BODY_W_PX, // Celeste: normalHitbox
    .body_h_px = MAP_BODY_H_PX,
    .hurt_h_px = 9, // Celeste: normalHurtbox

    .run_max = 384,          // Celeste: MaxRun 90
    .run_accel_ground = 71,  // Celeste: RunAccel 1000
    .run_accel_air = 46,     // Celeste: x AirMult 0.65
    .run_reduce_ground = 28, // Celeste: RunReduce 400
    .run_reduce_air = 18,

    .gravity = 64, // Celeste: Gravity 900
    .gravity_apex = 32,
    .apex_speed = 171,     // Celeste: HalfGravThreshold 40
    .fall_max = 683,       // Celeste: MaxFall 160
    .fall_fast_max = 1024, // Celeste: FastMaxFall 240
    .fall_cap_step = 21,   // Celeste: FastMaxAccel 300
    .wall_slide_max = 85,  // Celeste: WallSlideStartMax 20
    .wall_slide_relax = 8, // Celeste: WallSlideTime 1.2 s from 20 to 160
    .speed_max = 4096,

    .jump_vy = -448,           // Celeste: JumpSpeed -105
    .jump_vx = 171,            // Celeste: JumpHBoost 40
    .jump_hold_ticks = 12,     // Celeste: VarJumpTime 0.2 s
    .coyote_ticks = 5,         // Celeste: JumpGraceTime 0.1 s
    .jump_buffer_ticks = 5,    // Celeste: 0.08 s
    .corner_correction_px = 4, // Celeste: UpwardCornerCorrection, DashCornerCorrection
    .wall_jump_vx = 555,       // Celeste: WallJumpHSpeed 130
    .wall_jump_vy = -448,
    .wall_jump_gap_px = 2,
    .wall_jump_forced_ticks = 10, // Celeste: WallJumpForceTime 0.16 s
    .drop_vy = 256,

    .dash_speed = 1024, // Celeste: DashSpeed 240
    .dash_diagonal = 724,
    .dash_end_speed = 683, // Celeste: EndDashSpeed 160
    .dash_end_diagonal = 483,
    .dash_ticks = 10,
    .dash_cooldown_ticks = 12, // Celeste: DashCooldown 0.2 s
    .dash_shove_vy = -256,

    .arrows_start = 3,
    .arrows_max = 6,
    .arrow_edge_px = 4,
    .arrow_speed = 1280, // five pixels: crosses a screen of 480 px in a second and a half
    .arrow_diagonal = 905,
    .arrow_straight_ticks = 24, // then it flies 100 px more before it hits the floor that the shooter stands on
    .arrow_gravity = 6,
    .arrow_fall_max = 1024,
    .arrow_owner_safe_ticks = 12,
    .shoot_cooldown_ticks = 15,

    .bomb_fuse_ticks = 36, // time to see it and to run 54 px
    .bomb_chain_ticks = 6,
    .bomb_break_px = 20,
    .bomb_kill_px = 24,
    .bomb_shove_px = 56,
    .bomb_shove_speed = 768,
    .bomb_throw_speed = 768,
    .drill_px = 40,

    .chest_respawn_ticks = 900,
    .gift_arrows = 2,
    .shield_broken_ticks = 30,
    .wings_ticks = 600,
    .wings_flaps = 3,
    .wings_vy = -400,
    .wings_fall_max = 192,
    .magnet_ticks = 600,
    .magnet_px = 80,     // about six widths of a body: what one sees as near, and no whole map
    .magnet_speed = 512, // a third faster than a player who runs away from it

    .ledge_reach_px = 3, // how far a fall of 683 goes in a tick, rounded up
    .ledge_air_px = 4,
    .ledge_ground_px = 6,
    .ledge_hop_vy = -512, // a hop over a ledge

    .stomp_vy = -448,
    .stomp_slack_px = 2,
    .squish_wiggle_px = 3,
    .credit_ticks = 120, // 2 s
    .shield_ticks = 60,  // 1 s
    .respawn_ticks = 90,
    .spawn_far_px = 240,
    .spawns_per_tick = 8,
    .lost_px = 64,

    .crusher_warn_ticks = 20,
    .crusher_gravity = 96,
    .crusher_fall_max = 1536,
    .crusher_rest_ticks = 60,
    .crusher_rise = 128,

    .ball_lethal_speed = 512,
    .ball_speed_max = 1536,
    .ball_kick = 1152, // a little faster than a dash
    .ball_kick_diagonal = 815,
    .ball_shot_speed = 640,
    .ball_shot_part = 2,
    .ball_calm_share = 256,
    .ball_owner_safe_ticks = 20,

    .block_return_ticks = {1200, 1800, 1200, 0, 0}, // ffa, lms, teams, breakout, trial
    .chest_w_px = MAP_CHEST_W_PX,
    .chest_h_px = MAP_CHEST_H_PX,

    .warmup_ticks = 300,
    .countdown_ticks = 120,
    .round_over_ticks = 240,
    .over_ticks = 600,
    .sudden_death_after_ticks = 3600, // 60 s
    .sudden_death_closing_ticks = 1800,
    .breakout_round_ticks = 10800,
    .round_players = 2,
    .score_max = 500000,

    .steering = 1,
    .dashes = 1,
};
