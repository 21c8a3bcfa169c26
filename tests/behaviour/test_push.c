// Bodies that overlap, and bodies that are pushed against walls.

#include "response_kit.h"

#include <math.h>

// By inverse masses, and all but a tenth of it within half a second. Nothing is thrown out: they
// part without a speed.
static void overlaps_shrink_and_are_shared(void **state)
{
    (void)state;
    const struct {
        float mass_a, mass_b, share_a, tolerance;
        double most; // So slowly do they part then that they fall asleep.
    } table[] = {{1, 1, 0.5f, 1e-4f, 0.007},
                 {1, 3, 0.75f, 0.022f, 0.0085},
                 {0, 1, 0, 1e-4f, 0.013},
                 {2, 0, 1, 1e-4f, 0.013}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; ++i) {
        graze_world *world = kit_world();
        graze_body_id a = kit_add(
            world, kit_moving_mass(kit_circle(0, 0, 0.5f), 0, 0, GRAZE_SLIDE, table[i].mass_a));
        graze_body_id b = kit_add(world, kit_moving_mass(kit_rect(0.6f, 0, 0.5f, 0.5f), 0, 0,
                                                         GRAZE_BOUNCE, table[i].mass_b));
        double before = 0.4;
        for (int step = 0; step < 40; ++step) {
            kit_step(world, 1.0f / 60);
            const graze_vec2 at_a = graze_body_position(world, a);
            const graze_vec2 at_b = graze_body_position(world, b);
            const double overlap = 1 - (double)(at_b.x - at_a.x);
            assert_true(overlap < before || overlap < table[i].most);
            assert_true(overlap < fmax(0.4 - 0.0165 * (step + 1), 0.05));
            kit_assert_near_vec2(at_a, -(float)(0.4 - overlap) * table[i].share_a, 0,
                                 table[i].tolerance);
            kit_assert_velocity(world, a, 0, 0);
            before = overlap;
        }
        assert_true(before < table[i].most);
        graze_world_destroy(world);
    }
}

static double sum_of_depths(const graze_world *world)
{
    graze_contact_list contacts = graze_world_contacts(world);
    double sum = 0;
    for (uint32_t i = 0; i < contacts.count; ++i) {
        sum += (double)contacts.data[i].depth;
    }
    return sum;
}

// Also if they bounce, and rounding lets them part by less than floats tell apart.
static void what_bounces_leaves_an_overlap_too(void **state)
{
    (void)state;
    random_state random = random_seed(5);
    for (int k = 0; k < 400; ++k) {
        graze_world *world = kit_world();
        const graze_response response = (graze_response)(GRAZE_SLIDE + k % 3);
        graze_body_id bodies[2];
        for (int i = 0; i < 2; ++i) {
            const float x = random_float(&random, -0.25f, 0.25f);
            const float y = random_float(&random, -0.25f, 0.25f);
            const bool rect = random_below(&random, 2);
            graze_body_def def = rect ? kit_rect(x, y, 0.5f, 0.5f) : kit_circle(x, y, 0.5f);
            def = kit_moving_mass(def, 0, 0, i ? GRAZE_RIGID : response,
                                  random_float(&random, 0.1f, 10));
            def.restitution = random_float(&random, 0.1f, 1);
            bodies[i] = kit_add(world, def);
        }
        for (int step = 0; step < 90; ++step) {
            kit_step(world, 1.0f / 60);
        }
        const graze_contact *contact = kit_find_contact(world, bodies[0], bodies[1]);
        if (contact && contact->depth > 0.05f) {
            fail_msg("%d: still %g deep", k, (double)contact->depth);
        }
        graze_world_destroy(world);
    }
}

/// How one rigid rect overlaps another.
typedef struct overlap_case {
    float half_x, half_y, mass; ///< Of both, and of the other.
    graze_response response;    ///< Of the other.
    float gravity;
} overlap_case;

// Odd runs are the mirror images of those before.
static double depth_after(const overlap_case *of, int run, int steps)
{
    random_state random = random_seed((uint64_t)(run / 2));
    const float side = run % 2 ? -1 : 1;
    graze_world *world = kit_world_with_gravity(0, of->gravity);
    graze_body_id ids[2];
    for (int i = 0; i < 2; ++i) {
        const float x = i ? side * random_float(&random, -0.5f, 0.5f) : 0;
        const float y = i ? random_float(&random, -0.4f, 0.4f) : 0;
        graze_body_def def = kit_rect(x, y, of->half_x, of->half_y);
        def.friction = 0.6f;
        def.angle = side * random_float(&random, -3, 3);
        ids[i] = kit_add(
            world, kit_moving_mass(def, 0, 0, i ? of->response : GRAZE_RIGID, i ? of->mass : 1));
    }
    for (int step = 0; step < steps; ++step) {
        kit_step(world, 1.0f / 60);
    }
    const graze_contact *contact = kit_find_contact(world, ids[0], ids[1]);
    const double depth = contact ? (double)contact->depth : 0;
    graze_world_destroy(world);
    return depth;
}

