// SPDX-License-Identifier: MIT
#include "speech.h"

// As Americans say it. "_" is a short silence.
const struct speech_line SPEECH_LINES[SOUNDS - SOUND_SAY_FIRST] = {
    [SOUND_SAY_THREE - SOUND_SAY_FIRST] = {"three", "TH R IY:"},
    [SOUND_SAY_TWO - SOUND_SAY_FIRST] = {"two", "T UW:"},
    [SOUND_SAY_ONE - SOUND_SAY_FIRST] = {"one", "W AH: N"},
    [SOUND_SAY_FIGHT - SOUND_SAY_FIRST] = {"fight", "F AA: IH T"},
    [SOUND_SAY_ROUND - SOUND_SAY_FIRST] = {"round", "R AE: UH N D"},
    [SOUND_SAY_DRAW - SOUND_SAY_FIRST] = {"draw", "D R AO:"},
    [SOUND_SAY_WINNER - SOUND_SAY_FIRST] = {"winner", "W IH: N ER"},
    [SOUND_SAY_YOU_WIN - SOUND_SAY_FIRST] = {"you win", "Y UW W IH: N"},
    [SOUND_SAY_MATCH_POINT - SOUND_SAY_FIRST] = {"match point", "M AE: T SH P AO: IH N T"},
    [SOUND_SAY_LAST_ONE - SOUND_SAY_FIRST] = {"last one", "L AE: S T W AH: N"},
    [SOUND_SAY_LAST_TWO - SOUND_SAY_FIRST] = {"last two", "L AE: S T _ T UW:"},
    [SOUND_SAY_SUDDEN_DEATH - SOUND_SAY_FIRST] = {"sudden death", "S AH: D AH N _ D EH: TH"},
    [SOUND_SAY_TEN_SECONDS - SOUND_SAY_FIRST] = {"ten seconds", "T EH: N S EH: K AH N D Z"},
};
