/// @file segment_kit.h
/// Shared by tests of the grid of segments: scenes, a grid filled with one, and walks and searches
/// compared with brute force.
///
/// Scenes are made of integers below 2^24, which a placement scales by a power of two: they are
/// exact as floats, and 64-bit integers decide whether two of them touch.
///
/// Errors     An answer other than that of brute force fails the running cmocka test.
#ifndef GRAZE_TESTS_SEGMENT_KIT_H
#define GRAZE_TESTS_SEGMENT_KIT_H

// cmocka.h needs these four before it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <graze/segment_grid.h>

#include "random.h"

enum {
    MAX_SEGMENTS = 6000,
    OWNER_SALT = 1000, ///< Owners are not simply indices.
    TIME_STEPS = 16,   ///< Limits are tried in sixteenths of a move.
    KIT_PLACEMENTS = 5,
    KIT_SCENE_MAKERS = 8
};

typedef struct point {
    int64_t x, y;
} point;

typedef struct line {
    uint32_t first; ///< Of its points.
    uint32_t count;
    uint32_t first_segment;
    bool loop;
} line;

typedef struct segment_scene {
    const char *name;
    int64_t low, high; ///< Coordinates, about.
    uint32_t line_count, point_count, segment_count;
    line lines[MAX_SEGMENTS];
    point points[2 * MAX_SEGMENTS];
    graze_vec2 placed[2 * MAX_SEGMENTS];
    point a[MAX_SEGMENTS], b[MAX_SEGMENTS]; ///< Of each segment.
    uint32_t met[MAX_SEGMENTS];             ///< The last query that met it.
} segment_scene;

typedef struct placement {
    const char *name;
    int exponent; ///< The unit is 2^exponent.
    point offset; ///< In units.
} placement;

extern segment_scene kit_model;   ///< The scene that a test works with.
extern uint32_t kit_query_number; ///< Of the last walk or search, as kit_model.met has it.
extern const placement kit_placements[KIT_PLACEMENTS]; ///< The first one is at the origin.

/// Puts a scene into kit_model.
typedef void kit_make_scene(random_state *random);

extern kit_make_scene *const kit_scene_makers[KIT_SCENE_MAKERS];
void kit_make_wavy_lines(random_state *random);
void kit_make_one_heap(random_state *random);
void kit_make_all_lengths(random_state *random);

/// A scene by hand.
void kit_begin_scene(const char *name, int64_t low, int64_t high);
void kit_begin_line(bool loop);
void kit_add_point(int64_t x, int64_t y);
void kit_end_line(void);
void kit_add_segment(int64_t ax, int64_t ay, int64_t bx, int64_t by);

/// Scales kit_model; from then on its lines can be added.
void kit_place_scene(const placement *where);
graze_vec2 kit_place_point(const placement *where, point p);

/// Line `index` of kit_model as placed; adding it to a grid, and removing it.
graze_polyline kit_placed_line(uint32_t index);
graze_status kit_add_line(graze_segment_grid *grid, uint32_t index);
void kit_remove_line(graze_segment_grid *grid, uint32_t index);

/// Makes a grid of all lines.
void kit_fill_grid(graze_segment_grid *grid);

/// Whether the segments a-b and p-q share a point.
bool kit_segments_touch(point a, point b, point p, point q);

/// What a walk returned; segments count as often as returned.
typedef struct kit_walk {
    uint64_t spans, segments;
} kit_walk;

/// Marks in kit_model what a walk meets.
kit_walk kit_note_walk(graze_segment_walk walk, double limit);

/// What a search passed on for its moves.
typedef struct find_log {
    const graze_vec2 *from, *to;
    uint32_t count;
    uint64_t *sums; ///< By move: of hashes of what was found; null: not wanted.
} find_log;

/// A graze_segment_sink whose context is a find_log.
void kit_note_finds(void *context, const graze_segment_finds *finds);

/// Searches for one move, and returns how many segments were passed on.
uint32_t kit_note_find(const graze_segment_grid *grid, graze_vec2 from, graze_vec2 to,
                       uint8_t *searched);

/// Compare with brute force. The limit is in TIME_STEPS.
void kit_check_ray(const graze_segment_grid *grid, const placement *where, point from, point to,
                   int limit);
void kit_check_box(const graze_segment_grid *grid, const placement *where, point p, point q);

/// Places in kit_model: often ends of segments and corners of cells.
int64_t kit_random_coordinate(random_state *random);
point kit_random_point(random_state *random);
point kit_random_end(random_state *random, point from);

/// Checks `count` random moves and boxes.
void kit_check_random_queries(const graze_segment_grid *grid, const placement *where,
                              random_state *random, int count);

#endif
