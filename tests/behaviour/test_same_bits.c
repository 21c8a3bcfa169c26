#include "body_defs.h"
#include "busy_world.h"
#include "response_kit.h"

#include "golden_scenes.h"
#include "grid_state.h"
#include "world/world_state.h"

#include <string.h>

// The results of a world are a function of its state: it does not matter how the state came about,
// what was asked in between, or how the world stores it.
//
// Golden hashes (tests/golden) say the same of compilers and machines, test_snapshot of snapshots,
// test_hash of capacities and of terrain that is gone.

enum { SEEDS = 6, FRAMES = 60, SESSIONS = 6, CALLS = 500 };

/// Does something to a world that must not show. `frame` counts from 0.
typedef void meddle_fn(graze_world *world, uint32_t frame);

static void leave_alone(graze_world *world, uint32_t frame)
{
    (void)world;
    (void)frame;
}

// Makes the same calls on two worlds, and meddles with each of them before every frame.
static void assert_alike(meddle_fn *first, meddle_fn *second)
{
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        graze_world_def def = busy_def();
        graze_world *worlds[2] = {graze_world_create(&def), graze_world_create(&def)};
        meddle_fn *meddlers[2] = {first, second};
        for (uint32_t i = 0; i < 2; ++i) {
            random_state random = random_seed(seed);
            busy_fill(worlds[i], &random);
            for (uint32_t frame = 0; frame < FRAMES; ++frame) {
                meddlers[i](worlds[i], frame);
                busy_frame(worlds[i], &random);
            }
        }
        busy_assert_same(worlds[0], worlds[1], seed);
        graze_world_destroy(worlds[0]);
        graze_world_destroy(worlds[1]);
    }
}

static void assert_never_shows(meddle_fn *meddle)
{
    assert_alike(leave_alone, meddle);
}

// --- Questions and detours ---

static void ask_everything(graze_world *world, uint32_t frame)
{
    enum { CAPACITY = 8 };
    graze_query_hit hits[CAPACITY];
    graze_body_id bodies[CAPACITY];
    const graze_filter filter = graze_filter_default();
    const float x = (float)(frame % 20) - 10;
    const graze_ray ray = {{x, -9}, {3, 18}};
    const graze_aabb box = {{x, -3}, {x + 4, 3}};
    graze_query_ray(world, ray, filter, hits);
    graze_query_ray_many(world, &ray, 1, filter, hits);
    graze_query_ray_all(world, ray, filter, hits, CAPACITY);
    graze_query_point(world, ray.origin, filter, bodies, CAPACITY);
    graze_query_box(world, box, filter, bodies, CAPACITY);
    graze_query_nearest(world, ray.origin, 5, filter, bodies, CAPACITY);
    graze_query_cast(world, graze_shape_circle(1), ray.origin, 0, ray.delta, filter, hits);
    graze_world_hash(world);
    graze_world_snapshot_size(world);
    graze_world_get_stats(world);
}

static void questions_between_steps_change_nothing(void **state)
{
    (void)state;
    assert_never_shows(ask_everything);
}

static void sort_again(graze_world *world, uint32_t frame)
{
    (void)frame;
    assert_int_equal(graze_world_sort(world), GRAZE_OK);
}

static void sorting_between_steps_changes_nothing(void **state)
{
    (void)state;
    assert_never_shows(sort_again);
}

static void call_wrongly(graze_world *world, uint32_t frame)
{
    const graze_body_id nobody = {frame, 0xFFFFFF};
    const graze_vec2 nowhere = {0, 0};
    graze_body_def body = test_body_def();
    graze_chain_def chain = graze_chain_def_default();
    body.mass = -1;
    chain.count = 1;
    chain.points = &nowhere;
    assert_true(kit_is_none(graze_body_create(world, &body)));
    assert_int_equal(graze_chain_create(world, &chain).generation, 0);
    assert_int_equal(graze_body_destroy(world, nobody), GRAZE_ERROR_STALE_ID);
    assert_int_equal(graze_world_load(world, &body, sizeof body), GRAZE_ERROR_FORMAT);
    assert_int_equal(graze_world_step(world, -1), GRAZE_ERROR_ARGUMENT);
}

static void calls_that_fail_change_nothing(void **state)
{
    (void)state;
    assert_never_shows(call_wrongly);
}

