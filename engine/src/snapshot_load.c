#include <graze/world.h>

#include "bodies.h"
#include "fp_environment.h"
#include "list.h"
#include "message.h"
#include "recorder.h"
#include "rest.h"
#include "rows.h"
#include "snapshot.h"
#include "snapshot_terrain.h"
#include "step.h"

#include <string.h>

// Loading has two halves. The first checks every byte and takes all memory; it may fail, and
// changes nothing. The second changes everything, and cannot fail.

enum { ROWS_AT_ONCE = 256, INDICES_AT_ONCE = 256 };

static graze_status check_limits(const graze_world *world, const grz_snapshot *snapshot)
{
    if (!world->fixed_capacity) {
        return GRAZE_OK;
    }
    const struct {
        const char *what;
        uint64_t count;
        uint32_t capacity;
    } limits[] = {
        {"bodies", snapshot->header.body_count, world->body_capacity},
        {"segments", grz_snapshot_segment_count(snapshot), world->segment_capacity},
        {"contacts", snapshot->header.contact_count, world->contact_capacity},
    };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; ++i) {
        if (limits[i].count > limits[i].capacity) {
            return grz_fail(world, GRAZE_ERROR_LIMIT,
                            "graze_world_load: the snapshot has %lu %s; the capacity is %lu",
                            (unsigned long)limits[i].count, limits[i].what,
                            (unsigned long)limits[i].capacity);
        }
    }
    return GRAZE_OK;
}

static uint32_t word_at(const unsigned char *section, size_t place)
{
    uint32_t word;
    memcpy(&word, section + place * sizeof word, sizeof word);
    return word;
}

static const unsigned char *record_at(const grz_snapshot *snapshot, size_t place)
{
    return grz_snapshot_section(snapshot, GRZ_SECTION_BODIES) + place * sizeof(grz_body_record);
}

static uint32_t form_of(const unsigned char *record)
{
    return word_at(record + offsetof(grz_body_record, form), 0);
}

static graze_shape_kind kind_of(const unsigned char *record)
{
    return (graze_shape_kind)(form_of(record) & GRZ_FORM_KIND);
}

static bool reserve_retired(graze_world *world, size_t count)
{
    const size_t held = grz_list_count(world->retired);
    return grz_list_reserve(world->retired, &world->counting, count > held ? count - held : 0);
}

// The lists that the game may be reading move when all else is had.
static bool reserve_reports(graze_world *world, const grz_snapshot_header *header)
{
    const graze_allocator *allocator = &world->counting;
    return grz_array_reserve(&world->keys, allocator, header->key_count) &&
           grz_array_reserve(&world->ends, allocator, header->end_count) &&
           grz_array_reserve(&world->contacts, allocator, header->contact_count);
}

static bool reserve(graze_world *world, const grz_snapshot *snapshot)
{
    const grz_snapshot_header *header = &snapshot->header;
    const uint32_t needs = snapshot->needs | (snapshot->rect_count > 0 ? GRZ_NEED_TURNS : 0u);
    return grz_bodies_make_room(world, header->index_count, header->body_count, needs) &&
           reserve_retired(world, header->retired_count);
}

// What the grid knows of bodies is void.
static graze_status empty_grid(graze_world *world)
{
    const graze_grid_items none = {.count = 0};
    return graze_grid_count(world->grid) ? graze_grid_build(world->grid, &none) : GRAZE_OK;
}

static graze_status prepare(graze_world *world, const grz_snapshot *snapshot,
                            grz_terrain_change *terrain)
{
    if (!reserve(world, snapshot)) {
        return GRAZE_ERROR_OUT_OF_MEMORY;
    }
    graze_status status = grz_terrain_prepare(world, snapshot, terrain);
    if (status) {
        return status;
    }
    status =
        reserve_reports(world, &snapshot->header) ? empty_grid(world) : GRAZE_ERROR_OUT_OF_MEMORY;
    if (status) {
        grz_terrain_cancel(world, terrain);
    }
    return status;
}

