#include "support/solid.h"
#include "support/world_kit.h"

#include <graze/sweep.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Queries against brute force: every body and every segment, one after the other.

enum { MOST_INDICES = 400, MOST_CHAINS = 40, MOST_HITS = 2048 };

static const float margin = 1e-4f; ///< Nearer to a tie than this, either answer is right.

/// A world with its chains, for brute force.
typedef struct place {
    graze_world *world;
    graze_chain_id chains[MOST_CHAINS];
    uint32_t chain_count;
} place;

/// A hit with its time unrounded, or a body with its distance.
typedef struct found {
    double key;
    graze_body_id body;
    graze_segment_id segment;
} found;

typedef struct found_list {
    found all[MOST_HITS];
    uint32_t count;
} found_list;

static bool filters_allow(graze_filter a, graze_filter b)
{
    if (a.group != 0 && a.group == b.group) {
        return a.group > 0;
    }
    return (a.category & b.mask) && (b.category & a.mask);
}

static bool find_body(const place *here, uint32_t index, graze_filter filter, graze_body_id *body)
{
    *body = graze_world_body_at(here->world, index);
    return !kit_is_none(*body) && filters_allow(filter, graze_body_filter(here->world, *body));
}

static void add_found(found_list *list, double key, graze_body_id body, graze_segment_id segment)
{
    assert_true(list->count < MOST_HITS);
    found one = {key, body, segment};
    list->all[list->count++] = one;
}

static bool is_terrain(const found *one)
{
    return one->segment.chain.generation != 0;
}

static int compare_numbers(uint32_t first, uint32_t second)
{
    return first < second ? -1 : first > second;
}

static int compare_found(const void *left, const void *right)
{
    const found *first = left;
    const found *second = right;
    if (first->key != second->key) {
        return first->key < second->key ? -1 : 1;
    }
    if (is_terrain(first) != is_terrain(second)) {
        return is_terrain(first) ? -1 : 1;
    }
    int order = compare_numbers(first->body.index, second->body.index);
    order =
        order ? order : compare_numbers(first->segment.chain.index, second->segment.chain.index);
    return order ? order : compare_numbers(first->segment.index, second->segment.index);
}

static void sort_found(found_list *list)
{
    qsort(list->all, list->count, sizeof *list->all, compare_found);
}

// --- Casts ---

/// A shape that is cast; a ray is one, too.
typedef struct caster {
    graze_shape shape;
    graze_rotation rotation;
    graze_vec2 from, to;
    graze_filter filter;
} caster;

static graze_vec2d apart(graze_vec2 a, graze_vec2 b)
{
    graze_vec2d d = {(double)a.x - (double)b.x, (double)a.y - (double)b.y};
    return d;
}

static graze_vec2d negated(graze_vec2d v)
{
    graze_vec2d back = {-v.x, -v.y};
    return back;
}

static double radius_of(graze_shape shape)
{
    return shape.kind == GRAZE_SHAPE_CIRCLE ? (double)shape.radius : 0;
}

static graze_sweep sweep_at_body(const place *here, const caster *cast, graze_body_id body)
{
    graze_shape target = graze_body_shape(here->world, body);
    graze_rotation turned = graze_rotation_from_angle(graze_body_angle(here->world, body));
    graze_vec2d start = apart(cast->from, graze_body_position(here->world, body));
    graze_vec2d way = apart(cast->to, cast->from);
    bool rect = cast->shape.kind == GRAZE_SHAPE_RECT;
    if (rect && target.kind == GRAZE_SHAPE_RECT) {
        return graze_sweep_rects(start, way, cast->shape.half, cast->rotation, target.half, turned);
    }
    if (rect) {
        return graze_sweep_circle_rect(negated(start), negated(way), radius_of(target),
                                       cast->shape.half, cast->rotation);
    }
    if (target.kind == GRAZE_SHAPE_RECT) {
        return graze_sweep_circle_rect(start, way, radius_of(cast->shape), target.half, turned);
    }
    return graze_sweep_circles(start, way, radius_of(cast->shape), radius_of(target));
}

static graze_sweep sweep_at_wall(const caster *cast, graze_segment wall)
{
    graze_vec2d from = {(double)cast->from.x, (double)cast->from.y};
    graze_vec2d way = apart(cast->to, cast->from);
    graze_sweep crossing = graze_sweep_point_segment(cast->from, cast->to, wall);
    graze_sweep sweep = crossing;
    if (cast->shape.kind == GRAZE_SHAPE_CIRCLE) {
        sweep = graze_sweep_circle_segment(from, way, radius_of(cast->shape), wall);
    } else if (cast->shape.kind == GRAZE_SHAPE_RECT) {
        sweep = graze_sweep_rect_segment(from, way, cast->shape.half, cast->rotation, wall);
    }
    return sweep.hit ? sweep : crossing;
}

