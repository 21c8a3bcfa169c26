#include "collide/terrain_sweep.h"

#include <graze/orient.h>
#include <graze/sweep_turn.h>

#include "collide/joint.h"
#include "collide/pair_sweep.h"
#include "fault.h"
#include "likely.h"
#include "vec2d.h"
#include "world/bodies.h"
#include "world/rows.h"

static void fill_shape(const grz_rows *rows, grz_row row, grz_mover *mover)
{
    mover->half = rows->half[row];
    mover->rotation = grz_rotation_of(rows, row);
    mover->rotates = (rows->traits[row] & GRZ_TRAIT_SPINS) != 0;
    mover->turn = grz_turn_of(rows, row);
    mover->turned = 0;
    mover->extent = grz_extent_of(rows, row);
}

// A ray has no half extents, and is not turned.
static void clear_shape(grz_mover *mover)
{
    const graze_rotation none = {0, 0};
    mover->half = mover->extent = (graze_vec2){0, 0};
    mover->rotation = none;
    mover->rotates = false;
    mover->turn = mover->turned = 0;
}

// Where it stays: a copy would have to wait until all of it is stored.
void grz_mover_fill(const graze_world *world, grz_row row, const grz_trajectory *trajectory,
                    grz_mover *mover)
{
    const grz_known_walls none = {.count = 0};
    const grz_rows *rows = &world->bodies.rows;
    mover->kind = grz_kind_of(rows->traits[row]);
    mover->responds = (rows->traits[row] & GRZ_TRAIT_RESPONDS) != 0;
    mover->filter = grz_filter_of(world, rows->index[row]);
    mover->body = grz_row_id(rows, row);
    mover->known_walls = trajectory ? trajectory->known_walls : none;
    if (mover->kind == GRAZE_SHAPE_RAY) {
        clear_shape(mover);
    } else {
        fill_shape(rows, row, mover);
    }
}

// Which of the walls that are known are near is asked of all first: a branch for each would often
// be guessed wrongly.
static uint64_t find_near(const grz_wall *walls, uint32_t count, const graze_aabb *box)
{
    uint64_t near = 0;
    for (uint32_t k = 0; k < count; ++k) {
        const graze_segment wall = walls[k].segment;
        near |= (uint64_t)!grz_is_outside(wall.a, wall.b, box) << k;
    }
    return near;
}

// Takes the walls that are known, if all that are in the box are among them.
static inline bool take_known(grz_wall_search *search, const graze_world *world,
                              const grz_known_walls *known)
{
    search->known_walls = NULL;
    if (!known->count || !grz_holds_box(&known->box, &search->box)) {
        return false;
    }
    search->known_walls = world->impacts.known_walls.data + known->first;
    search->known_left = find_near(search->known_walls, known->count, &search->box);
    return true;
}

static void walk_grid(grz_wall_search *search, graze_segment_walk walk)
{
    search->span.count = 0;
    search->next = 0;
    search->walk = walk;
}

void grz_wall_search_begin(grz_wall_search *search, const graze_world *world,
                           const grz_known_walls *known, graze_vec2 point)
{
    search->box = (graze_aabb){point, point};
    if (!take_known(search, world, known)) {
        walk_grid(search, graze_segment_grid_walk_box(&world->terrain.grid, search->box));
    }
}

void grz_wall_walk_begin(grz_wall_walk *walk, const graze_world *world, const grz_mover *mover,
                         graze_vec2 from, graze_vec2 to)
{
    grz_wall_search *search = &walk->search;
    const graze_aabb box = grz_swept_box(from, to, mover->extent); // Two copies of one would wait.
    walk->move = (grz_move){world, mover, from, to, box};
    search->box = box;
    if (!take_known(search, world, &mover->known_walls)) {
        walk_grid(search, mover->kind == GRAZE_SHAPE_RAY
                              ? graze_segment_grid_walk_ray(&world->terrain.grid, from, to)
                              : graze_segment_grid_walk_box(&world->terrain.grid, search->box));
    }
}

static GRZ_APART bool game_lets_meet(const graze_world *world, graze_body_id body, uint32_t chain)
{
    const graze_body_id none = {0, 0};
    const graze_segment_id segment = {{chain, world->terrain.chains[chain].generation}, 0};
    return world->config.filter(world, body, none, segment, world->config.filter_user);
}

