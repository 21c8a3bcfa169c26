#include "world_kit.h"

#include <float.h>
#include <math.h>
#include <string.h>

// --- Defs ---

static void refuse_body(graze_world *world, kit_log *log, graze_body_def def, const char *words)
{
    uint64_t hash = graze_world_hash(world);
    assert_true(kit_is_none(graze_body_create(world, &def)));
    assert_int_equal(graze_world_last_status(world), GRAZE_ERROR_ARGUMENT);
    kit_assert_logged(log, GRAZE_ERROR_ARGUMENT, words);
    assert_true(graze_world_hash(world) == hash);
}

/// A field of a def, and what it must not be.
typedef struct bad_field {
    const char *name;
    size_t offset;
    bool may_be_negative, may_be_zero, may_exceed_one;
} bad_field;

static void refuse_field(graze_world *world, kit_log *log, graze_body_def good,
                         const bad_field *field)
{
    const float values[] = {NAN, INFINITY, -INFINITY, -1, -1e-30f, 0, 1.5f, 3e38f};
    for (uint32_t i = 0; i < sizeof values / sizeof *values; ++i) {
        float value = values[i];
        bool allowed = isfinite(value) && (value >= 0 || field->may_be_negative) &&
                       (value != 0 || field->may_be_zero) && (value <= 1 || field->may_exceed_one);
        graze_body_def def = good;
        memcpy((char *)&def + field->offset, &value, sizeof value);
        if (allowed) {
            assert_int_equal(graze_body_destroy(world, kit_add(world, def)), GRAZE_OK);
        } else {
            refuse_body(world, log, def, field->name);
        }
    }
}

static void every_bad_field_of_a_def_is_refused_by_its_name(void **state)
{
    (void)state;
    const bad_field fields[] = {
        {"graze_body_create|position.x is", offsetof(graze_body_def, position.x), true, true, true},
        {"graze_body_create|position.y is", offsetof(graze_body_def, position.y), true, true, true},
        {"graze_body_create|velocity.x is", offsetof(graze_body_def, velocity.x), true, true, true},
        {"graze_body_create|velocity.y is", offsetof(graze_body_def, velocity.y), true, true, true},
        {"graze_body_create|angle is", offsetof(graze_body_def, angle), true, true, true},
        {"graze_body_create|spin is", offsetof(graze_body_def, spin), true, true, true},
        {"graze_body_create|mass is", offsetof(graze_body_def, mass), false, true, true},
        {"graze_body_create|restitution is", offsetof(graze_body_def, restitution), false, true,
         false},
        {"graze_body_create|friction is", offsetof(graze_body_def, friction), false, true, true},
        {"graze_body_create|rolling_resistance is",
         offsetof(graze_body_def, surface.rolling_resistance), false, true, true},
        {"graze_body_create|surface.speed is", offsetof(graze_body_def, surface.speed), true, true,
         true},
        {"graze_body_create|inertia is", offsetof(graze_body_def, inertia), false, true, true},
        {"graze_body_create|damping is", offsetof(graze_body_def, damping), false, true, true},
        {"graze_body_create|spin_damping is", offsetof(graze_body_def, spin_damping), false, true,
         true},
        {"graze_body_create|gravity_scale is", offsetof(graze_body_def, gravity_scale), true, true,
         true},
        {"graze_body_create|lifetime is", offsetof(graze_body_def, lifetime), false, true, true},
    };
    kit_log log;
    graze_world *world = kit_world_logging(&log);
    kit_add(world, kit_circle(0, 0, 1));
    for (uint32_t i = 0; i < sizeof fields / sizeof *fields; ++i) {
        refuse_field(world, &log, kit_circle(1, 2, 3), &fields[i]);
        refuse_field(world, &log, kit_rect(1, 2, 3, 4), &fields[i]);
    }
    const bad_field radius = {"shape.radius is", offsetof(graze_body_def, shape.radius), false,
                              true, true};
    const bad_field half_x = {"shape.half.x is", offsetof(graze_body_def, shape.half.x), false,
                              false, true};
    const bad_field half_y = {"shape.half.y is", offsetof(graze_body_def, shape.half.y), false,
                              false, true};
    refuse_field(world, &log, kit_circle(1, 2, 3), &radius);
    refuse_field(world, &log, kit_rect(1, 2, 3, 4), &half_x);
    refuse_field(world, &log, kit_rect(1, 2, 3, 4), &half_y);
    graze_body_def def = kit_circle(1, 2, 3);
    def.restitution = 1 + FLT_EPSILON;
    refuse_body(world, &log, def, "restitution is 1.0000001; it must be 0 to 1");
    graze_world_destroy(world);
}

