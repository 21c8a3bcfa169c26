// Bodies that lie on each other: heaps, stacks and what carries them.

#include "failing_allocator.h"
#include "response_kit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/// How deep two crates may rest in each other.
static const double rest_depth = 0.0008;

static graze_body_def sliding(graze_body_def def, float velocity_x)
{
    return kit_moving_mass(def, velocity_x, 0, GRAZE_SLIDE, 1);
}

static void set_friction(graze_world *world, graze_chain_id chain, float friction)
{
    graze_surface surface = graze_surface_default();
    surface.friction = friction;
    assert_int_equal(graze_chain_set_surface(world, chain, 0, surface), GRAZE_OK);
}

static graze_world *make_floor(void)
{
    graze_world *world = kit_world_with_gravity(0, -10);
    set_friction(world, kit_wall(world, -100, 0, 100, 0), 0.5f);
    return world;
}

// --- Heaps ---

enum { HEAP = 100, HALF_BOX = 5, HEAP_SEEDS = 9 };

/// What falls into a box.
typedef struct heap {
    const char *name;
    graze_response response;
    bool rects;
    float restitution, friction;
    double most_gain;             ///< Of energy over the least so far, as a share of the first.
    double most_a_step;           ///< Of energy, as a share of that before the step.
    float most_depth, rest_depth; ///< Of contacts: ever, and in the end.
} heap;

static const heap heaps[] = {
    {"circles", GRAZE_SLIDE, false, 0, 0, 3e-4, 6e-4, 0.045f, 0.018f},
    {"circles with friction", GRAZE_SLIDE, false, 0, 0.5f, 6.5e-3, 2.5e-3, 0.036f, 0.01f},
    {"bouncing circles", GRAZE_BOUNCE, false, 0.5f, 0, 1.4e-3, 9e-4, 0.07f, 0.02f},
    {"rects", GRAZE_SLIDE, true, 0, 0, 5e-4, 4e-4, 0.12f, 0.02f},
};

static void make_heap(graze_world *world, const heap *of, uint64_t seed, graze_body_id *bodies)
{
    const graze_vec2 box[4] = {{-HALF_BOX, 100}, {-HALF_BOX, 0}, {HALF_BOX, 0}, {HALF_BOX, 100}};
    random_state random = random_seed(seed);
    kit_chain(world, box, 4, false, false);
    for (int i = 0; i < HEAP; ++i) {
        const float x = -4.3f + 1.4f * (float)(i % 7) + random_float(&random, 0, 0.1f);
        const float y = 2 + 1.4f * (float)(i / 7);
        graze_body_def def = of->rects ? kit_rect(x, y, 0.5f, 0.4f) : kit_circle(x, y, 0.5f);
        def.angle = of->rects ? random_float(&random, -0.5f, 0.5f) : 0;
        def.restitution = of->restitution;
        def.friction = of->friction;
        def.response = of->response;
        bodies[i] = kit_add(world, def);
    }
}

// The kinetic and potential energy of all bodies, whose mass is 1.
static double energy_of(const graze_world *world, const graze_body_id *bodies)
{
    double energy = 0;
    for (int i = 0; i < HEAP; ++i) {
        const double speed = kit_speed(world, bodies[i]);
        energy += speed * speed / 2 + 10 * (double)graze_body_position(world, bodies[i]).y;
    }
    return energy;
}

/// How heaps of one kind lie in the end.
typedef struct heap_end {
    double motion[HEAP_SEEDS]; ///< A body's in each heap: twice its energy.
    double alone;              ///< Bodies of a heap that touch nothing, in the mean.
} heap_end;