static inline bool chain_is_met(const graze_world *world, const grz_mover *mover, uint32_t index)
{
    const grz_chain *chain = &world->terrain.chains[index];
    if (!grz_filters_meet(*mover->filter, chain->filter)) {
        return false;
    }
    return !world->config.filter || mover->body.generation == 0 ||
           game_lets_meet(world, mover->body, index);
}

static graze_sweep sweep_shape(const grz_mover *mover, graze_vec2 from, graze_vec2d delta,
                               graze_segment wall)
{
    const graze_vec2d start = widen(from);
    if (mover->kind == GRAZE_SHAPE_CIRCLE) {
        return graze_sweep_circle_segment(start, delta, (double)mover->half.x, wall);
    }
    return graze_sweep_rect_segment(start, delta, mover->half, mover->rotation, wall);
}

// Of what the move with the rotation before the step misses.
static graze_sweep sweep_turning(const grz_mover *mover, graze_vec2 from, graze_vec2d delta,
                                 graze_segment wall)
{
    const graze_rotation rotation = mover->turned != 0
                                        ? graze_rotation_turned(mover->rotation, mover->turned)
                                        : mover->rotation;
    graze_sweep sweep =
        graze_sweep_turning_segment(widen(from), delta, mover->half, rotation, mover->turn, wall);
    sweep.depth = 0;
    return sweep;
}

// Finds where a ray's move from -> to crosses a wall.
static bool touch_by_ray(graze_vec2 from, graze_vec2 to, graze_segment wall, grz_touch *touch)
{
    const graze_sweep sweep = graze_sweep_point_segment(from, to, wall);
    grz_touch crossing = {sweep.time, sweep.point, sweep.normal, 0, 0, true, false, false, false};
    crossing.approach = sweep.time < 1 ? dot(offset(to, from), sweep.normal) : 0;
    *touch = crossing;
    return sweep.hit;
}

// The point of a rect that is as deep on its other side: the opposite corner, or, where a side lies
// along the wall, what is straight across.
static graze_vec2d across_rect(const grz_mover *mover, graze_vec2 from, const graze_sweep *sweep)
{
    GRZ_FAULT(touching_halfway, return sweep->point);
    const double sine = 1e-6; // As the narrowphase has it, which chose the point: feature_pair.h.
    const graze_vec2d u = grz_x_axis(mover->rotation);
    const graze_vec2d out = subtract(sweep->point, widen(from));
    const double lean_u = absolute(dot(sweep->normal, u));
    const double lean_v = absolute(cross(sweep->normal, u));
    return min_double(lean_u, lean_v) > sine
               ? along(sweep->point, out, -2)
               : along(sweep->point, sweep->normal, -2 * dot(out, sweep->normal));
}

// What has its centre on a wall, as a point that touches it, touches it from both sides: it comes
// from the side that the fill rule names.
static void turn_to_centre(const grz_mover *mover, graze_vec2 from, graze_segment wall,
                           graze_sweep *sweep)
{
    const graze_vec2d wall_along = offset(wall.b, wall.a);
    const bool from_left = grz_is_on_left(wall, from);
    if (grz_is_of_face(wall_along, dot(sweep->normal, wall_along)) &&
        (cross(wall_along, sweep->normal) > 0) == from_left) {
        if (mover->kind == GRAZE_SHAPE_RECT) {
            sweep->point = across_rect(mover, from, sweep);
        }
        sweep->normal = negate(sweep->normal);
    }
}

static bool is_outside_in(const graze_segment_span *span, uint32_t place, const graze_aabb *box)
{
    const graze_vec2 a = {span->ax[place], span->ay[place]};
    const graze_vec2 b = {span->bx[place], span->by[place]};
    return grz_is_outside(a, b, box);
}

