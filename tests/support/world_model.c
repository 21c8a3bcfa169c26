#include "body_defs.h"
#include "model_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- Making and changing ---

static bool model_veto(const graze_world *world, graze_body_id a, graze_body_id b,
                       graze_segment_id segment, void *user)
{
    const world_model *model = user;
    uint64_t second = kit_is_none(b) ? graze_chain_get_def(world, segment.chain).user_data
                                     : graze_body_user_data(world, b);
    return model_veto_allows(model->veto_modulus, graze_body_user_data(world, a), second);
}

world_model *model_create(graze_vec2 gravity, uint32_t veto_modulus)
{
    world_model *model = calloc(1, sizeof *model);
    assert_non_null(model);
    model->gravity = gravity;
    model->veto_modulus = veto_modulus;
    graze_world_def def = graze_world_def_default();
    def.gravity = gravity;
    def.filter = veto_modulus ? model_veto : NULL;
    def.filter_user = model;
    model->world = graze_world_create(&def);
    assert_non_null(model->world);
    return model;
}

void model_destroy(world_model *model)
{
    graze_world_destroy(model->world);
    free(model);
}

void model_add_bodies(world_model *model, const graze_body_def *defs, uint32_t count)
{
    graze_body_id ids[MODEL_BODY_CAPACITY];
    assert_true(model->body_count + count <= MODEL_BODY_CAPACITY);
    assert_int_equal(graze_body_create_many(model->world, defs, count, ids), count);
    for (uint32_t i = 0; i < count; ++i) {
        model_body *body = &model->bodies[model->body_count++];
        body->id = ids[i];
        body->now = defs[i];
        bool is_rect = defs[i].shape.kind == GRAZE_SHAPE_RECT;
        body->rotation = graze_rotation_from_angle(is_rect ? defs[i].angle : 0);
    }
}

void model_remove_body(world_model *model, uint32_t place)
{
    graze_body_id id = model->bodies[place].id;
    assert_int_equal(graze_body_destroy(model->world, id), GRAZE_OK);
    assert_false(graze_body_is_valid(model->world, id));
    assert_int_equal(graze_body_destroy(model->world, id), GRAZE_ERROR_STALE_ID);
    model->bodies[place] = model->bodies[--model->body_count];
}

void model_set_position(world_model *model, uint32_t place, graze_vec2 position)
{
    model_body *body = &model->bodies[place];
    assert_int_equal(graze_body_set_position(model->world, body->id, position), GRAZE_OK);
    body->now.position = position;
}

void model_set_velocity(world_model *model, uint32_t place, graze_vec2 velocity)
{
    model_body *body = &model->bodies[place];
    assert_int_equal(graze_body_set_velocity(model->world, body->id, velocity), GRAZE_OK);
    body->now.velocity = velocity;
}

void model_set_angle(world_model *model, uint32_t place, float angle)
{
    model_body *body = &model->bodies[place];
    assert_int_equal(graze_body_set_angle(model->world, body->id, angle), GRAZE_OK);
    if (body->now.shape.kind == GRAZE_SHAPE_RECT) {
        body->now.angle = angle;
        body->rotation = graze_rotation_from_angle(angle);
    }
}

void model_set_spin(world_model *model, uint32_t place, float spin)
{
    model_body *body = &model->bodies[place];
    assert_int_equal(graze_body_set_spin(model->world, body->id, spin), GRAZE_OK);
    body->now.spin = spin;
}

void model_set_filter(world_model *model, uint32_t place, graze_filter filter)
{
    model_body *body = &model->bodies[place];
    assert_int_equal(graze_body_set_filter(model->world, body->id, filter), GRAZE_OK);
    body->now.filter = filter;
}

void model_add_chain(world_model *model, const graze_chain_def *def)
{
    assert_true(model->chain_count < MODEL_CHAIN_CAPACITY && def->count <= MODEL_POINT_CAPACITY);
    model_chain *chain = &model->chains[model->chain_count++];
    chain->id = graze_chain_create(model->world, def);
    assert_int_equal(graze_world_last_status(model->world), GRAZE_OK);
    chain->def = *def;
    memcpy(chain->points, def->points, def->count * sizeof *def->points);
    chain->def.points = NULL;
}

void model_remove_chain(world_model *model, uint32_t place)
{
    graze_chain_id id = model->chains[place].id;
    assert_int_equal(graze_chain_destroy(model->world, id), GRAZE_OK);
    assert_false(graze_chain_is_valid(model->world, id));
    assert_int_equal(graze_chain_destroy(model->world, id), GRAZE_ERROR_STALE_ID);
    model->chains[place] = model->chains[--model->chain_count];
}

// --- The step ---

static void predict(world_model *model, float dt)
{
    for (uint32_t i = 0; i < model->body_count; ++i) {
        model_body *body = &model->bodies[i];
        bool falls = body->now.mass > 0;
        body->end_velocity.x = body->now.velocity.x + (falls ? model->gravity.x * dt : 0);
        body->end_velocity.y = body->now.velocity.y + (falls ? model->gravity.y * dt : 0);
        body->end.x = body->now.position.x + body->end_velocity.x * dt;
        body->end.y = body->now.position.y + body->end_velocity.y * dt;
    }
}

