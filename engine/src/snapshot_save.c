#include <graze/world.h>

#include "bits.h"
#include "bodies.h"
#include "contact_keys.h"
#include "list.h"
#include "message.h"
#include "rows.h"
#include "snapshot_terrain.h"
#include "step.h"

#include <string.h>

enum { BODIES_AT_ONCE = 512 };

/// A section being written.
typedef struct progress {
    unsigned char *next;   ///< Where its next element goes.
    unsigned char *summed; ///< So far its sum has come.
} progress;

/// A snapshot being written.
typedef struct writer {
    const graze_world *world;
    const grz_snapshot_loops *loops;
    const grz_snapshot_header *header;
    unsigned char *rows; ///< The rows of the bodies in the world, by index: see start_writing.
    progress columns[GRZ_SECTION_COUNT];
    grz_snapshot_sums sums;
} writer;

static unsigned char *advance(writer *to, grz_section section, size_t size)
{
    unsigned char *begin = to->columns[section].next;
    to->columns[section].next = begin + size;
    return begin;
}

static void put(writer *to, grz_section section, const void *elements, size_t size)
{
    if (size) {
        memcpy(advance(to, section, size), elements, size);
    }
}

// Records are written field by field: read back as a whole from smaller stores they would stall.
static inline unsigned char *put_field(unsigned char *to, const void *field, size_t size)
{
    memcpy(to, field, size);
    return to + size;
}

// Sums up what was written lately, while it is near: whole blocks, the rest comes later.
static void sum_up(writer *to, grz_section section)
{
    progress *of = &to->columns[section];
    const size_t fresh = (size_t)(of->next - of->summed);
    const size_t size = fresh - fresh % GRZ_CHECKSUM_BLOCK;
    grz_checksum_add(&to->sums.of[section], to->loops, of->summed, size);
    of->summed += size;
}

// --- Bodies ---

/// What vacant indices have instead of what was left there.
typedef struct vacant_part {
    size_t offset; ///< In an element, bytes.
    size_t count;  ///< Words.
    uint32_t words[3];
} vacant_part;

static void overwrite_vacant(const graze_world *world, uint32_t first, unsigned char *elements,
                             size_t element, const vacant_part *part)
{
    for (uint64_t left = world->vacancies.data[first / 64]; left; left &= left - 1) {
        unsigned char *next = elements + part->offset + grz_lowest_bit(left) * element;
        for (size_t word = 0; word < part->count; ++word) {
            memcpy(next + word * sizeof(uint32_t), &part->words[word], sizeof(uint32_t));
        }
    }
}

// HOT. bench: engine/snapshot_save
//
// Data    8 bytes a body, and 12, 12, 12 and 8 where there are these columns, read and written.
// Order   Some kilobytes at a time, which are summed up while they are near.
static void put_column(writer *to, grz_section section, const void *column,
                       const vacant_part *vacant)
{
    const size_t element = grz_snapshot_element_size(section);
    const uint32_t count = to->world->bodies.count;
    const unsigned char *from = column;
    for (uint32_t first = 0; first < count; first += BODIES_AT_ONCE) {
        const uint32_t left = count - first;
        const uint32_t some = left < BODIES_AT_ONCE ? left : BODIES_AT_ONCE;
        unsigned char *next = advance(to, section, some * element);
        memcpy(next, from + first * element, some * element);
        for (uint32_t k = 0; k < some; k += 64) {
            overwrite_vacant(to->world, first + k, next + k * element, element, vacant);
        }
        sum_up(to, section);
    }
}

static void put_cold_parts(writer *to)
{
    const vacant_part form = {offsetof(grz_body, response), 1, {0}};
    grz_wanted_column columns[GRZ_WANTED_COLUMNS];
    grz_wanted_columns(to->world, columns);
    put_column(to, GRZ_SECTION_BODIES, to->world->bodies.data, &form);
    for (int i = 0; i < GRZ_WANTED_COLUMNS; ++i) {
        const size_t size = grz_snapshot_element_size(columns[i].section);
        vacant_part whole = {0, size / sizeof(uint32_t), {0}};
        memcpy(whole.words, columns[i].plain, size);
        if (to->header->needs & columns[i].need) {
            put_column(to, columns[i].section, columns[i].of_world, &whole);
        }
    }
}

// Writes the indices of those that are neither in the world nor vacant.
static void put_retired_indices(writer *to, uint32_t first, uint64_t others)
{
    uint64_t left = others & ~to->world->vacancies.data[first / 64];
    for (; left; left &= left - 1) {
        const uint32_t index = first + grz_lowest_bit(left);
        put(to, GRZ_SECTION_RETIRED, &index, sizeof index);
    }
}

