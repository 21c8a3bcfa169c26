#include "bits.h"
#include "bodies.h"
#include "list.h"
#include "snapshot_writer.h"

// --- In the world ---

// Writes the indices of those that are neither in the world nor vacant.
static void put_retired_indices(grz_writer *to, uint32_t first, uint64_t others)
{
    uint64_t left = others & ~to->world->vacancies.data[first / 64];
    for (; left; left &= left - 1) {
        const uint32_t index = first + grz_lowest_bit(left);
        grz_writer_put(to, GRZ_SECTION_RETIRED, &index, sizeof index);
    }
}

static void put_others(grz_writer *to, uint32_t first, uint32_t count, const uint64_t *in_world)
{
    for (uint32_t k = 0; k < count; k += 64) {
        const uint64_t all = count - k < 64 ? (UINT64_C(1) << (count - k)) - 1 : UINT64_MAX;
        if (in_world[k / 64] != all) {
            put_retired_indices(to, first + k, all & ~in_world[k / 64]);
        }
    }
}

static void gather_vectors(grz_writer *to, grz_section section, const graze_vec2 *column,
                           const grz_row_list *list)
{
    unsigned char *next = grz_writer_advance(to, section, list->count * sizeof *column);
    to->loops->gather(next, column, list->rows, list->count);
}

// Rays have no size.
static void gather_halves(grz_writer *to, const grz_row_list *list)
{
    const size_t size = list->count * sizeof(graze_vec2);
    if (list->has_shapes) {
        gather_vectors(to, GRZ_SECTION_HALVES, to->world->rows.half, list);
    } else {
        memset(grz_writer_advance(to, GRZ_SECTION_HALVES, size), 0, size);
    }
}

// HOT. bench: engine/snapshot_save
//
// Data    8 bytes of a row from anywhere where some are rects; as many written for each body.
// Branch  Whether any is a rect: of others both are 0 in their rows too.
static void gather_turns(grz_writer *to, const grz_row_list *list)
{
    const float *angle = to->world->rows.angle, *spin = to->world->rows.spin;
    const size_t size = list->count * sizeof(float);
    unsigned char *angles = grz_writer_advance(to, GRZ_SECTION_ANGLES, size);
    unsigned char *spins = grz_writer_advance(to, GRZ_SECTION_SPINS, size);
    if (!list->has_rects) {
        memset(angles, 0, size);
        memset(spins, 0, size);
        return;
    }
    for (uint32_t k = 0; k < list->count; ++k) {
        memcpy(angles + k * sizeof *angle, &angle[list->rows[k]], sizeof *angle);
        memcpy(spins + k * sizeof *spin, &spin[list->rows[k]], sizeof *spin);
    }
}

// Where only retired bodies turned, rows may have no columns for it: no row turns. Summed up when
// all is written: what is on its way to the cache cannot be read in other parts.
static void put_listed(grz_writer *to, const grz_row_list *list)
{
    const grz_rows *rows = &to->world->rows;
    gather_vectors(to, GRZ_SECTION_POSITIONS, rows->position, list);
    gather_vectors(to, GRZ_SECTION_VELOCITIES, rows->velocity, list);
    gather_halves(to, list);
    if (to->header->needs & GRZ_NEED_TURNS) {
        gather_turns(to, list);
    }
    for (int section = GRZ_SECTION_POSITIONS; section <= GRZ_SECTION_SPINS; ++section) {
        grz_writer_sum_up(to, (grz_section)section);
    }
}

static void put_bodies(grz_writer *to)
{
    const graze_world *world = to->world;
    const uint32_t count = world->bodies.count;
    grz_row_list list;
    for (uint32_t first = 0; first < count; first += GRZ_ROWS_AT_ONCE) {
        const uint32_t left = count - first;
        const uint32_t some = left < GRZ_ROWS_AT_ONCE ? left : GRZ_ROWS_AT_ONCE;
        to->loops->list_rows(world->row_of_index.data + first, world->bodies.data + first, some,
                             &list);
        put_others(to, first, some, list.in_world);
        put_listed(to, &list);
    }
}

// --- Gone ---

static graze_vec2 half_of(graze_shape shape)
{
    graze_vec2 round = {shape.radius, shape.radius};
    return shape.kind == GRAZE_SHAPE_CIRCLE ? round : shape.half;
}

static void put_retired_body(grz_writer *to, const grz_retired *retired)
{
    const graze_vec2 half = half_of(retired->shape);
    grz_writer_put(to, GRZ_SECTION_POSITIONS, &retired->position, sizeof retired->position);
    grz_writer_put(to, GRZ_SECTION_VELOCITIES, &retired->velocity, sizeof retired->velocity);
    grz_writer_put(to, GRZ_SECTION_HALVES, &half, sizeof half);
    if (to->header->needs & GRZ_NEED_TURNS) {
        grz_writer_put(to, GRZ_SECTION_ANGLES, &retired->angle, sizeof retired->angle);
        grz_writer_put(to, GRZ_SECTION_SPINS, &retired->spin, sizeof retired->spin);
    }
}

// They are retired in any order, and come by index.
static void put_retired(grz_writer *to)
{
    const graze_world *world = to->world;
    const unsigned char *end = to->columns[GRZ_SECTION_RETIRED].next;
    for (const unsigned char *next = to->columns[GRZ_SECTION_RETIRED].summed; next < end;
         next += sizeof(uint32_t)) {
        const graze_body_id body = grz_bodies_id(world, grz_word_at(next, 0));
        put_retired_body(to, grz_bodies_find_retired(world, body));
    }
}

void grz_snapshot_put_rows(grz_writer *to)
{
    put_bodies(to);
    put_retired(to);
}