static void add_end(const graze_world *world, const heap *of, const graze_body_id *bodies,
                    double *motion, double *alone)
{
    for (int i = 0; i < HEAP; ++i) {
        const graze_vec2 at = graze_body_position(world, bodies[i]);
        const double speed = kit_speed(world, bodies[i]);
        *motion += speed * speed / HEAP;
        *alone += (double)(kit_count_contacts(world, bodies[i]) == 0) / HEAP_SEEDS;
        if (at.y > 16 || at.y < 0 || fabsf(at.x) > HALF_BOX) {
            fail_msg("%s: body %d is at (%g, %g)", of->name, i, (double)at.x, (double)at.y);
        }
    }
}

// How deep the body that has sunk deepest is in its box; 0: none has.
static double find_sunk(const graze_world *world, const heap *of, const graze_body_id *bodies)
{
    double deepest = 0;
    for (int i = 0; i < HEAP; ++i) {
        const graze_vec2 at = graze_body_position(world, bodies[i]);
        const double angle = (double)graze_body_angle(world, bodies[i]);
        const double c = fabs(cos(angle)), s = fabs(sin(angle));
        const double half_x = of->rects ? 0.5 * c + 0.4 * s : 0.5;
        const double half_y = of->rects ? 0.5 * s + 0.4 * c : 0.5;
        deepest = fmax(deepest, half_y - (double)at.y);
        deepest = fmax(deepest, half_x + fabs((double)at.x) - HALF_BOX);
    }
    return deepest;
}

static void let_rest(const heap *of, uint64_t seed, heap_end *end)
{
    graze_world *world = kit_world_with_gravity(0, -10);
    graze_body_id bodies[HEAP];
    make_heap(world, of, seed, bodies);
    const double start = energy_of(world, bodies);
    double energy = start, least = start;
    kit_tally tally = {0};
    for (int step = 0; step < 900; ++step) {
        kit_step_and_count(world, 1.0f / 60, &tally);
        const double after = energy_of(world, bodies);
        if (after > energy * (1 + of->most_a_step) || after > least + of->most_gain * start) {
            fail_msg("%s, seed %d: energy %g to %g, least %g", of->name, (int)seed, energy, after,
                     least);
        }
        energy = after;
        least = fmin(least, after);
        const double sunk = find_sunk(world, of, bodies);
        if (sunk > 1e-5) {
            fail_msg("%s, seed %d: sunk in by %g in step %d", of->name, (int)seed, sunk, step);
        }
    }
    assert_true(tally.depth < of->most_depth);
    tally.depth = 0;
    kit_step_and_count(world, 1.0f / 60, &tally);
    assert_true(tally.depth < of->rest_depth);
    add_end(world, of, bodies, &end->motion[seed], &end->alone);
    graze_world_destroy(world);
}

static int compare_doubles(const void *first, const void *second)
{
    const double a = *(const double *)first, b = *(const double *)second;
    return (a > b) - (a < b);
}

static double median_of(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare_doubles);
    return values[count / 2];
}

// A heap sinks into its box by no more than a body may rest in it. A grain may still slip now and
// then, and a few wedged ones stand a little above others; which ones depends on how they fell. So
// several heaps are judged together, and a slip in one of them does not count as that of all.
static void a_heap_comes_to_rest(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof heaps / sizeof heaps[0]; ++k) {
        heap_end end = {.alone = 0};
        for (uint64_t seed = 0; seed < HEAP_SEEDS; ++seed) {
            let_rest(&heaps[k], seed, &end);
        }
        const double motion = median_of(end.motion, HEAP_SEEDS);
        printf("%s: %g of motion a body, %g without contact\n", heaps[k].name, motion, end.alone);
        assert_true(motion < 0.03);
        assert_true(end.alone < HEAP / 20.0);
    }
}

