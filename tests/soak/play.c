#include "play.h"

#include <graze/chain.h>
#include <graze/contact.h>
#include <graze/orient.h>
#include <graze/overlap.h>
#include <graze/world.h>

#include <math.h>
#include <stdlib.h>

// --- Plans ---

play *play_create(uint32_t step_count)
{
    play *plan = calloc(1, sizeof *plan);
    if (!plan) {
        fputs("graze_soak: out of memory\n", stderr);
        exit(2);
    }
    plan->step_count = step_count;
    return plan;
}

play_body *play_add_body(play *plan, const graze_body_def *def)
{
    if (plan->body_count == PLAY_BODIES) {
        return NULL;
    }
    const play_body body = {*def, plan->event_count, 0};
    plan->bodies[plan->body_count] = body;
    return &plan->bodies[plan->body_count++];
}

void play_add_event(play *plan, const play_event *event)
{
    if (plan->event_count < PLAY_EVENTS) {
        plan->events[plan->event_count++] = *event;
        ++plan->bodies[plan->body_count - 1].event_count;
    }
}

static void tell_body(const soak_case *test, const play *plan, uint32_t number)
{
    static const char *const shapes[] = {"circle", "rect", "ray"};
    static const char *const responses[] = {"PASS", "STOP", "SLIDE", "BOUNCE", "RIGID"};
    static const char *const actions[] = {"go", "aim", "again", "turn", "teleport"};
    const play_body *body = &plan->bodies[number];
    const graze_body_def *def = &body->def;
    soak_tell(test, "body %u: %s %s, radius %.9g, half (%.9g, %.9g), at (%.9g, %.9g)", number,
              responses[def->response], shapes[def->shape.kind], (double)def->shape.radius,
              (double)def->shape.half.x, (double)def->shape.half.y, (double)def->position.x,
              (double)def->position.y);
    soak_tell(test,
              "    velocity (%.9g, %.9g), angle %.9g, spin %.9g, mass %.9g, restitution %.9g, "
              "friction %.9g, hit_limit %u%s",
              (double)def->velocity.x, (double)def->velocity.y, (double)def->angle,
              (double)def->spin, (double)def->mass, (double)def->restitution, (double)def->friction,
              def->hit_limit, def->sensor ? ", sensor" : "");
    for (uint32_t i = 0; i < body->event_count; ++i) {
        const play_event *event = &plan->events[body->first_event + i];
        soak_tell(test, "    before step %u: %s (%.9g, %.9g) times %.9g", event->step,
                  actions[event->action], (double)event->target.x, (double)event->target.y,
                  (double)event->factor);
    }
}

static void tell_tiles(const soak_case *test, const tile_map *map)
{
    soak_tell(test, "tiles of %g from (%.9g, %.9g), walls of kind %d", (double)map->size,
              (double)map->origin.x, (double)map->origin.y, (int)map->walls);
    for (uint32_t y = 0; y < map->height; ++y) {
        char row[TILE_MAP_SIDE + 1] = {0};
        for (uint32_t x = 0; x < map->width; ++x) {
            row[x] = map->solid[y][x] ? '#' : '.';
        }
        soak_tell(test, "    %s", row);
    }
}

static void tell_plan(const soak_case *test, const play *plan)
{
    soak_tell(test, "gravity (%.9g, %.9g), dt 1, or 1/60 in the steps %#llx",
              (double)plan->gravity.x, (double)plan->gravity.y,
              (unsigned long long)plan->slow_steps);
    if (plan->tiles) {
        tell_tiles(test, plan->tiles);
    }
    for (uint32_t i = 0; i < plan->loop_count; ++i) {
        const play_loop *loop = &plan->loops[i];
        soak_tell(test, "chain %u, %s, from step %u to before %u:", i,
                  loop->one_sided ? "one-sided" : "two-sided", loop->first_step, loop->end_step);
        soak_tell_points(test, "   ", loop->loop.points, loop->loop.count);
    }
    for (uint32_t i = 0; i < plan->body_count; ++i) {
        tell_body(test, plan, i);
    }
}

// --- Regions ---

/// A body as it is played.
typedef struct player {
    graze_body_id id;
    bool gone;
    graze_vec2 position; ///< Before the step.
    graze_vec2 way;      ///< The last that it got.
    uint32_t region;     ///< Where it is.
    uint32_t entering;   ///< Bit i: it is on its way through a wall of one-sided loop i.
    uint32_t next_event;
} player;

