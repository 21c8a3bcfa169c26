// graze_world_save and graze_world_snapshot_size.

#include <graze/world.h>

#include "history/snapshot.h"
#include "list.h"
#include "min_max.h"
#include "solve/solve.h"
#include "world/bodies.h"
#include "world/contact_keys.h"
#include "world/message.h"

#include <inttypes.h>

/// A snapshot being written.
typedef struct snapshot_writer {
    const graze_world *world;
    const grz_snapshot_header *header;
    unsigned char *next[GRZ_SECTION_COUNT]; ///< Where the next element of each section goes.
} snapshot_writer;

// Returns where the next `size` bytes of a section go, which the caller writes.
static unsigned char *advance(snapshot_writer *writer, grz_section section, size_t size)
{
    unsigned char *begin = writer->next[section];
    writer->next[section] = begin + size;
    return begin;
}

static void put(snapshot_writer *writer, grz_section section, const void *elements, size_t size)
{
    if (size) {
        memcpy(advance(writer, section, size), elements, size);
    }
}

// --- Bodies in the world ---

enum { ROWS_AT_ONCE = 1024 };

/// Rows of bodies in the world, in the order of their indices.
typedef struct row_list {
    uint32_t count;
    uint32_t rows[ROWS_AT_ONCE];
} row_list;

// Also writes the indices of the removed.
static void list_rows(snapshot_writer *writer, uint32_t first, uint32_t count, row_list *list)
{
    const uint32_t *rows = writer->world->bodies.row_of_index.data + first;
    list->count = 0;
    for (uint32_t k = 0; k < count; ++k) {
        const grz_row row = rows[k];
        const grz_index index = first + k;
        list->rows[list->count] = row;
        list->count += row < GRZ_NONE;
        if (row > GRZ_NONE) {
            put(writer, GRZ_SECTION_REMOVED, &index, sizeof index);
        }
    }
}

static void gather(snapshot_writer *writer, grz_section section, const row_list *list)
{
    const unsigned char *column = grz_snapshot_column(&writer->world->bodies, section);
    const bool is_vector = section <= GRZ_SECTION_HALVES;
    const size_t size = is_vector ? sizeof(graze_vec2) : sizeof(float);
    unsigned char *to = advance(writer, section, list->count * size);
    for (uint32_t k = 0; is_vector && k < list->count; ++k) {
        memcpy(to + k * sizeof(graze_vec2), column + list->rows[k] * sizeof(graze_vec2),
               sizeof(graze_vec2));
    }
    for (uint32_t k = 0; !is_vector && k < list->count; ++k) {
        memcpy(to + k * sizeof(float), column + list->rows[k] * sizeof(float), sizeof(float));
    }
}

// HOT. bench: engine/snapshot_save
//
// Data    24 bytes of a row from anywhere, 32 if one turns; as many written in order.
// Order   One column after the other, of some rows: the list of these stays cached.
static void put_bodies(snapshot_writer *writer)
{
    const uint32_t count = writer->world->bodies.cold.count;
    row_list list;
    for (uint32_t first = 0; first < count; first += ROWS_AT_ONCE) {
        const uint32_t left = count - first;
        list_rows(writer, first, min_u32(left, ROWS_AT_ONCE), &list);
        gather(writer, GRZ_SECTION_POSITIONS, &list);
        gather(writer, GRZ_SECTION_VELOCITIES, &list);
        gather(writer, GRZ_SECTION_HALVES, &list);
        if (writer->header->needs & GRZ_NEED_ROTATIONS) {
            gather(writer, GRZ_SECTION_ANGLES, &list);
            gather(writer, GRZ_SECTION_SPINS, &list);
        }
    }
}

// --- Those that are gone ---

static void put_removed_body(snapshot_writer *writer, const grz_removed *removed)
{
    const graze_vec2 half = grz_half_of(removed->shape);
    put(writer, GRZ_SECTION_POSITIONS, &removed->position, sizeof removed->position);
    put(writer, GRZ_SECTION_VELOCITIES, &removed->velocity, sizeof removed->velocity);
    put(writer, GRZ_SECTION_HALVES, &half, sizeof half);
    if (writer->header->needs & GRZ_NEED_ROTATIONS) {
        put(writer, GRZ_SECTION_ANGLES, &removed->angle, sizeof removed->angle);
        put(writer, GRZ_SECTION_SPINS, &removed->spin, sizeof removed->spin);
    }
}

// They removed in any order; the snapshot has them by index.
static void put_removed(snapshot_writer *writer)
{
    const graze_world *world = writer->world;
    const uint32_t count = writer->header->removed_count;
    const unsigned char *indices = writer->next[GRZ_SECTION_REMOVED] - count * sizeof(uint32_t);
    for (uint32_t i = 0; i < count; ++i) {
        const grz_row row = world->bodies.row_of_index.data[grz_word_at(indices, i)];
        put_removed_body(writer, &world->bodies.removed[grz_removed_place(row)]);
    }
}