static bool starts_behind(graze_chain_def chain, graze_segment wall, graze_vec2 from)
{
    int side = graze_orient(wall.a, wall.b, from);
    bool zero_is_left = wall.b.y < wall.a.y || (wall.b.y == wall.a.y && wall.b.x > wall.a.x);
    return chain.one_sided && !(side > 0 || (side == 0 && zero_is_left));
}

static void cast_at_chain(const place *here, const caster *cast, graze_chain_id id,
                          found_list *list)
{
    const graze_body_id nobody = {0, 0};
    graze_chain_def chain = graze_chain_get_def(here->world, id);
    if (!chain.points || !filters_allow(cast->filter, chain.filter)) {
        return;
    }
    for (uint32_t i = 0; i < (chain.loop ? chain.count : chain.count - 1); ++i) {
        graze_segment wall = {chain.points[i], chain.points[(i + 1) % chain.count]};
        graze_sweep sweep = sweep_at_wall(cast, wall);
        graze_segment_id segment = {id, i};
        if (sweep.hit && !starts_behind(chain, wall, cast->from)) {
            add_found(list, sweep.time, nobody, segment);
        }
    }
}

static void cast_by_brute_force(const place *here, const caster *cast, found_list *list)
{
    const graze_segment_id nowhere = {{0, 0}, 0};
    list->count = 0;
    for (uint32_t index = 0; index < MOST_INDICES; ++index) {
        graze_body_id body;
        if (find_body(here, index, cast->filter, &body)) {
            graze_sweep sweep = sweep_at_body(here, cast, body);
            if (sweep.hit) {
                add_found(list, sweep.time, body, nowhere);
            }
        }
    }
    for (uint32_t i = 0; i < here->chain_count; ++i) {
        cast_at_chain(here, cast, here->chains[i], list);
    }
    sort_found(list);
}

static void assert_hit(const graze_query_hit *hit, const found *expected, graze_vec2 end)
{
    const found none = {1, {0, 0}, {{0, 0}, 0}};
    const found *wanted = expected ? expected : &none;
    float time = (float)wanted->key + 0.0f;
    assert_memory_equal(&hit->body, &wanted->body, sizeof hit->body);
    assert_memory_equal(&hit->segment, &wanted->segment, sizeof hit->segment);
    assert_memory_equal(&hit->time, &time, sizeof time);
    if (expected) {
        kit_assert_near(graze_vec2_length(hit->normal), 1, 1e-5f);
    } else {
        const graze_vec2 zero = {0, 0};
        kit_assert_same_vec2(hit->normal, zero);
        kit_assert_same_vec2(hit->point, end);
    }
}

static graze_vec2 point_on(graze_vec2 from, graze_vec2 to, float time)
{
    graze_vec2 point = {from.x + (to.x - from.x) * time, from.y + (to.y - from.y) * time};
    return point;
}

static void check_ray(const place *here, graze_ray ray, graze_filter filter)
{
    static found_list expected;
    graze_vec2 end = graze_vec2_add(ray.origin, ray.delta);
    const caster cast = {graze_shape_ray(), {1, 0}, ray.origin, end, filter};
    cast_by_brute_force(here, &cast, &expected);
    graze_query_hit closest, many;
    assert_int_equal(graze_query_ray(here->world, ray, filter, &closest), GRAZE_OK);
    assert_hit(&closest, expected.count ? &expected.all[0] : NULL, end);
    assert_int_equal(graze_query_ray_many(here->world, &ray, 1, filter, &many), GRAZE_OK);
    assert_memory_equal(&many, &closest, sizeof many);
    static graze_query_hit hits[MOST_HITS];
    const uint32_t capacities[] = {0, 1, 3, 64, MOST_HITS};
    for (uint32_t k = 0; k < 5; ++k) {
        uint32_t capacity = capacities[k];
        uint32_t total =
            graze_query_ray_all(here->world, ray, filter, capacity ? hits : NULL, capacity);
        assert_int_equal(total, expected.count);
        for (uint32_t i = 0; i < total && i < capacity; ++i) {
            assert_hit(&hits[i], &expected.all[i], end);
            graze_vec2 point = point_on(ray.origin, end, hits[i].time);
            bool inside = hits[i].time == 0 && !is_terrain(&expected.all[i]);
            if (!inside) {
                kit_assert_near_vec2(hits[i].point, point.x, point.y, 1e-2f);
                assert_true(graze_vec2_dot(hits[i].normal, ray.delta) <= 1e-3f);
            }
        }
    }
}

