#include "families.h"

#include "body_defs.h"
#include "play.h"

#include <graze/shape.h>

#include <math.h>
#include <stdlib.h>

// Bodies of all shapes and responses in closed chains, in plain numbers and on quarters, near the
// origin and far from it.

/// Where a game could take place.
typedef struct yard {
    graze_vec2 centre;
    float reach;
    bool quarters; ///< Everything is a whole multiple of 1/4.
} yard;

/// What makes one family different from another.
typedef struct manner {
    uint32_t loops, mean_bodies, most_bodies, mean_events;
    float size; ///< Of most bodies: the largest half extent, as a share of the yard's reach.
    bool edits; ///< Chains come and go; bodies are teleported.
} manner;

static const double pi = 3.14159265358979323846;

static yard pick_yard(soak_case *test)
{
    static const float distances[] = {0, 0, 1e3f, 1e6f};
    const float distance = distances[soak_pick(test, 4)];
    yard place = {{0, 0}, 4 + (float)soak_pick(test, 37), soak_pick(test, 2) == 0};
    place.centre.x = distance * (float)soak_pick_integer(test, 1);
    place.centre.y = distance * (float)soak_pick_integer(test, 1);
    if (!place.quarters) {
        place.centre.x += 0.3f;
    }
    return place;
}

static float settle(const yard *place, float value)
{
    return place->quarters ? rintf(value * 4) / 4 : value;
}

static graze_vec2 settle_point(const yard *place, graze_vec2 point)
{
    const graze_vec2 settled = {settle(place, point.x), settle(place, point.y)};
    return settled;
}

// --- Chains ---

static graze_vec2 pick_place(soak_case *test, const yard *place)
{
    const float x = soak_pick_signed(test, place->reach);
    const graze_vec2 point = {place->centre.x + x,
                              place->centre.y + soak_pick_signed(test, place->reach)};
    return settle_point(place, point);
}

// A point at an angle from the centre: 3 to HARD_LOOP_CAPACITY of them make a star.
static graze_vec2 pick_star_point(soak_case *test, const yard *place, double angle, float nearest)
{
    const double radius = (double)(place->reach * (1 - soak_pick_float(test, 0, 1 - nearest)));
    const graze_vec2 point = {(float)((double)place->centre.x + radius * cos(angle)),
                              (float)((double)place->centre.y + radius * sin(angle))};
    return settle_point(place, point);
}

static void pick_star(soak_case *test, const yard *place, hard_loop *loop)
{
    const float nearest = soak_chance(test, 4) ? 0.02f : 0.3f;
    loop->count = 3 + soak_pick(test, HARD_LOOP_CAPACITY - 2);
    for (uint32_t i = 0; i < loop->count; ++i) {
        const float skew = place->quarters ? 0 : soak_pick_float(test, 0, 0.5f);
        const double angle = 2 * pi * (i + (double)skew) / loop->count;
        loop->points[i] = pick_star_point(test, place, angle, nearest);
    }
}

static void pick_tangle(soak_case *test, const yard *place, hard_loop *loop)
{
    loop->count = 0;
    while (loop->count < 3 || (loop->count < HARD_LOOP_CAPACITY && soak_more(test, 3))) {
        const bool repeats = loop->count > 0 && soak_chance(test, 8);
        loop->points[loop->count] =
            repeats ? loop->points[soak_pick(test, loop->count)] : pick_place(test, place);
        ++loop->count;
    }
}

// A star of points that were not moved far is simple, and runs counter-clockwise.
static void add_loop(soak_case *test, const yard *place, const manner *how, play *plan)
{
    play_loop *one = &plan->loops[plan->loop_count++];
    const bool star = soak_pick(test, 4) < 3;
    if (star) {
        pick_star(test, place, &one->loop);
    } else {
        pick_tangle(test, place, &one->loop);
    }
    const bool is_far = place->centre.x > 2e3f || place->centre.x < -2e3f ||
                        place->centre.y > 2e3f || place->centre.y < -2e3f;
    one->one_sided = star && !place->quarters && !is_far && soak_chance(test, 4);
    one->end_step = PLAY_STEPS;
    if (how->edits && plan->loop_count > 1) {
        one->first_step = soak_pick(test, plan->step_count);
        one->end_step = one->first_step + 1 + soak_pick(test, plan->step_count);
    }
}

// --- Bodies ---

static float pick_size(soak_case *test, const yard *place, const manner *how)
{
    const float most = soak_chance(test, 32) ? 1 : how->size;
    const float size = settle(place, soak_pick_float(test, 0, place->reach * most));
    return size > 0 ? size : 0.25f;
}

static graze_shape pick_shape(soak_case *test, const yard *place, const manner *how)
{
    switch (soak_pick(test, 6)) {
    case 0:
    case 1:
        return graze_shape_ray();
    case 2:
        return graze_shape_circle(soak_chance(test, 8) ? 0 : pick_size(test, place, how));
    case 3:
        return graze_shape_circle(pick_size(test, place, how));
    default: {
        const float half_x = pick_size(test, place, how);
        return graze_shape_rect(half_x, pick_size(test, place, how));
    }
    }
}

