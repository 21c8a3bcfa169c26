#include "snapshot/snapshot_bodies.h"

#include "body/bodies.h"
#include "body/spare_bodies.h"
#include "list.h"
#include "rest/rest.h"

// --- What follows from the snapshot ---

static void fill_defaults(const grz_optional_column *column, size_t count)
{
    const size_t size = grz_snapshot_element_size(column->section);
    for (size_t i = 0; i < count; ++i) {
        memcpy((unsigned char *)column->of_world + i * size, column->usual, size);
    }
}

// Columns that the snapshot lacks.
static void fill_columns(const graze_world *spare, const grz_snapshot *snapshot)
{
    grz_optional_column columns[GRZ_OPTIONAL_COLUMNS];
    grz_optional_columns(spare, columns);
    for (int i = 0; i < GRZ_OPTIONAL_COLUMNS; ++i) {
        if (columns[i].of_world && !grz_snapshot_has(snapshot, columns[i].need)) {
            fill_defaults(&columns[i], snapshot->header.index_count);
        }
    }
}

static void fill_turns(grz_rows *rows, const grz_snapshot *snapshot)
{
    if (rows->rotation && !grz_snapshot_has(snapshot, GRZ_NEED_ROTATIONS)) {
        memset(rows->angle, 0, snapshot->header.body_count * sizeof *rows->angle);
        memset(rows->spin, 0, snapshot->header.body_count * sizeof *rows->spin);
    }
    rows->rotations_due = true;
}

static void fill_vacancies(graze_world *spare, const grz_snapshot *snapshot)
{
    const size_t words = ((size_t)snapshot->header.index_count + 63) / 64;
    uint64_t *vacancies = spare->vacancies.data;
    memset(vacancies + words, 0, (spare->vacancies.count - words) * sizeof *vacancies);
    spare->lowest_vacancy = 0;
}

static void complete(graze_world *spare, const grz_snapshot *snapshot)
{
    spare->bodies.count = snapshot->header.index_count;
    spare->row_of_index.count = snapshot->header.index_count;
    spare->body_count = snapshot->header.body_count;
    fill_columns(spare, snapshot);
    fill_turns(&spare->rows, snapshot);
    fill_vacancies(spare, snapshot);
}

static uint32_t count_filters(const graze_world *world)
{
    uint32_t count = 0;
    for (uint32_t row = 0; world->filters.data && row < world->body_count; ++row) {
        count += !grz_filter_is_default(world->filters.data[world->rows.index[row]]);
    }
    return count;
}

// --- Retired bodies ---

static graze_vec2 vector_at(const grz_snapshot *snapshot, grz_section section, size_t place)
{
    graze_vec2 vector;
    memcpy(&vector, grz_snapshot_section(snapshot, section) + place * sizeof vector, sizeof vector);
    return vector;
}

// 0 if no body turns.
static float turn_at(const grz_snapshot *snapshot, grz_section section, size_t place)
{
    float turn = 0;
    if (grz_snapshot_has(snapshot, GRZ_NEED_ROTATIONS)) {
        memcpy(&turn, grz_snapshot_section(snapshot, section) + place * sizeof turn, sizeof turn);
    }
    return turn;
}

// The hot part of the retired body at this place among the kept.
static grz_retired read_retired(const grz_snapshot *snapshot, uint32_t index, size_t place,
                                graze_shape_kind kind)
{
    const grz_retired retired = {
        .index = index,
        .position = vector_at(snapshot, GRZ_SECTION_POSITIONS, place),
        .velocity = vector_at(snapshot, GRZ_SECTION_VELOCITIES, place),
        .angle = turn_at(snapshot, GRZ_SECTION_ANGLES, place),
        .spin = turn_at(snapshot, GRZ_SECTION_SPINS, place),
        .shape = grz_shape_of(kind, vector_at(snapshot, GRZ_SECTION_HALVES, place)),
    };
    return retired;
}

// Their kinds lie behind the traits of rows: see add_retired_kinds.
static void fill_retired(graze_world *world, const grz_snapshot *snapshot)
{
    const unsigned char *indices = grz_snapshot_section(snapshot, GRZ_SECTION_RETIRED);
    const uint32_t count = snapshot->header.retired_count;
    grz_list_clear(world->retired);
    if (count) {
        grz_list_extend(world->retired, count);
    }
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t index = grz_word_at(indices, i);
        const size_t place = (size_t)snapshot->header.body_count + i;
        const graze_shape_kind kind =
            (graze_shape_kind)(world->rows.traits[place] & GRZ_TRAIT_KIND);
        world->retired[i] = read_retired(snapshot, index, place, kind);
        world->row_of_index.data[index] = grz_row_of_retired(i);
    }
}

// --- All of it ---

void grz_snapshot_fill_bodies(graze_world *world, const grz_snapshot *snapshot)
{
    complete(world->spare, snapshot);
    grz_spare_exchange(world);
    world->filter_count = count_filters(world);
    world->kinds_due = true;
    fill_retired(world, snapshot);
    grz_rest_forget(world);
}
