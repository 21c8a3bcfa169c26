// Bodies that slide, bounce, stop or are spent, over sensors and rays on fixed courses: they meet,
// to the last bit, what they meet in a world in which every touch is an event.

#include "response_kit.h"
#include "world_kit.h"

#include "world/world_state.h"

#include <math.h>

#include "random.h"

enum {
    STEPS = 60,
    /// In a jam among what gives no way, one touch at rest that happens at once may come to
    /// something else than its event: in one of some hundred worlds of the third setting, of
    /// which 19 is one.
    FIRST = 20,
    WORLDS = 60,
    CROWD = 3000 ///< Sensors: more than three times as many as touches wear a body out.
};

/// What kind of world.
typedef struct setting {
    uint32_t bodies, sensors, walls;
    float room;  ///< Side of what they are strewn over.
    float speed; ///< Units a second, at most.
    float fall;
    float dt;
    bool on_lattice; ///< Places, sizes and velocities are halves: much touches at one time.
    bool are_still;  ///< Sensors stay where they are, and out of the step.
} setting;

static const setting settings[] = {
    {40, 6, 0, 12, 10, 0, 1.0f / 60, false, false},
    {40, 6, 6, 12, 60, 0, 1.0f / 60, false, false},
    {40, 6, 6, 12, 20, -10, 1.0f / 60, false, false},
    {40, 8, 6, 10, 8, 0, 0.5f, true, false},
    {16, 12, 4, 6, 4, 0, 1, true, false},
    {40, 8, 8, 12, 4, -1, 0.5f, true, false},
    {10, 60, 4, 20, 30, 0, 1.0f / 60, false, true},
};

enum { SETTINGS = sizeof settings / sizeof *settings };

static float draw(random_state *random, const setting *by, float low, float high)
{
    const float drawn = random_float(random, low, high);
    return by->on_lattice ? floorf(2 * drawn) / 2 : drawn;
}

static graze_body_def draw_shape(random_state *random, const setting *by, float least, float most)
{
    const float x = draw(random, by, 0, by->room);
    const float y = draw(random, by, 0, by->room);
    const float half = draw(random, by, least, most);
    graze_body_def def = random_below(random, 2)
                             ? kit_circle(x, y, half)
                             : kit_rect(x, y, half, draw(random, by, least, most));
    def.angle = by->on_lattice || random_below(random, 2) ? 0 : random_float(random, 0, 3);
    def.velocity.x = draw(random, by, -by->speed, by->speed);
    def.velocity.y = draw(random, by, -by->speed, by->speed);
    return def;
}

static void add_body(graze_world *world, random_state *random, const setting *by)
{
    static const graze_response responses[] = {GRAZE_SLIDE, GRAZE_BOUNCE, GRAZE_BOUNCE, GRAZE_STOP,
                                               GRAZE_PASS};
    graze_body_def def = draw_shape(random, by, 0.5f, 1);
    def.response = responses[random_below(random, 5)];
    def.spin = random_below(random, 4) ? 0 : 5;
    def.restitution = by->on_lattice ? 1 : random_float(random, 0, 1);
    def.hit_limit = random_below(random, 3) ? 0 : 1 + random_below(random, 3);
    def.sensor = random_below(random, 10) == 0;
    kit_add(world, def);
}

// Some are free themselves, and need events; some are rays.
static void add_sensor(graze_world *world, random_state *random, const setting *by)
{
    graze_body_def def = draw_shape(random, by, 0.5f, by->room / 3);
    if (random_below(random, 4) == 0) {
        def.shape = graze_shape_ray();
    }
    if (by->are_still || random_below(random, 3) == 0) {
        def.velocity = (graze_vec2){0, 0};
    }
    def.sensor = random_below(random, 8) != 0;
    def.mass = 0;
    def.response = random_below(random, 8) ? GRAZE_PASS : GRAZE_SLIDE;
    kit_add(world, def);
}

static void add_wall(graze_world *world, random_state *random, const setting *by)
{
    const float x = draw(random, by, 0, by->room);
    const float y = draw(random, by, 0, by->room);
    const float along = draw(random, by, 1, by->room);
    const bool upright = random_below(random, 2);
    kit_wall(world, x, y, upright ? x : x + along, upright ? y + along : y);
}