static void change_what_it_is_and_back(graze_world *world, graze_body_id body, bool reshape)
{
    const graze_shape shape = graze_body_shape(world, body);
    const float mass = graze_body_mass(world, body), friction = graze_body_friction(world, body);
    const float lifetime = graze_body_lifetime(world, body);
    const bool sensor = graze_body_is_sensor(world, body);
    if (reshape) {
        graze_body_set_shape(world, body, graze_shape_ray());
        graze_body_set_shape(world, body, graze_shape_rect(3, 4));
    }
    graze_body_set_mass(world, body, 0);
    graze_body_set_friction(world, body, 1 + friction);
    graze_body_set_lifetime(world, body, 1e-6f);
    graze_body_set_sensor(world, body, !sensor);
    graze_body_set_sensor(world, body, sensor);
    graze_body_set_lifetime(world, body, lifetime);
    graze_body_set_friction(world, body, friction);
    graze_body_set_mass(world, body, mass);
    graze_body_set_shape(world, body, shape);
}

static bool touches_rigid(const graze_world *world, graze_body_id body)
{
    const graze_contact_list list = graze_body_contacts(world, body);
    bool any = false;
    for (uint32_t i = 0; i < list.count; ++i) {
        const graze_contact *contact = &list.data[i];
        const graze_body_id other = kit_is_same(contact->a, body) ? contact->b : contact->a;
        any |=
            graze_body_is_valid(world, other) && graze_body_response(world, other) == GRAZE_RIGID;
    }
    return any;
}

// Every body is moved, turned and changed, and then put back. But rigid ones would be awake then,
// and so would those that lie on what is changed; and what the solver knows of how two touch is
// lost with the shape of one.
static void take_detours(graze_world *world, bool beside_rigid)
{
    const graze_filter hermit = {0, 0, 0, -9};
    const graze_vec2 away = {1e6f, -1e6f};
    for (uint32_t index = 0; index < 200; ++index) {
        graze_body_id body = graze_world_body_at(world, index);
        if (kit_is_none(body) || graze_body_response(world, body) == GRAZE_RIGID ||
            (!beside_rigid && touches_rigid(world, body))) {
            continue;
        }
        graze_vec2 position = graze_body_position(world, body);
        graze_filter filter = graze_body_filter(world, body);
        graze_response response = graze_body_response(world, body);
        const bool turns = response == GRAZE_SLIDE || response == GRAZE_BOUNCE;
        const float angle = graze_body_angle(world, body), spin = graze_body_spin(world, body);
        graze_body_set_position(world, body, away);
        graze_body_set_filter(world, body, hermit);
        graze_body_set_response(world, body, GRAZE_BOUNCE);
        change_what_it_is_and_back(world, body, !turns);
        graze_body_set_response(world, body, response);
        graze_body_set_angle(world, body, angle);
        graze_body_set_spin(world, body, spin);
        graze_body_set_filter(world, body, filter);
        graze_body_set_position(world, body, position);
    }
}

static void take_a_detour(graze_world *world, uint32_t frame)
{
    (void)frame;
    take_detours(world, false);
}

static void keep_awake(graze_world *world, uint32_t frame)
{
    (void)frame;
    for (uint32_t index = 0; index < 200; ++index) {
        const graze_body_id body = graze_world_body_at(world, index);
        if (!kit_is_none(body) && graze_body_response(world, body) == GRAZE_RIGID) {
            graze_body_set_never_sleeps(world, body, true);
        }
    }
}

static void take_detours_awake(graze_world *world, uint32_t frame)
{
    keep_awake(world, frame);
    take_detours(world, true);
}

static void what_is_changed_and_changed_back_was_never_changed(void **state)
{
    (void)state;
    assert_never_shows(take_a_detour);
    assert_alike(keep_awake, take_detours_awake);
}

// --- How the world keeps its state ---

static double fixed_side;

static void fix_side(graze_world *world, uint32_t frame)
{
    (void)frame;
    grz_grid_fix_side(world->grid.cells, fixed_side);
}

static void the_size_of_cells_changes_nothing(void **state)
{
    (void)state;
    const double sides[] = {0.05, 0.7, 3, 1000};
    for (uint32_t i = 0; i < 4; ++i) {
        fixed_side = sides[i];
        assert_never_shows(fix_side);
    }
}

// Saved and loaded again and again, each time into a new world.
static void a_session_goes_on_from_snapshots_of_itself(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SESSIONS; ++seed) {
        tape reloaded = {.name = "reloaded"};
        tape stays = {.name = "stays", .stays = true};
        golden_session_of(&reloaded, seed, CALLS);
        golden_session_of(&stays, seed, CALLS);
        if (reloaded.hash != stays.hash || reloaded.snapshots != stays.snapshots) {
            fail_msg("seed %u", (unsigned)seed);
        }
    }
}

