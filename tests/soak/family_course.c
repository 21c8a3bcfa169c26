#include "body_defs.h"
#include "families.h"

#include <graze/body.h>
#include <graze/contact.h>
#include <graze/shape.h>
#include <graze/world.h>

#include <math.h>

// Pairs, each in a lane of its own, that come near each other at some time of one step, at any
// speeds. Whether they must meet follows from the least distance of their centres.

enum { LANES = 32, LANES_A_ROW = 8 };

static const float lane_width = 1000;
static const float longest_way = 200; ///< In a step: no two lanes ever meet.

typedef struct lane {
    graze_body_def a, b;
    bool whole;               ///< Circles and rays in whole numbers: decided exactly.
    long double distance;     ///< The least of the centres.
    long double inner, outer; ///< At most this: they meet. Above this: they do not.
    bool met;
} lane;

typedef struct course {
    soak_case *test;
    graze_world *world;
    float dt;
    uint32_t count;
    lane lanes[LANES];
} course;

// --- Lanes ---

static graze_vec2 pick_vector(soak_case *test, float reach)
{
    const float x = soak_pick_signed(test, reach);
    const graze_vec2 v = {x, soak_pick_signed(test, reach)};
    return v;
}

static graze_vec2 pick_direction(soak_case *test)
{
    const float angle = soak_pick_float(test, 0, 6.2831853f);
    const graze_vec2 way = {cosf(angle), sinf(angle)};
    return way;
}

// How far it goes in a step: as in the classic table of 200 against 20 to 199 units a second in
// steps of 1/60, or anything from standing still to the longest way.
static float pick_way_length(soak_case *test, bool classic, bool is_bullet)
{
    static const float speeds[] = {20, 60, 120, 199};
    if (classic) {
        const float speed = speeds[soak_pick(test, 4)];
        return (is_bullet ? 200 : speed) / 60;
    }
    const uint32_t halvings = soak_pick(test, 24);
    const float size = ldexpf(soak_pick_float(test, 0.5f, 1), -(int)halvings);
    return soak_chance(test, 16) ? 0 : longest_way * size;
}

static float pick_size(soak_case *test)
{
    const uint32_t halvings = soak_pick(test, 10);
    return ldexpf(soak_pick_float(test, 0.5f, 1), 2 - (int)halvings);
}

static graze_shape pick_shape(soak_case *test, bool may_be_ray)
{
    switch (soak_pick(test, may_be_ray ? 3 : 2)) {
    case 0:
        return graze_shape_circle(pick_size(test));
    case 1: {
        const float half_x = pick_size(test);
        return graze_shape_rect(half_x, pick_size(test));
    }
    default:
        return graze_shape_ray();
    }
}

static graze_body_def pick_body(soak_case *test, bool may_be_ray)
{
    graze_body_def def = test_body_def();
    def.shape = pick_shape(test, may_be_ray);
    def.response = (graze_response)soak_pick(test, 4);
    def.hit_limit = soak_chance(test, 4) ? 1 : 0;
    def.restitution = (float)soak_pick(test, 2);
    def.angle = soak_pick(test, 2) ? soak_pick_signed(test, 3) : 0;
    def.spin = soak_chance(test, 4) ? soak_pick_signed(test, 30) : 0;
    return def;
}

// Places the body such that it is at `meeting` at `time` of the step.
static void send_through(graze_body_def *def, graze_vec2 meeting, graze_vec2 way, float time,
                         float dt)
{
    def->position = graze_vec2_sub(meeting, graze_vec2_scale(way, time));
    def->velocity = graze_vec2_scale(way, 1 / dt);
}

static float inner_radius(const graze_shape *shape)
{
    if (shape->kind == GRAZE_SHAPE_RECT) {
        return shape->half.x < shape->half.y ? shape->half.x : shape->half.y;
    }
    return shape->radius;
}

static long double outer_radius(const graze_shape *shape)
{
    const long double x = (long double)shape->half.x;
    const long double y = (long double)shape->half.y;
    return shape->kind == GRAZE_SHAPE_RECT ? sqrtl(x * x + y * y) : (long double)shape->radius;
}

