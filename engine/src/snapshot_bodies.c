#include "snapshot_bodies.h"

#include "bodies.h"
#include "list.h"
#include "rest.h"
#include "snapshot_rows.h"

// --- Columns ---

static void fill_plain(void *to, const void *plain, size_t size, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        memcpy((unsigned char *)to + i * size, plain, size);
    }
}

static void copy_rows_of(void *column, const grz_snapshot *snapshot, grz_section section,
                         uint32_t count)
{
    memcpy(column, grz_snapshot_section(snapshot, section),
           count * grz_snapshot_element_size(section));
}

// Where only retired bodies turned, the world may have no columns for it.
static void copy_turns(grz_rows *rows, const grz_snapshot *snapshot, uint32_t count)
{
    if (snapshot->fills_turns) {
        grz_rows_take_turns(rows);
    } else if (grz_snapshot_has(snapshot, GRZ_NEED_TURNS)) {
        copy_rows_of(rows->angle, snapshot, GRZ_SECTION_ANGLES, count);
        copy_rows_of(rows->spin, snapshot, GRZ_SECTION_SPINS, count);
    } else {
        memset(rows->angle, 0, count * sizeof *rows->angle);
        memset(rows->spin, 0, count * sizeof *rows->spin);
    }
    rows->rotations_due = true;
}

// Rows come by index; the next step puts them into the grid's order.
static void copy_rows(graze_world *world, const grz_snapshot *snapshot)
{
    grz_rows *rows = &world->rows;
    const uint32_t count = world->body_count;
    if (rows->rotation) {
        copy_turns(rows, snapshot, count);
    }
    copy_rows_of(rows->half, snapshot, GRZ_SECTION_HALVES, count);
    if (snapshot->fills_ends) {
        grz_rows_advance(rows, false);
    } else {
        copy_rows_of(rows->velocity, snapshot, GRZ_SECTION_VELOCITIES, count);
        copy_rows_of(rows->position, snapshot, GRZ_SECTION_POSITIONS, count);
    }
}

// What a snapshot has by index, or what is plain where it does not have the column.
static void copy_column(const grz_snapshot *snapshot, const grz_wanted_column *column)
{
    const size_t size = grz_snapshot_element_size(column->section);
    const size_t count = snapshot->header.index_count;
    if (grz_snapshot_has(snapshot, column->need)) {
        memcpy(column->of_world, grz_snapshot_section(snapshot, column->section), count * size);
    } else {
        fill_plain(column->of_world, column->plain, size, count);
    }
}

static void copy_columns(graze_world *world, const grz_snapshot *snapshot)
{
    grz_wanted_column columns[GRZ_WANTED_COLUMNS];
    grz_wanted_columns(world, columns);
    for (int i = 0; i < GRZ_WANTED_COLUMNS; ++i) {
        if (columns[i].of_world) {
            copy_column(snapshot, &columns[i]);
        }
    }
    memcpy(world->bodies.data, grz_snapshot_section(snapshot, GRZ_SECTION_BODIES),
           snapshot->header.index_count * sizeof *world->bodies.data);
}

static void copy_vacancies(graze_world *world, const grz_snapshot *snapshot)
{
    const size_t words = ((size_t)snapshot->header.index_count + 63) / 64;
    uint64_t *vacancies = world->vacancies.data;
    memcpy(vacancies, grz_snapshot_section(snapshot, GRZ_SECTION_VACANCIES),
           words * sizeof *vacancies);
    memset(vacancies + words, 0, (world->vacancies.count - words) * sizeof *vacancies);
    world->lowest_vacancy = 0;
}

// --- What leads from bodies to rows and back ---

static void loosen(grz_index_set *loose, const grz_index_block *block)
{
    for (uint32_t k = 0; k < block->count; k += 64) {
        grz_index_set_add_word(loose, (block->first + k) / 64, block->in_world[k / 64]);
    }
}

static void fill_indices(graze_world *world, const grz_snapshot *snapshot)
{
    const grz_snapshot_loops *loops = grz_snapshot_loops_for(world->lanes);
    grz_index_reader indices = grz_read_indices(snapshot, GRZ_INDICES_AT_ONCE);
    grz_index_block block;
    uint32_t row = 0;
    grz_index_set_clear(&world->loose);
    copy_vacancies(world, snapshot);
    while (grz_read_block(&indices, &block)) {
        row = loops->number_rows(world->row_of_index.data + block.first, block.in_world,
                                 block.count, row);
        loosen(&world->loose, &block);
    }
}

// Where there was no room while all was checked.
static void make_rows(const graze_world *world, const grz_snapshot *snapshot)
{
    grz_row_maker maker;
    grz_index_reader indices = grz_read_indices(snapshot, GRZ_INDICES_AT_ONCE);
    grz_index_block block;
    grz_row_maker_begin(&maker, snapshot, grz_snapshot_loops_for(world->lanes), &world->rows);
    while (grz_read_block(&indices, &block)) {
        grz_row_maker_add(&maker, &block);
    }
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
    const uint32_t count = snapshot->header.retired_count;
    grz_list_clear(world->retired);
    if (count) {
        grz_list_extend(world->retired, count);
    }
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t index = grz_word_at(indices, i);
        const size_t place = (size_t)snapshot->header.body_count + i;
        const graze_shape_kind kind = (graze_shape_kind)world->bodies.data[index].kind;
        world->retired[i] = read_retired(snapshot, index, place, kind);
        world->row_of_index.data[index] = grz_row_of_retired(i);
    }
}

// --- All of it ---

void grz_snapshot_fill_bodies(graze_world *world, const grz_snapshot *snapshot)
{
    world->bodies.count = snapshot->header.index_count;
    world->row_of_index.count = snapshot->header.index_count;
    world->body_count = snapshot->header.body_count;
    world->rect_count = snapshot->header.rect_count;
    world->ray_count = snapshot->ray_count;
    copy_columns(world, snapshot);
    fill_indices(world, snapshot);
    copy_rows(world, snapshot);
    if (!snapshot->fills_rows) {
        make_rows(world, snapshot);
    }
    world->filter_count = count_filters(world);
    fill_retired(world, snapshot);
    grz_rest_forget(world);
}
