#include "world/bodies.h"

#include "asserts.h"
#include "bits.h"
#include "list.h"
#include "min_max.h"
#include "prefetch.h"
#include "vec2d.h"
#include "world/angle.h"
#include "world/find_retired.h"
#include "world/parallel.h"
#include "world/rows.h"

#include <string.h>

enum {
    AHEAD = 16,          ///< How far ahead bodies are prefetched.
    INDICES_A_WORD = 64, ///< Of the vacancies.
    MANY_SHARE = 16,     ///< From one index in 16 on, all are visited.
    LOOSE_KINDS = 64,    ///< Bodies of a new kind that queries look at one by one,
    KINDS_WAIT = 256     ///< and steps between two renewals that find too many kinds.
};

_Static_assert(GRZ_BLOCK_ROWS % INDICES_A_WORD == 0, "no two blocks share a word");
_Static_assert(GRZ_TRAIT_FILTER_SHIFT + GRZ_TAG_GROUP_BITS == GRZ_TRAIT_FILTER_KIND_SHIFT,
               "kinds of traits are those of tags");

// Adding 0 turns -0 into +0: one state, one pattern of bits.
static grz_material material_of(const graze_body_def *def)
{
    const grz_material material = {def->mass + 0.0f, grz_clean_surface(def->surface)};
    return material;
}

static grz_dynamics dynamics_of(const graze_body_def *def)
{
    const grz_dynamics dynamics = {
        .inertia = def->inertia + 0.0f,
        .damping = def->damping + 0.0f,
        .spin_damping = def->spin_damping + 0.0f,
        .gravity_scale = def->gravity_scale + 0.0f,
        .flags = def->never_sleeps ? GRZ_NEVER_SLEEPS : 0u,
    };
    return dynamics;
}

uint32_t grz_bodies_needs_of(const graze_body_def *def)
{
    const grz_material material = material_of(def);
    const grz_dynamics dynamics = dynamics_of(def);
    const bool turns = grz_has_rotation((uint32_t)def->shape.kind, (uint32_t)def->response);
    const bool materials = memcmp(&material, &grz_optional_default.material, sizeof material) != 0;
    const bool moves = memcmp(&dynamics, &grz_optional_default.dynamics, sizeof dynamics) != 0;
    const bool lives = def->lifetime > 0 || def->hit_limit;
    return (turns ? GRZ_NEED_ROTATIONS : 0u) | (materials ? GRZ_NEED_MATERIAL : 0u) |
           (moves || grz_is_dynamic((uint32_t)def->shape.kind, (uint32_t)def->response)
                ? GRZ_NEED_DYNAMICS
                : 0u) |
           (lives ? GRZ_NEED_LIFE : 0u) |
           (grz_filter_is_default(def->filter) ? 0u : GRZ_NEED_FILTER) |
           (def->user_data ? GRZ_NEED_USER_DATA : 0u);
}

static bool fill_column(void *column, const void *element, size_t size, uint32_t count)
{
    for (uint32_t index = 0; index < count; ++index) {
        memcpy((char *)column + index * size, element, size);
    }
    return true;
}

// Makes room for `total` elements in a column by index. A new column is filled with `usual` for the
// `count` bodies there are. `column` is evaluated more than once.
#define RESERVE_COLUMN(column, allocator, total, usual, count)                                     \
    ((column)->data ? grz_array_reserve_exact(column, allocator, total)                            \
                    : grz_array_reserve_exact(column, allocator, total) &&                         \
                          fill_column((column)->data, usual, sizeof *(column)->data, count))

// Before there are filters all are the default.
static bool reserve_filters(graze_world *world, uint32_t total)
{
    const graze_allocator *from = &world->counting;
    const uint32_t held = world->bodies.count;
    const bool is_new = !world->filters.data;
    if (!grz_array_reserve_exact(&world->filter_kinds, from, total) ||
        !RESERVE_COLUMN(&world->filters, from, total, &grz_optional_default.filter, held)) {
        return false;
    }
    world->kinds_due |= is_new;
    for (uint32_t index = 0; is_new && index < held; ++index) {
        const bool is_ray = world->bodies.data[index].kind == GRAZE_SHAPE_RAY;
        world->filter_kinds.data[index] = GRZ_KIND_USUAL + is_ray;
    }
    return true;
}

