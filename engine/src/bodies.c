#include "bodies.h"

#include "bits.h"
#include "list.h"
#include "prefetch.h"
#include "rest.h"
#include "rows.h"

#include <string.h>

enum {
    AHEAD = 16 ///< How far ahead bodies are asked for.
};

// Grows by half again, as rows do.
static bool reserve_indices(graze_world *world, uint32_t total)
{
    const graze_allocator *allocator = &world->counting;
    const uint32_t capacity = world->row_of_index.capacity;
    const uint32_t larger = capacity + capacity / 2;
    total = total <= capacity ? capacity : total < larger ? larger : total;
    size_t words = ((size_t)total + 63) / 64;
    size_t loose = grz_list_count(world->loose);
    uint32_t held = world->vacancies.count;
    if (!grz_array_reserve_exact(&world->bodies, allocator, total) ||
        !grz_array_reserve(&world->vacancies, allocator, words) ||
        !grz_list_reserve(world->loose, allocator, total - loose) ||
        !grz_array_reserve_exact(&world->row_of_index, allocator, total)) {
        return false;
    }
    for (; held < words; ++held) {
        world->vacancies.data[held] = 0;
    }
    world->vacancies.count = held;
    return true;
}

bool grz_bodies_make_room(graze_world *world, uint32_t indices, uint32_t rows, bool rects)
{
    uint32_t total = indices > world->bodies.count ? indices : world->bodies.count;
    return reserve_indices(world, total) &&
           grz_rows_reserve(&world->rows, &world->counting, world->body_count, rows, rects);
}

graze_status grz_bodies_reserve(graze_world *world, uint32_t extra, bool rects)
{
    uint32_t limit = world->fixed_capacity ? world->body_capacity : GRZ_NONE / 2;
    if (extra > limit || world->body_count > limit - extra) {
        return GRAZE_ERROR_LIMIT;
    }
    uint32_t total = world->bodies.count + extra;
    uint32_t rows = world->body_count + extra;
    if (total > GRZ_NONE / 2) {
        return GRAZE_ERROR_LIMIT;
    }
    return grz_bodies_make_room(world, total, rows, rects) ? GRAZE_OK : GRAZE_ERROR_OUT_OF_MEMORY;
}

static uint32_t take_index(graze_world *world)
{
    uint32_t *word = &world->lowest_vacancy;
    while (*word < world->vacancies.count && !world->vacancies.data[*word]) {
        ++*word;
    }
    if (*word < world->vacancies.count) {
        uint64_t bits = world->vacancies.data[*word];
        world->vacancies.data[*word] = bits & (bits - 1);
        return *word * 64 + grz_lowest_bit(bits);
    }
    uint32_t index = world->bodies.count++;
    world->row_of_index.count = world->bodies.count;
    memset(&world->bodies.data[index], 0, sizeof world->bodies.data[index]);
    return index;
}

static void vacate_index(graze_world *world, uint32_t index)
{
    uint32_t word = index / 64;
    world->vacancies.data[word] |= UINT64_C(1) << (index % 64);
    world->lowest_vacancy = word < world->lowest_vacancy ? word : world->lowest_vacancy;
}

static graze_vec2 half_of(graze_shape shape)
{
    graze_vec2 round = {shape.radius + 0.0f, shape.radius + 0.0f};
    graze_vec2 none = {0, 0};
    return shape.kind == GRAZE_SHAPE_RECT  ? shape.half
           : shape.kind == GRAZE_SHAPE_RAY ? none
                                           : round;
}

// Adding 0 turns -0 into +0: one state, one pattern of bits.
static graze_vec2 without_negative_zero(graze_vec2 v)
{
    graze_vec2 clean = {v.x + 0.0f, v.y + 0.0f};
    return clean;
}

static void fill_row(graze_world *world, uint32_t row, graze_body_id id, const graze_body_def *def)
{
    grz_rows *rows = &world->rows;
    bool rect = def->shape.kind == GRAZE_SHAPE_RECT;
    rows->position[row] = without_negative_zero(def->position);
    rows->velocity[row] = without_negative_zero(def->velocity);
    rows->half[row] = half_of(def->shape);
    if (rows->rotation) {
        rows->angle[row] = rect ? grz_wrap_angle(def->angle) : 0;
        rows->spin[row] = rect ? def->spin + 0.0f : 0;
        rows->rotation[row] = graze_rotation_from_angle(rows->angle[row]);
    }
    rows->traits[row] =
        grz_traits_of(&world->bodies.data[id.index], def->shape.kind, grz_spin_of(rows, row));
    rows->index[row] = id.index;
    rows->generation[row] = id.generation;
}

static void fill_body(grz_body *body, const graze_body_def *def)
{
    ++body->generation;
    body->generation += body->generation == 0;
    body->retired = GRZ_NONE;
    body->response = (uint8_t)def->response;
    body->sensor = def->sensor;
    body->mass = def->mass + 0.0f;
    body->restitution = def->restitution + 0.0f;
    body->friction = def->friction + 0.0f;
    body->lifetime = def->lifetime + 0.0f;
    body->hit_limit = def->hit_limit;
    body->hit_count = 0;
    body->filter = def->filter;
    body->user_data = def->user_data;
}

