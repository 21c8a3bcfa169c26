#include "solve/sensors.h"

#include "collide/contact_make.h"
#include "collide/pair_sweep.h"
#include "fault.h"
#include "solve/find_impacts.h"
#include "world/adjacency.h"

#include <string.h>

static inline bool is_over_sensor(const uint32_t *traits, const grz_candidate *candidate)
{
    const uint32_t a = traits[candidate->row_a];
    const uint32_t b = traits[candidate->row_b];
    const uint32_t other = a & GRZ_TRAIT_FREE ? b : a;
    const uint32_t own = a ^ b ^ other;
    GRZ_FAULT(sensors_of_what_is_spent, own &= ~GRZ_TRAIT_LIMITED);
    return !grz_is_solid(other) && !(other & GRZ_TRAIT_FREE) && grz_is_free_shape(own) &&
           !(own & GRZ_TRAIT_LIMITED);
}

bool grz_is_over_sensor(const graze_world *world, const grz_candidate *candidate)
{
    return is_over_sensor(world->bodies.rows.traits, candidate);
}

// Traits of still bodies are not read.
static bool may_be_over_sensors(const graze_world *world)
{
    const bool has_still = world->bodies.active_count < world->bodies.count;
    const uint32_t not_solid = GRZ_TRAIT_SENSOR | GRAZE_SHAPE_RAY;
    return world->found.totals.free_shapes &&
           (has_still || (world->found.totals.traits & not_solid));
}

// HOT. bench: engine/step/sensors
//
// Data    12 bytes of a candidate pair read and written, and 4 of each of its rows read.
// Order   As before among those over sensors, and among the others.
bool grz_sensors_set_apart(graze_world *world)
{
    world->impacts.first_over_sensor = world->found.candidates.count;
    if (world->config.no_shortcuts || !may_be_over_sensors(world)) {
        return true;
    }
    grz_candidate *candidates = world->found.candidates.data;
    uint32_t kept = 0;
    world->impacts.over_sensors.count = 0;
    for (uint32_t k = 0; k < world->found.candidates.count; ++k) {
        const grz_candidate candidate = candidates[k];
        if (!is_over_sensor(world->bodies.rows.traits, &candidate)) {
            candidates[kept++] = candidate;
            continue;
        }
        if (!grz_array_reserve_more(&world->impacts.over_sensors, &world->config.counting, 1)) {
            return false;
        }
        world->impacts.over_sensors.data[world->impacts.over_sensors.count++] = candidate;
    }
    if (world->impacts.over_sensors.count) {
        memcpy(candidates + kept, world->impacts.over_sensors.data,
               world->impacts.over_sensors.count * sizeof *candidates);
    }
    world->impacts.first_over_sensor = kept;
    return true;
}

static bool add_contact(graze_world *world, grz_candidate *candidate, const grz_touch *touch)
{
    const graze_segment_id none = {{0, 0}, 0};
    candidate->contact = world->found.fresh.count;
    return grz_contact_add(world, candidate->row_a, candidate->row_b, none, touch);
}

static bool note_candidate(graze_world *world, grz_candidate *candidate,
                           const grz_trajectory *trajectory)
{
    double from = grz_course_of(world, trajectory->row).begin;
    grz_touch touch;
    if (candidate->contact != GRZ_NONE ||
        !grz_touch_moving(world, candidate->row_a, candidate->row_b, &from, &touch)) {
        return true;
    }
    GRZ_FAULT(sensors_before_a_turn, if (touch.time == trajectory->deflection_time) return true);
    return touch.time > trajectory->deflection_time || add_contact(world, candidate, &touch);
}

bool grz_sensors_note_deflection(graze_world *world, const grz_trajectory *trajectory)
{
    if (world->impacts.first_over_sensor == grz_adjacency_candidate_count(world)) {
        return true;
    }
    for (uint32_t link = grz_link_first(world, trajectory->row);
         link != GRZ_NONE && grz_link_is_candidate(world, link);
         link = grz_link_next(world, link)) {
        if (!grz_link_may_deflect(world, link) &&
            !note_candidate(world, &world->found.candidates.data[grz_link_candidate(link)],
                            trajectory)) {
            return false;
        }
    }
    return true;
}

static grz_row free_row_of(const graze_world *world, const grz_candidate *candidate)
{
    const bool is_a = (world->bodies.rows.traits[candidate->row_a] & GRZ_TRAIT_FREE) != 0;
    return is_a ? candidate->row_a : candidate->row_b;
}

static bool note_end(graze_world *world, grz_candidate *candidate)
{
    double from = grz_course_of(world, free_row_of(world, candidate)).begin;
    grz_touch touch;
    return candidate->contact != GRZ_NONE ||
           !grz_candidate_touches(world, candidate, &from, &touch) ||
           add_contact(world, candidate, &touch);
}

// HOT. bench: engine/step/sensors
//
// Data    12 bytes of a candidate pair and 28 of each of its rows; 60 of a contact written.
// Branch  Whether the two touch: most that are near a large sensor do.
bool grz_sensors_note_ends(graze_world *world)
{
    const uint32_t end = grz_adjacency_candidate_count(world);
    for (uint32_t k = world->impacts.first_over_sensor; k < end; ++k) {
        if (!note_end(world, &world->found.candidates.data[k])) {
            return false;
        }
    }
    return true;
}
