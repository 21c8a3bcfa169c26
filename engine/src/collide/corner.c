#include "collide/corner.h"

bool grz_chain_neighbour(const grz_chain *chain, uint32_t corner, bool forward,
                         graze_vec2 *neighbour)
{
    const uint32_t count = (uint32_t)grz_list_count(chain->points);
    const graze_vec2 at = chain->points[corner];
    for (uint32_t k = 1; k < count; ++k) {
        const uint32_t place = forward ? corner + k : corner + count - k;
        const bool wraps = forward ? place >= count : k > corner;
        if (wraps && !chain->loop) {
            return false;
        }
        *neighbour = chain->points[grz_wrap_place(place, count)];
        if (!is_same_point(*neighbour, at)) {
            return true;
        }
    }
    return false;
}

/// Where two walls of a chain meet, as a mover near it sees it.
typedef struct chain_corner {
    graze_vec2d first, second; ///< Along the wall before it, and after it.
    double side;               ///< 1: the mover is left of the chain; -1: right.
    bool sticks_out;           ///< Towards the mover.
} chain_corner;

static graze_vec2d first_of(const grz_joint *joint)
{
    return joint->at_end ? joint->along : joint->other;
}

static graze_vec2d second_of(const grz_joint *joint)
{
    return joint->at_end ? joint->other : joint->along;
}

static chain_corner find_corner(const grz_joint *joint, double side)
{
    const graze_vec2d first = first_of(joint), second = second_of(joint);
    chain_corner found = {.first = first, .second = second, .side = side};
    const double turn = cross(first, second);
    const bool tip = turn == 0 && dot(first, second) < 0;
    found.sticks_out = side * turn < 0 || tip;
    return found;
}

static bool is_left_of(graze_vec2d wall, graze_vec2d mover)
{
    const double side = cross(wall, mover);
    return side > 0 || (side == 0 && grz_line_is_on_left(wall));
}

// Of a mover that touches the corner itself, by where its centre is.
static double side_of(const grz_joint *joint)
{
    const graze_vec2d first = first_of(joint), second = second_of(joint);
    const bool left_of_first = is_left_of(first, joint->mover);
    const bool left_of_second = is_left_of(second, joint->mover);
    const bool is_left = cross(first, second) < 0 ? left_of_first || left_of_second
                                                  : left_of_first && left_of_second;
    return is_left ? 1 : -1;
}

graze_vec2d grz_normal_into(graze_vec2d wall, double side)
{
    const double factor = side / length_of(wall);
    const graze_vec2d normal = {wall.y * factor, -wall.x * factor};
    return normal;
}

// A corner that sticks out is met itself in the directions between its walls' normals; in other
// directions one of the walls is met. A corner that does not stick out is never met before its
// walls.
static graze_vec2d normal_at(const chain_corner *corner, graze_vec2d wall, graze_vec2d normal)
{
    if (!corner->sticks_out) {
        return grz_normal_into(wall, corner->side);
    }
    if (dot(normal, corner->first) > 0) {
        return grz_normal_into(corner->first, corner->side);
    }
    return dot(normal, corner->second) < 0 ? grz_normal_into(corner->second, corner->side) : normal;
}

bool grz_is_left_of_joint(const grz_joint *joint)
{
    return side_of(joint) > 0;
}

graze_vec2d grz_joint_normal(const grz_joint *joint, graze_vec2d normal)
{
    const double side = grz_is_of_face(joint->along, dot(normal, joint->along))
                            ? (cross(joint->along, normal) < 0 ? 1 : -1)
                            : side_of(joint);
    // Behind a one-sided neighbour there is no neighbour: the wall ends there.
    if (joint->one_sided && side < 0) {
        return normal;
    }
    const chain_corner corner = find_corner(joint, side);
    return normal_at(&corner, joint->along, normal);
}

bool grz_chain_joint(const grz_chain *chain, uint32_t item, graze_vec2d wall_along, bool at_end,
                     graze_vec2 mover, grz_joint *joint)
{
    const uint32_t place = grz_place_of_end(chain, item, at_end);
    graze_vec2 neighbour;
    if (!grz_chain_neighbour(chain, place, at_end, &neighbour)) {
        return false;
    }
    const graze_vec2 end = chain->points[place];
    const grz_joint found = {.along = wall_along,
                             .other = at_end ? offset(neighbour, end) : offset(end, neighbour),
                             .mover = offset(mover, end),
                             .at_end = at_end,
                             .one_sided = chain->one_sided};
    *joint = found;
    return true;
}

graze_vec2d grz_smooth_normal(const grz_chain *chain, uint32_t item, graze_segment wall,
                              graze_vec2 mover, graze_vec2d normal)
{
    const graze_vec2d wall_along = offset(wall.b, wall.a);
    const double lean = dot(normal, wall_along);
    if (lean == 0) {
        return normal;
    }
    // The end that is farthest towards the mover.
    grz_joint joint;
    return grz_chain_joint(chain, item, wall_along, lean < 0, mover, &joint)
               ? grz_joint_normal(&joint, normal)
               : normal;
}
