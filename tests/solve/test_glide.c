// Bodies on terrain, alone and in heaps. With all shortcuts (known walls, nothing asked twice, lone
// bodies ahead of others) they move to the last bit as they do without: with walks over the grid
// and one queue of all events.

#include "response_kit.h"
#include "world_kit.h"

#include "world/world_state.h"

#include <math.h>

#include "random.h"

enum {
    CHAINS = 5,
    POINTS = 40,
    STEPS = 120,
    WORLDS = 150,
    HEAPS = 60,
    HEAP = 60,
    HEAP_STEPS = 300
};

#define ROOM 30.0f ///< Side of what the bodies are strewn over.

/// What kind of world.
typedef struct setting {
    uint32_t bodies;   ///< At most.
    float speed, fall; ///< Units a second; and that squared.
    bool on_lattice;   ///< Coordinates are halves: things touch at their corners.
    float far;         ///< From the origin.
} setting;

static const setting settings[] = {
    {6, 3, -10, false, 0},   {6, 0.1f, -10, true, 0},   {6, 20, -10, true, 3000},
    {6, 40, 0, false, 3000}, {40, 3, -10, false, 0},    {40, 5, 0, true, 0},
    {40, 1, -10, true, 300}, {12, 200, -10, false, 30},
};

enum { SETTINGS = sizeof settings / sizeof *settings };

static float draw(random_state *random, const setting *by, float low, float high)
{
    const float drawn = random_float(random, low, high);
    return by->on_lattice ? floorf(2 * drawn) / 2 : drawn;
}

// Adds level floors, slopes and zigzags, some with walls shorter than a body.
static void add_chain(graze_world *world, random_state *random, const setting *by)
{
    graze_vec2 points[POINTS];
    const uint32_t count = 2 + random_below(random, POINTS - 2);
    const float tread = random_below(random, 3) ? random_float(random, 1, 20) : 0.3f;
    const float rise = random_below(random, 2) ? 0 : tread * random_float(random, 0, 1);
    graze_vec2 at = {by->far + random_float(random, 0, ROOM / 2),
                     by->far + random_float(random, 0, ROOM)};
    for (uint32_t k = 0; k < count; ++k) {
        points[k].x = draw(random, by, at.x, at.x);
        points[k].y = draw(random, by, at.y - rise, at.y + rise);
        at.x += tread;
    }
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = count;
    def.loop = random_below(random, 4) == 0;
    def.one_sided = random_below(random, 4) == 0;
    def.sensor = random_below(random, 8) == 0;
    assert_true(graze_chain_is_valid(world, graze_chain_create(world, &def)));
}

static void add_body(graze_world *world, random_state *random, const setting *by)
{
    static const graze_response responses[] = {GRAZE_SLIDE, GRAZE_SLIDE, GRAZE_BOUNCE, GRAZE_STOP};
    const float x = by->far + draw(random, by, 0, ROOM);
    const float y = by->far + draw(random, by, 0, ROOM);
    const float half = random_float(random, 0.1f, 1);
    graze_body_def def =
        random_below(random, 2) ? kit_circle(x, y, half) : kit_rect(x, y, 0.5f, half);
    def.velocity.x = random_float(random, -by->speed, by->speed);
    def.velocity.y = random_below(random, 2) ? 0 : random_float(random, -by->speed, by->speed);
    def.angle = random_below(random, 2) ? 0 : random_float(random, 0, 0.3f);
    def.spin = random_below(random, 8) ? 0 : 3;
    def.response = responses[random_below(random, 4)];
    def.restitution = random_float(random, 0, 1);
    def.friction = random_below(random, 2) ? 0 : random_float(random, 0, 1);
    def.hit_limit = random_below(random, 6) ? 0 : 3;
    kit_add(world, def);
}

static graze_world *make_world(uint64_t seed, const setting *by)
{
    random_state random = random_seed(seed);
    graze_world *world = kit_world_with_gravity(0, by->fall);
    for (uint32_t k = 0; k < CHAINS; ++k) {
        add_chain(world, &random, by);
    }
    const uint32_t bodies = 1 + random_below(&random, by->bodies);
    for (uint32_t k = 0; k < bodies; ++k) {
        add_body(world, &random, by);
    }
    return world;
}

// Circles and rects that fall into a box. In every third heap they overlap at first, and some have
// no mass: these rise, and what overlaps them alone gives way. In half of all, those that have mass
// have the same: what two of these take from each other is found by halves.
static graze_world *make_heap(uint64_t seed)
{
    const graze_vec2 box[4] = {{-5, 100}, {-5, 0}, {5, 0}, {5, 100}};
    random_state random = random_seed(seed);
    graze_world *world = kit_world_with_gravity(0, -10);
    kit_chain(world, box, 4, false, false);
    const float friction = seed % 2 ? 0 : 0.5f;
    const bool overlap = seed % 3 == 0;
    const bool are_alike = seed % 4 < 2;
    for (uint32_t k = 0; k < HEAP; ++k) {
        const float x = -4.3f + 1.4f * (float)(k % 7) + random_float(&random, 0, 0.1f);
        const float y = 1 + (overlap ? 0.6f : 1.4f) * (float)(k / 7);
        const float half = random_float(&random, 0.3f, 0.5f);
        graze_body_def def =
            random_below(&random, 2) ? kit_circle(x, y, half) : kit_rect(x, y, 0.5f, half);
        def.angle = random_below(&random, 2) ? 0 : random_float(&random, -0.5f, 0.5f);
        def.response = random_below(&random, 4) ? GRAZE_SLIDE : GRAZE_BOUNCE;
        const bool has_mass = !overlap || random_below(&random, 10);
        const float mass = random_float(&random, 0.5f, 2);
        def.mass = !has_mass ? 0 : are_alike ? 1 : mass;
        def.velocity.y = has_mass ? 0 : 0.5f;
        def.friction = friction;
        def.hit_limit = random_below(&random, 20) ? 0 : 5;
        kit_add(world, def);
    }
    return world;
}

// Frees both worlds. Returns how many contacts there were.
static uint32_t compare(uint64_t seed, uint32_t steps, graze_world *quick, graze_world *slow)
{
    uint32_t contacts = 0;
    slow->config.no_shortcuts = true;
    for (uint32_t step = 0; step < steps; ++step) {
        kit_step(quick, 1.0f / 60);
        kit_step(slow, 1.0f / 60);
        const char *difference = kit_find_difference(slow, quick);
        if (difference) {
            fail_msg("seed %llu, step %u: %s differ", (unsigned long long)seed, step, difference);
        }
        contacts += graze_world_contacts(quick).count;
    }
    graze_world_destroy(quick);
    graze_world_destroy(slow);
    return contacts;
}

static void bodies_on_terrain_do_what_events_make_of_them(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < SETTINGS; ++i) {
        uint32_t contacts = 0;
        for (uint64_t seed = 1; seed <= WORLDS; ++seed) {
            contacts += compare(seed, STEPS, make_world(seed, &settings[i]),
                                make_world(seed, &settings[i]));
        }
        assert_true(contacts > 10 * WORLDS);
    }
}

static void heaps_do_what_events_make_of_them(void **state)
{
    (void)state;
    uint32_t contacts = 0;
    for (uint64_t seed = 1; seed <= HEAPS; ++seed) {
        contacts += compare(seed, HEAP_STEPS, make_heap(seed), make_heap(seed));
    }
    assert_true(contacts > HEAPS * HEAP_STEPS * HEAP / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_on_terrain_do_what_events_make_of_them),
        cmocka_unit_test(heaps_do_what_events_make_of_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
