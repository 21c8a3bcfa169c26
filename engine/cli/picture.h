/// @file picture.h
/// A picture of a world: terrain, bodies, bullets as streaks of light, contacts with their normals.
/// Discs that can turn have a spoke, kinematic bodies are white, and sleeping ones are pale.
#ifndef CLI_PICTURE_H
#define CLI_PICTURE_H

#include "canvas.h"
#include "scene.h"

#include <graze/aabb.h>
#include <graze/id.h>

#include <stdbool.h>
#include <stdint.h>

/// Returns the colour of a body, 0xRRGGBB.
typedef uint32_t cli_tint_fn(const graze_world *world, graze_body_id body, void *user);

typedef struct cli_picture {
    const cli_scene *scene; ///< Its chains say what is filled; `y_down` which way is up.
    graze_aabb view;        ///< The part to show; see cli_picture_view().
    float streak;           ///< Seconds of flight that a bullet's streak shows.
    cli_tint_fn *tint;      ///< Null: by the body's number.
    void *tint_user;
    uint32_t size;      ///< Pixels of the longer side, at least 160; 0: 1280.
    bool hides_resting; ///< Only contacts of bullets are drawn.
} cli_picture;

/// Returns the colour, 0xRRGGBB, of the body of this number: neighbours differ.
uint32_t cli_picture_color(uint32_t number);

/// Returns the part of the scene that a picture should show: its view, or else the box around its
/// terrain and its bodies at the start; without terrain also their paths in `seconds`.
graze_aabb cli_picture_view(const cli_scene *scene, float seconds);

/// Draws the world onto a new canvas, which is as wide as `size` says, or as high when the view is
/// taller than wide. Free it with cli_canvas_free().
void cli_picture_draw(const cli_picture *picture, const graze_world *world, cli_canvas *canvas);

#endif
