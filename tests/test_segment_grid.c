#include <graze/segment_grid.h>

#include "failing_allocator.h"
#include "random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Scenes are made of integers below 2^24, which a placement scales by a power of two: they are
// exact as floats, and the oracle decides in 64-bit integers whether two of them touch.

enum {
    MOST_SEGMENTS = 6000,
    OWNER_SALT = 1000, // owners are not simply indices
    TIME_STEPS = 16    // limits are tried in sixteenths of a move
};

typedef struct point {
    int64_t x, y;
} point;

typedef struct line {
    uint32_t first; // of its points
    uint32_t count;
    uint32_t first_segment;
    bool loop;
} line;

typedef struct scene {
    const char *name;
    int64_t low, high; // coordinates, about
    uint32_t line_count, point_count, segment_count;
    line lines[MOST_SEGMENTS];
    point points[2 * MOST_SEGMENTS];
    graze_vec2 placed[2 * MOST_SEGMENTS];
    point a[MOST_SEGMENTS], b[MOST_SEGMENTS]; // of each segment
    uint32_t met[MOST_SEGMENTS];              // the last query that met it
} scene;

typedef struct placement {
    const char *name;
    int exponent; // unit: 2^exponent
    point offset; // in units
} placement;

static scene model;
static uint32_t query_number;

static const placement placements[] = {
    {"at the origin", 0, {0, 0}},
    {"at 1e5", -6, {-6400000, 6400000}},
    {"at 1e30", 76, {12582912, -12582912}},
    {"huge", 103, {0, 0}},
    {"tiny", -140, {3, 5}},
};

static float place_coordinate(const placement *where, int64_t v)
{
    return (float)ldexp((double)v, where->exponent);
}

static graze_vec2 place_point(const placement *where, point p)
{
    graze_vec2 placed = {place_coordinate(where, p.x + where->offset.x),
                         place_coordinate(where, p.y + where->offset.y)};
    return placed;
}

