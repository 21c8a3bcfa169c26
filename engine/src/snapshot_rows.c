#include "snapshot_rows.h"

#include "bodies.h"

void grz_row_maker_begin(grz_row_maker *maker, const grz_snapshot *snapshot,
                         const grz_snapshot_loops *loops, const grz_rows *rows)
{
    const grz_kind_counts none = {0, 0};
    maker->snapshot = snapshot;
    maker->loops = loops;
    maker->rows = rows;
    maker->next = 0;
    maker->wrong = 0;
    maker->kinds = none;
}

// Lanes write past the last row: near the end of the columns rows go elsewhere first.
static bool fit(const grz_row_maker *maker)
{
    return maker->rows && maker->rows->capacity - maker->next >= GRZ_ROWS_MADE;
}

static grz_row_columns own_columns(const grz_row_maker *maker)
{
    const grz_rows *rows = maker->rows;
    const uint32_t next = maker->next;
    const grz_row_columns own = {rows->index + next, rows->generation + next, rows->traits + next};
    return own;
}

static grz_row_columns spare_columns(grz_row_maker *maker)
{
    const grz_row_columns spare = {maker->spare[0], maker->spare[1], maker->spare[2]};
    return spare;
}

static const unsigned char *column_by_index(const grz_snapshot *snapshot, grz_section section,
                                            uint32_t need, uint32_t first)
{
    return grz_snapshot_has(snapshot, need) ? grz_snapshot_element(snapshot, section, first) : NULL;
}

// Of the indices from place k of the block on. Returns how many rows there are.
static uint32_t make_rows(grz_row_maker *maker, const grz_index_block *block, uint32_t k,
                          const grz_row_columns *to)
{
    const grz_snapshot *snapshot = maker->snapshot;
    const uint32_t first = block->first + k, left = block->count - k;
    const grz_row_making making = {
        .first = first,
        .count = left < GRZ_INDICES_MADE ? left : GRZ_INDICES_MADE,
        .in_world = block->in_world + k / 64,
        .retired = block->retired + k / 64,
        .bodies = grz_snapshot_element(snapshot, GRZ_SECTION_BODIES, first),
        .lives = column_by_index(snapshot, GRZ_SECTION_LIVES, GRZ_NEED_LIFE, first),
        .matters = column_by_index(snapshot, GRZ_SECTION_MATTERS, GRZ_NEED_MATTER, first),
        .to = *to,
    };
    return maker->loops->make_rows(&making, &maker->wrong);
}

// Of bodies kept from a place on, whose traits these are.
static void check_kept(grz_row_maker *maker, size_t place, uint32_t *traits, uint32_t count)
{
    const grz_snapshot *snapshot = maker->snapshot;
    const bool turns = grz_snapshot_has(snapshot, GRZ_NEED_TURNS);
    const grz_kept_part part = {
        grz_snapshot_element(snapshot, GRZ_SECTION_HALVES, place),
        turns ? grz_snapshot_element(snapshot, GRZ_SECTION_ANGLES, place) : NULL,
        turns ? grz_snapshot_element(snapshot, GRZ_SECTION_SPINS, place) : NULL,
    };
    maker->wrong |= maker->loops->check_kept(&part, traits, count, &maker->kinds);
}

static void copy_rows(const grz_row_columns *to, const grz_row_columns *from, uint32_t count)
{
    memcpy(to->index, from->index, count * sizeof *to->index);
    memcpy(to->generation, from->generation, count * sizeof *to->generation);
    memcpy(to->traits, from->traits, count * sizeof *to->traits);
}

void grz_row_maker_add(grz_row_maker *maker, const grz_index_block *block)
{
    for (uint32_t k = 0; k < block->count; k += GRZ_INDICES_MADE) {
        const bool directly = fit(maker);
        const grz_row_columns made = directly ? own_columns(maker) : spare_columns(maker);
        const uint32_t count = make_rows(maker, block, k, &made);
        check_kept(maker, maker->next, made.traits, count);
        if (maker->rows && !directly) {
            const grz_row_columns own = own_columns(maker);
            copy_rows(&own, &made, count);
        }
        maker->next += count;
    }
}

static uint32_t kind_of_form(uint32_t form)
{
    return form >> GRZ_FORM_KIND_SHIFT & GRZ_TRAIT_KIND;
}

void grz_row_maker_check_retired(grz_row_maker *maker)
{
    const grz_snapshot *snapshot = maker->snapshot;
    const unsigned char *bodies = grz_snapshot_section(snapshot, GRZ_SECTION_BODIES);
    const unsigned char *retired = grz_snapshot_section(snapshot, GRZ_SECTION_RETIRED);
    const uint32_t count = snapshot->header.retired_count;
    uint32_t *kinds = maker->spare[0];
    for (uint32_t first = 0; first < count; first += GRZ_INDICES_MADE) {
        const uint32_t left = count - first;
        const uint32_t some = left < GRZ_INDICES_MADE ? left : GRZ_INDICES_MADE;
        for (uint32_t i = 0; i < some; ++i) {
            const size_t index = grz_word_at(retired, first + i);
            kinds[i] = kind_of_form(grz_word_at(bodies, 2 * index + 1));
        }
        check_kept(maker, (size_t)snapshot->header.body_count + first, kinds, some);
    }
}

void grz_snapshot_restore_rows(const graze_world *world)
{
    const grz_rows *rows = &world->rows;
    for (uint32_t index = 0; index < world->bodies.count; ++index) {
        const uint32_t row = world->row_of_index.data[index];
        if (row < GRZ_NONE) {
            const grz_body *body = &world->bodies.data[index];
            rows->index[row] = index;
            rows->generation[row] = body->generation;
            rows->traits[row] =
                grz_traits_of(world, index, (graze_shape_kind)body->kind, grz_spin_of(rows, row));
        }
    }
}