static void check_cast(const place *here, graze_shape shape, float angle, graze_vec2 from,
                       graze_vec2 delta, graze_filter filter)
{
    static found_list expected;
    graze_vec2 end = graze_vec2_add(from, delta);
    float turned = shape.kind == GRAZE_SHAPE_RECT ? angle : 0;
    const caster cast = {shape, graze_rotation_from_angle(turned), from, end, filter};
    cast_by_brute_force(here, &cast, &expected);
    graze_query_hit closest;
    assert_int_equal(graze_query_cast(here->world, shape, from, angle, delta, filter, &closest),
                     GRAZE_OK);
    assert_hit(&closest, expected.count ? &expected.all[0] : NULL, end);
}

// --- Lists ---

static solid solid_of_body(const graze_world *world, graze_body_id body)
{
    graze_shape shape = graze_body_shape(world, body);
    graze_vec2 position = graze_body_position(world, body);
    if (shape.kind == GRAZE_SHAPE_RECT) {
        graze_rect rect = {position, shape.half,
                           graze_rotation_from_angle(graze_body_angle(world, body))};
        return solid_of_rect(rect);
    }
    graze_circle circle = {position, (float)radius_of(shape)};
    return solid_of_circle(circle);
}

static solid solid_of_box(graze_aabb box)
{
    const solid_point lower = {(long double)box.lower.x, (long double)box.lower.y};
    const solid_point upper = {(long double)box.upper.x, (long double)box.upper.y};
    const solid made = {4, {lower, {upper.x, lower.y}, upper, {lower.x, upper.y}}, 0};
    return made;
}

/// Every body with its gap from something, by index.
typedef struct gaps {
    bool meets[MOST_INDICES]; ///< There, and the filters agree.
    double gap[MOST_INDICES];
} gaps;

static void measure_gaps(const place *here, const solid *from, graze_filter filter, gaps *all)
{
    for (uint32_t index = 0; index < MOST_INDICES; ++index) {
        graze_body_id body;
        all->meets[index] = find_body(here, index, filter, &body);
        if (all->meets[index]) {
            solid shape = solid_of_body(here->world, body);
            all->gap[index] = (double)solid_gap(from, &shape);
        }
    }
}

// Each body that is surely within reach is listed, none that is surely not, and each once.
static void assert_listed(const place *here, const gaps *all, double reach,
                          const graze_body_id *bodies, uint32_t count)
{
    bool listed[MOST_INDICES] = {false};
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t index = bodies[i].index;
        assert_true(graze_body_is_valid(here->world, bodies[i]));
        assert_true(all->meets[index] && !listed[index]);
        assert_true(all->gap[index] <= reach + (double)margin);
        listed[index] = true;
    }
    for (uint32_t index = 0; index < MOST_INDICES; ++index) {
        assert_true(listed[index] || !all->meets[index] ||
                    all->gap[index] >= reach - (double)margin);
    }
}

static void assert_by_id(const graze_body_id *bodies, uint32_t count)
{
    for (uint32_t i = 1; i < count; ++i) {
        assert_true(bodies[i - 1].index < bodies[i].index);
    }
}

static void check_point(const place *here, graze_vec2 point, graze_filter filter)
{
    static gaps all;
    graze_body_id bodies[MOST_INDICES], few[2];
    graze_circle dot = {point, 0};
    solid from = solid_of_circle(dot);
    measure_gaps(here, &from, filter, &all);
    uint32_t count = graze_query_point(here->world, point, filter, bodies, MOST_INDICES);
    assert_listed(here, &all, 0, bodies, count);
    assert_by_id(bodies, count);
    assert_int_equal(graze_query_point(here->world, point, filter, few, 2), count);
    assert_memory_equal(few, bodies, (count < 2 ? count : 2) * sizeof *few);
    assert_int_equal(graze_query_point(here->world, point, filter, NULL, 0), count);
}

static void check_box(const place *here, graze_aabb box, graze_filter filter)
{
    static gaps all;
    graze_body_id bodies[MOST_INDICES], few[3];
    solid from = solid_of_box(box);
    measure_gaps(here, &from, filter, &all);
    uint32_t count = graze_query_box(here->world, box, filter, bodies, MOST_INDICES);
    assert_listed(here, &all, 0, bodies, count);
    assert_by_id(bodies, count);
    assert_int_equal(graze_query_box(here->world, box, filter, few, 3), count);
    assert_memory_equal(few, bodies, (count < 3 ? count : 3) * sizeof *few);
    assert_int_equal(graze_query_box(here->world, box, filter, NULL, 0), count);
}

static double distance_of(const gaps *all, graze_body_id body)
{
    double gap = all->gap[body.index];
    return gap > 0 ? gap : 0;
}