// Mostly in the first chain when it is a star; sometimes on its points.
static graze_vec2 pick_position(soak_case *test, const yard *place, const hard_loop *loop)
{
    const uint32_t i = soak_pick(test, loop->count);
    const graze_vec2 a = loop->points[i];
    const graze_vec2 b = loop->points[(i + 1) % loop->count];
    const uint32_t kind = soak_pick(test, 8);
    if (kind == 7) {
        return a;
    }
    if (kind == 6) {
        return pick_place(test, place);
    }
    const float along = soak_pick_float(test, 0, 1);
    const float outward = soak_pick_float(test, 0, 1);
    const graze_vec2 edge = graze_vec2_add(a, graze_vec2_scale(graze_vec2_sub(b, a), along));
    const graze_vec2 way = graze_vec2_sub(edge, place->centre);
    return settle_point(place, graze_vec2_add(place->centre, graze_vec2_scale(way, outward)));
}

static graze_vec2 pick_way(soak_case *test, const yard *place)
{
    const float x = soak_pick_signed(test, 2 * place->reach);
    const graze_vec2 way = {x, soak_pick_signed(test, 2 * place->reach)};
    return settle_point(place, way);
}

static float pick_share(soak_case *test)
{
    switch (soak_pick(test, 4)) {
    case 0:
        return 0;
    case 1:
        return 1;
    default:
        return soak_pick_float(test, 0, 1);
    }
}

// One that passes goes where it wants, and pushes others.
static graze_response pick_response(soak_case *test)
{
    const graze_response response = (graze_response)(GRAZE_STOP + soak_pick(test, 4));
    return soak_chance(test, 16) ? GRAZE_PASS : response;
}

static graze_body_def pick_body(soak_case *test, const yard *place, const manner *how,
                                const hard_loop *loop)
{
    static const float masses[] = {1, 0, 2, 100};
    graze_body_def def = test_body_def();
    def.shape = pick_shape(test, place, how);
    def.response = pick_response(test);
    def.position = pick_position(test, place, loop);
    def.velocity = pick_way(test, place);
    def.angle = soak_pick(test, 2) ? soak_pick_signed(test, 3) : 0;
    def.spin = soak_pick(test, 2) ? soak_pick_signed(test, 20) : 0;
    def.mass = masses[soak_pick(test, 4)];
    def.restitution = pick_share(test);
    def.friction = pick_share(test);
    def.hit_limit = soak_chance(test, 32) ? 1 + soak_pick(test, 20) : 0;
    def.sensor = soak_chance(test, 32);
    return def;
}

static play_event pick_event(soak_case *test, const yard *place, const manner *how,
                             const hard_loop *loop)
{
    static const float factors[] = {1, 2, 0.5f, 0.01f, 1, 2, 0.5f, 1e3f};
    const uint32_t i = soak_pick(test, loop->count);
    const graze_vec2 a = loop->points[i];
    const graze_vec2 b = loop->points[(i + 1) % loop->count];
    play_event event = {.target = a, .factor = factors[soak_pick(test, 8)]};
    switch (soak_pick(test, how->edits ? 7 : 6)) {
    case 0:
        event.action = PLAY_GO;
        event.target = pick_way(test, place);
        break;
    case 1:
        event.action = PLAY_GO;
        event.target = graze_vec2_sub(b, a);
        break;
    case 2:
        event.action = PLAY_AGAIN;
        break;
    case 3:
        event.action = PLAY_TURN;
        event.target.x = soak_pick_signed(test, 3);
        event.target.y = soak_pick_signed(test, 20);
        break;
    case 6:
        event.action = PLAY_TELEPORT;
        event.target = pick_position(test, place, loop);
        break;
    default:
        event.action = PLAY_AIM;
        break;
    }
    return event;
}

static void add_body(soak_case *test, const yard *place, const manner *how, play *plan)
{
    const hard_loop *loop = &plan->loops[soak_pick(test, plan->loop_count)].loop;
    const graze_body_def def = pick_body(test, place, how, loop);
    uint32_t step = 0;
    play_add_body(plan, &def);
    while (step < plan->step_count && soak_more(test, how->mean_events)) {
        step += soak_pick(test, 8);
        play_event event = pick_event(test, place, how, loop);
        event.step = step;
        play_add_event(plan, &event);
    }
}

static uint64_t pick_slow_steps(soak_case *test)
{
    switch (soak_pick(test, 3)) {
    case 0:
        return 0;
    case 1:
        return UINT64_MAX;
    default: {
        const uint64_t high = soak_pick(test, UINT32_MAX);
        return high << 32 | soak_pick(test, UINT32_MAX);
    }
    }
}

static void run_manner(soak_case *test, const manner *how)
{
    play *plan = play_create(PLAY_STEPS);
    const yard place = pick_yard(test);
    plan->slow_steps = pick_slow_steps(test);
    plan->gravity.y = soak_pick(test, 2) ? -50.0f * (float)soak_pick(test, 3) : 0;
    do {
        add_loop(test, &place, how, plan);
    } while (plan->loop_count < how->loops && soak_more(test, how->loops));
    do {
        add_body(test, &place, how, plan);
    } while (plan->body_count < how->most_bodies && soak_more(test, how->mean_bodies));
    play_run(test, plan);
    free(plan);
}

void soak_run_walk(soak_case *test)
{
    static const manner how = {2, 10, 24, 10, 0.1f, false};
    run_manner(test, &how);
}

void soak_run_crowd(soak_case *test)
{
    static const manner how = {1, 60, 40, 4, 0.3f, false};
    run_manner(test, &how);
}

void soak_run_edit(soak_case *test)
{
    static const manner how = {PLAY_LOOPS, 10, 24, 12, 0.2f, true};
    run_manner(test, &how);
}
