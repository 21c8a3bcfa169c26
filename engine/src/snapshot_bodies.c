#include "snapshot_bodies.h"

#include "bodies.h"
#include "list.h"
#include "predict.h"
#include "rest.h"
#include "snapshot_words.h"

// --- Columns ---

static void copy_rows_of(const graze_world *world, void *column, const grz_snapshot *snapshot,
                         grz_section section)
{
    memcpy(column, grz_snapshot_section(snapshot, section),
           world->body_count * grz_snapshot_element_size(section));
}

// Where only retired bodies turned, the world may have no columns for it.
static void fill_turns(const graze_world *world, const grz_snapshot *snapshot)
{
    const grz_rows *rows = &world->rows;
    if (grz_snapshot_has(snapshot, GRZ_NEED_TURNS)) {
        copy_rows_of(world, rows->angle, snapshot, GRZ_SECTION_ANGLES);
        copy_rows_of(world, rows->spin, snapshot, GRZ_SECTION_SPINS);
    } else {
        memset(rows->angle, 0, world->body_count * sizeof *rows->angle);
        memset(rows->spin, 0, world->body_count * sizeof *rows->spin);
    }
    grz_predict_loops_for(world->lanes)->rotate(rows->angle, rows->rotation, world->body_count);
}

// Rows come by index; the next step puts them into the grid's order.
static void copy_rows(const graze_world *world, const grz_snapshot *snapshot)
{
    const grz_rows *rows = &world->rows;
    copy_rows_of(world, rows->position, snapshot, GRZ_SECTION_POSITIONS);
    copy_rows_of(world, rows->velocity, snapshot, GRZ_SECTION_VELOCITIES);
    copy_rows_of(world, rows->half, snapshot, GRZ_SECTION_HALVES);
    if (rows->rotation) {
        fill_turns(world, snapshot);
    }
}

static void fill_plain(void *to, const void *plain, size_t size, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        memcpy((unsigned char *)to + i * size, plain, size);
    }
}

static void copy_wanted(const graze_world *world, const grz_snapshot *snapshot)
{
    grz_wanted_column columns[GRZ_WANTED_COLUMNS];
    const size_t count = snapshot->header.index_count;
    grz_wanted_columns(world, columns);
    for (int i = 0; i < GRZ_WANTED_COLUMNS; ++i) {
        const grz_wanted_column *column = &columns[i];
        const size_t size = grz_snapshot_element_size(column->section);
        if (grz_snapshot_has(snapshot, column->need)) {
            memcpy(column->of_world, grz_snapshot_section(snapshot, column->section), count * size);
        } else if (column->of_world) {
            fill_plain(column->of_world, column->plain, size, count);
        }
    }
}

static void copy_indices(graze_world *world, const grz_snapshot *snapshot)
{
    const size_t count = snapshot->header.index_count;
    const size_t words = (count + 63) / 64;
    uint64_t *vacancies = world->vacancies.data;
    memcpy(world->bodies.data, grz_snapshot_section(snapshot, GRZ_SECTION_BODIES),
           count * sizeof *world->bodies.data);
    memcpy(vacancies, grz_snapshot_section(snapshot, GRZ_SECTION_VACANCIES),
           words * sizeof *vacancies);
    memset(vacancies + words, 0, (world->vacancies.count - words) * sizeof *vacancies);
    world->lowest_vacancy = 0;
    copy_wanted(world, snapshot);
}

// --- What leads from bodies to rows and back ---

/// What stands for 64 elements of columns that are not there.
typedef struct plain_columns {
    grz_matter matters[64];
    grz_life lives[64];
} plain_columns;

static void fill_plain_columns(plain_columns *plain)
{
    const grz_matter matter = {1, 0, 0};
    const grz_life life = {0, 0, 0};
    fill_plain(plain->matters, &matter, sizeof matter, 64);
    fill_plain(plain->lives, &life, sizeof life, 64);
}

/// The bodies in the world of one word of indices, in a row.
typedef struct batch {
    uint32_t first_row, count;
    uint32_t index[GRZ_INDICES_LISTED], generation[GRZ_INDICES_LISTED];
    uint32_t traits[GRZ_INDICES_LISTED];
} batch;

static void list_bodies(const graze_world *world, const plain_columns *plain,
                        const grz_index_word *word, batch *found)
{
    const grz_snapshot_loops *loops = grz_snapshot_loops_for(world->lanes);
    const uint32_t first = word->first, left = world->bodies.count - first;
    uint32_t traits[64] = {0}, indices[64];
    for (uint32_t k = 0; k < 64; ++k) {
        indices[k] = first + k;
    }
    loops->fill_traits(word->forms,
                       world->matters.data ? world->matters.data + first : plain->matters,
                       world->lives.data ? world->lives.data + first : plain->lives,
                       left < 64 ? left : 64, traits);
    found->count = loops->list_words(word->in_world, indices, found->index);
    loops->list_words(word->in_world, word->generations, found->generation);
    loops->list_words(word->in_world, traits, found->traits);
}

static void fill_rows(graze_world *world, const batch *of)
{
    const grz_rows *rows = &world->rows;
    uint32_t *row_of_index = world->row_of_index.data;
    const uint32_t first_row = of->first_row, count = of->count;
    memcpy(rows->index + first_row, of->index, count * sizeof *of->index);
    memcpy(rows->generation + first_row, of->generation, count * sizeof *of->generation);
    memcpy(rows->traits + first_row, of->traits, count * sizeof *of->traits);
    for (uint32_t k = 0; k < count; ++k) {
        row_of_index[of->index[k]] = first_row + k;
    }
}

