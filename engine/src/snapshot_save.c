#include <graze/world.h>

#include "bodies.h"
#include "checksum.h"
#include "list.h"
#include "message.h"
#include "snapshot.h"
#include "step.h"

#include <string.h>

enum { BODIES_AT_ONCE = 256 };

/// Where the next element of each section goes.
typedef struct cursor {
    unsigned char *next[GRZ_SECTION_COUNT];
} cursor;

/// A snapshot being written. Retired bodies come after the others in each section, and are met
/// among them.
typedef struct writer {
    const graze_world *world;
    cursor main, retired;
} writer;

/// Some bodies of the world, by index.
typedef struct batch {
    uint32_t count;
    uint32_t index[BODIES_AT_ONCE], row[BODIES_AT_ONCE];
} batch;

static void put(cursor *to, grz_section section, const void *element, size_t size)
{
    memcpy(to->next[section], element, size);
    to->next[section] += size;
}

// Copies an array as it is; a null one is empty.
static void put_array(cursor *to, grz_section section, const void *elements, size_t size)
{
    if (size) {
        put(to, section, elements, size);
    }
}

static void write_record(unsigned char *to, const graze_world *world, uint32_t index, uint32_t kind,
                         uint32_t hits)
{
    const grz_body *body = &world->bodies.data[index];
    const uint32_t form = kind | (uint32_t)body->response << GRZ_FORM_RESPONSE_SHIFT |
                          (uint32_t)body->sensor * GRZ_FORM_SENSOR;
    const grz_wanted wanted = grz_wanted_of(world, index);
    const grz_body_record record = {form,
                                    wanted.matter.mass,
                                    wanted.matter.restitution,
                                    wanted.matter.friction,
                                    wanted.life.lifetime,
                                    wanted.life.hit_limit,
                                    wanted.life.hit_count + hits,
                                    wanted.filter,
                                    wanted.user_data};
    memcpy(to, &record, sizeof record);
}

static unsigned char *advance(cursor *at, grz_section section, size_t size)
{
    unsigned char *begin = at->next[section];
    at->next[section] = begin + size;
    return begin;
}

static void gather_records(cursor *to, const graze_world *world, const batch *of)
{
    const uint32_t *traits = world->rows.traits;
    unsigned char *next = advance(to, GRZ_SECTION_BODIES, of->count * sizeof(grz_body_record));
    for (uint32_t k = 0; k < of->count; ++k) {
        write_record(next + k * sizeof(grz_body_record), world, of->index[k],
                     traits[of->row[k]] & GRZ_TRAIT_KIND, 0);
    }
}

static void gather_vectors(cursor *to, const grz_rows *rows, const batch *of)
{
    const size_t size = of->count * sizeof(graze_vec2);
    unsigned char *positions = advance(to, GRZ_SECTION_POSITIONS, size);
    unsigned char *velocities = advance(to, GRZ_SECTION_VELOCITIES, size);
    unsigned char *halves = advance(to, GRZ_SECTION_HALVES, size);
    const grz_rows from = *rows;
    for (uint32_t k = 0; k < of->count; ++k) {
        const uint32_t row = of->row[k];
        memcpy(positions + k * sizeof(graze_vec2), &from.position[row], sizeof(graze_vec2));
        memcpy(velocities + k * sizeof(graze_vec2), &from.velocity[row], sizeof(graze_vec2));
        memcpy(halves + k * sizeof(graze_vec2), &from.half[row], sizeof(graze_vec2));
    }
}

static void gather_turns(cursor *to, const grz_rows *rows, const batch *of)
{
    unsigned char *angles = advance(to, GRZ_SECTION_ANGLES, of->count * sizeof(float));
    unsigned char *spins = advance(to, GRZ_SECTION_SPINS, of->count * sizeof(float));
    const grz_rows from = *rows;
    if (!from.rotation) {
        memset(angles, 0, of->count * sizeof(float));
        memset(spins, 0, of->count * sizeof(float));
        return;
    }
    for (uint32_t k = 0; k < of->count; ++k) {
        const uint32_t row = of->row[k];
        memcpy(angles + k * sizeof(float), &from.angle[row], sizeof(float));
        memcpy(spins + k * sizeof(float), &from.spin[row], sizeof(float));
    }
}