// --- Bodies ---

static void fill_body(graze_world *world, uint32_t index, const unsigned char *bytes)
{
    grz_body *body = &world->bodies.data[index];
    grz_body_record record;
    memcpy(&record, bytes, sizeof record);
    body->response = record.form >> GRZ_FORM_RESPONSE_SHIFT & GRZ_FORM_RESPONSE;
    body->sensor = (record.form & GRZ_FORM_SENSOR) != 0;
    const grz_wanted wanted = {{record.mass, record.restitution, record.friction},
                               {record.lifetime, record.hit_limit, record.hit_count},
                               record.filter,
                               record.user_data};
    grz_bodies_fill_wanted(world, index, &wanted);
}

static void copy_column(void *column, const grz_snapshot *snapshot, grz_section section)
{
    memcpy(column, grz_snapshot_section(snapshot, section),
           snapshot->header.body_count * grz_snapshot_element_size(section));
}

// Rows come by index; the next step puts them into the grid's order.
static void copy_rows(grz_rows *rows, const grz_snapshot *snapshot)
{
    copy_column(rows->index, snapshot, GRZ_SECTION_INDICES);
    copy_column(rows->position, snapshot, GRZ_SECTION_POSITIONS);
    copy_column(rows->velocity, snapshot, GRZ_SECTION_VELOCITIES);
    copy_column(rows->half, snapshot, GRZ_SECTION_HALVES);
    if (rows->rotation) {
        copy_column(rows->angle, snapshot, GRZ_SECTION_ANGLES);
        copy_column(rows->spin, snapshot, GRZ_SECTION_SPINS);
    }
}

// Fills the body that this row is of, and what its row has beyond the columns of the snapshot, but
// for the rotation.
static void fill_row(graze_world *world, const grz_snapshot *snapshot, uint32_t row)
{
    const unsigned char *record = record_at(snapshot, row);
    const graze_shape_kind kind = kind_of(record);
    const uint32_t index = world->rows.index[row];
    fill_body(world, index, record);
    world->rows.generation[row] = world->bodies.data[index].generation;
    world->rows.traits[row] = grz_traits_of(world, index, kind, grz_spin_of(&world->rows, row));
    world->ray_count += kind == GRAZE_SHAPE_RAY;
    world->filter_count += !grz_filter_is_default(*grz_filter_of(world, index));
}

// Makes some indices vacant.
static void clear_indices(graze_world *world, const grz_snapshot *snapshot, uint32_t first,
                          uint32_t end)
{
    const unsigned char *generations = grz_snapshot_section(snapshot, GRZ_SECTION_GENERATIONS);
    for (uint32_t index = first; index < end; ++index) {
        grz_body *body = &world->bodies.data[index];
        body->generation = word_at(generations, index);
        world->row_of_index.data[index] = GRZ_NONE;
    }
}

// Fills the bodies of rows from `row` on whose index is before the end; returns the next row.
static uint32_t fill_rows(graze_world *world, const grz_snapshot *snapshot, uint32_t row,
                          uint32_t end)
{
    const uint32_t body_count = world->body_count;
    for (; row < body_count && world->rows.index[row] < end; ++row) {
        const uint32_t index = world->rows.index[row];
        world->row_of_index.data[index] = row;
        fill_row(world, snapshot, row);
        grz_bodies_loosen(world, index);
    }
    return row;
}

// HOT. bench: engine/snapshot_load
//
// Data    52 bytes of the snapshot and 80 of the world a body, all in order.
// Branch  None to guess: some indices are made vacant, then those that have a row are filled.
// Order   Some hundred at a time, so that those are still near.
static void fill_indices(graze_world *world, const grz_snapshot *snapshot)
{
    const uint32_t count = world->bodies.count;
    uint32_t row = 0;
    for (uint32_t first = 0; first < count; first += INDICES_AT_ONCE) {
        const uint32_t end = count - first < INDICES_AT_ONCE ? count : first + INDICES_AT_ONCE;
        clear_indices(world, snapshot, first, end);
        row = fill_rows(world, snapshot, row, end);
    }
}

