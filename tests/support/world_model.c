#include "world_model.h"

#include <graze/sweep.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- Who meets whom ---

static bool veto_allows(uint32_t modulus, uint64_t first, uint64_t second)
{
    return modulus == 0 || (first + second) % modulus != 0;
}

static bool model_veto(const graze_world *world, graze_body_id a, graze_body_id b,
                       graze_segment_id segment, void *user)
{
    const world_model *model = user;
    uint64_t second = kit_is_none(b) ? graze_chain_get_def(world, segment.chain).user_data
                                     : graze_body_user_data(world, b);
    return veto_allows(model->veto_modulus, graze_body_user_data(world, a), second);
}

static bool filters_allow(graze_filter a, graze_filter b)
{
    if (a.group != 0 && a.group == b.group) {
        return a.group > 0;
    }
    return (a.category & b.mask) && (b.category & a.mask);
}

// --- Making and changing ---

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

// --- What meets in a step ---

static graze_vec2d widen(graze_vec2 v)
{
    graze_vec2d wide = {(double)v.x, (double)v.y};
    return wide;
}

static graze_vec2d minus(graze_vec2d a, graze_vec2d b)
{
    graze_vec2d d = {a.x - b.x, a.y - b.y};
    return d;
}

static graze_vec2d plus_times(graze_vec2d a, graze_vec2d b, double t)
{
    graze_vec2d sum = {a.x + b.x * t, a.y + b.y * t};
    return sum;
}

static graze_vec2d negated(graze_vec2d v)
{
    graze_vec2d back = {-v.x, -v.y};
    return back;
}

static bool is_rect(const model_body *body)
{
    return body->now.shape.kind == GRAZE_SHAPE_RECT;
}

static bool is_ray(const model_body *body)
{
    return body->now.shape.kind == GRAZE_SHAPE_RAY;
}

static bool spins(const model_body *body)
{
    return is_rect(body) && body->now.spin != 0;
}

static double radius_of(const model_body *body)
{
    return is_ray(body) ? 0 : (double)body->now.shape.radius;
}

// The answer is b seen from a: `point` is relative to b's centre at that time.
static graze_sweep sweep_bodies(const model_body *a, const model_body *b, graze_rotation turned_a,
                                graze_rotation turned_b, graze_vec2d start, graze_vec2d delta)
{
    if (is_rect(a) && is_rect(b)) {
        return graze_sweep_rects(start, delta, a->now.shape.half, turned_a, b->now.shape.half,
                                 turned_b);
    }
    if (is_rect(b)) {
        return graze_sweep_circle_rect(start, delta, radius_of(a), b->now.shape.half, turned_b);
    }
    if (!is_rect(a)) {
        return graze_sweep_circles(start, delta, radius_of(a), radius_of(b));
    }
    graze_sweep sweep = graze_sweep_circle_rect(negated(start), negated(delta), radius_of(b),
                                                a->now.shape.half, turned_a);
    sweep.normal = negated(sweep.normal);
    sweep.point = plus_times(sweep.point, plus_times(start, delta, sweep.time), 1);
    return sweep;
}

static float single(double number)
{
    return (float)number + 0.0f;
}

static graze_contact *add_contact(world_model *model, const model_body *a, const graze_sweep *sweep,
                                  graze_vec2d origin)
{
    assert_true(model->contact_count < MODEL_CONTACT_CAPACITY);
    model_contact *added = &model->contacts[model->contact_count++];
    memset(added, 0, sizeof *added);
    graze_contact *contact = &added->contact;
    contact->a = a->id;
    contact->time = single(sweep->time);
    contact->point.x = single(origin.x + sweep->point.x);
    contact->point.y = single(origin.y + sweep->point.y);
    contact->normal.x = single(sweep->normal.x);
    contact->normal.y = single(sweep->normal.y);
    contact->depth = single(sweep->depth);
    return contact;
}

