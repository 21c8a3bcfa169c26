#include "solve/obstacle.h"

#include "collide/terrain_sweep.h"
#include "collide/tolerance.h"
#include "fault.h"
#include "likely.h"
#include "solve/manifold.h"
#include "world/rows.h"

static const double parallel = 0.9999;  ///< Cosine: normals are one.
static const double gentle = 0.7;       ///< Cosine: a wall that rises no more can be rolled up.
static const double round_play = 4e-5;  ///< Of the size: so deep a disc is in what it rolls on.
static const double tilted_level = 0.3; ///< Of the size: corners of one side that will turn flat.

// --- The body ---

static void find_corners(graze_vec2d half, graze_rotation rotation, graze_vec2d *corners)
{
    const graze_vec2d x = scale(grz_x_axis(rotation), half.x);
    const graze_vec2d y = scale(left_of(grz_x_axis(rotation)), half.y);
    corners[0] = subtract(negate(x), y);
    corners[1] = subtract(x, y);
    corners[2] = add(x, y);
    corners[3] = subtract(y, x);
}

// How far the body reaches from its centre.
static double support(const grz_met_by *body, graze_vec2d direction)
{
    const graze_vec2d axis = grz_x_axis(body->rotation);
    return body->is_round ? body->half.x
                          : body->half.x * absolute(dot(axis, direction)) +
                                body->half.y * absolute(cross(axis, direction));
}

// The velocity of a point of the body that would move with `velocity`. A disc covers the same as it
// turns.
static graze_vec2d velocity_at(const grz_met_by *body, graze_vec2d velocity, graze_vec2d point)
{
    return body->turns && !body->is_round ? along(velocity, left_of(point), body->spin) : velocity;
}

// --- The obstacle ---

// Its axes and its contact are not known yet.
static void begin_obstacle(grz_obstacle *obstacle, grz_row row, uint32_t corner_count)
{
    obstacle->row = row;
    obstacle->one_sided = obstacle->met_before = obstacle->passes = obstacle->gives_way = false;
    obstacle->velocity = obstacle->falls = vec2d(0, 0);
    obstacle->centre = vec2d(0, 0);
    obstacle->spin = obstacle->radius = 0;
    obstacle->corner_count = corner_count;
}

void grz_obstacle_of_wall(const graze_world *world, const grz_met_by *body, const grz_wall *wall,
                          grz_obstacle *obstacle)
{
    const graze_vec2 centre = world->bodies.rows.position[body->row];
    begin_obstacle(obstacle, GRZ_NONE, 2);
    obstacle->segment = grz_wall_id(world, wall);
    obstacle->one_sided = world->terrain.chains[wall->chain].one_sided;
    obstacle->corners[0] = offset(wall->segment.a, centre);
    obstacle->corners[1] = offset(wall->segment.b, centre);
}

void grz_obstacle_of_row(const graze_world *world, const grz_met_by *body, grz_row row,
                         grz_obstacle *obstacle)
{
    const grz_rows *rows = &world->bodies.rows;
    const graze_vec2d half = widen(rows->half[row]);
    const bool is_round = grz_kind_of(rows->traits[row]) == GRAZE_SHAPE_CIRCLE;
    begin_obstacle(obstacle, row, is_round ? 1 : GRZ_OBSTACLE_CORNERS);
    obstacle->segment = grz_no_segment;
    obstacle->velocity = widen(grz_driving_velocity(rows, row));
    obstacle->spin = (double)grz_spin_of(rows, row);
    obstacle->centre = offset(rows->position[row], rows->position[body->row]);
    obstacle->radius = is_round ? half.x : 0;
    if (is_round) {
        obstacle->corners[0] = obstacle->centre;
        return;
    }
    find_corners(half, grz_rotation_of(rows, row), obstacle->corners);
    for (uint32_t k = 0; k < GRZ_OBSTACLE_CORNERS; ++k) {
        obstacle->corners[k] = add(obstacle->centre, obstacle->corners[k]);
    }
}

static uint32_t edge_count(const grz_obstacle *obstacle)
{
    return obstacle->corner_count == 2 ? 1 : obstacle->corner_count == 4 ? 4 : 0;
}

static graze_vec2d edge_of(const grz_obstacle *obstacle, uint32_t edge)
{
    const uint32_t next = (edge + 1) % obstacle->corner_count;
    return subtract(obstacle->corners[next], obstacle->corners[edge]);
}

static double reach_of(const grz_obstacle *obstacle, graze_vec2d direction)
{
    double most = dot(obstacle->corners[0], direction);
    for (uint32_t k = 1; k < obstacle->corner_count; ++k) {
        most = max_double(most, dot(obstacle->corners[k], direction));
    }
    return most + obstacle->radius;
}

// --- Contacts by a normal ---

/// The part of a shape that lies farthest along a direction: how far it extends sideways, and how
/// high it is at both ends.
typedef struct shape_side {
    double low, high;
    double low_height, high_height;
} shape_side;