// Formulas give time and normal, but the exact test of the centre's path decides whether the wall
// is crossed: so rounding may cost accuracy, but never opens a gap.
static inline bool touch_by_shape(const grz_mover *mover, graze_vec2 from, graze_vec2 to,
                                  graze_segment wall, grz_touch *touch)
{
    const bool crosses = !grz_are_apart(from, to, wall) && graze_crosses(from, to, wall);
    graze_sweep sweep = sweep_shape(mover, from, offset(to, from), wall); // Nothing but that stays.
    GRZ_FAULT(guard_of_circles, crosses = false);
    if (!sweep.hit && crosses) {
        sweep = graze_sweep_point_segment(from, to, wall);
    }
    const bool turns = !sweep.hit && mover->turn != 0;
    if (turns) {
        sweep = sweep_turning(mover, from, offset(to, from), wall);
    }
    if (!sweep.hit) {
        return false;
    }
    const double size = min_double((double)mover->half.x, (double)mover->half.y);
    const bool may_be_halfway = 2 * sweep.depth >= size;
    GRZ_FAULT(leaving_halfway, may_be_halfway = size == 0);
    if (may_be_halfway) {
        turn_to_centre(mover, from, wall, &sweep);
    }
    // It grazes the ends of walls where tiles join, which must not stop what slides over them.
    touch->passes = size == 0 && !crosses;
    touch->time = sweep.time;
    touch->point = vec2d(sweep.point.x, sweep.point.y); // Copies would wait for both.
    touch->normal = vec2d(sweep.normal.x, sweep.normal.y);
    touch->depth = sweep.depth;
    touch->approach = 0;
    touch->crosses = crosses;
    touch->turns = turns;
    touch->blocks = false;
    return true;
}

bool grz_touch_by_shape(const grz_mover *mover, graze_vec2 from, graze_vec2 to, graze_segment wall,
                        grz_touch *touch)
{
    return touch_by_shape(mover, from, to, wall, touch);
}

bool grz_ray_meets(const graze_world *world, const grz_mover *mover, graze_vec2 from,
                   graze_segment wall, uint32_t chain)
{
    return (!world->terrain.chains[chain].one_sided || grz_is_on_left(wall, from)) &&
           chain_is_met(world, mover, chain);
}

bool grz_touch_wall(const grz_move *move, const grz_wall *wall, grz_touch *touch)
{
    const grz_mover *mover = move->mover;
    if (mover->kind == GRAZE_SHAPE_RAY) {
        return touch_by_ray(move->from, move->to, wall->segment, touch) &&
               grz_ray_meets(move->world, mover, move->from, wall->segment, wall->chain);
    }
    // At a very long wall rounding errors can exceed the size of a mover. A touch by rounding alone
    // must not depend on which cells list the wall.
    if (!touch_by_shape(mover, move->from, move->to, wall->segment, touch) ||
        !grz_line_meets_box(wall->segment.a, wall->segment.b, &move->box)) {
        return false;
    }
    const grz_chain *chain = &move->world->terrain.chains[wall->chain];
    if (chain->one_sided && !grz_is_on_left(wall->segment, move->from)) {
        return false;
    }
    if (!touch->crosses) {
        touch->normal =
            grz_smooth_normal(chain, wall->item, wall->segment, move->from, touch->normal);
    }
    touch->approach = touch->turns ? 0 : grz_approach_along(move, touch->time, touch->normal);
    return !(chain->one_sided && grz_is_coming_through(move, wall, touch)) &&
           chain_is_met(move->world, mover, wall->chain);
}

bool grz_touch_wall_aside(const grz_move *move, graze_segment_id segment, double time,
                          graze_vec2d aside, graze_vec2d *normal)
{
    const grz_chain *chain = &move->world->terrain.chains[segment.chain.index];
    const graze_segment wall = grz_chain_wall(chain, segment.index);
    const graze_vec2d delta = offset(move->to, move->from);
    const graze_vec2d start = add(along(widen(move->from), delta, time), aside);
    graze_vec2d own;
    const bool hit = graze_sweep_rect_segment_normal(
        start, scale(delta, 1 - time), move->mover->half, move->mover->rotation, wall, &own);
    if (hit) {
        *normal = grz_smooth_normal(chain, segment.index, wall, move->from, own);
    }
    return hit;
}

const grz_wall *grz_wall_search_grid(grz_wall_search *search, double limit)
{
    for (;;) {
        if (search->next >= search->span.count) {
            if (!graze_segment_walk_next(&search->walk, limit, &search->span)) {
                return NULL;
            }
            search->next = 0;
        }
        const uint32_t place = search->next++;
        if (!is_outside_in(&search->span, place, &search->box)) {
            search->found = grz_wall_of_span(&search->span, place);
            return &search->found;
        }
    }
}
