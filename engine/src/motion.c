#include "motion.h"

#include "bodies.h"
#include "meet.h"
#include "rows.h"
#include "terrain.h"
#include "vec2d.h"

grz_motion *grz_motion_begin(graze_world *world, uint32_t row)
{
    if (!grz_array_reserve_more(&world->motions, &world->counting, 1)) {
        return NULL;
    }
    const grz_rows *rows = &world->rows;
    graze_vec2d velocity = widen(rows->end_velocity[row]);
    graze_vec2d way = offset(rows->end[row], rows->position[row]);
    grz_motion motion = {
        .row = row,
        .index = rows->index[row],
        .count = 2,
        .version = 1,
        .turn_time = -1,
        .velocity = velocity,
        .wish = velocity,
        .reach = length_of(way),
        .first_contact = GRZ_NONE,
        .hit_count = grz_life_of(world, rows->index[row]).hit_count,
        .met_time = -1,
        .time = {0, 1},
        .at = {rows->position[row], rows->end[row]},
    };
    world->motion_of_row.data[row] = world->motions.count;
    world->motions.data[world->motions.count] = motion;
    return &world->motions.data[world->motions.count++];
}

static bool is_free_ray(const graze_world *world, uint32_t row)
{
    uint32_t traits = world->rows.traits[row];
    return (traits & GRZ_TRAIT_FREE) && grz_kind_of(traits) == GRAZE_SHAPE_RAY;
}

// All but rays: most of those meet nothing, and need no motion.
static bool begin_motions(graze_world *world)
{
    if (!grz_array_reserve(&world->motion_of_row, &world->counting, world->active_count)) {
        return false;
    }
    for (uint32_t row = 0; row < world->active_count; ++row) {
        world->motion_of_row.data[row] = GRZ_NONE;
    }
    for (uint32_t row = 0; row < world->active_count; ++row) {
        bool free = (world->rows.traits[row] & GRZ_TRAIT_FREE) && !is_free_ray(world, row);
        if (free && !grz_motion_begin(world, row)) {
            return false;
        }
    }
    return true;
}

// Nobody's course depends on a ray's, so a meeting with a free ray is the ray's alone; any other is
// listed with each of its free bodies. Writes their rows, and returns how many there are.
static uint32_t list_owners(const graze_world *world, const grz_meeting *meeting,
                            uint32_t owners[2])
{
    const uint32_t *traits = world->rows.traits;
    uint32_t count = 0;
    if ((traits[meeting->row_a] & GRZ_TRAIT_FREE) && !is_free_ray(world, meeting->row_b)) {
        owners[count++] = meeting->row_a;
    }
    if ((traits[meeting->row_b] & GRZ_TRAIT_FREE) && !is_free_ray(world, meeting->row_a)) {
        owners[count++] = meeting->row_b;
    }
    return count;
}

static void count_meetings(graze_world *world)
{
    uint32_t *first = world->meeting_first.data;
    for (uint32_t row = 0; row <= world->active_count; ++row) {
        first[row] = 0;
    }
    for (uint32_t i = 0; i < world->meetings.count; ++i) {
        uint32_t owners[2];
        uint32_t count = list_owners(world, &world->meetings.data[i], owners);
        for (uint32_t k = 0; k < count; ++k) {
            ++first[owners[k]];
        }
    }
    for (uint32_t row = 0; row < world->active_count; ++row) {
        first[row + 1] += first[row];
    }
}

// Each list is filled from its end, which leaves `first` at its beginning.
static bool list_meetings(graze_world *world)
{
    const graze_allocator *allocator = &world->counting;
    if (!grz_array_reserve(&world->meeting_first, allocator, (size_t)world->active_count + 1) ||
        !grz_array_reserve(&world->meeting_list, allocator, 2 * (size_t)world->meetings.count)) {
        return false;
    }
    count_meetings(world);
    for (uint32_t i = world->meetings.count; i-- > 0;) {
        uint32_t owners[2];
        uint32_t count = list_owners(world, &world->meetings.data[i], owners);
        for (uint32_t k = 0; k < count; ++k) {
            world->meeting_list.data[--world->meeting_first.data[owners[k]]] = i;
        }
    }
    return true;
}

bool grz_motions_start(graze_world *world)
{
    world->motions.count = 0;
    return begin_motions(world) && list_meetings(world);
}

bool grz_motion_is_in_force(const grz_motion *motion, uint32_t version, double time)
{
    if (!motion || motion->version == version) {
        return true;
    }
    return !motion->gone && version >= motion->old_version && time == motion->turn_time;
}

// The point of the last piece at `time`: certified, unless the body passes through walls anyway.
static graze_vec2 find_point(const graze_world *world, const grz_motion *motion, double time)
{
    uint32_t last = motion->count - 1;
    double start = motion->time[last - 1];
    double length = motion->time[last] - start;
    graze_vec2 from = motion->at[last - 1];
    graze_vec2 to = motion->at[last];
    double share = length > 0 ? (time - start) / length : 0;
    if (world->segment_count && (world->rows.traits[motion->row] & GRZ_TRAIT_RESPONDS)) {
        grz_mover mover = grz_mover_of(world, motion->row);
        return grz_certified_point(world, &mover, from, to, share);
    }
    return grz_point_at(from, to, share);
}

static void end_piece(grz_motion *motion, double time, graze_vec2 point)
{
    uint32_t last = motion->count - 1;
    motion->at[last] = point;
    motion->time[last] = time;
    if (motion->turn_time != time) {
        motion->turn_time = time;
        motion->old_version = motion->version;
    }
    ++motion->version;
}

// Where the course leads: no farther than the boxes allow that pairs were found by.
static graze_vec2 find_end(const grz_motion *motion, graze_vec2 from, graze_vec2d course,
                           double share)
{
    double length = length_of(course);
    double shorter = length > motion->reach ? motion->reach / length : 1;
    graze_vec2 end = {(float)((double)from.x + course.x * shorter * share) + 0.0f,
                      (float)((double)from.y + course.y * shorter * share) + 0.0f};
    return end;
}

void grz_motion_turn(const graze_world *world, grz_motion *motion, double time, graze_vec2d course)
{
    end_piece(motion, time, find_point(world, motion, time));
    uint32_t last = motion->count++;
    graze_vec2 from = motion->at[last - 1];
    motion->stands = motion->count == GRZ_KNOTS || (course.x == 0 && course.y == 0);
    motion->at[last] = motion->stands ? from : find_end(motion, from, course, 1 - time);
    motion->time[last] = 1;
}

void grz_motion_redirect(grz_motion *motion, graze_vec2d course)
{
    uint32_t last = motion->count - 1;
    motion->at[last] = find_end(motion, motion->at[last - 1], course, 1 - motion->time[last - 1]);
}

void grz_motion_end(const graze_world *world, grz_motion *motion, double time)
{
    grz_motion_end_at(motion, time, find_point(world, motion, time));
}

void grz_motion_end_at(grz_motion *motion, double time, graze_vec2 point)
{
    end_piece(motion, time, point);
    motion->gone = true;
}

void grz_motion_push(const graze_world *world, grz_motion *motion)
{
    graze_vec2 *end = &motion->at[motion->count - 1];
    graze_vec2 pushed = {(float)((double)end->x + motion->push.x) + 0.0f,
                         (float)((double)end->y + motion->push.y) + 0.0f};
    grz_mover mover = grz_mover_of(world, motion->row);
    *end = grz_certified_point(world, &mover, *end, pushed, 1);
}