// --- Other ways to the same state ---

static graze_body_def passer_by(float x, float y)
{
    graze_body_def def = kit_circle(x, y, 0.4f);
    const graze_filter hermit = {0, 0, 0, 0};
    def.filter = hermit;
    return def;
}

// Bodies that meet nobody stand between the others for some steps, in one world early, in the other
// late. When both are rid of them they agree on everything, rows in another order aside.
static graze_world *run_with_passers_by(uint64_t seed, uint32_t first_step, uint32_t last_step)
{
    enum { PASSERS_BY = 20, STEPS = 30 };
    graze_world_def def = busy_def();
    graze_world *world = graze_world_create(&def);
    random_state random = random_seed(seed);
    busy_fill(world, &random);
    graze_body_id passers[PASSERS_BY];
    for (uint32_t i = 0; i < PASSERS_BY; ++i) {
        passers[i] = kit_add(world, passer_by((float)i - 10, (float)(i % 3)));
    }
    for (uint32_t step = 0; step <= STEPS; ++step) {
        for (uint32_t i = 0; i < PASSERS_BY && step >= first_step; ++i) {
            if (step == first_step + i % (last_step - first_step + 1)) {
                graze_body_destroy(world, passers[(i * 7) % PASSERS_BY]);
            }
        }
        kit_step(world, 1.0f / 60);
    }
    return world;
}

static void it_does_not_matter_when_and_in_which_order_others_went(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        graze_world *early = run_with_passers_by(seed, 0, 0);
        graze_world *late = run_with_passers_by(seed, 3, 20);
        busy_assert_same(early, late, seed);
        for (uint32_t step = 0; step < 40; ++step) {
            kit_step(early, 1.0f / 60);
            kit_step(late, 1.0f / 60);
        }
        busy_assert_same(early, late, seed);
        graze_world_destroy(early);
        graze_world_destroy(late);
    }
}

// Three circles that lie on each other and fall on the floor; one of them comes to the end of a
// pillar, too, but later in the step. Cells list the floor before the pillar, or after it.
static graze_world *make_floor_and_pillar(bool floor_comes_last)
{
    graze_world *world = kit_world_with_gravity(0, -10);
    const graze_chain_id place = kit_wall(world, 0, 50, 1, 50);
    if (!floor_comes_last) {
        graze_chain_destroy(world, place);
        kit_wall(world, -6, 0, 6, 0);
    }
    kit_wall(world, -0.662f, 0.645f, 4, -2);
    if (floor_comes_last) {
        graze_chain_destroy(world, place);
        kit_wall(world, -6, 0, 6, 0);
    }
    for (int i = 0; i < 3; ++i) {
        graze_body_def def = kit_circle(-1.6f - 2.001f * (float)i, 1.0005f, 1);
        def.response = GRAZE_SLIDE;
        def.velocity.x = 0.3f;
        kit_add(world, def);
    }
    return world;
}

static void the_order_in_which_cells_list_walls_does_not_matter(void **state)
{
    (void)state;
    graze_world *first = make_floor_and_pillar(false);
    graze_world *last = make_floor_and_pillar(true);
    busy_assert_same(first, last, 0);
    for (int step = 0; step < 60; ++step) {
        kit_step(first, 1.0f / 60);
        kit_step(last, 1.0f / 60);
        busy_assert_same(first, last, (uint64_t)step);
    }
    graze_world_destroy(first);
    graze_world_destroy(last);
}

// --- The order of creation ---
//
// Ids are given in the order of creation, and of two touches at the same time the one with the
// smaller id happens first: so the order among bodies that meet does matter. The order among groups
// that never meet does not: each body moves in the same way to the last bit, under another id.

enum { GROUPS = 5, MEMBERS = 24, CROWD = GROUPS * MEMBERS };

/// What there is to know of a body, found by its user_data.
typedef struct course {
    bool is_there;
    graze_vec2 position, velocity;
    float angle;
} course;