GRZ_IN_PLACE shape_side find_side(const graze_vec2d *corners, uint32_t count, graze_vec2d direction,
                                  graze_vec2d tangent, double least)
{
    const shape_side none = {1, 0, 0, 0};
    double heights[GRZ_OBSTACLE_CORNERS];
    double low = DBL_MAX, high = -DBL_MAX;
    uint32_t lowest = 0, highest = 0;
    for (uint32_t k = 0; k < count; ++k) {
        const double place = dot(corners[k], tangent);
        heights[k] = dot(corners[k], direction);
        const double for_low = heights[k] > least ? place : DBL_MAX;
        const double for_high = heights[k] > least ? place : -DBL_MAX;
        lowest = for_low < low ? k : lowest;
        highest = for_high > high ? k : highest;
        low = min_double(for_low, low);
        high = max_double(for_high, high);
    }
    const shape_side side = {low, high, heights[lowest], heights[highest]};
    return low > high ? none : side;
}

static double height_at(const shape_side *side, double place)
{
    const double length = side->high - side->low;
    const double share = length > 0 ? clamp((place - side->low) / length, 0, 1) : 0;
    return side->low_height + (side->high_height - side->low_height) * share;
}

static void put_point(grz_obstacle *obstacle, graze_vec2d point, double gap)
{
    obstacle->points[obstacle->point_count] = point;
    obstacle->gaps[obstacle->point_count++] = gap;
}

static void note_corner(const grz_met_by *body, grz_obstacle *obstacle)
{
    uint32_t count = 0, corner = 0;
    for (uint32_t k = 0; k < obstacle->corner_count; ++k) {
        const bool is_high =
            dot(obstacle->corners[k], obstacle->normal) > obstacle->plane - body->slop;
        count += is_high;
        corner = is_high ? k : corner;
    }
    obstacle->corner = count == 1 ? corner : GRZ_NONE;
}

static void touch_with_disc(grz_obstacle *obstacle, const shape_side *side)
{
    const graze_vec2d tangent = left_of(obstacle->normal);
    const double place = clamp(0, side->low, side->high);
    const graze_vec2d point = along(scale(obstacle->normal, obstacle->plane), tangent, place);
    put_point(obstacle, point, obstacle->gap);
    obstacle->lateral = min_double(side->high, -side->low);
    obstacle->is_face =
        obstacle->lateral >= 0 && (obstacle->corner == GRZ_NONE || obstacle->is_own);
}

static void touch_with_rect(const grz_met_by *body, grz_obstacle *obstacle, const shape_side *side)
{
    const graze_vec2d normal = obstacle->normal, tangent = left_of(normal), down = negate(normal);
    const double lowest = support(body, normal);
    const bool may_turn = obstacle->is_own && body->turns;
    const double within =
        body->slop + (may_turn ? tilted_level : grz_contact_margin / 2) * body->size;
    const shape_side own =
        find_side(body->corners, GRZ_OBSTACLE_CORNERS, down, tangent, lowest - within);
    obstacle->lateral = min_double(own.high - side->low, side->high - own.low);
    obstacle->is_face = obstacle->lateral > body->slop;
    if (obstacle->gives_way && obstacle->is_face) {
        return; // Its contact is known.
    }
    double from = max_double(side->low, own.low), to = min_double(side->high, own.high);
    if (from > to) {
        from = to = side->low >= own.high ? side->low : side->high;
    }
    const double places[GRZ_MANIFOLD_POINTS] = {from, to};
    const uint32_t count = to - from > grz_overlap_tolerance * body->size ? 2 : 1;
    for (uint32_t k = 0; k < count; ++k) {
        const double height = height_at(side, places[k]);
        const double gap = -height_at(&own, places[k]) - height;
        put_point(obstacle, along(scale(normal, height), tangent, places[k]),
                  count == 1 ? obstacle->gap : gap);
    }
}

// How far to the left of the normal the obstacle will be, as seen from the body, when the two touch
// on their ways in the step. Until then only the gap along the normal closes. Of two that give way
// the contact is known (find_manifold_ahead in constraint.c).
static double find_aside(const grz_met_by *body, const grz_obstacle *obstacle)
{
    const graze_vec2d relative = subtract(obstacle->velocity, body->velocity);
    const double closing = dot(relative, obstacle->normal);
    const bool meets =
        !obstacle->gives_way && obstacle->gap > body->slop && closing * body->dt > obstacle->gap;
    return meets ? dot(relative, left_of(obstacle->normal)) * obstacle->gap / closing : 0;
}

// Makes the contact along an axis.
static void touch_by_axis(const grz_met_by *body, grz_obstacle *obstacle,
                          const grz_obstacle_axis *axis)
{
    const graze_vec2d normal = axis->normal, tangent = left_of(normal);
    obstacle->normal = normal;
    obstacle->is_own = axis->is_own;
    obstacle->plane = axis->plane;
    obstacle->gap = axis->gap;
    obstacle->aside = find_aside(body, obstacle);
    obstacle->point_count = 0;
    if (obstacle->radius > 0) {
        obstacle->corner = GRZ_NONE;
        obstacle->lateral = body->size;
        obstacle->is_face = true;
        const graze_vec2d centre = along(obstacle->corners[0], tangent, obstacle->aside);
        put_point(obstacle, along(centre, normal, obstacle->radius), obstacle->gap);
        return;
    }
    note_corner(body, obstacle);
    const double within = body->slop + grz_contact_margin / 2 * body->size;
    const double least = obstacle->plane - within;
    shape_side side = find_side(obstacle->corners, obstacle->corner_count, normal, tangent, least);
    side.low += obstacle->aside;
    side.high += obstacle->aside;
    if (body->is_round) {
        touch_with_disc(obstacle, &side);
    } else {
        touch_with_rect(body, obstacle, &side);
    }
}

