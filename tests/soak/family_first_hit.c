#include "families.h"

#include "body_defs.h"
#include "fixed_point.h"
#include "hard_loop.h"

#include <graze/body.h>
#include <graze/cast.h>
#include <graze/chain.h>
#include <graze/contact.h>
#include <graze/orient.h>
#include <graze/query.h>
#include <graze/sweep.h>
#include <graze/world.h>

#include <math.h>
#include <string.h>

// Rays through hard terrain: what they meet, by all segments one by one, with times from exact
// integers.
//
// On a coarse lattice the order is exact: by time, then by chain and segment. Elsewhere two times
// that differ by less than 2^-30 of themselves may come in any order. Times in float are within
// 2^-24 of themselves; points within 2^-23 of the largest coordinate, which is a rounding step of
// it, and 2^-28 of the ray's length.

enum { CHAINS = 6, SEGMENTS = CHAINS * HARD_LOOP_CAPACITY, RAYS = 24 };

static const long double order_tolerance = 0x1p-30L;
static const long double time_tolerance = 0x1.1p-24L;

typedef struct terrain_chain {
    hard_loop loop;
    bool closed;
    graze_chain_id id;
} terrain_chain;

typedef struct terrain {
    soak_case *test;
    ground place;
    graze_world *world;
    bool coarse; ///< See is_coarse().
    uint32_t count;
    terrain_chain chains[CHAINS];
} terrain;

/// What a ray meets.
typedef struct crossing {
    uint32_t chain, segment;
    graze_segment wall;
    long double time;
} crossing;

typedef struct ray_case {
    graze_ray ray;
    graze_vec2 end; ///< In float, as everything else takes it.
    uint32_t count;
    crossing crossings[SEGMENTS]; ///< In order.
} ray_case;

// --- Terrain ---

static uint32_t segment_count(const terrain_chain *chain)
{
    return chain->closed ? chain->loop.count : chain->loop.count - 1;
}

static graze_segment get_segment(const terrain_chain *chain, uint32_t i)
{
    const uint32_t next = i + 1 < chain->loop.count ? i + 1 : 0;
    const graze_segment segment = {chain->loop.points[i], chain->loop.points[next]};
    return segment;
}

// Whether it is a small multiple of 1/16. Between such points all determinants are exact, and times
// that differ differ by more than double rounds.
static bool is_coarse(graze_vec2 point)
{
    return rintf(point.x * 16) == point.x * 16 && rintf(point.y * 16) == point.y * 16 &&
           fabsf(point.x) <= 48 && fabsf(point.y) <= 48;
}

static void add_chain(terrain *all)
{
    terrain_chain *chain = &all->chains[all->count++];
    hard_loop_pick(all->test, &all->place, &chain->loop);
    for (uint32_t i = 0; i < chain->loop.count; ++i) {
        all->coarse = all->coarse && is_coarse(chain->loop.points[i]);
    }
    chain->closed = soak_pick(all->test, 2) == 0;
    graze_chain_def def = graze_chain_def_default();
    def.points = chain->loop.points;
    def.count = chain->loop.count;
    def.loop = chain->closed;
    chain->id = graze_chain_create(all->world, &def);
}

static void tell_terrain(const terrain *all)
{
    for (uint32_t i = 0; i < all->count; ++i) {
        const terrain_chain *chain = &all->chains[i];
        soak_tell_points(all->test, chain->closed ? "closed chain" : "open chain",
                         chain->loop.points, chain->loop.count);
    }
}

// --- What must come out ---

static bool is_before(const crossing *a, const crossing *b)
{
    if (a->time != b->time) {
        return a->time < b->time;
    }
    return a->chain != b->chain ? a->chain < b->chain : a->segment < b->segment;
}

static void insert_crossing(ray_case *ray, const crossing *found)
{
    uint32_t place = ray->count++;
    while (place > 0 && is_before(found, &ray->crossings[place - 1])) {
        ray->crossings[place] = ray->crossings[place - 1];
        --place;
    }
    ray->crossings[place] = *found;
}

static void find_crossings(const terrain *all, ray_case *ray)
{
    const fixed_vec2 from = fixed_from(ray->ray.origin);
    const fixed_vec2 to = fixed_from(ray->end);
    for (uint32_t i = 0; i < all->count; ++i) {
        for (uint32_t k = 0; k < segment_count(&all->chains[i]); ++k) {
            const graze_segment wall = get_segment(&all->chains[i], k);
            if (graze_crosses(ray->ray.origin, ray->end, wall)) {
                const crossing found = {
                    i, k, wall, fixed_time(from, to, fixed_from(wall.a), fixed_from(wall.b))};
                insert_crossing(ray, &found);
            }
        }
    }
}

