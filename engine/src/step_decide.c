#include "bodies.h"
#include "meet.h"
#include "rows.h"
#include "step.h"
#include "terrain.h"
#include "vec2d.h"

#include <float.h>

// What is reported is finite: beyond the range of float it is the end of the range.
static float limited(double value)
{
    return (float)clamp(value, -(double)FLT_MAX, (double)FLT_MAX) + 0.0f;
}

static graze_vec2 rounded(graze_vec2d v)
{
    graze_vec2 single = {limited(v.x), limited(v.y)};
    return single;
}

static bool is_sensor(const graze_world *world, uint32_t row_a, uint32_t row_b,
                      graze_segment_id segment)
{
    const uint32_t *traits = world->rows.traits;
    bool other = row_b == GRZ_NONE ? !grz_chain_is_solid(world, segment)
                                   : (traits[row_b] & GRZ_TRAIT_SENSOR) != 0;
    return other || (traits[row_a] & GRZ_TRAIT_SENSOR);
}

static void put_contact(graze_world *world, uint32_t row_a, uint32_t row_b,
                        graze_segment_id segment, const grz_touch *touch)
{
    const graze_body_id none = {0, 0};
    graze_contact contact = {
        .a = grz_row_id(&world->rows, row_a),
        .b = row_b == GRZ_NONE ? none : grz_row_id(&world->rows, row_b),
        .segment = segment,
        .time = (float)touch->time + 0.0f,
        .point = rounded(touch->point),
        .normal = rounded(touch->normal),
        .depth = limited(touch->depth),
        .flags = is_sensor(world, row_a, row_b, segment) ? GRAZE_CONTACT_SENSOR : 0,
    };
    world->fresh.data[world->fresh.count++] = contact;
}

bool grz_contact_add(graze_world *world, uint32_t row_a, uint32_t row_b, graze_segment_id segment,
                     const grz_touch *touch)
{
    if (!grz_array_reserve_more(&world->fresh, &world->counting, 1)) {
        return false;
    }
    put_contact(world, row_a, row_b, segment, touch);
    return true;
}

static bool add_meeting(graze_world *world, uint32_t row_a, uint32_t row_b)
{
    if (!grz_array_reserve_more(&world->meetings, &world->counting, 1)) {
        return false;
    }
    grz_meeting meeting = {row_a, row_b, GRZ_NONE};
    world->meetings.data[world->meetings.count++] = meeting;
    return true;
}

/// Kinds of pairs: one kernel each, but for the last.
enum {
    ROUND_PAIRS,   ///< Of circles and rays.
    MIXED_PAIRS,   ///< Of one of these and a rect.
    ANGULAR_PAIRS, ///< Of rects.
    OPEN_PAIRS,    ///< With a free body: the Respond phase decides them.
    KIND_COUNT,
    PAIRS_AT_ONCE = 512
};

/// Some pairs, sorted by kind; the body with the smaller index is a.
typedef struct pair_kinds {
    graze_pair pairs[KIND_COUNT][PAIRS_AT_ONCE];
    uint32_t count[KIND_COUNT];
} pair_kinds;

static void sort_pairs_by_kind(const grz_rows *rows, const graze_pair *pairs, uint32_t count,
                               pair_kinds *kinds)
{
    for (uint32_t kind = 0; kind < KIND_COUNT; ++kind) {
        kinds->count[kind] = 0;
    }
    for (uint32_t i = 0; i < count; ++i) {
        graze_pair pair = pairs[i];
        graze_pair turned = {pair.b, pair.a};
        uint32_t traits_a = rows->traits[pair.a];
        uint32_t traits_b = rows->traits[pair.b];
        uint32_t rects = (traits_a & GRAZE_SHAPE_RECT) + (traits_b & GRAZE_SHAPE_RECT);
        uint32_t kind = (traits_a | traits_b) & GRZ_TRAIT_FREE ? OPEN_PAIRS : rects;
        bool in_order = rows->index[pair.a] < rows->index[pair.b];
        kinds->pairs[kind][kinds->count[kind]++] = in_order ? pair : turned;
    }
}

static bool decide_kind(graze_world *world, const graze_pair *pairs, uint32_t count)
{
    const graze_segment_id none = {{0, 0}, 0};
    if (!grz_array_reserve_more(&world->fresh, &world->counting, count)) {
        return false;
    }
    for (uint32_t i = 0; i < count; ++i) {
        grz_touch touch;
        if (grz_touch_straight(&world->rows, pairs[i].a, pairs[i].b, &touch)) {
            put_contact(world, pairs[i].a, pairs[i].b, none, &touch);
        }
    }
    return true;
}