typedef struct stage {
    soak_case *test;
    const play *plan;
    graze_world *world;
    uint32_t step;
    graze_chain_id chains[PLAY_LOOPS]; ///< None: not there now.
    uint32_t one_sided;                ///< Bit i: loop i is there and one-sided.
    player players[PLAY_BODIES];
} stage;

// One bit per loop: whether the way to a place far outside crosses it an odd number of times.
static uint32_t find_region(const stage *now, graze_vec2 place)
{
    const graze_vec2 outside = {1e9f, 12345};
    uint32_t region = 0;
    if (now->plan->tiles) {
        return tile_map_region(now->plan->tiles, place);
    }
    for (uint32_t i = 0; i < now->plan->loop_count; ++i) {
        const hard_loop *loop = &now->plan->loops[i].loop;
        bool inside = false;
        for (uint32_t k = 0; now->chains[i].generation && k < loop->count; ++k) {
            const uint32_t next = k + 1 < loop->count ? k + 1 : 0;
            const graze_segment wall = {loop->points[k], loop->points[next]};
            inside ^= graze_crosses(place, outside, wall);
        }
        region |= (uint32_t)inside << i;
    }
    return region;
}

static void find_regions(stage *now)
{
    for (uint32_t i = 0; i < now->plan->body_count; ++i) {
        if (!now->players[i].gone) {
            now->players[i].region =
                find_region(now, graze_body_position(now->world, now->players[i].id));
        }
    }
}

static bool met_wall(const stage *now, graze_body_id body, graze_chain_id chain, uint32_t index)
{
    const graze_contact_list contacts = graze_world_contacts(now->world);
    for (uint32_t i = 0; i < contacts.count; ++i) {
        const graze_contact *contact = &contacts.data[i];
        const graze_segment_id met = contact->segment;
        if (contact->a.index == body.index && contact->a.generation == body.generation &&
            met.chain.index == chain.index && met.chain.generation == chain.generation &&
            met.index == index) {
            return true;
        }
    }
    return false;
}

static bool overlaps_wall(const stage *now, graze_body_id body, graze_segment wall)
{
    const graze_shape shape = graze_body_shape(now->world, body);
    const graze_vec2 position = graze_body_position(now->world, body);
    const graze_circle disc = {position, shape.radius};
    const graze_rect rect = {position, shape.half,
                             graze_rotation_from_angle(graze_body_angle(now->world, body))};
    return shape.kind == GRAZE_SHAPE_RECT     ? graze_overlap_rect_segment(rect, wall)
           : shape.kind == GRAZE_SHAPE_CIRCLE ? graze_overlap_circle_segment(disc, wall)
                                              : false;
}

// What overlaps a wall that it has not met has come through it, and may go back until it has left
// it.
static bool is_entering(const stage *now, graze_body_id body, uint32_t number)
{
    const hard_loop *loop = &now->plan->loops[number].loop;
    for (uint32_t k = 0; k < loop->count; ++k) {
        const graze_segment wall = {loop->points[k], loop->points[(k + 1) % loop->count]};
        if (overlaps_wall(now, body, wall) && !met_wall(now, body, now->chains[number], k)) {
            return true;
        }
    }
    return false;
}

static uint32_t find_entering(const stage *now, graze_body_id body)
{
    uint32_t entering = 0;
    for (uint32_t i = 0; i < now->plan->loop_count; ++i) {
        const bool is_one_sided = now->one_sided >> i & 1;
        entering |= (uint32_t)(is_one_sided && is_entering(now, body, i)) << i;
    }
    return entering;
}

// --- Before a step ---

static bool add_loop(stage *now, uint32_t number)
{
    const play_loop *loop = &now->plan->loops[number];
    graze_chain_def def = graze_chain_def_default();
    def.points = loop->loop.points;
    def.count = loop->loop.count;
    def.loop = true;
    def.one_sided = loop->one_sided;
    now->chains[number] = graze_chain_create(now->world, &def);
    return now->chains[number].generation != 0;
}

static bool remove_loop(stage *now, uint32_t number)
{
    const graze_chain_id none = {0, 0};
    const graze_chain_id chain = now->chains[number];
    now->chains[number] = none;
    return chain.generation == 0 || graze_chain_destroy(now->world, chain) == GRAZE_OK;
}

