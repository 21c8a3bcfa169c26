#include "solve/find_impacts.h"

#include <graze/sweep_turn.h>

#include "collide/contact_make.h"
#include "collide/pair_sweep.h"
#include "double2.h"
#include "fault.h"
#include "likely.h"
#include "solve/impact_queue.h"
#include "solve/trajectory.h"
#include "vec2d.h"
#include "world/adjacency.h"

#include <string.h>

static uint32_t version_of(const grz_trajectory *trajectory)
{
    return trajectory ? trajectory->version : 0;
}

// Most bodies get their trajectory when they touch something: most touch nothing. Returns false
// when there is no memory.
static bool give_trajectory(graze_world *world, grz_row row)
{
    const uint32_t traits = world->bodies.rows.traits[row];
    const bool may =
        (traits & GRZ_TRAIT_FREE) || (grz_is_solved(traits) && row < world->bodies.active_count);
    return !may || grz_trajectory_give(world, row);
}

/// A body on the last piece of its course, from some time on.
typedef struct departure {
    double2 start, end;
    double begin; ///< Of that piece.
    grz_row row;
} departure;

static inline departure depart_on(const grz_course *course, grz_row row)
{
    const departure made = {widen_double2(course->from), widen_double2(course->to), course->begin,
                            row};
    return made;
}

// A course that is kept is read where it is.
static inline departure depart(const graze_world *world, grz_row row)
{
    if (grz_course_is_kept(world, row)) {
        return depart_on(&world->impacts.courses.data[row], row);
    }
    const grz_course found = grz_course_find(world, row);
    return depart_on(&found, row);
}

// As grz_course_start has it.
static inline departure leave_later(departure body, double from)
{
    const double share = (from - body.begin) / (1 - body.begin);
    body.start = add_double2(body.start, scale_double2(sub_double2(body.end, body.start), share));
    return body;
}

// How far two reach from their centres, however they turn. Clearly, where a kernel may round.
static inline double reach_of_both(const grz_rows *rows, uint32_t a, uint32_t b)
{
    return grz_are_round(rows, a, b)
               ? (double)rows->half[a].x + (double)rows->half[b].x
               : (grz_round_reach(rows, a) + grz_round_reach(rows, b)) * GRAZE_TURN_MARGIN;
}

// Whether both are on the last pieces of their courses. One may not be, where a ray is found
// anew: it comes when the courses of all others are known to their ends.
static inline bool have_departed(const departure *a, const departure *b, double from)
{
    return (a->begin <= from) & (b->begin <= from);
}

// Whether two, or circles around them, do not touch from `from` on, unless one of them turns.
GRZ_IN_PLACE bool are_apart(const graze_world *world, const departure *a, const departure *b,
                            double from)
{
    const double2 start = sub_double2(a->start, b->start);
    const double2 delta = sub_double2(sub_double2(a->end, b->end), start);
    const double reach = reach_of_both(&world->bodies.rows, a->row, b->row);
    return have_departed(a, b, from) && grz_discs_miss(start, delta, squared(reach));
}

bool grz_candidate_is_clear_miss(const graze_world *world, const grz_candidate *candidate)
{
    const departure a = depart(world, candidate->row_a), b = depart(world, candidate->row_b);
    return !world->config.no_shortcuts && are_apart(world, &a, &b, 0);
}

static bool is_with_free_ray(const grz_rows *rows, const grz_candidate *candidate)
{
    return grz_is_free_ray(rows->traits[candidate->row_a]) ||
           grz_is_free_ray(rows->traits[candidate->row_b]);
}

// A ray deflects no body that the solver moves.
static bool give_trajectories(graze_world *world, const grz_candidate *candidate)
{
    const bool with_ray = is_with_free_ray(&world->bodies.rows, candidate);
    const bool skips_a = with_ray && grz_is_solved(world->bodies.rows.traits[candidate->row_a]);
    const bool skips_b = with_ray && grz_is_solved(world->bodies.rows.traits[candidate->row_b]);
    return (skips_a || give_trajectory(world, candidate->row_a)) &&
           (skips_b || give_trajectory(world, candidate->row_b));
}

static bool add_candidate_event(graze_world *world, uint32_t place, grz_event *event)
{
    const grz_candidate *candidate = &world->found.candidates.data[place];
    if (!give_trajectories(world, candidate)) {
        return false;
    }
    event->row_a = candidate->row_a;
    event->row_b = candidate->row_b;
    event->version_a = version_of(grz_trajectory_of(world, candidate->row_a));
    event->version_b = version_of(grz_trajectory_of(world, candidate->row_b));
    event->candidate = place;
    event->segment = grz_no_segment;
    grz_event_add(world, &world->impacts.agenda);
    return true;
}

// Whether a touch of two that slices pair is for another slice to find.
static bool is_of_other_slice(const graze_world *world, const grz_candidate *candidate, double time)
{
    GRZ_FAULT(slices_end_where_they_say,
              return grz_pair_is_sliced(world, candidate) && time < world->impacts.slices.begin);
    return grz_pair_is_sliced(world, candidate) &&
           !(time >= world->impacts.slices.begin && time < world->impacts.slices.end);
}