// The solver pushes it out, and gives it next to no speed: it must not fall asleep on its way.
static void what_overlaps_does_not_sleep_before_it_has_left(void **state)
{
    (void)state;
    const overlap_case cases[] = {
        {0.5f, 0.4f, 0, GRAZE_RIGID, 0},   {0.5f, 0.4f, 0, GRAZE_PASS, 0},
        {0.5f, 0.4f, 0, GRAZE_STOP, 0},    {0.5f, 0.5f, 0, GRAZE_RIGID, 0},
        {0.5f, 0.4f, 0, GRAZE_RIGID, -10}, {1, 0.1f, 0, GRAZE_RIGID, 0},
        {1, 0.1f, 0.4f, GRAZE_RIGID, 0},   {1, 0.1f, 3, GRAZE_RIGID, 0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        for (int run = 0; run < 200; ++run) {
            const double depth = depth_after(&cases[k], run, 480);
            if (!(depth < 0.04 * (double)cases[k].half_y)) {
                fail_msg("case %d, run %d: still %g deep", (int)k, run, depth);
            }
        }
    }
}

static void a_pile_at_one_place_spreads_out(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_id bodies[30];
    for (int i = 0; i < 30; ++i) {
        float x = 0.01f * (float)(i % 6);
        float y = 0.01f * (float)(i / 6);
        bodies[i] = kit_add(world, kit_moving_mass(kit_circle(x, y, 0.5f), 0, 0, GRAZE_SLIDE, 1));
    }
    kit_step(world, 1.0f / 60);
    double before = sum_of_depths(world);
    for (int step = 0; step < 600; ++step) {
        kit_step(world, 1.0f / 60);
    }
    assert_true(before > 400 && sum_of_depths(world) < 0.001 * before);
    for (int i = 0; i < 30; ++i) { // Twice as fast as the solver parts two, at most.
        assert_true(kit_speed(world, bodies[i]) < 2 * 6 * 0.5);
    }
    graze_world_destroy(world);
}

// Returns the depth of the deepest contact of the last step.
static double deepest_contact(const graze_world *world)
{
    graze_contact_list contacts = graze_world_contacts(world);
    double deepest = 0;
    for (uint32_t i = 0; i < contacts.count; ++i) {
        deepest = fmax(deepest, (double)contacts.data[i].depth);
    }
    return deepest;
}

static graze_world *make_pit(float half_width)
{
    graze_world *world = kit_world_with_gravity(0, -10);
    const graze_vec2 pit[] = {
        {-half_width, 40}, {-half_width, 0}, {half_width, 0}, {half_width, 40}};
    kit_chain(world, pit, 4, false, false);
    return world;
}

static graze_body_id add_to_pit(graze_world *world, bool is_rect, float x, float y)
{
    const graze_body_def def = is_rect ? kit_rect(x, y, 0.5f, 0.5f) : kit_circle(x, y, 0.5f);
    graze_body_def rough = kit_moving(def, 0, 0, GRAZE_SLIDE);
    rough.friction = 0.5f;
    return kit_add(world, rough);
}

static float highest_in_pit(const graze_world *world, const graze_body_id *bodies, int count)
{
    float highest = 0;
    for (int i = 0; i < count; ++i) {
        highest = fmaxf(highest, graze_body_position(world, bodies[i]).y);
    }
    return highest;
}

// Those in the middle of a row are pushed from both sides. None may be pushed into the next, even
// if all are at one place, nor upwards, as there is room.
static void a_row_that_overlaps_parts(void **state)
{
    (void)state;
    enum { MOST = 12 };
    const struct {
        int count;
        float spacing, half_width;
        double most_rise, most_left; // In a step, and in the end.
    } table[] = {{6, 0.6f, 6, 1e-5, 4.5e-4}, {4, 0.6f, 2, 0.0085, 0.0018},
                 {4, 0, 2, 1e-5, 0.0022},    {4, 0, 5, 1e-5, 0.0022},
                 {MOST, 0, 8, 1e-5, 0.0022}, {MOST, 0.3f, 8, 0.003, 0.0025}};
    for (size_t k = 0; k < 2 * (sizeof table / sizeof table[0]); ++k) {
        const size_t row = k / 2;
        graze_world *world = make_pit(table[row].half_width);
        graze_body_id bodies[MOST];
        for (int i = 0; i < table[row].count; ++i) {
            const float x = 0.5f - table[row].half_width + table[row].spacing * (float)i;
            bodies[i] = add_to_pit(world, k % 2, x, 0.5f);
        }
        double before = 1;
        for (int step = 0; step < 3600; ++step) {
            kit_step(world, 1.0f / 60);
            const double deepest = deepest_contact(world);
            if (deepest > before + table[row].most_rise) {
                fail_msg("row %d, step %d: %g deep, before %g", (int)k, step, deepest, before);
            }
            before = deepest;
        }
        const float high = highest_in_pit(world, bodies, table[row].count);
        if (before > table[row].most_left || high > 0.501f) {
            fail_msg("row %d: %g deep, %g high", (int)k, before, (double)high);
        }
        graze_world_destroy(world);
    }
}

// In a row that reaches from wall to wall there is no room: each overlaps its neighbours as far as
// the next, and none is thrown out.
static void a_row_that_has_no_room_shares_the_overlap(void **state)
{
    (void)state;
    enum { MOST = 20 };
    const struct {
        int count;
        float half_width;
    } table[] = {{2, 0.6f},  {2, 0.95f}, {3, 1},     {6, 2},      {8, 2.65f},
                 {13, 6.2f}, {14, 5.6f}, {16, 7.2f}, {MOST, 6.3f}};
    for (size_t k = 0; k < 2 * (sizeof table / sizeof table[0]); ++k) {
        const int count = table[k / 2].count;
        const float half_width = table[k / 2].half_width;
        graze_world *world = make_pit(half_width);
        graze_body_id bodies[MOST];
        for (int i = 0; i < count; ++i) {
            const float share = (float)i / (float)(count - 1);
            bodies[i] = add_to_pit(world, k % 2, (2 * half_width - 1) * (share - 0.5f), 0.5f);
        }
        for (int step = 0; step < 1200; ++step) {
            kit_step(world, 1.0f / 60);
        }
        const double even = (count - 2 * (double)half_width) / (count - 1);
        const float high = highest_in_pit(world, bodies, count);
        if (deepest_contact(world) > 1.02 * even || high > 0.501f) {
            fail_msg("row %d: %g deep, not %g, %g high", (int)k, deepest_contact(world), even,
                     (double)high);
        }
        graze_world_destroy(world);
    }
}

// Crates with friction on a slope of 45 degrees, and a wall that comes up it. Returns the wall.
static graze_body_id make_jam(graze_world *world, int count, uint64_t seed, graze_body_id *crates)
{
    random_state random = random_seed(seed);
    graze_body_def wall = kit_moving_mass(kit_rect(-3, -3, 0.4f, 30), 3, 0, GRAZE_PASS, 0);
    wall.filter.category = 2;
    wall.filter.mask = 4;
    kit_wall(world, -200, -200, 200, 200);
    for (int i = 0; i < count; ++i) {
        const float size = random_float(&random, 0.3f, 0.5f);
        const float x = 1.05f * (float)(i % 10), above = 1.05f * (float)(i / 10);
        const graze_body_def def = kit_rect(x, x + 0.8f + above, size, size);
        graze_body_def crate = kit_moving(def, 0, 0, GRAZE_SLIDE);
        crate.friction = 0.5f;
        crate.filter.category = 5;
        crates[i] = kit_add(world, crate);
    }
    return kit_add(world, wall);
}

// They wedge each other, and come free again. What they bear of each other must not grow meanwhile:
// it would throw them out with hundreds of times the speed of the wall.
static void a_wall_throws_no_crates_out_of_a_jam(void **state)
{
    (void)state;
    enum { MOST = 20, STEPS = 480, RUNS = 12 };
    for (int run = 0; run < RUNS; ++run) {
        const int count = run % 3 == 0 ? 10 : run % 3 == 1 ? 12 : MOST;
        graze_world *world = kit_world_with_gravity(0, -30);
        graze_body_id crates[MOST];
        const graze_body_id wall = make_jam(world, count, (uint64_t)run, crates);
        for (int step = 0; step < STEPS; ++step) {
            graze_body_set_velocity(world, wall, (graze_vec2){3, 0});
            kit_step(world, 1.0f / 60);
            for (int i = 0; i < count; ++i) {
                if (kit_speed(world, crates[i]) > 5 * 3) {
                    fail_msg("run %d, step %d: crate %d goes at %g", run, step, i,
                             kit_speed(world, crates[i]));
                }
            }
        }
        graze_world_destroy(world);
    }
}

// A press leaves them half of the room that they need, and then goes up again.
static void what_was_pressed_together_parts(void **state)
{
    (void)state;
    enum { COLUMNS = 6, ROWS = 10, DOWN = 255, WAIT = 60, AFTER = 1800 };
    for (int kind = 0; kind < 2; ++kind) {
        graze_world *world = make_pit(8);
        for (int i = 0; i < COLUMNS * ROWS; ++i) {
            const float x = 1.2f * (float)(i / ROWS) - 0.6f * COLUMNS;
            add_to_pit(world, kind, x, 0.5f + (float)(i % ROWS));
        }
        const graze_body_id press =
            kit_add(world, kit_moving_mass(kit_rect(0, 12, 7.9f, 0.5f), 0, -2, GRAZE_PASS, 0));
        for (int step = 0; step < DOWN + WAIT + DOWN + AFTER; ++step) {
            const float speed = step < DOWN ? -2 : step < DOWN + WAIT ? 0 : 2;
            graze_body_set_velocity(world, press, (graze_vec2){0, speed});
            kit_step(world, 1.0f / 60);
        }
        const double mean = sum_of_depths(world) / graze_world_contacts(world).count;
        if (deepest_contact(world) > 0.0035 || mean > 0.0016) {
            fail_msg("kind %d: %g deep, in the mean %g", kind, deepest_contact(world), mean);
        }
        graze_world_destroy(world);
    }
}

static void a_stack_rests_on_the_floor_without_a_trace_of_speed(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; ++kind) {
        graze_world *world = kit_world_with_gravity(0, -10);
        kit_wall(world, -100, 0, 100, 0);
        graze_body_id stack[20];
        for (int i = 0; i < 20; ++i) {
            float y = 0.5f + 1.05f * (float)i;
            graze_body_def def = kind ? kit_rect(0, y, 0.5f, 0.5f) : kit_circle(0, y, 0.5f);
            stack[i] = kit_add(world, kit_moving_mass(def, 0, 0, GRAZE_SLIDE, 1));
        }
        for (int step = 0; step < 300; ++step) {
            kit_step(world, 1.0f / 60);
        }
        const float most = 6.3e-4f; // How deep one rests in another, for each that it bears.
        float sunk = 0;
        for (int i = 0; i < 20; ++i) {
            sunk += i ? most * (float)(20 - i) : 0;
            kit_assert_near_vec2(graze_body_position(world, stack[i]), 0,
                                 0.5f + (float)i - sunk / 2, sunk / 2 + 1e-4f);
            kit_assert_velocity(world, stack[i], 0, 0);
        }
        kit_assert_held(world, stack[19], NULL, 100, "stack");
        graze_world_destroy(world);
    }
}