static void change_loops(stage *now)
{
    bool changed = false;
    now->one_sided = 0;
    for (uint32_t i = 0; i < now->plan->loop_count; ++i) {
        const play_loop *loop = &now->plan->loops[i];
        if (loop->end_step == now->step && !remove_loop(now, i)) {
            soak_fail(now->test, "chain %u cannot be removed", i);
        }
        if (loop->first_step == now->step && loop->end_step > now->step && !add_loop(now, i)) {
            soak_fail(now->test, "chain %u cannot be added", i);
        }
        changed = changed || loop->end_step == now->step || loop->first_step == now->step;
        const bool is_there = now->chains[i].generation != 0;
        now->one_sided |= (uint32_t)(is_there && loop->one_sided) << i;
    }
    if (changed) {
        find_regions(now);
    }
}

static float step_time(const stage *now)
{
    return now->plan->slow_steps >> now->step & 1 ? 1.0f / 60 : 1;
}

// Finite: what a world must take.
static graze_vec2 limit(graze_vec2 v)
{
    const float most = 1e9f;
    v.x = v.x < most ? v.x > -most ? v.x : -most : most;
    v.y = v.y < most ? v.y > -most ? v.y : -most : most;
    return v;
}

static graze_status send(stage *now, player *one, graze_vec2 way)
{
    const float per_second = now->plan->slow_steps >> now->step & 1 ? 60 : 1;
    one->way = way;
    return graze_body_set_velocity(now->world, one->id, limit(graze_vec2_scale(way, per_second)));
}

static graze_status let_happen(stage *now, player *one, const play_event *event)
{
    const graze_vec2 position = graze_body_position(now->world, one->id);
    switch (event->action) {
    case PLAY_GO:
        return send(now, one, graze_vec2_scale(event->target, event->factor));
    case PLAY_AIM: {
        const graze_vec2 way = graze_vec2_sub(event->target, position);
        return send(now, one, graze_vec2_scale(way, event->factor));
    }
    case PLAY_AGAIN:
        return send(now, one, one->way);
    case PLAY_TURN:
        graze_body_set_spin(now->world, one->id, event->target.y);
        return graze_body_set_angle(now->world, one->id, event->target.x);
    default:
        one->region = find_region(now, event->target);
        return graze_body_set_position(now->world, one->id, event->target);
    }
}

static void let_all_happen(stage *now)
{
    for (uint32_t i = 0; i < now->plan->body_count; ++i) {
        const play_body *body = &now->plan->bodies[i];
        player *one = &now->players[i];
        for (; one->next_event < body->event_count; ++one->next_event) {
            const play_event *event = &now->plan->events[body->first_event + one->next_event];
            if (one->gone || event->step != now->step) {
                break;
            }
            if (let_happen(now, one, event) != GRAZE_OK) {
                soak_fail(now->test, "body %u refuses what happens before step %u", i, now->step);
            }
        }
        one->position = graze_body_position(now->world, one->id);
        one->entering = one->gone ? 0 : find_entering(now, one->id);
    }
}

// --- After a step ---

static bool is_leak(const stage *now, const player *one, uint32_t after)
{
    const uint32_t allowed = (after & now->one_sided) | one->entering;
    return now->plan->tiles ? one->region != after : ((one->region ^ after) & ~allowed) != 0;
}

// A body that stops goes one straight way.
static bool crosses_a_wall(const stage *now, graze_vec2 from, graze_vec2 to)
{
    for (uint32_t i = 0; i < now->plan->loop_count; ++i) {
        const play_loop *loop = &now->plan->loops[i];
        const uint32_t count = loop->loop.count;
        for (uint32_t k = 0; now->chains[i].generation && !loop->one_sided && k < count; ++k) {
            const graze_segment wall = {loop->loop.points[k], loop->loop.points[(k + 1) % count]};
            if (graze_crosses(from, to, wall)) {
                return true;
            }
        }
    }
    return false;
}

static void check_body(stage *now, uint32_t number)
{
    player *one = &now->players[number];
    const graze_vec2 to = graze_body_position(now->world, one->id);
    const uint32_t region = find_region(now, to);
    const graze_response response = now->plan->bodies[number].def.response;
    ++now->test->trials;
    if (response != GRAZE_PASS && is_leak(now, one, region)) {
        soak_fail(now->test,
                  "body %u goes from (%.9g, %.9g) in region %#x to (%.9g, %.9g) in %#x in step %u",
                  number, (double)one->position.x, (double)one->position.y, one->region,
                  (double)to.x, (double)to.y, region, now->step);
    }
    if (response == GRAZE_STOP && crosses_a_wall(now, one->position, to)) {
        soak_fail(now->test,
                  "body %u stops at (%.9g, %.9g) beyond a wall, coming from (%.9g, %.9g), in "
                  "step %u",
                  number, (double)to.x, (double)to.y, (double)one->position.x,
                  (double)one->position.y, now->step);
    }
    one->region = region;
    one->gone = !graze_body_is_valid(now->world, one->id);
}

