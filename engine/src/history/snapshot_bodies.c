// The bodies of a snapshot: copied into the world's spare columns, checked there, and exchanged
// with the world's own.

#include "collide/sleep.h"
#include "history/snapshot_load.h"
#include "list.h"
#include "world/bodies.h"
#include "world/message.h"

// --- Which bodies there are ---

static uint64_t vacancies_at(const grz_snapshot *snapshot, size_t word)
{
    uint64_t bits;
    memcpy(&bits, grz_snapshot_element(snapshot, GRZ_SECTION_VACANCIES, word), sizeof bits);
    return bits;
}

static uint32_t removed_at(const grz_snapshot *snapshot, size_t place)
{
    return grz_word_at(grz_snapshot_section(snapshot, GRZ_SECTION_REMOVED), place);
}

// Those of a word that there are.
static uint64_t indices_of_word(const grz_snapshot *snapshot, size_t word)
{
    const size_t left = snapshot->header.index_count - 64 * word;
    return left < 64 ? (UINT64_C(1) << left) - 1 : UINT64_MAX;
}

static size_t count_words(const grz_snapshot *snapshot)
{
    return ((size_t)snapshot->header.index_count + 63) / 64;
}

// The removed rise, and none is vacant.
static bool removed_are_right(const grz_snapshot *snapshot)
{
    bool right = true;
    for (uint32_t i = 0; right && i < snapshot->header.removed_count; ++i) {
        const grz_index index = removed_at(snapshot, i);
        right = index < snapshot->header.index_count &&
                (i == 0 || removed_at(snapshot, i - 1) < index) &&
                !(vacancies_at(snapshot, index / 64) >> index % 64 & 1);
    }
    return right;
}

static bool indices_are_right(const grz_snapshot *snapshot)
{
    uint64_t strange = 0;
    size_t vacant = 0;
    for (size_t word = 0; word < count_words(snapshot); ++word) {
        uint64_t left = vacancies_at(snapshot, word);
        strange |= left & ~indices_of_word(snapshot, word);
        for (; left; left &= left - 1) {
            ++vacant;
        }
    }
    return strange == 0 &&
           vacant + grz_snapshot_kept(&snapshot->header) == snapshot->header.index_count &&
           removed_are_right(snapshot);
}

// --- Columns ---

static void fill_with_usual(grz_section section, unsigned char *column, size_t count)
{
    const grz_section_plan *plan = &grz_section_plans[section];
    for (size_t i = 0; plan->usual && i < count; ++i) {
        memcpy(column + i * plan->form->size, plan->usual, plan->form->size);
    }
    if (!plan->usual) {
        memset(column, 0, count * plan->form->size);
    }
}

// HOT. bench: engine/snapshot_load
//
// Data    All columns of bodies, read and written once. Those that the snapshot lacks are written.
static void copy_columns(graze_world *spare, const grz_snapshot *snapshot)
{
    for (int i = 0; i <= GRZ_SECTION_VACANCIES; ++i) {
        const grz_section section = (grz_section)i;
        const size_t size = grz_snapshot_section_size(snapshot, section);
        void *column = grz_snapshot_column(spare, section);
        if (size) {
            memcpy(column, grz_snapshot_section(snapshot, section), size);
        } else if (column) {
            const bool by_index = section >= GRZ_SECTIONS_BY_INDEX_BEGIN;
            fill_with_usual(section, column,
                            by_index ? snapshot->header.index_count
                                     : grz_snapshot_kept(&snapshot->header));
        }
    }
}

static bool columns_are_right(const grz_snapshot *snapshot)
{
    bool right = true;
    for (int i = 0; right && i < GRZ_SECTION_VACANCIES; ++i) {
        right = !grz_snapshot_find_wrong(snapshot, (grz_section)i);
    }
    return right;
}

// --- Rows ---

/// Rows being made, and what was found on the way.
typedef struct row_maker {
    const grz_snapshot *snapshot;
    graze_world *spare;
    grz_row row;      ///< Of the next body in the world.
    uint32_t removed; ///< How many of the removed were met.
    bool contradicts; ///< Some body does.
    bool any_rotation, any_dynamic;
} row_maker;