static void move_row(graze_world *world, uint32_t to, uint32_t from)
{
    if (to != from) {
        grz_rows_copy(&world->rows, to, from);
        world->row_of_index.data[world->rows.index[to]] = to;
    }
}

// A new row is active: the first still one makes room.
static uint32_t make_row(graze_world *world)
{
    move_row(world, world->body_count++, world->active_count);
    return world->active_count++;
}

graze_body_id grz_bodies_add(graze_world *world, const graze_body_def *def)
{
    uint32_t index = take_index(world);
    uint32_t row = make_row(world);
    fill_body(&world->bodies.data[index], def);
    fill_row(world, row, grz_bodies_id(world, index), def);
    world->row_of_index.data[index] = row;
    world->rect_count += def->shape.kind == GRAZE_SHAPE_RECT;
    world->filter_count += !grz_filter_is_default(def->filter);
    grz_bodies_loosen(world, index);
    return grz_bodies_id(world, index);
}

// The last active row moves into the gap, and the last of all into its own.
void grz_bodies_remove(graze_world *world, uint32_t index)
{
    const grz_rows *rows = &world->rows;
    grz_rest_wake(world, index);
    uint32_t row = world->row_of_index.data[index];
    world->rect_count -= grz_kind_of(rows->traits[row]) == GRAZE_SHAPE_RECT;
    world->filter_count -=
        world->filter_count && !grz_filter_is_default(world->bodies.data[index].filter);
    move_row(world, row, --world->active_count);
    move_row(world, world->active_count, --world->body_count);
    world->row_of_index.data[index] = GRZ_NONE;
    vacate_index(world, index);
}

void grz_bodies_forget_retired(graze_world *world)
{
    const size_t count = grz_list_count(world->retired);
    for (size_t i = 0; i < count; ++i) {
        uint32_t index = world->retired[i].index;
        GRZ_PREFETCH(&world->bodies.data[world->retired[i + AHEAD < count ? i + AHEAD : i].index]);
        world->bodies.data[index].retired = GRZ_NONE;
        vacate_index(world, index);
    }
    grz_list_clear(world->retired);
}

void grz_bodies_loosen(graze_world *world, uint32_t index)
{
    grz_body *body = &world->bodies.data[index];
    if (!body->loose) {
        body->loose = true;
        grz_list_push(world->loose, index);
    }
}

void grz_bodies_settle(graze_world *world)
{
    for (size_t i = 0; i < grz_list_count(world->loose); ++i) {
        world->bodies.data[world->loose[i]].loose = false;
    }
    grz_list_clear(world->loose);
}

static const grz_body *find_body(const graze_world *world, graze_body_id id)
{
    if (id.index >= world->bodies.count || id.generation == 0) {
        return NULL;
    }
    const grz_body *body = &world->bodies.data[id.index];
    return body->generation == id.generation ? body : NULL;
}

uint32_t grz_bodies_find(const graze_world *world, graze_body_id id)
{
    return find_body(world, id) ? world->row_of_index.data[id.index] : GRZ_NONE;
}

const grz_retired *grz_bodies_find_retired(const graze_world *world, graze_body_id id)
{
    const grz_body *body = find_body(world, id);
    if (!body || body->retired == GRZ_NONE) {
        return NULL;
    }
    return &world->retired[body->retired];
}

graze_body_id grz_bodies_id(const graze_world *world, uint32_t index)
{
    graze_body_id id = {index, world->bodies.data[index].generation};
    return id;
}

void grz_bodies_free(graze_world *world)
{
    const graze_allocator *allocator = &world->counting;
    grz_rows_free(&world->rows, allocator);
    grz_array_free(&world->bodies, allocator);
    grz_array_free(&world->row_of_index, allocator);
    grz_array_free(&world->vacancies, allocator);
    grz_array_free(&world->index_at_sort, allocator);
    grz_array_free(&world->marked, allocator);
    grz_array_free(&world->marked_blocks, allocator);
    grz_list_free(world->retired);
    grz_list_free(world->loose);
}

float grz_wrap_angle(float angle)
{
    const float half_turn = GRZ_HALF_TURN;
    const double turn = 6.283185307179586;
    if (angle >= -half_turn && angle <= half_turn) {
        return angle + 0.0f;
    }
    double turns = (double)angle / turn;
    if (!(turns > -1e15 && turns < 1e15)) {
        return 0;
    }
    int64_t whole = (int64_t)(turns + (turns < 0 ? -0.5 : 0.5));
    float rest = (float)((double)angle - (double)whole * turn) + 0.0f;
    return rest > half_turn ? half_turn : rest < -half_turn ? -half_turn : rest;
}