static void put_batch(cursor *to, const graze_world *world, const batch *of)
{
    put(to, GRZ_SECTION_INDICES, of->index, of->count * sizeof *of->index);
    gather_records(to, world, of);
    gather_vectors(to, &world->rows, of);
    gather_turns(to, &world->rows, of);
}

static graze_vec2 half_of(graze_shape shape)
{
    graze_vec2 round = {shape.radius, shape.radius};
    return shape.kind == GRAZE_SHAPE_CIRCLE ? round : shape.half;
}

static void put_retired_body(cursor *to, const graze_world *world, const grz_retired *retired)
{
    const graze_vec2 half = half_of(retired->shape);
    put(to, GRZ_SECTION_INDICES, &retired->index, sizeof retired->index);
    put(to, GRZ_SECTION_POSITIONS, &retired->position, sizeof retired->position);
    put(to, GRZ_SECTION_VELOCITIES, &retired->velocity, sizeof retired->velocity);
    put(to, GRZ_SECTION_HALVES, &half, sizeof half);
    put(to, GRZ_SECTION_ANGLES, &retired->angle, sizeof retired->angle);
    put(to, GRZ_SECTION_SPINS, &retired->spin, sizeof retired->spin);
    write_record(to->next[GRZ_SECTION_BODIES], world, retired->index, (uint32_t)retired->shape.kind,
                 retired->hits);
    to->next[GRZ_SECTION_BODIES] += sizeof(grz_body_record);
}

// Writes what indices have that may be vacant: generations, and retired bodies.
static void put_indices(writer *to, uint32_t first, uint32_t end)
{
    const size_t size = (end - first) * sizeof(uint32_t);
    const grz_body *bodies = to->world->bodies.data;
    const uint32_t *row = to->world->row_of_index.data;
    unsigned char *generations = advance(&to->main, GRZ_SECTION_GENERATIONS, size);
    for (uint32_t index = first; index < end; ++index, generations += sizeof(uint32_t)) {
        memcpy(generations, &bodies[index].generation, sizeof(uint32_t));
        if (grz_is_retired(row[index])) {
            put_retired_body(&to->retired, to->world,
                             &to->world->retired[grz_retired_place(row[index])]);
        }
    }
}

// Collects the bodies in the world among some indices.
static void collect(const graze_world *world, uint32_t first, uint32_t end, batch *found)
{
    const uint32_t *row_of_index = world->row_of_index.data;
    uint32_t count = 0;
    for (uint32_t index = first; index < end; ++index) {
        found->index[count] = index;
        found->row[count] = row_of_index[index];
        count += row_of_index[index] < GRZ_NONE;
    }
    found->count = count;
}

// HOT. bench: engine/snapshot_save
//
// Data    12 bytes of a body read by index, 44 more where there are all columns, 36 of its row from anywhere; 88 written in order.
// Branch  Collected first: the columns are then gathered without a branch.
// Order   Some hundred bodies at a time, so that what is read of them is still near.
static void put_bodies(writer *to)
{
    batch bodies;
    const uint32_t count = to->world->bodies.count;
    for (uint32_t first = 0; first < count; first += BODIES_AT_ONCE) {
        const uint32_t end = count - first < BODIES_AT_ONCE ? count : first + BODIES_AT_ONCE;
        put_indices(to, first, end);
        collect(to->world, first, end, &bodies);
        put_batch(&to->main, to->world, &bodies);
    }
}

static void put_chain(cursor *to, const grz_chain *chain)
{
    grz_chain_record record = {.generation = chain->generation};
    if (chain->in_world) {
        size_t count = grz_list_count(chain->points);
        record.user_data = chain->user_data;
        record.filter = chain->filter;
        record.point_count = (uint32_t)count;
        record.form = (chain->loop ? GRZ_CHAIN_LOOP : 0u) |
                      (chain->one_sided ? GRZ_CHAIN_ONE_SIDED : 0u) |
                      (chain->sensor ? GRZ_CHAIN_SENSOR : 0u);
        put(to, GRZ_SECTION_POINTS, chain->points, count * sizeof *chain->points);
    }
    put(to, GRZ_SECTION_CHAINS, &record, sizeof record);
}

