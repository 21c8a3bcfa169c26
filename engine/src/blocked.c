#include "blocked.h"

#include "exchange.h"
#include "meet.h"
#include "tolerance.h"
#include "vec2d.h"

// The way decides, but for its rounding. Against walls the velocity does as well, which is exact:
// far from the origin the way could be rounded to nothing while gravity adds up.
static bool comes_into(const graze_world *world, const grz_motion *motion, const grz_touch *touch,
                       bool is_wall)
{
    double allowance = grz_slide_allowance(world, motion);
    if (is_wall && dot(motion->velocity, touch->normal) * (double)world->dt > allowance) {
        return true;
    }
    uint32_t last = motion->count - 2;
    double rest = 1 - motion->time[last];
    return (touch->approach - allowance) * rest > grz_blur_at(motion->at[last], touch->normal);
}

// What stops is not pushed out, so it may go along a surface, but for rounding, only as long as it
// has not sunk in. A point has no surface to go along.
static bool is_stopped(const graze_world *world, const grz_motion *motion, const grz_touch *touch)
{
    double size = grz_size_of(world, motion->row);
    uint32_t last = motion->count - 2;
    double rest = 1 - motion->time[last];
    double allowed = grz_slide_allowance(world, motion) * rest;
    allowed += grz_blur_at(motion->at[last], touch->normal);
    bool sunk = !(touch->depth < grz_sink_limit * size);
    return touch->approach > 0 && (sunk || touch->approach * rest > allowed);
}

bool grz_is_passed(const graze_world *world, const grz_event *event, const grz_motion *motion)
{
    graze_vec2d tangent = {-event->touch.normal.y, event->touch.normal.x};
    graze_vec2 half = world->rows.half[motion->row];
    double size = (double)half.x + (double)half.y;
    double blur =
        grz_blur_at(motion->at[motion->count - 2], tangent) + grz_position_tolerance * size;
    double time = event->touch.time;
    return grz_pass_aside(world, event->row_a, event->row_b, time, scale(tangent, blur)) ||
           grz_pass_aside(world, event->row_a, event->row_b, time, scale(tangent, -blur));
}

// How far along a surface a body must be shifted for its corner, sunk in as deep as it may rest, to
// come free of what continues the surface: four times as far as it has sunk, which is enough where
// the side that rises from the corner leans by 15 degrees or more.
static double corner_room(const graze_world *world, const grz_motion *motion, graze_vec2d side)
{
    const double size = grz_size_of(world, motion->row);
    const double blur = grz_blur_at(motion->at[motion->count - 2], side);
    return 4 * lesser(grz_overlap_tolerance * size + blur, grz_sink_limit * size);
}

void grz_ease_corner(const graze_world *world, const grz_motion *motion, const grz_way *way,
                     graze_segment_id segment, grz_touch *touch)
{
    const bool turns = (world->rows.traits[motion->row] & GRZ_TRAIT_TURNS) != 0;
    if (!turns || way->mover->kind != GRAZE_SHAPE_RECT || touch->crosses || touch->time >= 1) {
        return;
    }
    const uint32_t last = motion->count - 1;
    const double length = motion->time[last] - motion->time[last - 1];
    const graze_vec2d course = scale(offset(way->to, way->from), 1 / length);
    const graze_vec2d tangent = {-touch->normal.y, touch->normal.x};
    const double room = corner_room(world, motion, tangent);
    for (int sign = -1; sign <= 1; sign += 2) {
        graze_vec2d normal;
        const graze_vec2d aside = scale(tangent, sign * room);
        const bool hit = grz_touch_wall_aside(way, segment, touch->time, aside, &normal);
        const double approach = hit ? dot(course, normal) : 0;
        if (approach <= 0) {
            touch->passes = true;
        } else if (approach < touch->approach) {
            touch->normal = normal;
            touch->approach = approach;
        }
    }
}

bool grz_is_blocked(const graze_world *world, const grz_motion *motion, const grz_touch *touch,
                    bool is_wall)
{
    if (touch->passes || !(world->rows.traits[motion->row] & GRZ_TRAIT_RESPONDS)) {
        return false;
    }
    if (grz_response_of(world, motion) == GRAZE_STOP) {
        return !motion->stands && (touch->crosses || is_stopped(world, motion, touch));
    }
    return touch->crosses || comes_into(world, motion, touch, is_wall);
}
