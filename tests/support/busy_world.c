#include "busy_world.h"

#include "body_defs.h"

#include <string.h>

enum { BODIES = 70, MAX_BODIES = 140, CHAINS = 6, MAX_CHAINS = 12, EXTENT = 12 };

#define STEP (1.0f / 60.0f)

// --- What happens ---

static bool one_in(random_state *random, uint32_t count)
{
    return random_below(random, count) == 0;
}

static graze_vec2 random_place(random_state *random, float extent)
{
    graze_vec2 place;
    place.x = random_float(random, -extent, extent);
    place.y = random_float(random, -extent, extent);
    return place;
}

static graze_filter random_filter(random_state *random)
{
    graze_filter filter = graze_filter_default();
    if (one_in(random, 4)) {
        filter.category = 1u << random_below(random, 3);
        filter.mask = random_bits(random) | 1u;
        filter.pass = random_bits(random) & random_bits(random) & 7u;
        filter.group = random_integer(random, -2, 2);
    }
    return filter;
}

static graze_shape random_shape(random_state *random)
{
    float size = random_float(random, 0.1f, 1.2f);
    switch (random_below(random, 3)) {
    case 0:
        return graze_shape_circle(one_in(random, 8) ? 0 : size);
    case 1:
        return graze_shape_rect(size, random_float(random, 0.1f, 1));
    default:
        return graze_shape_ray();
    }
}

static graze_surface random_surface(random_state *random)
{
    const graze_surface surface = {
        random_float(random, 0, 2),
        random_float(random, 0, 1),
        one_in(random, 2) ? random_float(random, 0, 1) : 0,
        one_in(random, 2) ? random_float(random, -3, 3) : 0,
    };
    return surface;
}

static void add_dynamics(random_state *random, graze_body_def *def)
{
    def->surface.rolling_resistance = one_in(random, 4) ? 0.1f : 0;
    def->surface.speed = one_in(random, 4) ? -2 : 0;
    def->inertia = one_in(random, 4) ? random_float(random, 0, 9) : 0;
    def->damping = one_in(random, 4) ? random_float(random, 0, 2) : 0;
    def->spin_damping = one_in(random, 4) ? random_float(random, 0, 2) : 0;
    def->gravity_scale = one_in(random, 4) ? random_float(random, -1, 2) : 1;
    def->never_sleeps = one_in(random, 8);
}

static graze_body_def random_body(random_state *random)
{
    graze_body_def def = test_body_def();
    def.shape = random_shape(random);
    def.position = random_place(random, EXTENT);
    def.velocity = random_place(random, def.shape.kind == GRAZE_SHAPE_RAY ? 90.0f : 15.0f);
    def.angle = random_float(random, -9, 9);
    def.spin = one_in(random, 2) ? random_float(random, -5, 5) : 0;
    def.mass = one_in(random, 5) ? 0 : random_float(random, 0.1f, 4);
    def.restitution = random_float(random, 0, 1);
    def.friction = random_float(random, 0, 1);
    def.response = (graze_response)random_below(random, 5);
    add_dynamics(random, &def);
    def.sensor = one_in(random, 6);
    def.hit_limit = one_in(random, 3) ? 1 + random_below(random, 3) : 0;
    def.lifetime = one_in(random, 4) ? random_float(random, 0.01f, 1) : 0;
    def.filter = random_filter(random);
    const uint64_t high = random_bits(random);
    def.user_data = high << 32 | random_bits(random);
    return def;
}

static void add_chain(graze_world *world, random_state *random)
{
    graze_vec2 points[8];
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = 2 + random_below(random, 7);
    points[0] = random_place(random, EXTENT);
    for (uint32_t i = 1; i < def.count; ++i) {
        points[i] = graze_vec2_add(points[i - 1], random_place(random, 6));
    }
    def.loop = one_in(random, 2);
    def.one_sided = one_in(random, 4);
    def.sensor = one_in(random, 5);
    def.filter = random_filter(random);
    def.user_data = random_bits(random);
    graze_surface surfaces[8];
    for (uint32_t i = 0; i < 8; ++i) {
        surfaces[i] = random_surface(random);
    }
    def.surface = one_in(random, 2) ? surfaces[0] : def.surface;
    def.surfaces = one_in(random, 3) ? surfaces : NULL;
    assert_true(graze_chain_is_valid(world, graze_chain_create(world, &def)));
}