// Where the centres miss each other by some share of the sizes: exactly on course, inside, about at
// the rim, or beyond.
static graze_vec2 pick_offset(soak_case *test, const lane *one)
{
    static const float reaches[] = {0, 0.9f, 1, 1.5f};
    const float reach = reaches[soak_pick(test, 4)];
    const float size = inner_radius(&one->a.shape) + inner_radius(&one->b.shape);
    const float share = soak_chance(test, 4) ? 1 : soak_pick_float(test, 0, 1);
    return graze_vec2_scale(pick_direction(test), size * reach * share);
}

static graze_vec2 pick_whole_vector(soak_case *test, int reach)
{
    const float x = (float)soak_pick_integer(test, reach);
    const graze_vec2 v = {x, (float)soak_pick_integer(test, reach)};
    return v;
}

// Ties all the time: they just touch, in passing or at the end.
static void pick_whole_lane(soak_case *test, lane *one, graze_vec2 middle)
{
    one->whole = true;
    one->a.shape =
        soak_pick(test, 2) ? graze_shape_circle((float)soak_pick(test, 5)) : graze_shape_ray();
    one->b.shape = graze_shape_circle((float)soak_pick(test, 5));
    one->a.position = graze_vec2_add(middle, pick_whole_vector(test, 8));
    one->b.position = graze_vec2_add(middle, pick_whole_vector(test, 8));
    one->a.velocity = pick_whole_vector(test, 12);
    one->b.velocity = pick_whole_vector(test, 12);
}

static void pick_free_lane(soak_case *test, const course *all, lane *one, graze_vec2 middle)
{
    const bool classic = all->dt < 1;
    const graze_vec2 meeting = graze_vec2_add(middle, pick_vector(test, 100));
    const float length_a = pick_way_length(test, classic, true);
    const graze_vec2 way_a = graze_vec2_scale(pick_direction(test), length_a);
    const float length_b = pick_way_length(test, classic, false);
    const graze_vec2 way_b = graze_vec2_scale(pick_direction(test), length_b);
    const float time = soak_pick_float(test, 0, 1);
    send_through(&one->a, graze_vec2_add(meeting, pick_offset(test, one)), way_a, time, all->dt);
    send_through(&one->b, meeting, way_b, time, all->dt);
}

static void pick_lane(soak_case *test, course *all)
{
    const uint32_t number = all->count++;
    const graze_vec2 middle = {lane_width * (float)(number % LANES_A_ROW),
                               lane_width * (float)(number / LANES_A_ROW)};
    lane *one = &all->lanes[number];
    one->a = pick_body(test, true);
    one->b = pick_body(test, false);
    one->a.user_data = number;
    one->b.user_data = number;
    if (all->dt >= 1 && soak_chance(test, 4)) {
        pick_whole_lane(test, one, middle);
    } else {
        pick_free_lane(test, all, one, middle);
    }
}

// --- What must come out ---

typedef struct place {
    long double x, y;
} place;

// As the world predicts: in float.
static graze_vec2 find_end(const graze_body_def *def, float dt)
{
    const graze_vec2 end = {def->position.x + def->velocity.x * dt,
                            def->position.y + def->velocity.y * dt};
    return end;
}

static place difference(graze_vec2 a, graze_vec2 b)
{
    const place d = {(long double)a.x - (long double)b.x, (long double)a.y - (long double)b.y};
    return d;
}

// The least distance of the origin from the way.
static long double find_distance(place start, place end)
{
    const place way = {end.x - start.x, end.y - start.y};
    const long double length = way.x * way.x + way.y * way.y;
    long double t = length > 0 ? -(start.x * way.x + start.y * way.y) / length : 0;
    t = fminl(fmaxl(t, 0), 1);
    return hypotl(start.x + t * way.x, start.y + t * way.y);
}

// |side| <= reach * |way|, or an end within reach: products of small whole numbers, exact in long
// double.
static bool comes_within(place start, place end, long double reach)
{
    const place way = {end.x - start.x, end.y - start.y};
    const long double side = start.x * way.y - start.y * way.x;
    const long double length = way.x * way.x + way.y * way.y;
    const bool passes = start.x * way.x + start.y * way.y < 0 && end.x * way.x + end.y * way.y > 0;
    return start.x * start.x + start.y * start.y <= reach * reach ||
           end.x * end.x + end.y * end.y <= reach * reach ||
           (passes && side * side <= reach * reach * length);
}