static void unknown_enums_missing_cookies_and_null_are_refused(void **state)
{
    (void)state;
    kit_log log;
    graze_world *world = kit_world_logging(&log);
    graze_body_def def = kit_circle(0, 0, 1);
    def.shape.kind = (graze_shape_kind)3;
    refuse_body(world, &log, def, "graze_body_create: shape.kind is 3");
    def.shape.kind = (graze_shape_kind)-1;
    refuse_body(world, &log, def, "shape.kind");
    def = kit_circle(0, 0, 1);
    def.response = (graze_response)5;
    refuse_body(world, &log, def, "graze_body_create: response is 5");
    def = kit_circle(0, 0, 1);
    def.cookie = 0;
    refuse_body(world, &log, def, "graze_body_create: cookie is 0|graze_body_def_default");
    memset(&def, 0, sizeof def);
    refuse_body(world, &log, def, "cookie");
    assert_true(kit_is_none(graze_body_create(world, NULL)));
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_body_create|def|null");
    assert_int_equal(graze_body_create_many(world, NULL, 2, NULL), 0);
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_body_create_many|defs is null");
    graze_world_destroy(world);
}

static void one_bad_def_of_many_is_named_and_none_is_made(void **state)
{
    (void)state;
    kit_log log;
    graze_world *world = kit_world_logging(&log);
    graze_body_def defs[5];
    for (uint32_t i = 0; i < 5; ++i) {
        defs[i] = kit_circle((float)i, 0, 1);
    }
    defs[3].mass = -2;
    graze_body_id ids[5] = {{9, 9}, {9, 9}, {9, 9}, {9, 9}, {9, 9}};
    uint64_t hash = graze_world_hash(world);
    assert_int_equal(graze_body_create_many(world, defs, 5, ids), 0);
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_body_create_many|def 3|mass is -2");
    assert_true(graze_world_hash(world) == hash);
    assert_int_equal(ids[0].index, 9);
    defs[3].mass = 2;
    defs[4].response = (graze_response)7;
    assert_int_equal(graze_body_create_many(world, defs, 5, ids), 0);
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_body_create_many|def 4|response is 7");
    defs[4].response = GRAZE_STOP;
    assert_int_equal(graze_body_create_many(world, defs, 5, NULL), 5);
    assert_int_equal(graze_body_create_many(world, NULL, 0, NULL), 0);
    assert_int_equal(graze_world_last_status(world), GRAZE_OK);
    assert_int_equal(graze_world_get_stats(world).body_count, 5);
    graze_world_destroy(world);
}

static void the_default_def_is_as_documented(void **state)
{
    (void)state;
    graze_body_def def = graze_body_def_default();
    assert_int_equal(def.shape.kind, GRAZE_SHAPE_CIRCLE);
    assert_true(def.shape.radius == 0.5f && def.mass == 1 && def.lifetime == 0);
    assert_int_equal(def.response, GRAZE_RIGID);
    assert_true(def.friction == 0.6f && def.restitution == 0);
    assert_false(def.sensor);
    assert_int_equal(def.hit_limit, 0);
    assert_int_equal(def.filter.category, 1);
    assert_int_equal(def.filter.mask, UINT32_MAX);
    assert_int_equal(def.filter.pass, 0);
    assert_int_equal(def.filter.group, 0);
    graze_world *world = kit_world();
    kit_add(world, def);
    graze_world_destroy(world);
}

// --- Reading and changing ---

