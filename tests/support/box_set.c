#include "box_set.h"

#include <float.h>
#include <string.h>

static void put(box_set *set, uint32_t i, float x, float y, float half_x, float half_y)
{
    set->box[i].lower.x = x - half_x;
    set->box[i].lower.y = y - half_y;
    set->box[i].upper.x = x + half_x;
    set->box[i].upper.y = y + half_y;
}

// Squares of half extent `half` around (x, y), uniform in a square of side `spread`.
static void put_around(random_state *random, box_set *set, uint32_t i, float x, float y,
                       float spread, float half)
{
    const float by_x = random_float(random, -spread / 2, spread / 2);
    const float by_y = random_float(random, -spread / 2, spread / 2);
    put(set, i, x + by_x, y + by_y, half, half);
}

static float grow(float value, float factor, uint32_t times)
{
    return times ? grow(value * factor, factor, times - 1) : value;
}

static void fill_gas_at(random_state *random, box_set *set, float x, float y)
{
    float spread = 1;
    while (spread * spread * 0.25f < (float)set->count) {
        spread += 1;
    }
    for (uint32_t i = 0; i < set->count; ++i) {
        put_around(random, set, i, x, y, spread, random_float(random, 0.5f, 0.6f));
    }
}

static void fill_gas(random_state *random, box_set *set)
{
    fill_gas_at(random, set, 50, 60);
}

static void fill_around_zero(random_state *random, box_set *set)
{
    fill_gas_at(random, set, 0, 0);
}

static void fill_negative(random_state *random, box_set *set)
{
    fill_gas_at(random, set, -500, -700);
}

static void fill_far(random_state *random, box_set *set)
{
    fill_gas_at(random, set, 1e5f, -1e5f);
}

static void fill_very_far(random_state *random, box_set *set)
{
    for (uint32_t i = 0; i < set->count; ++i) {
        put_around(random, set, i, 1e30f, -1e30f, 1e25f, random_float(random, 0, 5e23f));
    }
}

static void fill_sizes(random_state *random, box_set *set)
{
    for (uint32_t i = 0; i < set->count; ++i) {
        put_around(random, set, i, 0, 0, 60, grow(0.01f, 4, random_below(random, 6)));
    }
}

static void fill_clusters(random_state *random, box_set *set)
{
    for (uint32_t i = 0; i < set->count; ++i) {
        const bool loose = random_below(random, 20) == 0;
        put_around(random, set, i, loose ? 0.0f : 90.0f, 0, loose ? 400.0f : 8.0f, 0.2f);
    }
}

static void fill_giant_among_dust(random_state *random, box_set *set)
{
    for (uint32_t i = 0; i < set->count; ++i) {
        put_around(random, set, i, 0, 0, 100, i == set->count / 2 ? 40.0f : 0.3f);
    }
}

static void fill_one_cell(random_state *random, box_set *set)
{
    for (uint32_t i = 0; i < set->count; ++i) {
        put_around(random, set, i, 3, 3, 0.5f, i == 0 ? 1000.0f : 0.004f);
    }
}

static void fill_one_point(random_state *random, box_set *set)
{
    (void)random;
    for (uint32_t i = 0; i < set->count; ++i) {
        put(set, i, -3.5f, 7.25f, 0, 0);
    }
}

static void fill_one_line(random_state *random, box_set *set)
{
    for (uint32_t i = 0; i < set->count; ++i) {
        const float x = random_float(random, -1000, 1000);
        put(set, i, x, 5, 0.5f, random_float(random, 0, 3));
    }
}

// Distant places that a torus of power-of-two sides puts into one cell, or into neighbouring ones.
static void fill_aliases(random_state *random, box_set *set)
{
    for (uint32_t i = 0; i < set->count; ++i) {
        const float period = grow(1, 2, random_below(random, 12));
        const float x = (float)random_integer(random, -3, 3) * period;
        const float y = (float)random_integer(random, -3, 3) * period;
        put(set, i, x, y, 0.25f * (float)random_integer(random, 0, 2), 0.5f);
    }
}