// The oracle

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int sign_of_turn(point a, point b, point p)
{
    int64_t turn = (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
    return (turn > 0) - (turn < 0);
}

static bool boxes_touch(point a, point b, point p, point q)
{
    return smaller(a.x, b.x) <= larger(p.x, q.x) && smaller(p.x, q.x) <= larger(a.x, b.x) &&
           smaller(a.y, b.y) <= larger(p.y, q.y) && smaller(p.y, q.y) <= larger(a.y, b.y);
}

static bool segments_touch(point a, point b, point p, point q)
{
    return boxes_touch(a, b, p, q) && sign_of_turn(a, b, p) * sign_of_turn(a, b, q) <= 0 &&
           sign_of_turn(p, q, a) * sign_of_turn(p, q, b) <= 0;
}

static bool box_touches(point low, point high, point a, point b)
{
    point other[2] = {{low.x, high.y}, {high.x, low.y}};
    int sum = sign_of_turn(a, b, low) + sign_of_turn(a, b, high) + sign_of_turn(a, b, other[0]) +
              sign_of_turn(a, b, other[1]);
    return boxes_touch(low, high, a, b) && sum != 4 && sum != -4;
}

static point times(point p, int64_t factor)
{
    point scaled = {p.x * factor, p.y * factor};
    return scaled;
}

// Scenes

static void begin_scene(const char *name, int64_t low, int64_t high)
{
    model.name = name;
    model.low = low;
    model.high = high;
    model.line_count = model.point_count = model.segment_count = 0;
}

static void begin_line(bool loop)
{
    line *added = &model.lines[model.line_count++];
    added->first = model.point_count;
    added->count = 0;
    added->first_segment = model.segment_count;
    added->loop = loop;
}

static void add_point(int64_t x, int64_t y)
{
    point p = {x, y};
    model.points[model.point_count++] = p;
    model.lines[model.line_count - 1].count += 1;
}

static void end_line(void)
{
    const line *added = &model.lines[model.line_count - 1];
    const point *points = &model.points[added->first];
    for (uint32_t i = 0; i + !added->loop < added->count; ++i) {
        model.a[model.segment_count] = points[i];
        model.b[model.segment_count++] = points[(i + 1) % added->count];
    }
}

static void add_segment(int64_t ax, int64_t ay, int64_t bx, int64_t by)
{
    begin_line(false);
    add_point(ax, ay);
    add_point(bx, by);
    end_line();
}

static void make_wavy_lines(random_state *random)
{
    begin_scene("wavy lines", 0, 16000);
    for (int n = 0; n < 12; ++n) {
        double x = random_integer(random, 0, 16000);
        double y = random_integer(random, 0, 16000);
        double angle = (double)random_float(random, 0.0f, 6.28f);
        begin_line(n % 3 == 0);
        for (int i = 0; i < 80; ++i) {
            add_point((int64_t)x, (int64_t)y);
            angle += 0.3 * sin(0.2 * i);
            x += 150.0 * cos(angle);
            y += 150.0 * sin(angle);
        }
        end_line();
    }
}

static void make_tiles(random_state *random)
{
    begin_scene("tiles", 0, 32 * 16);
    for (int64_t y = 0; y < 32 * 16; y += 16) {
        for (int64_t x = 0; x < 32 * 16; x += 16) {
            if (random_below(random, 3) == 0) {
                begin_line(true);
                add_point(x, y);
                add_point(x + 16, y);
                add_point(x + 16, y + 16);
                add_point(x, y + 16);
                end_line();
            }
        }
    }
}

static void make_long_wall(random_state *random)
{
    begin_scene("a long wall", -2000, 2000);
    add_segment(-500000, -40, 500000, 50);
    add_segment(7, 400000, -3, -600000);
    for (int i = 0; i < 1500; ++i) {
        int x = random_integer(random, -2000, 2000);
        int y = random_integer(random, -2000, 2000);
        add_segment(x, y, x + random_integer(random, -8, 8), y + random_integer(random, -8, 8));
    }
}

static void make_one_heap(random_state *random)
{
    begin_scene("one heap", -8, 24);
    for (int i = 0; i < 400; ++i) {
        add_segment(random_integer(random, 0, 15), random_integer(random, 0, 15),
                    random_integer(random, 0, 15), random_integer(random, 0, 15));
    }
}

static void make_lattice(random_state *random)
{
    begin_scene("a lattice", -64, 64);
    for (int i = 0; i < 600; ++i) {
        int x = 4 * random_integer(random, -16, 16);
        int y = 4 * random_integer(random, -16, 16);
        int length = 4 * random_integer(random, -4, 4);
        int direction = random_integer(random, 0, 3);
        add_segment(x, y, x + (direction == 1 ? 0 : length),
                    y + (direction == 0 ? 0 : (direction == 2 ? length : -length)));
    }
}

static void make_aliases(random_state *random)
{
    begin_scene("aliases", -65536, 65536);
    for (int i = 0; i < 800; ++i) {
        int x = 4096 * random_integer(random, -16, 16) + random_integer(random, -2, 2);
        int y = 4096 * random_integer(random, -16, 16) + random_integer(random, -2, 2);
        add_segment(x, y, x + random_integer(random, -3, 3), y + random_integer(random, -3, 3));
    }
}

static void make_all_lengths(random_state *random)
{
    begin_scene("all lengths", -4096, 4096);
    for (int i = 0; i < 600; ++i) {
        int reach = 1 << random_below(random, 20);
        int x = random_integer(random, -4096, 4096);
        int y = random_integer(random, -4096, 4096);
        add_segment(x, y, x + random_integer(random, -reach, reach),
                    y + random_integer(random, -reach, reach));
    }
}

static void make_points(random_state *random)
{
    begin_scene("points and collinear runs", -50, 50);
    for (int i = 0; i < 40; ++i) {
        int x = random_integer(random, -50, 50);
        int y = random_integer(random, -50, 50);
        begin_line(i % 2 == 0);
        for (int k = 0; k < 8; ++k) {
            add_point(x + k / 2, y);
        }
        end_line();
        begin_line(true);
        add_point(x, y);
        end_line();
    }
}

typedef void make_scene(random_state *random);

static make_scene *const scene_makers[] = {make_wavy_lines,  make_tiles,   make_long_wall,
                                           make_one_heap,    make_lattice, make_aliases,
                                           make_all_lengths, make_points};

// The grid beside the model

static graze_polyline placed_line(uint32_t index)
{
    const line *added = &model.lines[index];
    graze_polyline placed = {&model.placed[added->first], added->count, added->loop};
    return placed;
}

static void place_scene(const placement *where)
{
    for (uint32_t i = 0; i < model.point_count; ++i) {
        model.placed[i] = place_point(where, model.points[i]);
    }
}

static graze_status add_line(graze_segment_grid *grid, uint32_t index)
{
    return graze_segment_grid_add(grid, index + OWNER_SALT, placed_line(index));
}

static void remove_line(graze_segment_grid *grid, uint32_t index)
{
    graze_segment_grid_remove(grid, index + OWNER_SALT, placed_line(index));
}

static void fill_grid(graze_segment_grid *grid)
{
    assert_int_equal(graze_segment_grid_init(grid, NULL), GRAZE_OK);
    for (uint32_t i = 0; i < model.line_count; ++i) {
        assert_int_equal(add_line(grid, i), GRAZE_OK);
    }
    assert_int_equal(graze_segment_grid_count(grid), model.segment_count);
}

static void assert_is_end(float x, float y, graze_vec2 expected)
{
    assert_true(x == expected.x && y == expected.y);
}

// Notes the segments of a span as met; each must be one that was added, with its own end points.
static void note_span(const graze_segment_span *span)
{
    assert_in_range(span->count, 1, MOST_SEGMENTS);
    for (uint32_t i = 0; i < span->count; ++i) {
        assert_in_range(span->owner[i], OWNER_SALT, OWNER_SALT + model.line_count - 1);
        const line *met = &model.lines[span->owner[i] - OWNER_SALT];
        const graze_vec2 *points = &model.placed[met->first];
        assert_in_range(span->item[i], 0, met->count - 1);
        assert_is_end(span->ax[i], span->ay[i], points[span->item[i]]);
        assert_is_end(span->bx[i], span->by[i], points[(span->item[i] + 1) % met->count]);
        model.met[met->first_segment + span->item[i]] = query_number;
    }
}

static uint64_t note_walk(graze_segment_walk walk, double limit)
{
    graze_segment_span span;
    uint64_t spans = 0;
    query_number += 1;
    while (graze_segment_walk_next(&walk, limit, &span)) {
        note_span(&span);
        spans += 1;
    }
    return spans;
}

static void fail_missed(const placement *where, uint32_t segment, point from, point to, int limit)
{
    point a = model.a[segment];
    point b = model.b[segment];
    fail_msg("%s %s: missed (%lld %lld)-(%lld %lld) from (%lld %lld) to (%lld %lld) limit %d/%d",
             model.name, where->name, (long long)a.x, (long long)a.y, (long long)b.x,
             (long long)b.y, (long long)from.x, (long long)from.y, (long long)to.x, (long long)to.y,
             limit, TIME_STEPS);
}

/// What a search handed over of its moves.
typedef struct find_log {
    const graze_vec2 *from, *to;
    uint32_t count;
    uint64_t *sums; ///< By move: of hashes of what was found; null: not wanted.
} find_log;

static bool overlaps(float a, float b, float p, float q)
{
    return fminf(a, b) <= fmaxf(p, q) && fminf(p, q) <= fmaxf(a, b);
}

static void note_finds(void *context, const graze_segment_finds *finds)
{
    find_log *log = context;
    assert_in_range(finds->count, 1, GRAZE_SEGMENT_FINDS);
    const graze_segment_span span = {finds->ax,    finds->ay,   finds->bx,   finds->by,
                                     finds->owner, finds->item, finds->count};
    note_span(&span);
    for (uint32_t i = 0; i < finds->count; ++i) {
        const uint32_t move = finds->move[i];
        const graze_vec2 from = log->from[move];
        const graze_vec2 to = log->to[move];
        assert_true(overlaps(finds->ax[i], finds->bx[i], from.x, to.x) &&
                    overlaps(finds->ay[i], finds->by[i], from.y, to.y));
        if (log->sums) {
            const uint64_t id = (uint64_t)finds->owner[i] << 32 | finds->item[i];
            log->sums[move] += (id + 1) * UINT64_C(0x9E3779B97F4A7C15);
        }
    }
    log->count += finds->count;
}

// Returns how many segments were handed over.
static uint32_t note_find(const graze_segment_grid *grid, graze_vec2 from, graze_vec2 to,
                          uint8_t *searched)
{
    find_log log = {&from, &to, 0, NULL};
    query_number += 1;
    *searched = 9;
    graze_segment_grid_find(grid, &from, &to, 1, searched, note_finds, &log);
    return log.count;
}

static void check_find(const graze_segment_grid *grid, const placement *where, point from, point to)
{
    const point low = {smaller(from.x, to.x), smaller(from.y, to.y)};
    const point high = {larger(from.x, to.x), larger(from.y, to.y)};
    uint8_t searched;
    note_find(grid, place_point(where, from), place_point(where, to), &searched);
    assert_in_range(searched, GRAZE_SEARCHED_BOX, GRAZE_NOT_SEARCHED);
    for (uint32_t i = 0; i < model.segment_count && searched != GRAZE_NOT_SEARCHED; ++i) {
        const bool wanted = searched == GRAZE_SEARCHED_BOX
                                ? box_touches(low, high, model.a[i], model.b[i])
                                : segments_touch(model.a[i], model.b[i], from, to);
        if (wanted && model.met[i] != query_number) {
            fail_missed(where, i, from, to, TIME_STEPS);
        }
    }
}

static void check_ray(const graze_segment_grid *grid, const placement *where, point from, point to,
                      int limit)
{
    check_find(grid, where, from, to);
    note_walk(graze_segment_grid_walk_ray(grid, place_point(where, from), place_point(where, to)),
              (double)limit / TIME_STEPS);
    const point start = times(from, TIME_STEPS);
    const point end = {start.x + (to.x - from.x) * limit, start.y + (to.y - from.y) * limit};
    for (uint32_t i = 0; i < model.segment_count; ++i) {
        if (model.met[i] != query_number &&
            segments_touch(times(model.a[i], TIME_STEPS), times(model.b[i], TIME_STEPS), start,
                           end)) {
            fail_missed(where, i, from, to, limit);
        }
    }
}

static void check_box(const graze_segment_grid *grid, const placement *where, point p, point q)
{
    const point low = {smaller(p.x, q.x), smaller(p.y, q.y)};
    const point high = {larger(p.x, q.x), larger(p.y, q.y)};
    const graze_aabb box = {place_point(where, low), place_point(where, high)};
    note_walk(graze_segment_grid_walk_box(grid, box), 1.0);
    for (uint32_t i = 0; i < model.segment_count; ++i) {
        if (model.met[i] != query_number && box_touches(low, high, model.a[i], model.b[i])) {
            fail_missed(where, i, low, high, TIME_STEPS);
        }
    }
}

// Queries

static int64_t random_coordinate(random_state *random)
{
    return random_integer(random, (int)model.low, (int)model.high);
}

static point random_point(random_state *random)
{
    point p = {random_coordinate(random), random_coordinate(random)};
    if (random_below(random, 4) == 0) {
        p = model.points[random_below(random, model.point_count)];
    } else if (random_below(random, 2) == 0) {
        const int64_t mask = -((int64_t)1 << random_below(random, 8));
        p.x &= mask; // onto the corner of a cell, for some cell side
        p.y &= mask;
    }
    return p;
}

static point random_end(random_state *random, point from)
{
    const int reach = 1 << random_below(random, 14);
    const int length = random_integer(random, -reach, reach);
    const point near = {from.x + length, from.y + random_integer(random, -reach, reach)};
    const point diagonal = {from.x + length, from.y + (random_below(random, 2) ? length : -length)};
    const point along_x = {from.x + length, from.y};
    const point along_y = {from.x, from.y + length};
    const point ends[] = {near, near, diagonal, along_x, along_y, random_point(random), from};
    return ends[random_below(random, sizeof ends / sizeof *ends)];
}

static void check_random_queries(const graze_segment_grid *grid, const placement *where,
                                 random_state *random, int count)
{
    for (int i = 0; i < count; ++i) {
        const point from = random_point(random);
        const point to = random_end(random, from);
        const int limit = (i % 2 == 0 ? TIME_STEPS : random_integer(random, 0, TIME_STEPS));
        check_ray(grid, where, from, to, limit);
        check_box(grid, where, from, to);
    }
}

static void walks_meet_every_segment_that_touches(void **state)
{
    (void)state;
    random_state random = random_seed(1);
    for (size_t i = 0; i < sizeof scene_makers / sizeof *scene_makers; ++i) {
        scene_makers[i](&random);
        for (size_t k = 0; k < sizeof placements / sizeof *placements; ++k) {
            graze_segment_grid grid;
            place_scene(&placements[k]);
            fill_grid(&grid);
            check_random_queries(&grid, &placements[k], &random, 400);
            graze_segment_grid_free(&grid);
        }
    }
}

static void a_grid_of_few_segments_misses_none_either(void **state)
{
    (void)state;
    random_state random = random_seed(2);
    for (int round = 0; round < 1000; ++round) {
        graze_segment_grid grid;
        begin_scene("few", -32, 32);
        for (int i = random_integer(&random, 1, 6); i > 0; --i) {
            const point a = {random_coordinate(&random), random_coordinate(&random)};
            const point b = random_end(&random, a);
            add_segment(a.x, a.y, b.x, b.y);
        }
        const placement *where = &placements[random_below(&random, 5)];
        place_scene(where);
        fill_grid(&grid);
        check_random_queries(&grid, where, &random, 20);
        graze_segment_grid_free(&grid);
    }
}

// All moves between corners of cells, among segments on the cells' borders and corners.
static void moves_along_and_across_cell_borders_miss_nothing(void **state)
{
    (void)state;
    graze_segment_grid grid;
    begin_scene("borders", 0, 16);
    for (int64_t i = 0; i < 64; ++i) {
        add_segment(i % 8 * 2, i / 8 * 2, i % 8 * 2 + 2, i / 8 * 2);
        add_segment(i % 8 * 2, i / 8 * 2, i % 8 * 2, i / 8 * 2 + 2);
        add_segment(i % 8 * 2, i / 8 * 2, i % 8 * 2, i / 8 * 2);
    }
    place_scene(&placements[0]);
    fill_grid(&grid);
    for (int64_t from = 0; from < 49; ++from) {
        for (int64_t to = 0; to < 49; ++to) {
            const point p = {from % 7 * 2, from / 7 * 2};
            const point q = {to % 7 * 2, to / 7 * 2};
            check_ray(&grid, &placements[0], p, q, TIME_STEPS);
            check_ray(&grid, &placements[0], p, q, 5);
            check_box(&grid, &placements[0], p, q);
        }
    }
    graze_segment_grid_free(&grid);
}

// Limits

static double time_of_hit(point from, point to, point a, point b)
{
    const double dx = (double)(to.x - from.x);
    const double dy = (double)(to.y - from.y);
    const double ex = (double)(b.x - a.x);
    const double ey = (double)(b.y - a.y);
    const double divisor = dx * ey - dy * ex;
    if (divisor == 0.0 || !segments_touch(from, to, a, b)) {
        return 2.0;
    }
    return ((double)(a.x - from.x) * ey - (double)(a.y - from.y) * ex) / divisor;
}

static double find_first_hit(const graze_segment_grid *grid, point from, point to)
{
    const placement *where = &placements[0];
    graze_segment_walk walk =
        graze_segment_grid_walk_ray(grid, place_point(where, from), place_point(where, to));
    graze_segment_span span;
    double best = 1.0;
    while (graze_segment_walk_next(&walk, best, &span)) {
        for (uint32_t i = 0; i < span.count; ++i) {
            const line *met = &model.lines[span.owner[i] - OWNER_SALT];
            const uint32_t segment = met->first_segment + span.item[i];
            best = fmin(best, time_of_hit(from, to, model.a[segment], model.b[segment]));
        }
    }
    return best;
}

static double first_hit_of_all(point from, point to)
{
    double best = 1.0;
    for (uint32_t i = 0; i < model.segment_count; ++i) {
        best = fmin(best, time_of_hit(from, to, model.a[i], model.b[i]));
    }
    return best;
}

static void a_falling_limit_keeps_the_first_hit(void **state)
{
    (void)state;
    random_state random = random_seed(3);
    for (size_t i = 0; i < sizeof scene_makers / sizeof *scene_makers; ++i) {
        graze_segment_grid grid;
        scene_makers[i](&random);
        place_scene(&placements[0]);
        fill_grid(&grid);
        for (int n = 0; n < 200; ++n) {
            const point from = random_point(&random);
            const point to = random_end(&random, from);
            const double found = find_first_hit(&grid, from, to);
            const double expected = first_hit_of_all(from, to);
            if (fabs(found - expected) > 1e-14) {
                fail_msg("%s: found %.17g, is %.17g", model.name, found, expected);
            }
        }
        graze_segment_grid_free(&grid);
    }
}

static void a_small_limit_ends_a_long_walk_early(void **state)
{
    (void)state;
    graze_segment_grid grid;
    begin_scene("a field", 0, 4000);
    for (int64_t i = 0; i < 2500; ++i) {
        add_segment(i % 50 * 80, i / 50 * 80, i % 50 * 80 + 60, i / 50 * 80 + 60);
    }
    place_scene(&placements[0]);
    fill_grid(&grid);
    const graze_vec2 from = {1.0f, 2.0f};
    const graze_vec2 to = {3999.0f, 3000.0f};
    const graze_segment_walk walk = graze_segment_grid_walk_ray(&grid, from, to);
    const uint64_t all = note_walk(walk, 1.0);
    assert_in_range(all, 30, 300);
    assert_in_range(note_walk(walk, 0.1), 1, all / 5);
    assert_in_range(note_walk(walk, 0.0), 0, 4);
    graze_segment_grid_free(&grid);
}

// Bounds

static void a_segment_has_few_copies_however_long_it_is(void **state)
{
    (void)state;
    random_state random = random_seed(4);
    for (size_t i = 0; i < sizeof scene_makers / sizeof *scene_makers; ++i) {
        graze_segment_grid grid;
        scene_makers[i](&random);
        place_scene(&placements[i % 5]);
        fill_grid(&grid);
        const graze_segment_grid_stats stats = graze_segment_grid_get_stats(&grid);
        assert_int_equal(stats.segments, model.segment_count);
        assert_in_range(stats.copies, stats.segments, 10 * stats.segments);
        assert_in_range(stats.used, 1, stats.copies);
        assert_in_range(stats.bytes, 1, 4000 + 600 * (uint64_t)stats.segments + 30000);
        graze_segment_grid_free(&grid);
    }
}

static void a_walk_is_never_longer_than_the_grid(void **state)
{
    (void)state;
    random_state random = random_seed(5);
    const graze_vec2 ends[] = {{-FLT_MAX, -FLT_MAX}, {FLT_MAX, FLT_MAX}, {FLT_MAX, 1e30f}};
    for (size_t i = 0; i < sizeof scene_makers / sizeof *scene_makers; ++i) {
        graze_segment_grid grid;
        scene_makers[i](&random);
        place_scene(&placements[0]);
        fill_grid(&grid);
        const graze_aabb all = {ends[0], ends[1]};
        const graze_segment_grid_stats stats = graze_segment_grid_get_stats(&grid);
        assert_int_equal(note_walk(graze_segment_grid_walk_box(&grid, all), 1.0), stats.used);
        for (uint32_t n = 0; n < model.segment_count; ++n) {
            assert_int_equal(model.met[n], query_number);
        }
        assert_in_range(note_walk(graze_segment_grid_walk_ray(&grid, ends[0], ends[1]), 1.0), 0,
                        stats.cells);
        assert_in_range(note_walk(graze_segment_grid_walk_ray(&grid, ends[0], ends[2]), 1.0), 0,
                        stats.cells);
        graze_segment_grid_free(&grid);
    }
}

static void segments_of_any_finite_size_are_found(void **state)
{
    (void)state;
    const graze_vec2 points[] = {{-FLT_MAX, -FLT_MAX}, {FLT_MAX, FLT_MAX},  {0.0f, -0.0f},
                                 {1e-45f, -1e-45f},    {1.0f, 1.0f},        {1e30f, 1.0f},
                                 {1e30f, 2.0f},        {-1e-38f, FLT_MIN},  {16777216.0f, 0.5f},
                                 {-FLT_MAX, FLT_MAX},  {FLT_MAX, -FLT_MAX}, {FLT_MAX, 0.0f}};
    const uint32_t count = sizeof points / sizeof *points;
    graze_segment_grid grid;
    assert_int_equal(graze_segment_grid_init(&grid, NULL), GRAZE_OK);
    const graze_polyline all = {points, count, true};
    assert_int_equal(graze_segment_grid_add(&grid, 7, all), GRAZE_OK);
    for (uint32_t i = 0; i < count; ++i) {
        bool found[2] = {false, false};
        const graze_aabb box = {points[i], points[i]};
        graze_segment_walk walks[2] = {graze_segment_grid_walk_box(&grid, box),
                                       graze_segment_grid_walk_ray(&grid, points[i], points[i])};
        graze_segment_span span;
        for (int k = 0; k < 2; ++k) {
            while (graze_segment_walk_next(&walks[k], 1.0, &span)) {
                for (uint32_t n = 0; n < span.count; ++n) {
                    found[k] = found[k] || span.item[n] == i;
                }
            }
            assert_true(found[k]);
        }
    }
    graze_segment_grid_remove(&grid, 7, all);
    assert_int_equal(graze_segment_grid_count(&grid), 0);
    assert_int_equal(graze_segment_grid_get_stats(&grid).copies, 0);
    graze_segment_grid_free(&grid);
}

// Editing

static void lines_of_no_segments_change_nothing(void **state)
{
    (void)state;
    const graze_vec2 alone = {1.0f, 2.0f};
    const graze_polyline lines[] = {{NULL, 0, false}, {NULL, 0, true}, {&alone, 1, false}};
    graze_segment_grid grid;
    assert_int_equal(graze_segment_grid_init(&grid, NULL), GRAZE_OK);
    for (int i = 0; i < 3; ++i) {
        assert_int_equal(graze_segment_grid_add(&grid, 1, lines[i]), GRAZE_OK);
        graze_segment_grid_remove(&grid, 1, lines[i]);
        assert_int_equal(graze_segment_grid_count(&grid), 0);
    }
    const graze_aabb box = {{-9.0f, -9.0f}, {9.0f, 9.0f}};
    assert_int_equal(note_walk(graze_segment_grid_walk_box(&grid, box), 1.0), 0);
    graze_segment_grid_free(&grid);
}

static void coordinates_that_are_not_finite_are_refused(void **state)
{
    (void)state;
    const float bad[] = {NAN, INFINITY, -INFINITY};
    graze_segment_grid grid;
    assert_int_equal(graze_segment_grid_init(&grid, NULL), GRAZE_OK);
    for (int i = 0; i < 6; ++i) {
        graze_vec2 points[3] = {{0.0f, 0.0f}, {1.0f, 1.0f}, {2.0f, 0.0f}};
        *(i % 2 ? &points[2].x : &points[1].y) = bad[i / 2];
        const graze_polyline damaged = {points, 3, false};
        assert_int_equal(graze_segment_grid_add(&grid, 1, damaged), GRAZE_ERROR_ARGUMENT);
        const graze_polyline alone = {&points[i % 2 ? 2 : 1], 1, false}; // Of no segments.
        assert_int_equal(graze_segment_grid_add(&grid, 1, alone), GRAZE_ERROR_ARGUMENT);
        graze_segment_grid_remove(&grid, 1, damaged);
        assert_int_equal(graze_segment_grid_count(&grid), 0);
    }
    graze_segment_grid_free(&grid);
}

static void moves_searched_together_find_what_each_finds_alone(void **state)
{
    (void)state;
    enum { MOVES = 1000 };
    static graze_vec2 from[MOVES], to[MOVES];
    static uint8_t searched[MOVES];
    random_state random = random_seed(77);
    graze_segment_grid grid;
    make_wavy_lines(&random);
    place_scene(&placements[0]);
    fill_grid(&grid);
    for (int i = 0; i < MOVES; ++i) {
        const int reach = i % 10 ? 300 : 4000;
        const point start = random_point(&random);
        const point end = {start.x + random_integer(&random, -reach, reach),
                           start.y + random_integer(&random, -reach, reach)};
        from[i] = place_point(&placements[0], start);
        to[i] = place_point(&placements[0], end);
    }
    static uint64_t together[MOVES];
    find_log log = {from, to, 0, together};
    graze_segment_grid_find(&grid, from, to, MOVES, searched, note_finds, &log);
    assert_true(log.count > GRAZE_SEGMENT_FINDS);
    for (int i = 0; i < MOVES; ++i) {
        uint64_t alone = 0;
        uint8_t searched_alone;
        find_log one = {&from[i], &to[i], 0, &alone};
        graze_segment_grid_find(&grid, &from[i], &to[i], 1, &searched_alone, note_finds, &one);
        if (searched[i] != GRAZE_NOT_SEARCHED) { // There was room for its cells.
            assert_int_equal(searched[i], searched_alone);
            assert_true(alone == together[i]);
        }
    }
    graze_segment_grid_free(&grid);
    log.count = 0;
    graze_segment_grid_find(&grid, from, to, MOVES, searched, note_finds, &log);
    assert_int_equal(log.count + searched[0] + searched[MOVES - 1], 0);
}

static uint32_t count_finds(const graze_segment_grid *grid, float ax, float ay, float bx, float by,
                            uint8_t expected)
{
    const graze_vec2 from = {ax, ay};
    const graze_vec2 to = {bx, by};
    uint8_t searched;
    const uint32_t count = note_find(grid, from, to, &searched);
    assert_int_equal(searched, expected);
    return count;
}

// Small segments on a lattice of spacing 4, a long one through all, and a heap in one cell.
static void a_search_costs_no_more_than_the_cells_around_the_move_hold(void **state)
{
    (void)state;
    enum { HEAP = 500 };
    graze_segment_grid grid;
    begin_scene("a trap", 0, 160);
    add_segment(-1000000, 0, 1000000, 3);
    for (int i = 0; i < 1600; ++i) {
        add_segment(i % 40 * 4, i / 40 * 4, i % 40 * 4 + 1, i / 40 * 4 + 1);
    }
    for (int i = 0; i < HEAP; ++i) {
        add_segment(401, 401, 402, 402);
    }
    place_scene(&placements[0]);
    fill_grid(&grid);
    // Far from the heap: a handful. In it: each once in each cell.
    assert_in_range(count_finds(&grid, 80.5f, 80.5f, 82, 82, GRAZE_SEARCHED_BOX), 1, 16);
    assert_in_range(count_finds(&grid, 401, 402, 402, 401, GRAZE_SEARCHED_BOX), HEAP, 4 * HEAP);
    // Along the border of cells, whatever their side is, as if beside it.
    for (float x = 16; x <= 144; x += 16) {
        assert_in_range(count_finds(&grid, x, 17, x, 18.5f, GRAZE_SEARCHED_BOX), 0, 16);
        assert_in_range(count_finds(&grid, x, 16, x, 20, GRAZE_SEARCHED_BOX), 2, 16);
    }
    // A long way is not searched here: a walk stops at what it finds.
    assert_in_range(count_finds(&grid, -5e5f, 80, 5e5f, 81, GRAZE_NOT_SEARCHED), 0, 16);
    graze_segment_grid_free(&grid);
}

static void walks_that_are_not_finite_end(void **state)
{
    (void)state;
    random_state random = random_seed(6);
    const float values[] = {NAN, INFINITY, -INFINITY, 3.0f};
    graze_segment_grid grid;
    make_wavy_lines(&random);
    place_scene(&placements[0]);
    fill_grid(&grid);
    for (int i = 0; i < 256; ++i) {
        const graze_vec2 p = {values[i & 3], values[i >> 2 & 3]};
        const graze_vec2 q = {values[i >> 4 & 3], values[i >> 6]};
        const graze_aabb box = {p, q};
        note_walk(graze_segment_grid_walk_ray(&grid, p, q), 1.0);
        note_walk(graze_segment_grid_walk_box(&grid, box), 1.0);
    }
    graze_segment_grid_free(&grid);
}

static void removing_what_is_not_there_changes_nothing(void **state)
{
    (void)state;
    random_state random = random_seed(7);
    graze_segment_grid grid;
    make_wavy_lines(&random);
    place_scene(&placements[0]);
    fill_grid(&grid);
    const graze_vec2 far[2] = {{-1e9f, 0.0f}, {1e9f, 5.0f}};
    const graze_polyline stranger = {far, 2, false};
    graze_segment_grid_remove(&grid, 1, stranger);
    graze_segment_grid_remove(&grid, 3, placed_line(0));
    assert_int_equal(graze_segment_grid_count(&grid), model.segment_count);
    check_random_queries(&grid, &placements[0], &random, 50);
    graze_segment_grid_free(&grid);
}

static void a_line_added_twice_is_there_twice(void **state)
{
    (void)state;
    random_state random = random_seed(8);
    graze_segment_grid grid;
    make_wavy_lines(&random);
    place_scene(&placements[0]);
    fill_grid(&grid);
    assert_int_equal(add_line(&grid, 0), GRAZE_OK);
    remove_line(&grid, 0);
    assert_int_equal(graze_segment_grid_count(&grid), model.segment_count);
    check_random_queries(&grid, &placements[0], &random, 50);
    graze_segment_grid_free(&grid);
}

// An edited grid holds the lines of `kept`, all that touches and none of the others.
static void check_edited_grid(const graze_segment_grid *grid, const bool *kept,
                              random_state *random)
{
    uint32_t expected = 0;
    for (uint32_t i = 0; i < model.line_count; ++i) {
        const line *edited = &model.lines[i];
        expected += (kept[i] ? edited->count - !edited->loop : 0);
    }
    assert_int_equal(graze_segment_grid_count(grid), expected);
    const point from = random_point(random);
    const point to = random_end(random, from);
    note_walk(graze_segment_grid_walk_ray(grid, place_point(&placements[0], from),
                                          place_point(&placements[0], to)),
              1.0);
    for (uint32_t i = 0; i < model.line_count; ++i) {
        const line *edited = &model.lines[i];
        for (uint32_t k = 0; k < edited->count - !edited->loop; ++k) {
            const uint32_t n = edited->first_segment + k;
            const bool met = (model.met[n] == query_number);
            assert_true(kept[i] || !met);
            assert_true(!kept[i] || met || !segments_touch(model.a[n], model.b[n], from, to));
        }
    }
}

static void edit_at_random(make_scene *make, uint64_t seed)
{
    static bool kept[MOST_SEGMENTS];
    random_state random = random_seed(seed);
    graze_segment_grid grid;
    make(&random);
    place_scene(&placements[0]);
    memset(kept, 0, sizeof kept);
    assert_int_equal(graze_segment_grid_init(&grid, NULL), GRAZE_OK);
    for (int step = 0; step < 3000; ++step) {
        const bool filling = (step / 500 % 2 == 0);
        const uint32_t i = random_below(&random, model.line_count);
        if (!kept[i] && (filling || random_below(&random, 8) == 0)) {
            assert_int_equal(add_line(&grid, i), GRAZE_OK);
            kept[i] = true;
        } else if (kept[i] && (!filling || random_below(&random, 8) == 0)) {
            remove_line(&grid, i);
            kept[i] = false;
        }
        if (step % 16 == 0) {
            check_edited_grid(&grid, kept, &random);
        }
    }
    graze_segment_grid_free(&grid);
}

static void an_edited_grid_holds_what_a_list_would(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof scene_makers / sizeof *scene_makers; ++i) {
        edit_at_random(scene_makers[i], 100 + i);
    }
}