// --- Columns by index ---

// Vacant indices have the values of snapshots: see clear_index.
static void put_columns(snapshot_writer *writer)
{
    for (int i = GRZ_SECTIONS_BY_INDEX_BEGIN; i < GRZ_SECTIONS_BY_INDEX_END; ++i) {
        const grz_section_plan *plan = &grz_section_plans[i];
        if (!plan->need || (writer->header->needs & plan->need)) {
            put(writer, (grz_section)i, grz_snapshot_column(&writer->world->bodies, (grz_section)i),
                (size_t)writer->header->index_count * plan->form->size);
        }
    }
    put(writer, GRZ_SECTION_VACANCIES, writer->world->bodies.vacancies.data,
        ((size_t)writer->header->index_count + 63) / 64 * sizeof(uint64_t));
}

// --- Terrain ---

static void put_terrain(snapshot_writer *writer)
{
    const grz_chain *chains = writer->world->terrain.chains;
    for (size_t i = 0; i < grz_list_count(chains); ++i) {
        const grz_chain_record record = grz_chain_to_record(&chains[i]);
        put(writer, GRZ_SECTION_CHAINS, &record, sizeof record);
        put(writer, GRZ_SECTION_POINTS, chains[i].points,
            record.point_count * sizeof *chains[i].points);
        put(writer, GRZ_SECTION_SURFACES, chains[i].surfaces,
            grz_record_surface_count(&record) * sizeof *chains[i].surfaces);
    }
}

// --- Contacts ---

// A contact begins with its own key.
static bool is_key_of(const graze_world *world, uint32_t key, const graze_contact *contact)
{
    return key < world->reports.keys.count &&
           memcmp(&world->reports.keys.data[key], contact, sizeof *world->reports.keys.data) == 0;
}

static uint32_t search_key(const graze_world *world, const graze_contact *contact)
{
    const graze_contact_end wanted = grz_key_of(contact);
    uint32_t low = 0;
    for (uint32_t high = world->reports.keys.count; high - low > 1;) {
        const uint32_t middle = low + (high - low) / 2;
        const graze_contact_end key = grz_key_at(world, middle);
        const bool before = grz_compare_keys(&key, &wanted) <= 0;
        low = before ? middle : low;
        high = before ? high : middle;
    }
    return low;
}

// Every contact has its key, and contacts come nearly in the order of keys: usually the key is the
// one after the last contact's, or the same. (Contacts of one mover with terrain are ordered by
// time.)
static uint32_t find_key(const graze_world *world, const graze_contact *contact, uint32_t next)
{
    if (is_key_of(world, next, contact)) {
        return next;
    }
    return next > 0 && is_key_of(world, next - 1, contact) ? next - 1 : search_key(world, contact);
}

static void put_contacts(snapshot_writer *writer)
{
    const graze_world *world = writer->world;
    uint32_t next_key = 0;
    for (uint32_t i = 0; i < world->reports.contacts.count; ++i) {
        const graze_contact *contact = &world->reports.contacts.data[i];
        const grz_contact_record record = {
            .key = world->reports.keys_apart ? find_key(world, contact, next_key) : i,
            .form = (uint32_t)contact->phase | contact->flags << 1,
            .time = contact->time,
            .point = contact->point,
            .normal = contact->normal,
            .depth = contact->depth,
        };
        const grz_blow blow = {contact->approach, contact->impulse};
        put(writer, GRZ_SECTION_CONTACTS, &record, sizeof record);
        put(writer, GRZ_SECTION_BLOWS, &blow, sizeof blow);
        next_key = record.key + 1;
    }
}

static void put_reports(snapshot_writer *writer)
{
    const graze_world *world = writer->world;
    grz_kept_cursor cursor = {0, 0};
    const grz_cached_contact *kept;
    grz_keys_copy(world, writer->next[GRZ_SECTION_KEYS]);
    put(writer, GRZ_SECTION_ENDS, world->reports.ends.data,
        world->reports.ends.count * sizeof *world->reports.ends.data);
    put_contacts(writer);
    while ((kept = grz_kept_contact_next(&world->solve, &cursor))) {
        put(writer, GRZ_SECTION_KEPT, kept, sizeof *kept);
    }
}

// --- Header ---

uint32_t grz_world_point_count(const graze_world *world)
{
    uint32_t count = 0;
    for (size_t i = 0; i < grz_list_count(world->terrain.chains); ++i) {
        count += grz_chain_point_count(&world->terrain.chains[i]);
    }
    return count;
}