// Terrain stands where b is none, before all bodies.
static uint64_t order_of(const graze_contact *contact)
{
    const uint64_t b = contact->b.generation ? (uint64_t)contact->b.index + 1 : 0;
    return (uint64_t)contact->a.index << 32 | b;
}

static bool is_sound(const graze_contact *contact)
{
    const double x = (double)contact->normal.x;
    const double y = (double)contact->normal.y;
    return contact->time >= 0 && contact->time <= 1 && contact->depth >= 0 &&
           contact->approach >= 0 && isfinite(contact->approach) && contact->impulse >= 0 &&
           isfinite(contact->impulse) && isfinite(contact->depth) && isfinite(contact->point.x) &&
           isfinite(contact->point.y) && fabs(x * x + y * y - 1) < 1e-6;
}

static void check_contacts(stage *now)
{
    const graze_contact_list contacts = graze_world_contacts(now->world);
    for (uint32_t i = 0; i < contacts.count && !now->test->failed; ++i) {
        const graze_contact *contact = &contacts.data[i];
        const graze_contact *before = i ? contact - 1 : contact;
        const uint64_t order = order_of(contact);
        const uint64_t order_before = order_of(before);
        const bool in_order =
            order_before < order || (order_before == order && before->time <= contact->time);
        if (!is_sound(contact)) {
            soak_fail(now->test,
                      "contact %u of step %u: time %g, depth %g, point (%g, %g), normal (%g, %g)",
                      i, now->step, (double)contact->time, (double)contact->depth,
                      (double)contact->point.x, (double)contact->point.y, (double)contact->normal.x,
                      (double)contact->normal.y);
        } else if (!in_order) {
            soak_fail(now->test, "contact %u of step %u is out of order", i, now->step);
        }
    }
}

static void tell_step(const stage *now)
{
    for (uint32_t i = 0; now->test->story && i < now->plan->body_count; ++i) {
        const player *one = &now->players[i];
        const graze_vec2 at = graze_body_position(now->world, one->id);
        const graze_vec2 velocity = graze_body_velocity(now->world, one->id);
        soak_tell(now->test, "after step %u body %u is at (%.9g, %.9g), velocity (%.9g, %.9g)",
                  now->step, i, (double)at.x, (double)at.y, (double)velocity.x, (double)velocity.y);
    }
}

// --- A plan from beginning to end ---

static void fail_by_log(graze_status status, const char *message, void *user)
{
    soak_fail(user, "logged: %s: %s", graze_status_text(status), message);
}

static bool build(stage *now)
{
    graze_world_def def = graze_world_def_default();
    def.gravity = now->plan->gravity;
    def.log = fail_by_log;
    def.log_user = now->test;
    now->world = graze_world_create(&def);
    if (!now->world || (now->plan->tiles && !tile_map_build(now->plan->tiles, now->world))) {
        soak_fail(now->test, "the world cannot be made");
        return false;
    }
    for (uint32_t i = 0; i < now->plan->body_count; ++i) {
        now->players[i].id = graze_body_create(now->world, &now->plan->bodies[i].def);
        if (!graze_body_is_valid(now->world, now->players[i].id)) {
            soak_fail(now->test, "body %u cannot be made", i);
            return false;
        }
    }
    find_regions(now);
    return true;
}

static void play_step(stage *now)
{
    change_loops(now);
    let_all_happen(now);
    if (graze_world_step(now->world, step_time(now)) != GRAZE_OK) {
        soak_fail(now->test, "step %u does not succeed", now->step);
        return;
    }
    tell_step(now);
    check_contacts(now);
    for (uint32_t i = 0; i < now->plan->body_count && !now->test->failed; ++i) {
        if (!now->players[i].gone) {
            check_body(now, i);
        }
    }
}

void play_run(soak_case *test, const play *plan)
{
    stage now = {.test = test, .plan = plan};
    tell_plan(test, plan);
    bool goes_on = build(&now);
    for (; goes_on && now.step < plan->step_count; ++now.step) {
        play_step(&now);
        goes_on = !test->failed;
    }
    graze_world_destroy(now.world);
}