// Lists the rows of the bodies in the world, by index, and writes the indices of the retired.
static void list_rows(writer *to)
{
    const uint32_t count = to->world->bodies.count;
    uint32_t indices[GRZ_INDICES_LISTED], rows[GRZ_INDICES_LISTED];
    unsigned char *next = to->rows;
    for (uint32_t first = 0; first < count; first += 64) {
        const uint32_t left = count - first;
        const uint64_t all = left < 64 ? (UINT64_C(1) << left) - 1 : UINT64_MAX;
        uint32_t found = 0;
        const uint64_t bits =
            to->loops->list_rows(to->world->row_of_index.data, first, all, indices, rows, &found);
        memcpy(next, rows, found * sizeof *rows);
        next += found * sizeof *rows;
        if (bits != all) {
            put_retired_indices(to, first, all & ~bits);
        }
    }
}

// Takes the next rows from the list. Those that a column overwrites are taken already.
static uint32_t take_rows(const writer *to, uint32_t first, uint32_t *rows)
{
    const uint32_t left = to->world->body_count - first;
    const uint32_t count = left < BODIES_AT_ONCE ? left : BODIES_AT_ONCE;
    memcpy(rows, to->rows + first * sizeof *rows, count * sizeof *rows);
    return count;
}

// HOT. bench: engine/snapshot_save
//
// Data    4 or 8 bytes of a row from anywhere, as many written in order.
// Order   One column after the other, so that all that there is of one stays near: what a line of
//         memory holds belongs to indices that are far apart.
static inline void gather(writer *to, grz_section section, const void *column, size_t size)
{
    uint32_t rows[BODIES_AT_ONCE];
    const unsigned char *from = column;
    for (uint32_t first = 0; first < to->world->body_count; first += BODIES_AT_ONCE) {
        const uint32_t count = take_rows(to, first, rows);
        unsigned char *next = advance(to, section, count * size);
        for (size_t k = 0; k < count; ++k) {
            memcpy(next + k * size, from + rows[k] * size, size);
        }
        sum_up(to, section);
    }
}

// The two sizes that there are, known when this is compiled.
static void gather_vectors(writer *to, grz_section section, const graze_vec2 *column)
{
    gather(to, section, column, sizeof *column);
}

static void gather_floats(writer *to, grz_section section, const float *column)
{
    gather(to, section, column, sizeof *column);
}

// Where only retired bodies turned, rows may have no columns for it: no row turns.
static void put_turns(writer *to)
{
    const grz_rows *rows = &to->world->rows;
    const size_t size = to->world->body_count * sizeof(float);
    if (rows->rotation) {
        gather_floats(to, GRZ_SECTION_ANGLES, rows->angle);
        gather_floats(to, GRZ_SECTION_SPINS, rows->spin);
    } else {
        memset(advance(to, GRZ_SECTION_ANGLES, size), 0, size);
        memset(advance(to, GRZ_SECTION_SPINS, size), 0, size);
    }
}

static void put_rows(writer *to)
{
    const grz_rows *rows = &to->world->rows;
    list_rows(to);
    gather_vectors(to, GRZ_SECTION_POSITIONS, rows->position);
    gather_vectors(to, GRZ_SECTION_VELOCITIES, rows->velocity);
    if (to->header->needs & GRZ_NEED_TURNS) {
        put_turns(to);
    }
    gather_vectors(to, GRZ_SECTION_HALVES, rows->half); // Over the list of rows.
}

static graze_vec2 half_of(graze_shape shape)
{
    graze_vec2 round = {shape.radius, shape.radius};
    return shape.kind == GRAZE_SHAPE_CIRCLE ? round : shape.half;
}

static void put_retired_body(writer *to, const grz_retired *retired)
{
    const graze_vec2 half = half_of(retired->shape);
    put(to, GRZ_SECTION_POSITIONS, &retired->position, sizeof retired->position);
    put(to, GRZ_SECTION_VELOCITIES, &retired->velocity, sizeof retired->velocity);
    put(to, GRZ_SECTION_HALVES, &half, sizeof half);
    if (to->header->needs & GRZ_NEED_TURNS) {
        put(to, GRZ_SECTION_ANGLES, &retired->angle, sizeof retired->angle);
        put(to, GRZ_SECTION_SPINS, &retired->spin, sizeof retired->spin);
    }
}

// They are retired in any order, and come by index.
static void put_retired(writer *to)
{
    const graze_world *world = to->world;
    const unsigned char *end = to->columns[GRZ_SECTION_RETIRED].next;
    for (const unsigned char *next = to->columns[GRZ_SECTION_RETIRED].summed; next < end;
         next += sizeof(uint32_t)) {
        const graze_body_id body = grz_bodies_id(world, grz_word_at(next, 0));
        put_retired_body(to, grz_bodies_find_retired(world, body));
    }
}