static void getters_return_what_the_def_said(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_def def = kit_moving(kit_rect(1, 2, 3, 4), 5, 6, GRAZE_STOP);
    def.angle = 0.5f;
    def.spin = -2;
    def.sensor = true;
    def.filter.category = 4;
    def.filter.mask = 6;
    def.filter.pass = 10;
    def.filter.group = -3;
    def.user_data = UINT64_C(0x123456789ABCDEF0);
    def.mass = 7;
    def.restitution = 0.25f;
    def.friction = 0.75f;
    def.lifetime = 9;
    def.hit_limit = 3;
    graze_body_id body = kit_add(world, def);
    kit_assert_same_vec2(graze_body_position(world, body), def.position);
    kit_assert_same_vec2(graze_body_velocity(world, body), def.velocity);
    assert_true(graze_body_angle(world, body) == 0.5f && graze_body_spin(world, body) == -2);
    graze_shape shape = graze_body_shape(world, body);
    assert_int_equal(shape.kind, GRAZE_SHAPE_RECT);
    assert_true(shape.half.x == 3 && shape.half.y == 4 && shape.radius == 0);
    graze_filter filter = graze_body_filter(world, body);
    assert_memory_equal(&filter, &def.filter, sizeof filter);
    assert_int_equal(graze_body_response(world, body), GRAZE_STOP);
    assert_true(graze_body_is_sensor(world, body));
    assert_true(graze_body_user_data(world, body) == def.user_data);
    assert_true(graze_body_mass(world, body) == 7);
    assert_true(graze_body_restitution(world, body) == 0.25f);
    assert_true(graze_body_friction(world, body) == 0.75f);
    assert_true(graze_body_lifetime(world, body) == 9);
    assert_int_equal(graze_body_hit_limit(world, body), 3);
    graze_world_destroy(world);
}

static void setters_set(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_id body = kit_add(world, kit_rect(1, 2, 3, 4));
    const graze_vec2 v = {7, -8};
    const graze_filter filter = {2, 3, 8, 5};
    assert_int_equal(graze_body_set_position(world, body, v), GRAZE_OK);
    assert_int_equal(graze_body_set_velocity(world, body, v), GRAZE_OK);
    assert_int_equal(graze_body_set_angle(world, body, 1), GRAZE_OK);
    assert_int_equal(graze_body_set_spin(world, body, 2), GRAZE_OK);
    assert_int_equal(graze_body_set_filter(world, body, filter), GRAZE_OK);
    assert_int_equal(graze_body_set_response(world, body, GRAZE_STOP), GRAZE_OK);
    assert_int_equal(graze_body_set_user_data(world, body, 99), GRAZE_OK);
    kit_assert_same_vec2(graze_body_position(world, body), v);
    kit_assert_same_vec2(graze_body_velocity(world, body), v);
    assert_true(graze_body_angle(world, body) == 1 && graze_body_spin(world, body) == 2);
    graze_filter read = graze_body_filter(world, body);
    assert_memory_equal(&read, &filter, sizeof read);
    assert_int_equal(graze_body_response(world, body), GRAZE_STOP);
    assert_int_equal(graze_body_user_data(world, body), 99);
    graze_world_destroy(world);
}

static void setters_of_what_a_body_is_set(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_id body = kit_add(world, kit_circle(1, 2, 3));
    assert_int_equal(graze_body_set_mass(world, body, 0), GRAZE_OK);
    assert_int_equal(graze_body_set_restitution(world, body, 0.5f), GRAZE_OK);
    assert_int_equal(graze_body_set_friction(world, body, 1), GRAZE_OK);
    assert_int_equal(graze_body_set_lifetime(world, body, 8), GRAZE_OK);
    assert_int_equal(graze_body_set_hit_limit(world, body, UINT32_MAX), GRAZE_OK);
    assert_int_equal(graze_body_set_sensor(world, body, true), GRAZE_OK);
    assert_int_equal(graze_body_set_shape(world, body, graze_shape_rect(4, 5)), GRAZE_OK);
    assert_true(graze_body_mass(world, body) == 0);
    assert_true(graze_body_restitution(world, body) == 0.5f);
    assert_true(graze_body_friction(world, body) == 1);
    assert_true(graze_body_lifetime(world, body) == 8);
    assert_int_equal(graze_body_hit_limit(world, body), UINT32_MAX);
    assert_true(graze_body_is_sensor(world, body));
    const graze_shape shape = graze_body_shape(world, body);
    assert_int_equal(shape.kind, GRAZE_SHAPE_RECT);
    assert_true(shape.half.x == 4 && shape.half.y == 5 && shape.radius == 0);
    graze_world_destroy(world);
}