static void clear_rows_of_index(graze_world *world, const grz_index_word *word)
{
    const uint32_t left = world->bodies.count - word->first;
    const uint32_t count = left < 64 ? left : 64;
    for (uint32_t k = 0; k < count; ++k) {
        world->row_of_index.data[word->first + k] = GRZ_NONE;
    }
}

// HOT. bench: engine/snapshot_load
//
// Data    8 bytes a body of the snapshot and up to 24 of the world's read, 20 written, all in
//         order; the columns are copied before.
// Branch  Few words have bits that are not set.
// Order   By index, which is by row.
static void fill_indices(graze_world *world, const grz_snapshot *snapshot)
{
    plain_columns plain;
    grz_word_reader words = grz_read_words(snapshot);
    grz_index_word word = {.first = 0};
    batch some = {.first_row = 0};
    fill_plain_columns(&plain);
    while (grz_read_word(&words, &word)) {
        list_bodies(world, &plain, &word, &some);
        if (some.count < 64) {
            clear_rows_of_index(world, &word);
        }
        fill_rows(world, &some);
        grz_index_set_add_word(&world->loose, word.first / 64, word.in_world);
        some.first_row += some.count;
    }
}

static void add_spins(const grz_rows *rows, uint32_t count)
{
    for (uint32_t row = 0; rows->rotation && row < count; ++row) {
        rows->traits[row] |= (rows->spin[row] != 0) * (uint32_t)GRZ_TRAIT_SPINS;
    }
}

static uint32_t count_rays(const grz_rows *rows, uint32_t count)
{
    uint32_t rays = 0;
    for (uint32_t row = 0; row < count; ++row) {
        rays += grz_kind_of(rows->traits[row]) == GRAZE_SHAPE_RAY;
    }
    return rays;
}

static uint32_t count_filters(const graze_world *world)
{
    uint32_t count = 0;
    for (uint32_t row = 0; world->filters.data && row < world->body_count; ++row) {
        count += !grz_filter_is_default(world->filters.data[world->rows.index[row]]);
    }
    return count;
}

// --- Those that are gone ---

static graze_shape shape_of(graze_shape_kind kind, graze_vec2 half)
{
    graze_shape shape = {kind, 0, {0, 0}};
    if (kind == GRAZE_SHAPE_CIRCLE) {
        shape.radius = half.x;
    } else {
        shape.half = half;
    }
    return shape;
}

static graze_vec2 vector_at(const grz_snapshot *snapshot, grz_section section, size_t place)
{
    graze_vec2 vector;
    memcpy(&vector, grz_snapshot_section(snapshot, section) + place * sizeof vector, sizeof vector);
    return vector;
}

// 0 where no body turns.
static float turn_at(const grz_snapshot *snapshot, grz_section section, size_t place)
{
    float turn = 0;
    if (grz_snapshot_has(snapshot, GRZ_NEED_TURNS)) {
        memcpy(&turn, grz_snapshot_section(snapshot, section) + place * sizeof turn, sizeof turn);
    }
    return turn;
}

// The hot part of a retired body that is kept at this place.
static grz_retired read_retired(const grz_snapshot *snapshot, uint32_t index, size_t place,
                                graze_shape_kind kind)
{
    const grz_retired retired = {
        .index = index,
        .position = vector_at(snapshot, GRZ_SECTION_POSITIONS, place),
        .velocity = vector_at(snapshot, GRZ_SECTION_VELOCITIES, place),
        .angle = turn_at(snapshot, GRZ_SECTION_ANGLES, place),
        .spin = turn_at(snapshot, GRZ_SECTION_SPINS, place),
        .shape = shape_of(kind, vector_at(snapshot, GRZ_SECTION_HALVES, place)),
    };
    return retired;
}

static void fill_retired(graze_world *world, const grz_snapshot *snapshot)
{
    const unsigned char *indices = grz_snapshot_section(snapshot, GRZ_SECTION_RETIRED);
    grz_list_clear(world->retired);
    for (uint32_t i = 0; i < snapshot->header.retired_count; ++i) {
        const uint32_t index = grz_word_at(indices, i);
        const size_t place = (size_t)snapshot->header.body_count + i;
        const graze_shape_kind kind = (graze_shape_kind)world->bodies.data[index].kind;
        const grz_retired retired = read_retired(snapshot, index, place, kind);
        world->row_of_index.data[index] = grz_row_of_retired(i);
        grz_list_push(world->retired, retired);
    }
}

// --- All of it ---

void grz_snapshot_fill_bodies(graze_world *world, const grz_snapshot *snapshot)
{
    world->bodies.count = snapshot->header.index_count;
    world->row_of_index.count = snapshot->header.index_count;
    world->body_count = snapshot->header.body_count;
    world->rect_count = snapshot->header.rect_count;
    grz_index_set_clear(&world->loose);
    copy_indices(world, snapshot);
    copy_rows(world, snapshot);
    fill_indices(world, snapshot);
    add_spins(&world->rows, world->body_count);
    world->ray_count = count_rays(&world->rows, world->body_count);
    world->filter_count = count_filters(world);
    fill_retired(world, snapshot);
    grz_rest_forget(world);
}
