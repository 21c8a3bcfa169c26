#include "terrain/one_sided.h"

#include <graze/orient.h>

#include "contact/contact_keys.h"
#include "list.h"
#include "respond/meet.h"
#include "respond/tolerance.h"
#include "terrain/corner.h"
#include "vec2d.h"

static const double landing_depth = 0x1p-4; ///< Of the size: so deep may lie what comes down.

bool grz_is_on_left(graze_segment wall, graze_vec2 point)
{
    int side = graze_orient(wall.a, wall.b, point);
    bool zero_is_left = wall.b.y < wall.a.y || (wall.b.y == wall.a.y && wall.b.x > wall.a.x);
    return side > 0 || (side == 0 && zero_is_left);
}

// How far a body whose centre is at `at` reaches beyond the nearer end of a wall in a direction.
static double reach_beyond(const grz_mover *mover, graze_vec2d at, graze_segment wall,
                           graze_vec2d direction)
{
    const double from_a = dot(subtract(at, widen(wall.a)), direction);
    const double from_b = dot(subtract(at, widen(wall.b)), direction);
    if (mover->kind == GRAZE_SHAPE_CIRCLE) {
        return greater(from_a, from_b) + (double)mover->half.x;
    }
    const graze_vec2d side = {(double)mover->rotation.cosine, (double)mover->rotation.sine};
    return greater(from_a, from_b) + absolute((double)mover->half.x * dot(side, direction)) +
           absolute((double)mover->half.y * cross(side, direction));
}

// Whether the body met a one-sided wall in the last step that faces the same way, to within 90
// degrees, as one along this direction.
static bool lay_on_alike(const graze_world *world, graze_body_id body, graze_vec2d along_wall)
{
    graze_segment_id met;
    for (uint32_t key = grz_keys_of_terrain(world, body);
         grz_key_is_of_terrain(world, body, key, &met); ++key) {
        const grz_chain *chain = &world->chains[met.chain.index];
        const bool is_there = chain->in_world && chain->generation == met.chain.generation;
        if (is_there && chain->one_sided) {
            const graze_segment wall = grz_chain_wall(chain, met.index);
            if (dot(offset(wall.b, wall.a), along_wall) > 0) {
                return true;
            }
        }
    }
    return false;
}

static bool is_at(const graze_segment_span *span, uint32_t place, graze_vec2 point)
{
    return (span->ax[place] == point.x && span->ay[place] == point.y) ||
           (span->bx[place] == point.x && span->by[place] == point.y);
}

// Whether all walls with an end at this point go on as one along this direction.
static bool all_go_on(const graze_world *world, graze_vec2 point, graze_vec2d along_wall)
{
    const graze_aabb box = {point, point};
    graze_segment_walk walk = graze_segment_grid_walk_box(&world->terrain, box);
    graze_segment_span span;
    while (graze_segment_walk_next(&walk, 1, &span)) {
        for (uint32_t place = 0; place < span.count; ++place) {
            const graze_vec2d other = {(double)span.bx[place] - (double)span.ax[place],
                                       (double)span.by[place] - (double)span.ay[place]};
            if (is_at(&span, place, point) && !(dot(other, along_wall) > 0)) {
                return false;
            }
        }
    }
    return true;
}

// Whether a wall may be passed from the side at an end: where a chain ends, and makes no corner
// with another.
static bool is_open_end(const graze_world *world, const grz_wall *wall, bool at_end)
{
    const grz_chain *chain = &world->chains[wall->chain];
    const uint32_t count = (uint32_t)grz_list_count(chain->points);
    const uint32_t place = at_end ? grz_wrap_place(wall->item + 1, count) : wall->item;
    graze_vec2 neighbour;
    return !grz_chain_neighbour(chain, place, at_end, &neighbour) &&
           all_go_on(world, chain->points[place], offset(wall->segment.b, wall->segment.a));
}

// It comes through if it reaches deeper into the wall, where they touch, than one may that comes
// down on its face; or than rounding, if it moves away or comes at an open end from the side. But
// what met a wall that faces the same way in the last step lies on it, however deep others press it
// in.
bool grz_is_coming_through(const grz_way *way, const grz_wall *wall, const grz_touch *touch)
{
    const grz_mover *mover = way->mover;
    // Its centre crosses from clear of the wall: rounding may make it look as if it were in it.
    const bool is_guarded = touch->crosses && !(touch->depth > 0);
    if (!mover->responds || mover->rotates || is_guarded) {
        return false;
    }
    const graze_vec2d along_wall = offset(wall->segment.b, wall->segment.a);
    const double lean = dot(along_wall, touch->normal);
    const bool is_face = -cross(along_wall, touch->normal) >= absolute(lean);
    const bool comes_down = touch->crosses || (is_face && touch->approach >= 0);
    const bool is_open = !is_face && is_open_end(way->world, wall, lean < 0);
    const graze_vec2d into = is_open ? grz_normal_into(along_wall, 1) : touch->normal;
    const graze_vec2d at = along(widen(way->from), offset(way->to, way->from), touch->time);
    const double size = (double)(mover->half.x < mover->half.y ? mover->half.x : mover->half.y);
    const double allowed =
        (comes_down ? landing_depth : grz_overlap_tolerance) * size + grz_blur_at(way->from, into);
    return reach_beyond(mover, at, wall->segment, into) > allowed &&
           !lay_on_alike(way->world, mover->body, along_wall);
}

double grz_share_off_one_sided(const graze_world *world, const grz_mover *mover, graze_vec2 from,
                               graze_vec2 to)
{
    double share = 1;
    if (!world->odd_chain_count) {
        return share;
    }
    grz_wall_walk walk;
    grz_wall_walk_begin(&walk, world, mover, from, to);
    grz_touch touch;
    graze_segment_id segment;
    while (grz_wall_walk_next(&walk, share, &touch, &segment)) {
        const grz_chain *chain = &world->chains[segment.chain.index];
        if (chain->one_sided && !chain->sensor && touch.depth == 0 && touch.approach > 0) {
            share = touch.time;
        }
    }
    return share;
}