/// A kept body, each of whose values is right.
typedef struct kept_body {
    grz_index index;
    uint32_t place; ///< This is that among the kept: the row, if it is in the world.
    bool removed;
    bool turns; ///< It has a rotation.
    grz_body cold;
    grz_life life;
    graze_vec2 half;
    float angle, spin;
} kept_body;

// The removed come last among the kept.
static kept_body next_kept(row_maker *maker, grz_index index)
{
    const grz_snapshot_header *header = &maker->snapshot->header;
    const graze_world *spare = maker->spare;
    const bool removed = maker->removed < header->removed_count &&
                         removed_at(maker->snapshot, maker->removed) == index;
    const uint32_t place = removed ? header->body_count + maker->removed : maker->row;
    const kept_body body = {
        .index = index,
        .place = place,
        .removed = removed,
        .turns = grz_has_rotation(spare->bodies.cold.data[index].kind,
                                  spare->bodies.cold.data[index].response),
        .cold = spare->bodies.cold.data[index],
        .life = grz_life_of(spare, index),
        .half = spare->bodies.rows.half[place],
        .angle = grz_angle_of(&spare->bodies.rows, place),
        .spin = grz_spin_of(&spare->bodies.rows, place),
    };
    maker->removed += removed;
    maker->row += !removed;
    return body;
}

static bool life_fits(const kept_body *body)
{
    return body->life.hit_limit ? (body->life.hit_count < body->life.hit_limit) | body->removed
                                : body->life.hit_count == 0;
}

static bool size_fits(const kept_body *body)
{
    const graze_vec2 half = body->half;
    return body->cold.kind == GRAZE_SHAPE_RECT
               ? (half.x > 0) & (half.y > 0)
               : (half.x == half.y) & ((body->cold.kind != GRAZE_SHAPE_RAY) | (half.x == 0));
}

static bool turn_fits(const kept_body *body)
{
    return ((grz_pattern_of(body->angle) & GRZ_PATTERN_MAGNITUDE) <= GRZ_PATTERN_HALF_TURN) &
           (body->turns | ((body->angle == 0) & (body->spin == 0)));
}

// Returns what the values of a body do not allow each other.
static const char *blame_together(const kept_body *body)
{
    if (!life_fits(body)) {
        return body->life.hit_limit ? "hit_limit is spent" : "hits are counted without a hit_limit";
    }
    return size_fits(body) ? "angle is not in [-pi, pi], or it turns but is no rect or rigid circle"
                           : "size is out of range for its shape";
}

static bool fits_together(const kept_body *body)
{
    return life_fits(body) && size_fits(body) && turn_fits(body);
}

static uint32_t find_traits(const graze_world *spare, const kept_body *body)
{
    const grz_dynamics dynamics = grz_dynamics_of(spare, body->index);
    const grz_trait_source from = {
        .kind = body->cold.kind,
        .response = body->cold.response,
        .sensor = body->cold.sensor,
        .hit_limit = body->life.hit_limit,
        .hit_count = body->life.hit_count,
        .mass = grz_material_of(spare, body->index).mass,
        .lifetime = body->life.lifetime,
        .spin = body->spin,
        .dynamics = &dynamics,
    };
    return grz_traits_from(from);
}

static void make_row(graze_world *spare, const kept_body *body)
{
    spare->bodies.rows.index[body->place] = body->index;
    spare->bodies.rows.generation[body->place] = body->cold.generation;
    spare->bodies.rows.traits[body->place] = find_traits(spare, body);
    spare->bodies.row_of_index.data[body->index] = body->place;
    spare->bodies.rect_count += body->cold.kind == GRAZE_SHAPE_RECT;
    spare->bodies.ray_count += body->cold.kind == GRAZE_SHAPE_RAY;
    spare->bodies.rotation_count += body->turns;
}

// Returns whether it is in the world.
static bool make_body(row_maker *maker, grz_index index)
{
    const kept_body body = next_kept(maker, index);
    maker->contradicts |= !fits_together(&body);
    maker->any_rotation |= body.turns;
    maker->any_dynamic |= grz_is_dynamic(body.cold.kind, body.cold.response);
    if (!body.removed) {
        make_row(maker->spare, &body);
    }
    return !body.removed;
}

