// SPDX-License-Identifier: MIT
#include "event.h"

void event_push(struct world *world, enum event_kind kind, int32_t x, int32_t y, uint32_t subject, uint32_t other,
                uint32_t detail)
{
    world->events[world->event_count++ % EVENT_CAPACITY] = (struct event){
        .kind = kind, .tick = world->tick, .x = x, .y = y, .subject = subject, .other = other, .detail = detail};
}

const char *event_kind_name(enum event_kind kind)
{
    switch (kind) {
    case EVENT_NONE:
        return "none";
    case EVENT_SPAWN:
        return "spawn";
    case EVENT_JUMP:
        return "jump";
    case EVENT_LAND:
        return "land";
    case EVENT_DASH:
        return "dash";
    case EVENT_SHOOT:
        return "shoot";
    case EVENT_STICK:
        return "stick";
    case EVENT_PICKUP:
        return "pickup";
    case EVENT_CATCH:
        return "catch";
    case EVENT_KILL:
        return "kill";
    case EVENT_WARN:
        return "warn";
    case EVENT_FALL:
        return "fall";
    case EVENT_SLAM:
        return "slam";
    case EVENT_BOUNCE:
        return "bounce";
    case EVENT_BREAK:
        return "break";
    case EVENT_JOIN:
        return "join";
    case EVENT_LEAVE:
        return "leave";
    case EVENT_ROUND:
        return "round";
    case EVENT_SWITCH:
        return "switch";
    case EVENT_RETURN:
        return "return";
    case EVENT_EXPLODE:
        return "explode";
    case EVENT_DRILL:
        return "drill";
    case EVENT_KICK:
        return "kick";
    case EVENT_OPEN:
        return "open";
    case EVENT_SHIELD:
        return "shield";
    case EVENT_GRAB:
        return "grab";
    case EVENT_CLOSING:
        return "closing";
    case EVENT_KINDS:
        break;
    }
    return "unknown";
}

const char *event_death_cause_name(enum death_cause cause)
{
    switch (cause) {
    case DEATH_ARROW:
        return "arrow";
    case DEATH_STOMP:
        return "stomp";
    case DEATH_SQUISH:
        return "squish";
    case DEATH_HAZARD:
        return "hazard";
    case DEATH_FALL:
        return "fall";
    case DEATH_BALL:
        return "ball";
    case DEATH_BOMB:
        return "bomb";
    case DEATH_CAUSES:
        break;
    }
    return "unknown";
}
