// SPDX-License-Identifier: MIT
//
// All colours of the game that depend on the map's theme or on a player. Sprites name colours by
// characters (sprites.h); here stands what they are.
#ifndef LOOKS_PALETTE_H
#define LOOKS_PALETTE_H

#include "display_options.h"
#include "window/canvas.h"

/// Steps of the sky from its top to the horizon.
#define PALETTE_SKY_STEPS 6
/// Colours a player can have.
#define PALETTE_PLAYERS 16

/// What stands against the sky.
enum skyline {
    SKYLINE_CHIMNEYS, ///< works with stacks that smoke
    SKYLINE_GEARS,
    SKYLINE_CLOUDS, ///< towers that rise from clouds
    SKYLINE_NEON,
    SKYLINE_PEAKS,
    SKYLINE_ARCADES, ///< two tiers of arches before hills
};

/// One theme.
struct palette {
    argb sky[PALETTE_SKY_STEPS]; ///< from the top to the horizon
    argb sun;                    ///< the low sun or moon
    _Bool stars;
    enum skyline skyline; ///< of both layers
    argb far, far_lit;    ///< the layer at the horizon, and its sunny side
    argb near, near_lit;  ///< the layer before it
    argb window;          ///< lit windows in it
    argb wall, wall_deep; ///< walls at their rim, and deep inside
    argb seam;            ///< between their plates
    argb edge, edge_lit;  ///< their rim at the sides, and at the top
    argb cap;             ///< what lies on top of them (snow, sand); 0: nothing
    argb flake;           ///< what falls from the sky; 0: nothing
    argb lamp;            ///< light of lamps and furnaces
};

/// Returns the palette of a map's theme (enum map_theme).
const struct palette *palette_of(uint32_t theme);

/// Returns a player's colour, 0 to PALETTE_PLAYERS - 1, and a darker and a lighter shade of it. Each enum colour_vision
/// has a set of distinct colours.
argb palette_player(uint32_t colour_vision, uint32_t colour);
argb palette_player_dark(uint32_t colour_vision, uint32_t colour);
argb palette_player_light(uint32_t colour_vision, uint32_t colour);

/// Returns the player's colour that is farthest from all those in `taken`, a bit for each; of which there is one.
uint32_t palette_farthest(uint32_t colour_vision, uint32_t taken);

/// Returns the colour of a team, 1 or 2, distinct for every colour vision. Any other number is grey.
argb palette_team(uint32_t team);

#endif
