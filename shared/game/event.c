// SPDX-License-Identifier: MIT
//
// Things that happened, for sounds, effects and the kill feed. They are part of the world, so they reach every client
// exactly once, are in replays, and cost nothing when nothing happens.
#include "state.h"

void event_push(struct world *world, enum event_kind kind, int32_t x, int32_t y, uint32_t subject, uint32_t other,
                uint32_t detail)
{
    world->events[world->event_count++ % EVENT_CAPACITY] = (struct event){
        .kind = kind, .tick = world->tick, .x = x, .y = y, .subject = subject, .other = other, .detail = detail};
}

const char *event_kind_name(enum event_kind kind)
{
    static const char *const NAMES[EVENT_KINDS] = {
        [EVENT_NONE] = "none",       [EVENT_SPAWN] = "spawn",   [EVENT_JUMP] = "jump",      [EVENT_LAND] = "land",
        [EVENT_DASH] = "dash",       [EVENT_SHOOT] = "shoot",   [EVENT_STICK] = "stick",    [EVENT_PICKUP] = "pickup",
        [EVENT_CATCH] = "catch",     [EVENT_KILL] = "kill",     [EVENT_WARN] = "warn",      [EVENT_FALL] = "fall",
        [EVENT_SLAM] = "slam",       [EVENT_BOUNCE] = "bounce", [EVENT_BREAK] = "break",    [EVENT_JOIN] = "join",
        [EVENT_LEAVE] = "leave",     [EVENT_ROUND] = "round",   [EVENT_SWITCH] = "switch",  [EVENT_RETURN] = "return",
        [EVENT_EXPLODE] = "explode", [EVENT_DRILL] = "drill",   [EVENT_KICK] = "kick",      [EVENT_OPEN] = "open",
        [EVENT_SHIELD] = "shield",   [EVENT_GRAB] = "grab",     [EVENT_CLOSING] = "closing"};
    return (uint32_t)kind < EVENT_KINDS ? NAMES[kind] : "unknown";
}

const char *event_death_cause_name(enum death_cause cause)
{
    static const char *const NAMES[DEATH_CAUSES] = {
        [DEATH_ARROW] = "arrow", [DEATH_STOMP] = "stomp", [DEATH_SQUISH] = "squish", [DEATH_HAZARD] = "hazard",
        [DEATH_FALL] = "fall",   [DEATH_BALL] = "ball",   [DEATH_BOMB] = "bomb"};
    return (uint32_t)cause < DEATH_CAUSES ? NAMES[cause] : "unknown";
}