// Makes the contact along a normal.
static void touch_by(const grz_met_by *body, grz_obstacle *obstacle, graze_vec2d normal,
                     bool is_own)
{
    const double plane = reach_of(obstacle, normal);
    const grz_obstacle_axis axis = {
        .normal = normal, .plane = plane, .gap = -support(body, normal) - plane, .is_own = is_own};
    touch_by_axis(body, obstacle, &axis);
}

// --- The static contact ---

// own   How far the body reaches along the direction.
// side  1 or -1 where the body is known to be on that side; 0: the side that is farther apart.
GRZ_IN_PLACE void add_axis(grz_obstacle *obstacle, graze_vec2d direction, double own, bool is_own,
                           int side)
{
    double high = dot(obstacle->corners[0], direction), low = high;
    for (uint32_t k = 1; k < obstacle->corner_count; ++k) {
        const double height = dot(obstacle->corners[k], direction);
        high = max_double(high, height);
        low = min_double(low, height);
    }
    high += obstacle->radius;
    low -= obstacle->radius;
    const double above = -own - high, below = low - own;
    const bool is_below = side ? side < 0 : below > above;
    const double gaps[2] = {above, below}, planes[2] = {high, -low};
    const grz_obstacle_axis axis = {scale(direction, is_below ? -1 : 1), gaps[is_below],
                                    2 * own + high - low, planes[is_below], is_own};
    obstacle->axes[obstacle->axis_count++] = axis;
}

static void add_own_axis(const grz_met_by *body, grz_obstacle *obstacle, graze_vec2d normal,
                         int side)
{
    add_axis(obstacle, normal, support(body, normal), true, side);
}

static void find_axes(const grz_met_by *body, grz_obstacle *obstacle)
{
    obstacle->axis_count = 0;
    if (obstacle->corner_count == 2) {
        const graze_vec2d normal = unit_or(left_of(edge_of(obstacle, 0)), vec2d(0, 1));
        const bool is_right = dot(obstacle->corners[0], normal) > 0;
        add_own_axis(body, obstacle, normal, is_right && !obstacle->one_sided ? -1 : 1);
    } else if (obstacle->corner_count == 4) {
        add_own_axis(body, obstacle, unit_or(left_of(edge_of(obstacle, 0)), vec2d(0, 1)), 0);
        add_own_axis(body, obstacle, unit_or(left_of(edge_of(obstacle, 1)), vec2d(1, 0)), 0);
    }
    if (!body->is_round && obstacle->corner_count > 1) {
        const graze_vec2d x = grz_x_axis(body->rotation);
        add_axis(obstacle, x, body->reach.x, false, 0);
        add_axis(obstacle, left_of(x), body->reach.y, false, 0);
    }
}

// Of the axes, or only of the obstacle's own: the one with the largest gap.
static uint32_t widest_axis(const grz_obstacle *obstacle, bool own_only)
{
    uint32_t best = 0; // It is the obstacle's own.
    double widest = obstacle->axes[0].gap;
    for (uint32_t k = 1; k < obstacle->axis_count; ++k) {
        const double gap = obstacle->axes[k].gap;
        const bool is_wider = (gap > widest) & (!own_only | obstacle->axes[k].is_own);
        best = is_wider ? k : best;
        widest = obstacle->axes[best].gap;
    }
    return best;
}

// Where a disc is, seen from a round body, when the two touch on their ways, or else are nearest.
// Those that are apart have their normal from there: along that of now, who passes beside a disc
// comes nearer than it does.
static graze_vec2d centre_where_met(const grz_met_by *body, const grz_obstacle *disc)
{
    const graze_vec2d move = scale(subtract(disc->velocity, body->velocity), body->dt);
    const double reach = disc->radius + body->half.x;
    const double path = dot(move, move), toward = -dot(disc->centre, move);
    const double beyond = dot(disc->centre, disc->centre) - reach * reach;
    if (!(toward > 0) || !(beyond > 0)) {
        return disc->centre;
    }
    const double square = toward * toward - path * beyond;
    const double way = square > 0 ? toward - grz_sqrt(square) : toward;
    return along(disc->centre, move, min_double(way / path, 1));
}

static void touch_disc(const grz_met_by *body, grz_obstacle *disc)
{
    if (body->is_round) {
        touch_by(body, disc, unit_or(negate(centre_where_met(body, disc)), vec2d(0, 1)), true);
        return;
    }
    const grz_figure rect = {GRAZE_SHAPE_RECT, narrow(body->half), body->rotation};
    const graze_vec2 radius = {(float)disc->radius, (float)disc->radius};
    const grz_figure round = {GRAZE_SHAPE_CIRCLE, radius, body->rotation};
    const grz_manifold manifold = grz_manifold_of(&rect, &round, disc->centre, DBL_MAX);
    touch_by(body, disc, negate(widen(manifold.normal)), true);
    disc->gap = disc->gaps[0] = (double)manifold.gaps[0];
}