// Friction grows with what a body bears: unless the lowest bear all weight, the heap flows apart.
static void friction_holds_a_heap(void **state)
{
    (void)state;
    double motions[HEAP_SEEDS] = {0};
    for (uint64_t seed = 0; seed < HEAP_SEEDS; ++seed) {
        graze_world *world = kit_world_with_gravity(0, -10);
        graze_body_id bodies[HEAP];
        make_heap(world, &heaps[1], seed, bodies);
        for (int step = 0; step < 300; ++step) {
            kit_step(world, 1.0f / 60);
        }
        double alone = 0;
        add_end(world, &heaps[1], bodies, &motions[seed], &alone);
        graze_world_destroy(world);
    }
    const double motion = median_of(motions, HEAP_SEEDS);
    printf("%g of motion a body\n", motion);
    assert_true(motion < 1e-4);
}

// A loaded heap goes on with the same bits, whatever the world held before.
static void a_heap_goes_on_from_a_snapshot(void **state)
{
    (void)state;
    graze_world *first = kit_world_with_gravity(0, -10);
    graze_world *second = kit_world();
    graze_body_id bodies[HEAP];
    make_heap(first, &heaps[0], 1, bodies);
    for (int step = 0; step < 120; ++step) {
        kit_step(first, 1.0f / 60);
    }
    size_t size;
    void *bytes = kit_save(first, &size);
    kit_load(second, bytes, size);
    free(bytes);
    for (int step = 0; step < 60; ++step) {
        kit_step(first, 1.0f / 60);
        kit_step(second, 1.0f / 60);
    }
    kit_assert_same_bytes(first, second);
    graze_world_destroy(first);
    graze_world_destroy(second);
}

// Fails each allocation of a step in turn.
static void a_heap_survives_lack_of_memory(void **state)
{
    (void)state;
    failing_allocator memory = {.calls = 0};
    graze_world_def def = graze_world_def_default();
    def.gravity.y = -10;
    def.allocator = failing_allocator_interface(&memory);
    graze_world *world = graze_world_create(&def);
    graze_body_id bodies[HEAP];
    make_heap(world, &heaps[0], 1, bodies);
    size_t failures = 0;
    for (int step = 0; step < 60; ++step) {
        const uint64_t before = graze_world_hash(world);
        for (size_t n = 1;; ++n) {
            failing_allocator_arm(&memory, n);
            const graze_status status = graze_world_step(world, 1.0f / 60);
            if (!failing_allocator_disarm(&memory)) {
                assert_int_equal(status, GRAZE_OK);
                break;
            }
            assert_int_equal(status, GRAZE_ERROR_OUT_OF_MEMORY);
            assert_true(graze_world_hash(world) == before);
            ++failures;
        }
    }
    assert_true(failures > 20);
    graze_world_destroy(world);
    failing_allocator_assert_empty(&memory);
}

// --- Stacks ---

// A pyramid of crates, as wide at its foot as it is high.
enum { ROWS = 8, CRATES = ROWS * (ROWS + 1) / 2 };

static void a_pyramid_of_crates_stands_still_in_contact(void **state)
{
    (void)state;
    graze_world *world = make_floor();
    graze_body_id crates[CRATES];
    int count = 0;
    for (int row = 0; row < ROWS; ++row) {
        for (int i = 0; i < ROWS - row; ++i) {
            const float x = 1.05f * (float)i + 0.525f * (float)row;
            const float y = 0.5f + 1.02f * (float)row;
            crates[count++] = kit_add(world, sliding(kit_rect(x, y, 0.5f, 0.5f), 0));
        }
    }
    for (int step = 0; step < 120; ++step) {
        kit_step(world, 1.0f / 60);
    }
    for (int i = 0; i < CRATES; ++i) {
        kit_assert_velocity(world, crates[i], 0, 0);
    }
    kit_assert_near(graze_body_position(world, crates[CRATES - 1]).y, ROWS - 0.5f,
                    (float)(ROWS * rest_depth));
    kit_assert_held(world, crates[CRATES - 1], NULL, 120, "pyramid");
    // One contact of each crate of the lowest row, and two of each of the others.
    const graze_contact_list contacts = graze_world_contacts(world);
    uint32_t blocked = 0;
    for (uint32_t i = 0; i < contacts.count; ++i) {
        assert_int_equal(contacts.data[i].phase, GRAZE_CONTACT_STAY);
        blocked += (contacts.data[i].flags & GRAZE_CONTACT_BLOCKED) != 0;
    }
    assert_int_equal(blocked, ROWS + 2 * (CRATES - ROWS));
    graze_world_destroy(world);
}