static graze_body_def member_of(uint32_t group, uint32_t number, bool passes)
{
    const graze_response responses[] = {GRAZE_STOP, GRAZE_SLIDE, GRAZE_BOUNCE, GRAZE_PASS};
    random_state random = random_seed(100 * group + number);
    float x = random_float(&random, -3, 3);
    float y = random_float(&random, -3, 3);
    float size = random_float(&random, 0.1f, 0.8f);
    graze_body_def def = number % 2 ? kit_rect(x, y, size, 0.3f) : kit_circle(x, y, size);
    def.shape = number % 5 == 4 ? graze_shape_ray() : def.shape;
    def.position.x += 300 * (float)group;
    def.velocity.x = random_float(&random, -6, 6);
    def.velocity.y = random_float(&random, -6, 6);
    def.spin = random_float(&random, -3, 3);
    def.response = passes ? GRAZE_PASS : responses[number % 4];
    def.restitution = 0.6f;
    def.hit_limit = number % 5 == 4 ? 3 : 0;
    def.user_data = group * MEMBERS + number;
    return def;
}

static void add_room(graze_world *world, uint32_t group)
{
    const float x = 300 * (float)group;
    const graze_vec2 corners[] = {{x - 4, -4}, {x + 4, -4}, {x + 5, 4}, {x - 4, 4}};
    kit_loop(world, corners, 4);
}

// `order` says which of all the bodies is created first, second and so on.
static void run_crowd(const uint32_t order[CROWD], bool passes, course courses[CROWD])
{
    graze_world *world = kit_world();
    memset(courses, 0, CROWD * sizeof *courses);
    for (uint32_t group = 0; group < GROUPS; ++group) {
        add_room(world, group);
    }
    for (uint32_t i = 0; i < CROWD; ++i) {
        kit_add(world, member_of(order[i] / MEMBERS, order[i] % MEMBERS, passes));
    }
    for (uint32_t step = 0; step < 90; ++step) {
        kit_step(world, 1.0f / 60);
    }
    for (uint32_t index = 0; index < CROWD; ++index) {
        graze_body_id body = graze_world_body_at(world, index);
        if (!kit_is_none(body)) {
            course found = {true, graze_body_position(world, body),
                            graze_body_velocity(world, body), graze_body_angle(world, body)};
            courses[graze_body_user_data(world, body)] = found;
        }
    }
    graze_world_destroy(world);
}

static bool is_same_course(const course *first, const course *second)
{
    return first->is_there == second->is_there &&
           memcmp(&first->position, &second->position, sizeof first->position) == 0 &&
           memcmp(&first->velocity, &second->velocity, sizeof first->velocity) == 0 &&
           memcmp(&first->angle, &second->angle, sizeof first->angle) == 0;
}

static void assert_same_courses(const uint32_t order[CROWD], bool passes)
{
    uint32_t plain[CROWD];
    course expected[CROWD], found[CROWD];
    for (uint32_t i = 0; i < CROWD; ++i) {
        plain[i] = i;
    }
    run_crowd(plain, passes, expected);
    run_crowd(order, passes, found);
    for (uint32_t i = 0; i < CROWD; ++i) {
        if (!is_same_course(&expected[i], &found[i])) {
            fail_msg("body %u of group %u", (unsigned)(i % MEMBERS), (unsigned)(i / MEMBERS));
        }
    }
}

static void the_order_among_groups_that_never_meet_does_not_matter(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        random_state random = random_seed(seed);
        uint32_t next[GROUPS] = {0};
        uint32_t order[CROWD];
        for (uint32_t i = 0; i < CROWD; ++i) {
            uint32_t group = random_below(&random, GROUPS);
            while (next[group] == MEMBERS) {
                group = (group + 1) % GROUPS;
            }
            order[i] = group * MEMBERS + next[group]++;
        }
        assert_same_courses(order, false);
    }
}

static void the_order_of_bodies_that_pass_does_not_matter(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        random_state random = random_seed(seed);
        uint32_t order[CROWD];
        for (uint32_t i = 0; i < CROWD; ++i) {
            uint32_t place = random_below(&random, i + 1);
            order[i] = order[place];
            order[place] = i;
        }
        assert_same_courses(order, true);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(questions_between_steps_change_nothing),
        cmocka_unit_test(sorting_between_steps_changes_nothing),
        cmocka_unit_test(calls_that_fail_change_nothing),
        cmocka_unit_test(what_is_changed_and_changed_back_was_never_changed),
        cmocka_unit_test(the_size_of_cells_changes_nothing),
        cmocka_unit_test(a_session_goes_on_from_snapshots_of_itself),
        cmocka_unit_test(it_does_not_matter_when_and_in_which_order_others_went),
        cmocka_unit_test(the_order_in_which_cells_list_walls_does_not_matter),
        cmocka_unit_test(the_order_among_groups_that_never_meet_does_not_matter),
        cmocka_unit_test(the_order_of_bodies_that_pass_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