static void angles_stay_within_half_a_turn(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_def def = kit_rect(0, 0, 1, 1);
    def.angle = 7;
    def.spin = 3;
    graze_body_id body = kit_add(world, def);
    kit_assert_near(graze_body_angle(world, body), 7 - 6.2831853f, 1e-6f);
    double angle = 7;
    for (uint32_t step = 0; step < 100; ++step) {
        kit_step(world, 0.75f);
        angle += 2.25;
        float now = graze_body_angle(world, body);
        assert_true(now >= -3.1415928f && now <= 3.1415928f);
        assert_true(fabs(remainder((double)now - angle, 6.283185307179586)) < 1e-4);
    }
    const float odd[] = {1e6f, -1e9f, 3e38f, -3e38f, 3.1415927f, -3.1415927f};
    for (uint32_t i = 0; i < sizeof odd / sizeof *odd; ++i) {
        assert_int_equal(graze_body_set_angle(world, body, odd[i]), GRAZE_OK);
        float now = graze_body_angle(world, body);
        assert_true(now >= -3.1415928f && now <= 3.1415928f);
    }
    graze_world_destroy(world);
}

static void circles_and_rays_have_no_angle_and_no_spin(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_def def = kit_circle(0, 0, 1);
    def.angle = 2;
    def.spin = 3;
    graze_body_id circle = kit_add(world, def);
    graze_body_id ray = kit_add(world, kit_bullet(5, 5, 0, 0));
    assert_int_equal(graze_body_set_angle(world, ray, 2), GRAZE_OK);
    assert_int_equal(graze_body_set_spin(world, ray, 2), GRAZE_OK);
    kit_step(world, 1);
    assert_true(graze_body_angle(world, circle) == 0 && graze_body_spin(world, circle) == 0);
    assert_true(graze_body_angle(world, ray) == 0 && graze_body_spin(world, ray) == 0);
    graze_world_destroy(world);
}

typedef graze_status set_vector(graze_world *world, graze_body_id body, graze_vec2 value);
typedef graze_status set_number(graze_world *world, graze_body_id body, float value);

static void values_that_are_not_finite_are_refused_later_too(void **state)
{
    (void)state;
    kit_log log;
    graze_world *world = kit_world_logging(&log);
    graze_body_id body = kit_add(world, kit_rect(1, 2, 3, 4));
    uint64_t hash = graze_world_hash(world);
    set_vector *const vectors[] = {graze_body_set_position, graze_body_set_velocity};
    set_number *const numbers[] = {graze_body_set_angle, graze_body_set_spin};
    const char *const vector_names[] = {"graze_body_set_position|position is",
                                        "graze_body_set_velocity|velocity is"};
    const char *const number_names[] = {"graze_body_set_angle|angle is",
                                        "graze_body_set_spin|spin is"};
    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (uint32_t i = 0; i < 6; ++i) {
        graze_vec2 value = {i % 2 ? bad[i / 2] : 1, i % 2 ? 1 : bad[i / 2]};
        for (uint32_t k = 0; k < 2; ++k) {
            assert_int_equal(vectors[k](world, body, value), GRAZE_ERROR_ARGUMENT);
            kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, vector_names[k]);
            assert_int_equal(numbers[k](world, body, bad[i / 2]), GRAZE_ERROR_ARGUMENT);
            kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, number_names[k]);
        }
    }
    assert_int_equal(graze_body_set_response(world, body, (graze_response)17),
                     GRAZE_ERROR_ARGUMENT);
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "graze_body_set_response|response is 17");
    assert_true(graze_world_hash(world) == hash);
    graze_world_destroy(world);
}

