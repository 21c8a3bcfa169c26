#include "pile/pile_walls.h"

#include "meet/meet.h"
#include "meet/tolerance.h"
#include "motion/clearance.h"
#include "motion/event_queue.h"
#include "motion/event_walls.h"
#include "motion/exchange.h"
#include "pile/pile_near.h"
#include "pile/pile_sets.h"
#include "terrain/corner.h"
#include "terrain/terrain.h"

static const double face_lean = 1e-9; ///< Cosine: by rounding a normal is not quite upright.

// A body that bounces off a wall does not lie on it.
static bool add_wall(graze_world *world, uint32_t row, graze_segment_id segment, graze_vec2d normal,
                     double gap)
{
    const grz_motion *motion = grz_motion_of(world, row);
    const double into = dot(motion->velocity, normal);
    if (grz_restitution_of(world, row, GRZ_NONE, grz_bounces(world, motion), into) > 0) {
        return true;
    }
    grz_constraint *next = grz_next_constraint(world);
    if (!next) {
        return false;
    }
    const grz_constraint constraint = {.kind = GRZ_CONSTRAINT_WALL,
                                       .upper = world->motion_of_row.data[row],
                                       .lower = GRZ_NONE,
                                       .id = grz_constraint_wall_id(segment),
                                       .normal = normal,
                                       .gap = gap,
                                       .slack = grz_overlap_allowed(world, row, normal) / 2,
                                       .share = 1,
                                       .friction = grz_friction_of(world, motion, NULL)};
    *next = constraint;
    ++world->piles.constraints.count;
    return true;
}

// Whether an event says that a body, in a set large enough for a pile, will soon meet a solid wall.
// Only walls before walls_until count: which of these are known does not depend on the order in
// which cells list them.
static bool is_ahead(const graze_world *world, const grz_event *event, double gap)
{
    const grz_touch *touch = &event->touch;
    const uint32_t row = event->row_a;
    return event->row_b == GRZ_NONE && grz_is_pushed(world, row) &&
           grz_pile_is_many(world, world->motion_of_row.data[row]) && touch->approach > 0 &&
           !touch->passes && touch->time <= grz_motion_of(world, row)->walls_until &&
           gap <= grz_push_share(world) * grz_size_of(world, row) &&
           grz_chain_stops_body(world, event->segment, row);
}

static bool add_walls_ahead(graze_world *world)
{
    for (uint32_t e = 0; e < world->events.count; ++e) {
        const grz_event *event = &world->events.data[e];
        const double gap = event->touch.approach * event->touch.time;
        if (is_ahead(world, event, gap) &&
            !add_wall(world, event->row_a, event->segment, event->touch.normal, gap)) {
            return false;
        }
    }
    grz_events_clear(world);
    return true;
}

// Whether a normal is perpendicular to the wall: at an end of the wall it may be that of a joint.
static bool is_of_face(graze_segment wall, graze_vec2d normal)
{
    const graze_vec2d delta = offset(wall.b, wall.a);
    return absolute(dot(delta, normal)) <= face_lean * length_of(delta);
}

// Whether a rect and a wall are beside each other: as seen along the normal, more of one is behind
// the other than a corner that has sunk in. The side of a tile begins at a corner of what lies on
// the tile, and is not in its way.
static bool is_beside(const graze_world *world, uint32_t row, graze_segment wall,
                      graze_vec2d normal)
{
    if (!(world->rows.traits[row] & GRAZE_SHAPE_RECT)) {
        return true;
    }
    const graze_vec2d axis = left_of(normal);
    const graze_vec2 at = world->rows.position[row];
    const double reach = grz_rect_reach(world, row, axis);
    const double a = dot(offset(wall.a, at), axis), b = dot(offset(wall.b, at), axis);
    const double begin = max_double(min_double(a, b), -reach);
    const double end = min_double(max_double(a, b), reach);
    const double room = grz_corner_room_at(at, grz_size_of(world, row), axis);
    return end - begin > min_double(room, absolute(b - a) / 2);
}

// Whether a wall near a body that lies in a heap holds it there.
static bool is_of_side(const graze_world *world, uint32_t row, graze_segment_id segment,
                       graze_vec2d normal)
{
    const graze_segment wall = grz_chain_wall(&world->chains[segment.chain.index], segment.index);
    return is_of_face(wall, normal) && is_beside(world, row, wall, normal);
}

// Adds the walls beside a body, which it does not approach before it is pushed: those that it
// overlaps once it has grown. It grows by no more than grz_clearance_margin: so a body that is
// clear of walls has none beside it.
static bool add_walls_beside(graze_world *world, uint32_t row)
{
    const float margin = (float)(grz_near_share * grz_size_of(world, row));
    const graze_vec2 at = world->rows.position[row];
    grz_mover grown;
    grz_mover_fill(world, row, &grown);
    grown.half.x += margin;
    grown.half.y += margin;
    grown.extent.x += 2 * margin;
    grown.extent.y += 2 * margin;
    grown.rotates = false;
    grz_wall_walk walk;
    grz_wall_walk_begin(&walk, world, &grown, at, at);
    grz_touch touch;
    graze_segment_id segment;
    while (grz_wall_walk_next(&walk, 1, &touch, &segment)) {
        const double gap = grz_growth_along(world, row, (double)margin, touch.normal) - touch.depth;
        if (grz_chain_stops(world, segment, grown.filter) && gap <= (double)margin &&
            (grz_piles_are_crowds(world) || is_of_side(world, row, segment, touch.normal)) &&
            !add_wall(world, row, segment, touch.normal, gap)) {
            return false;
        }
    }
    return true;
}

bool grz_pile_walls_add(graze_world *world)
{
    if (!world->segment_count) {
        return true;
    }
    for (uint32_t m = 0; m < world->motions.count; ++m) {
        grz_motion *motion = &world->motions.data[m];
        if (grz_pile_is_many(world, m) && !grz_clearance_find(world, motion) &&
            !(add_walls_beside(world, motion->row) &&
              grz_foresee_walls(world, motion->row, true))) {
            return false;
        }
    }
    return add_walls_ahead(world);
}
