// Rays that are resolved together, in lanes and in blocks, against the general method: contacts and
// state are the same to the bit after every step, however the blocks are run.

#include "world_kit.h"

#include "body_defs.h"
#include "world/world_state.h"

enum {
    RAYS = 1500, ///< More than a block of rows.
    MOVERS = 300,
    WALLS = 60,
    STEPS = 8,
    SIZE = 40 ///< Half the side of the square that holds all of them.
};

/// How numbers are drawn: on a lattice, where ties happen all the time, or anywhere.
typedef struct setting {
    bool lattice;
    bool walls;
    bool odd_walls; ///< Some of them sensors, one-sided, or such that let pass.
    bool filters;
    float speed;
    bool changes; ///< Bodies become others between steps.
} setting;

static float draw(random_state *random, const setting *by, float size)
{
    return by->lattice ? (float)random_integer(random, -(int)size, (int)size)
                       : random_float(random, -size, size);
}

static graze_body_def place_body(graze_body_def def, random_state *random, const setting *by)
{
    def.position.x = draw(random, by, SIZE);
    def.position.y = draw(random, by, SIZE);
    def.velocity.x = draw(random, by, by->speed);
    def.velocity.y = draw(random, by, by->speed);
    def.sensor = random_below(random, 8) == 0;
    def.mass = random_below(random, 4) ? 1 : (float)random_below(random, 3);
    if (by->filters) {
        def.filter.category = 1u << random_below(random, 3);
        def.filter.mask = random_below(random, 8);
        def.filter.pass = random_below(random, 8) & random_below(random, 8);
    }
    return def;
}

static graze_body_def draw_ray(random_state *random, const setting *by)
{
    graze_body_def def = place_body(test_body_def(), random, by);
    def.shape = graze_shape_ray();
    def.response = random_below(random, 4) ? GRAZE_STOP : (graze_response)random_below(random, 4);
    def.hit_limit = random_below(random, 3) ? 1 : random_below(random, 4);
    return def;
}

static graze_body_def draw_mover(random_state *random, const setting *by)
{
    const float size = by->lattice ? (float)random_below(random, 3) : random_float(random, 0, 2);
    graze_body_def def = place_body(test_body_def(), random, by);
    def.shape =
        random_below(random, 4) ? graze_shape_circle(size) : graze_shape_rect(size + 0.5f, 1);
    def.response = random_below(random, 4) ? GRAZE_PASS : (graze_response)random_below(random, 4);
    def.hit_limit = random_below(random, 8) ? 0 : 2;
    return def;
}

static void add_walls(graze_world *world, random_state *random, const setting *by)
{
    for (uint32_t i = 0; i < WALLS; ++i) {
        graze_vec2 points[3];
        for (uint32_t k = 0; k < 3; ++k) {
            points[k].x = draw(random, by, SIZE);
            points[k].y = draw(random, by, SIZE);
        }
        graze_chain_def def = graze_chain_def_default();
        def.points = points;
        def.count = 3;
        def.sensor = random_below(random, 4) == 0 && by->odd_walls;
        def.one_sided = random_below(random, 4) == 0 && by->odd_walls;
        def.filter.pass = random_below(random, 4) == 0 && by->odd_walls;
        (void)graze_chain_create(world, &def); // Points may coincide: then it is refused.
    }
}

static graze_world *make_world(uint64_t seed, const setting *by, graze_parallel_fn *parallel)
{
    random_state random = random_seed(seed);
    graze_world_def world_def = graze_world_def_default();
    world_def.parallel = parallel;
    graze_world *world = graze_world_create(&world_def);
    assert_non_null(world);
    if (by->walls) {
        add_walls(world, &random, by);
    }
    for (uint32_t i = 0; i < MOVERS + RAYS; ++i) {
        kit_add(world, i < MOVERS ? draw_mover(&random, by) : draw_ray(&random, by));
    }
    return world;
}

/// A world, and what its new rays are drawn from.
typedef struct run {
    graze_world *world;
    random_state random;
} run;

static run start(uint64_t seed, const setting *by, graze_parallel_fn *parallel)
{
    const run made = {make_world(seed, by, parallel), random_seed(seed + 1)};
    return made;
}

// Bodies that were removed come back, as many as before.
static void replace_rays(run *of, const setting *by)
{
    while (graze_world_get_stats(of->world).body_count < MOVERS + RAYS) {
        kit_add(of->world, draw_ray(&of->random, by));
    }
}

// Bullets become circles and rects, and the other way round, while they touch things.
static void change_some(run *of, const setting *by)
{
    enum { CHANGES = 90 };
    for (uint32_t i = 0; i < CHANGES; ++i) {
        random_state *random = &of->random;
        const graze_body_id body = graze_world_body_at(of->world, random_below(random, 600));
        const bool to_ray = random_below(random, 2);
        const graze_body_def def = to_ray ? draw_ray(random, by) : draw_mover(random, by);
        const uint32_t what = random_below(random, 4);
        if (kit_is_none(body)) {
            continue;
        }
        if (what < 2) {
            graze_body_set_shape(of->world, body, def.shape);
        }
        if (what > 0) {
            graze_body_set_hit_limit(of->world, body, def.hit_limit);
            graze_body_set_response(of->world, body, def.response);
        }
        graze_body_set_sensor(of->world, body, def.sensor);
    }
}

