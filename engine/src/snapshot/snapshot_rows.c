#include "snapshot/snapshot_rows.h"

#include "body/bodies.h"
#include "snapshot/snapshot_indices.h"

/// Rows being made.
typedef struct row_maker {
    const grz_snapshot *snapshot;
    const grz_snapshot_loops *loops;
    grz_snapshot_sums *sums;
    graze_world *to;
    uint32_t next; ///< The first that has not been made.
    grz_row_findings found;
} row_maker;

// From an element on; none if there is no such section.
static grz_column_copy copy_of(const row_maker *maker, grz_section section, void *column,
                               size_t place)
{
    grz_column_copy copy = {NULL, NULL, NULL};
    if (grz_snapshot_section_size(maker->snapshot, section)) {
        copy.from = grz_snapshot_element(maker->snapshot, section, place);
        copy.to = (unsigned char *)column + place * grz_snapshot_element_size(section);
        copy.sum = maker->sums->section[section].lanes;
    }
    return copy;
}

// After `count` elements, if there is such a section.
static void note_blocks(row_maker *maker, grz_section section, size_t count)
{
    const size_t whole = count - count % GRZ_ROWS_WHOLE;
    if (grz_snapshot_section_size(maker->snapshot, section)) {
        maker->sums->section[section].size = whole * grz_snapshot_element_size(section);
    }
}

// --- In the world ---

static grz_row_columns next_columns(const row_maker *maker)
{
    const grz_rows *rows = &maker->to->rows;
    const uint32_t next = maker->next;
    const grz_row_columns own = {rows->index + next, rows->generation + next, rows->traits + next};
    return own;
}

static void make_rows(row_maker *maker, const grz_index_block *block)
{
    const grz_row_making making = {
        .first = block->first,
        .count = block->count,
        .in_world = block->in_world,
        .retired = block->retired,
        .bodies = copy_of(maker, GRZ_SECTION_BODIES, maker->to->bodies.data, block->first),
        .lives = copy_of(maker, GRZ_SECTION_LIVES, maker->to->lives.data, block->first),
        .materials =
            copy_of(maker, GRZ_SECTION_MATERIALS, maker->to->materials.data, block->first).from,
        .to = next_columns(maker),
        .row_of_index = maker->to->row_of_index.data + block->first,
        .first_row = maker->next,
    };
    maker->next += maker->loops->make_rows(&making, &maker->found.wrong);
}

static void mark_unsorted(grz_index_set *unsorted, const grz_index_block *block)
{
    for (uint32_t k = 0; k < block->count; k += 64) {
        grz_index_set_add_word(unsorted, (block->first + k) / 64, block->in_world[k / 64]);
    }
}

static void make_all_rows(row_maker *maker)
{
    grz_index_reader indices = grz_read_indices(maker->snapshot, GRZ_INDICES_AT_ONCE);
    grz_index_block block;
    grz_index_set_clear(&maker->to->unsorted);
    while (grz_read_block(&indices, &block)) {
        make_rows(maker, &block);
        mark_unsorted(&maker->to->unsorted, &block);
    }
    note_blocks(maker, GRZ_SECTION_BODIES, indices.end);
    note_blocks(maker, GRZ_SECTION_LIVES, indices.end);
}

// --- All that are kept ---

// The retired have no rows: traits past the last row hold their kinds meanwhile.
static grz_kind_counts add_retired_kinds(const row_maker *maker)
{
    const grz_snapshot *snapshot = maker->snapshot;
    const unsigned char *bodies = grz_snapshot_section(snapshot, GRZ_SECTION_BODIES);
    const unsigned char *retired = grz_snapshot_section(snapshot, GRZ_SECTION_RETIRED);
    grz_kind_counts kinds = {0, 0, 0};
    for (uint32_t i = 0; i < snapshot->header.retired_count; ++i) {
        const uint32_t form = grz_word_at(bodies, 2 * (size_t)grz_word_at(retired, i) + 1);
        const uint32_t traits = grz_turning_traits(form);
        maker->to->rows.traits[maker->next + i] = traits;
        kinds.rects += grz_kind_of(traits) == GRAZE_SHAPE_RECT;
        kinds.rays += grz_kind_of(traits) == GRAZE_SHAPE_RAY;
        kinds.rotations += grz_row_has_rotation(traits);
    }
    return kinds;
}

static bool is_any_dynamic(const uint32_t *traits, size_t count)
{
    bool found = false;
    for (size_t k = 0; k < count; ++k) {
        found |= grz_row_is_dynamic(traits[k]);
    }
    return found;
}

// The traits that follow from both materials and dynamics. Nothing is checked yet.
static void add_adjusted(const row_maker *maker)
{
    const grz_snapshot *snapshot = maker->snapshot;
    const grz_rows *rows = &maker->to->rows;
    const bool has_materials = grz_snapshot_has(snapshot, GRZ_NEED_MATERIAL);
    for (uint32_t row = 0; row < maker->next; ++row) {
        grz_material material = grz_optional_default.material;
        grz_dynamics dynamics;
        memcpy(&dynamics, grz_snapshot_element(snapshot, GRZ_SECTION_DYNAMICS, rows->index[row]),
               sizeof dynamics);
        if (has_materials) {
            memcpy(&material,
                   grz_snapshot_element(snapshot, GRZ_SECTION_MATERIALS, rows->index[row]),
                   sizeof material);
        }
        rows->traits[row] |= grz_adjusted_trait(material.mass, &dynamics);
    }
}

static void check_all_kept(row_maker *maker)
{
    const size_t kept = grz_snapshot_kept(&maker->snapshot->header);
    const grz_rows *rows = &maker->to->rows;
    const grz_kind_counts retired = add_retired_kinds(maker);
    grz_kind_counts *kinds = &maker->found.kinds;
    const grz_kept_part all = {
        copy_of(maker, GRZ_SECTION_HALVES, rows->half, 0),
        copy_of(maker, GRZ_SECTION_ANGLES, rows->angle, 0),
        copy_of(maker, GRZ_SECTION_SPINS, rows->spin, 0),
    };
    maker->found.wrong |= maker->loops->check_kept(&all, rows->traits, kept, kinds);
    maker->found.any_rotations = kinds->rotations > 0;
    maker->found.any_dynamic = is_any_dynamic(rows->traits, kept);
    kinds->rects -= retired.rects;
    kinds->rays -= retired.rays;
    kinds->rotations -= retired.rotations;
    note_blocks(maker, GRZ_SECTION_HALVES, kept);
    note_blocks(maker, GRZ_SECTION_ANGLES, kept);
    note_blocks(maker, GRZ_SECTION_SPINS, kept);
}

grz_row_findings grz_snapshot_make_rows(const grz_snapshot *snapshot,
                                        const grz_snapshot_loops *loops, grz_snapshot_sums *sums,
                                        graze_world *to)
{
    row_maker maker = {.snapshot = snapshot, .loops = loops, .sums = sums, .to = to};
    make_all_rows(&maker);
    if (grz_snapshot_has(snapshot, GRZ_NEED_DYNAMICS)) {
        add_adjusted(&maker);
    }
    check_all_kept(&maker);
    return maker.found;
}