static ray_case pick_ray(const terrain *all, graze_vec2 last)
{
    const hard_loop *loop = &all->chains[soak_pick(all->test, all->count)].loop;
    const graze_vec2 from = hard_loop_aim(all->test, &all->place, loop, last);
    const graze_vec2 to = hard_loop_aim(all->test, &all->place, loop, from);
    ray_case ray = {.ray = {from, graze_vec2_sub(to, from)}};
    ray.end = graze_vec2_add(ray.ray.origin, ray.ray.delta);
    find_crossings(all, &ray);
    return ray;
}

// --- Checks ---

static void fail_ray(const terrain *all, const ray_case *ray, const char *what)
{
    const graze_vec2 points[] = {ray->ray.origin, ray->end};
    if (all->test->failed) {
        return;
    }
    tell_terrain(all);
    soak_tell_points(all->test, "ray", points, 2);
    for (uint32_t i = 0; i < ray->count; ++i) {
        const crossing *one = &ray->crossings[i];
        soak_tell(all->test, "meets chain %u, segment %u at %.20Lg", one->chain, one->segment,
                  one->time);
    }
    soak_fail(all->test, "%s", what);
}

typedef struct offset {
    long double x, y;
} offset;

static offset offset_between(graze_vec2 from, graze_vec2 to)
{
    const offset d = {(long double)to.x - (long double)from.x,
                      (long double)to.y - (long double)from.y};
    return d;
}

static long double length_of(offset v)
{
    return hypotl(v.x, v.y);
}

static long double cross(offset a, offset b)
{
    return a.x * b.y - a.y * b.x;
}

static long double dot(offset a, offset b)
{
    return a.x * b.x + a.y * b.y;
}

static long double largest_coordinate(const ray_case *ray)
{
    const graze_vec2 a = ray->ray.origin;
    const graze_vec2 b = ray->end;
    return (long double)fmaxf(fmaxf(fabsf(a.x), fabsf(a.y)), fmaxf(fabsf(b.x), fabsf(b.y)));
}

// How far the point is from where the ray is at the time.
static long double distance_from(const ray_case *ray, long double time, graze_vec2 point)
{
    const offset way = offset_between(ray->ray.origin, ray->end);
    const offset gone = offset_between(ray->ray.origin, point);
    const offset rest = {way.x * time - gone.x, way.y * time - gone.y};
    return length_of(rest);
}

static bool is_at(const ray_case *ray, long double time, graze_vec2 point)
{
    const long double length = length_of(offset_between(ray->ray.origin, ray->end));
    const long double slack = largest_coordinate(ray) * 0x1p-23L + length * 0x1p-28L;
    return distance_from(ray, time, point) <= slack;
}

// Unit, across the wall, and against the ray.
static bool is_facing(const ray_case *ray, graze_segment wall, graze_vec2 normal)
{
    const graze_vec2 origin = {0, 0};
    const offset out = offset_between(origin, normal);
    const offset along = offset_between(wall.a, wall.b);
    const offset way = offset_between(ray->ray.origin, ray->end);
    const long double slack = 1e-6L;
    return fabsl(length_of(out) - 1) <= slack &&
           fabsl(dot(out, along)) <= slack * length_of(along) &&
           dot(out, way) <= slack * length_of(way);
}

static const crossing *find_crossing(const terrain *all, const ray_case *ray,
                                     graze_segment_id segment)
{
    for (uint32_t i = 0; i < ray->count; ++i) {
        const crossing *one = &ray->crossings[i];
        if (all->chains[one->chain].id.index == segment.chain.index &&
            one->segment == segment.index) {
            return one;
        }
    }
    return NULL;
}

// Whether the hit may be the one at this place of the order.
static bool is_in_place(const terrain *all, const ray_case *ray, uint32_t place,
                        const crossing *one)
{
    if (all->coarse && is_coarse(ray->ray.origin) && is_coarse(ray->end)) {
        return one == &ray->crossings[place];
    }
    const long double expected = ray->crossings[place].time;
    return fabsl(one->time - expected) <= order_tolerance * expected;
}

static void check_hit(const terrain *all, const ray_case *ray, uint32_t place,
                      const graze_query_hit *hit)
{
    const crossing *one = find_crossing(all, ray, hit->segment);
    if (!one) {
        fail_ray(all, ray, "a segment is hit that is not met");
    } else if (!is_in_place(all, ray, place, one)) {
        fail_ray(all, ray, "a hit comes out of order");
    } else if (fabsl((long double)hit->time - one->time) > time_tolerance * one->time) {
        fail_ray(all, ray, "the time of a hit is wrong");
    } else if (!is_at(ray, one->time, hit->point)) {
        fail_ray(all, ray, "the point of a hit is wrong");
    } else if (!is_facing(ray, one->wall, hit->normal)) {
        fail_ray(all, ray, "the normal of a hit is wrong");
    }
}