// A corner comes down to the floor, and to another crate, as far as a side would.
static void what_leans_touches_what_it_stands_on(void **state)
{
    (void)state;
    const float angles[] = {0.1f, 0.785f, -1.2f};
    for (int variant = 0; variant < 6; ++variant) {
        graze_world *world = make_floor();
        graze_body_id crates[2];
        for (int i = 0; i < 2; ++i) {
            graze_body_def def = sliding(kit_rect(0, 0.75f + 1.5f * (float)i, 0.5f, 0.5f), 0);
            def.angle = i == variant % 2 ? angles[variant / 2] : 0;
            def.friction = 0.5f;
            crates[i] = kit_add(world, def);
        }
        for (int step = 0; step < 120; ++step) {
            kit_step(world, 1.0f / 60);
        }
        const double lean = fabs((double)angles[variant / 2]);
        const double reach = (cos(lean) + sin(lean)) / 2;
        const double height = variant % 2 ? 1 + reach : 2 * reach + 0.5;
        kit_assert_near(graze_body_position(world, crates[1]).y, (float)height, (float)rest_depth);
        assert_int_equal(kit_count_contacts(world, crates[0]), 2);
        graze_world_destroy(world);
    }
}

// --- Blows ---

// None of it is lost, and it takes all along.
static void a_blow_goes_through_a_row(void **state)
{
    (void)state;
    enum { ROW = 6 };
    graze_world *world = make_floor();
    graze_body_id row[ROW];
    row[0] = kit_add(world, sliding(kit_circle(-3, 0.5f, 0.5f), 6));
    for (int i = 1; i < ROW; ++i) {
        row[i] = kit_add(world, sliding(kit_circle((float)i, 0.5f, 0.5f), 0));
    }
    for (int step = 0; step < 60; ++step) {
        kit_step(world, 1.0f / 60);
    }
    float sum = 0, before = 0;
    for (int i = 0; i < ROW; ++i) {
        const graze_vec2 velocity = graze_body_velocity(world, row[i]);
        assert_true(velocity.x > 0.5f * 6 / ROW && velocity.x >= before && velocity.y == 0);
        sum += velocity.x;
        before = velocity.x;
    }
    kit_assert_near(sum, 6, 2e-6f);
    graze_world_destroy(world);
}

// --- Lifts ---

// A lift that goes up at an even speed carries what lies on it.
static void a_lift_carries_a_stack(void **state)
{
    (void)state;
    for (int count = 1; count <= 4; ++count) {
        graze_world *world = kit_world_with_gravity(0, -10);
        graze_body_def lift = kit_rect(0, -0.5f, 10, 0.5f);
        const graze_body_id floor = kit_add(world, kit_moving_mass(lift, 0, 1, GRAZE_PASS, 0));
        graze_body_id stack[4];
        for (int i = 0; i < count; ++i) {
            stack[i] = kit_add(world, sliding(kit_rect(0, 0.5f + (float)i, 0.5f, 0.5f), 0));
        }
        for (int step = 0; step < 120; ++step) {
            kit_step(world, 1.0f / 60);
        }
        const float height = graze_body_position(world, floor).y + 0.5f;
        for (int i = 0; i < count; ++i) {
            kit_assert_near_vec2(graze_body_velocity(world, stack[i]), 0, 1, 1e-3f);
            kit_assert_near(graze_body_position(world, stack[i]).y, height + 0.5f + (float)i,
                            count == 1 ? 1e-3f : 0.1f);
        }
        graze_world_destroy(world);
    }
}