// Makes room in the columns that not all worlds have: in those that exist, and in those that are
// needed now.
static bool reserve_optional(graze_world *world, uint32_t total, uint32_t needs)
{
    const bool materials = world->materials.data || (needs & GRZ_NEED_MATERIAL);
    const bool lives = world->lives.data || (needs & GRZ_NEED_LIFE);
    const bool filters = world->filters.data || (needs & GRZ_NEED_FILTER);
    const bool all_data = world->user_data.data || (needs & GRZ_NEED_USER_DATA);
    const bool dynamics = world->dynamics.data || (needs & GRZ_NEED_DYNAMICS);
    const graze_allocator *from = &world->counting;
    const uint32_t held = world->bodies.count;
    const grz_optional *usual = &grz_optional_default;
    return (!materials || RESERVE_COLUMN(&world->materials, from, total, &usual->material, held)) &&
           (!lives || RESERVE_COLUMN(&world->lives, from, total, &usual->life, held)) &&
           (!filters || reserve_filters(world, total)) &&
           (!all_data || RESERVE_COLUMN(&world->user_data, from, total, &usual->user_data, held)) &&
           (!dynamics || RESERVE_COLUMN(&world->dynamics, from, total, &usual->dynamics, held));
}

// Grows as rows do.
static bool reserve_indices(graze_world *world, uint32_t total, uint32_t needs)
{
    const graze_allocator *allocator = &world->counting;
    total = grz_next_capacity(world->row_of_index.capacity, total);
    const size_t words = ((size_t)total + 63) / 64;
    uint32_t held = world->vacancies.count;
    if (!grz_array_reserve_exact(&world->bodies, allocator, total) ||
        !grz_array_reserve(&world->vacancies, allocator, words) ||
        !grz_index_set_reserve(&world->unsorted, allocator, total) ||
        !reserve_optional(world, total, needs) ||
        !grz_array_reserve_exact(&world->row_of_index, allocator, total)) {
        return false;
    }
    for (; held < words; ++held) {
        world->vacancies.data[held] = 0;
    }
    world->vacancies.count = held;
    return true;
}

bool grz_bodies_make_room(graze_world *world, uint32_t indices, uint32_t rows, uint32_t needs)
{
    const uint32_t total = indices > world->bodies.count ? indices : world->bodies.count;
    return reserve_indices(world, total, needs) &&
           grz_rows_reserve(&world->rows, &world->counting, world->body_count, rows,
                            (needs & GRZ_NEED_ROTATIONS) != 0);
}

// Returns how many indices there are once `extra` more bodies, at most GRZ_BODIES_MAX, have theirs.
static uint32_t count_indices(const graze_world *world, uint32_t extra)
{
    const uint32_t retired = (uint32_t)grz_list_count(world->retired);
    const uint32_t vacant = world->bodies.count - world->body_count - retired;
    return world->bodies.count + (extra > vacant ? extra - vacant : 0);
}

graze_status grz_bodies_check_limit(const graze_world *world, uint32_t extra)
{
    const uint32_t limit = world->fixed_capacity ? world->body_capacity : GRZ_BODIES_MAX;
    const bool fits = extra <= limit && world->body_count <= limit - extra &&
                      count_indices(world, extra) <= GRZ_BODIES_MAX;
    return fits ? GRAZE_OK : GRAZE_ERROR_LIMIT;
}

graze_status grz_bodies_reserve(graze_world *world, uint32_t extra, uint32_t needs)
{
    if (grz_bodies_check_limit(world, extra)) {
        return GRAZE_ERROR_LIMIT;
    }
    const uint32_t indices = count_indices(world, extra);
    const uint32_t rows = world->body_count + extra;
    return grz_bodies_make_room(world, indices, rows, needs) ? GRAZE_OK : GRAZE_ERROR_OUT_OF_MEMORY;
}