// --- Walls and pushes ---

static bool is_in_square(const graze_world *world, graze_body_id body, float low, float high)
{
    graze_vec2 at = graze_body_position(world, body);
    return at.x >= low && at.x <= high && at.y >= low && at.y <= high;
}

static void a_crowd_pushed_into_a_corner_stays_inside(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 2; ++seed) {
        random_state random = random_seed(seed);
        graze_world *world = kit_world();
        kit_square(world, -10, 10);
        graze_body_id crowd[80];
        for (int i = 0; i < 80; ++i) {
            float x = random_float(&random, -9, 9);
            float y = random_float(&random, -9, 9);
            float size = random_float(&random, 0.2f, 1);
            graze_body_def def = i % 4 ? kit_circle(x, y, size) : kit_rect(x, y, size, 0.5f);
            crowd[i] = kit_add(
                world, kit_moving_mass(def, 0, 0, i % 7 ? GRAZE_SLIDE : GRAZE_BOUNCE, size));
        }
        for (int step = 0; step < 120; ++step) {
            for (int i = 0; i < 80; ++i) {
                const graze_vec2 push = {30, 20};
                graze_body_set_velocity(world, crowd[i], push);
            }
            kit_step(world, 1.0f / 60);
            for (int i = 0; i < 80; ++i) {
                if (!is_in_square(world, crowd[i], -10, 10)) {
                    fail_msg("seed %u step %d body %d is out", (unsigned)seed, step, i);
                }
            }
        }
        graze_world_destroy(world);
    }
}