// A float rotation is a unit vector to about 1e-7, and so are a rect's extents.
static void find_expectation(lane *one, float dt)
{
    const place start = difference(one->a.position, one->b.position);
    const place end = difference(find_end(&one->a, dt), find_end(&one->b, dt));
    const bool round =
        one->a.shape.kind != GRAZE_SHAPE_RECT && one->b.shape.kind != GRAZE_SHAPE_RECT;
    const long double slack = round ? 1e-12L : 1e-6L;
    const long double rounding = 1e-12L;
    if (one->whole) {
        one->inner = (long double)one->a.shape.radius + (long double)one->b.shape.radius;
        one->outer = one->inner;
        one->distance = comes_within(start, end, one->inner) ? one->inner : one->inner + 1;
        return;
    }
    one->distance = find_distance(start, end);
    one->inner =
        ((long double)inner_radius(&one->a.shape) + (long double)inner_radius(&one->b.shape)) *
            (1 - slack) -
        rounding;
    one->outer =
        (outer_radius(&one->a.shape) + outer_radius(&one->b.shape)) * (1 + slack) + rounding;
}

// --- The world ---

static bool add_pair(graze_world *world, const lane *one)
{
    const graze_body_id a = graze_body_create(world, &one->a);
    const graze_body_id b = graze_body_create(world, &one->b);
    return a.generation && b.generation;
}

static void note_contacts(course *all)
{
    const graze_contact_list contacts = graze_world_contacts(all->world);
    for (uint32_t i = 0; i < contacts.count; ++i) {
        const uint64_t lane_a = graze_body_user_data(all->world, contacts.data[i].a);
        const uint64_t lane_b = graze_body_user_data(all->world, contacts.data[i].b);
        if (lane_a != lane_b) {
            soak_fail(all->test, "lanes %u and %u meet", (unsigned)lane_a, (unsigned)lane_b);
            return;
        }
        all->lanes[lane_a].met = true;
    }
}

static void tell_body(const course *all, const char *name, const graze_body_def *def)
{
    const graze_vec2 end = find_end(def, all->dt);
    soak_tell(all->test,
              "%s: kind %d, radius %.9g, half (%.9g, %.9g), angle %.9g, spin %.9g, response %d, "
              "hit_limit %u",
              name, (int)def->shape.kind, (double)def->shape.radius, (double)def->shape.half.x,
              (double)def->shape.half.y, (double)def->angle, (double)def->spin, (int)def->response,
              def->hit_limit);
    soak_tell(all->test, "    from (%.9g, %.9g) with velocity (%.9g, %.9g), to (%.9g, %.9g)",
              (double)def->position.x, (double)def->position.y, (double)def->velocity.x,
              (double)def->velocity.y, (double)end.x, (double)end.y);
}

static void check_lane(course *all, lane *one)
{
    ++all->test->trials;
    find_expectation(one, all->dt);
    const bool must_meet = one->distance <= one->inner;
    const bool must_not = one->distance > one->outer;
    if ((must_meet && !one->met) || (must_not && one->met)) {
        soak_tell(all->test, "dt %.9g", (double)all->dt);
        tell_body(all, "a", &one->a);
        tell_body(all, "b", &one->b);
        soak_fail(all->test, "centres come as near as %.9Lg, radii are %.9Lg to %.9Lg: %s",
                  one->distance, one->inner, one->outer, one->met ? "hit" : "missed");
    }
}

static void run_lanes(course *all)
{
    bool ready = true;
    for (uint32_t i = 0; i < all->count; ++i) {
        ready = ready && add_pair(all->world, &all->lanes[i]);
    }
    if (!ready || graze_world_step(all->world, all->dt) != GRAZE_OK) {
        soak_fail(all->test, "the world refuses");
        return;
    }
    note_contacts(all);
    for (uint32_t i = 0; i < all->count && !all->test->failed; ++i) {
        check_lane(all, &all->lanes[i]);
    }
}

void soak_run_course(soak_case *test)
{
    const graze_world_def def = graze_world_def_default();
    course all = {.test = test, .world = graze_world_create(&def)};
    all.dt = soak_pick(test, 2) ? 1.0f / 60 : 1;
    do {
        pick_lane(test, &all);
    } while (all.count < LANES && soak_more(test, 60));
    run_lanes(&all);
    graze_world_destroy(all.world);
}