static void check_nearest(const place *here, graze_vec2 point, float radius, graze_filter filter)
{
    static gaps all;
    graze_body_id bodies[MOST_INDICES], few[5];
    graze_circle dot = {point, 0};
    solid from = solid_of_circle(dot);
    measure_gaps(here, &from, filter, &all);
    uint32_t count = graze_query_nearest(here->world, point, radius, filter, bodies, MOST_INDICES);
    assert_listed(here, &all, (double)radius, bodies, count);
    for (uint32_t i = 1; i < count; ++i) {
        double before = distance_of(&all, bodies[i - 1]);
        double now = distance_of(&all, bodies[i]);
        assert_true(before <= now + (double)margin);
        bool both_inside = all.gap[bodies[i - 1].index] < -(double)margin &&
                           all.gap[bodies[i].index] < -(double)margin;
        assert_true(!both_inside || bodies[i - 1].index < bodies[i].index);
    }
    assert_int_equal(graze_query_nearest(here->world, point, radius, filter, few, 5), count);
    assert_memory_equal(few, bodies, (count < 5 ? count : 5) * sizeof *few);
    assert_int_equal(graze_query_nearest(here->world, point, radius, filter, NULL, 0), count);
}

// --- Random places ---

static float coordinate(random_state *random, float extent)
{
    return random_below(random, 3) ? random_float(random, -extent, extent)
                                   : (float)random_integer(random, -(int)extent, (int)extent);
}

static graze_vec2 random_point(random_state *random, float extent)
{
    graze_vec2 point;
    point.x = coordinate(random, extent);
    point.y = coordinate(random, extent);
    return point;
}

static graze_shape random_shape(random_state *random)
{
    float size = random_below(random, 8) ? random_float(random, 0.1f, 2) : 9;
    switch (random_below(random, 3)) {
    case 0:
        return graze_shape_circle(random_below(random, 5) ? size : 0);
    case 1:
        return graze_shape_rect(size, random_float(random, 0.1f, 2));
    default:
        return graze_shape_ray();
    }
}

static graze_filter random_filter(random_state *random)
{
    graze_filter filter = graze_filter_default();
    if (random_below(random, 3) == 0) {
        filter.category = random_below(random, 4);
        filter.mask = random_below(random, 8);
        filter.group = random_integer(random, -1, 1);
    }
    return filter;
}

static void add_body(place *here, random_state *random, float extent)
{
    graze_body_def def = graze_body_def_default();
    def.shape = random_shape(random);
    def.position = random_point(random, extent);
    def.velocity = random_point(random, 5);
    def.angle = random_float(random, -3, 3);
    def.spin = random_below(random, 2) ? random_float(random, -2, 2) : 0;
    def.response = random_below(random, 2) ? GRAZE_STOP : GRAZE_PASS;
    def.lifetime = random_below(random, 6) ? 0 : 1;
    def.sensor = random_below(random, 5) == 0;
    def.filter = random_filter(random);
    kit_add(here->world, def);
}

static void add_chain(place *here, random_state *random, float extent)
{
    graze_vec2 points[8];
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = 2 + random_below(random, 7);
    for (uint32_t i = 0; i < def.count; ++i) {
        points[i] = random_point(random, extent);
    }
    def.loop = random_below(random, 2);
    def.one_sided = random_below(random, 3) == 0;
    def.filter = random_filter(random);
    here->chains[here->chain_count++] = graze_chain_create(here->world, &def);
}

static void ask_everything(const place *here, random_state *random, float extent)
{
    for (uint32_t i = 0; i < 6; ++i) {
        graze_filter filter = random_filter(random);
        graze_vec2 point = random_point(random, extent);
        float reach = random_below(random, 4) ? 5 : 3 * extent;
        graze_vec2 delta = random_point(random, reach);
        graze_ray ray = {point, delta};
        check_ray(here, ray, filter);
        check_cast(here, random_shape(random), random_float(random, -3, 3), point, delta, filter);
        check_point(here, point, filter);
        graze_aabb box = {point, point};
        box.upper.x += random_float(random, 0, 1) * reach;
        box.upper.y += random_float(random, 0, 1) * reach;
        check_box(here, box, filter);
        check_nearest(here, point, random_float(random, 0, 1) * reach, filter);
    }
}

static void change_something(place *here, random_state *random, float extent)
{
    for (uint32_t i = 0; i < 20; ++i) {
        graze_body_id body = graze_world_body_at(here->world, random_below(random, 200));
        switch (random_below(random, 4)) {
        case 0:
            graze_body_destroy(here->world, body);
            break;
        case 1:
            graze_body_set_position(here->world, body, random_point(random, extent));
            break;
        case 2:
            graze_body_set_angle(here->world, body, random_float(random, -3, 3));
            break;
        default:
            add_body(here, random, extent);
        }
    }
    graze_chain_destroy(here->world, here->chains[random_below(random, here->chain_count)]);
    add_chain(here, random, extent);
}