// In a box: so bodies stay near the sensors, and those that fall come to lie in heaps. Bodies and
// sensors in turn: so neither have the smaller ids.
static graze_world *make_world(uint64_t seed, const setting *by)
{
    random_state random = random_seed(seed);
    graze_world *world = kit_world_with_gravity(0, by->fall);
    kit_square(world, -1, by->room + 1);
    if (by->are_still) {
        world->sleep.least = 4;
        world->sleep.patience = 1;
    }
    for (uint32_t k = 0; k < by->bodies || k < by->sensors || k < by->walls; ++k) {
        if (k < by->bodies) {
            add_body(world, &random, by);
        }
        if (k < by->sensors) {
            add_sensor(world, &random, by);
        }
        if (k < by->walls) {
            add_wall(world, &random, by);
        }
    }
    return world;
}

/// What is counted of all worlds of a setting.
typedef struct tally {
    uint32_t contacts; ///< With sensors.
    uint32_t still;    ///< Steps in which some bodies are still.
} tally;

static void count(const graze_world *world, tally *sum)
{
    const graze_contact_list list = graze_world_contacts(world);
    for (uint32_t k = 0; k < list.count; ++k) {
        sum->contacts += (list.data[k].flags & GRAZE_CONTACT_SENSOR) != 0;
    }
    sum->still += world->bodies.active_count < world->bodies.count;
}

static void compare(uint64_t seed, const setting *by, tally *sum)
{
    graze_world *quick = make_world(seed, by);
    graze_world *slow = make_world(seed, by);
    slow->config.no_shortcuts = true;
    for (uint32_t step = 0; step < STEPS; ++step) {
        kit_step(quick, by->dt);
        kit_step(slow, by->dt);
        const char *difference = kit_find_difference(slow, quick);
        if (difference) {
            fail_msg("seed %llu, step %u: %s differ", (unsigned long long)seed, step, difference);
        }
        count(quick, sum);
    }
    graze_world_destroy(quick);
    graze_world_destroy(slow);
}

static void sensors_meet_what_events_have_them_meet(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < SETTINGS; ++i) {
        tally sum = {0, 0};
        for (uint64_t seed = FIRST; seed < FIRST + WORLDS; ++seed) {
            compare(seed, &settings[i], &sum);
        }
        assert_true(sum.contacts > WORLDS * STEPS);
        assert_true(sum.still > WORLDS * STEPS / 4 || !settings[i].are_still);
    }
}

// Between two walls, at a speed at which it is thrown back three times a step.
static graze_body_id add_fast_body(graze_world *world)
{
    kit_wall(world, 0, -10, 0, 10);
    kit_wall(world, 1, -10, 1, 10);
    graze_body_def def = kit_moving(kit_circle(0.5f, 0, 0.1f), 150, 1, GRAZE_BOUNCE);
    def.restitution = 1;
    return kit_add(world, def);
}

static void no_number_of_sensors_stops_a_body(void **state)
{
    (void)state;
    for (int slow = 0; slow < 2; ++slow) {
        random_state random = random_seed(1);
        graze_world *bare = kit_world();
        graze_world *full = kit_world();
        const graze_body_id alone = add_fast_body(bare);
        const graze_body_id seen = add_fast_body(full);
        full->config.no_shortcuts = slow;
        for (uint32_t k = 0; k < CROWD; ++k) {
            const float y = random_float(&random, -4, 4);
            graze_body_def def = kit_circle(random_float(&random, -4, 4), y, 5);
            def.sensor = true;
            def.filter.group = -1; // They do not meet each other.
            kit_add(full, def);
        }
        for (uint32_t step = 0; step < 10; ++step) {
            kit_step(bare, 1.0f / 60);
            kit_step(full, 1.0f / 60);
            assert_true(kit_count_contacts(full, seen) > CROWD / 2);
            kit_assert_same_vec2(graze_body_position(full, seen), graze_body_position(bare, alone));
        }
        graze_world_destroy(bare);
        graze_world_destroy(full);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_number_of_sensors_stops_a_body),
        cmocka_unit_test(sensors_meet_what_events_have_them_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