/// A setter of a number, and what the number must not be.
typedef struct number_setter {
    set_number *set;
    const char *words;
    bool may_exceed_one;
} number_setter;

static void refuse_numbers(graze_world *world, kit_log *log, graze_body_id body,
                           const number_setter *of)
{
    const float values[] = {NAN, INFINITY, -INFINITY, -1, -1e-30f, 1 + FLT_EPSILON, 3e38f};
    for (uint32_t i = 0; i < sizeof values / sizeof *values; ++i) {
        const bool allowed = isfinite(values[i]) && values[i] >= 1 && of->may_exceed_one;
        const uint64_t hash = graze_world_hash(world);
        const graze_status status = of->set(world, body, values[i]);
        assert_int_equal(status, allowed ? GRAZE_OK : GRAZE_ERROR_ARGUMENT);
        if (!allowed) {
            kit_assert_logged(log, GRAZE_ERROR_ARGUMENT, of->words);
            assert_true(graze_world_hash(world) == hash);
        }
    }
}

static void numbers_out_of_their_range_are_refused_later_too(void **state)
{
    (void)state;
    kit_log log;
    graze_world *world = kit_world_logging(&log);
    graze_body_id body = kit_add(world, kit_rect(1, 2, 3, 4));
    const number_setter setters[] = {
        {graze_body_set_mass, "graze_body_set_mass: mass is|finite and at least 0", true},
        {graze_body_set_restitution, "graze_body_set_restitution: restitution is|0 to 1", false},
        {graze_body_set_friction, "graze_body_set_friction: friction is|at least 0", true},
        {graze_body_set_inertia, "graze_body_set_inertia: inertia is|at least 0", true},
        {graze_body_set_damping, "graze_body_set_damping: damping is|at least 0", true},
        {graze_body_set_spin_damping, "graze_body_set_spin_damping: spin_damping is|at least 0",
         true},
        {graze_body_set_lifetime, "graze_body_set_lifetime: lifetime is|at least 0", true},
    };
    for (uint32_t i = 0; i < sizeof setters / sizeof *setters; ++i) {
        refuse_numbers(world, &log, body, &setters[i]);
    }
    assert_int_equal(graze_body_set_restitution(world, body, 1 + FLT_EPSILON),
                     GRAZE_ERROR_ARGUMENT);
    kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, "restitution is 1.0000001; it must be 0 to 1");
    graze_world_destroy(world);
}

static void shapes_that_no_def_may_have_are_refused_later_too(void **state)
{
    (void)state;
    kit_log log;
    graze_world *world = kit_world_logging(&log);
    graze_body_id body = kit_add(world, kit_circle(1, 2, 3));
    const struct {
        graze_shape shape;
        const char *words;
    } cases[] = {
        {{GRAZE_SHAPE_CIRCLE, -1, {0, 0}}, "graze_body_set_shape: shape.radius is -1"},
        {{GRAZE_SHAPE_CIRCLE, NAN, {0, 0}}, "graze_body_set_shape: shape.radius is"},
        {{GRAZE_SHAPE_RECT, 0, {0, 1}}, "graze_body_set_shape: shape.half.x is 0"},
        {{GRAZE_SHAPE_RECT, 0, {1, INFINITY}}, "graze_body_set_shape: shape.half.y is inf"},
        {{(graze_shape_kind)3, 1, {1, 1}},
         "graze_body_set_shape: shape.kind is 3, which is no graze_shape_kind"},
    };
    const uint64_t hash = graze_world_hash(world);
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        assert_int_equal(graze_body_set_shape(world, body, cases[i].shape), GRAZE_ERROR_ARGUMENT);
        kit_assert_logged(&log, GRAZE_ERROR_ARGUMENT, cases[i].words);
    }
    assert_true(graze_world_hash(world) == hash);
    graze_world_destroy(world);
}