// When two touch, and one of them turns later, what they meet from there on is found anew. But a
// ray is found when all turns of others have been made: so it takes one event for each piece of
// the other's trajectory on which they touch.
//
// The touch is found where it stays: a copy would have to wait until all of it is stored.
static bool find_impacts_of_pair(graze_world *world, uint32_t place, double from)
{
    const grz_candidate *candidate = &world->found.candidates.data[place];
    bool has_met = candidate->contact != GRZ_NONE || grz_are_solved(world, candidate);
    do {
        grz_event *event = grz_event_room(&world->impacts.agenda);
        if (!event) {
            return false;
        }
        if (!grz_touch_moving(world, candidate->row_a, candidate->row_b, &from, &event->touch)) {
            return true;
        }
        const bool goes_on = (has_met && event->touch.approach <= 0) ||
                             is_of_other_slice(world, candidate, event->touch.time);
        if (!goes_on && !add_candidate_event(world, place, event)) {
            return false;
        }
        has_met = true;
        GRZ_FAULT(rays_meet_again, break);
    } while (from < 1 && is_with_free_ray(&world->bodies.rows, candidate));
    return true;
}

// A row's candidate pairs come before its touches.
static bool find_impacts_of_pairs(graze_world *world, grz_row row)
{
    for (uint32_t link = grz_link_first(world, row);
         link != GRZ_NONE && grz_link_is_candidate(world, link);
         link = grz_link_next(world, link)) {
        if (!find_impacts_of_pair(world, grz_link_candidate(link), 0)) {
            return false;
        }
    }
    return true;
}

// Whether a candidate pair is of a kinematic sensor or ray and a dynamic body, no ray, that has no
// hit_limit.
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

// Of a body that has turned. Sensors do not wear it out.
static GRZ_APART bool find_impacts_of_pair_anew(graze_world *world, grz_row row, uint32_t place,
                                                double from)
{
    const uint32_t before = world->impacts.agenda.events.count;
    if (!find_impacts_of_pair(world, place, from)) {
        return false;
    }
    const uint32_t found = world->impacts.agenda.events.count - before;
    const bool is_tiring =
        found && !is_over_sensor(world->bodies.rows.traits, &world->found.candidates.data[place]);
    GRZ_FAULT(sensors_wear_out_nobody, is_tiring = found);
    if (is_tiring) {
        grz_trajectory_of(world, row)->found_anew += found;
    }
    return true;
}

static inline bool find_impacts_unless_apart(graze_world *world, const departure *own,
                                             uint32_t candidate, double from)
{
    const grz_candidate *pair = &world->found.candidates.data[candidate];
    const departure other = leave_later(depart(world, pair->row_a ^ pair->row_b ^ own->row), from);
    return (!world->config.no_shortcuts && are_apart(world, own, &other, from)) ||
           find_impacts_of_pair_anew(world, own->row, candidate, from);
}

// Of a body that has turned. Most of what it could have reached is not on the way that it takes.
//
// HOT. bench: engine/step/gas-bounce-fast
//
// Data    Of each body that could be met a link, its candidate pair, and 36 bytes: that is why
//         courses are not looked up in trajectories, which are large.
// Branch  Whether the two may touch: nearly none that do not get as far as the kernel.
static bool find_impacts_of_pairs_anew(graze_world *world, grz_row row, double from, uint32_t known)
{
    if (from >= 1 || !grz_link_may_deflect(world, grz_link_first(world, row))) {
        return true;
    }
    const departure own = leave_later(depart(world, row), from);
    for (uint32_t link = grz_link_first(world, row); grz_link_may_deflect(world, link);
         link = grz_link_next(world, link)) {
        const uint32_t candidate = grz_link_candidate(link);
        const bool is_past = world->impacts.slices.now > 0 &&
                             grz_pair_is_sliced(world, &world->found.candidates.data[candidate]);
        if (candidate != known && !is_past &&
            !find_impacts_unless_apart(world, &own, candidate, from)) {
            return false;
        }
    }
    return true;
}

static bool find_impacts_slice_anew(graze_world *world, grz_row row, double from, uint32_t known)
{
    const grz_slices *slices = &world->impacts.slices;
    if (from >= slices->end || slices->now == 0) {
        return true;
    }
    const departure own = leave_later(depart(world, row), from);
    for (uint32_t link = slices->link_of_place.data[slices->place_of_row.data[row]];
         link != GRZ_NONE; link = slices->next_link.data[link]) {
        const uint32_t candidate = slices->first + link / 2;
        if (candidate != known && !find_impacts_unless_apart(world, &own, candidate, from)) {
            return false;
        }
    }
    return true;
}