// Later lines are too long, too short and too many for the levels planned before.
static void a_grid_follows_what_is_stored(void **state)
{
    (void)state;
    random_state random = random_seed(9);
    graze_segment_grid grid;
    begin_scene("changing lengths", -4096, 4096);
    for (int i = 0; i < 3000; ++i) {
        const int length = (i / 500 % 2 == 0 ? 1 : 1000 * (i / 500));
        const int x = random_integer(&random, -4096, 4096);
        const int y = random_integer(&random, -4096, 4096);
        add_segment(x, y, x + length, y - 1);
    }
    place_scene(&placements[0]);
    fill_grid(&grid);
    check_random_queries(&grid, &placements[0], &random, 200);
    const graze_segment_grid_stats full = graze_segment_grid_get_stats(&grid);
    assert_in_range(full.levels, 2, 4);
    assert_true(full.copies < 16 * full.used);
    for (uint32_t i = 10; i < model.line_count; ++i) {
        remove_line(&grid, i);
    }
    assert_int_equal(add_line(&grid, 10), GRAZE_OK);
    assert_true(graze_segment_grid_get_stats(&grid).bytes < full.bytes / 4);
    graze_segment_grid_free(&grid);
}

static void short_segments_among_long_ones_get_cells_of_their_own(void **state)
{
    (void)state;
    graze_segment_grid grid;
    begin_scene("short among long", -100, 100);
    for (int64_t i = 0; i < 100; ++i) {
        add_segment(-8000, 160 * i - 8000, 8000, 160 * i - 8000);
    }
    begin_line(false);
    for (int64_t i = 0; i < 90; ++i) {
        add_point(i, i % 3);
    }
    end_line();
    place_scene(&placements[0]);
    fill_grid(&grid);
    const graze_segment_grid_stats stats = graze_segment_grid_get_stats(&grid);
    assert_int_equal(stats.levels, 2);
    const graze_aabb box = {{40.0f, 0.0f}, {44.0f, 4.0f}};
    graze_segment_walk walk = graze_segment_grid_walk_box(&grid, box);
    graze_segment_span span;
    uint32_t met = 0;
    while (graze_segment_walk_next(&walk, 1.0, &span)) {
        met += span.count;
    }
    assert_in_range(met, 4, 40);
    graze_segment_grid_free(&grid);
}

