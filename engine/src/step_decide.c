#include "bodies.h"
#include "decide.h"
#include "meet.h"
#include "prefetch.h"
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

graze_contact grz_contact_of(const graze_world *world, uint32_t row_a, uint32_t row_b,
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
    return contact;
}

bool grz_contact_add(graze_world *world, uint32_t row_a, uint32_t row_b, graze_segment_id segment,
                     const grz_touch *touch)
{
    if (!grz_array_reserve_more(&world->fresh, &world->counting, 1)) {
        return false;
    }
    world->fresh.data[world->fresh.count++] = grz_contact_of(world, row_a, row_b, segment, touch);
    return true;
}

static void put_hit(const grz_rows *rows, const grz_ranked_pairs *pairs, uint32_t place,
                    const grz_touch *touch, grz_hit_sink *sink)
{
    grz_hit hit = {
        rows->generation[pairs->a[place]],
        rows->generation[pairs->b[place]],
        (float)touch->time + 0.0f,
        limited(touch->depth),
        rounded(touch->point),
        rounded(touch->normal),
    };
    sink->hits[sink->count] = hit;
    sink->ranks[sink->count++] = pairs->ranks[place];
}

static void decide_one(const grz_rows *rows, const grz_ranked_pairs *pairs, uint32_t place,
                       grz_hit_sink *sink)
{
    grz_touch touch;
    if (grz_touch_straight(rows, pairs->a[place], pairs->b[place], &touch)) {
        put_hit(rows, pairs, place, &touch, sink);
    }
}

// Without lanes: a single pair need not compute what comes to nothing.
static uint32_t decide_each(const grz_rows *rows, grz_ranked_pairs *pairs, grz_hit_sink *sink,
                            uint32_t *left_over)
{
    (void)left_over;
    for (uint32_t place = 0; place < pairs->count; ++place) {
        decide_one(rows, pairs, place, sink);
    }
    return 0;
}

const grz_decide_loops grz_decide_loops_scalar = {{decide_each, decide_each, decide_each}};

static void decide_kind(const graze_world *world, uint32_t kind, grz_ranked_pairs *pairs,
                        grz_hit_sink *sink)
{
    static const grz_decide_loops *const loops[] = GRZ_WIDE_TABLES(grz_decide_loops);
    uint32_t left_over[GRZ_DECIDED_AT_ONCE];
    const uint32_t count = loops[world->lanes]->of_kind[kind](&world->rows, pairs, sink, left_over);
    for (uint32_t i = 0; i < count; ++i) {
        decide_one(&world->rows, pairs, left_over[i], sink);
    }
}

// Which index is the smaller is a toss of a coin: masks, not branches, put the two in order.
// Returns all bits where a and b change places.
static inline uint32_t add_ranked(grz_ranked_pairs *pairs, const grz_rows *rows, graze_pair pair,
                                  uint32_t traits)
{
    const uint32_t index_a = rows->index[pair.a];
    const uint32_t index_b = rows->index[pair.b];
    const uint32_t turned = 0 - (uint32_t)(index_b < index_a);
    const uint32_t rows_apart = (pair.a ^ pair.b) & turned;
    const uint32_t indices_apart = (index_a ^ index_b) & turned;
    const bool sensor = (traits & GRZ_TRAIT_SENSOR) != 0;
    pairs->a[pairs->count] = pair.a ^ rows_apart;
    pairs->b[pairs->count] = pair.b ^ rows_apart;
    pairs->ranks[pairs->count++] =
        grz_rank(index_a ^ indices_apart, index_b ^ indices_apart, sensor);
    return turned;
}

// In big worlds rows are far from the processor: by the time that some hundred pairs are sorted,
// what the lanes will read of them is near.
static inline void prefetch_row(const grz_rows *rows, uint32_t row)
{
    GRZ_PREFETCH(rows->position + row);
    GRZ_PREFETCH(rows->end + row);
    GRZ_PREFETCH(rows->half + row);
    if (rows->rotation) {
        GRZ_PREFETCH(rows->rotation + row);
    }
}

static void decide_plain_pairs(const graze_world *world, const graze_pair *pairs, uint32_t count,
                               grz_hit_sink *hits)
{
    const grz_rows *rows = &world->rows;
    grz_ranked_pairs ranked;
    ranked.count = 0;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t traits = rows->traits[pairs[i].a] | rows->traits[pairs[i].b];
        add_ranked(&ranked, rows, pairs[i], traits);
    }
    decide_kind(world, GRZ_ROUND_PAIRS, &ranked, hits);
}

static void sort_pairs_by_kind(const grz_rows *rows, const graze_pair *pairs, uint32_t count,
                               grz_ranked_pairs kinds[GRZ_PAIR_KINDS])
{
    for (uint32_t kind = 0; kind < GRZ_PAIR_KINDS; ++kind) {
        kinds[kind].count = 0;
    }
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t traits_a = rows->traits[pairs[i].a];
        uint32_t traits_b = rows->traits[pairs[i].b];
        uint32_t rects = (traits_a & GRAZE_SHAPE_RECT) + (traits_b & GRAZE_SHAPE_RECT);
        bool open = ((traits_a | traits_b) & GRZ_TRAIT_FREE) != 0;
        prefetch_row(rows, pairs[i].a);
        prefetch_row(rows, pairs[i].b);
        grz_ranked_pairs *kind = &kinds[rects | ((0 - (uint32_t)open) & GRZ_OPEN_PAIRS)];
        uint32_t place = kind->count;
        uint32_t turned = add_ranked(kind, rows, pairs[i], traits_a | traits_b);
        uint32_t first = traits_a ^ ((traits_a ^ traits_b) & turned);
        kind->traits[place] = first | ((traits_a | traits_b) & GRZ_TRAIT_SPINS);
    }
}

static void leave_open(const grz_ranked_pairs *pairs, grz_meeting_sink *sink)
{
    for (uint32_t i = 0; i < pairs->count; ++i) {
        grz_meeting meeting = {pairs->a[i], pairs->b[i], GRZ_NONE};
        sink->meetings[sink->count++] = meeting;
    }
}

// HOT. bench: engine/step/gas-mixed
//
// Data    The pairs in sequence; their rows lie close to each other, because the grid sorted them.
// Branch  Sorted by kind some hundred at a time, which no branch decides: so the kernel is known,
//         and what is left to guess is whether they touch. Not even sorted where all are round.
void grz_decide_pairs(const graze_world *world, const graze_pair *pairs, uint32_t count,
                      grz_hit_sink *hits, grz_meeting_sink *meetings)
{
    if (!world->rect_count && !world->free_count) {
        decide_plain_pairs(world, pairs, count, hits);
        return;
    }
    grz_ranked_pairs kinds[GRZ_PAIR_KINDS];
    sort_pairs_by_kind(&world->rows, pairs, count, kinds);
    for (uint32_t kind = 0; kind < GRZ_OPEN_PAIRS; ++kind) {
        decide_kind(world, kind, &kinds[kind], hits);
    }
    leave_open(&kinds[GRZ_OPEN_PAIRS], meetings);
}

graze_status grz_step_decide(graze_world *world)
{
    world->fresh.count = 0;
    if (world->free_count && !grz_keys_index(world)) {
        return GRAZE_ERROR_OUT_OF_MEMORY;
    }
    return grz_step_walls(world) ? GRAZE_OK : GRAZE_ERROR_OUT_OF_MEMORY;
}
