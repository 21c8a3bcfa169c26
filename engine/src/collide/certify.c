#include "collide/certify.h"

#include "collide/box.h"
#include "collide/joint.h"
#include "collide/terrain_sweep.h"
#include "fault.h"
#include "vec2d.h"

// Whether the mover goes back through a wall that its centre crosses.
static bool goes_back(const grz_move *move, graze_segment_id segment)
{
    const grz_chain *chain = &move->world->terrain.chains[segment.chain.index];
    const grz_wall wall = {grz_chain_wall(chain, segment.index), segment.chain.index,
                           segment.index};
    grz_touch touch;
    return chain->one_sided && move->mover->kind != GRAZE_SHAPE_RAY &&
           grz_touch_by_shape(move->mover, move->from, move->to, wall.segment, &touch) &&
           grz_is_coming_through(move, &wall, &touch);
}

// Whether the move, as stored, crosses a solid wall that the mover meets. No push leads it back.
static bool move_crosses(const graze_world *world, const grz_mover *mover, graze_vec2 from,
                         graze_vec2 to, bool is_push)
{
    GRZ_FAULT(certified_commit, return false);
    const grz_move move = grz_move_of(world, mover, from, to);
    const grz_mover centre = {.kind = GRAZE_SHAPE_RAY,
                              .filter = mover->filter,
                              .body = mover->body,
                              .known_walls = mover->known_walls};
    grz_wall_walk walk;
    grz_wall_walk_begin(&walk, world, &centre, from, to);
    grz_touch touch;
    graze_segment_id segment;
    while (grz_wall_walk_next(&walk, 1, &touch, &segment)) {
        if (grz_chain_stops(world, segment, mover->filter) &&
            (is_push || !goes_back(&move, segment))) {
            return true;
        }
    }
    return false;
}

// Whether the point after all but `share` of the way is the same.
static bool stays(graze_vec2 from, graze_vec2 to, double fraction, graze_vec2 point, double share)
{
    const graze_vec2 next = grz_point_at(from, to, fraction * (1 - share));
    return (share < 1) & (next.x == point.x) & (next.y == point.y);
}

// HOT. bench: engine/step/bullets-terrain/100k
//
// Rounding keeps the order of points: if one further back is the same, so are those between.
//
// Branch  Usually none: how often the share doubles before the point differs cannot be predicted.
//         So some points at a time are computed, which compilers vectorize, and counted.
graze_vec2 grz_next_point(graze_vec2 from, graze_vec2 to, double fraction, graze_vec2 point,
                          double *left_out)
{
    static const double powers[] = {1, 2, 4, 8, 16, 32, 64, 128, 256};
    enum { AT_ONCE = 8 };
    double share = *left_out;
    uint32_t same = AT_ONCE;
    while (same == AT_ONCE) {
        same = 0;
        for (uint32_t k = 0; k < AT_ONCE; ++k) {
            same += stays(from, to, fraction, point, share * powers[k]);
        }
        share *= powers[same];
    }
    *left_out = 2 * share;
    return share < 1 ? grz_point_at(from, to, fraction * (1 - share)) : from;
}

bool grz_is_far_from_walls(const graze_world *world, const grz_known_walls *known, graze_vec2 from,
                           graze_vec2 to)
{
    const graze_vec2 nothing = {0, 0};
    const graze_aabb path = grz_swept_box(from, to, nothing);
    if (!known->count || !grz_holds_box(&known->box, &path)) {
        return false;
    }
    for (uint32_t k = 0; k < known->count; ++k) {
        const graze_segment wall = world->impacts.known_walls.data[known->first + k].segment;
        if (!grz_are_apart(from, to, wall)) {
            return false;
        }
    }
    return true;
}

static graze_vec2 certify(const graze_world *world, const grz_mover *mover, graze_vec2 from,
                          graze_vec2 to, double fraction, bool is_push)
{
    graze_vec2 point = grz_point_at(from, to, fraction);
    double left_out = GRZ_MIN_LEFT_OUT;
    while (!is_same_point(from, point) && move_crosses(world, mover, from, point, is_push)) {
        point = grz_next_point(from, to, fraction, point, &left_out);
    }
    return point;
}

graze_vec2 grz_certified_point(const graze_world *world, const grz_mover *mover, graze_vec2 from,
                               graze_vec2 to, double fraction)
{
    return certify(world, mover, from, to, fraction, false);
}

graze_vec2 grz_certified_push(const graze_world *world, const grz_mover *mover, graze_vec2 from,
                              graze_vec2 to)
{
    return certify(world, mover, from, to, 1, true);
}
