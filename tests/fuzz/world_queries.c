#include "world_calls.h"

#include <graze/debug_draw.h>
#include <graze/query.h>

#include <math.h>
#include <string.h>

enum { REACH = 16, CAPACITY = 64 };

static graze_ray draw_ray(world_run *run)
{
    const graze_vec2 origin = fuzz_place(&run->bytes, &run->ground, REACH);
    const graze_ray ray = {origin, fuzz_way(&run->bytes, &run->ground, REACH)};
    return ray;
}

static bool is_finite_ray(graze_ray ray)
{
    const graze_vec2 end = graze_vec2_add(ray.origin, ray.delta);
    return isfinite(ray.origin.x) && isfinite(ray.origin.y) && isfinite(end.x) && isfinite(end.y);
}

// --- Rays ---

static bool is_same_thing(const graze_query_hit *a, const graze_query_hit *b)
{
    return memcmp(&a->body, &b->body, sizeof a->body) == 0 &&
           memcmp(&a->segment, &b->segment, sizeof a->segment) == 0;
}

static void expect_hit(const world_run *run, const graze_query_hit *hit)
{
    const graze_world *world = run->watch->world;
    const bool is_body = hit->body.generation != 0;
    FUZZ_CHECK(is_body ? graze_body_is_valid(world, hit->body)
                       : graze_chain_is_valid(world, hit->segment.chain),
               "a ray hits what is not there");
    FUZZ_CHECK(hit->time >= 0 && hit->time <= 1, "time %a", (double)hit->time);
    const double x = (double)hit->normal.x;
    const double y = (double)hit->normal.y;
    FUZZ_CHECK(fabs(x * x + y * y - 1) < 1e-6, "normal (%a, %a)", x, y);
}

static bool is_none(const graze_query_hit *hit)
{
    return hit->body.generation == 0 && hit->segment.chain.generation == 0 && hit->time >= 1;
}

static void ask_ray(world_run *run)
{
    const graze_world *world = run->watch->world;
    const graze_ray ray = draw_ray(run);
    const graze_filter filter = world_draw_filter(&run->bytes);
    graze_query_hit hits[CAPACITY];
    graze_query_hit closest;
    graze_query_hit same;
    if (!is_finite_ray(ray)) {
        return;
    }
    const uint32_t count = graze_query_ray_all(world, ray, filter, hits, CAPACITY);
    FUZZ_CHECK(graze_query_ray_all(world, ray, filter, NULL, 0) == count, "not %u hits",
               (unsigned)count);
    for (uint32_t i = 0; i < count && i < CAPACITY; ++i) {
        expect_hit(run, &hits[i]);
        FUZZ_CHECK(i == 0 || hits[i - 1].time <= hits[i].time, "hit %u is out of order",
                   (unsigned)i);
    }
    FUZZ_CHECK(graze_query_ray(world, ray, filter, &closest) == GRAZE_OK, "a ray is refused");
    FUZZ_CHECK(count == 0 ? is_none(&closest) : is_same_thing(&closest, &hits[0]),
               "the closest of %u hits is not the first", (unsigned)count);
    FUZZ_CHECK(graze_query_ray_many(world, &ray, 1, filter, &same) == GRAZE_OK &&
                   memcmp(&same, &closest, sizeof same) == 0,
               "one ray and many have different answers");
}

static void ask_cast(world_run *run)
{
    const graze_shape shapes[3] = {graze_shape_ray(),
                                   graze_shape_circle((float)fuzz_below(&run->bytes, 4)),
                                   graze_shape_rect(run->ground.unit, 2 * run->ground.unit)};
    const graze_ray ray = draw_ray(run);
    const float angle = (float)fuzz_integer(&run->bytes, 16) * 0.25f;
    graze_query_hit closest;
    if (is_finite_ray(ray)) {
        const graze_filter filter = world_draw_filter(&run->bytes);
        const graze_shape shape = shapes[fuzz_below(&run->bytes, 3)];
        const graze_status status = graze_query_cast(run->watch->world, shape, ray.origin, angle,
                                                     ray.delta, filter, &closest);
        FUZZ_CHECK(status == GRAZE_OK, "a cast has status %d", (int)status);
        if (!is_none(&closest)) {
            expect_hit(run, &closest);
        }
    }
}

// --- Bodies ---

static void expect_bodies(const world_run *run, const graze_body_id *bodies, uint32_t count,
                          bool by_id)
{
    FUZZ_CHECK(count <= watch_count_bodies(run->watch), "%u bodies found", (unsigned)count);
    for (uint32_t i = 0; i < count; ++i) {
        FUZZ_CHECK(graze_body_is_valid(run->watch->world, bodies[i]), "body %u is not there",
                   (unsigned)i);
        FUZZ_CHECK(!by_id || i == 0 || bodies[i - 1].index < bodies[i].index,
                   "body %u is out of order", (unsigned)i);
    }
}