static void a_piston_does_not_press_a_body_through_a_wall(void **state)
{
    (void)state;
    for (int response = GRAZE_STOP; response <= GRAZE_BOUNCE; ++response) {
        graze_world *world = kit_world();
        kit_wall(world, 5, -10, 5, 10);
        kit_add(world, kit_moving(kit_rect(-3, 0, 1, 4), 5, 0, GRAZE_PASS));
        graze_body_id circle = kit_add(
            world, kit_moving_mass(kit_circle(2, 1, 0.5f), 1, 0, (graze_response)response, 1));
        graze_body_id rect = kit_add(
            world, kit_moving_mass(kit_rect(2, -1, 0.5f, 0.5f), 1, 0, (graze_response)response, 1));
        for (int step = 0; step < 240; ++step) {
            kit_step(world, 1.0f / 60);
            assert_true(graze_body_position(world, circle).x <= 5);
            assert_true(graze_body_position(world, rect).x <= 5);
        }
        graze_world_destroy(world);
    }
}

// A push out of a deep overlap may lead farther than a body could go by itself: from a place
// without walls to the floor.
static void a_long_push_leads_into_no_wall(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; ++kind) {
        for (int start = 0; start < 20; ++start) {
            graze_world *world = kit_world();
            kit_wall(world, -100, 0, 100, 0);
            kit_add(world, kit_moving_mass(kit_rect(0, 9.7f, 20, 10), 0, 0, GRAZE_PASS, 0));
            const float y = 0.5f + 0.03f * (float)start;
            const graze_body_def def = kind ? kit_rect(0, y, 0.5f, 0.5f) : kit_circle(0, y, 0.5f);
            const graze_body_id body = kit_add(world, kit_moving_mass(def, 0, 0, GRAZE_SLIDE, 1));
            for (int step = 0; step < 3; ++step) {
                kit_step(world, 1.0f / 60);
                assert_true((double)graze_body_position(world, body).y > 0.5 - 1e-5);
            }
            graze_world_destroy(world);
        }
    }
}

