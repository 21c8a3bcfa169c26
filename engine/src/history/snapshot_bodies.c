// The bodies of a snapshot: copied into the world's spare columns, checked there, and exchanged
// with the world's own.

#include "collide/sleep.h"
#include "fault.h"
#include "history/snapshot.h"
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
static void copy_columns(grz_bodies *spare, const grz_snapshot *snapshot)
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
    grz_bodies *spare;
    uint32_t kept; ///< Bodies in the world, and the removed in the places behind these.
    bool any_rotation, any_dynamic;
} row_maker;

// Gives the bodies in the world their rows, by index, and the removed places.
static void number_rows(const row_maker *maker)
{
    const grz_snapshot *snapshot = maker->snapshot;
    const uint32_t count = snapshot->header.index_count, removed = snapshot->header.removed_count;
    uint32_t *row_of_index = maker->spare->row_of_index.data, row = 0, gone = 0;
    uint32_t *index_of_row = maker->spare->rows.index;
    grz_index_set_clear(&maker->spare->unsorted);
    for (uint32_t i = 0; i < count; ++i) {
        row_of_index[i] = GRZ_NONE;
    }
    for (size_t word = 0; word < count_words(snapshot); ++word) {
        uint64_t in_world = indices_of_word(snapshot, word) & ~vacancies_at(snapshot, word);
        for (; gone < removed && removed_at(snapshot, gone) / 64 == word; ++gone) {
            const grz_index index = removed_at(snapshot, gone);
            in_world &= ~(UINT64_C(1) << index % 64);
            row_of_index[index] = grz_row_of_removed(gone);
            index_of_row[snapshot->header.body_count + gone] = index;
        }
        grz_index_set_add_word(&maker->spare->unsorted, (uint32_t)word, in_world);
        for (; in_world; in_world &= in_world - 1) {
            const grz_index index = (uint32_t)(64 * word) + grz_lowest_bit(in_world);
            row_of_index[index] = row;
            index_of_row[row++] = index;
        }
    }
}

// HOT. bench: engine/snapshot_load
//
// Data    The columns of bodies by index read, 8 bytes written.
// Branch  On which columns there are.
static void make_rows(const row_maker *maker)
{
    const grz_bodies *spare = maker->spare;
    const grz_rows rows = spare->rows;
    for (uint32_t place = 0; place < maker->kept; ++place) {
        const grz_index index = rows.index[place];
        const grz_body body = spare->cold.data[index];
        rows.generation[place] = body.generation;
        rows.traits[place] = grz_untagged_traits_of(spare, index, body.kind, rows.velocity[place],
                                                    grz_spin_of(&rows, place));
    }
}

static void count_kinds(row_maker *maker)
{
    grz_bodies *spare = maker->spare;
    const uint32_t *traits = spare->rows.traits;
    const uint32_t kept = maker->kept, in_world = maker->snapshot->header.body_count;
    uint32_t rects = 0, rays = 0, rotations = 0, dynamic = 0;
    for (grz_row row = 0; row < in_world; ++row) {
        rects += grz_has_sides(traits[row]);
        rays += (traits[row] & GRZ_TRAIT_KIND) == GRAZE_SHAPE_RAY;
        rotations += grz_row_has_rotation(traits[row]);
        dynamic += grz_row_is_dynamic(traits[row]);
    }
    spare->rect_count = rects;
    spare->ray_count = rays;
    spare->rotation_count = rotations;
    for (uint32_t place = in_world; place < kept; ++place) {
        rotations += grz_row_has_rotation(traits[place]);
        dynamic += grz_row_is_dynamic(traits[place]);
    }
    maker->any_rotation = rotations > 0;
    maker->any_dynamic = dynamic > 0;
}

// --- What the values of a body allow each other ---

static inline uint32_t life_fits(grz_life life, bool removed)
{
    const uint32_t has_limit = life.hit_limit != 0, has_hits = life.hit_count != 0;
    return (has_limit & ((life.hit_count < life.hit_limit) | removed)) |
           ((has_limit | has_hits) ^ 1);
}

static inline uint32_t turn_fits(uint32_t turns, float angle, float spin)
{
    const uint32_t in_range =
        (grz_pattern_of(angle) & GRZ_PATTERN_MAGNITUDE) <= GRZ_PATTERN_HALF_TURN;
    return in_range & (turns | ((angle == 0) & (spin == 0)));
}

static uint32_t bodies_fit(const row_maker *maker)
{
    const grz_rows *rows = &maker->spare->rows;
    const grz_life *lives = maker->spare->lives.data;
    const uint32_t in_world = maker->snapshot->header.body_count;
    uint32_t fit = 1;
    for (uint32_t place = 0; place < maker->kept; ++place) {
        const uint32_t traits = rows->traits[place];
        fit &= grz_size_fits(grz_kind_of(traits), rows->half[place]);
        fit &= !lives || life_fits(lives[rows->index[place]], place >= in_world);
        fit &= turn_fits(grz_row_has_rotation(traits), grz_angle_of(rows, place),
                         grz_spin_of(rows, place));
    }
    return fit;
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
    return right && maker->spare->rect_count == snapshot->header.rect_count &&
           vacancies_are_right(snapshot);
}