static void meet_bodies(world_model *model, const model_body *a, const model_body *b)
{
    if ((is_ray(a) && is_ray(b)) || !filters_allow(a->now.filter, b->now.filter) ||
        !veto_allows(model->veto_modulus, a->now.user_data, b->now.user_data)) {
        return;
    }
    graze_vec2d start = minus(widen(a->now.position), widen(b->now.position));
    graze_vec2d finish = minus(widen(a->end), widen(b->end));
    graze_vec2d b_way = minus(widen(b->end), widen(b->now.position));
    graze_sweep sweep = sweep_bodies(a, b, a->rotation, b->rotation, start, minus(finish, start));
    if (!sweep.hit && (spins(a) || spins(b))) {
        const graze_vec2d still = {0, 0};
        sweep = sweep_bodies(a, b, a->end_rotation, b->end_rotation, finish, still);
        sweep.time = 1;
        sweep.depth = 0;
    }
    if (sweep.hit) {
        graze_vec2d origin = plus_times(widen(b->now.position), b_way, sweep.time);
        graze_contact *contact = add_contact(model, a, &sweep, origin);
        contact->b = b->id;
        contact->flags = a->now.sensor || b->now.sensor ? GRAZE_CONTACT_SENSOR : 0;
    }
}

static graze_sweep sweep_wall(const model_body *body, graze_rotation turned, graze_vec2d start,
                              graze_vec2d delta, graze_segment wall)
{
    if (is_rect(body)) {
        return graze_sweep_rect_segment(start, delta, body->now.shape.half, turned, wall);
    }
    return graze_sweep_circle_segment(start, delta, radius_of(body), wall);
}

static graze_sweep find_wall_touch(const model_body *body, graze_segment wall)
{
    graze_sweep passed = graze_sweep_point_segment(body->now.position, body->end, wall);
    if (is_ray(body)) {
        return passed;
    }
    graze_vec2d start = widen(body->now.position);
    graze_vec2d way = minus(widen(body->end), start);
    graze_sweep sweep = sweep_wall(body, body->rotation, start, way, wall);
    if (!sweep.hit && passed.hit) {
        return passed;
    }
    if (!sweep.hit && spins(body)) {
        const graze_vec2d still = {0, 0};
        sweep = sweep_wall(body, body->end_rotation, widen(body->end), still, wall);
        sweep.time = 1;
        sweep.depth = 0;
    }
    return sweep;
}

static bool starts_on_left(graze_segment wall, graze_vec2 point)
{
    int side = graze_orient(wall.a, wall.b, point);
    bool zero_is_left = wall.b.y < wall.a.y || (wall.b.y == wall.a.y && wall.b.x > wall.a.x);
    return side == 0 ? zero_is_left : side > 0;
}

static void meet_chain(world_model *model, const model_body *body, const model_chain *chain)
{
    if (!filters_allow(body->now.filter, chain->def.filter) ||
        !veto_allows(model->veto_modulus, body->now.user_data, chain->def.user_data)) {
        return;
    }
    uint32_t count = chain->def.count;
    for (uint32_t i = 0; i < (chain->def.loop ? count : count - 1); ++i) {
        graze_segment wall = {chain->points[i], chain->points[(i + 1) % count]};
        graze_sweep sweep = find_wall_touch(body, wall);
        if (sweep.hit && (!chain->def.one_sided || starts_on_left(wall, body->now.position))) {
            const graze_vec2d origin = {0, 0};
            graze_contact *contact = add_contact(model, body, &sweep, origin);
            contact->segment.chain = chain->id;
            contact->segment.index = i;
            contact->flags = body->now.sensor || chain->def.sensor ? GRAZE_CONTACT_SENSOR : 0;
            graze_vec2d way = minus(widen(wall.b), widen(wall.a));
            model->contacts[model->contact_count - 1].at_end =
                !is_ray(body) && sweep.normal.x * way.x + sweep.normal.y * way.y != 0;
        }
    }
}

static void find_contacts(world_model *model)
{
    model->contact_count = 0;
    for (uint32_t i = 0; i < model->body_count; ++i) {
        const model_body *body = &model->bodies[i];
        for (uint32_t k = 0; k < i; ++k) {
            const model_body *other = &model->bodies[k];
            bool in_order = other->id.index < body->id.index;
            meet_bodies(model, in_order ? other : body, in_order ? body : other);
        }
        for (uint32_t k = 0; k < model->chain_count; ++k) {
            meet_chain(model, body, &model->chains[k]);
        }
    }
}

