#include "solve/sensors.h"

#include "collide/contact_make.h"
#include "collide/meet.h"
#include "solve/event_foresee.h"
#include "world/links.h"

#include <string.h>

static inline bool is_over_sensor(const uint32_t *traits, const grz_meeting *meeting)
{
    const uint32_t a = traits[meeting->row_a];
    const uint32_t b = traits[meeting->row_b];
    const uint32_t other = a & GRZ_TRAIT_FREE ? b : a;
    const uint32_t own = a ^ b ^ other;
    return !grz_is_solid(other) && !(other & GRZ_TRAIT_FREE) && grz_is_free_shape(own) &&
           !(own & GRZ_TRAIT_LIMITED);
}

bool grz_is_over_sensor(const graze_world *world, const grz_meeting *meeting)
{
    return is_over_sensor(world->bodies.rows.traits, meeting);
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
// Data    12 bytes of a meeting read and written, and 4 of each of its rows read.
// Order   As before among those over sensors, and among the others.
bool grz_sensors_set_apart(graze_world *world)
{
    world->impacts.first_over_sensor = world->found.meetings.count;
    if (world->config.no_shortcuts || !may_be_over_sensors(world)) {
        return true;
    }
    grz_meeting *meetings = world->found.meetings.data;
    uint32_t kept = 0;
    world->impacts.over_sensors.count = 0;
    for (uint32_t k = 0; k < world->found.meetings.count; ++k) {
        const grz_meeting meeting = meetings[k];
        if (!is_over_sensor(world->bodies.rows.traits, &meeting)) {
            meetings[kept++] = meeting;
            continue;
        }
        if (!grz_array_reserve_more(&world->impacts.over_sensors, &world->config.counting, 1)) {
            return false;
        }
        world->impacts.over_sensors.data[world->impacts.over_sensors.count++] = meeting;
    }
    if (world->impacts.over_sensors.count) {
        memcpy(meetings + kept, world->impacts.over_sensors.data,
               world->impacts.over_sensors.count * sizeof *meetings);
    }
    world->impacts.first_over_sensor = kept;
    return true;
}

static bool add_contact(graze_world *world, grz_meeting *meeting, const grz_touch *touch)
{
    const graze_segment_id none = {{0, 0}, 0};
    meeting->contact = world->found.fresh.count;
    return grz_contact_add(world, meeting->row_a, meeting->row_b, none, touch);
}

static bool note_meeting(graze_world *world, grz_meeting *meeting, const grz_motion *motion)
{
    double from = grz_course_of(world, motion->row).begin;
    grz_touch touch;
    return meeting->contact != GRZ_NONE ||
           !grz_touch_moving(world, meeting->row_a, meeting->row_b, &from, &touch) ||
           touch.time > motion->turn_time || add_contact(world, meeting, &touch);
}

bool grz_sensors_note_turn(graze_world *world, const grz_motion *motion)
{
    if (world->impacts.first_over_sensor == grz_links_meeting_count(world)) {
        return true;
    }
    for (uint32_t link = grz_link_first(world, motion->row);
         link != GRZ_NONE && grz_link_is_meeting(world, link); link = grz_link_next(world, link)) {
        if (!grz_link_may_turn(world, link) &&
            !note_meeting(world, &world->found.meetings.data[grz_link_meeting(link)], motion)) {
            return false;
        }
    }
    return true;
}

static uint32_t free_row_of(const graze_world *world, const grz_meeting *meeting)
{
    const bool is_a = (world->bodies.rows.traits[meeting->row_a] & GRZ_TRAIT_FREE) != 0;
    return is_a ? meeting->row_a : meeting->row_b;
}

static bool note_end(graze_world *world, grz_meeting *meeting)
{
    double from = grz_course_of(world, free_row_of(world, meeting)).begin;
    grz_touch touch;
    return meeting->contact != GRZ_NONE || !grz_meeting_touches(world, meeting, &from, &touch) ||
           add_contact(world, meeting, &touch);
}

// HOT. bench: engine/step/sensors
//
// Data    12 bytes of a meeting and 28 of each of its rows; 60 of a contact written.
// Branch  Whether the two touch: most that are near a large sensor do.
bool grz_sensors_note_ends(graze_world *world)
{
    const uint32_t end = grz_links_meeting_count(world);
    for (uint32_t k = world->impacts.first_over_sensor; k < end; ++k) {
        if (!note_end(world, &world->found.meetings.data[k])) {
            return false;
        }
    }
    return true;
}
