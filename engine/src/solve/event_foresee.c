#include "solve/event_foresee.h"

#include <graze/sweep_turn.h>

#include "collide/meet.h"
#include "solve/event_blocks.h"
#include "solve/event_happen.h"
#include "solve/event_queue.h"
#include "solve/event_walls.h"
#include "solve/motion.h"
#include "solve/sensors.h"
#include "solve/slices.h"
#include "vec2d.h"
#include "world/links.h"

static uint32_t version_of(const grz_motion *motion)
{
    return motion ? motion->version : 0;
}

static bool is_free(const graze_world *world, uint32_t row)
{
    return (world->bodies.rows.traits[row] & GRZ_TRAIT_FREE) != 0;
}

// Most bodies get their motion when they touch something: most touch nothing. Returns false when
// there is no memory.
static bool give_motion(graze_world *world, uint32_t row)
{
    const bool may = is_free(world, row) || (grz_is_solved(world->bodies.rows.traits[row]) &&
                                             row < world->bodies.active_count);
    return !may || grz_motion_give(world, row);
}

static bool is_straight(const graze_world *world, uint32_t row)
{
    const grz_motion *motion = grz_motion_of(world, row);
    return !motion || motion->version == 1;
}

/// A body on the last piece of its course, from some time on.
typedef struct departure {
    grz_course course;
    graze_vec2d start;
    uint32_t row;
} departure;

static inline departure depart(const graze_world *world, uint32_t row)
{
    const grz_course course = grz_course_of(world, row);
    const departure made = {course, widen(course.from), row};
    return made;
}

static inline departure depart_later(const graze_world *world, uint32_t row, double from)
{
    departure made = depart(world, row);
    made.start = grz_course_start(&made.course, from);
    return made;
}

// Returns whether there is a gap between two ranges, each of two places and so much more at both
// ends. Exact: what doubles round never makes one.
static inline bool is_gap(float a_from, float a_to, float b_from, float b_to, double extents)
{
    const float a_lower = a_from < a_to ? a_from : a_to;
    const float a_upper = a_from > a_to ? a_from : a_to;
    const float b_lower = b_from < b_to ? b_from : b_to;
    const float b_upper = b_from > b_to ? b_from : b_to;
    return ((double)a_lower - (double)b_upper > extents) |
           ((double)b_lower - (double)a_upper > extents);
}

// A rect that flies turns as impacts have it.
static inline graze_vec2d extent_of(const grz_rows *rows, uint32_t row)
{
    const uint32_t traits = rows->traits[row];
    if (grz_flies(traits) && (traits & GRAZE_SHAPE_RECT)) {
        const double radius = grz_round_reach(rows, row) * GRAZE_TURN_MARGIN;
        return vec2d(radius, radius);
    }
    return widen(grz_extent_of(rows, row));
}

// Whether a line along an axis parts their boxes.
static inline bool are_boxes_apart(const grz_rows *rows, const departure *a, const departure *b)
{
    const grz_course *course_a = &a->course;
    const grz_course *course_b = &b->course;
    const graze_vec2d both = add(extent_of(rows, a->row), extent_of(rows, b->row));
    return is_gap(course_a->from.x, course_a->to.x, course_b->from.x, course_b->to.x, both.x) ||
           is_gap(course_a->from.y, course_a->to.y, course_b->from.y, course_b->to.y, both.y);
}

// As graze_sweep_circles has it: the kernel's own terms, but one branch instead of five.
static inline bool is_clear_miss(const grz_rows *rows, const departure *a, const departure *b)
{
    const graze_vec2d start = subtract(a->start, b->start);
    const graze_vec2d delta = subtract(offset(a->course.to, b->course.to), start);
    const double reach = squared((double)rows->half[a->row].x + (double)rows->half[b->row].x);
    const double approach = -dot(start, delta);
    const double path = dot(delta, delta);
    const double chord = reach * path - squared(cross(start, delta));
    const graze_vec2d stop = add(start, delta);
    const bool is_away = !(approach > 0);
    const bool is_beside = (approach >= path) | (chord < 0);
    const bool ends_apart = dot(stop, stop) > reach;
    return (dot(start, start) > reach) & (is_away | (is_beside & ends_apart));
}