/// A point of an obstacle's outline.
typedef struct outline_point {
    graze_vec2d out; ///< From it to the body's centre.
    double square;   ///< Of the distance.
    bool is_inside;  ///< It is inside an edge, no corner.
} outline_point;

static outline_point nearest_point(const grz_obstacle *obstacle)
{
    outline_point best = {.square = DBL_MAX};
    for (uint32_t k = 0; k < edge_count(obstacle); ++k) {
        const graze_vec2d edge = edge_of(obstacle, k), from = obstacle->corners[k];
        const double square = dot(edge, edge), place = -dot(from, edge);
        const double share = square > 0 ? clamp(place / square, 0, 1) : 0;
        const graze_vec2d out = negate(along(from, edge, share));
        const bool is_inside = (square > 0) & (place >= 0) & (place <= square);
        const outline_point point = {out, dot(out, out), is_inside};
        best = point.square < best.square ? point : best;
    }
    return best;
}

// The normal of the face that is nearest to a direction.
static uint32_t axis_along(const grz_obstacle *obstacle, graze_vec2d direction)
{
    uint32_t best = 0;
    for (uint32_t k = 1; k < obstacle->axis_count; ++k) {
        if (dot(obstacle->axes[k].normal, direction) >
            dot(obstacle->axes[best].normal, direction)) {
            best = k;
        }
    }
    return best;
}

// Whether a way leads off a one-sided wall at no more than 45 degrees from the normal of its face:
// what touches an end from farther aside passes it (chain.h, Ends).
static bool leans_on_face(const grz_obstacle *wall, graze_vec2d out)
{
    const double up = dot(out, wall->axes[0].normal);
    return up > 0 && 2 * up * up >= dot(out, out);
}

static void touch_disc_body(const grz_met_by *body, grz_obstacle *obstacle)
{
    bool is_deep = obstacle->corner_count == 4; // The centre is inside.
    for (uint32_t k = 0; k < obstacle->axis_count; ++k) {
        is_deep = is_deep && obstacle->axes[k].gap <= -body->half.x;
    }
    const outline_point point = nearest_point(obstacle);
    const bool by_face =
        obstacle->one_sided && (point.is_inside || !leans_on_face(obstacle, point.out));
    GRZ_FAULT(one_sided_corners, by_face = obstacle->one_sided);
    if (is_deep || by_face) {
        touch_by_axis(body, obstacle, &obstacle->axes[widest_axis(obstacle, true)]);
        return;
    }
    if (point.is_inside || !(point.square > 0)) {
        touch_by_axis(body, obstacle, &obstacle->axes[axis_along(obstacle, point.out)]);
        return;
    }
    touch_by(body, obstacle, unit_or(point.out, point.out), false);
    obstacle->is_face = false;
}

static void touch_rect_body(const grz_met_by *body, grz_obstacle *obstacle)
{
    if (obstacle->one_sided) {
        touch_by_axis(body, obstacle, &obstacle->axes[0]);
        return;
    }
    const grz_obstacle_axis *best = &obstacle->axes[widest_axis(obstacle, false)];
    const grz_obstacle_axis *own = &obstacle->axes[widest_axis(obstacle, true)];
    const bool by_own =
        own->gap > best->gap - body->slop || dot(own->normal, best->normal) > parallel;
    touch_by_axis(body, obstacle, by_own ? own : best);
}

static void touch_now(const grz_met_by *body, grz_obstacle *obstacle)
{
    obstacle->dropped = obstacle->buried = false;
    obstacle->joined = GRZ_NONE;
    obstacle->hider = GRZ_NONE;
    find_axes(body, obstacle);
    if (obstacle->corner_count == 1) {
        touch_disc(body, obstacle);
    } else if (body->is_round) {
        touch_disc_body(body, obstacle);
    } else {
        touch_rect_body(body, obstacle);
    }
}

// --- Behind ---

// Whether a wall rises before a disc that rolls. It is lifted by as much as it was let in, and
// keeps its speed: so that must be next to nothing. But it goes over a ledge that is lower than a
// slop: it is in the plane of its top already.
static bool rises(const grz_met_by *body, const grz_obstacle *obstacle)
{
    return body->is_round && obstacle->corner_count == 2 && obstacle->axes[0].gap > -body->play;
}

// What the body is deep in has not held it. Most have their first corner before it.
static inline bool may_be_behind(const grz_met_by *body, const grz_obstacle *obstacle,
                                 const grz_obstacle *front)
{
    return !(front->gap < -grz_hold_depth * body->size) &&
           !(dot(obstacle->corners[0], front->normal) + obstacle->radius >
             front->plane + body->slop);
}

// Whether an obstacle lies on or behind the plane of another contact, now and after the step.
static bool is_behind(const grz_met_by *body, const grz_obstacle *obstacle,
                      const grz_obstacle *front)
{
    if (!may_be_behind(body, obstacle, front)) {
        return false;
    }
    const bool is_rolled_up = rises(body, obstacle) && // Then it has axes.
                              dot(obstacle->axes[0].normal, front->normal) > gentle;
    const double plane = front->plane + (is_rolled_up ? body->play : body->slop);
    const graze_vec2d falls = obstacle->gives_way ? vec2d(0, 0) : front->falls;
    const graze_vec2d relative = add(subtract(obstacle->velocity, front->velocity), falls);
    const double comes_out = max_double(dot(relative, front->normal) * body->dt, 0);
    const double moved = obstacle->radius > 0 ? 0 : comes_out;
    return reach_of(obstacle, front->normal) + moved <= plane;
}

