/// @file playground.h
/// The playground: a scene that is played step by step, tools that a pointer uses in it, its last
/// ten seconds, and what a page draws of it. The page calls this as WebAssembly, graze_playground
/// natively; the same calls give the same hashes in both.
///
///     play *game = play_create(1);          // One thread.
///     play_start(game, 1, 0);               // The second scene.
///     play_touch(game, PLAY_EXPLODE, PLAY_DOWN, 3, 4);
///     play_step(game);
///     const play_frame *frame = play_draw(game, PLAY_SHOW_CONTACTS);
///
/// Units      Metres and seconds; y points up. A step is 1/60 s.
/// Memory     What is returned by pointer belongs to the playground, and is valid until the next
///            call that is given the same playground.
/// Errors     A call that the library refuses changes nothing; play_message() has its line.
#ifndef PLAYGROUND_H
#define PLAYGROUND_H

#include "graze.h" // In WebAssembly that of the one file (./dev amalgamate).

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct play play;

/// What a pointer does. The numbers are also in page/input.js.
typedef enum play_tool {
    PLAY_DRAG,    ///< Takes a body, which follows the pointer, and can be thrown.
    PLAY_SHOOT,   ///< Fires at the pointer while it is down.
    PLAY_DRAW,    ///< Draws terrain; in the digging scene, heaps up ground.
    PLAY_EXPLODE, ///< Pushes away what is near; in the digging scene, ground as well.
    PLAY_DIG      ///< Removes ground, in the digging scene.
} play_tool;

typedef enum play_touch_phase { PLAY_DOWN, PLAY_MOVE, PLAY_UP } play_touch_phase;

/// Bits of the keys that are down.
enum { PLAY_LEFT = 1, PLAY_RIGHT = 2, PLAY_JUMP = 4, PLAY_FALL = 8 };

/// Bits of what is drawn besides the bodies.
enum {
    PLAY_SHOW_CONTACTS = 1, ///< Points and normals; a normal's length tells the impulse.
    PLAY_SHOW_ISLANDS = 2,  ///< Bodies in one colour, if they touch, directly or by way of others.
    PLAY_SHOW_SLEEP = 4,    ///< Bodies that sleep are pale.
    PLAY_SHOW_VELOCITIES = 8, ///< As lines, a tenth of a second long.
    PLAY_SHOW_SPARKS = 16,    ///< Where bullets hit.
    PLAY_SHOW_CELLS = 32      ///< Of the grid, those that hold bodies.
};

/// Returns how many scenes there are; their names, of one word in lower case; and what to do there,
/// as a sentence. The strings are static, and null if there is no such scene.
uint32_t play_scene_count(void);
const char *play_scene_name(uint32_t scene);
const char *play_scene_hint(uint32_t scene);

/// Returns a playground without a scene, whose worlds use so many threads (1 where there are none);
/// null if memory runs out.
play *play_create(uint32_t threads);
void play_destroy(play *game);

/// Begins a scene. `bullets` is how many fly at most in the bullet hell, 0 for 20 000; other scenes
/// ignore it. Returns false if there is no such scene, or memory runs out.
bool play_start(play *game, uint32_t scene, uint32_t bullets);

/// Plays one step. Returns false if it failed: the world is then as it was.
bool play_step(play *game);

/// Uses a tool at a place in the world, between steps.
void play_touch(play *game, play_tool tool, play_touch_phase phase, float x, float y);

/// Sets which keys are down from now on.
void play_set_keys(play *game, uint32_t keys);

float play_gravity(const play *game); ///< Upwards: negative, where things fall.
void play_set_gravity(play *game, float gravity);
uint32_t play_substeps(const play *game);
void play_set_substeps(play *game, uint32_t substeps);

/// Returns the state's hash (graze_world_hash()), and how many steps led to it.
uint64_t play_hash(const play *game);
uint32_t play_step_number(const play *game);

/// Returns how many past states there are, the oldest first: of each step, or where these are too
/// large, of some of them (play_history.c). play_rewind() returns to one of them; what came after
/// it is forgotten with the next step.
uint32_t play_past_count(const play *game);
uint32_t play_past_step(const play *game, uint32_t past);
bool play_rewind(play *game, uint32_t past);

/// Records the world from now on (record.h), in memory; what was recorded before is gone. Returns
/// false if that failed. Beginning a scene ends a record.
bool play_record(play *game);

/// Ends the record and returns its bytes: what `graze replay` reads. Null, and a size of 0, if
/// nothing was recorded or memory ran out.
const void *play_end_record(play *game, uint32_t *size);

/// Returns the last line that the library logged, or "".
const char *play_message(const play *game);

/// Returns a line about the game, such as the coins that were taken, or "".
const char *play_note(play *game);

/// Returns what a view shows at first, or follows: its box in the world.
const graze_aabb *play_view(play *game);

/// How a body looks. Kinds are those of shapes.
typedef struct play_look {
    float half_x, half_y; ///< Of a rect; of a circle its radius, twice.
    uint32_t color;       ///< 0xRRGGBB.
    uint32_t kind;        ///< A graze_shape_kind, and bits of play_look_flag.
} play_look;

typedef enum play_look_flag {
    PLAY_LOOK_PALE = 4,   ///< It sleeps.
    PLAY_LOOK_SENSOR = 8, ///< Only an outline.
    PLAY_LOOK_SPOKE = 16  ///< It rolls: a radius shows how it is turned.
} play_look_flag;

/// A line, or a dot where both ends are the same.
typedef struct play_mark {
    graze_vec2 a, b;
    uint32_t color; ///< 0xAARRGGBB.
    float width;    ///< In pixels.
    float glow;     ///< In pixels, around it.
    float unused;   ///< Marks are two texels of a texture.
} play_mark;

/// What to draw. In WebAssembly it is 19 words of 32 bits.
typedef struct play_frame {
    const graze_vec2 *positions; ///< `body_count`, as are the next three: columns of the world.
    const graze_vec2 *velocities;
    const float *angles; ///< Null if all are 0.
    const uint32_t *indices;
    uint32_t body_count;
    const play_look *looks; ///< `look_count`, by index.
    uint32_t look_count;
    const uint32_t *solids; ///< Which columns are circles and rects: `solid_count`.
    uint32_t solid_count;
    const uint32_t *rays; ///< And which are rays: `ray_count`.
    uint32_t ray_count;
    const play_mark *marks; ///< `mark_count`.
    uint32_t mark_count;
    uint32_t terrain_version; ///< The next four change only with it.
    /// Triangles, three points each: what an odd number of them covers is solid; if `is_room`, what
    /// an even number covers.
    const graze_vec2 *triangles;
    uint32_t corner_count;
    const graze_segment *rims; ///< `rim_count`: the surface.
    uint32_t rim_count;
    uint32_t is_room;
} play_frame;

/// Collects what to draw; `shown` are bits of PLAY_SHOW_CONTACTS and the others. Null if memory
/// runs out.
const play_frame *play_draw(play *game, uint32_t shown);

/// What a panel shows. In WebAssembly it is 17 floats.
typedef struct play_report {
    float bodies, asleep, contacts, pairs, segments, kilobytes;
    float cells, smallest_cell, largest_cell; ///< Of the grid (graze_grid_choice).
    float phases[GRAZE_PHASE_COUNT];          ///< Milliseconds a step, since the last report.
    float steps;                              ///< Since the last report.
} play_report;

const play_report *play_measure(play *game);

#endif