// The angle is the world's own, which must be right modulo whole turns.
static void read_angles(world_model *model, float dt)
{
    const double turn = 6.283185307179586;
    for (uint32_t i = 0; i < model->body_count; ++i) {
        model_body *body = &model->bodies[i];
        float angle = graze_body_angle(model->world, body->id);
        body->end_rotation = body->rotation;
        if (!model_is_rect(body)) {
            assert_true(angle == 0);
            continue;
        }
        float wanted = body->now.angle + (model_spins(body) ? body->now.spin * dt : 0);
        double difference = remainder((double)wanted - (double)angle, turn);
        assert_true(fabs(difference) < 1e-6 * (1 + fabs((double)wanted)));
        assert_true(angle >= -3.1415928f && angle <= 3.1415928f);
        body->now.angle = angle;
        if (model_spins(body)) {
            body->end_rotation = graze_rotation_from_angle(angle);
        }
    }
}

static bool is_over(model_body *body, float dt)
{
    if (body->now.lifetime <= 0) {
        return false;
    }
    bool over = body->now.lifetime <= dt * 1.0625f; // A sixteenth of a step is rounding.
    body->now.lifetime -= over ? body->now.lifetime : dt;
    return over;
}

// Compares the bodies' positions, and removes those whose lifetime is over.
static void commit(world_model *model, float dt)
{
    for (uint32_t i = model->body_count; i-- > 0;) {
        model_body *body = &model->bodies[i];
        kit_assert_same_vec2(graze_body_position(model->world, body->id), body->end);
        kit_assert_same_vec2(graze_body_velocity(model->world, body->id), body->end_velocity);
        assert_int_equal(graze_body_user_data(model->world, body->id), body->now.user_data);
        body->now.position = body->end;
        body->now.velocity = body->end_velocity;
        body->rotation = body->end_rotation;
        bool over = is_over(body, dt);
        assert_int_equal(graze_body_is_valid(model->world, body->id), !over);
        if (over) {
            *body = model->bodies[--model->body_count];
        }
    }
}

static void compare_stats(const world_model *model)
{
    graze_world_stats stats = graze_world_get_stats(model->world);
    uint32_t begin_count = 0;
    for (uint32_t i = 0; i < model->contact_count; ++i) {
        begin_count += model->contacts[i].contact.phase == GRAZE_CONTACT_BEGIN;
    }
    assert_int_equal(stats.contact_count, model->contact_count);
    assert_int_equal(stats.begin_count, begin_count);
    assert_int_equal(stats.end_count, model->end_count);
    assert_int_equal(stats.body_count, model->body_count);
    assert_int_equal(stats.chain_count, model->chain_count);
    assert_int_equal(stats.overflow_count, 0);
}

void model_step(world_model *model, float dt)
{
    model->dt = dt;
    predict(model, dt);
    kit_step(model->world, dt);
    read_angles(model, dt);
    model_find_contacts(model);
    model_compare_lists(model);
    commit(model, dt);
    compare_stats(model);
}

// --- Random things ---

static float random_coordinate(random_state *random, float extent, bool lattice)
{
    int steps = (int)(extent * 2);
    return lattice ? (float)random_integer(random, -steps, steps) * 0.5f
                   : random_float(random, -extent, extent);
}

static graze_vec2 random_point(random_state *random, float extent, bool lattice)
{
    graze_vec2 point;
    point.x = random_coordinate(random, extent, lattice);
    point.y = random_coordinate(random, extent, lattice);
    return point;
}

static graze_shape random_shape(random_state *random, bool lattice)
{
    float size =
        lattice ? 0.5f * (float)random_integer(random, 1, 3) : random_float(random, 0.1f, 1.5f);
    switch (random_below(random, 8)) {
    case 0:
    case 1:
    case 2:
        return graze_shape_circle(size);
    case 3:
        return graze_shape_circle(random_below(random, 2) ? 0 : 4 * size);
    case 4:
    case 5:
        return graze_shape_rect(size, lattice ? 0.5f : random_float(random, 0.1f, 1));
    default:
        return graze_shape_ray();
    }
}

graze_filter model_random_filter(random_state *random)
{
    graze_filter filter = graze_filter_default();
    if (random_below(random, 4) == 0) {
        filter.category = random_below(random, 8);
        filter.mask = random_below(random, 16);
        filter.group = random_integer(random, -2, 2);
    }
    return filter;
}

graze_body_def model_random_body(random_state *random, float extent, bool lattice)
{
    graze_body_def def = test_body_def();
    def.shape = random_shape(random, lattice);
    def.position = random_point(random, extent, lattice);
    float speed = def.shape.kind == GRAZE_SHAPE_RAY ? extent / 2 : 3;
    def.velocity = random_point(random, speed, lattice);
    if (def.shape.kind == GRAZE_SHAPE_RECT) {
        def.angle = random_below(random, 3) ? random_float(random, -3, 3) : 0;
        def.spin = random_below(random, 3) ? 0 : random_float(random, -4, 4);
    }
    def.mass = random_below(random, 5) ? 1 : 0;
    def.sensor = random_below(random, 6) == 0;
    def.hit_limit = random_below(random, 4) ? 0 : UINT32_MAX;
    def.filter = model_random_filter(random);
    def.user_data = random_below(random, 1000);
    return def;
}

void model_add_random_chain(world_model *model, random_state *random, float extent, bool lattice)
{
    graze_vec2 points[12];
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = 2 + random_below(random, 11);
    for (uint32_t i = 0; i < def.count; ++i) {
        points[i] = random_point(random, extent, lattice);
    }
    def.loop = random_below(random, 2);
    def.one_sided = random_below(random, 3) == 0;
    def.sensor = random_below(random, 4) == 0;
    def.filter = model_random_filter(random);
    def.user_data = random_below(random, 1000);
    model_add_chain(model, &def);
}
