#include "golden_scenes.h"

#include "body_defs.h"
#include "random.h"

#include <string.h>

enum {
    BODIES = 128, ///< At most in the world.
    CHAINS = 12,  ///< Likewise.
    ANSWERS = 12
};

/// The world, and what a game would remember of it.
typedef struct session {
    tape *run;
    graze_world_def def;
    graze_world *world;
    random_state random;
    graze_body_id bodies[BODIES]; ///< The last ones that were made, some of them gone.
    graze_chain_id chains[CHAINS];
    uint32_t body_count, chain_count; ///< Made so far.
} session;

// --- drawing numbers, one a statement ---

static float draw_small(session *on)
{
    float extent = 12;
    return random_below(&on->random, 2) ? 0.5f * (float)random_integer(&on->random, -20, 20)
                                        : random_float(&on->random, -extent, extent);
}

// Mostly of the size of a level, at times anything that is finite, rarely anything at all.
static float draw_number(session *on)
{
    static const float extremes[] = {0,     -0.0f,    1e-45f, -3e-39f, 1e-20f, 70000,
                                     -1e6f, 16777216, 1e12f,  -1e30f,  3e38f,  1.0f / 3};
    uint32_t kind = random_below(&on->random, 64);
    uint32_t place = random_below(&on->random, sizeof extremes / sizeof *extremes);
    return kind == 0 ? extremes[place] : draw_small(on);
}

static graze_vec2 draw_point(session *on)
{
    graze_vec2 point;
    point.x = draw_number(on);
    point.y = draw_number(on);
    return point;
}

static float draw_size(session *on)
{
    uint32_t eighths = random_below(&on->random, 12);
    float more = random_float(&on->random, 0, 0.2f);
    return eighths == 11 ? draw_number(on) : 0.125f * (float)eighths + more;
}

static graze_filter draw_filter(session *on)
{
    graze_filter filter = graze_filter_default();
    if (random_below(&on->random, 3) == 0) {
        filter.category = 1u << random_below(&on->random, 3);
        filter.mask = 1 + random_below(&on->random, 7);
        filter.pass = random_below(&on->random, 3) ? 0 : random_below(&on->random, 8);
        filter.group = random_integer(&on->random, -2, 2);
    }
    return filter;
}

static graze_response draw_response(session *on)
{
    const uint32_t drawn = random_below(&on->random, random_below(&on->random, 99) ? 4 : 6);
    return (graze_response)(drawn < 4 ? drawn : drawn + 1); // Without GRAZE_RIGID.
}

static graze_shape draw_shape(session *on)
{
    float first = draw_size(on);
    float second = draw_size(on);
    switch (random_below(&on->random, 3)) {
    case 0:
        return graze_shape_circle(first);
    case 1:
        return graze_shape_rect(first, second);
    default:
        return graze_shape_ray();
    }
}

static graze_body_def draw_body(session *on)
{
    graze_body_def def = test_body_def();
    def.shape = draw_shape(on);
    def.position = draw_point(on);
    def.velocity = draw_point(on);
    def.velocity = graze_vec2_scale(def.velocity, random_below(&on->random, 4) ? 1 : 30);
    def.angle = draw_number(on);
    def.spin = draw_number(on);
    def.mass = 0.5f * (float)random_below(&on->random, 5);
    def.restitution = 0.25f * (float)random_below(&on->random, 5);
    def.friction = 0.25f * (float)random_below(&on->random, 5);
    def.response = draw_response(on);
    def.sensor = random_below(&on->random, 10) == 0;
    def.hit_limit = random_below(&on->random, 4) ? 0 : random_below(&on->random, 4);
    def.lifetime = random_below(&on->random, 4) ? 0 : random_float(&on->random, 0, 3);
    def.filter = draw_filter(on);
    def.user_data = random_bits(&on->random);
    return def;
}

static graze_body_id draw_known_body(session *on)
{
    return on->bodies[random_below(&on->random, BODIES)];
}

static graze_ray draw_ray(session *on)
{
    graze_ray ray;
    ray.origin = draw_point(on);
    ray.delta = draw_point(on);
    return ray;
}

// --- what goes onto the tape ---

static void add_status(session *on, graze_status status)
{
    tape_add(on->run, (uint64_t)status);
}