static double deepest_in_walls(const graze_world *world)
{
    graze_contact_list contacts = graze_world_contacts(world);
    double deepest = 0;
    for (uint32_t i = 0; i < contacts.count; ++i) {
        if (contacts.data[i].segment.chain.generation) {
            deepest = fmax(deepest, (double)contacts.data[i].depth);
        }
    }
    return deepest;
}

/// A wedge that is open at the top, and how high in it a body of half size 0.5 touches both sides.
typedef struct wedge {
    graze_vec2 points[3];
    float height;
} wedge;

static wedge make_wedge(double lean, bool is_rect)
{
    const double half = lean * 3.14159265 / 180;
    const float x = (float)(20 * tan(half));
    const double height = is_rect ? 0.5 + 0.5 / tan(half) : 0.5 / sin(half);
    const wedge made = {{{-x, 20}, {0, 0}, {x, 20}}, (float)height};
    return made;
}

// A lift that comes down on it.
static void a_wedge_keeps_out_what_is_pressed_into_it(void **state)
{
    (void)state;
    for (int k = 0; k < 4; ++k) {
        for (int lean = 5; lean <= 85; lean += 5) {
            const wedge sides = make_wedge(lean, k % 2);
            const float y = sides.height + 0.05f;
            graze_world *world = kit_world_with_gravity(0, -10);
            kit_chain(world, sides.points, 3, false, false);
            const graze_body_def def = k % 2 ? kit_rect(0, y, 0.5f, 0.5f) : kit_circle(0, y, 0.5f);
            const graze_response response = k < 2 ? GRAZE_SLIDE : GRAZE_BOUNCE;
            const graze_body_id body = kit_add(world, kit_moving_mass(def, 0, 0, response, 1));
            const graze_body_id lift = kit_add(
                world, kit_moving_mass(kit_rect(0, y + 1.2f, 0.1f, 0.5f), 0, -1, GRAZE_PASS, 0));
            for (int step = 0; step < 200; ++step) {
                if (step == 40) {
                    graze_body_set_velocity(world, lift, (graze_vec2){0, 0});
                }
                kit_step(world, 1.0f / 60);
                const graze_vec2 at = graze_body_position(world, body);
                if (deepest_in_walls(world) > 1e-5 || at.y < sides.height - 1e-3f) {
                    fail_msg("lean %d, kind %d, step %d: %g deep, at (%g, %g)", lean, k, step,
                             deepest_in_walls(world), (double)at.x, (double)at.y);
                }
            }
            graze_world_destroy(world);
        }
    }
}