static void a_teleport_meets_nothing_on_its_way(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    kit_add(world, kit_circle(5, 0, 1));
    kit_wall(world, 8, -5, 8, 5);
    graze_body_id body = kit_add(world, kit_moving(kit_circle(0, 0, 1), 0, 0, GRAZE_STOP));
    kit_step(world, 1);
    const graze_vec2 beyond = {20, 0};
    assert_int_equal(graze_body_set_position(world, body, beyond), GRAZE_OK);
    kit_step(world, 1);
    assert_int_equal(graze_world_contacts(world).count, 0);
    kit_assert_same_vec2(graze_body_position(world, body), beyond);
    graze_world_destroy(world);
}

// --- Columns ---

static void columns_hold_every_body_once(void **state)
{
    (void)state;
    random_state random = random_seed(4);
    graze_world *world = kit_world();
    for (uint32_t i = 0; i < 100; ++i) {
        graze_body_def def = kit_rect(random_float(&random, -50, 50), (float)i, 1, 1);
        def.angle = random_float(&random, -3, 3);
        kit_add(world, kit_moving(def, (float)i, -(float)i, GRAZE_PASS));
    }
    for (uint32_t i = 0; i < 30; ++i) {
        graze_body_destroy(world, graze_world_body_at(world, random_below(&random, 100)));
    }
    kit_step(world, 0.125f);
    uint32_t counts[4];
    const graze_vec2 *positions = graze_world_positions(world, &counts[0]);
    const graze_vec2 *velocities = graze_world_velocities(world, &counts[1]);
    const float *angles = graze_world_angles(world, &counts[2]);
    const uint32_t *indices = graze_world_indices(world, &counts[3]);
    bool seen[100] = {false};
    for (uint32_t i = 0; i < counts[0]; ++i) {
        graze_body_id body = graze_world_body_at(world, indices[i]);
        assert_true(graze_body_is_valid(world, body) && !seen[indices[i]]);
        seen[indices[i]] = true;
        kit_assert_same_vec2(positions[i], graze_body_position(world, body));
        kit_assert_same_vec2(velocities[i], graze_body_velocity(world, body));
        assert_true(angles[i] == graze_body_angle(world, body));
    }
    for (uint32_t i = 0; i < 4; ++i) {
        assert_int_equal(counts[i], graze_world_get_stats(world).body_count);
    }
    graze_world_destroy(world);
}

static void without_rects_there_may_be_no_column_of_angles(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    kit_add(world, kit_circle(0, 0, 1));
    kit_step(world, 1);
    uint32_t count;
    const float *angles = graze_world_angles(world, &count);
    assert_int_equal(count, 1);
    assert_true(!angles || angles[0] == 0);
    kit_add(world, kit_rect(9, 9, 1, 1));
    angles = graze_world_angles(world, &count);
    assert_int_equal(count, 2);
    assert_true(angles && angles[0] == 0 && angles[1] == 0);
    graze_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bad_field_of_a_def_is_refused_by_its_name),
        cmocka_unit_test(unknown_enums_missing_cookies_and_null_are_refused),
        cmocka_unit_test(one_bad_def_of_many_is_named_and_none_is_made),
        cmocka_unit_test(the_default_def_is_as_documented),
        cmocka_unit_test(getters_return_what_the_def_said),
        cmocka_unit_test(setters_set),
        cmocka_unit_test(setters_of_what_a_body_is_set),
        cmocka_unit_test(angles_stay_within_half_a_turn),
        cmocka_unit_test(circles_and_rays_have_no_angle_and_no_spin),
        cmocka_unit_test(values_that_are_not_finite_are_refused_later_too),
        cmocka_unit_test(numbers_out_of_their_range_are_refused_later_too),
        cmocka_unit_test(shapes_that_no_def_may_have_are_refused_later_too),
        cmocka_unit_test(a_teleport_meets_nothing_on_its_way),
        cmocka_unit_test(columns_hold_every_body_once),
        cmocka_unit_test(without_rects_there_may_be_no_column_of_angles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