/// A stack on a lift: how deep the lowest crate is in it, and others in each other.
typedef struct sinking {
    double lowest, others;
} sinking;

static sinking find_sinking(const graze_world *world, graze_body_id lift,
                            const graze_body_id *crates, int count)
{
    const double top = (double)graze_body_position(world, lift).y + 0.5;
    sinking found = {top + 0.5 - (double)graze_body_position(world, crates[0]).y, 0};
    for (int i = 1; i < count; ++i) {
        const double below = (double)graze_body_position(world, crates[i - 1]).y;
        const double at = (double)graze_body_position(world, crates[i]).y;
        found.others = fmax(found.others, 1 - (at - below));
    }
    return found;
}

// The lift starts with a blow, which throws the stack apart: it comes together again, and no crate
// sinks into another by more than a tenth of its size, or than the lift rises in a step. The lift
// comes out of the lowest by a quarter of that a step, and a little more slowly.
static void a_lift_that_starts_at_once_carries_a_stack(void **state)
{
    (void)state;
    enum { MOST = 8, SPEEDS = 6 };
    const float speeds[SPEEDS] = {1, 2, 3, 5, 7, 9};
    for (int variant = 0; variant < MOST * SPEEDS; ++variant) {
        const int count = 1 + variant % MOST;
        const float speed = speeds[variant / MOST];
        graze_world *world = kit_world_with_gravity(0, -10);
        const graze_body_def def = kit_rect(0, -0.5f, 10, 0.5f);
        const graze_body_id lift = kit_add(world, kit_moving_mass(def, 0, 0, GRAZE_PASS, 0));
        graze_body_id crates[MOST];
        for (int i = 0; i < count; ++i) {
            crates[i] = kit_add(world, sliding(kit_rect(0, 0.5f + (float)i, 0.5f, 0.5f), 0));
        }
        kit_step(world, 1.0f / 60);
        graze_body_set_velocity(world, lift, (graze_vec2){0, speed});
        const double blow = (double)speed / 60;
        for (int step = 0; step < 60; ++step) {
            kit_step(world, 1.0f / 60);
            const sinking now = find_sinking(world, lift, crates, count);
            if (now.lowest > blow * pow(0.76, step) + 0.042 || now.others > fmin(blow, 0.1)) {
                fail_msg("%d at %g: in step %d the lowest is %g deep, others are %g", count,
                         (double)speed, step, now.lowest, now.others);
            }
        }
        graze_world_destroy(world);
    }
}

// Friction takes a rider along with a platform, and then holds it there.
static void friction_takes_a_rider_along(void **state)
{
    (void)state;
    for (int count = 1; count <= 3; ++count) {
        graze_world *world = kit_world_with_gravity(0, -10);
        graze_body_def platform = kit_rect(0, -0.5f, 20, 0.5f);
        platform.friction = 0.5f;
        kit_add(world, kit_moving_mass(platform, 2, 0, GRAZE_PASS, 0));
        graze_body_id stack[3];
        for (int i = 0; i < count; ++i) {
            graze_body_def def = sliding(kit_rect(0, 0.5f + (float)i, 0.5f, 0.5f), 0);
            def.friction = 0.5f;
            stack[i] = kit_add(world, def);
        }
        for (int step = 0; step < 120; ++step) {
            kit_step(world, 1.0f / 60);
        }
        for (int i = 0; i < count; ++i) {
            kit_assert_near_vec2(graze_body_velocity(world, stack[i]), 2, 0, 1e-3f);
        }
        graze_world_destroy(world);
    }
}