static bool have_one_normal(const grz_obstacle *a, const grz_obstacle *b)
{
    return dot(a->normal, b->normal) > parallel;
}

// Of two that are each behind the other, as the sides of an outer corner, the one with the larger
// gap stays.
static bool stays_before(const grz_met_by *body, const grz_obstacle *obstacle,
                         const grz_obstacle *front)
{
    return is_behind(body, front, obstacle) &&
           (obstacle->gap > front->gap || (obstacle->gap == front->gap && obstacle < front));
}

static bool face_hides_face(const grz_met_by *body, const grz_obstacle *hidden,
                            const grz_obstacle *front)
{
    const bool doubles = !hidden->is_own && front->is_own && !(hidden->radius > 0) &&
                         !hidden->gives_way; // Each of those takes its part of a load.
    const bool may = !have_one_normal(hidden, front) || doubles;
    return may && is_behind(body, hidden, front) &&
           !(front->radius == 0 && stays_before(body, hidden, front));
}

static bool corner_hides_corner(const grz_met_by *body, const grz_obstacle *hidden,
                                const grz_obstacle *front)
{
    return !(hidden->radius > 0) && !(front->radius > 0) && !have_one_normal(hidden, front) &&
           is_behind(body, hidden, front) && !stays_before(body, hidden, front);
}

typedef bool hides_fn(const grz_met_by *body, const grz_obstacle *hidden,
                      const grz_obstacle *front);

// Hides an obstacle behind the first one that is left and hides it: any, or a face.
static void hide(const grz_met_by *body, grz_obstacle *obstacles, uint32_t count, uint32_t k,
                 bool by_any, hides_fn *hides)
{
    for (uint32_t i = 0; i < count && !obstacles[k].dropped; ++i) {
        if (i != k && !obstacles[i].dropped && (obstacles[i].is_face || by_any) &&
            may_be_behind(body, &obstacles[k], &obstacles[i]) &&
            hides(body, &obstacles[k], &obstacles[i])) {
            obstacles[k].dropped = true;
            obstacles[k].hider = i;
        }
    }
}

static void drop_behind(const grz_met_by *body, grz_obstacle *obstacles, uint32_t count)
{
    for (uint32_t k = 0; k < count; ++k) {
        if (obstacles[k].is_face) {
            hide(body, obstacles, count, k, false, face_hides_face);
        }
    }
    for (uint32_t k = 0; k < count; ++k) {
        if (!obstacles[k].is_face) {
            hide(body, obstacles, count, k, false, is_behind);
        }
    }
}

// --- Normals at corners ---

// Whether a normal at a corner leads into an edge of another obstacle that leaves the corner: then
// nothing can come from there.
static bool leads_into_edge(const grz_met_by *body, graze_vec2d edge, graze_vec2d at,
                            graze_vec2d normal)
{
    const double near = 2 * body->slop;
    const double length = length_of(edge);
    const graze_vec2d direction = unit_or(edge, vec2d(0, 0));
    const double place = dot(at, direction), beside = absolute(cross(at, direction));
    if (beside > near || place < -near || place > length + near) {
        return false;
    }
    const double lean = dot(normal, direction);
    return (place < length - near && lean > grz_contact_slop) ||
           (place > near && lean < -grz_contact_slop);
}

// The edges of its own obstacle lead away from the normal.
static bool leads_into_any(const grz_met_by *body, const grz_obstacle *own,
                           const grz_obstacle *obstacles, uint32_t count)
{
    const graze_vec2d corner = own->corners[own->corner];
    bool leads = false;
    for (uint32_t i = 0; i < count && !leads; ++i) {
        const grz_obstacle *other = &obstacles[i];
        if (other == own || other->passes) {
            continue;
        }
        for (uint32_t k = 0; k < edge_count(other) && !leads; ++k) {
            leads = leads_into_edge(body, edge_of(other, k), subtract(corner, other->corners[k]),
                                    own->normal);
        }
    }
    return leads;
}

static bool is_at_corner(const grz_obstacle *own)
{
    return !own->dropped && !own->is_own && own->corner != GRZ_NONE && own->corner_count > 1;
}

static void correct_normal(const grz_met_by *body, grz_obstacle *own, const grz_obstacle *obstacles,
                           uint32_t count)
{
    if (is_at_corner(own) && leads_into_any(body, own, obstacles, count)) {
        const double gap = own->gap;
        touch_by_axis(body, own, &own->axes[widest_axis(own, true)]);
        own->dropped = own->gap < gap && own->gap < -grz_hold_depth * body->size;
        own->buried = own->dropped && gap < -body->slop;
    }
}

// --- Sweep ---