// --- The order of the lists ---

static int compare_numbers(uint32_t first, uint32_t second)
{
    return first < second ? -1 : first > second;
}

static int compare_bodies(graze_body_id first, graze_body_id second)
{
    int order = compare_numbers(first.index, second.index);
    return order ? order : compare_numbers(first.generation, second.generation);
}

static int compare_segments(graze_segment_id first, graze_segment_id second)
{
    int order = compare_numbers(first.chain.index, second.chain.index);
    order = order ? order : compare_numbers(first.chain.generation, second.chain.generation);
    return order ? order : compare_numbers(first.index, second.index);
}

static int compare_keys(const void *left, const void *right)
{
    const graze_contact_end *first = left;
    const graze_contact_end *second = right;
    int order = compare_bodies(first->a, second->a);
    order = order ? order : compare_bodies(first->b, second->b);
    return order ? order : compare_segments(first->segment, second->segment);
}

static int compare_contacts(const void *left, const void *right)
{
    const graze_contact *first = &((const model_contact *)left)->contact;
    const graze_contact *second = &((const model_contact *)right)->contact;
    int order = compare_bodies(first->a, second->a);
    order = order ? order : compare_bodies(first->b, second->b);
    if (!order && first->time != second->time) {
        return first->time < second->time ? -1 : 1;
    }
    return order ? order : compare_segments(first->segment, second->segment);
}

static bool has_key(const graze_contact_end *keys, uint32_t count, const graze_contact_end *key)
{
    return count && bsearch(key, keys, count, sizeof *keys, compare_keys);
}

static void match_contacts(world_model *model)
{
    static const size_t key_size = sizeof(graze_contact_end);
    graze_contact_end *now = malloc((model->contact_count + 1) * key_size);
    assert_non_null(now);
    for (uint32_t i = 0; i < model->contact_count; ++i) {
        graze_contact *contact = &model->contacts[i].contact;
        graze_contact_end key = {contact->a, contact->b, contact->segment};
        now[i] = key;
        bool stays = has_key(model->keys, model->key_count, &key);
        contact->phase = stays ? GRAZE_CONTACT_STAY : GRAZE_CONTACT_BEGIN;
    }
    qsort(now, model->contact_count, key_size, compare_keys);
    model->end_count = 0;
    for (uint32_t i = 0; i < model->key_count; ++i) {
        if (!has_key(now, model->contact_count, &model->keys[i])) {
            model->ends[model->end_count++] = model->keys[i];
        }
    }
    memcpy(model->keys, now, model->contact_count * key_size);
    model->key_count = model->contact_count;
    free(now);
}

// --- Comparing ---

static void print_contact(const char *who, const graze_contact *c)
{
    print_message("%s: a {%u, %u} b {%u, %u} segment {{%u, %u}, %u}\n"
                  "    time %a point (%a, %a) normal (%a, %a) depth %a phase %d flags %u\n",
                  who, (unsigned)c->a.index, (unsigned)c->a.generation, (unsigned)c->b.index,
                  (unsigned)c->b.generation, (unsigned)c->segment.chain.index,
                  (unsigned)c->segment.chain.generation, (unsigned)c->segment.index,
                  (double)c->time, (double)c->point.x, (double)c->point.y, (double)c->normal.x,
                  (double)c->normal.y, (double)c->depth, (int)c->phase, (unsigned)c->flags);
}

// The engine may sum the terms of a point in another order.
static bool is_near(float actual, float expected)
{
    float size = fabsf(expected) > 1 ? fabsf(expected) : 1;
    return fabsf(actual - expected) <= 2.4e-7f * size;
}

static const model_chain *find_chain(const world_model *model, graze_chain_id id)
{
    const model_chain *chain = model->chains;
    while (chain->id.index != id.index) {
        ++chain;
    }
    return chain;
}