static void put_vacancies(writer *to)
{
    const size_t words = ((size_t)to->world->bodies.count + 63) / 64;
    put(to, GRZ_SECTION_VACANCIES, to->world->vacancies.data, words * sizeof(uint64_t));
}

// --- Terrain ---

static void put_chain(writer *to, const grz_chain *chain)
{
    const grz_chain_record record = grz_terrain_record(chain);
    put(to, GRZ_SECTION_CHAINS, &record, sizeof record);
    put(to, GRZ_SECTION_POINTS, chain->points, record.point_count * sizeof *chain->points);
}

// What the image has, and the chains behind it.
static void put_terrain(writer *to)
{
    const grz_terrain_image *image = &to->world->image;
    put(to, GRZ_SECTION_CHAINS, image->records.data,
        image->records.count * sizeof *image->records.data);
    put(to, GRZ_SECTION_POINTS, image->points.data,
        image->points.count * sizeof *image->points.data);
    for (size_t i = image->records.count; i < grz_list_count(to->world->chains); ++i) {
        put_chain(to, &to->world->chains[i]);
    }
}

// --- What met ---

static bool is_same_segment(graze_segment_id first, graze_segment_id second)
{
    return ((first.chain.index ^ second.chain.index) |
            (first.chain.generation ^ second.chain.generation) | (first.index ^ second.index)) == 0;
}

static bool is_key_of(const graze_world *world, uint32_t key, const graze_contact *contact)
{
    if (key >= world->keys.count) {
        return false;
    }
    const graze_contact_end known = grz_key_at(world, key);
    const uint32_t differing =
        (known.a.index ^ contact->a.index) | (known.a.generation ^ contact->a.generation) |
        (known.b.index ^ contact->b.index) | (known.b.generation ^ contact->b.generation);
    return differing == 0 && is_same_segment(known.segment, contact->segment);
}

static uint32_t search_key(const graze_world *world, const graze_contact *contact)
{
    const graze_contact_end wanted = grz_key_of(contact);
    uint32_t low = 0;
    for (uint32_t high = world->keys.count; high - low > 1;) {
        uint32_t middle = low + (high - low) / 2;
        const graze_contact_end key = grz_key_at(world, middle);
        bool before = grz_key_compare(&key, &wanted) <= 0;
        low = before ? middle : low;
        high = before ? high : middle;
    }
    return low;
}

// Every contact has its key, and contacts have nearly the order of keys: it is the one after the
// last contact's as a rule, or that again; those of one mover on terrain are by time.
static uint32_t find_key(const graze_world *world, const graze_contact *contact, uint32_t next)
{
    if (is_key_of(world, next, contact)) {
        return next;
    }
    return next > 0 && is_key_of(world, next - 1, contact) ? next - 1 : search_key(world, contact);
}

static unsigned char *put_contact(unsigned char *to, const graze_contact *contact, uint32_t key)
{
    const uint32_t form = (uint32_t)contact->phase | contact->flags << 1;
    to = put_field(to, &key, sizeof key);
    to = put_field(to, &form, sizeof form);
    return put_field(to, (const unsigned char *)contact + offsetof(graze_contact, time),
                     GRZ_TOUCH_SIZE);
}

static void put_keys(writer *to)
{
    const uint32_t count = to->world->keys.count;
    grz_keys_copy(to->world, 0, count,
                  advance(to, GRZ_SECTION_KEYS, count * sizeof(graze_contact_end)));
}

static void put_contacts(writer *to)
{
    const graze_world *world = to->world;
    const uint32_t count = world->contacts.count;
    unsigned char *next = advance(to, GRZ_SECTION_CONTACTS, count * sizeof(grz_contact_record));
    uint32_t next_key = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const graze_contact *contact = &world->contacts.data[i];
        const uint32_t key = world->keys_apart ? find_key(world, contact, next_key) : i;
        next = put_contact(next, contact, key);
        next_key = key + 1;
    }
}

static void put_reports(writer *to)
{
    const graze_world *world = to->world;
    put_keys(to);
    put(to, GRZ_SECTION_ENDS, world->ends.data, world->ends.count * sizeof *world->ends.data);
    put_contacts(to);
}

static uint32_t count_points(const graze_world *world)
{
    size_t count = world->image.points.count;
    for (size_t i = world->image.records.count; i < grz_list_count(world->chains); ++i) {
        count += grz_terrain_point_count(&world->chains[i]);
    }
    return (uint32_t)count;
}

static bool has_rects(const graze_world *world)
{
    bool found = world->rect_count > 0;
    for (size_t i = 0; !found && i < grz_list_count(world->retired); ++i) {
        found = world->retired[i].shape.kind == GRAZE_SHAPE_RECT;
    }
    return found;
}