// Where the body would go if it met only the faces: they take what leads into them.
static graze_vec2d velocity_beside_faces(const grz_met_by *body, const grz_obstacle *obstacles,
                                         uint32_t count)
{
    enum { PASSES = 4 };
    graze_vec2d velocity = body->velocity;
    bool changed = true;
    for (int pass = 0; changed && pass < PASSES; ++pass) {
        changed = false;
        for (uint32_t k = 0; k < count; ++k) {
            const grz_obstacle *face = &obstacles[k];
            if (face->dropped || !face->is_face) {
                continue;
            }
            const double speed = dot(subtract(velocity, face->velocity), face->normal) +
                                 max_double(face->gap, 0) / body->dt;
            if (speed < 0) {
                velocity = along(velocity, face->normal, -speed);
                changed = true;
            }
        }
    }
    return velocity;
}

/// The first touch of a disc with the outline of an obstacle.
typedef struct outline_entry {
    double time; ///< Seconds.
    graze_vec2d normal;
    uint32_t corner; ///< GRZ_NONE: it is an edge.
} outline_entry;

static void enter_edge(const grz_obstacle *obstacle, uint32_t k, double radius,
                       graze_vec2d velocity, outline_entry *first)
{
    const graze_vec2d edge = edge_of(obstacle, k), from = obstacle->corners[k];
    graze_vec2d normal = unit_or(left_of(edge), vec2d(0, 1));
    double distance = -dot(from, normal);
    if (distance < 0 && !obstacle->one_sided) {
        distance = -distance;
        normal = negate(normal);
    }
    const double speed = -dot(velocity, normal);
    if (distance > radius && !(speed > 0)) {
        return;
    }
    const double time = distance <= radius ? 0 : (distance - radius) / speed;
    const double place = dot(subtract(scale(velocity, time), from), edge);
    if (time < first->time && place >= 0 && place <= dot(edge, edge)) {
        const outline_entry entry = {time, normal, GRZ_NONE};
        *first = entry;
    }
}

static void enter_corner(const grz_obstacle *obstacle, uint32_t k, double radius,
                         graze_vec2d velocity, outline_entry *first)
{
    const graze_vec2d corner = obstacle->corners[k];
    const double beyond = dot(corner, corner) - radius * radius, speed = dot(corner, velocity);
    const double square = speed * speed - dot(velocity, velocity) * beyond;
    if (beyond > 0 && (!(speed > 0) || !(square >= 0))) {
        return;
    }
    const double time = beyond <= 0 ? 0 : beyond / (speed + grz_sqrt(square));
    const graze_vec2d out = subtract(scale(velocity, time), corner);
    if (time < first->time && dot(out, out) > 0) {
        const outline_entry entry = {time, unit_or(out, vec2d(0, 1)), k};
        *first = entry;
    }
}

static bool disc_enters(const grz_met_by *body, grz_obstacle *obstacle, graze_vec2d velocity)
{
    const double radius = body->half.x - (rises(body, obstacle) ? body->play : body->slop);
    outline_entry first = {.time = DBL_MAX};
    for (uint32_t k = 0; k < edge_count(obstacle); ++k) {
        enter_edge(obstacle, k, radius, velocity, &first);
    }
    for (uint32_t k = 0; k < obstacle->corner_count; ++k) {
        enter_corner(obstacle, k, radius, velocity, &first);
    }
    if (!(first.time <= body->dt) ||
        (obstacle->one_sided && !leans_on_face(obstacle, first.normal))) {
        return false;
    }
    touch_by(body, obstacle, first.normal, first.corner == GRZ_NONE);
    obstacle->is_face = obstacle->is_face && obstacle->is_own;
    obstacle->corner = first.corner;
    return true;
}

/// When the body is inside an obstacle along one axis.
typedef struct axis_passage {
    double from, until; ///< Seconds; `from` is above `until` if never.
} axis_passage;

static axis_passage pass_axis(const grz_met_by *body, const grz_obstacle_axis *axis,
                              graze_vec2d velocity)
{
    const double gap = axis->gap + body->slop, speed = -dot(velocity, axis->normal);
    const double depth = axis->width - body->slop;
    axis_passage passage = {0, DBL_MAX};
    if (gap > 0) {
        passage.from = speed > 0 ? gap / speed : DBL_MAX;
    }
    if (speed > 0) {
        passage.until = (axis->gap + depth) / speed;
    } else if (speed < 0 && gap <= 0) {
        passage.until = gap / speed;
    }
    return passage;
}

// Along which axis the body enters last: one of the obstacle's own if that is about as late.
static bool rect_enters(const grz_met_by *body, grz_obstacle *obstacle, graze_vec2d velocity)
{
    double from = -1, until = DBL_MAX;
    uint32_t last = 0;
    for (uint32_t k = 0; k < obstacle->axis_count; ++k) {
        const axis_passage passage = pass_axis(body, &obstacle->axes[k], velocity);
        last = passage.from > from ? k : last;
        from = max_double(from, passage.from);
        until = min_double(until, passage.until);
    }
    if (from > body->dt || from >= until) {
        return false;
    }
    if (!(from > 0)) {
        return true; // It overlaps already: the normal stays.
    }
    const double about = 2 * body->slop / max_double(length_of(velocity), body->slop / body->dt);
    for (uint32_t k = 0; k < obstacle->axis_count && !obstacle->axes[last].is_own; ++k) {
        const axis_passage passage = pass_axis(body, &obstacle->axes[k], velocity);
        last =
            obstacle->axes[k].is_own && passage.from > 0 && from - passage.from <= about ? k : last;
    }
    touch_by_axis(body, obstacle, &obstacle->axes[last]);
    return true;
}

