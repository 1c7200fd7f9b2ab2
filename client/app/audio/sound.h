// SPDX-License-Identifier: MIT
//
// All sound effects. Each sound is a row of sound_patches.c, made by sound_synth.c when the program
// starts; audio_events.c says which event makes which.
#ifndef APP_AUDIO_SOUND_H
#define APP_AUDIO_SOUND_H

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
    SOUND_LID, ///< the lid of the own player's chest goes up
    SOUND_CHEST,
    SOUND_SHIELD, ///< a shield is gained, or breaks
    SOUND_SWITCH,
    SOUND_RETURN, ///< a block or a chest is there again
    SOUND_DOOR,
    SOUND_COUNT, ///< three, two, one
    SOUND_GO,    ///< the round begins
    SOUND_ROUND_OVER,
    SOUND_WIN,
    SOUND_JOIN,
    SOUND_LEAVE,
    SOUND_CHAT,
    SOUND_MENU_MOVE,
    SOUND_MENU_SELECT,
    SOUND_MENU_BACK,
    SOUNDS
};

#endif