static uint32_t take_index(graze_world *world)
{
    uint32_t *word = &world->lowest_vacancy;
    while (*word < world->vacancies.count && !world->vacancies.data[*word]) {
        ++*word;
    }
    if (*word < world->vacancies.count) {
        const uint64_t bits = world->vacancies.data[*word];
        world->vacancies.data[*word] = bits & (bits - 1);
        return *word * 64 + grz_lowest_bit(bits);
    }
    GRZ_ASSERT(world->bodies.count < world->bodies.capacity);
    const uint32_t index = world->bodies.count++;
    world->row_of_index.count = world->bodies.count;
    memset(&world->bodies.data[index], 0, sizeof world->bodies.data[index]);
    return index;
}

static void vacate_index(graze_world *world, uint32_t index)
{
    const uint32_t word = index / 64;
    world->row_of_index.data[index] = GRZ_NONE;
    world->vacancies.data[word] |= UINT64_C(1) << (index % 64);
    world->lowest_vacancy = word < world->lowest_vacancy ? word : world->lowest_vacancy;
}

// See bodies.h: of a vacant index only the generation remains.
static void clear_index(graze_world *world, uint32_t index)
{
    const grz_body empty_body = {.generation = world->bodies.data[index].generation};
    world->bodies.data[index] = empty_body;
    grz_bodies_fill_optional(world, index, &grz_optional_default);
}

static graze_vec2 without_negative_zero(graze_vec2 v)
{
    const graze_vec2 clean = {v.x + 0.0f, v.y + 0.0f};
    return clean;
}

static void fill_row(graze_world *world, uint32_t row, graze_body_id id, const graze_body_def *def)
{
    grz_rows *rows = &world->rows;
    const bool turns = grz_has_rotation((uint32_t)def->shape.kind, (uint32_t)def->response);
    rows->position[row] = without_negative_zero(def->position);
    rows->velocity[row] = without_negative_zero(def->velocity);
    rows->half[row] = grz_half_of(def->shape);
    const bool rect = def->shape.kind == GRAZE_SHAPE_RECT;
    if (rows->rotation) {
        rows->angle[row] = turns ? grz_wrap_angle(def->angle) : 0;
        rows->spin[row] = turns ? def->spin + 0.0f : 0;
        rows->turn[row] = 0;
        rows->rotation[row] = graze_rotation_from_angle(rect ? rows->angle[row] : 0);
    }
    rows->traits[row] = grz_traits_of(world, id.index, def->shape.kind, grz_spin_of(rows, row));
    rows->index[row] = id.index;
    rows->generation[row] = id.generation;
}

static void find_kind(graze_world *world, uint32_t index)
{
    if (world->filters.data) {
        world->filter_kinds.data[index] =
            grz_filter_kinds_find(&world->kinds, world->filters.data[index],
                                  world->bodies.data[index].kind == GRAZE_SHAPE_RAY);
    }
}

static void fill_body(graze_world *world, uint32_t index, const graze_body_def *def)
{
    const grz_optional optional = {material_of(def),
                                   {def->lifetime + 0.0f, def->hit_limit, 0},
                                   def->filter,
                                   def->user_data,
                                   dynamics_of(def)};
    grz_body *body = &world->bodies.data[index];
    ++body->generation;
    body->generation += body->generation == 0;
    body->response = (uint8_t)def->response;
    body->sensor = def->sensor;
    body->kind = (uint8_t)def->shape.kind;
    grz_bodies_fill_optional(world, index, &optional);
    find_kind(world, index);
}

static void move_row(graze_world *world, uint32_t to, uint32_t from)
{
    if (to != from) {
        grz_rows_copy(&world->rows, to, from);
        world->row_of_index.data[world->rows.index[to]] = to;
    }
}

// A new row is active: the first still row moves to the end for it.
static uint32_t make_row(graze_world *world)
{
    move_row(world, world->body_count++, world->active_count);
    return world->active_count++;
}