static bool enters(const grz_met_by *body, grz_obstacle *obstacle, graze_vec2d velocity)
{
    const graze_vec2d relative = subtract(velocity, obstacle->velocity);
    return body->is_round ? disc_enters(body, obstacle, relative)
                          : rect_enters(body, obstacle, relative);
}

// Whether two meet on their ways, however they turn.
static bool do_circles_meet(const grz_met_by *body, const grz_obstacle *driven, graze_vec2d delta)
{
    const double own = body->is_round ? body->half.x : length_of(body->half);
    const double others = driven->radius + length_of(subtract(driven->corners[0], driven->centre));
    return graze_sweep_circles(driven->centre, delta, others, own).hit;
}

static bool disc_is_met(const grz_met_by *body, grz_obstacle *disc, graze_vec2d delta)
{
    const graze_sweep sweep =
        body->is_round ? graze_sweep_circles(disc->centre, delta, disc->radius, body->half.x)
                       : graze_sweep_circle_rect(disc->centre, delta, disc->radius,
                                                 narrow(body->half), body->rotation);
    if (sweep.hit) {
        touch_by(body, disc, sweep.normal, true);
    }
    return sweep.hit;
}

static bool is_met(const grz_met_by *body, grz_obstacle *driven)
{
    const graze_vec2d delta = scale(subtract(driven->velocity, body->velocity), body->dt);
    const bool is_disc = driven->corner_count == 1;
    if ((!is_disc && driven->spin != 0) || (!body->is_round && body->spin != 0)) {
        return do_circles_meet(body, driven, delta);
    }
    return is_disc ? disc_is_met(body, driven, delta) : enters(body, driven, body->velocity);
}

// What is driven past a body, and is not beside it yet, is met only if it is on their ways.
static void sweep_driven(const grz_met_by *body, grz_obstacle *obstacles, uint32_t count)
{
    for (uint32_t k = 0; k < count; ++k) {
        grz_obstacle *driven = &obstacles[k];
        if (driven->row != GRZ_NONE && !driven->gives_way && !driven->dropped &&
            driven->gap > grz_contact_margin * body->size) {
            driven->dropped = !is_met(body, driven);
        }
    }
}

static void sweep_corners(const grz_met_by *body, grz_obstacle *obstacles, uint32_t count)
{
    graze_vec2d velocity = body->velocity;
    bool known = false;
    for (uint32_t k = 0; k < count; ++k) {
        grz_obstacle *corner = &obstacles[k];
        if (corner->dropped || corner->is_face || corner->radius > 0) {
            continue;
        }
        velocity = known ? velocity : velocity_beside_faces(body, obstacles, count);
        known = true;
        const bool is_entered =
            enters(body, corner, velocity_at(body, velocity, corner->points[0]));
        corner->dropped = !is_entered || (corner->one_sided && !corner->is_own && !body->is_round);
        if (body->is_round) { // A rect enters by its own side, or by one of the obstacle's.
            correct_normal(body, corner, obstacles, count);
        }
    }
}

// --- One-sided walls ---

// What comes through from the right passes until it has left the wall: it is deeper than a landing
// takes it in a step, and was not in contact with the wall before.
static bool passes_through(const grz_met_by *body, const grz_obstacle *wall)
{
    const graze_vec2d tangent = left_of(wall->normal);
    const double spin = body->turns ? absolute(body->spin) * length_of(body->half) : 0;
    const double approach = max_double(-dot(body->velocity, wall->normal) + spin, 0);
    const double landing = 2 * body->slop + approach * body->dt;
    if (wall->gap < -landing && !(wall->met_before && wall->gap > -body->size)) {
        return true;
    }
    const double first = dot(wall->corners[0], tangent), second = dot(wall->corners[1], tangent);
    const double reach = length_of(body->way) + body->slop +
                         (body->is_round ? body->half.x : support(body, tangent));
    return min_double(first, second) > reach || max_double(first, second) < -reach;
}

// What is deep in a corner where no wall has a way out of it leaves by the nearest one all the
// same: something must hold it, or it would stay.
static void leave_buried(const grz_met_by *body, grz_obstacle *obstacles, uint32_t count)
{
    uint32_t best = GRZ_NONE;
    GRZ_FAULT(staying_in_corners, count = 0);
    for (uint32_t k = 0; k < count; ++k) {
        if (!obstacles[k].dropped && obstacles[k].gap <= body->margin) {
            return;
        }
        if (obstacles[k].buried && (best == GRZ_NONE || obstacles[k].gap > obstacles[best].gap)) {
            best = k;
        }
    }
    if (best != GRZ_NONE) {
        obstacles[best].dropped = false;
    }
}