static void editing_for_ever_does_not_grow_the_grid(void **state)
{
    (void)state;
    random_state random = random_seed(12);
    graze_segment_grid grid;
    make_one_heap(&random);
    place_scene(&placements[0]);
    fill_grid(&grid);
    for (uint32_t round = 0; round < 100; ++round) {
        const uint64_t bytes = graze_segment_grid_get_stats(&grid).bytes;
        for (uint32_t i = round % 2; i < model.line_count; i += 2) {
            remove_line(&grid, i);
        }
        for (uint32_t i = round % 2; i < model.line_count; i += 2) {
            assert_int_equal(add_line(&grid, i), GRAZE_OK);
        }
        assert_int_equal(graze_segment_grid_get_stats(&grid).bytes, bytes);
    }
    graze_segment_grid_free(&grid);
}

// Memory

static failing_allocator memory;

static void add_line_with_every_failure(graze_segment_grid *grid, uint32_t index, bool *kept,
                                        random_state *random)
{
    for (size_t n = 1;; ++n) {
        failing_allocator_arm(&memory, n);
        const graze_status status = add_line(grid, index);
        if (!failing_allocator_disarm(&memory)) {
            assert_int_equal(status, GRAZE_OK);
            kept[index] = true;
            return;
        }
        assert_int_equal(status, GRAZE_ERROR_OUT_OF_MEMORY);
        check_edited_grid(grid, kept, random);
    }
}