static inline bool are_round(const grz_rows *rows, uint32_t a, uint32_t b)
{
    return !((rows->traits[a] | rows->traits[b]) & GRAZE_SHAPE_RECT);
}

// Whether both are on the last pieces of their courses. One may not be, where a ray is foreseen
// anew: it comes when the courses of all others are known to their ends.
static inline bool have_departed(const departure *a, const departure *b, double from)
{
    return (a->course.begin <= from) & (b->course.begin <= from);
}

bool grz_meeting_is_clear_miss(const graze_world *world, const grz_meeting *meeting)
{
    if (!are_round(&world->bodies.rows, meeting->row_a, meeting->row_b)) {
        return false;
    }
    const departure a = depart(world, meeting->row_a);
    const departure b = depart(world, meeting->row_b);
    return have_departed(&a, &b, 0) && is_clear_miss(&world->bodies.rows, &a, &b);
}

// Whether two do not touch from `from` on, unless one of them turns.
static inline bool are_apart(const grz_rows *rows, const departure *a, const departure *b,
                             double from)
{
    return have_departed(a, b, from) &&
           (are_round(rows, a->row, b->row) ? is_clear_miss(rows, a, b)
                                            : are_boxes_apart(rows, a, b));
}

bool grz_meeting_touches(const graze_world *world, const grz_meeting *meeting, double *from,
                         grz_touch *touch)
{
    const uint32_t a = meeting->row_a;
    const uint32_t b = meeting->row_b;
    if (is_straight(world, a) && is_straight(world, b)) {
        *from = 1;
        return grz_touch_straight(&world->bodies.rows, a, b, touch);
    }
    return grz_touch_moving(world, a, b, from, touch);
}

static bool is_with_free_ray(const graze_world *world, const grz_meeting *meeting)
{
    return grz_is_free_ray(world->bodies.rows.traits[meeting->row_a]) ||
           grz_is_free_ray(world->bodies.rows.traits[meeting->row_b]);
}

// A ray deflects no body that the solver moves.
static bool give_motions(graze_world *world, const grz_meeting *meeting)
{
    const bool with_ray = is_with_free_ray(world, meeting);
    const bool skips_a = with_ray && grz_is_solved(world->bodies.rows.traits[meeting->row_a]);
    const bool skips_b = with_ray && grz_is_solved(world->bodies.rows.traits[meeting->row_b]);
    return (skips_a || give_motion(world, meeting->row_a)) &&
           (skips_b || give_motion(world, meeting->row_b));
}

static bool add_meeting_event(graze_world *world, uint32_t index, grz_event *event)
{
    const grz_meeting *meeting = &world->found.meetings.data[index];
    if (!give_motions(world, meeting)) {
        return false;
    }
    const graze_segment_id none = {{0, 0}, 0};
    event->row_a = meeting->row_a;
    event->row_b = meeting->row_b;
    event->version_a = version_of(grz_motion_of(world, meeting->row_a));
    event->version_b = version_of(grz_motion_of(world, meeting->row_b));
    event->meeting = index;
    event->segment = none;
    grz_event_add(world, &world->impacts.agenda);
    return true;
}

static bool are_fast(const graze_world *world, const grz_meeting *meeting)
{
    return grz_is_fast(world, meeting->row_a) && grz_is_fast(world, meeting->row_b);
}

// Whether a touch of two fast bodies is for another slice of the step to find.
static bool is_of_other_slice(const graze_world *world, const grz_meeting *meeting, double time)
{
    return are_fast(world, meeting) &&
           !(time >= world->impacts.slices.begin && time < world->impacts.slices.end);
}