static void add_hit(session *on, const graze_query_hit *hit)
{
    tape_add_body(on->run, hit->body);
    tape_add_segment(on->run, hit->segment);
    tape_add_float(on->run, hit->time);
    tape_add_vec2(on->run, hit->point);
    tape_add_vec2(on->run, hit->normal);
}

static void add_bodies(session *on, uint32_t total, const graze_body_id *bodies)
{
    tape_add(on->run, total);
    for (uint32_t i = 0; i < total && i < ANSWERS; ++i) {
        tape_add_body(on->run, bodies[i]);
    }
}

// The new one takes the place of the oldest.
static void keep_body(session *on, graze_body_id body)
{
    tape_add_body(on->run, body);
    if (body.generation) {
        graze_body_id *place = &on->bodies[on->body_count++ % BODIES];
        add_status(on, graze_body_destroy(on->world, *place));
        *place = body;
    }
}

static void keep_chain(session *on, graze_chain_id chain)
{
    tape_add(on->run, (uint64_t)chain.index << 32 | chain.generation);
    if (chain.generation) {
        graze_chain_id *place = &on->chains[on->chain_count++ % CHAINS];
        add_status(on, graze_chain_destroy(on->world, *place));
        *place = chain;
    }
}

// --- the calls ---

static void destroy_a_body(session *on)
{
    add_status(on, graze_body_destroy(on->world, draw_known_body(on)));
}

static void create_a_body(session *on)
{
    graze_body_def def = draw_body(on);
    graze_body_id body = graze_body_create(on->world, &def);
    add_status(on, graze_world_last_status(on->world));
    keep_body(on, body);
}

static void create_many_bodies(session *on)
{
    graze_body_def defs[6];
    graze_body_id ids[6];
    uint32_t count = random_below(&on->random, 7);
    for (uint32_t i = 0; i < count; ++i) {
        defs[i] = draw_body(on);
    }
    uint32_t made = graze_body_create_many(on->world, defs, count, ids);
    add_status(on, graze_world_last_status(on->world));
    for (uint32_t i = 0; i < made; ++i) {
        keep_body(on, ids[i]);
    }
}

static void set_motion(session *on)
{
    graze_body_id body = draw_known_body(on);
    graze_vec2 vector = draw_point(on);
    switch (random_below(&on->random, 4)) {
    case 0:
        add_status(on, graze_body_set_position(on->world, body, vector));
        break;
    case 1:
        add_status(on, graze_body_set_velocity(on->world, body, vector));
        break;
    case 2:
        add_status(on, graze_body_set_angle(on->world, body, vector.x));
        break;
    default:
        add_status(on, graze_body_set_spin(on->world, body, vector.y));
        break;
    }
}

static void set_manner(session *on)
{
    graze_body_id body = draw_known_body(on);
    switch (random_below(&on->random, 3)) {
    case 0:
        add_status(on, graze_body_set_filter(on->world, body, draw_filter(on)));
        break;
    case 1:
        add_status(on, graze_body_set_response(on->world, body, draw_response(on)));
        break;
    default:
        add_status(on, graze_body_set_user_data(on->world, body, random_bits(&on->random)));
        break;
    }
}

static void read_a_body(session *on)
{
    graze_body_id body = draw_known_body(on);
    graze_shape shape = graze_body_shape(on->world, body);
    graze_filter filter = graze_body_filter(on->world, body);
    tape_add(on->run, graze_body_is_valid(on->world, body));
    tape_add_vec2(on->run, graze_body_position(on->world, body));
    tape_add_vec2(on->run, graze_body_velocity(on->world, body));
    tape_add_float(on->run, graze_body_angle(on->world, body));
    tape_add_float(on->run, graze_body_spin(on->world, body));
    tape_add(on->run, (uint64_t)shape.kind);
    tape_add_float(on->run, shape.radius);
    tape_add_vec2(on->run, shape.half);
    tape_add(on->run, (uint64_t)filter.category << 32 | filter.mask);
    tape_add(on->run, (uint64_t)graze_body_response(on->world, body));
    tape_add(on->run, graze_body_is_sensor(on->world, body));
    tape_add(on->run, graze_body_user_data(on->world, body));
}

static void destroy_a_chain(session *on)
{
    graze_chain_id chain = on->chains[random_below(&on->random, CHAINS)];
    add_status(on, graze_chain_destroy(on->world, chain));
}