static void a_failed_allocation_leaves_the_grid_as_it_was(void **state)
{
    (void)state;
    static bool kept[MOST_SEGMENTS];
    random_state random = random_seed(10);
    for (size_t i = 0; i < sizeof scene_makers / sizeof *scene_makers; ++i) {
        graze_segment_grid grid;
        memset(&memory, 0, sizeof memory);
        memset(kept, 0, sizeof kept);
        const graze_allocator allocator = failing_allocator_interface(&memory);
        assert_int_equal(graze_segment_grid_init(&grid, &allocator), GRAZE_OK);
        scene_makers[i](&random);
        place_scene(&placements[0]);
        for (uint32_t k = 0; k < model.line_count; ++k) {
            add_line_with_every_failure(&grid, k, kept, &random);
        }
        check_edited_grid(&grid, kept, &random);
        graze_segment_grid_free(&grid);
        failing_allocator_assert_empty(&memory);
    }
}

static void walking_and_removing_allocate_nothing(void **state)
{
    (void)state;
    random_state random = random_seed(11);
    graze_segment_grid grid;
    memset(&memory, 0, sizeof memory);
    const graze_allocator allocator = failing_allocator_interface(&memory);
    assert_int_equal(graze_segment_grid_init(&grid, &allocator), GRAZE_OK);
    assert_int_equal(memory.calls, 0);
    make_all_lengths(&random);
    place_scene(&placements[0]);
    for (uint32_t i = 0; i < model.line_count; ++i) {
        assert_int_equal(add_line(&grid, i), GRAZE_OK);
    }
    const size_t calls = memory.calls;
    check_random_queries(&grid, &placements[0], &random, 50);
    for (uint32_t i = 0; i < model.line_count; ++i) {
        remove_line(&grid, i);
    }
    assert_int_equal(memory.calls, calls);
    graze_segment_grid_free(&grid);
    failing_allocator_assert_empty(&memory);
}

