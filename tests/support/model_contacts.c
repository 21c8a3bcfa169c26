#include "model_parts.h"

#include <graze/sweep_turn.h>

#include <math.h>

#include <stdlib.h>
#include <string.h>

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

static bool is_ray(const model_body *body)
{
    return body->now.shape.kind == GRAZE_SHAPE_RAY;
}

static double radius_of(const model_body *body)
{
    return is_ray(body) ? 0 : (double)body->now.shape.radius;
}

// The normal points from a to b; `point` is relative to b's centre at that time.
static graze_sweep sweep_bodies(const model_body *a, const model_body *b, graze_rotation turned_a,
                                graze_rotation turned_b, graze_vec2d start, graze_vec2d delta)
{
    if (model_is_rect(a) && model_is_rect(b)) {
        return graze_sweep_rects(start, delta, a->now.shape.half, turned_a, b->now.shape.half,
                                 turned_b);
    }
    if (model_is_rect(b)) {
        return graze_sweep_circle_rect(start, delta, radius_of(a), b->now.shape.half, turned_b);
    }
    if (!model_is_rect(a)) {
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

// `course` is the way of a, relative to what it meets.
static graze_contact *add_contact(world_model *model, const model_body *a, const graze_sweep *sweep,
                                  graze_vec2d origin, graze_vec2d course)
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
    const double approach = course.x * sweep->normal.x + course.y * sweep->normal.y;
    contact->approach = approach > 0 ? single(approach / (double)model->dt) : 0;
    return contact;
}

static graze_turning turning_of(const world_model *model, const model_body *body)
{
    const graze_turning made = {body->now.shape, body->rotation,
                                model_spins(body) ? (double)(body->now.spin * model->dt) : 0};
    return made;
}

static double arc_of(const graze_turning *turning)
{
    const graze_vec2 half = turning->shape.half;
    return fabs(turning->turn) * hypot((double)half.x, (double)half.y) * GRAZE_TURN_MARGIN;
}

static double size_of(const model_body *body)
{
    const graze_vec2 half = body->now.shape.half;
    return model_is_rect(body) ? fmin((double)half.x, (double)half.y) : HUGE_VAL;
}

// A touch that is found for the rotations before the step counts if no corner has gone farther
// until then than the smaller half size of a rect.
static void turn_bodies(const world_model *model, const model_body *a, const model_body *b,
                        graze_vec2d start, graze_vec2d course, graze_sweep *sweep)
{
    const graze_turning turning_a = turning_of(model, a), turning_b = turning_of(model, b);
    const double arc = arc_of(&turning_a) + arc_of(&turning_b);
    if (arc > 0 && (!sweep->hit || arc * sweep->time > fmin(size_of(a), size_of(b)))) {
        *sweep = graze_sweep_turning(&turning_a, &turning_b, start, course);
    }
}

static void meet_bodies(world_model *model, const model_body *a, const model_body *b)
{
    if ((is_ray(a) && is_ray(b)) || !kit_filters_allow(a->now.filter, b->now.filter) ||
        !model_veto_allows(model->veto_modulus, a->now.user_data, b->now.user_data)) {
        return;
    }
    graze_vec2d start = minus(widen(a->now.position), widen(b->now.position));
    graze_vec2d finish = minus(widen(a->end), widen(b->end));
    graze_vec2d b_way = minus(widen(b->end), widen(b->now.position));
    graze_sweep sweep = sweep_bodies(a, b, a->rotation, b->rotation, start, minus(finish, start));
    turn_bodies(model, a, b, start, minus(finish, start), &sweep);
    if (sweep.hit) {
        graze_vec2d origin = plus_times(widen(b->now.position), b_way, sweep.time);
        graze_contact *contact = add_contact(model, a, &sweep, origin, minus(finish, start));
        contact->b = b->id;
        contact->flags = a->now.sensor || b->now.sensor ? GRAZE_CONTACT_SENSOR : 0;
    }
}

static graze_sweep sweep_wall(const model_body *body, graze_rotation turned, graze_vec2d start,
                              graze_vec2d delta, graze_segment wall)
{
    if (model_is_rect(body)) {
        return graze_sweep_rect_segment(start, delta, body->now.shape.half, turned, wall);
    }
    return graze_sweep_circle_segment(start, delta, radius_of(body), wall);
}

static bool starts_on_left(graze_segment wall, graze_vec2 point)
{
    int side = graze_orient(wall.a, wall.b, point);
    bool zero_is_left = wall.b.y < wall.a.y || (wall.b.y == wall.a.y && wall.b.x > wall.a.x);
    return side == 0 ? zero_is_left : side > 0;
}

// Of a rect whose centre is on a wall, the point of the other side that is as deep: on the other
// side along each axis that leans to the normal.
static void mirror_point(const model_body *body, graze_sweep *sweep)
{
    const double c = (double)body->rotation.cosine, s = (double)body->rotation.sine;
    const graze_vec2d axes[2] = {{c, s}, {-s, c}};
    const graze_vec2d out = minus(sweep->point, widen(body->now.position));
    for (int i = 0; i < 2; ++i) {
        const graze_vec2d axis = axes[i];
        if (fabs(axis.x * sweep->normal.x + axis.y * sweep->normal.y) > 1e-6) {
            const double reach = out.x * axis.x + out.y * axis.y;
            sweep->point = plus_times(sweep->point, axis, -2 * reach);
        }
    }
}

// A centre on a wall comes from the side that the fill rule names (orient.h).
static void face_centre(const model_body *body, graze_segment wall, graze_sweep *sweep)
{
    const graze_vec2 point = body->now.position;
    const graze_vec2d way = minus(widen(wall.b), widen(wall.a));
    const double lean = way.x * sweep->normal.x + way.y * sweep->normal.y;
    const double left = way.x * sweep->normal.y - way.y * sweep->normal.x;
    if (fabs(lean) < 1e-12 * hypot(way.x, way.y) && (left > 0) == starts_on_left(wall, point)) {
        if (model_is_rect(body)) {
            mirror_point(body, sweep);
        }
        sweep->normal.x = -sweep->normal.x;
        sweep->normal.y = -sweep->normal.y;
    }
}

static graze_sweep find_wall_touch(const world_model *model, const model_body *body,
                                   graze_segment wall)
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
    if (!sweep.hit && model_spins(body)) {
        const graze_turning turning = turning_of(model, body);
        sweep = graze_sweep_turning_segment(start, way, turning.shape.half, turning.rotation,
                                            turning.turn, wall);
    }
    const bool is_point = !model_is_rect(body) && radius_of(body) == 0;
    if (is_point || graze_orient(wall.a, wall.b, body->now.position) == 0) {
        face_centre(body, wall, &sweep);
    }
    return sweep;
}

static void meet_chain(world_model *model, const model_body *body, const model_chain *chain)
{
    if (!kit_filters_allow(body->now.filter, chain->def.filter) ||
        !model_veto_allows(model->veto_modulus, body->now.user_data, chain->def.user_data)) {
        return;
    }
    uint32_t count = chain->def.count;
    for (uint32_t i = 0; i < (chain->def.loop ? count : count - 1); ++i) {
        graze_segment wall = {chain->points[i], chain->points[(i + 1) % count]};
        graze_sweep sweep = find_wall_touch(model, body, wall);
        if (sweep.hit && (!chain->def.one_sided || starts_on_left(wall, body->now.position))) {
            const graze_vec2d origin = {0, 0};
            const graze_vec2d course = minus(widen(body->end), widen(body->now.position));
            graze_contact *contact = add_contact(model, body, &sweep, origin, course);
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

int model_compare_keys(const void *left, const void *right)
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
    return count && bsearch(key, keys, count, sizeof *keys, model_compare_keys);
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
    qsort(now, model->contact_count, key_size, model_compare_keys);
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

void model_find_contacts(world_model *model)
{
    find_contacts(model);
    qsort(model->contacts, model->contact_count, sizeof *model->contacts, compare_contacts);
    match_contacts(model);
}