// --- What is wrong ---

// Returns the first wrong value of a body in columns by index, and by place if it is kept.
static const char *blame_values(const grz_snapshot *snapshot, grz_index index, uint32_t place)
{
    static const grz_section order[] = {
        GRZ_SECTION_BODIES,   GRZ_SECTION_MATERIALS, GRZ_SECTION_LIVES,
        GRZ_SECTION_DYNAMICS, GRZ_SECTION_POSITIONS, GRZ_SECTION_VELOCITIES,
        GRZ_SECTION_HALVES,   GRZ_SECTION_ANGLES,    GRZ_SECTION_SPINS,
    };
    const grz_field *wrong = NULL;
    for (size_t i = 0; !wrong && i < sizeof order / sizeof *order; ++i) {
        const bool by_index = order[i] >= GRZ_SECTIONS_BY_INDEX_BEGIN;
        if (grz_snapshot_section_size(snapshot, order[i]) && (by_index || place != GRZ_NONE)) {
            const size_t element = by_index ? index : place;
            wrong = grz_form_find_wrong(grz_section_plans[order[i]].form,
                                        grz_snapshot_element(snapshot, order[i], element), 1);
        }
    }
    return wrong ? wrong->blame : NULL;
}

// Returns what the values of a kept body, each of which is right, do not allow each other.
static const char *blame_together(const grz_bodies *spare, grz_index index, uint32_t place,
                                  bool removed)
{
    const grz_body body = spare->cold.data[index];
    const grz_life life = spare->lives.data ? spare->lives.data[index] : grz_optional_default.life;
    if (!life_fits(life, removed)) {
        return life.hit_limit ? "hit_limit is spent" : "hits are counted without a hit_limit";
    }
    if (!grz_size_fits(body.kind, spare->rows.half[place])) {
        return "size is out of range for its shape";
    }
    return turn_fits(grz_has_rotation(body.kind, body.response), grz_angle_of(&spare->rows, place),
                     grz_spin_of(&spare->rows, place))
               ? NULL
               : "angle is not in [-pi, pi], or it turns but is no rect or rigid circle";
}

// Tests one body after the other, once it is known that one is wrong.
static graze_status blame_body(const graze_world *world, const grz_snapshot *snapshot)
{
    const grz_snapshot_header *header = &snapshot->header;
    const grz_bodies *spare = world->bodies.spare;
    const char *what = NULL;
    grz_index index = 0;
    for (; !what && index < header->index_count; ++index) {
        const grz_row row = spare->row_of_index.data[index];
        const bool removed = grz_is_removed(row);
        const uint32_t place = removed ? header->body_count + grz_removed_place(row) : row;
        what = blame_values(snapshot, index, place);
        if (!what && place != GRZ_NONE) {
            what = blame_together(spare, index, place, removed);
        }
    }
    return grz_snapshot_refuse(world, "body %u of the snapshot: its %s", (unsigned)index - 1,
                               what ? what : "values are invalid");
}

graze_status grz_snapshot_read_bodies(const graze_world *world, const grz_snapshot *snapshot)
{
    row_maker maker = {.snapshot = snapshot, .spare = world->bodies.spare};
    maker.kept = (uint32_t)grz_snapshot_kept(&snapshot->header);
    if (!indices_are_right(snapshot)) {
        return grz_snapshot_refuse(world,
                                   "the snapshot's lists of body indices contradict each other");
    }
    copy_columns(maker.spare, snapshot);
    number_rows(&maker);
    if (!columns_are_right(snapshot)) {
        return blame_body(world, snapshot);
    }
    make_rows(&maker);
    if (!bodies_fit(&maker)) {
        return blame_body(world, snapshot);
    }
    count_kinds(&maker);
    return needs_are_right(&maker)
               ? GRAZE_OK
               : grz_snapshot_refuse(world,
                                     "the snapshot's optional columns do not match its bodies");
}

// --- In their place ---

static void complete(grz_bodies *spare, const grz_snapshot *snapshot)
{
    const size_t words = count_words(snapshot);
    uint64_t *vacancies = spare->vacancies.data;
    memset(vacancies + words, 0, (spare->vacancies.count - words) * sizeof *vacancies);
    spare->lowest_vacancy = 0;
    spare->cold.count = snapshot->header.index_count;
    spare->row_of_index.count = snapshot->header.index_count;
    spare->count = snapshot->header.body_count;
    spare->rows.rotations_due = true;
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
    }
}

void grz_snapshot_fill_bodies(graze_world *world, const grz_snapshot *snapshot)
{
    complete(world->bodies.spare, snapshot);
    grz_spare_exchange(&world->bodies);
    world->bodies.filter_count = count_filters(world);
    world->grid.kinds_due = true;
    GRZ_FAULT(kinds_of_loaded_bodies, world->grid.kinds_due = false);
    fill_removed(world, snapshot);
    grz_sleep_forget(world);
}
