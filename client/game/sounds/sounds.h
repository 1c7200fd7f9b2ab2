// SPDX-License-Identifier: MIT
//
// Every sound of this game: its name here, and in sounds.c how it is computed.
#ifndef SOUNDS_SOUNDS_H
#define SOUNDS_SOUNDS_H

#include "window/sound.h"

/// One sound.
enum sound {
    SOUND_SPAWN,
    SOUND_JUMP,
    SOUND_WALL_JUMP,
    SOUND_LAND,
    SOUND_DASH,
    SOUND_SHOOT,
    SOUND_SHOOT_BOMB,
    SOUND_SHOOT_DRILL,
    SOUND_STICK,
    SOUND_PICKUP,
    SOUND_CATCH,
    SOUND_DEATH,
    SOUND_SQUISH,
    SOUND_STOMP,
    SOUND_OWN_KILL, ///< the viewer's player killed somebody
    SOUND_WARN,     ///< a crusher rattles
    SOUND_FALL,
    SOUND_SLAM,
    SOUND_BOUNCE,
    SOUND_BREAK,
    SOUND_EXPLOSION,
    SOUND_LID, ///< a lid goes up that the own player opens
    SOUND_GIFT,
    SOUND_SHIELD, ///< a shield is gained, or breaks
    SOUND_SWITCH,
    SOUND_RETURN, ///< something is there again
    SOUND_DOOR,
    SOUND_COUNT, ///< three, two, one
    SOUND_GO,    ///< the round begins
    SOUND_JOIN,
    SOUND_LEAVE,
    SOUND_CHAT,
    SOUND_MENU_MOVE,
    SOUND_MENU_SELECT,
    SOUND_MENU_BACK,
    SOUND_STING_DRAW, ///< stings are in the key of the music, which makes room for them
    SOUND_STING_ROUND,
    SOUND_STING_MATCH,
    SOUND_STING_LAST, ///< few are left
    SOUND_STING_SUDDEN_DEATH,
    SOUND_SAY_THREE, ///< the announcer says one thing at a time
    SOUND_SAY_TWO,
    SOUND_SAY_ONE,
    SOUND_SAY_FIGHT,
    SOUND_SAY_ROUND,
    SOUND_SAY_DRAW,
    SOUND_SAY_WINNER,
    SOUND_SAY_YOU_WIN,
    SOUND_SAY_MATCH_POINT,
    SOUND_SAY_LAST_ONE,
    SOUND_SAY_LAST_TWO,
    SOUND_SAY_SUDDEN_DEATH,
    SOUND_SAY_TEN_SECONDS,
    SOUNDS,
    SOUND_STING_FIRST = SOUND_STING_DRAW,
    SOUND_SAY_FIRST = SOUND_SAY_THREE
};

/// All of them, by enum sound, and what each map_theme sounds like.
extern const struct sound_set SOUND_SET;

#endif