static void check_queries(const terrain *all, const ray_case *ray)
{
    const graze_filter filter = graze_filter_default();
    graze_query_hit hits[SEGMENTS];
    graze_query_hit first;
    graze_query_hit one_of_many;
    graze_query_ray(all->world, ray->ray, filter, &first);
    graze_query_ray_many(all->world, &ray->ray, 1, filter, &one_of_many);
    if (graze_query_ray_all(all->world, ray->ray, filter, hits, SEGMENTS) != ray->count) {
        fail_ray(all, ray, "not all hits are listed, or some twice");
        return;
    }
    for (uint32_t i = 0; i < ray->count && !all->test->failed; ++i) {
        check_hit(all, ray, i, &hits[i]);
    }
    const bool hit = first.segment.chain.generation != 0;
    if (hit != (ray->count > 0)) {
        fail_ray(all, ray, hit ? "hit, and nothing is there" : "missed");
    } else if (hit && memcmp(&first, &hits[0], sizeof first) != 0) {
        fail_ray(all, ray, "the closest hit is not the first of all");
    } else if (memcmp(&first, &one_of_many, sizeof first) != 0) {
        fail_ray(all, ray, "many rays at once hit something else");
    }
}

static void check_kernel(const terrain *all, const ray_case *ray)
{
    for (uint32_t i = 0; i < all->count; ++i) {
        for (uint32_t k = 0; k < segment_count(&all->chains[i]); ++k) {
            const graze_segment wall = get_segment(&all->chains[i], k);
            const graze_hit hit = graze_cast_ray_segment(ray->ray, wall);
            if (hit.hit != graze_crosses(ray->ray.origin, ray->end, wall)) {
                fail_ray(all, ray, "cast and crossing differ");
            }
        }
    }
}

// --- Bullets ---

// How far a bullet may stop before a wall, because of this one: rounding to a place beyond a wall
// is undone by going back along the way, which takes more of it the flatter the way meets a wall.
// Any distance, when rounding decides on which side of the wall's end the way passes.
static long double pullback_by(const ray_case *ray, graze_segment wall)
{
    const offset way = offset_between(ray->ray.origin, ray->end);
    const offset along = offset_between(wall.a, wall.b);
    const offset to_end = offset_between(ray->ray.origin, wall.a);
    const long double rounding = (largest_coordinate(ray) + length_of(way)) * 0x1p-23L;
    const long double area = fabsl(cross(along, way));
    if (fabsl(cross(way, to_end)) <= 2 * rounding * length_of(way)) {
        return HUGE_VALL;
    }
    return area > 0 ? 4 * rounding * length_of(along) * length_of(way) / area : 0;
}

static long double find_pullback(const terrain *all, const ray_case *ray)
{
    long double longest = 0;
    for (uint32_t i = 0; i < all->count; ++i) {
        for (uint32_t k = 0; k < all->chains[i].loop.count; ++k) {
            longest = fmaxl(longest, pullback_by(ray, get_segment(&all->chains[i], k)));
        }
    }
    return longest;
}

static void check_stop(const terrain *all, const ray_case *ray, graze_vec2 stop)
{
    for (uint32_t i = 0; i < ray->count; ++i) {
        if (graze_crosses(ray->ray.origin, stop, ray->crossings[i].wall)) {
            fail_ray(all, ray, "the bullet stops beyond a wall");
        }
    }
    const long double missing = distance_from(ray, ray->count ? ray->crossings[0].time : 1, stop);
    const long double allowed = find_pullback(all, ray);
    if (!(missing <= allowed)) {
        soak_tell(all->test, "stops at (%.9g, %.9g), %Lg from the wall; %Lg allowed",
                  (double)stop.x, (double)stop.y, missing, allowed);
        fail_ray(all, ray, "the bullet stops far from the wall");
    }
}

static graze_body_id add_bullet(const terrain *all, const ray_case *ray, graze_response response,
                                uint32_t hit_limit)
{
    graze_body_def def = test_body_def();
    def.shape = graze_shape_ray();
    def.position = ray->ray.origin;
    def.velocity = ray->ray.delta;
    def.response = response;
    def.hit_limit = hit_limit;
    return graze_body_create(all->world, &def);
}