// Whether a disc or a ray contains the point; rects are left out.
static bool contains(const graze_world *world, graze_body_id body, graze_vec2 point)
{
    const graze_shape shape = graze_body_shape(world, body);
    const graze_circle disc = {graze_body_position(world, body), shape.radius};
    return shape.kind != GRAZE_SHAPE_RECT && graze_overlap_point_circle(point, disc);
}

static void ask_point(world_run *run)
{
    const graze_world *world = run->watch->world;
    const graze_vec2 point = fuzz_place(&run->bytes, &run->ground, REACH);
    const graze_filter filter = {UINT32_MAX, UINT32_MAX, 0, 0};
    graze_body_id bodies[CAPACITY];
    const uint32_t count = graze_query_point(world, point, filter, bodies, CAPACITY);
    expect_bodies(run, bodies, count, true);
    uint32_t found = 0;
    uint32_t wanted = 0;
    for (uint32_t i = 0; i < count; ++i) {
        found += graze_body_shape(world, bodies[i]).kind != GRAZE_SHAPE_RECT;
    }
    for (uint32_t i = 0; i < WATCH_BODIES; ++i) {
        const watch_body *body = &run->watch->bodies[i];
        const graze_filter own = graze_body_filter(world, body->id);
        wanted +=
            body->there && own.category != 0 && own.mask != 0 && contains(world, body->id, point);
    }
    FUZZ_CHECK(found == wanted, "%u discs and rays at a point, not %u", (unsigned)found,
               (unsigned)wanted);
}

static void ask_box(world_run *run)
{
    const graze_vec2 a = fuzz_place(&run->bytes, &run->ground, REACH);
    const graze_vec2 b = fuzz_place(&run->bytes, &run->ground, REACH);
    const graze_aabb box = {a, b};
    graze_body_id bodies[CAPACITY];
    const uint32_t count =
        graze_query_box(run->watch->world, box, world_draw_filter(&run->bytes), bodies, CAPACITY);
    expect_bodies(run, bodies, count, true);
}

static void ask_nearest(world_run *run)
{
    const graze_vec2 point = fuzz_place(&run->bytes, &run->ground, REACH);
    const float radius = fuzz_number(&run->bytes, &run->ground, REACH);
    graze_body_id bodies[CAPACITY];
    const uint32_t count = graze_query_nearest(run->watch->world, point, radius,
                                               world_draw_filter(&run->bytes), bodies, CAPACITY);
    expect_bodies(run, bodies, count, false);
}

// --- Drawing ---

static void count_segment(graze_segment segment, graze_segment_id id, void *user)
{
    (void)segment;
    (void)id;
    ++*(uint32_t *)user;
}

static void count_circle(graze_circle circle, graze_body_id body, void *user)
{
    (void)circle;
    (void)body;
    ++*(uint32_t *)user;
}

static void count_rect(graze_rect rect, graze_body_id body, void *user)
{
    (void)rect;
    (void)body;
    ++*(uint32_t *)user;
}

static void count_ray(graze_ray ray, graze_body_id body, void *user)
{
    (void)ray;
    (void)body;
    ++*(uint32_t *)user;
}

static void count_contact(const graze_contact *contact, void *user)
{
    (void)contact;
    ++*(uint32_t *)user;
}

static void count_cell(graze_aabb cell, uint32_t bodies, void *user)
{
    FUZZ_CHECK(bodies > 0 && cell.lower.x <= cell.upper.x && cell.lower.y <= cell.upper.y,
               "a cell of %u bodies", (unsigned)bodies);
    *(uint32_t *)user += bodies;
}

static void ask_picture(world_run *run)
{
    uint32_t count = 0, in_cells = 0;
    const graze_painter painter = {count_segment, count_circle, count_rect, count_ray,
                                   count_contact, NULL,         &count};
    graze_debug_draw(run->watch->world, &painter);
    graze_debug_draw(run->watch->world, &(graze_painter){.cell = count_cell, .user = &in_cells});
    const graze_world_stats stats = graze_world_get_stats(run->watch->world);
    const uint32_t wanted = stats.segment_count + stats.body_count + stats.contact_count;
    FUZZ_CHECK(count <= wanted && count >= stats.segment_count + stats.body_count,
               "%u things drawn, not %u", (unsigned)count, (unsigned)wanted);
}

void world_ask(world_run *run)
{
    static void (*const questions[])(world_run *) = {ask_ray, ask_ray,     ask_cast,   ask_point,
                                                     ask_box, ask_nearest, ask_picture};
    const uint64_t hash = graze_world_hash(run->watch->world);
    questions[fuzz_below(&run->bytes, sizeof questions / sizeof *questions)](run);
    FUZZ_CHECK(graze_world_hash(run->watch->world) == hash, "a question changes the world");
}