// A body on which two stand has the friction of the weight of both, whichever is heavier.
static void a_stack_of_two_brakes_like_one_crate(void **state)
{
    (void)state;
    for (int variant = 0; variant < 4; ++variant) {
        graze_world *world = make_floor();
        graze_body_id crates[2];
        const int count = variant == 0 ? 1 : 2;
        for (int i = 0; i < count; ++i) {
            graze_body_def def = sliding(kit_rect(0, 0.5f + (float)i, 0.5f, 0.5f), 10);
            def.friction = 0.5f;
            def.mass = i == 1 ? (float)(1 << (variant - 1)) : 1;
            crates[i] = kit_add(world, def);
        }
        for (int step = 0; step < 180; ++step) {
            kit_step(world, 1.0f / 60);
        }
        const graze_vec2 end = graze_body_position(world, crates[0]);
        kit_assert_near(end.x, 10, 0.5f);
        kit_assert_velocity(world, crates[count - 1], 0, 0);
        kit_assert_near(graze_body_position(world, crates[count - 1]).x, end.x, 0.01f);
        graze_world_destroy(world);
    }
}

// Friction holds them to the last bit: neither creeps, or keeps a speed although it stands.
static void a_crate_on_a_crate_stands_on_a_slope(void **state)
{
    (void)state;
    for (int variant = 0; variant < 3; ++variant) {
        const double angle = 0.2 * variant;
        graze_world *world = kit_world_with_gravity(0, -10);
        set_friction(world, kit_wall_at(world, 0, 0, angle, 50), 0.8f);
        graze_body_id crates[2];
        for (int i = 0; i < 2; ++i) {
            const double up = 0.55 + 1.05 * i;
            const float x = (float)(-up * sin(angle)), y = (float)(up * cos(angle));
            graze_body_def def = sliding(kit_rect(x, y, 0.5f, 0.5f), 0);
            def.angle = (float)angle;
            def.friction = 0.8f;
            crates[i] = kit_add(world, def);
        }
        for (int step = 0; step < 120; ++step) {
            kit_step(world, 1.0f / 60);
        }
        const graze_vec2 before = graze_body_position(world, crates[1]);
        for (int step = 0; step < 120; ++step) {
            kit_step(world, 1.0f / 60);
            kit_assert_velocity(world, crates[1], 0, 0);
        }
        const graze_vec2 after = graze_body_position(world, crates[1]);
        assert_true(after.x == before.x && after.y == before.y);
        kit_assert_near_vec2(after, (float)(-1.5 * sin(angle)), (float)(1.5 * cos(angle)), 0.065f);
        graze_world_destroy(world);
    }
}

// Two share an impulse: each changes by its share, and one gains what the other loses.
static void two_that_slide_share_the_mean_of_their_frictions(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_def lower = kit_moving_mass(kit_circle(0, 0, 0.5f), 10, 4, GRAZE_SLIDE, 1);
    graze_body_def upper = sliding(kit_circle(0, 1, 0.5f), 0);
    lower.friction = 0.25f;
    upper.friction = 1;
    const graze_body_id first = kit_add(world, lower);
    const graze_body_id second = kit_add(world, upper);
    kit_step(world, 1.0f / 60);
    kit_assert_velocity(world, first, 9, 2);
    kit_assert_velocity(world, second, 1, 2);
    graze_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_heap_comes_to_rest),
        cmocka_unit_test(friction_holds_a_heap),
        cmocka_unit_test(a_heap_goes_on_from_a_snapshot),
        cmocka_unit_test(a_heap_survives_lack_of_memory),
        cmocka_unit_test(a_pyramid_of_crates_stands_still_in_contact),
        cmocka_unit_test(what_leans_touches_what_it_stands_on),
        cmocka_unit_test(a_blow_goes_through_a_row),
        cmocka_unit_test(a_lift_carries_a_stack),
        cmocka_unit_test(a_lift_that_starts_at_once_carries_a_stack),
        cmocka_unit_test(friction_takes_a_rider_along),
        cmocka_unit_test(a_stack_of_two_brakes_like_one_crate),
        cmocka_unit_test(a_crate_on_a_crate_stands_on_a_slope),
        cmocka_unit_test(two_that_slide_share_the_mean_of_their_frictions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