// What the kinds of bodies need, whatever their values are.
static uint32_t find_needs_of_kinds(const graze_world *world)
{
    bool rotations = world->bodies.rotation_count > 0, dynamic = false;
    for (size_t i = 0; i < grz_list_count(world->bodies.removed); ++i) {
        const grz_body *body = &world->bodies.cold.data[world->bodies.removed[i].index];
        rotations = rotations || grz_has_rotation(body->kind, body->response);
        dynamic = dynamic || grz_is_dynamic(body->kind, body->response);
    }
    for (grz_row row = 0; row < world->bodies.count; ++row) {
        dynamic |= grz_row_is_dynamic(world->bodies.rows.traits[row]);
    }
    return (rotations ? GRZ_NEED_ROTATIONS : 0u) |
           (dynamic && world->bodies.dynamics.data ? GRZ_NEED_DYNAMICS : 0u);
}

static uint32_t find_needs(const graze_world *world)
{
    uint32_t needs = find_needs_of_kinds(world);
    for (int i = GRZ_SECTIONS_BY_INDEX_BEGIN; i < GRZ_SECTIONS_BY_INDEX_END; ++i) {
        const unsigned char *column = grz_snapshot_column(&world->bodies, (grz_section)i);
        const uint32_t need = grz_section_plans[i].need;
        const bool needed = need && column && !(needs & need) &&
                            !grz_section_is_usual((grz_section)i, column, world->bodies.cold.count);
        needs |= needed ? need : 0;
    }
    return needs;
}

static grz_snapshot_header describe(const graze_world *world)
{
    grz_snapshot_header header = grz_snapshot_new_header();
    header.step_count = world->reports.stats.step_count;
    header.pair_count = world->reports.stats.pair_count;
    header.hit_count = world->reports.stats.hit_count;
    header.gravity = world->config.gravity;
    header.index_count = world->bodies.cold.count;
    header.body_count = world->bodies.count;
    header.removed_count = (uint32_t)grz_list_count(world->bodies.removed);
    header.rect_count = world->bodies.rect_count;
    header.needs = find_needs(world);
    header.chain_count = (uint32_t)grz_list_count(world->terrain.chains);
    header.point_count = grz_world_point_count(world);
    header.surface_count = world->terrain.surface_count;
    header.substeps = world->config.substeps;
    header.key_count = world->reports.keys.count;
    header.end_count = world->reports.ends.count;
    header.contact_count = world->reports.contacts.count;
    header.begin_count = world->reports.stats.begin_count;
    header.overflow_count = world->reports.stats.overflow_count;
    header.kept_count = grz_kept_contact_count(&world->solve);
    header.mean_substep = world->solve.mean_substep;
    header.size = grz_snapshot_lay_out(&header).begin[GRZ_SECTION_COUNT];
    return header;
}

size_t graze_world_snapshot_size(const graze_world *world)
{
    return (size_t)describe(world).size;
}

// --- The call ---

static graze_status check_call(const graze_world *world, const void *buffer, size_t size,
                               uint64_t needed)
{
    static const char call[] = "graze_world_save";
    graze_status status = grz_check_not_busy(world, call);
    status = status ? status : grz_check_not_null(world, call, "buffer", buffer != NULL);
    return status || size >= needed
               ? status
               : grz_fail(world, GRAZE_ERROR_LIMIT,
                          "%s: size is %zu; the snapshot has %" PRIu64 " bytes", call, size,
                          needed);
}

// Numbers are turned, where they have to be, before they are summed up.
static void finish(const grz_snapshot_header *header, const grz_snapshot_layout *layout,
                   unsigned char *bytes)
{
    const size_t place = offsetof(grz_snapshot_header, checksum);
    memcpy(bytes, header, sizeof *header);
    if (grz_is_big_endian()) {
        grz_snapshot_turn_header(bytes);
        grz_snapshot_turn_sections(bytes, layout);
    }
    uint64_t sum = grz_snapshot_sum(bytes, layout);
    if (grz_is_big_endian()) {
        grz_form_turn(&grz_long_form, &sum, 1);
    }
    memcpy(bytes + place, &sum, sizeof sum);
}

static void write_snapshot(const graze_world *world, const grz_snapshot_header *header,
                           unsigned char *bytes)
{
    const grz_snapshot_layout layout = grz_snapshot_lay_out(header);
    snapshot_writer writer = {.world = world, .header = header};
    for (int section = 0; section < GRZ_SECTION_COUNT; ++section) {
        writer.next[section] = bytes + (size_t)layout.begin[section];
    }
    put_bodies(&writer);
    put_removed(&writer);
    put_columns(&writer);
    put_terrain(&writer);
    put_reports(&writer);
    finish(header, &layout, bytes);
}

graze_status graze_world_save(const graze_world *world, void *buffer, size_t size)
{
    const grz_snapshot_header header = describe(world);
    const graze_status status = check_call(world, buffer, size, header.size);
    if (!status) {
        write_snapshot(world, &header, buffer);
    }
    return status;
}