static void queries_find_what_brute_force_finds(void **state)
{
    (void)state;
    const float extents[] = {8, 20, 60};
    for (uint32_t seed = 0; seed < 6; ++seed) {
        print_message("seed %u\n", (unsigned)seed);
        random_state random = random_seed(seed);
        float extent = extents[seed % 3];
        place here = {.world = kit_world()};
        for (uint32_t i = 0; i < 150; ++i) {
            add_body(&here, &random, extent);
        }
        for (uint32_t i = 0; i < 12; ++i) {
            add_chain(&here, &random, extent);
        }
        for (uint32_t round = 0; round < 5; ++round) {
            ask_everything(&here, &random, extent); // Before the first step, too.
            kit_step(here.world, 0.25f);
            ask_everything(&here, &random, extent);
            change_something(&here, &random, extent);
        }
        graze_world_destroy(here.world);
    }
}

// --- Single rules ---

static void a_ray_lists_hundreds_of_hits_in_order(void **state)
{
    (void)state;
    place here = {.world = kit_world()};
    graze_vec2 points[200];
    for (uint32_t i = 0; i < 200; ++i) {
        points[i].x = (float)i;
        points[i].y = i % 2 ? 1 : -1;
    }
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = 200;
    here.chains[here.chain_count++] = graze_chain_create(here.world, &def);
    here.chains[here.chain_count++] = graze_chain_create(here.world, &def);
    for (uint32_t i = 0; i < 180; ++i) {
        kit_add(here.world, kit_circle((float)(i / 3), 0, 0.25f));
    }
    for (uint32_t round = 0; round < 2; ++round) {
        const graze_ray rays[] = {{{-5, 0}, {300, 0}}, {{300, 0}, {-400, 0}}, {{5, -5}, {90, 11}}};
        for (uint32_t i = 0; i < 3; ++i) {
            check_ray(&here, rays[i], graze_filter_default());
        }
        kit_step(here.world, 1);
    }
    static graze_query_hit hits[1000];
    const graze_ray ray = {{-5, 0}, {300, 0}};
    uint32_t total = graze_query_ray_all(here.world, ray, graze_filter_default(), hits, 1000);
    assert_int_equal(total, 2 * 199 + 180);
    graze_world_destroy(here.world);
}

static void of_equal_times_terrain_comes_first_then_the_smaller_id(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_id first = kit_add(world, kit_rect(6, 0, 1, 1));
    graze_body_id second = kit_add(world, kit_rect(6, 0, 1, 1));
    graze_chain_id wall = kit_wall(world, 5, -3, 5, 3);
    const graze_ray ray = {{0, 0}, {10, 0}};
    graze_query_hit hits[3];
    assert_int_equal(graze_query_ray_all(world, ray, graze_filter_default(), hits, 3), 3);
    assert_int_equal(hits[0].segment.chain.generation, wall.generation);
    assert_true(kit_is_same(hits[1].body, first) && kit_is_same(hits[2].body, second));
    for (uint32_t i = 0; i < 3; ++i) {
        assert_true(hits[i].time == 0.5f);
        kit_assert_near_vec2(hits[i].point, 5, 0, 0);
        kit_assert_near_vec2(hits[i].normal, -1, 0, 0);
    }
    graze_world_destroy(world);
}

// --- Batches ---

enum { BATCH = 700 };

// Corners on a lattice, walls that overlap, repeat points and share corners; sensors too.
static void add_lattice_chain(place *here, random_state *random, int extent)
{
    graze_vec2 points[8];
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = 2 + random_below(random, 7);
    points[0].x = (float)random_integer(random, -extent, extent);
    points[0].y = (float)random_integer(random, -extent, extent);
    for (uint32_t i = 1; i < def.count; ++i) {
        points[i].x = points[i - 1].x + (float)random_integer(random, -2, 2);
        points[i].y = points[i - 1].y + (float)random_integer(random, -2, 2);
    }
    def.loop = random_below(random, 2);
    def.one_sided = random_below(random, 3) == 0;
    def.sensor = random_below(random, 4) == 0;
    def.filter = random_filter(random);
    here->chains[here->chain_count++] = graze_chain_create(here->world, &def);
}

static graze_ray random_ray(random_state *random, float extent)
{
    const float reaches[] = {0, 1, 3, 3, 3, 8, 100};
    const float reach = reaches[random_below(random, 7)];
    graze_ray ray = {random_point(random, extent), {0, 0}};
    if (random_below(random, 2)) {
        ray.delta = random_point(random, reach);
    } else {
        ray.origin.x = rintf(ray.origin.x);
        ray.origin.y = rintf(ray.origin.y);
        ray.delta.x = (float)random_integer(random, -(int)reach, (int)reach);
        ray.delta.y = (float)random_integer(random, -(int)reach, (int)reach);
    }
    return ray;
}