graze_body_id grz_bodies_add(graze_world *world, const graze_body_def *def)
{
    const uint32_t index = take_index(world);
    const uint32_t row = make_row(world);
    if (world->bodies.data[index].generation != 0 && index < world->renewed_from) {
        world->renewed_from = index;
    }
    fill_body(world, index, def);
    fill_row(world, row, grz_bodies_id(world, index), def);
    world->row_of_index.data[index] = row;
    world->rotation_count += grz_row_has_rotation(world->rows.traits[row]);
    world->rect_count += def->shape.kind == GRAZE_SHAPE_RECT;
    world->ray_count += def->shape.kind == GRAZE_SHAPE_RAY;
    world->filter_count += !grz_filter_is_default(def->filter);
    grz_bodies_mark_unsorted(world, index);
    return grz_bodies_id(world, index);
}

// The last active row moves into the gap, and the last of all into its own.
void grz_bodies_remove(graze_world *world, uint32_t index)
{
    const grz_rows *rows = &world->rows;
    const uint32_t row = world->row_of_index.data[index];
    GRZ_ASSERT(row < world->active_count);
    world->rotation_count -= grz_row_has_rotation(rows->traits[row]);
    world->rect_count -= grz_kind_of(rows->traits[row]) == GRAZE_SHAPE_RECT;
    world->ray_count -= grz_kind_of(rows->traits[row]) == GRAZE_SHAPE_RAY;
    world->filter_count -=
        world->filter_count && !grz_filter_is_default(*grz_filter_of(world, index));
    move_row(world, row, --world->active_count);
    move_row(world, world->active_count, --world->body_count);
    vacate_index(world, index);
    clear_index(world, index);
}

bool grz_bodies_has_shape(const graze_world *world, uint32_t row, graze_shape shape)
{
    const graze_vec2 half = grz_half_of(shape);
    return grz_kind_of(world->rows.traits[row]) == shape.kind &&
           is_same_point(world->rows.half[row], half);
}

// A circle's rotation stays upright: only its angle tells.
void grz_bodies_set_angle(graze_world *world, uint32_t row, float angle)
{
    grz_rows *rows = &world->rows;
    const bool rect = grz_kind_of(rows->traits[row]) == GRAZE_SHAPE_RECT;
    rows->angle[row] = angle;
    rows->rotation[row] = graze_rotation_from_angle(rect ? angle : 0);
}

void grz_bodies_renew_traits(graze_world *world, uint32_t row)
{
    grz_rows *rows = &world->rows;
    const graze_shape_kind kind = grz_kind_of(rows->traits[row]);
    rows->traits[row] = grz_traits_of(world, rows->index[row], kind, grz_spin_of(rows, row));
}

// A body of another kind, or without a rotation, is upright.
static void reset_rotation(grz_rows *rows, uint32_t row)
{
    const graze_rotation upright = {1, 0};
    if (rows->rotation) {
        rows->rotation[row] = upright;
        rows->angle[row] = 0;
        rows->spin[row] = 0;
    }
}

void grz_bodies_set_shape(graze_world *world, uint32_t index, graze_shape shape)
{
    grz_rows *rows = &world->rows;
    const uint32_t row = world->row_of_index.data[index];
    const graze_shape_kind before = grz_kind_of(rows->traits[row]);
    world->rotation_count -= grz_row_has_rotation(rows->traits[row]);
    world->rect_count += shape.kind == GRAZE_SHAPE_RECT;
    world->rect_count -= before == GRAZE_SHAPE_RECT;
    world->ray_count += shape.kind == GRAZE_SHAPE_RAY;
    world->ray_count -= before == GRAZE_SHAPE_RAY;
    if (shape.kind != before) {
        reset_rotation(rows, row);
    }
    rows->half[row] = grz_half_of(shape);
    world->bodies.data[index].kind = (uint8_t)shape.kind;
    find_kind(world, index);
    rows->traits[row] = grz_traits_of(world, index, shape.kind, grz_spin_of(rows, row));
    world->rotation_count += grz_row_has_rotation(rows->traits[row]);
    grz_bodies_mark_unsorted(world, index);
}