graze_world_def busy_def(void)
{
    graze_world_def def = graze_world_def_default();
    def.gravity.y = -4;
    return def;
}

void busy_fill(graze_world *world, random_state *random)
{
    for (uint32_t i = 0; i < CHAINS; ++i) {
        add_chain(world, random);
    }
    for (uint32_t i = 0; i < BODIES; ++i) {
        kit_add(world, random_body(random));
    }
}

static graze_body_id random_id(const graze_world *world, random_state *random)
{
    return graze_world_body_at(world, random_below(random, MAX_BODIES));
}

static graze_chain_id random_chain(random_state *random)
{
    graze_chain_id chain = {random_below(random, MAX_CHAINS), 1 + random_below(random, 4)};
    return chain;
}

static void change_how_it_moves(graze_world *world, random_state *random, graze_body_id body)
{
    switch (random_below(random, 6)) {
    case 0:
        graze_body_set_inertia(world, body, (float)random_below(random, 4));
        break;
    case 1:
        graze_body_set_damping(world, body, (float)random_below(random, 2));
        break;
    case 2:
        graze_body_set_spin_damping(world, body, (float)random_below(random, 2));
        break;
    case 3:
        graze_body_set_gravity_scale(world, body, (float)random_integer(random, -1, 2));
        break;
    case 4:
        graze_body_set_never_sleeps(world, body, one_in(random, 2));
        break;
    default:
        graze_body_set_surface(world, body, random_surface(random));
        break;
    }
}

static void change_what_it_is(graze_world *world, random_state *random, graze_body_id body)
{
    switch (random_below(random, 7)) {
    case 0:
        graze_body_set_mass(world, body, (float)random_below(random, 4));
        break;
    case 1:
        graze_body_set_restitution(world, body, random_float(random, 0, 1));
        break;
    case 2:
        graze_body_set_friction(world, body, random_float(random, 0, 1));
        break;
    case 3:
        graze_body_set_lifetime(world, body, random_float(random, 0, 4));
        break;
    case 4:
        graze_body_set_hit_limit(world, body, random_below(random, 6));
        break;
    case 5:
        graze_body_set_sensor(world, body, one_in(random, 2));
        break;
    default:
        graze_body_set_shape(world, body, random_shape(random));
        break;
    }
}

// Ids may be stale: that gives a status, and is no error of the test.
static void change_body(graze_world *world, random_state *random)
{
    graze_body_id body = random_id(world, random);
    switch (random_below(random, 15)) {
    case 0:
        graze_body_destroy(world, body);
        break;
    case 1:
        graze_body_set_position(world, body, random_place(random, EXTENT));
        break;
    case 2:
        graze_body_set_velocity(world, body, random_place(random, 20));
        break;
    case 3:
        graze_body_set_angle(world, body, random_float(random, -4, 4));
        break;
    case 4:
        graze_body_set_spin(world, body, random_float(random, -4, 4));
        break;
    case 5:
        graze_body_set_filter(world, body, random_filter(random));
        break;
    case 6:
        graze_body_set_response(world, body, (graze_response)random_below(random, 5));
        break;
    case 7:
        graze_body_set_user_data(world, body, random_bits(random));
        break;
    case 8:
    case 9:
    case 10:
        change_how_it_moves(world, random, body);
        break;
    default:
        change_what_it_is(world, random, body);
        break;
    }
}