static void what_is_made_in_a_wedge_leaves_both_sides_at_once(void **state)
{
    (void)state;
    for (int k = 0; k < 8; ++k) {
        for (int lean = 10; lean <= 85; lean += 5) {
            const wedge sides = make_wedge(lean, k % 2);
            const float x = k & 2 ? 0.05f : 0;
            const float y = sides.height - (k & 4 ? 0.3f : 0.01f);
            graze_world *world = kit_world();
            kit_chain(world, sides.points, 3, false, false);
            const graze_body_def def = k % 2 ? kit_rect(x, y, 0.5f, 0.5f) : kit_circle(x, y, 0.5f);
            kit_add(world, kit_moving_mass(def, 0, 0, GRAZE_SLIDE, 1));
            kit_step(world, 1.0f / 60);
            assert_true(deepest_in_walls(world) > 1e-3);
            kit_step(world, 1.0f / 60);
            if (deepest_in_walls(world) > 1e-4) {
                fail_msg("lean %d, kind %d: %g deep", lean, k, deepest_in_walls(world));
            }
            graze_world_destroy(world);
        }
    }
}

// Pushed out of one wall, the body would be pushed out of the other in the next step.
static void what_walls_leave_no_room_stays_where_it_is(void **state)
{
    (void)state;
    for (int k = 0; k < 8; ++k) {
        for (int start = -4; start <= 4; ++start) {
            const float x = 0.01f * (float)start;
            graze_world *world = kit_world_with_gravity(0, k & 4 ? -10 : 0);
            const graze_vec2 shaft[] = {{-0.45f, 40}, {-0.45f, 0}, {0.45f, 0}, {0.45f, 40}};
            kit_chain(world, shaft, 4, false, false);
            const graze_body_def def =
                k % 2 ? kit_rect(x, 0.5f, 0.5f, 0.5f) : kit_circle(x, 0.5f, 0.5f);
            const graze_response response = k & 2 ? GRAZE_SLIDE : GRAZE_BOUNCE;
            const graze_body_id body = kit_add(world, kit_moving_mass(def, 3, 0, response, 1));
            for (int step = 0; step < 60; ++step) {
                kit_step(world, 1.0f / 60);
                const graze_vec2 at = graze_body_position(world, body);
                if (at.x != x || fabsf(at.y - 0.5f) > 1e-4f) {
                    fail_msg("kind %d, step %d: from (%g, 0.5) to (%g, %g)", k, step, (double)x,
                             (double)at.x, (double)at.y);
                }
            }
            assert_true(kit_speed(world, body) < 1e-4);
            graze_world_destroy(world);
        }
    }
}

static void terrain_made_on_top_of_bodies_pushes_them_off_and_lets_none_through(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_id above =
        kit_add(world, kit_moving_mass(kit_circle(0, 0.2f, 0.5f), 0, 0, GRAZE_SLIDE, 1));
    graze_body_id below =
        kit_add(world, kit_moving_mass(kit_rect(5, -0.2f, 0.5f, 0.5f), 0, 0, GRAZE_BOUNCE, 1));
    graze_body_id stays = kit_add(world, kit_circle(-5, 0.2f, 0.5f));
    graze_chain_id wall = kit_wall(world, -100, 0, 100, 0);
    kit_step(world, 1.0f / 60);
    const graze_contact *contact = kit_find_wall_contact(world, above, wall);
    assert_non_null(contact);
    kit_assert_near(contact->depth, 0.3f, 1e-6f);
    for (int step = 0; step < 60; ++step) {
        kit_step(world, 1.0f / 60);
    }
    kit_assert_near_vec2(graze_body_position(world, above), 0, 0.5f, 1e-4f);
    kit_assert_near_vec2(graze_body_position(world, below), 5, -0.5f, 1e-4f);
    kit_assert_near_vec2(graze_body_position(world, stays), -5, 0.2f, 0);
    graze_world_destroy(world);
}

// They fall into a shaft so narrow that they jam in it: gravity must not add to their speed.
static void what_jams_gathers_no_speed(void **state)
{
    (void)state;
    enum { BODIES = 30 };
    for (uint64_t seed = 1; seed <= 6; ++seed) {
        random_state random = random_seed(seed);
        graze_world *world = kit_world_with_gravity(0, -10);
        const graze_vec2 shaft[] = {{-0.8f, 0}, {0.8f, 0}, {0.8f, 40}, {-0.8f, 40}};
        kit_loop(world, shaft, 4);
        graze_body_id bodies[BODIES];
        double energy = 0; // Kinetic and potential, of masses of 1.
        for (uint32_t i = 0; i < BODIES; ++i) {
            const float radius = random_float(&random, 0.2f, 0.5f);
            graze_body_def def =
                kit_circle(random_float(&random, -0.2f, 0.2f), 1 + (float)i, radius);
            bodies[i] =
                kit_add(world, kit_moving(def, 0, 0, seed % 2 ? GRAZE_SLIDE : GRAZE_BOUNCE));
            energy += 10 * (double)def.position.y;
        }
        for (int step = 0; step < 1500; ++step) {
            kit_step(world, 1.0f / 60);
        }
        double after = 0;
        for (uint32_t i = 0; i < BODIES; ++i) {
            const double speed = kit_speed(world, bodies[i]);
            after += 10 * (double)graze_body_position(world, bodies[i]).y + speed * speed / 2;
        }
        if (after > energy) {
            fail_msg("seed %d: energy %g to %g", (int)seed, energy, after);
        }
        graze_world_destroy(world);
    }
}