static void check_batch(const place *here, random_state *random, float extent)
{
    static graze_ray rays[BATCH];
    static graze_query_hit hits[BATCH];
    const uint32_t count = 1 + random_below(random, BATCH);
    const graze_filter filter = random_filter(random);
    for (uint32_t i = 0; i < count; ++i) {
        rays[i] = random_ray(random, extent);
    }
    memset(hits, 0xAB, sizeof hits);
    assert_int_equal(graze_query_ray_many(here->world, rays, count, filter, hits), GRAZE_OK);
    for (uint32_t i = 0; i < count; ++i) {
        graze_query_hit alone;
        assert_int_equal(graze_query_ray(here->world, rays[i], filter, &alone), GRAZE_OK);
        if (memcmp(&alone, &hits[i], sizeof alone) != 0) {
            fail_msg("ray %u of %u, (%.9g, %.9g) + (%.9g, %.9g): time %.9g alone, %.9g with others",
                     (unsigned)i, (unsigned)count, (double)rays[i].origin.x,
                     (double)rays[i].origin.y, (double)rays[i].delta.x, (double)rays[i].delta.y,
                     (double)alone.time, (double)hits[i].time);
        }
    }
}

static void a_batch_of_rays_finds_what_each_finds_alone(void **state)
{
    (void)state;
    random_state random = random_seed(4711);
    for (uint32_t round = 0; round < 60; ++round) {
        place here = {.world = kit_world()};
        const int extent = round % 3 ? 12 : 200;
        for (uint32_t i = 0; i < (uint32_t)MOST_CHAINS; ++i) {
            if (round % 2) {
                add_lattice_chain(&here, &random, extent);
            } else {
                add_chain(&here, &random, (float)extent);
            }
        }
        check_batch(&here, &random, (float)extent);
        for (uint32_t i = 0; i < 30; ++i) {
            add_body(&here, &random, (float)extent);
        }
        check_batch(&here, &random, (float)extent);
        kit_step(here.world, 0.25f);
        check_batch(&here, &random, (float)extent);
        graze_world_destroy(here.world);
    }
}

// Crowds of plain circles, at rest or not, and some other bodies among them: enough that lanes
// fill, and that some leave the step. Then some are moved by hand, and some removed.
static void a_batch_of_rays_finds_bodies_as_each_finds_them_alone(void **state)
{
    (void)state;
    random_state random = random_seed(4712);
    for (uint32_t round = 0; round < 8; ++round) {
        place here = {.world = kit_world()};
        graze_body_id ids[MOST_INDICES];
        for (uint32_t i = 0; i < (uint32_t)MOST_INDICES; ++i) {
            graze_body_def def = kit_circle(0, 0, random_float(&random, 0, 1.5f));
            def.position = random_point(&random, 20);
            def.velocity = i % 2 ? random_point(&random, 5) : def.velocity;
            def.shape = i % 40 || round % 2 ? def.shape : random_shape(&random);
            ids[i] = kit_add(here.world, def);
        }
        for (uint32_t i = 0; i < 20; ++i) {
            kit_step(here.world, 1.0f / 64);
        }
        check_batch(&here, &random, 20);
        for (uint32_t i = 0; i < (uint32_t)MOST_INDICES; i += 17) {
            graze_body_set_position(here.world, ids[i], random_point(&random, 20));
            graze_body_destroy(here.world, ids[i + 1]);
        }
        check_batch(&here, &random, 20);
        graze_world_destroy(here.world);
    }
}

// A button is a rect; of those under the finger the game takes the topmost by a key of its own.
static void mouse_or_touch_on_a_button(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    const uint64_t heights[] = {3, 9, 5};
    for (uint32_t i = 0; i < 3; ++i) {
        graze_body_def def = kit_rect((float)i, 0, 2, 1);
        def.user_data = heights[i];
        kit_add(world, def);
    }
    const graze_vec2 finger = {0.5f, 0.5f};
    graze_body_id under[8];
    uint32_t count = graze_query_point(world, finger, graze_filter_default(), under, 8);
    assert_int_equal(count, 3);
    graze_body_id top = under[0];
    for (uint32_t i = 1; i < count; ++i) {
        bool higher = graze_body_user_data(world, under[i]) > graze_body_user_data(world, top);
        top = higher ? under[i] : top;
    }
    assert_int_equal(graze_body_user_data(world, top), 9);
    const graze_vec2 corner = {-2, -1};
    assert_int_equal(graze_query_point(world, corner, graze_filter_default(), under, 8), 1);
    const graze_vec2 beside = {-2.0001f, -1};
    assert_int_equal(graze_query_point(world, beside, graze_filter_default(), under, 8), 0);
    graze_world_destroy(world);
}