static void change_terrain(graze_world *world, random_state *random)
{
    const uint32_t segment = one_in(random, 3) ? GRAZE_ALL_SEGMENTS : random_below(random, 3);
    graze_chain_set_surface(world, random_chain(random), segment, random_surface(random));
    graze_chain_destroy(world, random_chain(random));
    if (graze_world_get_stats(world).chain_count < MAX_CHAINS) {
        add_chain(world, random);
    }
}

static void push_some(graze_world *world, random_state *random, graze_body_id body)
{
    const graze_vec2 impulse = random_place(random, 2);
    graze_body_apply_impulse(world, body, impulse, random_place(random, EXTENT));
    graze_body_apply_spin_impulse(world, body, random_float(random, -1, 1));
    graze_world_explode(world, random_place(random, EXTENT), 3, 1, graze_filter_default());
}

static void turn_gravity(graze_world *world, random_state *random)
{
    const graze_vec2 gravity = random_place(random, 4);
    assert_int_equal(graze_world_set_gravity(world, gravity), GRAZE_OK);
    assert_int_equal(graze_world_set_substeps(world, 1 + random_below(random, 64)), GRAZE_OK);
}

// Keeps the crowd together.
static void recall(graze_world *world, uint32_t index)
{
    graze_body_id body = graze_world_body_at(world, index);
    graze_vec2 at = graze_body_position(world, body);
    if (at.x < -EXTENT || at.x > EXTENT || at.y < -EXTENT || at.y > EXTENT) {
        graze_body_set_position(world, body, graze_vec2_scale(at, -0.5f));
        graze_body_set_velocity(world, body, graze_vec2_scale(at, -0.7f));
    }
}

void busy_frame(graze_world *world, random_state *random)
{
    uint32_t missing = MAX_BODIES - graze_world_get_stats(world).body_count;
    for (uint32_t i = random_below(random, 4); i > 0 && missing >= i; --i) {
        kit_add(world, random_body(random));
    }
    for (uint32_t i = random_below(random, 4); i > 0; --i) {
        change_body(world, random);
    }
    if (one_in(random, 5)) {
        change_terrain(world, random);
    }
    if (one_in(random, 20)) {
        turn_gravity(world, random);
    }
    if (one_in(random, 3)) {
        push_some(world, random, graze_world_body_at(world, random_below(random, MAX_BODIES)));
    }
    for (uint32_t index = 0; index < MAX_BODIES; ++index) {
        recall(world, index);
    }
    kit_step(world, STEP);
}

graze_world *busy_empty_world(void)
{
    const graze_world_def def = busy_def();
    graze_world *world = graze_world_create(&def);
    assert_non_null(world);
    return world;
}

graze_world *busy_world_after(uint64_t seed, uint32_t frames)
{
    graze_world *world = busy_empty_world();
    random_state random = random_seed(seed);
    busy_fill(world, &random);
    for (uint32_t i = 0; i < frames; ++i) {
        busy_frame(world, &random);
    }
    return world;
}

unsigned char *busy_snapshot(uint64_t seed, uint32_t frames, size_t *size)
{
    graze_world *world = busy_world_after(seed, frames);
    unsigned char *bytes = kit_save(world, size);
    graze_world_destroy(world);
    return bytes;
}

// --- Comparing two worlds ---

static bool moves_are_same(const graze_world *first, const graze_world *second, graze_body_id body)
{
    const graze_surface surfaces[] = {graze_body_surface(first, body),
                                      graze_body_surface(second, body)};
    return memcmp(&surfaces[0], &surfaces[1], sizeof *surfaces) == 0 &&
           graze_body_inertia(first, body) == graze_body_inertia(second, body) &&
           graze_body_damping(first, body) == graze_body_damping(second, body) &&
           graze_body_spin_damping(first, body) == graze_body_spin_damping(second, body) &&
           graze_body_gravity_scale(first, body) == graze_body_gravity_scale(second, body) &&
           graze_body_never_sleeps(first, body) == graze_body_never_sleeps(second, body) &&
           graze_body_is_asleep(first, body) == graze_body_is_asleep(second, body);
}