static void half_an_allocator_is_refused(void **state)
{
    (void)state;
    graze_allocator half = failing_allocator_interface(&memory);
    half.release = NULL;
    graze_segment_grid grid;
    assert_int_equal(graze_segment_grid_init(&grid, &half), GRAZE_ERROR_ARGUMENT);
}

static void a_zeroed_or_freed_grid_is_an_empty_one(void **state)
{
    (void)state;
    graze_segment_grid grid;
    memset(&grid, 0, sizeof grid);
    graze_segment_grid_free(&grid);
    const graze_vec2 points[2] = {{0.0f, 0.0f}, {1.0f, 1.0f}};
    const graze_polyline one = {points, 2, false};
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(graze_segment_grid_count(&grid), 0);
        assert_int_equal(graze_segment_grid_add(&grid, 1, one), GRAZE_OK);
        assert_int_equal(graze_segment_grid_count(&grid), 1);
        graze_segment_grid_free(&grid);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_meet_every_segment_that_touches),
        cmocka_unit_test(a_grid_of_few_segments_misses_none_either),
        cmocka_unit_test(moves_along_and_across_cell_borders_miss_nothing),
        cmocka_unit_test(a_falling_limit_keeps_the_first_hit),
        cmocka_unit_test(a_small_limit_ends_a_long_walk_early),
        cmocka_unit_test(a_segment_has_few_copies_however_long_it_is),
        cmocka_unit_test(a_walk_is_never_longer_than_the_grid),
        cmocka_unit_test(segments_of_any_finite_size_are_found),
        cmocka_unit_test(lines_of_no_segments_change_nothing),
        cmocka_unit_test(coordinates_that_are_not_finite_are_refused),
        cmocka_unit_test(moves_searched_together_find_what_each_finds_alone),
        cmocka_unit_test(a_search_costs_no_more_than_the_cells_around_the_move_hold),
        cmocka_unit_test(walks_that_are_not_finite_end),
        cmocka_unit_test(removing_what_is_not_there_changes_nothing),
        cmocka_unit_test(a_line_added_twice_is_there_twice),
        cmocka_unit_test(an_edited_grid_holds_what_a_list_would),
        cmocka_unit_test(a_grid_follows_what_is_stored),
        cmocka_unit_test(short_segments_among_long_ones_get_cells_of_their_own),
        cmocka_unit_test(editing_for_ever_does_not_grow_the_grid),
        cmocka_unit_test(a_failed_allocation_leaves_the_grid_as_it_was),
        cmocka_unit_test(walking_and_removing_allocate_nothing),
        cmocka_unit_test(half_an_allocator_is_refused),
        cmocka_unit_test(a_zeroed_or_freed_grid_is_an_empty_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