// When two touch, and one of them turns later, what they meet from there on is foreseen anew. But a
// ray is foreseen when all turns of others have been made: so it takes one event for each piece of
// the other's motion on which they touch.
//
// The touch is found where it stays: a copy would have to wait until all of it is stored.
static bool foresee_meeting(graze_world *world, uint32_t index, double from)
{
    const grz_meeting *meeting = &world->found.meetings.data[index];
    bool has_met = meeting->contact != GRZ_NONE || grz_are_solved(world, meeting);
    do {
        grz_event *event = grz_event_room(&world->impacts.agenda);
        if (!event) {
            return false;
        }
        if (!grz_meeting_touches(world, meeting, &from, &event->touch)) {
            return true;
        }
        const bool goes_on = (has_met && event->touch.approach <= 0) ||
                             is_of_other_slice(world, meeting, event->touch.time);
        if (!goes_on && !add_meeting_event(world, index, event)) {
            return false;
        }
        has_met = true;
    } while (from < 1 && is_with_free_ray(world, meeting));
    return true;
}

// A row's meetings come before its touches.
static bool is_meeting(const graze_world *world, uint32_t link)
{
    return link != GRZ_NONE && grz_link_is_meeting(world, link);
}

static bool foresee_meetings(graze_world *world, uint32_t row)
{
    for (uint32_t link = grz_link_first(world, row); is_meeting(world, link);
         link = grz_link_next(world, link)) {
        if (!foresee_meeting(world, grz_link_meeting(link), 0)) {
            return false;
        }
    }
    return true;
}

static uint32_t other_row(const graze_world *world, uint32_t row, uint32_t meeting)
{
    const grz_meeting *pair = &world->found.meetings.data[meeting];
    return pair->row_a ^ pair->row_b ^ row;
}

// Of a body that has turned. Sensors do not wear it out.
static bool foresee_meeting_anew(graze_world *world, uint32_t row, uint32_t place, double from)
{
    const uint32_t before = world->impacts.agenda.events.count;
    if (!foresee_meeting(world, place, from)) {
        return false;
    }
    const uint32_t found = world->impacts.agenda.events.count - before;
    if (found && !grz_is_over_sensor(world, &world->found.meetings.data[place])) {
        grz_motion_of(world, row)->foreseen += found;
    }
    return true;
}

static bool foresee_unless_apart(graze_world *world, const departure *own, uint32_t meeting,
                                 double from)
{
    const departure other = depart_later(world, other_row(world, own->row, meeting), from);
    return (!world->config.no_shortcuts && are_apart(&world->bodies.rows, own, &other, from)) ||
           foresee_meeting_anew(world, own->row, meeting, from);
}

// Of a body that has turned. Most of what it could have reached is not on the way that it takes.
//
// HOT. bench: engine/step/gas-bounce-fast
//
// Data    Of each body that could be met a link, its meeting, and 36 bytes: that is why courses
//         are not looked up in motions, which are large.
// Branch  Whether the two may touch: nearly none that do not get as far as the kernel.
static bool foresee_meetings_anew(graze_world *world, uint32_t row, double from, uint32_t known)
{
    if (from >= 1 || !grz_link_may_turn(world, grz_link_first(world, row))) {
        return true;
    }
    const departure own = depart_later(world, row, from);
    for (uint32_t link = grz_link_first(world, row); grz_link_may_turn(world, link);
         link = grz_link_next(world, link)) {
        const uint32_t meeting = grz_link_meeting(link);
        const bool is_past =
            world->impacts.slices.now > 0 && are_fast(world, &world->found.meetings.data[meeting]);
        if (meeting != known && !is_past && !foresee_unless_apart(world, &own, meeting, from)) {
            return false;
        }
    }
    return true;
}

static bool foresee_slice_anew(graze_world *world, uint32_t row, double from, uint32_t known)
{
    const grz_slices *slices = &world->impacts.slices;
    if (from >= slices->end || slices->now == 0) {
        return true;
    }
    const departure own = depart_later(world, row, from);
    for (uint32_t link = slices->link_of_place.data[slices->place_of_row.data[row]];
         link != GRZ_NONE; link = slices->next_link.data[link]) {
        const uint32_t meeting = slices->first + link / 2;
        if (meeting != known && !foresee_unless_apart(world, &own, meeting, from)) {
            return false;
        }
    }
    return true;
}

