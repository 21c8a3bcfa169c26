#include "snapshot/snapshot_blame.h"

#include "message.h"
#include "snapshot/snapshot_indices.h"

/// The body that is checked.
typedef struct suspect {
    const grz_snapshot *snapshot;
    const grz_snapshot_loops *loops;
    uint32_t index;
    bool kept, retired;
    size_t place;  ///< Among the kept.
    uint32_t form; ///< See GRZ_FORM_KIND_SHIFT.
} suspect;

static const unsigned char *hot_part_of(const suspect *body, grz_section section)
{
    return grz_snapshot_element(body->snapshot, section, body->place);
}

static const unsigned char *cold_part_of(const suspect *body, grz_section section)
{
    return grz_snapshot_element(body->snapshot, section, body->index);
}

static const char *blame_material(const suspect *body)
{
    const unsigned char *material = cold_part_of(body, GRZ_SECTION_MATERIALS);
    if (!grz_snapshot_has(body->snapshot, GRZ_NEED_MATERIAL)) {
        return NULL;
    }
    if (grz_word_at(material, 0) >= GRZ_PATTERN_INFINITE) {
        return "mass is negative or not finite";
    }
    return grz_surface_is_wrong(material, 1) ? "surface is out of range" : NULL;
}

static const char *blame_dynamics(const suspect *body)
{
    const unsigned char *dynamics = cold_part_of(body, GRZ_SECTION_DYNAMICS);
    if (!grz_snapshot_has(body->snapshot, GRZ_NEED_DYNAMICS) ||
        !grz_dynamics_are_wrong(dynamics, 0)) {
        return NULL;
    }
    return "inertia, damping, gravity_scale or sleep is out of range";
}

static bool is_wrong_by_index(const suspect *body, const unsigned char *life)
{
    const uint64_t none = 0, retired = body->retired;
    uint32_t index[GRZ_LANES_MAX], generation[GRZ_LANES_MAX], traits[GRZ_LANES_MAX];
    uint32_t row_of_index[GRZ_LANES_MAX], wrong = 0;
    const grz_row_making making = {
        .count = 1,
        .in_world = &none,
        .retired = &retired,
        .bodies.from = cold_part_of(body, GRZ_SECTION_BODIES),
        .lives.from = life,
        .to = {index, generation, traits},
        .row_of_index = row_of_index,
    };
    (void)body->loops->make_rows(&making, &wrong);
    return wrong != 0;
}

// For a body whose form is right.
static const char *blame_life(const suspect *body)
{
    const unsigned char *life = cold_part_of(body, GRZ_SECTION_LIVES);
    if (!grz_snapshot_has(body->snapshot, GRZ_NEED_LIFE) || !is_wrong_by_index(body, life)) {
        return NULL;
    }
    if (grz_word_at(life, 0) >= GRZ_PATTERN_INFINITE) {
        return "lifetime is negative or not finite";
    }
    return grz_is_spent(life) ? "hit_limit is spent" : "hits are counted without a hit_limit";
}

static bool is_wrong_kept(const suspect *body, const unsigned char *angle,
                          const unsigned char *spin)
{
    const grz_kept_part part = {
        .halves.from = hot_part_of(body, GRZ_SECTION_HALVES),
        .angles.from = angle,
        .spins.from = spin,
    };
    grz_kind_counts counts = {0, 0, 0};
    uint32_t traits = grz_turning_traits(body->form);
    return body->loops->check_kept(&part, &traits, 1, &counts) != 0;
}

static const char *blame_turn(const suspect *body)
{
    const unsigned char *angle = hot_part_of(body, GRZ_SECTION_ANGLES);
    const unsigned char *spin = hot_part_of(body, GRZ_SECTION_SPINS);
    if (!grz_snapshot_has(body->snapshot, GRZ_NEED_ROTATIONS)) {
        return NULL;
    }
    if (body->loops->check_numbers(angle, 1)) {
        return "angle is not finite";
    }
    if (body->loops->check_numbers(spin, 1)) {
        return "spin is not finite";
    }
    return is_wrong_kept(body, angle, spin)
               ? "angle is not in [-pi, pi], or it turns but is no rect or rigid circle"
               : NULL;
}

static const char *blame_hot_part(const suspect *body)
{
    if (body->loops->check_numbers(hot_part_of(body, GRZ_SECTION_POSITIONS), 2)) {
        return "position is not finite";
    }
    if (body->loops->check_numbers(hot_part_of(body, GRZ_SECTION_VELOCITIES), 2)) {
        return "velocity is not finite";
    }
    if (is_wrong_kept(body, NULL, NULL)) {
        return "size is out of range for its shape";
    }
    return blame_turn(body);
}

// Returns what is wrong with the body; null if nothing is.
static const char *blame_body(const suspect *body)
{
    const unsigned char *cold = cold_part_of(body, GRZ_SECTION_BODIES);
    if (is_wrong_by_index(body, NULL)) {
        return grz_word_at(cold, 0) ? "kind or response is unknown" : "generation is 0";
    }
    const char *what = blame_material(body);
    what = what ? what : blame_life(body);
    what = what ? what : blame_dynamics(body);
    return what || !body->kept ? what : blame_hot_part(body);
}

// The retired come last among the kept.
static void summon(suspect *body, const grz_index_block *block, uint32_t k, uint32_t counts[2])
{
    const uint64_t bit = UINT64_C(1) << k % 64;
    body->index = block->first + k;
    body->form = grz_word_at(cold_part_of(body, GRZ_SECTION_BODIES), 1);
    body->kept = (block->vacant[k / 64] & bit) == 0;
    body->retired = body->kept && (block->in_world[k / 64] & bit) == 0;
    body->place = body->kept ? counts[body->retired]++ : 0;
}

graze_status grz_snapshot_blame(const graze_world *world, const grz_snapshot *snapshot,
                                const grz_snapshot_loops *loops)
{
    suspect body = {.snapshot = snapshot, .loops = loops};
    uint32_t counts[2] = {0, snapshot->header.body_count};
    const char *what = NULL;
    grz_index_reader indices = grz_read_indices(snapshot, GRZ_INDICES_AT_ONCE);
    grz_index_block block;
    while (!what && grz_read_block(&indices, &block)) {
        for (uint32_t k = 0; k < block.count && !what; ++k) {
            summon(&body, &block, k, counts);
            what = blame_body(&body);
        }
    }
    return grz_fail(world, GRAZE_ERROR_FORMAT, "graze_world_load: body %u of the snapshot: its %s",
                    (unsigned)body.index, what ? what : "values are invalid");
}