/// Round pairs by how they stand: which of these it is cannot be guessed, but is known in a list.
typedef struct round_pairs {
    graze_pair touching[PAIRS_AT_ONCE]; ///< At the start already.
    graze_pair nearing[PAIRS_AT_ONCE];  ///< Apart, and coming closer: they may touch on the way.
    uint32_t touching_count, nearing_count;
} round_pairs;

static void sort_round_pairs(const grz_rows *rows, const graze_pair *pairs, uint32_t count,
                             round_pairs *sorted)
{
    sorted->touching_count = 0;
    sorted->nearing_count = 0;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t a = pairs[i].a;
        uint32_t b = pairs[i].b;
        graze_vec2d start = offset(rows->position[a], rows->position[b]);
        graze_vec2d delta = subtract(offset(rows->end[a], rows->end[b]), start);
        double reach = (double)rows->half[a].x + (double)rows->half[b].x;
        bool touches = dot(start, start) <= reach * reach;
        bool nears = dot(start, delta) < 0;
        sorted->touching[sorted->touching_count] = pairs[i];
        sorted->touching_count += touches;
        sorted->nearing[sorted->nearing_count] = pairs[i];
        sorted->nearing_count += (unsigned)!touches & (unsigned)nears;
    }
}

// Circles that are apart and do not come closer never touch. The kernel decides all others.
static bool decide_round(graze_world *world, const graze_pair *pairs, uint32_t count)
{
    round_pairs sorted;
    sort_round_pairs(&world->rows, pairs, count, &sorted);
    return decide_kind(world, sorted.touching, sorted.touching_count) &&
           decide_kind(world, sorted.nearing, sorted.nearing_count);
}

static bool leave_open(graze_world *world, const graze_pair *pairs, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        if (!add_meeting(world, pairs[i].a, pairs[i].b)) {
            return false;
        }
    }
    return true;
}

// HOT. bench: engine/step/gas-mixed
//
// Data    The pairs in sequence; their rows lie close to each other, because the grid sorted them.
// Branch  Sorted by kind some hundred at a time, which no branch decides: so the kernel is known,
//         and what is left to guess is whether they touch.
static bool decide_pairs(graze_world *world)
{
    pair_kinds kinds;
    for (uint32_t first = 0; first < world->pairs.count; first += PAIRS_AT_ONCE) {
        uint32_t rest = world->pairs.count - first;
        uint32_t count = rest < PAIRS_AT_ONCE ? rest : PAIRS_AT_ONCE;
        sort_pairs_by_kind(&world->rows, world->pairs.data + first, count, &kinds);
        if (!decide_round(world, kinds.pairs[ROUND_PAIRS], kinds.count[ROUND_PAIRS]) ||
            !decide_kind(world, kinds.pairs[MIXED_PAIRS], kinds.count[MIXED_PAIRS]) ||
            !decide_kind(world, kinds.pairs[ANGULAR_PAIRS], kinds.count[ANGULAR_PAIRS]) ||
            !leave_open(world, kinds.pairs[OPEN_PAIRS], kinds.count[OPEN_PAIRS])) {
            return false;
        }
    }
    return true;
}

static bool decide_terrain(graze_world *world, uint32_t row)
{
    grz_mover mover = grz_mover_of(world, row);
    grz_wall_walk walk;
    grz_wall_walk_begin(&walk, world, &mover, world->rows.position[row], world->rows.end[row]);
    grz_touch touch;
    graze_segment_id segment;
    while (grz_wall_walk_next(&walk, 1, &touch, &segment)) {
        if (!grz_contact_add(world, row, GRZ_NONE, segment, &touch)) {
            return false;
        }
    }
    return true;
}

graze_status grz_step_decide(graze_world *world)
{
    world->fresh.count = 0;
    world->meetings.count = 0;
    if (!decide_pairs(world)) {
        return GRAZE_ERROR_OUT_OF_MEMORY;
    }
    uint32_t count = world->segment_count ? world->active_count : 0;
    for (uint32_t row = 0; row < count; ++row) {
        if (!(world->rows.traits[row] & GRZ_TRAIT_FREE) && !decide_terrain(world, row)) {
            return GRAZE_ERROR_OUT_OF_MEMORY;
        }
    }
    return GRAZE_OK;
}