// Between steps.
static void make_changes(run *of, const setting *by)
{
    replace_rays(of, by);
    if (by->changes) {
        change_some(of, by);
    }
}

static void assert_same_reports(const graze_world *events, const graze_world *rays, uint64_t seed)
{
    const char *difference = kit_find_difference(events, rays);
    if (difference) {
        fail_msg("seed %u, lanes %s: %s differ", (unsigned)seed, grz_lanes_name(rays->config.lanes),
                 difference);
    }
}

// Steps a world that does everything by events, and beside it one with the widest lanes, or one for
// each set of lanes. Returns how many contacts there were.
static uint32_t compare_with_events(uint64_t seed, const setting *by, bool all_lanes,
                                    graze_parallel_fn *parallel)
{
    run events = start(seed, by, NULL), rays[GRZ_SET_COUNT];
    const grz_lane_set widest = events.world->config.lanes;
    const uint32_t count = all_lanes ? widest + 1u : 1;
    uint32_t contact_count = 0;
    events.world->config.no_shortcuts = true;
    for (uint32_t i = 0; i < count; ++i) {
        rays[i] = start(seed, by, parallel);
        rays[i].world->config.lanes = (grz_lane_set)(widest - i);
    }
    for (uint32_t step = 0; step < STEPS; ++step) {
        kit_step(events.world, 0.25f);
        contact_count += graze_world_contacts(events.world).count;
        for (uint32_t i = 0; i < count; ++i) {
            kit_step(rays[i].world, 0.25f);
            assert_same_reports(events.world, rays[i].world, seed);
            make_changes(&rays[i], by);
        }
        make_changes(&events, by);
    }
    graze_world_destroy(events.world);
    for (uint32_t i = 0; i < count; ++i) {
        graze_world_destroy(rays[i].world);
    }
    return contact_count;
}

static const setting settings[] = {
    {false, false, false, false, 40, false}, {false, true, true, false, 40, false},
    {true, false, false, false, 16, false},  {true, true, true, false, 16, false},
    {true, true, true, false, 4, false},     {false, true, true, true, 80, false},
    {false, true, false, false, 40, false},  {true, true, false, false, 8, false},
    {true, true, false, true, 16, false},    {false, true, true, false, 40, true},
    {true, true, false, false, 8, true},
};

enum { SETTINGS = sizeof settings / sizeof *settings, SEEDS = 4 };

static void rays_found_together_do_what_events_make_of_them(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < SETTINGS; ++i) {
        for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
            assert_true(compare_with_events(seed, &settings[i], false, NULL) > 100);
        }
    }
}

static void the_order_of_the_blocks_does_not_matter(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < SETTINGS; ++i) {
        (void)compare_with_events(50 + i, &settings[i], false, kit_run_backwards);
    }
}

static void the_set_of_lanes_does_not_matter(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < SETTINGS; ++i) {
        (void)compare_with_events(70 + i, &settings[i], true, kit_run_backwards);
    }
}

// No contact but the hits of bullets: there is no list of others, and nothing is added to its null
// pointer. (Only the sanitizer would see it.)
static void blocks_whose_rays_are_all_spent_add_a_contact_for_each(void **state)
{
    (void)state;
    graze_world_def world_def = graze_world_def_default();
    world_def.parallel = kit_run_backwards;
    graze_world *world = graze_world_create(&world_def);
    assert_non_null(world);
    graze_body_def target = test_body_def();
    target.shape = graze_shape_circle(1);
    graze_body_def bullet = test_body_def();
    bullet.shape = graze_shape_ray();
    bullet.velocity.y = -5;
    bullet.response = GRAZE_STOP;
    bullet.hit_limit = 1;
    for (uint32_t i = 0; i < RAYS; ++i) {
        const float x = 10 * (float)i;
        target.position = (graze_vec2){x, 0};
        bullet.position = (graze_vec2){x, 3};
        kit_add(world, target);
        kit_add(world, bullet);
    }
    kit_step(world, 1);
    assert_int_equal(graze_world_contacts(world).count, RAYS);
    assert_int_equal(graze_world_get_stats(world).removed_count, RAYS);
    assert_int_equal(world->found.contacts.count - world->found.others_first, RAYS);
    graze_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_found_together_do_what_events_make_of_them),
        cmocka_unit_test(the_order_of_the_blocks_does_not_matter),
        cmocka_unit_test(the_set_of_lanes_does_not_matter),
        cmocka_unit_test(blocks_whose_rays_are_all_spent_add_a_contact_for_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