// HOT. bench: engine/snapshot_load
//
// Data    All columns of a body but its position and velocity read; 16 bytes written.
// Branch  On which indices are vacant.
static void make_rows(row_maker *maker)
{
    graze_world *spare = maker->spare;
    spare->bodies.rect_count = spare->bodies.ray_count = spare->bodies.rotation_count = 0;
    grz_index_set_clear(&spare->grid.unsorted);
    for (uint32_t i = 0; i < maker->snapshot->header.index_count; ++i) {
        spare->bodies.row_of_index.data[i] = GRZ_NONE;
    }
    for (size_t word = 0; word < count_words(maker->snapshot); ++word) {
        uint64_t in_world = 0;
        uint64_t left =
            indices_of_word(maker->snapshot, word) & ~vacancies_at(maker->snapshot, word);
        for (; left; left &= left - 1) {
            const uint32_t bit = grz_lowest_bit(left);
            in_world |= (uint64_t)make_body(maker, (uint32_t)(64 * word) + bit) << bit;
        }
        grz_index_set_add_word(&spare->grid.unsorted, (uint32_t)word, in_world);
    }
}

// --- Columns that not all worlds have ---

static bool vacant_is_right(const grz_snapshot *snapshot, grz_index index)
{
    bool right = grz_word_at(grz_snapshot_element(snapshot, GRZ_SECTION_BODIES, index), 1) == 0;
    for (int i = GRZ_SECTIONS_BY_INDEX_BEGIN + 1; i < GRZ_SECTIONS_BY_INDEX_END; ++i) {
        const grz_section section = (grz_section)i;
        right = right &&
                (!grz_snapshot_section_size(snapshot, section) ||
                 grz_section_is_usual(section, grz_snapshot_element(snapshot, section, index), 1));
    }
    return right;
}

static bool vacancies_are_right(const grz_snapshot *snapshot)
{
    bool right = true;
    for (size_t word = 0; word < count_words(snapshot); ++word) {
        for (uint64_t left = vacancies_at(snapshot, word); left; left &= left - 1) {
            right =
                right && vacant_is_right(snapshot, (uint32_t)(64 * word) + grz_lowest_bit(left));
        }
    }
    return right;
}

// A column is there exactly if it is needed: equal states give equal bytes. Dynamic bodies need one
// even with defaults.
static bool needs_are_right(const row_maker *maker)
{
    const grz_snapshot *snapshot = maker->snapshot;
    bool right = maker->any_rotation == grz_snapshot_has(snapshot, GRZ_NEED_ROTATIONS) &&
                 (!maker->any_dynamic || grz_snapshot_has(snapshot, GRZ_NEED_DYNAMICS));
    for (int i = GRZ_SECTIONS_BY_INDEX_BEGIN + 1; i < GRZ_SECTIONS_BY_INDEX_END; ++i) {
        const uint32_t need = grz_section_plans[i].need;
        right = right && (!grz_snapshot_has(snapshot, need) ||
                          (need == GRZ_NEED_DYNAMICS && maker->any_dynamic) ||
                          !grz_section_is_usual((grz_section)i,
                                                grz_snapshot_section(snapshot, (grz_section)i),
                                                snapshot->header.index_count));
    }
    return right && maker->spare->bodies.rect_count == snapshot->header.rect_count &&
           vacancies_are_right(snapshot);
}

// --- What is wrong ---

// Returns the first wrong value of a body in columns by index, or by row if it is kept.
static const char *blame_values(const grz_snapshot *snapshot, const kept_body *body, bool kept)
{
    static const grz_section order[] = {
        GRZ_SECTION_BODIES,   GRZ_SECTION_MATERIALS, GRZ_SECTION_LIVES,
        GRZ_SECTION_DYNAMICS, GRZ_SECTION_POSITIONS, GRZ_SECTION_VELOCITIES,
        GRZ_SECTION_HALVES,   GRZ_SECTION_ANGLES,    GRZ_SECTION_SPINS,
    };
    const grz_field *wrong = NULL;
    for (size_t i = 0; !wrong && i < sizeof order / sizeof *order; ++i) {
        const bool by_index = order[i] >= GRZ_SECTIONS_BY_INDEX_BEGIN;
        if (grz_snapshot_section_size(snapshot, order[i]) && (by_index || kept)) {
            const size_t place = by_index ? body->index : body->place;
            wrong = grz_form_find_wrong(grz_section_plans[order[i]].form,
                                        grz_snapshot_element(snapshot, order[i], place), 1);
        }
    }
    return wrong ? wrong->blame : NULL;
}