static void turn_rects(grz_rows *rows, const uint32_t *rects, uint32_t count)
{
    for (uint32_t k = 0; k < count; ++k) {
        rows->rotation[rects[k]] = graze_rotation_from_angle(rows->angle[rects[k]]);
    }
}

// Rects lie about among the others: they are listed first, so that no branch has to guess.
static void fill_rotations(grz_rows *rows, uint32_t count)
{
    const graze_rotation upright = {1, 0};
    uint32_t rects[ROWS_AT_ONCE];
    for (uint32_t first = 0; first < count; first += ROWS_AT_ONCE) {
        const uint32_t end = count - first < ROWS_AT_ONCE ? count : first + ROWS_AT_ONCE;
        uint32_t rect_count = 0;
        for (uint32_t row = first; row < end; ++row) {
            rows->rotation[row] = upright;
            rects[rect_count] = row;
            rect_count += grz_kind_of(rows->traits[row]) == GRAZE_SHAPE_RECT;
        }
        turn_rects(rows, rects, rect_count);
    }
}

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

static void read_element(void *element, const grz_snapshot *snapshot, grz_section section,
                         size_t place)
{
    const size_t size = grz_snapshot_element_size(section);
    memcpy(element, grz_snapshot_section(snapshot, section) + place * size, size);
}

static grz_retired read_retired(const grz_snapshot *snapshot, size_t place)
{
    grz_retired retired;
    graze_vec2 half;
    retired.hits = 0;
    read_element(&retired.index, snapshot, GRZ_SECTION_INDICES, place);
    read_element(&retired.position, snapshot, GRZ_SECTION_POSITIONS, place);
    read_element(&retired.velocity, snapshot, GRZ_SECTION_VELOCITIES, place);
    read_element(&retired.angle, snapshot, GRZ_SECTION_ANGLES, place);
    read_element(&retired.spin, snapshot, GRZ_SECTION_SPINS, place);
    read_element(&half, snapshot, GRZ_SECTION_HALVES, place);
    retired.shape = shape_of(kind_of(record_at(snapshot, place)), half);
    return retired;
}

static void fill_retired(graze_world *world, const grz_snapshot *snapshot)
{
    const uint32_t first = snapshot->header.body_count;
    for (uint32_t i = 0; i < snapshot->header.retired_count; ++i) {
        const grz_retired retired = read_retired(snapshot, (size_t)first + i);
        fill_body(world, retired.index, record_at(snapshot, (size_t)first + i));
        world->row_of_index.data[retired.index] = grz_row_of_retired(i);
        grz_list_push(world->retired, retired);
    }
}

// An index is vacant when no body has it, in the world or retired.
static void fill_vacancies(graze_world *world)
{
    const uint32_t *row_of_index = world->row_of_index.data;
    for (uint32_t word = 0; word < world->vacancies.count; ++word) {
        uint64_t bits = 0;
        for (uint32_t i = 0; i < 64 && word * 64 + i < world->bodies.count; ++i) {
            bits |= (uint64_t)(row_of_index[word * 64 + i] == GRZ_NONE) << i;
        }
        world->vacancies.data[word] = bits;
    }
    world->lowest_vacancy = 0;
}

static void fill_bodies(graze_world *world, const grz_snapshot *snapshot)
{
    world->bodies.count = snapshot->header.index_count;
    world->row_of_index.count = snapshot->header.index_count;
    world->body_count = snapshot->header.body_count;
    world->rect_count = snapshot->rect_count;
    world->filter_count = 0;
    world->ray_count = 0;
    grz_index_set_clear(&world->loose);
    grz_list_clear(world->retired);
    copy_rows(&world->rows, snapshot);
    fill_indices(world, snapshot);
    if (world->rows.rotation) {
        fill_rotations(&world->rows, world->body_count);
    }
    fill_retired(world, snapshot);
    fill_vacancies(world);
    grz_rest_forget(world);
}

