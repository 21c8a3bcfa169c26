#include "collide/joint.h"

#include "collide/pair_sweep.h"

/// The walls that end at a point, as seen by a mover beside it. All vectors begin at the point.
typedef struct wall_fan {
    const grz_move *move;
    const grz_chain *chain; ///< Of the wall that is touched.
    graze_vec2 point;
    bool at_end;             ///< It is b of that wall; else a.
    graze_vec2d mover;       ///< Its centre.
    graze_vec2d left, right; ///< Along the first wall on the left of that direction, and the right.
} wall_fan;

// Whether a vector is met before another in a turn to the left that begins at `from`.
static bool is_before(graze_vec2d from, graze_vec2d one, graze_vec2d other)
{
    const bool one_is_left = cross(from, one) > 0, other_is_left = cross(from, other) > 0;
    return one_is_left == other_is_left ? cross(one, other) > 0 : one_is_left;
}

static void add_wall(wall_fan *fan, graze_vec2d along)
{
    if (is_before(fan->mover, along, fan->left)) {
        fan->left = along;
    }
    if (is_before(fan->mover, fan->right, along)) {
        fan->right = along;
    }
}

// Whether the mover meets another wall, which begins or ends at the point, from the same sides as
// the one that it touches.
static bool is_alike(const wall_fan *fan, const grz_wall *other, bool begins)
{
    const grz_chain *chain = &fan->move->world->terrain.chains[other->chain];
    return !chain->sensor && chain->one_sided == fan->chain->one_sided &&
           (!chain->one_sided || begins == fan->at_end) &&
           grz_filters_meet(*fan->move->mover->filter, chain->filter);
}

static void add_other(wall_fan *fan, const grz_wall *other)
{
    const bool begins = is_same_point(other->segment.a, fan->point);
    const bool ends = is_same_point(other->segment.b, fan->point);
    if (begins != ends && is_alike(fan, other, begins)) {
        add_wall(fan, offset(begins ? other->segment.b : other->segment.a, fan->point));
    }
}

static void add_others(wall_fan *fan)
{
    const graze_aabb box = {fan->point, fan->point};
    graze_segment_walk walk = graze_segment_grid_walk_box(&fan->move->world->terrain.grid, box);
    graze_segment_span span;
    while (graze_segment_walk_next(&walk, 1, &span)) {
        for (uint32_t k = 0; k < span.count; ++k) {
            const grz_wall other = grz_wall_of_span(&span, k);
            add_other(fan, &other);
        }
    }
}

static bool is_along(graze_vec2d one, graze_vec2d other)
{
    return cross(one, other) == 0 && dot(one, other) > 0;
}

grz_wall_end grz_look_at_end(const grz_move *move, graze_segment_id segment, bool at_end,
                             graze_vec2d centre)
{
    const grz_chain *chain = &move->world->terrain.chains[segment.chain.index];
    const graze_segment wall = grz_chain_wall(chain, segment.index);
    const graze_vec2d wall_along = offset(wall.b, wall.a);
    const graze_vec2d own = at_end ? negate(wall_along) : wall_along;
    const graze_vec2 point = at_end ? wall.b : wall.a;
    wall_fan fan = {move, chain, point, at_end, subtract(centre, widen(point)), own, own};
    add_others(&fan);
    const bool is_left = is_along(fan.left, own), is_right = is_along(fan.right, own);
    const graze_vec2d other = is_left ? fan.right : fan.left;
    const grz_wall_end end = {.is_hidden = !is_left && !is_right,
                              .is_joined = is_left != is_right,
                              .joint = {.along = wall_along,
                                        .other = at_end ? other : negate(other),
                                        .mover = fan.mover,
                                        .at_end = at_end,
                                        .one_sided = chain->one_sided}};
    return end;
}