// A few bodies fall among slanted walls, where they wedge each other. Gravity takes the speed that
// they still have then within a second or two.
static void what_stands_among_slanted_walls_gathers_no_speed(void **state)
{
    (void)state;
    enum { MOST = 5, STEPS = 400, STANDS = 100 };
    for (uint64_t seed = 1; seed <= 300; ++seed) {
        random_state random = random_seed(seed);
        graze_world *world = kit_world_with_gravity(0, -10);
        const graze_vec2 box[4] = {{-2, 30}, {-2, 0}, {2, 0}, {2, 30}};
        kit_chain(world, box, 4, false, false);
        for (int i = 0; i < 2; ++i) {
            const float x = random_float(&random, -2, 2);
            const float y = random_float(&random, 0.3f, 3);
            const float to_x = x + random_float(&random, -2, 2);
            kit_wall(world, x, y, to_x, y + random_float(&random, -2, 2));
        }
        graze_body_id bodies[MOST];
        for (int i = 0; i < MOST; ++i) {
            const float x = random_float(&random, -1.2f, 1.2f);
            const float size = random_float(&random, 0.2f, 0.6f);
            graze_body_def def = kit_circle(x, 4 + 1.4f * (float)i, size);
            if (random_below(&random, 2)) {
                def.shape = graze_shape_rect(size, random_float(&random, 0.2f, 0.6f));
                def.angle = random_float(&random, -3, 3);
            }
            def.response = seed % 2 ? GRAZE_SLIDE : GRAZE_BOUNCE;
            bodies[i] = kit_add(world, def);
        }
        int stood[MOST] = {0};
        for (int step = 0; step < STEPS; ++step) {
            graze_vec2 before[MOST];
            for (int i = 0; i < MOST; ++i) {
                before[i] = graze_body_position(world, bodies[i]);
            }
            kit_step(world, 1.0f / 60);
            for (int i = 0; i < MOST; ++i) {
                const graze_vec2 after = graze_body_position(world, bodies[i]);
                const bool stands = after.x == before[i].x && after.y == before[i].y;
                const bool stands_fast = stands && kit_speed(world, bodies[i]) > 20.0 / 60;
                stood[i] = stands_fast ? stood[i] + 1 : 0;
                if (stood[i] == STANDS) {
                    fail_msg("seed %llu, step %d: body %d stands at a speed of %g",
                             (unsigned long long)seed, step, i, kit_speed(world, bodies[i]));
                }
            }
        }
        graze_world_destroy(world);
    }
}

// The bodies on the lowest crate press on it in each step. None may push it into the floor.
static void a_column_that_chatters_does_not_sink_into_the_floor(void **state)
{
    (void)state;
    graze_world *world = kit_world_with_gravity(0, -10);
    kit_wall(world, -12, 0, 12, 0);
    const float masses[] = {8, 16, 16, 1, 16};
    graze_body_id lowest = {0, 0};
    for (int i = 0; i < 5; ++i) {
        graze_body_def def = kit_moving_mass(kit_rect(0, 0.75f + 1.5f * (float)i, 0.5f, 0.5f), 0, 0,
                                             i % 2 ? GRAZE_BOUNCE : GRAZE_SLIDE, masses[i]);
        def.friction = 0.26f;
        def.restitution = i % 2 ? 0.5f : 0;
        const graze_body_id body = kit_add(world, def);
        lowest = i ? lowest : body;
    }
    for (int step = 0; step < 3000; ++step) {
        kit_step(world, 1.0f / 240);
        const float y = graze_body_position(world, lowest).y;
        if (y <= 0.49f) {
            fail_msg("step %d: its centre is at %g", step, (double)y);
        }
    }
    graze_world_destroy(world);
}