// --- What met ---

static void copy_keys(grz_contact_keys *keys, const grz_snapshot *snapshot, grz_section section,
                      uint32_t count)
{
    keys->count = count;
    if (count) {
        memcpy(keys->data, grz_snapshot_section(snapshot, section), count * sizeof *keys->data);
    }
}

static graze_contact contact_of(const grz_contact_record *record, const graze_contact_end *key)
{
    graze_contact contact = {
        .a = key->a,
        .b = key->b,
        .segment = key->segment,
        .time = record->time,
        .point = record->point,
        .normal = record->normal,
        .depth = record->depth,
        .phase = record->form & 1 ? GRAZE_CONTACT_STAY : GRAZE_CONTACT_BEGIN,
        .flags = record->form >> 1,
    };
    return contact;
}

static void copy_contacts(graze_world *world, const grz_snapshot *snapshot)
{
    const unsigned char *next = grz_snapshot_section(snapshot, GRZ_SECTION_CONTACTS);
    world->contacts.count = snapshot->header.contact_count;
    for (uint32_t i = 0; i < world->contacts.count; ++i, next += sizeof(grz_contact_record)) {
        grz_contact_record record;
        memcpy(&record, next, sizeof record);
        world->contacts.data[i] = contact_of(&record, &world->keys.data[record.key]);
    }
}

static void fill_reports(graze_world *world, const grz_snapshot *snapshot)
{
    world->renewed = true;
    copy_keys(&world->keys, snapshot, GRZ_SECTION_KEYS, snapshot->header.key_count);
    copy_keys(&world->ends, snapshot, GRZ_SECTION_ENDS, snapshot->header.end_count);
    copy_contacts(world, snapshot);
}

static void fill_stats(graze_world *world, const grz_snapshot_header *header)
{
    graze_world_stats *stats = &world->stats;
    memset(stats, 0, sizeof *stats);
    stats->step_count = header->step_count;
    stats->pair_count = header->pair_count;
    stats->hit_count = header->hit_count;
    stats->contact_count = header->contact_count;
    stats->begin_count = header->begin_count;
    stats->end_count = header->end_count;
    stats->removed_count = header->retired_count;
    stats->overflow_count = header->overflow_count;
}

// --- The call ---

static graze_status check_call(const graze_world *world, const void *buffer)
{
    static const char call[] = "graze_world_load";
    if (world->busy) {
        return grz_fail(world, GRAZE_ERROR_BUSY, "%s: called from inside a step", call);
    }
    return buffer ? GRAZE_OK : grz_fail(world, GRAZE_ERROR_ARGUMENT, "%s: buffer is null", call);
}

static graze_status load_snapshot(graze_world *world, const grz_snapshot *snapshot)
{
    grz_terrain_change terrain;
    const graze_status status = prepare(world, snapshot, &terrain);
    if (status) {
        return grz_fail(world, status, "graze_world_load: no room for %lu bodies, %lu points",
                        (unsigned long)snapshot->header.body_count,
                        (unsigned long)snapshot->header.point_count);
    }
    world->gravity = snapshot->header.gravity;
    fill_bodies(world, snapshot);
    grz_terrain_commit(world, snapshot, &terrain);
    fill_reports(world, snapshot);
    fill_stats(world, &snapshot->header);
    return GRAZE_OK;
}

static graze_status check_and_load(graze_world *world, const void *buffer, size_t size)
{
    grz_snapshot snapshot;
    graze_status status = check_call(world, buffer);
    status = status ? status : grz_snapshot_open(world, buffer, size, &snapshot);
    status = status ? status : check_limits(world, &snapshot);
    return status ? status : load_snapshot(world, &snapshot);
}

graze_status graze_world_load(graze_world *world, const void *buffer, size_t size)
{
    const grz_fp_environment caller = grz_fp_enter();
    const graze_status status = check_and_load(world, buffer, size);
    grz_note_load(world, status);
    grz_fp_leave(caller);
    return status;
}