static bool bodies_are_same(const graze_world *first, const graze_world *second, graze_body_id body)
{
    const graze_vec2 places[] = {
        graze_body_position(first, body), graze_body_position(second, body),
        graze_body_velocity(first, body), graze_body_velocity(second, body)};
    const float turns[] = {graze_body_angle(first, body), graze_body_angle(second, body),
                           graze_body_spin(first, body), graze_body_spin(second, body)};
    const graze_shape one = graze_body_shape(first, body);
    const graze_shape other = graze_body_shape(second, body);
    const graze_filter filters[] = {graze_body_filter(first, body),
                                    graze_body_filter(second, body)};
    return graze_body_is_valid(first, body) == graze_body_is_valid(second, body) &&
           memcmp(&places[0], &places[1], sizeof *places) == 0 &&
           memcmp(&places[2], &places[3], sizeof *places) == 0 &&
           memcmp(&turns[0], &turns[1], sizeof *turns) == 0 &&
           memcmp(&turns[2], &turns[3], sizeof *turns) == 0 && one.kind == other.kind &&
           one.radius == other.radius && one.half.x == other.half.x && one.half.y == other.half.y &&
           memcmp(&filters[0], &filters[1], sizeof *filters) == 0 &&
           graze_body_response(first, body) == graze_body_response(second, body) &&
           graze_body_is_sensor(first, body) == graze_body_is_sensor(second, body) &&
           graze_body_user_data(first, body) == graze_body_user_data(second, body) &&
           moves_are_same(first, second, body);
}

static void assert_same_bodies(const graze_world *first, const graze_world *second, uint64_t where)
{
    for (uint32_t index = 0; index < MAX_BODIES + 10; ++index) {
        graze_body_id one = graze_world_body_at(first, index);
        graze_body_id other = graze_world_body_at(second, index);
        if (!kit_is_same(one, other) || !bodies_are_same(first, second, one)) {
            fail_msg("at %u: body %u differs", (unsigned)where, (unsigned)index);
        }
    }
}

static bool surfaces_are_same(const graze_world *first, const graze_world *second,
                              graze_chain_id id, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        const graze_surface one = graze_chain_surface(first, id, i);
        const graze_surface other = graze_chain_surface(second, id, i);
        if (memcmp(&one, &other, sizeof one) != 0) {
            return false;
        }
    }
    return true;
}

static bool chains_are_same(const graze_world *first, const graze_world *second, graze_chain_id id)
{
    const graze_chain_def one = graze_chain_get_def(first, id);
    const graze_chain_def other = graze_chain_get_def(second, id);
    return graze_chain_is_valid(first, id) == graze_chain_is_valid(second, id) &&
           one.count == other.count && one.loop == other.loop && one.one_sided == other.one_sided &&
           one.sensor == other.sensor && one.user_data == other.user_data &&
           memcmp(&one.filter, &other.filter, sizeof one.filter) == 0 &&
           (one.count == 0 ||
            memcmp(one.points, other.points, one.count * sizeof *one.points) == 0) &&
           surfaces_are_same(first, second, id, one.count);
}

static void assert_same_chains(const graze_world *first, const graze_world *second, uint64_t where)
{
    for (uint32_t index = 0; index < MAX_CHAINS + 2; ++index) {
        for (uint32_t generation = 1; generation < 40; ++generation) {
            graze_chain_id id = {index, generation};
            if (!chains_are_same(first, second, id)) {
                fail_msg("at %u: chain %u differs", (unsigned)where, (unsigned)index);
            }
        }
    }
}