static void what_is_gone_is_not_found_and_what_is_new_is(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    const graze_vec2 origin = {0, 0};
    graze_body_def mortal = kit_circle(0, 0, 1);
    mortal.lifetime = 1;
    kit_add(world, mortal);
    graze_body_id doomed = kit_add(world, kit_circle(0, 0, 1));
    graze_body_id bodies[4];
    assert_int_equal(graze_query_point(world, origin, graze_filter_default(), bodies, 4), 2);
    kit_step(world, 1);
    assert_int_equal(graze_query_point(world, origin, graze_filter_default(), bodies, 4), 1);
    assert_true(kit_is_same(bodies[0], doomed));
    graze_body_destroy(world, doomed);
    assert_int_equal(graze_query_point(world, origin, graze_filter_default(), bodies, 4), 0);
    graze_body_id reused = kit_add(world, kit_circle(0.5f, 0, 1));
    assert_int_equal(reused.index, doomed.index);
    assert_int_equal(graze_query_point(world, origin, graze_filter_default(), bodies, 4), 1);
    assert_true(kit_is_same(bodies[0], reused));
    graze_world_destroy(world);
}

static void bodies_that_were_pushed_or_bounced_are_found_where_they_are(void **state)
{
    (void)state;
    random_state random = random_seed(66);
    place here = {.world = kit_world()};
    here.chains[here.chain_count++] = kit_square(here.world, -8, 8);
    const graze_response responses[] = {GRAZE_STOP, GRAZE_SLIDE, GRAZE_BOUNCE};
    for (uint32_t i = 0; i < 60; ++i) {
        float x = random_float(&random, -7, 7);
        graze_body_def def = kit_circle(x, random_float(&random, -7, 7), 0.6f);
        def.restitution = 1;
        def.velocity = random_point(&random, 9);
        def.response = responses[i % 3];
        kit_add(here.world, def);
    }
    for (uint32_t step = 0; step < 40; ++step) {
        kit_step(here.world, 0.25f);
        for (uint32_t i = 0; i < 60; ++i) {
            graze_body_id body = graze_world_body_at(here.world, i);
            check_point(&here, graze_body_position(here.world, body), graze_filter_default());
        }
    }
    graze_world_destroy(here.world);
}

// --- Errors ---

static void rays_and_shapes_that_are_no_good_are_refused(void **state)
{
    (void)state;
    kit_log log;
    graze_world *world = kit_world_logging(&log);
    kit_add(world, kit_circle(0, 0, 1));
    const graze_filter all = graze_filter_default();
    const graze_vec2 zero = {0, 0};
    const graze_ray bad[] = {{{NAN, 0}, {1, 0}},
                             {{0, INFINITY}, {1, 0}},
                             {{0, 0}, {-INFINITY, 0}},
                             {{0, 0}, {0, NAN}},
                             {{3e38f, 0}, {3e38f, 0}}};
    graze_query_hit hit;
    memset(&hit, 0xAB, sizeof hit);
    const graze_query_hit untouched = hit;
    for (uint32_t i = 0; i < 5; ++i) {
        assert_int_equal(graze_query_ray(world, bad[i], all, &hit), GRAZE_ERROR_ARGUMENT);
        kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_query_ray|finite");
        const graze_ray rays[2] = {{{0, 0}, {1, 0}}, bad[i]};
        assert_int_equal(graze_query_ray_many(world, rays, 2, all, &hit), GRAZE_ERROR_ARGUMENT);
        kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_query_ray_many|ray 1|finite");
        assert_int_equal(graze_query_cast(world, graze_shape_circle(1), bad[i].origin, 0,
                                          bad[i].delta, all, &hit),
                         GRAZE_ERROR_ARGUMENT);
        kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_query_cast|finite");
        assert_int_equal(graze_query_ray_all(world, bad[i], all, &hit, 1), 0);
        memset(&log, 0, sizeof log);
    }
    assert_memory_equal(&hit, &untouched, sizeof hit);
    graze_shape shapes[] = {graze_shape_circle(-1),        graze_shape_circle(NAN),
                            graze_shape_rect(0, 1),        graze_shape_rect(1, -1),
                            graze_shape_rect(INFINITY, 1), graze_shape_ray()};
    shapes[5].kind = (graze_shape_kind)7;
    for (uint32_t i = 0; i < 6; ++i) {
        assert_int_equal(graze_query_cast(world, shapes[i], zero, 0, zero, all, &hit),
                         GRAZE_ERROR_ARGUMENT);
        kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_query_cast|shape");
    }
    assert_int_equal(graze_query_cast(world, graze_shape_circle(1), zero, NAN, zero, all, &hit),
                     GRAZE_ERROR_ARGUMENT);
    assert_memory_equal(&hit, &untouched, sizeof hit);
    graze_world_destroy(world);
}