static void put_terrain(writer *to)
{
    for (size_t i = 0; i < grz_list_count(to->world->chains); ++i) {
        put_chain(&to->main, &to->world->chains[i]);
    }
}

static bool is_key_of(const graze_world *world, uint32_t key, const graze_contact_end *wanted)
{
    return key < world->keys.count && grz_key_compare(&world->keys.data[key], wanted) == 0;
}

// Every contact has its key, and contacts have nearly the order of keys: it is the one after the
// last contact's as a rule, or that again; those of one mover on terrain are by time.
static uint32_t find_key(const graze_world *world, const graze_contact *contact, uint32_t next)
{
    const graze_contact_end wanted = grz_key_of(contact);
    if (is_key_of(world, next, &wanted)) {
        return next;
    }
    if (next > 0 && is_key_of(world, next - 1, &wanted)) {
        return next - 1;
    }
    uint32_t low = 0;
    for (uint32_t high = world->keys.count; high - low > 1;) {
        uint32_t middle = low + (high - low) / 2;
        bool before = grz_key_compare(&world->keys.data[middle], &wanted) <= 0;
        low = before ? middle : low;
        high = before ? high : middle;
    }
    return low;
}

static void put_contacts(writer *to)
{
    const graze_world *world = to->world;
    uint32_t next = 0;
    for (uint32_t i = 0; i < world->contacts.count; ++i) {
        const graze_contact *contact = &world->contacts.data[i];
        uint32_t key = find_key(world, contact, next);
        grz_contact_record record = {
            key,
            (uint32_t)contact->phase | contact->flags << 1,
            contact->time,
            contact->point,
            contact->normal,
            contact->depth,
        };
        put(&to->main, GRZ_SECTION_CONTACTS, &record, sizeof record);
        next = key + 1;
    }
}

static void put_reports(writer *to)
{
    const graze_world *world = to->world;
    put_array(&to->main, GRZ_SECTION_KEYS, world->keys.data,
              world->keys.count * sizeof *world->keys.data);
    put_array(&to->main, GRZ_SECTION_ENDS, world->ends.data,
              world->ends.count * sizeof *world->ends.data);
    put_contacts(to);
}

static uint32_t count_points(const graze_world *world)
{
    size_t count = 0;
    for (size_t i = 0; i < grz_list_count(world->chains); ++i) {
        const grz_chain *chain = &world->chains[i];
        count += chain->in_world ? grz_list_count(chain->points) : 0;
    }
    return (uint32_t)count;
}

static grz_snapshot_header describe(const graze_world *world)
{
    grz_snapshot_header header = grz_snapshot_new_header();
    header.step_count = world->stats.step_count;
    header.pair_count = world->stats.pair_count;
    header.hit_count = world->stats.hit_count;
    header.gravity = world->gravity;
    header.index_count = world->bodies.count;
    header.body_count = world->body_count;
    header.retired_count = (uint32_t)grz_list_count(world->retired);
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

static void write_sections(const graze_world *world, unsigned char *bytes,
                           const grz_snapshot_header *header)
{
    const grz_snapshot_layout layout = grz_snapshot_lay_out(header);
    writer to = {.world = world};
    for (int i = 0; i < GRZ_SECTION_COUNT; ++i) {
        const size_t element = grz_snapshot_element_size((grz_section)i);
        to.main.next[i] = bytes + (size_t)layout.begin[i];
        to.retired.next[i] = to.main.next[i] + header->body_count * element;
    }
    put_bodies(&to);
    put_terrain(&to);
    put_reports(&to);
}

graze_status graze_world_save(const graze_world *world, void *buffer, size_t size)
{
    grz_snapshot_header header = describe(world);
    const graze_status status = check_call(world, buffer, size, header.size);
    if (status) {
        return status;
    }
    const size_t summed = GRZ_SNAPSHOT_SUMMED;
    memcpy(buffer, &header, sizeof header);
    write_sections(world, buffer, &header);
    header.checksum = grz_checksum((char *)buffer + summed, (size_t)header.size - summed);
    memcpy(buffer, &header, sizeof header);
    return GRAZE_OK;
}