// What vacant indices have left does not count.
static uint32_t find_needs(const graze_world *world)
{
    const unsigned char *vacancies = (const unsigned char *)world->vacancies.data;
    const uint32_t count = world->bodies.count;
    grz_wanted_column columns[GRZ_WANTED_COLUMNS];
    uint32_t needs = has_rects(world) ? GRZ_NEED_TURNS : 0u;
    grz_wanted_columns(world, columns);
    for (int i = 0; i < GRZ_WANTED_COLUMNS; ++i) {
        const grz_wanted_column *column = &columns[i];
        const bool wanted =
            column->of_world && grz_is_wanted(column, column->of_world, vacancies, count);
        needs |= wanted ? column->need : 0u;
    }
    return needs;
}

static void describe_bodies(const graze_world *world, grz_snapshot_header *header)
{
    header->index_count = world->bodies.count;
    header->body_count = world->body_count;
    header->retired_count = (uint32_t)grz_list_count(world->retired);
    header->rect_count = world->rect_count;
    header->needs = find_needs(world);
}

static grz_snapshot_header describe(const graze_world *world)
{
    grz_snapshot_header header = grz_snapshot_new_header();
    header.step_count = world->stats.step_count;
    header.pair_count = world->stats.pair_count;
    header.hit_count = world->stats.hit_count;
    header.gravity = world->gravity;
    describe_bodies(world, &header);
    header.chain_count = (uint32_t)grz_list_count(world->chains);
    header.point_count = count_points(world);
    header.key_count = world->keys.count;
    header.end_count = world->ends.count;
    header.contact_count = world->contacts.count;
    header.begin_count = world->stats.begin_count;
    header.overflow_count = world->stats.overflow_count;
    header.size = grz_snapshot_lay_out(&header).begin[GRZ_SECTION_COUNT];
    return header;
}

size_t graze_world_snapshot_size(const graze_world *world)
{
    return (size_t)describe(world).size;
}

static graze_status check_call(const graze_world *world, const void *buffer, size_t size,
                               uint64_t needed)
{
    static const char call[] = "graze_world_save";
    if (world->busy) {
        return grz_fail(world, GRAZE_ERROR_BUSY, "%s: called from inside a step", call);
    }
    if (!buffer) {
        return grz_fail(world, GRAZE_ERROR_ARGUMENT, "%s: buffer is null", call);
    }
    if (size < needed) {
        return grz_fail(world, GRAZE_ERROR_LIMIT, "%s: size is %lu; the snapshot has %lu bytes",
                        call, (unsigned long)size, (unsigned long)needed);
    }
    return GRAZE_OK;
}

// Rows are listed where the second part of the halves will be, which come last: a half takes twice
// the room of a row, so that writing the k-th half overwrites no row behind the k-th.
static void start_writing(writer *to, const graze_world *world, const grz_snapshot_header *header,
                          const grz_snapshot_layout *layout, unsigned char *bytes)
{
    to->world = world;
    to->loops = grz_snapshot_loops_for(world->lanes);
    to->header = header;
    for (int section = 0; section < GRZ_SECTION_COUNT; ++section) {
        unsigned char *begin = bytes + (size_t)layout->begin[section];
        const progress fresh = {begin, begin};
        to->columns[section] = fresh;
    }
    to->rows = to->columns[GRZ_SECTION_HALVES].next + world->body_count * sizeof(uint32_t);
    grz_snapshot_begin_sums(&to->sums);
}

static void sum_up_all(writer *to)
{
    for (int section = 0; section < GRZ_SECTION_COUNT; ++section) {
        const progress *of = &to->columns[section];
        grz_checksum_add(&to->sums.of[section], to->loops, of->summed,
                         (size_t)(of->next - of->summed));
    }
}

static void write_snapshot(const graze_world *world, grz_snapshot_header *header,
                           unsigned char *bytes)
{
    const grz_snapshot_layout layout = grz_snapshot_lay_out(header);
    writer to;
    start_writing(&to, world, header, &layout, bytes);
    put_rows(&to);
    put_cold_parts(&to);
    put_retired(&to);
    put_vacancies(&to);
    put_terrain(&to);
    put_reports(&to);
    sum_up_all(&to);
    header->checksum = grz_snapshot_end_sums(&to.sums, to.loops, header);
    memcpy(bytes, header, sizeof *header);
}

graze_status graze_world_save(const graze_world *world, void *buffer, size_t size)
{
    grz_snapshot_header header = describe(world);
    const graze_status status = check_call(world, buffer, size, header.size);
    if (!status) {
        write_snapshot(world, &header, buffer);
    }
    return status;
}