void grz_bodies_set_response(graze_world *world, uint32_t index, graze_response response)
{
    grz_rows *rows = &world->rows;
    const uint32_t row = world->row_of_index.data[index];
    world->rotation_count -= grz_row_has_rotation(rows->traits[row]);
    world->bodies.data[index].response = (uint8_t)response;
    if (!grz_has_rotation((uint32_t)grz_kind_of(rows->traits[row]), (uint32_t)response)) {
        reset_rotation(rows, row);
    }
    grz_bodies_renew_traits(world, row);
    world->rotation_count += grz_row_has_rotation(rows->traits[row]);
}

static void write_tag(graze_world *world, uint32_t row)
{
    const uint32_t tag = grz_filter_tag_of(world, world->rows.index[row]);
    uint32_t *traits = &world->rows.traits[row];
    *traits &= (UINT32_C(1) << GRZ_TRAIT_FILTER_SHIFT) - 1;
    *traits |= tag << GRZ_TRAIT_FILTER_SHIFT;
}

// Queries find the body by its new kind: on its own, or, where many change, because they look at
// all of its old kind.
static void note_change(graze_world *world, uint32_t index, uint32_t old_kind)
{
    if (world->kind_changes++ < LOOSE_KINDS) {
        grz_bodies_mark_unsorted(world, index);
    } else {
        world->stale_kinds[old_kind / 32] |= UINT32_C(1) << old_kind % 32;
    }
}

void grz_bodies_set_filter(graze_world *world, uint32_t index, graze_filter filter)
{
    world->filter_count -= !grz_filter_is_default(*grz_filter_of(world, index));
    world->filter_count += !grz_filter_is_default(filter);
    if (!world->filters.data) {
        return;
    }
    const bool is_sorted = !grz_index_set_has(&world->unsorted, index);
    const uint8_t old_kind = world->filter_kinds.data[index];
    world->filters.data[index] = filter;
    find_kind(world, index);
    write_tag(world, world->row_of_index.data[index]);
    if (is_sorted && world->filter_kinds.data[index] != old_kind) {
        note_change(world, index, old_kind);
    }
}

void grz_bodies_renew_kinds(graze_world *world)
{
    grz_filter_kinds *kinds = &world->kinds;
    const bool full = kinds->full && !kinds->wait;
    kinds->wait -= kinds->wait > 0;
    if (!world->filter_count || (!world->kinds_due && !full)) {
        return;
    }
    if (full) {
        grz_filter_kinds_clear(kinds);
        world->kinds_sorted = false;
        world->rest.has_kinds = false;
    }
    world->kinds_due = false;
    for (uint32_t row = 0; row < world->body_count; ++row) {
        find_kind(world, world->rows.index[row]);
        write_tag(world, row);
    }
    kinds->wait = full && kinds->full ? KINDS_WAIT : kinds->wait;
}

const uint32_t *grz_list_sorted_kinds(const graze_world *world, graze_filter filter,
                                      uint32_t kinds[GRAZE_GRID_KIND_WORDS])
{
    if (!world->kinds_sorted) {
        return NULL;
    }
    grz_filter_kinds_list(&world->kinds, filter, kinds);
    for (uint32_t word = 0; word < GRAZE_GRID_KIND_WORDS; ++word) {
        kinds[word] |= world->stale_kinds[word];
    }
    return kinds;
}

// A body whose filter changes is still no more.
const uint32_t *grz_list_still_kinds(const graze_world *world, graze_filter filter,
                                     uint32_t kinds[GRAZE_GRID_KIND_WORDS])
{
    if (!world->rest.has_kinds) {
        return NULL;
    }
    grz_filter_kinds_list(&world->kinds, filter, kinds);
    return kinds;
}

void grz_bodies_push(graze_world *world, uint32_t row, graze_vec2d impulse, double spin_impulse)
{
    const grz_rows *rows = &world->rows;
    const double mass = (double)grz_material_of(world, rows->index[row]).mass;
    const double inverse_inertia = grz_inverse_inertia_of(world, row);
    const graze_vec2d velocity = widen(rows->velocity[row]);
    rows->velocity[row] = narrow_reported2(add(velocity, scale(impulse, 1 / mass)));
    if (inverse_inertia > 0) {
        const double spin = (double)rows->spin[row] + spin_impulse * inverse_inertia;
        rows->spin[row] = narrow_reported(spin);
        grz_bodies_renew_traits(world, row);
    }
}

