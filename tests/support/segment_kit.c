#include "segment_kit.h"

#include <math.h>

segment_scene kit_model;
uint32_t kit_query_number;

const placement kit_placements[KIT_PLACEMENTS] = {
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

graze_vec2 kit_place_point(const placement *where, point p)
{
    graze_vec2 placed = {place_coordinate(where, p.x + where->offset.x),
                         place_coordinate(where, p.y + where->offset.y)};
    return placed;
}

// --- The oracle ---

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

bool kit_segments_touch(point a, point b, point p, point q)
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

// --- Scenes ---

void kit_begin_scene(const char *name, int64_t low, int64_t high)
{
    kit_model.name = name;
    kit_model.low = low;
    kit_model.high = high;
    kit_model.line_count = kit_model.point_count = kit_model.segment_count = 0;
}

void kit_begin_line(bool loop)
{
    line *added = &kit_model.lines[kit_model.line_count++];
    added->first = kit_model.point_count;
    added->count = 0;
    added->first_segment = kit_model.segment_count;
    added->loop = loop;
}

void kit_add_point(int64_t x, int64_t y)
{
    point p = {x, y};
    kit_model.points[kit_model.point_count++] = p;
    kit_model.lines[kit_model.line_count - 1].count += 1;
}

void kit_end_line(void)
{
    const line *added = &kit_model.lines[kit_model.line_count - 1];
    const point *points = &kit_model.points[added->first];
    for (uint32_t i = 0; i + !added->loop < added->count; ++i) {
        kit_model.a[kit_model.segment_count] = points[i];
        kit_model.b[kit_model.segment_count++] = points[(i + 1) % added->count];
    }
}

void kit_add_segment(int64_t ax, int64_t ay, int64_t bx, int64_t by)
{
    kit_begin_line(false);
    kit_add_point(ax, ay);
    kit_add_point(bx, by);
    kit_end_line();
}

void kit_make_wavy_lines(random_state *random)
{
    kit_begin_scene("wavy lines", 0, 16000);
    for (int n = 0; n < 12; ++n) {
        double x = random_integer(random, 0, 16000);
        double y = random_integer(random, 0, 16000);
        double angle = (double)random_float(random, 0.0f, 6.28f);
        kit_begin_line(n % 3 == 0);
        for (int i = 0; i < 80; ++i) {
            kit_add_point((int64_t)x, (int64_t)y);
            angle += 0.3 * sin(0.2 * i);
            x += 150.0 * cos(angle);
            y += 150.0 * sin(angle);
        }
        kit_end_line();
    }
}

static void make_tiles(random_state *random)
{
    kit_begin_scene("tiles", 0, 32 * 16);
    for (int64_t y = 0; y < 32 * 16; y += 16) {
        for (int64_t x = 0; x < 32 * 16; x += 16) {
            if (random_below(random, 3) == 0) {
                kit_begin_line(true);
                kit_add_point(x, y);
                kit_add_point(x + 16, y);
                kit_add_point(x + 16, y + 16);
                kit_add_point(x, y + 16);
                kit_end_line();
            }
        }
    }
}

// From (x, y) to a point at most `reach` away on each axis.
static void add_near(random_state *random, int x, int y, int reach)
{
    const int by_x = random_integer(random, -reach, reach);
    const int by_y = random_integer(random, -reach, reach);
    kit_add_segment(x, y, x + by_x, y + by_y);
}

static void make_long_wall(random_state *random)
{
    kit_begin_scene("a long wall", -2000, 2000);
    kit_add_segment(-500000, -40, 500000, 50);
    kit_add_segment(7, 400000, -3, -600000);
    for (int i = 0; i < 1500; ++i) {
        int x = random_integer(random, -2000, 2000);
        int y = random_integer(random, -2000, 2000);
        add_near(random, x, y, 8);
    }
}

void kit_make_one_heap(random_state *random)
{
    kit_begin_scene("one heap", -8, 24);
    for (int i = 0; i < 400; ++i) {
        int ends[4];
        for (int k = 0; k < 4; ++k) {
            ends[k] = random_integer(random, 0, 15);
        }
        kit_add_segment(ends[0], ends[1], ends[2], ends[3]);
    }
}

static void make_lattice(random_state *random)
{
    kit_begin_scene("a lattice", -64, 64);
    for (int i = 0; i < 600; ++i) {
        int x = 4 * random_integer(random, -16, 16);
        int y = 4 * random_integer(random, -16, 16);
        int length = 4 * random_integer(random, -4, 4);
        int direction = random_integer(random, 0, 3);
        kit_add_segment(x, y, x + (direction == 1 ? 0 : length),
                        y + (direction == 0 ? 0 : (direction == 2 ? length : -length)));
    }
}

static void make_aliases(random_state *random)
{
    kit_begin_scene("aliases", -65536, 65536);
    for (int i = 0; i < 800; ++i) {
        int x = 4096 * random_integer(random, -16, 16) + random_integer(random, -2, 2);
        int y = 4096 * random_integer(random, -16, 16) + random_integer(random, -2, 2);
        add_near(random, x, y, 3);
    }
}

void kit_make_all_lengths(random_state *random)
{
    kit_begin_scene("all lengths", -4096, 4096);
    for (int i = 0; i < 600; ++i) {
        int reach = 1 << random_below(random, 20);
        int x = random_integer(random, -4096, 4096);
        int y = random_integer(random, -4096, 4096);
        add_near(random, x, y, reach);
    }
}

static void make_points(random_state *random)
{
    kit_begin_scene("points and collinear runs", -50, 50);
    for (int i = 0; i < 40; ++i) {
        int x = random_integer(random, -50, 50);
        int y = random_integer(random, -50, 50);
        kit_begin_line(i % 2 == 0);
        for (int k = 0; k < 8; ++k) {
            kit_add_point(x + k / 2, y);
        }
        kit_end_line();
        kit_begin_line(true);
        kit_add_point(x, y);
        kit_end_line();
    }
}

kit_make_scene *const kit_scene_makers[KIT_SCENE_MAKERS] = {
    kit_make_wavy_lines, make_tiles,   make_long_wall,       kit_make_one_heap,
    make_lattice,        make_aliases, kit_make_all_lengths, make_points};

// --- The grid compared with the model ---

graze_polyline kit_placed_line(uint32_t index)
{
    const line *added = &kit_model.lines[index];
    graze_polyline placed = {&kit_model.placed[added->first], added->count, added->loop};
    return placed;
}

void kit_place_scene(const placement *where)
{
    for (uint32_t i = 0; i < kit_model.point_count; ++i) {
        kit_model.placed[i] = kit_place_point(where, kit_model.points[i]);
    }
}

graze_status kit_add_line(graze_segment_grid *grid, uint32_t index)
{
    return graze_segment_grid_add(grid, index + OWNER_SALT, kit_placed_line(index));
}

void kit_remove_line(graze_segment_grid *grid, uint32_t index)
{
    graze_segment_grid_remove(grid, index + OWNER_SALT, kit_placed_line(index));
}

void kit_fill_grid(graze_segment_grid *grid)
{
    assert_int_equal(graze_segment_grid_init(grid, NULL), GRAZE_OK);
    for (uint32_t i = 0; i < kit_model.line_count; ++i) {
        assert_int_equal(kit_add_line(grid, i), GRAZE_OK);
    }
    assert_int_equal(graze_segment_grid_count(grid), kit_model.segment_count);
}

static void assert_is_end(float x, float y, graze_vec2 expected)
{
    assert_true(x == expected.x && y == expected.y);
}

// Marks the segments of a span as met; each must have been added, with these end points.
static void note_span(const graze_segment_span *span)
{
    assert_in_range(span->count, 1, MAX_SEGMENTS);
    for (uint32_t i = 0; i < span->count; ++i) {
        const graze_segment_name name = span->names[i];
        assert_in_range(name.owner, OWNER_SALT, OWNER_SALT + kit_model.line_count - 1);
        const line *met = &kit_model.lines[name.owner - OWNER_SALT];
        const graze_vec2 *points = &kit_model.placed[met->first];
        assert_in_range(name.item, 0, met->count - 1);
        assert_is_end(span->ax[i], span->ay[i], points[name.item]);
        assert_is_end(span->bx[i], span->by[i], points[(name.item + 1) % met->count]);
        kit_model.met[met->first_segment + name.item] = kit_query_number;
    }
}

// Reads the last element that loads in lanes may read, for sanitizers.
static void read_padding(const graze_segment_span *span)
{
    const uint32_t last = (span->count + 15) / 16 * 16 - 1;
    const float *const numbers[] = {span->ax, span->ay, span->bx, span->by};
    for (int i = 0; i < 4; ++i) {
        (void)*(const volatile float *)&numbers[i][last];
    }
}

kit_walk kit_note_walk(graze_segment_walk walk, double limit)
{
    graze_segment_span span;
    kit_walk all = {0, 0};
    kit_query_number += 1;
    while (graze_segment_walk_next(&walk, limit, &span)) {
        note_span(&span);
        read_padding(&span);
        all.spans += 1;
        all.segments += span.count;
    }
    return all;
}

static void fail_missed(const placement *where, uint32_t segment, point from, point to, int limit)
{
    point a = kit_model.a[segment];
    point b = kit_model.b[segment];
    fail_msg("%s %s: missed (%lld %lld)-(%lld %lld) from (%lld %lld) to (%lld %lld) limit %d/%d",
             kit_model.name, where->name, (long long)a.x, (long long)a.y, (long long)b.x,
             (long long)b.y, (long long)from.x, (long long)from.y, (long long)to.x, (long long)to.y,
             limit, TIME_STEPS);
}

static bool overlaps(float a, float b, float p, float q)
{
    return fminf(a, b) <= fmaxf(p, q) && fminf(p, q) <= fmaxf(a, b);
}

void kit_note_finds(void *context, const graze_segment_finds *finds)
{
    find_log *log = context;
    assert_in_range(finds->count, 1, GRAZE_SEGMENT_FINDS);
    graze_segment_name names[GRAZE_SEGMENT_FINDS];
    for (uint32_t i = 0; i < finds->count; ++i) {
        names[i] = *finds->names[i];
    }
    const graze_segment_span span = {finds->ax, finds->ay, finds->bx,
                                     finds->by, names,     finds->count};
    note_span(&span);
    for (uint32_t i = 0; i < finds->count; ++i) {
        const uint32_t move = finds->move[i];
        const graze_vec2 from = log->from[move];
        const graze_vec2 to = log->to[move];
        assert_true(overlaps(finds->ax[i], finds->bx[i], from.x, to.x) &&
                    overlaps(finds->ay[i], finds->by[i], from.y, to.y));
        if (log->sums) {
            const uint64_t id = (uint64_t)names[i].owner << 32 | names[i].item;
            log->sums[move] += (id + 1) * UINT64_C(0x9E3779B97F4A7C15);
        }
    }
    log->count += finds->count;
}

uint32_t kit_note_find(const graze_segment_grid *grid, graze_vec2 from, graze_vec2 to,
                       uint8_t *searched)
{
    find_log log = {&from, &to, 0, NULL};
    kit_query_number += 1;
    *searched = 9;
    graze_segment_grid_find(grid, &from, &to, 1, searched, kit_note_finds, &log);
    return log.count;
}

static void check_find(const graze_segment_grid *grid, const placement *where, point from, point to)
{
    const point low = {smaller(from.x, to.x), smaller(from.y, to.y)};
    const point high = {larger(from.x, to.x), larger(from.y, to.y)};
    uint8_t searched;
    kit_note_find(grid, kit_place_point(where, from), kit_place_point(where, to), &searched);
    assert_in_range(searched, GRAZE_SEGMENT_SEARCH_BOX, GRAZE_SEGMENT_SEARCH_NONE);
    for (uint32_t i = 0; i < kit_model.segment_count && searched != GRAZE_SEGMENT_SEARCH_NONE;
         ++i) {
        const bool wanted = searched == GRAZE_SEGMENT_SEARCH_BOX
                                ? box_touches(low, high, kit_model.a[i], kit_model.b[i])
                                : kit_segments_touch(kit_model.a[i], kit_model.b[i], from, to);
        if (wanted && kit_model.met[i] != kit_query_number) {
            fail_missed(where, i, from, to, TIME_STEPS);
        }
    }
}

void kit_check_ray(const graze_segment_grid *grid, const placement *where, point from, point to,
                   int limit)
{
    check_find(grid, where, from, to);
    kit_note_walk(
        graze_segment_grid_walk_ray(grid, kit_place_point(where, from), kit_place_point(where, to)),
        (double)limit / TIME_STEPS);
    const point start = times(from, TIME_STEPS);
    const point end = {start.x + (to.x - from.x) * limit, start.y + (to.y - from.y) * limit};
    for (uint32_t i = 0; i < kit_model.segment_count; ++i) {
        if (kit_model.met[i] != kit_query_number &&
            kit_segments_touch(times(kit_model.a[i], TIME_STEPS), times(kit_model.b[i], TIME_STEPS),
                               start, end)) {
            fail_missed(where, i, from, to, limit);
        }
    }
}

void kit_check_box(const graze_segment_grid *grid, const placement *where, point p, point q)
{
    const point low = {smaller(p.x, q.x), smaller(p.y, q.y)};
    const point high = {larger(p.x, q.x), larger(p.y, q.y)};
    const graze_aabb box = {kit_place_point(where, low), kit_place_point(where, high)};
    kit_note_walk(graze_segment_grid_walk_box(grid, box), 1.0);
    for (uint32_t i = 0; i < kit_model.segment_count; ++i) {
        if (kit_model.met[i] != kit_query_number &&
            box_touches(low, high, kit_model.a[i], kit_model.b[i])) {
            fail_missed(where, i, low, high, TIME_STEPS);
        }
    }
}

int64_t kit_random_coordinate(random_state *random)
{
    return random_integer(random, (int)kit_model.low, (int)kit_model.high);
}

point kit_random_point(random_state *random)
{
    point p = {kit_random_coordinate(random), kit_random_coordinate(random)};
    if (random_below(random, 4) == 0) {
        p = kit_model.points[random_below(random, kit_model.point_count)];
    } else if (random_below(random, 2) == 0) {
        const int64_t mask = -((int64_t)1 << random_below(random, 8));
        p.x &= mask; // onto the corner of a cell, for some cell side
        p.y &= mask;
    }
    return p;
}

point kit_random_end(random_state *random, point from)
{
    const int reach = 1 << random_below(random, 14);
    const int length = random_integer(random, -reach, reach);
    const point near = {from.x + length, from.y + random_integer(random, -reach, reach)};
    const point diagonal = {from.x + length, from.y + (random_below(random, 2) ? length : -length)};
    const point along_x = {from.x + length, from.y};
    const point along_y = {from.x, from.y + length};
    const point ends[] = {near, near, diagonal, along_x, along_y, kit_random_point(random), from};
    return ends[random_below(random, sizeof ends / sizeof *ends)];
}

void kit_check_random_queries(const graze_segment_grid *grid, const placement *where,
                              random_state *random, int count)
{
    for (int i = 0; i < count; ++i) {
        const point from = kit_random_point(random);
        const point to = kit_random_end(random, from);
        const int limit = (i % 2 == 0 ? TIME_STEPS : random_integer(random, 0, TIME_STEPS));
        kit_check_ray(grid, where, from, to, limit);
        kit_check_box(grid, where, from, to);
    }
}