// Rays are looked at many at a time: one that is no good is seen wherever it stands.
static void a_bad_ray_is_seen_at_every_place(void **state)
{
    (void)state;
    enum { MOST = 37 };
    kit_log log;
    graze_world *world = kit_world_logging(&log);
    graze_query_hit hits[MOST];
    for (uint32_t count = 1; count <= MOST; ++count) {
        for (uint32_t bad = 0; bad < 4 * count; ++bad) {
            graze_ray rays[MOST];
            memset(rays, 0, sizeof rays);
            graze_vec2 *ends = &rays[bad / 4].origin;
            ends = bad & 1 ? &rays[bad / 4].delta : ends;
            *(bad & 2 ? &ends->x : &ends->y) = bad % 3 ? INFINITY : NAN;
            assert_int_equal(graze_query_ray_many(world, rays, count, graze_filter_default(), hits),
                             GRAZE_ERROR_ARGUMENT);
            char words[64];
            snprintf(words, sizeof words, "graze_query_ray_many|ray %u |finite", bad / 4);
            kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, words);
        }
    }
    graze_world_destroy(world);
}

static void null_where_there_must_be_something_is_refused(void **state)
{
    (void)state;
    kit_log log;
    graze_world *world = kit_world_logging(&log);
    const graze_filter all = graze_filter_default();
    const graze_ray ray = {{0, 0}, {1, 0}};
    graze_query_hit hit;
    assert_int_equal(graze_query_ray(world, ray, all, NULL), GRAZE_ERROR_ARGUMENT);
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_query_ray|null");
    assert_int_equal(graze_query_ray_many(world, NULL, 1, all, &hit), GRAZE_ERROR_ARGUMENT);
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_query_ray_many|rays|null");
    assert_int_equal(graze_query_ray_many(world, &ray, 1, all, NULL), GRAZE_ERROR_ARGUMENT);
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_query_ray_many|hits|null");
    assert_int_equal(graze_query_ray_many(world, NULL, 0, all, NULL), GRAZE_OK);
    assert_int_equal(
        graze_query_cast(world, graze_shape_circle(1), ray.origin, 0, ray.delta, all, NULL),
        GRAZE_ERROR_ARGUMENT);
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_query_cast|null");
    graze_world_destroy(world);
}

static void lists_of_bad_places_are_empty(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    kit_add(world, kit_circle(0, 0, 1));
    const graze_filter all = graze_filter_default();
    const graze_vec2 zero = {0, 0};
    const graze_vec2 bad = {NAN, 0};
    const graze_aabb boxes[] = {
        {{0, 0}, {NAN, 1}}, {{1, 0}, {0, 1}}, {{0, 1}, {1, 0}}, {{-INFINITY, 0}, {1, 1}}};
    graze_body_id bodies[4];
    assert_int_equal(graze_query_point(world, bad, all, bodies, 4), 0);
    assert_int_equal(graze_query_nearest(world, bad, 1, all, bodies, 4), 0);
    assert_int_equal(graze_query_nearest(world, zero, -1, all, bodies, 4), 0);
    assert_int_equal(graze_query_nearest(world, zero, NAN, all, bodies, 4), 0);
    for (uint32_t i = 0; i < 4; ++i) {
        assert_int_equal(graze_query_box(world, boxes[i], all, bodies, 4), 0);
    }
    assert_int_equal(graze_query_nearest(world, zero, 3e38f, all, bodies, 4), 1);
    graze_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queries_find_what_brute_force_finds),
        cmocka_unit_test(a_ray_lists_hundreds_of_hits_in_order),
        cmocka_unit_test(of_equal_times_terrain_comes_first_then_the_smaller_id),
        cmocka_unit_test(a_batch_of_rays_finds_what_each_finds_alone),
        cmocka_unit_test(a_batch_of_rays_finds_bodies_as_each_finds_them_alone),
        cmocka_unit_test(mouse_or_touch_on_a_button),
        cmocka_unit_test(what_is_gone_is_not_found_and_what_is_new_is),
        cmocka_unit_test(bodies_that_were_pushed_or_bounced_are_found_where_they_are),
        cmocka_unit_test(rays_and_shapes_that_are_no_good_are_refused),
        cmocka_unit_test(a_bad_ray_is_seen_at_every_place),
        cmocka_unit_test(null_where_there_must_be_something_is_refused),
        cmocka_unit_test(lists_of_bad_places_are_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
