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

static graze_status refuse_body(const graze_world *world, grz_index index, const char *what)
{
    return grz_snapshot_refuse(world, "body %u of the snapshot: its %s", (unsigned)index, what);
}

// Whose element is wrong is asked once one is.
static graze_status blame_body(const graze_world *world, const grz_snapshot *snapshot,
                               grz_section section)
{
    const grz_form *form = grz_section_plans[section].form;
    const grz_field *wrong;
    uint32_t place = 0;
    while (
        !(wrong = grz_form_find_wrong(form, grz_snapshot_element(snapshot, section, place), 1))) {
        ++place;
    }
    const bool by_index = section >= GRZ_SECTIONS_BY_INDEX_BEGIN;
    return refuse_body(world, by_index ? place : world->bodies.spare->rows.index[place],
                       wrong->blame);
}

static graze_status check_columns(const graze_world *world, const grz_snapshot *snapshot)
{
    for (int i = 0; i < GRZ_SECTION_VACANCIES; ++i) {
        if (grz_snapshot_find_wrong(snapshot, (grz_section)i)) {
            return blame_body(world, snapshot, (grz_section)i);
        }
    }
    return GRAZE_OK;
}

// --- Rows ---

// Gives the bodies in the world their rows, by index, and the removed the places behind these.
static void number_rows(grz_bodies *spare, const grz_snapshot *snapshot)
{
    const uint32_t count = snapshot->header.index_count, removed = snapshot->header.removed_count;
    uint32_t *row_of_index = spare->row_of_index.data, row = 0, gone = 0;
    uint32_t *index_of_row = spare->rows.index;
    grz_index_set_clear(&spare->unsorted);
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
        grz_index_set_add_word(&spare->unsorted, (uint32_t)word, in_world);
        for (; in_world; in_world &= in_world - 1) {
            const grz_index index = (uint32_t)(64 * word) + grz_lowest_bit(in_world);
            row_of_index[index] = row;
            index_of_row[row++] = index;
        }
    }
}

// What the values of a body, each of which is right, may not be together.
static const char *const conflicts[] = {
    "hits are counted without a hit_limit",
    "hit_limit is spent",
    "size is out of range for its shape",
    "angle is not in [-pi, pi], or it turns but is no rect or rigid circle",
};

// Returns a bit for each conflict of a kept body; 0 if its values fit.
static inline uint32_t find_conflicts(const grz_bodies *spare, uint32_t place, bool removed)
{
    const grz_rows *rows = &spare->rows;
    const uint32_t traits = rows->traits[place];
    const float angle = grz_angle_of(rows, place), spin = grz_spin_of(rows, place);
    const grz_life life =
        spare->lives.data ? spare->lives.data[rows->index[place]] : grz_optional_default.life;
    const uint32_t has_limit = life.hit_limit != 0, has_hits = life.hit_count != 0;
    const uint32_t is_spent = (life.hit_count >= life.hit_limit) & !removed;
    const uint32_t fits = grz_size_fits(grz_kind_of(traits), rows->half[place]);
    const uint32_t in_range =
        (grz_pattern_of(angle) & GRZ_PATTERN_MAGNITUDE) <= GRZ_PATTERN_HALF_TURN;
    const uint32_t turns = (angle != 0) | (spin != 0), may_turn = grz_row_has_rotation(traits);
    return (has_hits & (has_limit ^ 1)) | (has_limit & is_spent) << 1 | (fits ^ 1) << 2 |
           ((in_range ^ 1) | (turns & (may_turn ^ 1))) << 3;
}

/// How many bodies are of some kinds.
typedef struct kind_counts {
    uint32_t rects, rays, rotations, dynamic;
} kind_counts;

// Makes the rows of some bodies, and counts them. Returns OK if their values fit each other.
//
// HOT. bench: engine/snapshot_load
//
// Data    The columns of bodies read, 8 bytes written.
// Branch  On which columns there are, and on what is wrong.
static graze_status make_rows(const graze_world *world, uint32_t first, uint32_t end, bool removed,
                              kind_counts *counts)
{
    const grz_bodies *spare = world->bodies.spare;
    const grz_rows rows = spare->rows;
    uint32_t place = first, wrong = 0;
    for (; !wrong && place < end; ++place) {
        const grz_index index = rows.index[place];
        const grz_body body = spare->cold.data[index];
        const uint32_t traits = grz_untagged_traits_of(
            spare, index, body.kind, rows.velocity[place], grz_spin_of(&rows, place));
        rows.generation[place] = body.generation;
        rows.traits[place] = traits;
        counts->rects += grz_has_sides(traits);
        counts->rays += grz_kind_of(traits) == GRAZE_SHAPE_RAY;
        counts->rotations += grz_row_has_rotation(traits);
        counts->dynamic += grz_row_is_dynamic(traits);
        wrong = find_conflicts(spare, place, removed);
    }
    return wrong ? refuse_body(world, rows.index[place - 1], conflicts[grz_lowest_bit(wrong)])
                 : GRAZE_OK;
}

// Of the counts the world keeps those without the removed.
static graze_status make_all_rows(const graze_world *world, const grz_snapshot *snapshot,
                                  kind_counts *counts)
{
    grz_bodies *spare = world->bodies.spare;
    const uint32_t in_world = snapshot->header.body_count;
    const graze_status status = make_rows(world, 0, in_world, false, counts);
    spare->rect_count = counts->rects;
    spare->ray_count = counts->rays;
    spare->rotation_count = counts->rotations;
    return status ? status
                  : make_rows(world, in_world, (uint32_t)grz_snapshot_kept(&snapshot->header), true,
                              counts);
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
static bool needs_are_right(const graze_world *world, const grz_snapshot *snapshot,
                            const kind_counts *counts)
{
    const bool rotation = counts->rotations > 0, dynamic = counts->dynamic > 0;
    bool right = rotation == grz_snapshot_has(snapshot, GRZ_NEED_ROTATIONS) &&
                 (!dynamic || grz_snapshot_has(snapshot, GRZ_NEED_DYNAMICS));
    for (int i = GRZ_SECTIONS_BY_INDEX_BEGIN + 1; i < GRZ_SECTIONS_BY_INDEX_END; ++i) {
        const uint32_t need = grz_section_plans[i].need;
        right =
            right &&
            (!grz_snapshot_has(snapshot, need) || (need == GRZ_NEED_DYNAMICS && dynamic) ||
             !grz_section_is_usual((grz_section)i, grz_snapshot_section(snapshot, (grz_section)i),
                                   snapshot->header.index_count));
    }
    return right && world->bodies.spare->rect_count == snapshot->header.rect_count &&
           vacancies_are_right(snapshot);
}

graze_status grz_snapshot_read_bodies(const graze_world *world, const grz_snapshot *snapshot)
{
    grz_bodies *spare = world->bodies.spare;
    kind_counts counts = {0};
    if (!indices_are_right(snapshot)) {
        return grz_snapshot_refuse(world,
                                   "the snapshot's lists of body indices contradict each other");
    }
    copy_columns(spare, snapshot);
    number_rows(spare, snapshot);
    graze_status status = check_columns(world, snapshot);
    status = status ? status : make_all_rows(world, snapshot, &counts);
    return status || needs_are_right(world, snapshot, &counts)
               ? status
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