// They come in the order of rows, which is arbitrary.
static void forget_each(graze_world *world)
{
    const size_t count = grz_list_count(world->retired);
    for (size_t i = 0; i < count; ++i) {
        const uint32_t next = world->retired[i + AHEAD < count ? i + AHEAD : i].index;
        GRZ_PREFETCH(&world->row_of_index.data[next]);
        vacate_index(world, world->retired[i].index);
        clear_index(world, world->retired[i].index);
    }
}

// HOT. bench: engine/step/bullets-bodies
//
// Data    4 bytes of each index read, in order; for each retired body these 4, a bit, 8 of a
//         grz_body and 12 of a life written.
// Branch  Retired bodies are listed first, because they cannot be predicted.
static void forget_block(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    static const grz_retired_loops *const tables[] = GRZ_WIDE_TABLES(grz_retired_loops);
    graze_world *world = context;
    const grz_retired_loops *loops = tables[world->lanes];
    (void)block;
    for (; first < end; first += INDICES_A_WORD) {
        const uint32_t rest = end - first;
        const uint32_t some = min_u32(rest, INDICES_A_WORD);
        const uint64_t retired = loops->find(world->row_of_index.data + first, some);
        world->vacancies.data[first / INDICES_A_WORD] |= retired;
        for (uint64_t left = retired; left; left &= left - 1) {
            const uint32_t index = first + grz_lowest_bit(left);
            world->row_of_index.data[index] = GRZ_NONE;
            clear_index(world, index);
        }
    }
}

// If they are many, visiting all indices in order costs less, and threads can share the work.
void grz_bodies_forget_retired(graze_world *world)
{
    const size_t count = grz_list_count(world->retired);
    if (count < world->bodies.count / MANY_SHARE) {
        forget_each(world);
    } else if (count) {
        grz_run_blocks(world, world->bodies.count, GRZ_BLOCK_ROWS, forget_block, world);
        world->lowest_vacancy = 0;
    }
    grz_list_clear(world->retired);
}

void grz_bodies_mark_unsorted(graze_world *world, uint32_t index)
{
    grz_index_set_add(&world->unsorted, index);
}

void grz_bodies_mark_sorted(graze_world *world)
{
    grz_index_set_clear(&world->unsorted);
    memset(world->stale_kinds, 0, sizeof world->stale_kinds);
    world->kind_changes = 0;
    world->kinds_sorted = true;
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
    const uint32_t row = find_body(world, id) ? world->row_of_index.data[id.index] : GRZ_NONE;
    return grz_is_retired(row) ? GRZ_NONE : row;
}

const grz_retired *grz_bodies_find_retired(const graze_world *world, graze_body_id id)
{
    const uint32_t row = find_body(world, id) ? world->row_of_index.data[id.index] : GRZ_NONE;
    return grz_is_retired(row) ? &world->retired[grz_retired_place(row)] : NULL;
}

graze_body_id grz_bodies_id(const graze_world *world, uint32_t index)
{
    const graze_body_id id = {index, world->bodies.data[index].generation};
    return id;
}

void grz_bodies_free(graze_world *world)
{
    const graze_allocator *allocator = &world->counting;
    grz_rows_free(&world->rows, allocator);
    grz_array_free(&world->bodies, allocator);
    grz_array_free(&world->materials, allocator);
    grz_array_free(&world->lives, allocator);
    grz_array_free(&world->filters, allocator);
    grz_array_free(&world->filter_kinds, allocator);
    grz_array_free(&world->user_data, allocator);
    grz_array_free(&world->dynamics, allocator);
    grz_array_free(&world->row_of_index, allocator);
    grz_array_free(&world->vacancies, allocator);
    grz_array_free(&world->marked, allocator);
    grz_array_free(&world->marked_blocks, allocator);
    grz_list_free(world->retired);
    grz_index_set_free(&world->unsorted, allocator);
}