bool grz_foresee_anew(graze_world *world, grz_agenda *agenda, uint32_t row, double time,
                      uint32_t known)
{
    const grz_motion *motion = grz_motion_of(world, row);
    if (motion->gone) {
        return true;
    }
    const bool spins = (world->bodies.rows.traits[row] & GRZ_TRAIT_SPINS) != 0;
    const bool walls = (!motion->stands || spins) && !grz_is_solved(world->bodies.rows.traits[row]);
    return foresee_meetings_anew(world, row, time, known) &&
           (!grz_is_fast(world, row) || foresee_slice_anew(world, row, time, known)) &&
           (!walls || grz_foresee_walls(world, agenda, row, false));
}

// What a free ray meets is foreseen with the ray; and two that the solver moves only if one of them
// is cut short.
//
// HOT. bench: engine/step/gas-bounce
//
// Data    12 bytes of a meeting, 28 of each of its rows.
// Branch  Whether two touch: most of those that could reach each other do not.
bool grz_foresee_all(graze_world *world)
{
    for (uint32_t k = 0; k < world->impacts.first_over_sensor; ++k) {
        const grz_meeting *meeting = &world->found.meetings.data[k];
        const bool is_void = is_with_free_ray(world, meeting) || grz_are_solved(world, meeting) ||
                             grz_meeting_is_clear_miss(world, meeting);
        if (!is_void && !foresee_meeting(world, k, 0)) {
            return false;
        }
    }
    for (uint32_t m = 0; m < world->impacts.motions.count; ++m) {
        const grz_motion *motion = &world->impacts.motions.data[m];
        if (!grz_is_lone(world, motion->row) &&
            !grz_is_solved(world->bodies.rows.traits[motion->row]) &&
            !grz_foresee_walls(world, &world->impacts.agenda, motion->row, true)) {
            return false;
        }
    }
    return true;
}

// From when both are on the last pieces of their courses: what touches then is a function of these.
bool grz_foresee_in_slice(graze_world *world, uint32_t place)
{
    const grz_meeting *meeting = &world->found.meetings.data[place];
    const departure a = depart(world, meeting->row_a), b = depart(world, meeting->row_b);
    const double from = max_double(a.course.begin, b.course.begin);
    if (from >= 1) {
        return true;
    }
    const departure own = depart_later(world, meeting->row_a, from);
    const departure other = depart_later(world, meeting->row_b, from);
    return are_apart(&world->bodies.rows, &own, &other, from) ||
           foresee_meeting(world, place, from);
}

// Makes meetings of the touches that Decide has found of a ray, so that they happen like any other.
// These meetings need no links: a ray that Decide took for plain is foreseen only once.
static bool foresee_touches(graze_world *world, uint32_t row)
{
    for (uint32_t link = grz_link_first(world, row); link != GRZ_NONE;
         link = grz_link_next(world, link)) {
        if (grz_link_is_meeting(world, link)) {
            continue;
        }
        const uint32_t other = world->found.ray_touches.data[grz_link_touch(world, link)].other;
        const bool in_order = world->bodies.rows.index[row] < world->bodies.rows.index[other];
        if (!grz_array_reserve_more(&world->found.meetings, &world->config.counting, 1)) {
            return false;
        }
        const grz_meeting meeting = {in_order ? row : other, in_order ? other : row, GRZ_NONE};
        world->found.meetings.data[world->found.meetings.count] = meeting;
        if (!foresee_meeting(world, world->found.meetings.count++, 0)) {
            return false;
        }
    }
    return true;
}

bool grz_foresee_ray(graze_world *world, uint32_t row)
{
    return foresee_touches(world, row) && foresee_meetings(world, row) &&
           grz_foresee_walls(world, &world->impacts.agenda, row, true);
}
