#include "query_oracle.h"

#include "solid.h"

#include <graze/sweep.h>

#include <stdlib.h>

static const float margin = 1e-4f; ///< Closer to a tie than this either answer is right.

/// A hit with its time unrounded, or a body with its distance.
typedef struct found {
    double key;
    graze_body_id body;
    graze_segment_id segment;
} found;

typedef struct found_list {
    found all[ORACLE_HITS];
    uint32_t count;
} found_list;

static bool find_body(const oracle_place *here, uint32_t index, graze_filter filter,
                      graze_body_id *body)
{
    *body = graze_world_body_at(here->world, index);
    return !kit_is_none(*body) && kit_filters_allow(filter, graze_body_filter(here->world, *body));
}

static void add_found(found_list *list, double key, graze_body_id body, graze_segment_id segment)
{
    assert_true(list->count < ORACLE_HITS);
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

static graze_sweep sweep_at_body(const oracle_place *here, const caster *cast, graze_body_id body)
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

static void cast_at_chain(const oracle_place *here, const caster *cast, graze_chain_id id,
                          found_list *list)
{
    const graze_body_id nobody = {0, 0};
    graze_chain_def chain = graze_chain_get_def(here->world, id);
    if (!chain.points || !kit_filters_allow(cast->filter, chain.filter)) {
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

static void cast_by_brute_force(const oracle_place *here, const caster *cast, found_list *list)
{
    const graze_segment_id nowhere = {{0, 0}, 0};
    list->count = 0;
    for (uint32_t index = 0; index < ORACLE_INDICES; ++index) {
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

void oracle_check_ray(const oracle_place *here, graze_ray ray, graze_filter filter)
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
    static graze_query_hit hits[ORACLE_HITS];
    const uint32_t capacities[] = {0, 1, 3, 64, ORACLE_HITS};
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

void oracle_check_cast(const oracle_place *here, graze_shape shape, float angle, graze_vec2 from,
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

/// By index: bodies with their gaps from something.
typedef struct gaps {
    bool meets[ORACLE_INDICES]; ///< It exists, and the filters agree.
    double gap[ORACLE_INDICES];
} gaps;

static void measure_gaps(const oracle_place *here, const solid *from, graze_filter filter,
                         gaps *all)
{
    for (uint32_t index = 0; index < ORACLE_INDICES; ++index) {
        graze_body_id body;
        all->meets[index] = find_body(here, index, filter, &body);
        if (all->meets[index]) {
            solid shape = solid_of_body(here->world, body);
            all->gap[index] = (double)solid_gap(from, &shape);
        }
    }
}

// Every body that is surely within reach is listed once, and none that is surely not.
static void assert_listed(const oracle_place *here, const gaps *all, double reach,
                          const graze_body_id *bodies, uint32_t count)
{
    bool listed[ORACLE_INDICES] = {false};
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t index = bodies[i].index;
        assert_true(graze_body_is_valid(here->world, bodies[i]));
        assert_true(all->meets[index] && !listed[index]);
        assert_true(all->gap[index] <= reach + (double)margin);
        listed[index] = true;
    }
    for (uint32_t index = 0; index < ORACLE_INDICES; ++index) {
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

void oracle_check_point(const oracle_place *here, graze_vec2 point, graze_filter filter)
{
    static gaps all;
    graze_body_id bodies[ORACLE_INDICES], few[2];
    graze_circle dot = {point, 0};
    solid from = solid_of_circle(dot);
    measure_gaps(here, &from, filter, &all);
    uint32_t count = graze_query_point(here->world, point, filter, bodies, ORACLE_INDICES);
    assert_listed(here, &all, 0, bodies, count);
    assert_by_id(bodies, count);
    assert_int_equal(graze_query_point(here->world, point, filter, few, 2), count);
    assert_memory_equal(few, bodies, (count < 2 ? count : 2) * sizeof *few);
    assert_int_equal(graze_query_point(here->world, point, filter, NULL, 0), count);
}

void oracle_check_box(const oracle_place *here, graze_aabb box, graze_filter filter)
{
    static gaps all;
    graze_body_id bodies[ORACLE_INDICES], few[3];
    solid from = solid_of_box(box);
    measure_gaps(here, &from, filter, &all);
    uint32_t count = graze_query_box(here->world, box, filter, bodies, ORACLE_INDICES);
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

void oracle_check_nearest(const oracle_place *here, graze_vec2 point, float radius,
                          graze_filter filter)
{
    static gaps all;
    graze_body_id bodies[ORACLE_INDICES], few[5];
    graze_circle dot = {point, 0};
    solid from = solid_of_circle(dot);
    measure_gaps(here, &from, filter, &all);
    uint32_t count =
        graze_query_nearest(here->world, point, radius, filter, bodies, ORACLE_INDICES);
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