// Sides are integers, many of length 0: almost all boxes that meet only touch.
static void fill_touching(random_state *random, box_set *set)
{
    for (uint32_t i = 0; i < set->count; ++i) {
        set->box[i].lower.x = (float)random_integer(random, -12, 12);
        set->box[i].lower.y = (float)random_integer(random, -12, 12);
        set->box[i].upper.x = set->box[i].lower.x + (float)random_integer(random, 0, 1);
        set->box[i].upper.y = set->box[i].lower.y + (float)random_integer(random, 0, 1);
    }
}

// Coordinates and sizes of all magnitudes of floats.
static void fill_magnitudes(random_state *random, box_set *set)
{
    for (uint32_t i = 0; i < set->count; ++i) {
        const float scale = grow(FLT_MIN, 8, random_below(random, 84));
        const float half = grow(FLT_MIN, 8, random_below(random, 84));
        put_around(random, set, i, 0, 0, scale, half);
    }
}

static void fill_extremes(random_state *random, box_set *set)
{
    static const float sides[] = {-FLT_MAX, -1e38f,  -1,     -FLT_MIN, -1e-45f, 0,
                                  1e-45f,   FLT_MIN, 1e-10f, 1,        1e38f,   FLT_MAX};
    for (uint32_t i = 0; i < set->count; ++i) {
        const uint32_t x = random_below(random, 12), y = random_below(random, 12);
        set->box[i].lower.x = sides[x];
        set->box[i].lower.y = sides[y];
        set->box[i].upper.x = sides[x + random_below(random, 12 - x)];
        set->box[i].upper.y = sides[y + random_below(random, 12 - y)];
    }
}

const graze_grid_meets box_set_meets = {.count = 3, .rows = {{7}, {1}, {1}}, .points = {2}};

graze_grid_items box_set_items(const box_set *boxes)
{
    const graze_grid_items items = {
        .boxes = boxes->box, .kinds = boxes->quiet, .meets = &box_set_meets, .count = boxes->count};
    return items;
}

const box_set_kind *box_set_kinds(uint32_t *count)
{
    static const box_set_kind kinds[] = {
        {"gas", fill_gas},
        {"around zero", fill_around_zero},
        {"negative", fill_negative},
        {"far (1e5)", fill_far},
        {"very far (1e30)", fill_very_far},
        {"gas-sizes", fill_sizes},
        {"clusters", fill_clusters},
        {"giant among dust", fill_giant_among_dust},
        {"one cell", fill_one_cell},
        {"one point", fill_one_point},
        {"one line", fill_one_line},
        {"aliases", fill_aliases},
        {"touching", fill_touching},
        {"magnitudes", fill_magnitudes},
        {"extremes", fill_extremes},
    };
    *count = sizeof kinds / sizeof kinds[0];
    return kinds;
}

const box_set_kind *box_set_kind_named(const char *name)
{
    uint32_t count;
    const box_set_kind *kind = box_set_kinds(&count);
    while (strcmp(kind->name, name) != 0) {
        ++kind;
    }
    return kind;
}

void box_set_fill(const box_set_kind *kind, uint64_t seed, uint32_t count, box_set *set)
{
    random_state random = random_seed(seed);
    set->count = count;
    memset(set->quiet, 0, sizeof set->quiet);
    kind->fill(&random, set);
}

void box_set_hush(random_state *random, uint32_t one_in, box_set *set)
{
    for (uint32_t i = 0; i < set->count; ++i) {
        set->quiet[i] = random_below(random, one_in) != 0;
    }
}

bool box_set_overlap(const box_set *set, uint32_t i, uint32_t k)
{
    const graze_aabb a = set->box[i], b = set->box[k];
    return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y &&
           b.lower.y <= a.upper.y;
}