bool grz_find_impacts_anew(graze_world *world, grz_agenda *agenda, grz_row row, double time,
                           uint32_t known)
{
    grz_trajectory *trajectory = grz_trajectory_of(world, row);
    if (trajectory->gone) {
        return true;
    }
    const bool spins = (world->bodies.rows.traits[row] & GRZ_TRAIT_SPINS) != 0;
    const bool walls =
        (!trajectory->stands || spins) && !grz_is_solved(world->bodies.rows.traits[row]);
    if (grz_is_isolated(world, row)) {
        return !walls || grz_find_impacts_walls(world, agenda, row, trajectory, false);
    }
    return find_impacts_of_pairs_anew(world, row, time, known) &&
           (!grz_row_is_sliced(world, row) || find_impacts_slice_anew(world, row, time, known)) &&
           (!walls ||
            grz_find_impacts_walls(world, agenda, row, grz_trajectory_of(world, row), false));
}

// What a dynamic ray meets is found with the ray; and two that the solver moves only if one of them
// is cut short. Most are neither, and their courses are kept.
static inline bool is_void(const graze_world *world, const grz_candidate *candidate)
{
    const grz_row row_a = candidate->row_a, row_b = candidate->row_b;
    if (grz_course_is_kept(world, row_a) && grz_course_is_kept(world, row_b)) {
        const departure a = depart_on(&world->impacts.courses.data[row_a], row_a);
        const departure b = depart_on(&world->impacts.courses.data[row_b], row_b);
        return are_apart(world, &a, &b, 0);
    }
    return is_with_free_ray(&world->bodies.rows, candidate) || grz_are_solved(world, candidate) ||
           grz_candidate_is_clear_miss(world, candidate);
}

// HOT. bench: engine/step/gas-bounce
//
// Data    12 bytes of a candidate pair, 28 of each of its rows.
// Branch  Whether two touch: most of those that could reach each other do not.
bool grz_find_impacts_all(graze_world *world)
{
    for (uint32_t k = 0; k < world->impacts.first_over_sensor; ++k) {
        if (!is_void(world, &world->found.candidates.data[k]) &&
            !find_impacts_of_pair(world, k, 0)) {
            return false;
        }
    }
    for (uint32_t m = 0; m < world->impacts.trajectories.count; ++m) {
        grz_trajectory *trajectory = &world->impacts.trajectories.data[m];
        if (!grz_is_isolated(world, trajectory->row) &&
            !grz_is_solved(world->bodies.rows.traits[trajectory->row]) &&
            !grz_find_impacts_walls(world, &world->impacts.agenda, trajectory->row, trajectory,
                                    true)) {
            return false;
        }
    }
    return true;
}

// From when both are on the last pieces of their courses: what touches then is a function of these.
bool grz_find_impacts_in_slice(graze_world *world, uint32_t place)
{
    const grz_candidate *candidate = &world->found.candidates.data[place];
    const departure a = depart(world, candidate->row_a), b = depart(world, candidate->row_b);
    const double from = max_double(a.begin, b.begin);
    if (from >= 1) {
        return true;
    }
    const departure own = leave_later(a, from), other = leave_later(b, from);
    return are_apart(world, &own, &other, from) || find_impacts_of_pair(world, place, from);
}

// Makes candidate pairs of the touches that Decide has found of a ray, so that they happen like any
// other. These candidate pairs need no links: a ray that Decide took for plain is found only once.
static bool find_impacts_touches(graze_world *world, grz_row row)
{
    for (uint32_t link = grz_link_first(world, row); link != GRZ_NONE;
         link = grz_link_next(world, link)) {
        if (grz_link_is_candidate(world, link)) {
            continue;
        }
        const uint32_t other = world->found.ray_touches.data[grz_link_touch(world, link)].other;
        const bool in_order = world->bodies.rows.index[row] < world->bodies.rows.index[other];
        if (!grz_array_reserve_more(&world->found.candidates, &world->config.counting, 1)) {
            return false;
        }
        const grz_candidate candidate = {in_order ? row : other, in_order ? other : row, GRZ_NONE};
        world->found.candidates.data[world->found.candidates.count] = candidate;
        if (!find_impacts_of_pair(world, world->found.candidates.count++, 0)) {
            return false;
        }
    }
    return true;
}

bool grz_find_impacts_ray(graze_world *world, grz_row row)
{
    return find_impacts_touches(world, row) && find_impacts_of_pairs(world, row) &&
           grz_find_impacts_walls(world, &world->impacts.agenda, row, grz_trajectory_of(world, row),
                                  true);
}

// --- Sensors ---

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
    candidate->contact = world->found.contacts.count;
    return grz_contact_add(world, candidate->row_a, candidate->row_b, grz_no_segment, touch);
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

static bool note_end(graze_world *world, grz_candidate *candidate)
{
    const uint32_t traits_a = world->bodies.rows.traits[candidate->row_a];
    const grz_row free = traits_a & GRZ_TRAIT_FREE ? candidate->row_a : candidate->row_b;
    double from = grz_course_of(world, free).begin;
    grz_touch touch;
    return candidate->contact != GRZ_NONE ||
           !grz_touch_moving(world, candidate->row_a, candidate->row_b, &from, &touch) ||
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