void grz_obstacles_rule(const grz_met_by *body, grz_obstacle *obstacles, uint32_t count)
{
    const bool is_alone = count == 1; // Then it is behind nothing.
    for (uint32_t k = 0; k < count; ++k) {
        touch_now(body, &obstacles[k]);
        obstacles[k].dropped =
            obstacles[k].passes || (obstacles[k].one_sided && passes_through(body, &obstacles[k]));
    }
    for (uint32_t k = 0; k < count && !is_alone; ++k) {
        correct_normal(body, &obstacles[k], obstacles, count);
    }
    if (!is_alone) {
        drop_behind(body, obstacles, count);
    }
    sweep_driven(body, obstacles, count);
    sweep_corners(body, obstacles, count);
    if (!is_alone) {
        for (uint32_t k = 0; k < count; ++k) {
            hide(body, obstacles, count, k, true, corner_hides_corner);
        }
        leave_buried(body, obstacles, count);
    }
}

// --- One manifold a plane ---

static bool may_merge(const grz_obstacle *obstacle)
{
    const bool stands =
        obstacle->velocity.x == 0 && obstacle->velocity.y == 0 && obstacle->spin == 0;
    return !obstacle->dropped && !(obstacle->radius > 0) && stands;
}

static bool is_in_plane(const grz_met_by *body, const grz_obstacle *first,
                        const grz_obstacle *other)
{
    return may_merge(other) && have_one_normal(first, other) &&
           absolute(first->plane - other->plane) <= body->slop &&
           other->gap <= grz_obstacle_margin(body, other);
}

static void extend(grz_obstacle *first, const grz_obstacle *other)
{
    const graze_vec2d tangent = left_of(first->normal);
    graze_vec2d points[2 * GRZ_MANIFOLD_POINTS] = {{0, 0}};
    double gaps[2 * GRZ_MANIFOLD_POINTS] = {0};
    uint32_t count = 0, low = 0, high = 0;
    for (uint32_t k = 0; k < first->point_count + other->point_count; ++k, ++count) {
        const bool own = k < first->point_count;
        points[k] = own ? first->points[k] : other->points[k - first->point_count];
        gaps[k] = own ? first->gaps[k] : other->gaps[k - first->point_count];
        low = dot(points[k], tangent) < dot(points[low], tangent) ? k : low;
        high = dot(points[k], tangent) > dot(points[high], tangent) ? k : high;
    }
    first->point_count = 0;
    put_point(first, points[low], gaps[low]);
    if (high != low) {
        put_point(first, points[high], gaps[high]);
    }
}

void grz_obstacles_merge(const grz_met_by *body, grz_obstacle *obstacles, uint32_t count)
{
    for (uint32_t k = 0; k < count && !body->is_round; ++k) {
        if (!may_merge(&obstacles[k]) ||
            obstacles[k].gap > grz_obstacle_margin(body, &obstacles[k])) {
            continue;
        }
        for (uint32_t i = k + 1; i < count; ++i) {
            if (is_in_plane(body, &obstacles[k], &obstacles[i])) {
                extend(&obstacles[k], &obstacles[i]);
                obstacles[i].dropped = true;
                obstacles[i].joined = k;
            }
        }
    }
}

static double margin_of(const grz_met_by *body, graze_vec2d velocity, double spin)
{
    const double relative = length_of(subtract(body->velocity, velocity)) * body->dt;
    const double own_spin = body->is_round ? 0 : absolute(body->spin);
    const double turning = (own_spin + absolute(spin)) * length_of(body->half) * body->dt;
    return max_double(grz_contact_margin * body->size, relative + turning + body->slop);
}

double grz_obstacle_margin(const grz_met_by *body, const grz_obstacle *obstacle)
{
    return obstacle->row == GRZ_NONE ? body->margin
                                     : margin_of(body, obstacle->velocity, obstacle->spin);
}

static double rounding_at(graze_vec2 at)
{
    return 4 * 0x1p-23 * max_double(absolute((double)at.x), absolute((double)at.y));
}

double grz_slop_of(const graze_world *world, grz_row row)
{
    return max_double(grz_contact_slop * grz_size_of(world, row),
                      rounding_at(world->bodies.rows.position[row]));
}

// Where it stays: a copy would have to wait until all of it is stored.
void grz_met_by_fill(const graze_world *world, grz_row row, grz_met_by *body)
{
    const grz_rows *rows = &world->bodies.rows;
    body->row = row;
    body->is_round = grz_kind_of(rows->traits[row]) == GRAZE_SHAPE_CIRCLE;
    body->turns = grz_turns_by_contacts(world, row);
    body->half = widen(rows->half[row]);
    body->rotation = grz_rotation_of(rows, row);
    body->size = grz_size_of(world, row);
    body->slop = grz_slop_of(world, row);
    body->play = body->is_round
                     ? max_double(round_play * body->size, rounding_at(rows->position[row]))
                     : body->slop;
    body->velocity = widen(rows->end_velocity[row]);
    body->spin = (double)grz_spin_of(rows, row);
    body->dt = (double)world->call.dt;
    body->way = offset(rows->end[row], rows->position[row]);
    if (!body->is_round) {
        const graze_vec2d x = grz_x_axis(body->rotation);
        body->reach = vec2d(support(body, x), support(body, left_of(x)));
        find_corners(body->half, body->rotation, body->corners);
    }
    body->margin = margin_of(body, vec2d(0, 0), 0);
}