// Removed bodies can still be read: contacts name them.
static void assert_same_lists(const graze_world *first, const graze_world *second, uint64_t where)
{
    const graze_contact_list one = graze_world_contacts(first);
    const graze_contact_list other = graze_world_contacts(second);
    const graze_contact_end_list one_end = graze_world_contact_ends(first);
    const graze_contact_end_list other_end = graze_world_contact_ends(second);
    if (one.count != other.count || one_end.count != other_end.count) {
        fail_msg("at %u: %u and %u contacts, %u and %u ends", (unsigned)where, one.count,
                 other.count, one_end.count, other_end.count);
    }
    for (uint32_t i = 0; i < one.count; ++i) {
        if (memcmp(&one.data[i], &other.data[i], sizeof *one.data) != 0 ||
            !bodies_are_same(first, second, one.data[i].a)) {
            fail_msg("at %u: contact %u differs", (unsigned)where, (unsigned)i);
        }
    }
    for (uint32_t i = 0; i < one_end.count; ++i) {
        if (memcmp(&one_end.data[i], &other_end.data[i], sizeof *one_end.data) != 0) {
            fail_msg("at %u: end %u differs", (unsigned)where, (unsigned)i);
        }
    }
}

static void assert_same_stats(const graze_world *first, const graze_world *second, uint64_t where)
{
    const graze_world_stats one = graze_world_get_stats(first);
    const graze_world_stats other = graze_world_get_stats(second);
    if (one.step_count != other.step_count || one.body_count != other.body_count ||
        one.chain_count != other.chain_count || one.segment_count != other.segment_count ||
        one.pair_count != other.pair_count || one.contact_count != other.contact_count ||
        one.begin_count != other.begin_count || one.end_count != other.end_count ||
        graze_world_substeps(first) != graze_world_substeps(second) ||
        one.hit_count != other.hit_count || one.removed_count != other.removed_count ||
        one.overflow_count != other.overflow_count) {
        fail_msg("at %u: the counts differ", (unsigned)where);
    }
}

static void assert_same_rays(const graze_world *first, const graze_world *second, uint64_t where)
{
    enum { MAX_HITS = 64 };
    random_state random = random_seed(where);
    graze_query_hit one[MAX_HITS];
    graze_query_hit other[MAX_HITS];
    memset(one, 0, sizeof one);
    memset(other, 0, sizeof other);
    for (uint32_t i = 0; i < 4; ++i) {
        graze_ray ray = {random_place(&random, EXTENT), random_place(&random, 2 * EXTENT)};
        uint32_t count = graze_query_ray_all(first, ray, graze_filter_default(), one, MAX_HITS);
        uint32_t found = graze_query_ray_all(second, ray, graze_filter_default(), other, MAX_HITS);
        if (count != found || memcmp(one, other, sizeof one) != 0) {
            fail_msg("at %u: ray %u differs", (unsigned)where, (unsigned)i);
        }
    }
}

static void assert_same_boxes(const graze_world *first, const graze_world *second, uint64_t where)
{
    random_state random = random_seed(where);
    graze_body_id one[MAX_BODIES] = {{0, 0}};
    graze_body_id other[MAX_BODIES] = {{0, 0}};
    for (uint32_t i = 0; i < 4; ++i) {
        graze_vec2 at = random_place(&random, EXTENT);
        graze_aabb box = {at, {at.x + 3, at.y + 3}};
        const graze_filter filter = graze_filter_default();
        uint32_t counts[] = {graze_query_box(first, box, filter, one, MAX_BODIES),
                             graze_query_box(second, box, filter, other, MAX_BODIES)};
        if (counts[0] != counts[1] || memcmp(one, other, sizeof one) != 0) {
            fail_msg("at %u: box %u differs", (unsigned)where, (unsigned)i);
        }
    }
}

void busy_assert_same(const graze_world *first, const graze_world *second, uint64_t where)
{
    assert_same_bodies(first, second, where);
    assert_same_chains(first, second, where);
    assert_same_lists(first, second, where);
    assert_same_stats(first, second, where);
    assert_same_rays(first, second, where);
    assert_same_boxes(first, second, where);
    if (graze_world_hash(first) != graze_world_hash(second)) {
        fail_msg("at %u: the hashes differ", (unsigned)where);
    }
}