// The speed is not from gravity: so the body keeps it between walls that leave it hardly any room.
static void what_jams_without_mass_keeps_its_speed(void **state)
{
    (void)state;
    graze_world *world = kit_world_with_gravity(0, -10);
    kit_wall(world, -0.50005f, -10, -0.50005f, 10);
    kit_wall(world, 0.50005f, -10, 0.50005f, 10);
    graze_body_def def = kit_moving_mass(kit_circle(0, 0, 0.5f), 10, 0, GRAZE_BOUNCE, 0);
    def.restitution = 1;
    graze_body_id body = kit_add(world, def);
    for (int step = 0; step < 100; ++step) {
        kit_step(world, 1.0f / 60);
        kit_assert_near((float)kit_speed(world, body), 10, 1e-5f);
    }
    graze_world_destroy(world);
}

static graze_body_def random_body(random_state *random, float low, float high)
{
    const float x = random_float(random, -5, 5), y = random_float(random, -5, 5);
    const float half = random_float(random, low, high);
    return random_below(random, 2) ? kit_circle(x, y, half)
                                   : kit_rect(x, y, half, random_float(random, low, high));
}

// Whatever is in its way, and whether that is heavy, stands or is squeezed between two of mass 0.
static void no_body_holds_what_has_mass_0(void **state)
{
    (void)state;
    enum { FREE = 4, OTHERS = 40 };
    random_state random = random_seed(12);
    for (int run = 0; run < 100; ++run) {
        graze_world *world = kit_world_with_gravity(0, run % 2 ? -10 : 0);
        graze_body_id free[FREE];
        for (int i = 0; i < FREE; ++i) {
            const graze_response response =
                (graze_response)(GRAZE_SLIDE + random_below(&random, 3));
            free[i] = kit_add(world, kit_moving_mass(random_body(&random, 0.2f, 2),
                                                     random_float(&random, -10, 10),
                                                     random_float(&random, -10, 10), response, 0));
        }
        for (int i = 0; i < OTHERS; ++i) {
            const graze_response response = (graze_response)(GRAZE_STOP + random_below(&random, 4));
            kit_add(world,
                    kit_moving_mass(random_body(&random, 0.1f, 0.5f), random_float(&random, -3, 3),
                                    random_float(&random, -3, 3), response, i % 3 ? 1 : 1000));
        }
        for (int step = 0; step < 60; ++step) {
            graze_vec2 to[FREE];
            for (int i = 0; i < FREE; ++i) {
                const graze_vec2 at = graze_body_position(world, free[i]);
                const graze_vec2 velocity = graze_body_velocity(world, free[i]);
                to[i] = (graze_vec2){at.x + velocity.x / 60, at.y + velocity.y / 60};
            }
            kit_step(world, 1.0f / 60);
            for (int i = 0; i < FREE; ++i) {
                kit_assert_near_vec2(graze_body_position(world, free[i]), to[i].x, to[i].y, 1e-5f);
            }
        }
        graze_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlaps_shrink_and_are_shared),
        cmocka_unit_test(what_bounces_leaves_an_overlap_too),
        cmocka_unit_test(what_overlaps_does_not_sleep_before_it_has_left),
        cmocka_unit_test(a_pile_at_one_place_spreads_out),
        cmocka_unit_test(a_row_that_overlaps_parts),
        cmocka_unit_test(a_row_that_has_no_room_shares_the_overlap),
        cmocka_unit_test(a_wall_throws_no_crates_out_of_a_jam),
        cmocka_unit_test(what_was_pressed_together_parts),
        cmocka_unit_test(a_stack_rests_on_the_floor_without_a_trace_of_speed),
        cmocka_unit_test(what_jams_gathers_no_speed),
        cmocka_unit_test(a_column_that_chatters_does_not_sink_into_the_floor),
        cmocka_unit_test(what_jams_without_mass_keeps_its_speed),
        cmocka_unit_test(no_body_holds_what_has_mass_0),
        cmocka_unit_test(a_crowd_pushed_into_a_corner_stays_inside),
        cmocka_unit_test(a_piston_does_not_press_a_body_through_a_wall),
        cmocka_unit_test(a_long_push_leads_into_no_wall),
        cmocka_unit_test(a_wedge_keeps_out_what_is_pressed_into_it),
        cmocka_unit_test(what_is_made_in_a_wedge_leaves_both_sides_at_once),
        cmocka_unit_test(what_walls_leave_no_room_stays_where_it_is),
        cmocka_unit_test(terrain_made_on_top_of_bodies_pushes_them_off_and_lets_none_through),
        cmocka_unit_test(what_stands_among_slanted_walls_gathers_no_speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