static uint32_t count_contacts(const graze_world *world, graze_body_id body)
{
    const graze_contact_list contacts = graze_world_contacts(world);
    uint32_t count = 0;
    for (uint32_t i = 0; i < contacts.count; ++i) {
        count += contacts.data[i].a.index == body.index;
    }
    return count;
}

// A bullet that stops, one that is spent, one that passes: each made, moved once, and removed.
static void check_bullets(const terrain *all, const ray_case *ray)
{
    const graze_body_id stopping = add_bullet(all, ray, GRAZE_STOP, 0);
    const graze_body_id spending = add_bullet(all, ray, GRAZE_STOP, 1);
    const graze_body_id piercing = add_bullet(all, ray, GRAZE_PASS, 0);
    if (graze_world_step(all->world, 1) != GRAZE_OK) {
        fail_ray(all, ray, "the step does not succeed");
        return;
    }
    check_stop(all, ray, graze_body_position(all->world, stopping));
    check_stop(all, ray, graze_body_position(all->world, spending));
    if (graze_body_is_valid(all->world, spending) != (ray->count == 0)) {
        fail_ray(all, ray, ray->count ? "the bullet is not spent" : "the bullet is spent");
    } else if (count_contacts(all->world, piercing) != ray->count) {
        fail_ray(all, ray, "the piercing bullet does not report all walls, or some twice");
    }
    graze_body_destroy(all->world, stopping);
    graze_body_destroy(all->world, piercing);
    if (ray->count == 0) {
        graze_body_destroy(all->world, spending);
    }
}

// --- Casts of shapes ---

static graze_vec2d widen(graze_vec2 v)
{
    const graze_vec2d wide = {(double)v.x, (double)v.y};
    return wide;
}

// The same kernels, one segment after the other, guarded by the exact test on the centre's way.
static graze_sweep sweep_wall(graze_shape shape, const ray_case *ray, graze_segment wall)
{
    const graze_vec2d from = widen(ray->ray.origin);
    const graze_vec2d way = {(double)ray->end.x - from.x, (double)ray->end.y - from.y};
    const graze_rotation straight = {1, 0};
    const graze_sweep sweep =
        shape.kind == GRAZE_SHAPE_CIRCLE
            ? graze_sweep_circle_segment(from, way, (double)shape.radius, wall)
            : graze_sweep_rect_segment(from, way, shape.half, straight, wall);
    return sweep.hit ? sweep : graze_sweep_point_segment(ray->ray.origin, ray->end, wall);
}

static void check_cast(const terrain *all, const ray_case *ray, graze_shape shape)
{
    double least = 2;
    for (uint32_t i = 0; i < all->count; ++i) {
        for (uint32_t k = 0; k < segment_count(&all->chains[i]); ++k) {
            const graze_sweep sweep = sweep_wall(shape, ray, get_segment(&all->chains[i], k));
            least = sweep.hit && sweep.time < least ? sweep.time : least;
        }
    }
    graze_query_hit closest;
    graze_query_cast(all->world, shape, ray->ray.origin, 0, ray->ray.delta, graze_filter_default(),
                     &closest);
    const bool hit = closest.segment.chain.generation != 0;
    if (hit != (least <= 1) || (hit && closest.time != (float)least)) {
        soak_tell(all->test, "shape: kind %d, radius %.9g, half (%.9g, %.9g), least time %.17g",
                  (int)shape.kind, (double)shape.radius, (double)shape.half.x, (double)shape.half.y,
                  least);
        fail_ray(all, ray, hit ? "the cast's time is wrong" : "the cast misses");
    }
}

static void check_casts(const terrain *all, const ray_case *ray)
{
    const float size = all->place.unit * ldexpf(1, -(int)soak_pick(all->test, 6));
    check_cast(all, ray, graze_shape_circle(size));
    check_cast(all, ray, graze_shape_rect(size, size / 2));
}

void soak_run_first_hit(soak_case *test)
{
    const graze_world_def def = graze_world_def_default();
    terrain all = {.test = test, .world = graze_world_create(&def), .coarse = true};
    all.place = ground_pick(test);
    do {
        add_chain(&all);
    } while (all.count < CHAINS && soak_more(test, 2));
    graze_vec2 last = all.place.origin;
    for (uint32_t i = 0; i < RAYS && !test->failed; ++i) {
        const ray_case ray = pick_ray(&all, last);
        last = ray.end;
        ++test->trials;
        check_kernel(&all, &ray);
        check_queries(&all, &ray);
        check_bullets(&all, &ray);
        check_casts(&all, &ray);
    }
    graze_world_destroy(all.world);
}