static void create_a_chain(session *on)
{
    graze_vec2 points[12];
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = 1 + random_below(&on->random, 12);
    for (uint32_t i = 0; i < def.count; ++i) {
        points[i] = draw_point(on);
    }
    def.loop = random_below(&on->random, 2);
    def.one_sided = random_below(&on->random, 3) == 0;
    def.sensor = random_below(&on->random, 8) == 0;
    def.filter = draw_filter(on);
    graze_chain_id chain = graze_chain_create(on->world, &def);
    add_status(on, graze_world_last_status(on->world));
    keep_chain(on, chain);
}

static void step_the_world(session *on)
{
    uint32_t kind = random_below(&on->random, 32);
    float dt = kind == 0 ? 0 : kind == 1 ? 0.25f : 1.0f / 60;
    tape_step(on->run, on->world, dt);
}

static void ask_rays(session *on)
{
    graze_ray rays[ANSWERS];
    graze_query_hit hits[ANSWERS];
    memset(hits, 0, sizeof hits);
    graze_filter filter = draw_filter(on);
    for (uint32_t i = 0; i < ANSWERS; ++i) {
        rays[i] = draw_ray(on);
    }
    add_status(on, graze_query_ray_many(on->world, rays, ANSWERS, filter, hits));
    for (uint32_t i = 0; i < ANSWERS; ++i) {
        add_hit(on, &hits[i]);
    }
    add_status(on, graze_query_ray(on->world, rays[0], filter, &hits[0]));
    add_hit(on, &hits[0]);
    uint32_t total = graze_query_ray_all(on->world, rays[1], filter, hits, ANSWERS);
    tape_add(on->run, total);
    for (uint32_t i = 0; i < total && i < ANSWERS; ++i) {
        add_hit(on, &hits[i]);
    }
}

static void ask_cast(session *on)
{
    graze_query_hit hit;
    memset(&hit, 0, sizeof hit);
    graze_shape shape = draw_shape(on);
    graze_ray way = draw_ray(on);
    float angle = draw_number(on);
    graze_filter filter = draw_filter(on);
    add_status(on, graze_query_cast(on->world, shape, way.origin, angle, way.delta, filter, &hit));
    add_hit(on, &hit);
}

static void ask_lists(session *on)
{
    graze_body_id bodies[ANSWERS];
    graze_filter filter = draw_filter(on);
    graze_aabb box;
    box.lower = draw_point(on);
    box.upper = draw_point(on);
    float radius = draw_size(on);
    add_bodies(on, graze_query_point(on->world, box.lower, filter, bodies, ANSWERS), bodies);
    add_bodies(on, graze_query_box(on->world, box, filter, bodies, ANSWERS), bodies);
    add_bodies(on, graze_query_nearest(on->world, box.upper, 4 * radius, filter, bodies, ANSWERS),
               bodies);
}

static bool veto(const graze_world *world, graze_body_id a, graze_body_id b,
                 graze_segment_id segment, void *user)
{
    (void)segment;
    (void)user;
    uint64_t second = b.generation ? graze_body_user_data(world, b) : 5;
    return (graze_body_user_data(world, a) + second) % 13 != 0;
}

static void reload_the_world(session *on)
{
    if (random_below(&on->random, 20) == 0) {
        on->world = tape_reload(on->run, on->world, &on->def);
    }
}

typedef void call_fn(session *on);

// As often as they stand here.
static call_fn *const calls[] = {
    create_a_body,    create_a_body,  create_a_body,  create_many_bodies, destroy_a_body,
    set_motion,       set_motion,     set_manner,     read_a_body,        create_a_chain,
    destroy_a_chain,  step_the_world, step_the_world, step_the_world,     step_the_world,
    step_the_world,   step_the_world, ask_rays,       ask_cast,           ask_lists,
    reload_the_world,
};

void golden_session_of(tape *run, uint64_t seed, uint32_t count)
{
    session on = {.run = run, .random = random_seed(seed)};
    on.def = tape_world_def(run);
    on.def.gravity.y = -4;
    on.def.filter = veto;
    on.world = graze_world_create(&on.def);
    tape_require(run, on.world, "no memory");
    if (run->started) {
        run->started(on.world, run->started_user);
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (i == count / 2) {
            on.world = tape_exchange(run, on.world, &on.def);
        }
        calls[random_below(&on.random, sizeof calls / sizeof *calls)](&on);
    }
    tape_add(run, graze_world_hash(on.world));
    graze_world_destroy(on.world);
}

void golden_session(tape *run)
{
    golden_session_of(run, 5, tape_length(run, 10000));
}