static bool is_across(graze_vec2 normal, graze_vec2 a, graze_vec2 b)
{
    graze_vec2d way = minus(widen(b), widen(a));
    double lean = (double)normal.x * way.x + (double)normal.y * way.y;
    return fabs(lean) <= 1e-6 * sqrt(way.x * way.x + way.y * way.y) && (way.x != 0 || way.y != 0);
}

static bool is_across_a_wall(const world_model *model, const graze_contact *contact)
{
    const model_chain *chain = find_chain(model, contact->segment.chain);
    uint32_t count = chain->def.count;
    for (uint32_t i = 0; i < (chain->def.loop ? count : count - 1); ++i) {
        if (is_across(contact->normal, chain->points[i], chain->points[(i + 1) % count])) {
            return true;
        }
    }
    return false;
}

static bool is_normal_right(const world_model *model, const graze_contact *actual,
                            const model_contact *expected)
{
    const graze_vec2 *wanted = &expected->contact.normal;
    return !memcmp(&actual->normal, wanted, sizeof *wanted) ||
           (expected->at_end && is_across_a_wall(model, actual));
}

static bool is_contact_right(const world_model *model, const graze_contact *actual,
                             const model_contact *wanted)
{
    const graze_contact *expected = &wanted->contact;
    graze_contact_end actual_key = {actual->a, actual->b, actual->segment};
    graze_contact_end key = {expected->a, expected->b, expected->segment};
    return !compare_keys(&actual_key, &key) &&
           !memcmp(&actual->time, &expected->time, sizeof actual->time) &&
           !memcmp(&actual->depth, &expected->depth, sizeof actual->depth) &&
           is_normal_right(model, actual, wanted) && is_near(actual->point.x, expected->point.x) &&
           is_near(actual->point.y, expected->point.y) && actual->phase == expected->phase &&
           actual->flags == expected->flags;
}

static void compare_contact_lists(const world_model *model)
{
    graze_contact_list list = graze_world_contacts(model->world);
    for (uint32_t i = 0; i < list.count || i < model->contact_count; ++i) {
        bool both = i < list.count && i < model->contact_count;
        if (both && is_contact_right(model, &list.data[i], &model->contacts[i])) {
            continue;
        }
        if (i < list.count) {
            print_contact("world", &list.data[i]);
        }
        if (i < model->contact_count) {
            print_contact("model", &model->contacts[i].contact);
        }
        fail_msg("contact %u differs; the world has %u, the model %u", (unsigned)i,
                 (unsigned)list.count, (unsigned)model->contact_count);
    }
}

static void compare_end_lists(const world_model *model)
{
    graze_contact_end_list list = graze_world_contact_ends(model->world);
    assert_int_equal(list.count, model->end_count);
    for (uint32_t i = 0; i < list.count; ++i) {
        assert_int_equal(compare_keys(&list.data[i], &model->ends[i]), 0);
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

// The turned angle is the world's own, which has to be right but for whole turns.
static void read_angles(world_model *model, float dt)
{
    const double turn = 6.283185307179586;
    for (uint32_t i = 0; i < model->body_count; ++i) {
        model_body *body = &model->bodies[i];
        float angle = graze_body_angle(model->world, body->id);
        body->end_rotation = body->rotation;
        if (!is_rect(body)) {
            assert_true(angle == 0);
            continue;
        }
        float wanted = body->now.angle + (spins(body) ? body->now.spin * dt : 0);
        double difference = remainder((double)wanted - (double)angle, turn);
        assert_true(fabs(difference) < 1e-6 * (1 + fabs((double)wanted)));
        assert_true(angle >= -3.1415928f && angle <= 3.1415928f);
        body->now.angle = angle;
        if (spins(body)) {
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

// Compares where the bodies are, and takes out those whose lifetime is over.
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

void model_step(world_model *model, float dt)
{
    predict(model, dt);
    kit_step(model->world, dt);
    read_angles(model, dt);
    find_contacts(model);
    qsort(model->contacts, model->contact_count, sizeof *model->contacts, compare_contacts);
    match_contacts(model);
    compare_contact_lists(model);
    compare_end_lists(model);
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
    graze_body_def def = graze_body_def_default();
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
