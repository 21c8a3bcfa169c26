#include "world/bodies.h"

#include "asserts.h"
#include "bits.h"
#include "fault.h"
#include "list.h"
#include "min_max.h"
#include "prefetch.h"
#include "vec2d.h"
#include "world/parallel.h"
#include "world/rows.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    AHEAD = 16,       ///< How far ahead bodies are prefetched.
    LOOSE_KINDS = 64, ///< Bodies of a new kind that queries look at one by one,
    KINDS_WAIT = 256  ///< and steps between two renewals that find too many kinds.
};

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
    for (grz_index index = 0; index < count; ++index) {
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

static uint32_t columns_of(const grz_bodies *bodies)
{
    uint32_t columns = bodies->rows.rotation ? GRZ_NEED_ROTATIONS : 0u;
#define ADD_COLUMN(column, member, need) columns |= bodies->column.data ? (uint32_t)(need) : 0u;
    GRZ_OPTIONAL_COLUMNS(ADD_COLUMN)
#undef ADD_COLUMN
    return columns;
}

// Before there are filters all are the default.
static void fill_filter_kinds(grz_bodies *bodies)
{
    for (grz_index index = 0; index < bodies->cold.count; ++index) {
        const bool is_ray = bodies->cold.data[index].kind == GRAZE_SHAPE_RAY;
        bodies->filter_kinds.data[index] = GRZ_KIND_USUAL + is_ray;
    }
}

// Makes room in these of the columns that not all worlds have.
static bool reserve_optional(grz_bodies *bodies, const graze_allocator *from, uint32_t total,
                             uint32_t columns)
{
    const grz_optional *usual = &grz_optional_default;
    const bool had_filters = bodies->filters.data != NULL;
    bool done =
        !(columns & GRZ_NEED_FILTER) || grz_array_reserve_exact(&bodies->filter_kinds, from, total);
#define RESERVE_IF_NEEDED(column, member, need)                                                    \
    done = done && (!(columns & (need)) || RESERVE_COLUMN(&bodies->column, from, total,            \
                                                          &usual->member, bodies->cold.count));
    GRZ_OPTIONAL_COLUMNS(RESERVE_IF_NEEDED)
#undef RESERVE_IF_NEEDED
    if (!had_filters && bodies->filters.data) {
        fill_filter_kinds(bodies);
    }
    return done;
}

// Grows as rows do.
static bool reserve_indices(grz_bodies *bodies, const graze_allocator *allocator, uint32_t total,
                            uint32_t needs)
{
    total = grz_next_capacity(bodies->row_of_index.capacity, total);
    const size_t words = ((size_t)total + 63) / 64;
    uint32_t held = bodies->vacancies.count;
    if (!grz_array_reserve_exact(&bodies->cold, allocator, total) ||
        !grz_array_reserve(&bodies->vacancies, allocator, words) ||
        !grz_index_set_reserve(&bodies->unsorted, allocator, total) ||
        !reserve_optional(bodies, allocator, total, needs | columns_of(bodies)) ||
        !grz_array_reserve_exact(&bodies->row_of_index, allocator, total)) {
        return false;
    }
    for (; held < words; ++held) {
        bodies->vacancies.data[held] = 0;
    }
    bodies->vacancies.count = held;
    return true;
}

static bool make_room(grz_bodies *bodies, const graze_allocator *allocator, uint32_t indices,
                      uint32_t rows, uint32_t needs)
{
    return reserve_indices(bodies, allocator, max_u32(indices, bodies->cold.count), needs) &&
           grz_rows_reserve(&bodies->rows, allocator, bodies->count, rows,
                            (needs & GRZ_NEED_ROTATIONS) != 0);
}

bool grz_bodies_make_room(graze_world *world, uint32_t indices, uint32_t rows, uint32_t needs)
{
    const bool had_filters = world->bodies.filters.data != NULL;
    const bool done = make_room(&world->bodies, &world->config.counting, indices, rows, needs);
    world->grid.kinds_due |= !had_filters && world->bodies.filters.data;
    return done;
}

// Returns how many indices there are once `extra` more bodies, at most GRZ_BODIES_MAX, have theirs.
static uint32_t count_indices(const grz_bodies *bodies, uint32_t extra)
{
    const uint32_t removed = (uint32_t)grz_list_count(bodies->removed);
    const uint32_t vacant = bodies->cold.count - bodies->count - removed;
    return bodies->cold.count + (extra > vacant ? extra - vacant : 0);
}

graze_status grz_bodies_check_limit(const graze_world *world, uint32_t extra)
{
    const uint32_t limit =
        world->config.fixed_capacity ? world->config.body_capacity : GRZ_BODIES_MAX;
    const bool fits = extra <= limit && world->bodies.count <= limit - extra &&
                      count_indices(&world->bodies, extra) <= GRZ_BODIES_MAX;
    return fits ? GRAZE_OK : GRAZE_ERROR_LIMIT;
}

graze_status grz_bodies_reserve(graze_world *world, uint32_t extra, uint32_t needs)
{
    if (grz_bodies_check_limit(world, extra)) {
        return GRAZE_ERROR_LIMIT;
    }
    const uint32_t indices = count_indices(&world->bodies, extra);
    const uint32_t rows = world->bodies.count + extra;
    return grz_bodies_make_room(world, indices, rows, needs) ? GRAZE_OK : GRAZE_ERROR_OUT_OF_MEMORY;
}

static grz_index take_index(grz_bodies *bodies)
{
    uint32_t *word = &bodies->lowest_vacancy;
    while (*word < bodies->vacancies.count && !bodies->vacancies.data[*word]) {
        ++*word;
    }
    if (*word < bodies->vacancies.count) {
        const uint64_t bits = bodies->vacancies.data[*word];
        bodies->vacancies.data[*word] = bits & (bits - 1);
        return *word * 64 + grz_lowest_bit(bits);
    }
    GRZ_ASSERT(bodies->cold.count < bodies->cold.capacity);
    const grz_index index = bodies->cold.count++;
    bodies->row_of_index.count = bodies->cold.count;
    memset(&bodies->cold.data[index], 0, sizeof bodies->cold.data[index]);
    return index;
}

static void vacate_index(grz_bodies *bodies, grz_index index)
{
    const uint32_t word = index / 64;
    bodies->row_of_index.data[index] = GRZ_NONE;
    bodies->vacancies.data[word] |= UINT64_C(1) << (index % 64);
    bodies->lowest_vacancy = word < bodies->lowest_vacancy ? word : bodies->lowest_vacancy;
}

// See bodies.h: of a vacant index only the generation remains.
static void clear_index(grz_bodies *bodies, grz_index index)
{
    const grz_body empty_body = {.generation = bodies->cold.data[index].generation};
    bodies->cold.data[index] = empty_body;
    grz_bodies_fill_optional(bodies, index, &grz_optional_default);
}

static void fill_row(graze_world *world, grz_row row, graze_body_id id, const graze_body_def *def)
{
    grz_rows *rows = &world->bodies.rows;
    const bool turns = grz_has_rotation((uint32_t)def->shape.kind, (uint32_t)def->response);
    rows->position[row] = without_negative_zero(def->position);
    rows->velocity[row] = without_negative_zero(def->velocity);
    rows->half[row] = grz_half_of(def->shape);
    const bool rect = grz_kind_has_sides(def->shape.kind);
    if (rows->rotation) {
        rows->angle[row] = turns ? grz_wrap_angle(def->angle) : 0;
        rows->spin[row] = turns ? def->spin + 0.0f : 0;
        rows->turn[row] = 0;
        rows->rotation[row] = graze_rotation_from_angle(rect ? rows->angle[row] : 0);
    }
    rows->index[row] = id.index;
    rows->generation[row] = id.generation;
    rows->traits[row] = grz_traits_of(world, row, def->shape.kind);
}

static void find_kind(graze_world *world, grz_index index)
{
    if (world->bodies.filters.data) {
        world->bodies.filter_kinds.data[index] =
            grz_filter_kinds_find(&world->grid.kinds, world->bodies.filters.data[index],
                                  world->bodies.cold.data[index].kind == GRAZE_SHAPE_RAY);
    }
}

static void fill_body(graze_world *world, grz_index index, const graze_body_def *def)
{
    const grz_optional optional = {material_of(def),
                                   {def->lifetime + 0.0f, def->hit_limit, 0},
                                   def->filter,
                                   def->user_data,
                                   dynamics_of(def)};
    grz_body *body = &world->bodies.cold.data[index];
    ++body->generation;
    body->generation += body->generation == 0;
    body->response = (uint8_t)def->response;
    body->sensor = def->sensor;
    body->kind = (uint8_t)def->shape.kind;
    grz_bodies_fill_optional(&world->bodies, index, &optional);
    find_kind(world, index);
}

static void move_row(grz_bodies *bodies, uint32_t to, uint32_t from)
{
    if (to != from) {
        grz_rows_copy(&bodies->rows, to, from);
        bodies->row_of_index.data[bodies->rows.index[to]] = to;
    }
}

// A new row is active: the first still row moves to the end for it.
static grz_row make_row(grz_bodies *bodies)
{
    move_row(bodies, bodies->count++, bodies->active_count);
    return bodies->active_count++;
}

// Counts `change` bodies more with these traits; (uint32_t)-1: one less.
static void count_traits(graze_world *world, uint32_t traits, uint32_t change)
{
    world->bodies.rotation_count += grz_row_has_rotation(traits) * change;
    world->bodies.rect_count += grz_has_sides(traits) * change;
    world->bodies.ray_count += (grz_kind_of(traits) == GRAZE_SHAPE_RAY) * change;
}

graze_body_id grz_bodies_add(graze_world *world, const graze_body_def *def)
{
    const grz_index index = take_index(&world->bodies);
    const grz_row row = make_row(&world->bodies);
    if (world->bodies.cold.data[index].generation != 0 && index < world->reports.renewed_from) {
        world->reports.renewed_from = index;
    }
    fill_body(world, index, def);
    fill_row(world, row, grz_bodies_id(world, index), def);
    world->bodies.row_of_index.data[index] = row;
    count_traits(world, world->bodies.rows.traits[row], 1);
    world->bodies.filter_count += !grz_filter_is_default(def->filter);
    grz_bodies_mark_unsorted(world, index);
    return grz_bodies_id(world, index);
}

// The last active row moves into the gap, and the last of all into its own.
void grz_bodies_remove(graze_world *world, grz_index index)
{
    const grz_rows *rows = &world->bodies.rows;
    const grz_row row = world->bodies.row_of_index.data[index];
    GRZ_ASSERT(row < world->bodies.active_count);
    count_traits(world, rows->traits[row], (uint32_t)-1);
    world->bodies.filter_count -=
        world->bodies.filter_count && !grz_filter_is_default(*grz_filter_of(world, index));
    move_row(&world->bodies, row, --world->bodies.active_count);
    move_row(&world->bodies, world->bodies.active_count, --world->bodies.count);
    vacate_index(&world->bodies, index);
    clear_index(&world->bodies, index);
}

bool grz_bodies_has_shape(const graze_world *world, grz_row row, graze_shape shape)
{
    const graze_vec2 half = grz_half_of(shape);
    return grz_kind_of(world->bodies.rows.traits[row]) == shape.kind &&
           is_same_point(world->bodies.rows.half[row], half);
}

// A circle's rotation stays upright: only its angle tells.
void grz_bodies_set_angle(graze_world *world, grz_row row, float angle)
{
    grz_rows *rows = &world->bodies.rows;
    const bool rect = grz_has_sides(rows->traits[row]);
    rows->angle[row] = angle;
    rows->rotation[row] = graze_rotation_from_angle(rect ? angle : 0);
}

void grz_bodies_renew_traits(graze_world *world, grz_row row)
{
    grz_rows *rows = &world->bodies.rows;
    rows->traits[row] = grz_traits_of(world, row, grz_kind_of(rows->traits[row]));
}

// A body of another kind, or without a rotation, is upright.
static void reset_rotation(grz_rows *rows, grz_row row)
{
    const graze_rotation upright = {1, 0};
    if (rows->rotation) {
        rows->rotation[row] = upright;
        rows->angle[row] = 0;
        rows->spin[row] = 0;
    }
}

void grz_bodies_set_shape(graze_world *world, grz_index index, graze_shape shape)
{
    grz_rows *rows = &world->bodies.rows;
    const grz_row row = world->bodies.row_of_index.data[index];
    count_traits(world, rows->traits[row], (uint32_t)-1);
    if (shape.kind != grz_kind_of(rows->traits[row])) {
        reset_rotation(rows, row);
    }
    rows->half[row] = grz_half_of(shape);
    world->bodies.cold.data[index].kind = (uint8_t)shape.kind;
    find_kind(world, index);
    rows->traits[row] = grz_traits_of(world, row, shape.kind);
    count_traits(world, rows->traits[row], 1);
    grz_bodies_mark_unsorted(world, index);
}

void grz_bodies_set_response(graze_world *world, grz_index index, graze_response response)
{
    grz_rows *rows = &world->bodies.rows;
    const grz_row row = world->bodies.row_of_index.data[index];
    count_traits(world, rows->traits[row], (uint32_t)-1);
    world->bodies.cold.data[index].response = (uint8_t)response;
    if (!grz_has_rotation((uint32_t)grz_kind_of(rows->traits[row]), (uint32_t)response)) {
        reset_rotation(rows, row);
    }
    grz_bodies_renew_traits(world, row);
    count_traits(world, rows->traits[row], 1);
}

static void write_tag(graze_world *world, grz_row row)
{
    const uint32_t tag = grz_filter_tag_of(world, world->bodies.rows.index[row]);
    uint32_t *traits = &world->bodies.rows.traits[row];
    *traits &= (UINT32_C(1) << GRZ_TRAIT_FILTER_SHIFT) - 1;
    *traits |= tag << GRZ_TRAIT_FILTER_SHIFT;
}

// Queries find the body by its new kind: on its own, or, where many change, because they look at
// all of its old kind.
static void note_change(graze_world *world, grz_index index, uint32_t old_kind)
{
    if (world->grid.kind_changes++ < LOOSE_KINDS) {
        grz_bodies_mark_unsorted(world, index);
    } else {
        world->grid.stale_kinds[old_kind / 32] |= UINT32_C(1) << old_kind % 32;
        GRZ_FAULT(kinds_of_many_changes, world->grid.stale_kinds[old_kind / 32] = 0);
    }
}

void grz_bodies_set_filter(graze_world *world, grz_index index, graze_filter filter)
{
    world->bodies.filter_count -= !grz_filter_is_default(*grz_filter_of(world, index));
    world->bodies.filter_count += !grz_filter_is_default(filter);
    if (!world->bodies.filters.data) {
        return;
    }
    const bool is_sorted = !grz_index_set_has(&world->bodies.unsorted, index);
    GRZ_FAULT(kinds_of_changed_filters, is_sorted = !is_sorted);
    const uint8_t old_kind = world->bodies.filter_kinds.data[index];
    world->bodies.filters.data[index] = filter;
    find_kind(world, index);
    write_tag(world, world->bodies.row_of_index.data[index]);
    if (is_sorted && world->bodies.filter_kinds.data[index] != old_kind) {
        note_change(world, index, old_kind);
    }
}

void grz_bodies_renew_kinds(graze_world *world)
{
    grz_filter_kinds *kinds = &world->grid.kinds;
    const bool full = kinds->full && !kinds->wait;
    kinds->wait -= kinds->wait > 0;
    if (!world->bodies.filter_count || (!world->grid.kinds_due && !full)) {
        return;
    }
    if (full) {
        grz_filter_kinds_clear(kinds);
        world->grid.kinds_sorted = false;
        world->sleep.has_kinds = false;
        GRZ_FAULT(kinds_in_a_step_that_fails, world->grid.kinds_sorted = true);
        GRZ_FAULT(kinds_of_bodies_at_rest, world->sleep.has_kinds = true);
    }
    world->grid.kinds_due = false;
    for (grz_row row = 0; row < world->bodies.count; ++row) {
        find_kind(world, world->bodies.rows.index[row]);
        write_tag(world, row);
    }
    kinds->wait = full && kinds->full ? KINDS_WAIT : kinds->wait;
}

const uint32_t *grz_list_sorted_kinds(const graze_world *world, graze_filter filter,
                                      uint32_t kinds[GRAZE_GRID_KIND_WORDS])
{
    if (!world->grid.kinds_sorted) {
        return NULL;
    }
    grz_filter_kinds_list(&world->grid.kinds, filter, kinds);
    for (uint32_t word = 0; word < GRAZE_GRID_KIND_WORDS; ++word) {
        kinds[word] |= world->grid.stale_kinds[word];
    }
    return kinds;
}

// A body whose filter changes is still no more.
const uint32_t *grz_list_still_kinds(const graze_world *world, graze_filter filter,
                                     uint32_t kinds[GRAZE_GRID_KIND_WORDS])
{
    if (!world->sleep.has_kinds) {
        return NULL;
    }
    grz_filter_kinds_list(&world->grid.kinds, filter, kinds);
    return kinds;
}

void grz_bodies_push(graze_world *world, grz_row row, graze_vec2d impulse, double spin_impulse)
{
    const grz_rows *rows = &world->bodies.rows;
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

// They come in the order of rows, which is arbitrary. In two passes: after what clear_index stores
// compilers load every pointer again.
void grz_bodies_forget_removed(graze_world *world)
{
    grz_bodies *bodies = &world->bodies;
    const grz_removed *removed = bodies->removed;
    const size_t count = grz_list_count(removed);
    for (size_t i = 0; i < count; ++i) {
        GRZ_PREFETCH(&bodies->row_of_index.data[removed[i + AHEAD < count ? i + AHEAD : i].index]);
        vacate_index(bodies, removed[i].index);
    }
    for (size_t i = 0; i < count; ++i) {
        clear_index(bodies, removed[i].index);
    }
    grz_list_clear(bodies->removed);
}

void grz_bodies_mark_unsorted(graze_world *world, grz_index index)
{
    grz_index_set_add(&world->bodies.unsorted, index);
}

void grz_bodies_mark_sorted(graze_world *world)
{
    grz_index_set_clear(&world->bodies.unsorted);
    memset(world->grid.stale_kinds, 0, sizeof world->grid.stale_kinds);
    world->grid.kind_changes = 0;
    world->grid.kinds_sorted = true;
}

static const grz_body *find_body(const grz_bodies *bodies, graze_body_id id)
{
    if (id.index >= bodies->cold.count || id.generation == 0) {
        return NULL;
    }
    const grz_body *body = &bodies->cold.data[id.index];
    return body->generation == id.generation ? body : NULL;
}

uint32_t grz_bodies_find(const graze_world *world, graze_body_id id)
{
    const grz_row row =
        find_body(&world->bodies, id) ? world->bodies.row_of_index.data[id.index] : GRZ_NONE;
    return grz_is_removed(row) ? GRZ_NONE : row;
}

const grz_removed *grz_bodies_find_removed(const graze_world *world, graze_body_id id)
{
    const grz_row row =
        find_body(&world->bodies, id) ? world->bodies.row_of_index.data[id.index] : GRZ_NONE;
    return grz_is_removed(row) ? &world->bodies.removed[grz_removed_place(row)] : NULL;
}

graze_body_id grz_bodies_id(const graze_world *world, grz_index index)
{
    const graze_body_id id = {index, world->bodies.cold.data[index].generation};
    return id;
}

// --- Angles ---

float grz_wrap_angle(float angle)
{
    const float half_turn = GRZ_PI;
    const double turn = 6.283185307179586;
    if (angle >= -half_turn && angle <= half_turn) {
        return angle + 0.0f;
    }
    const double turns = (double)angle / turn;
    if (!(turns > -1e15 && turns < 1e15)) {
        return 0;
    }
    const int64_t whole = (int64_t)(turns + (turns < 0 ? -0.5 : 0.5));
    const float rest = (float)((double)angle - (double)whole * turn) + 0.0f;
    return rest > half_turn ? half_turn : rest < -half_turn ? -half_turn : rest;
}

// --- A second set of columns ---

static grz_bodies *make_spare(const graze_allocator *allocator)
{
    grz_bodies *spare = allocator->allocate(sizeof *spare, GRZ_ALIGNMENT, allocator->user);
    if (spare) {
        memset(spare, 0, sizeof *spare);
    }
    return spare;
}

static void free_columns(grz_bodies *bodies, const graze_allocator *allocator)
{
    grz_rows_free(&bodies->rows, allocator);
#define FREE_COLUMN(column, member, need) grz_array_free(&bodies->column, allocator);
    GRZ_OPTIONAL_COLUMNS(FREE_COLUMN)
#undef FREE_COLUMN
    grz_array_free(&bodies->cold, allocator);
    grz_array_free(&bodies->filter_kinds, allocator);
    grz_array_free(&bodies->row_of_index, allocator);
    grz_array_free(&bodies->vacancies, allocator);
    grz_array_free(&bodies->marked, allocator);
    grz_array_free(&bodies->marked_blocks, allocator);
    grz_list_free(bodies->removed);
    grz_index_set_free(&bodies->unsorted, allocator);
}

// If something has to grow, all is allocated again: no content needs a copy, and neither set
// becomes larger than the other, which would then have to grow, too.
bool grz_spare_reserve(grz_bodies *bodies, const graze_allocator *allocator, uint32_t indices,
                       uint32_t rows, uint32_t needs)
{
    bodies->spare = bodies->spare ? bodies->spare : make_spare(allocator);
    grz_bodies *spare = bodies->spare;
    if (!spare) {
        return false;
    }
    indices = max_u32(indices, bodies->row_of_index.capacity);
    rows = max_u32(rows, bodies->rows.capacity);
    if (spare->row_of_index.capacity < indices || spare->rows.capacity < rows) {
        free_columns(spare, allocator);
    }
    spare->count = spare->cold.count = 0;
    return make_room(spare, allocator, indices, rows, needs | columns_of(bodies));
}

void grz_spare_exchange(grz_bodies *bodies)
{
    enum { SWAPPED = offsetof(grz_bodies, spare) }; // What comes before it.
    grz_bodies kept;
    memcpy(&kept, bodies, SWAPPED);
    memcpy(bodies, bodies->spare, SWAPPED);
    memcpy(bodies->spare, &kept, SWAPPED);
}