// Tests one body after the other, once it is known that one is wrong.
static graze_status blame_body(const graze_world *world, const grz_snapshot *snapshot)
{
    row_maker maker = {.snapshot = snapshot, .spare = world->bodies.spare};
    const char *what = NULL;
    grz_index index = 0;
    for (; !what && index < snapshot->header.index_count; ++index) {
        const bool vacant = vacancies_at(snapshot, index / 64) >> index % 64 & 1;
        const kept_body none = {.index = index};
        const kept_body body = vacant ? none : next_kept(&maker, index);
        what = blame_values(snapshot, &body, !vacant);
        what = what || vacant || fits_together(&body) ? what : blame_together(&body);
    }
    return grz_fail(world, GRAZE_ERROR_FORMAT, "graze_world_load: body %u of the snapshot: its %s",
                    (unsigned)index - 1, what ? what : "values are invalid");
}

graze_status grz_snapshot_read_bodies(const graze_world *world, const grz_snapshot *snapshot)
{
    row_maker maker = {.snapshot = snapshot, .spare = world->bodies.spare};
    if (!indices_are_right(snapshot)) {
        return grz_snapshot_refuse(world,
                                   "the snapshot's lists of body indices contradict each other");
    }
    copy_columns(world->bodies.spare, snapshot);
    if (!columns_are_right(snapshot)) {
        return blame_body(world, snapshot);
    }
    make_rows(&maker);
    if (maker.contradicts) {
        return blame_body(world, snapshot);
    }
    return needs_are_right(&maker)
               ? GRAZE_OK
               : grz_snapshot_refuse(world,
                                     "the snapshot's optional columns do not match its bodies");
}

// --- In their place ---

static void complete(graze_world *spare, const grz_snapshot *snapshot)
{
    const size_t words = count_words(snapshot);
    uint64_t *vacancies = spare->bodies.vacancies.data;
    memset(vacancies + words, 0, (spare->bodies.vacancies.count - words) * sizeof *vacancies);
    spare->bodies.lowest_vacancy = 0;
    spare->bodies.cold.count = snapshot->header.index_count;
    spare->bodies.row_of_index.count = snapshot->header.index_count;
    spare->bodies.count = snapshot->header.body_count;
    spare->bodies.rows.rotations_due = true;
}

static uint32_t count_filters(const graze_world *world)
{
    uint32_t count = 0;
    for (grz_row row = 0; world->bodies.filters.data && row < world->bodies.count; ++row) {
        count += !grz_filter_is_default(world->bodies.filters.data[world->bodies.rows.index[row]]);
    }
    return count;
}

// Their hot parts lie behind the rows.
static void fill_removed(graze_world *world, const grz_snapshot *snapshot)
{
    const grz_rows *rows = &world->bodies.rows;
    const uint32_t count = snapshot->header.removed_count;
    grz_list_clear(world->bodies.removed);
    if (count) {
        grz_list_extend(world->bodies.removed, count);
    }
    for (uint32_t i = 0; i < count; ++i) {
        const grz_index index = removed_at(snapshot, i);
        const grz_row place = world->bodies.count + i;
        const graze_shape_kind kind = (graze_shape_kind)world->bodies.cold.data[index].kind;
        const grz_removed removed = {
            .index = index,
            .position = rows->position[place],
            .velocity = rows->velocity[place],
            .angle = grz_angle_of(rows, place),
            .spin = grz_spin_of(rows, place),
            .shape = grz_shape_of(kind, rows->half[place]),
        };
        world->bodies.removed[i] = removed;
        world->bodies.row_of_index.data[index] = grz_row_of_removed(i);
    }
}

void grz_snapshot_fill_bodies(graze_world *world, const grz_snapshot *snapshot)
{
    complete(world->bodies.spare, snapshot);
    grz_spare_exchange(world);
    world->bodies.filter_count = count_filters(world);
    world->grid.kinds_due = true;
    fill_removed(world, snapshot);
    grz_sleep_forget(world);
}
