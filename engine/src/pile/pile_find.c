#include "pile/pile_find.h"

#include "body/bodies.h"
#include "body/rows.h"
#include "list.h"
#include "pile/forest.h"
#include "pile/pile_crowd.h"
#include "respond/clearance.h"
#include "respond/event_foresee.h"
#include "respond/event_queue.h"
#include "respond/exchange.h"
#include "respond/meet.h"
#include "respond/motion.h"
#include "respond/tolerance.h"
#include "terrain/terrain.h"

enum {
    LEAST_OF_PILE = 2,
    LEAST_OF_CROWD = 3, ///< A pair settles by itself.
    HELD = 0x40000000,  ///< In sizes: the pile is held.
    SIZE = HELD - 1
};

static const double near_share = 0x1p-8;    ///< Of the size: what is so close lies on each other.
static const double press_tolerance = 1e-6; ///< Of the speed: less is along a surface.
static const double face_lean = 1e-9;       ///< Cosine: a normal leans along its wall by rounding.

// One that slides or bounces, and is solid: it is pushed, and pushes.
static bool is_pushed(const graze_world *world, uint32_t row)
{
    const uint32_t traits = world->rows.traits[row];
    return row < world->active_count && (traits & GRZ_TRAIT_FREE) && (traits & GRZ_TRAIT_TURNS) &&
           grz_is_solid(traits);
}

static uint32_t motion_at(const graze_world *world, uint32_t row)
{
    return world->motion_of_row.data[row];
}

// Returns the place of the next constraint, which counts once it is filled in: it is large, and is
// not put together aside. Null when there is no memory.
static grz_constraint *next_constraint(graze_world *world)
{
    grz_piles *piles = &world->piles;
    return grz_array_reserve_more(&piles->constraints, &world->counting, 1)
               ? &piles->constraints.data[piles->constraints.count]
               : NULL;
}

// --- Bodies ---

static double lesser_size(const graze_world *world, uint32_t row_a, uint32_t row_b)
{
    return lesser(grz_size_of(world, row_a), grz_size_of(world, row_b));
}

// Circles of a crowd that may meet push each other as if they were close: the surface that one
// sees of the other hardly turns on such a way, which that of a rect may.
static double circles_share(const graze_world *world)
{
    return grz_piles_are_crowds(world) ? grz_crowd_margin : near_share;
}

static bool find_gap_of_circles(const graze_world *world, uint32_t a, uint32_t b,
                                grz_constraint *constraint)
{
    const graze_vec2d way = offset(world->rows.position[b], world->rows.position[a]);
    const double reach = (double)world->rows.half[a].x + (double)world->rows.half[b].x;
    const double most = reach + circles_share(world) * lesser_size(world, a, b);
    const double square = dot(way, way);
    if (square > most * most || square == 0) {
        return false;
    }
    const double distance = grz_sqrt(square);
    constraint->normal = scale(way, 1 / distance);
    constraint->gap = distance - reach;
    return true;
}

// How much nearer a body comes to what lies along a normal when it grows by a margin on all sides:
// the corner of a rect comes nearer than its side.
static double find_growth(const graze_world *world, uint32_t row, double margin, graze_vec2d normal)
{
    if (!(world->rows.traits[row] & GRAZE_SHAPE_RECT)) {
        return margin;
    }
    const graze_rotation rotation = grz_rotation_of(&world->rows, row);
    const graze_vec2d side = {(double)rotation.cosine, (double)rotation.sine};
    return margin * (absolute(dot(side, normal)) + absolute(cross(side, normal)));
}

// With a rect: what is close overlaps once a has grown by the margin.
static bool find_gap_of_figures(const graze_world *world, uint32_t a, uint32_t b,
                                grz_constraint *constraint)
{
    const float margin = (float)(near_share * lesser_size(world, a, b));
    const graze_vec2d still = {0, 0};
    const graze_vec2d start = offset(world->rows.position[a], world->rows.position[b]);
    const graze_vec2 half = world->rows.half[a];
    const graze_vec2 grown = {half.x + margin, half.y + margin};
    const graze_sweep sweep = grz_sweep_bodies(&world->rows, a, grown, b, start, still);
    if (!sweep.hit) {
        return false;
    }
    constraint->normal = sweep.normal;
    constraint->gap = find_growth(world, a, (double)margin, sweep.normal) - sweep.depth;
    return constraint->gap <= (double)margin;
}

static bool find_gap(const graze_world *world, uint32_t a, uint32_t b, grz_constraint *constraint)
{
    const uint32_t traits = world->rows.traits[a] | world->rows.traits[b];
    return traits & GRAZE_SHAPE_RECT ? find_gap_of_figures(world, a, b, constraint)
                                     : find_gap_of_circles(world, a, b, constraint);
}

// Of two of which one has no mass the other alone gives way.
static double find_friction(const graze_world *world, const grz_motion *a, const grz_motion *b,
                            double share)
{
    const bool both = share > 0 && share < 1;
    return share > 0 ? grz_friction_of(world, a, both ? b : NULL) : grz_friction_of(world, b, NULL);
}

/// The rows of a meeting: one that is pushed, and the other.
typedef struct parties {
    uint32_t pushed, other;
    bool gives_way; ///< The other is pushed, too.
    bool is_void;   ///< None is, or the other is not solid.
} parties;

// The answer must not depend on the order of rows: of two that are pushed the first is a. Inline:
// it is put together of parts so small that to hand it on would take longer than all the rest.
static inline parties parties_of(const graze_world *world, uint32_t place)
{
    const grz_meeting *meeting = &world->meetings.data[place];
    const bool first = is_pushed(world, meeting->row_a);
    const bool second = is_pushed(world, meeting->row_b);
    const uint32_t pushed = first ? meeting->row_a : meeting->row_b;
    const uint32_t other = first ? meeting->row_b : meeting->row_a;
    const bool is_void = !(first || second) || !grz_is_solid(world->rows.traits[other]);
    const parties of = {pushed, other, first && second, is_void};
    return of;
}

static double find_approach(const graze_world *world, const parties *of, graze_vec2d normal)
{
    return dot(subtract(grz_velocity_of(world, of->pushed), grz_velocity_of(world, of->other)),
               normal);
}

// Whether the two press on each other matters in crowds alone.
static void measure_press(const graze_world *world, const parties *of, grz_constraint *constraint)
{
    const double into = find_approach(world, of, constraint->normal);
    const double size = lesser_size(world, of->pushed, of->other);
    const double dt = (double)world->dt;
    constraint->joins = constraint->gap <= near_share * size || into * dt > constraint->gap;
    constraint->squeezes = grz_crowd_squeezes(constraint->gap, into, size, dt);
}

// Fills in all of a constraint that takes no motion. Returns false if the two are not close.
static bool measure_pair(const graze_world *world, const parties *of, grz_constraint *constraint)
{
    if (!find_gap(world, of->pushed, of->other, constraint)) {
        return false;
    }
    constraint->kind = of->gives_way ? GRZ_CONSTRAINT_BODY : GRZ_CONSTRAINT_FIXED;
    constraint->joins = true;
    constraint->squeezes = false;
    if (grz_piles_are_crowds(world)) {
        measure_press(world, of, constraint);
    }
    return true;
}

static bool are_thrown_back(const graze_world *world, const parties *of, graze_vec2d normal)
{
    const bool bounces =
        grz_bounces_at(world, of->pushed) || (of->gives_way && grz_bounces_at(world, of->other));
    return bounces && grz_restitution_of(world, of->pushed, of->other, bounces,
                                         find_approach(world, of, normal)) > 0;
}

// Adds the next constraint, which is measured, unless the two are thrown back.
static bool add_measured(graze_world *world, const parties *of, grz_constraint *constraint)
{
    if (are_thrown_back(world, of, constraint->normal)) {
        return true;
    }
    if (!grz_motion_give(world, of->pushed) ||
        (of->gives_way && !grz_motion_give(world, of->other))) {
        return false;
    }
    const grz_motion *a = grz_motion_of(world, of->pushed);
    const grz_motion *b = of->gives_way ? grz_motion_of(world, of->other) : NULL;
    constraint->upper = motion_at(world, of->pushed);
    constraint->lower = of->gives_way ? motion_at(world, of->other) : GRZ_NONE;
    constraint->id = world->rows.index[of->other];
    const graze_vec2d still = {0, 0};
    const graze_vec2d velocity = of->gives_way ? still : grz_velocity_of(world, of->other);
    constraint->speed = dot(velocity, constraint->normal);
    constraint->slip = dot(velocity, left_of(constraint->normal));
    constraint->impulse = 0;
    constraint->slack = grz_overlap_allowed(world, of->pushed, constraint->normal) / 2;
    constraint->share = grz_share_out(world, a, b).a;
    constraint->friction = find_friction(world, a, b, constraint->share);
    ++world->piles.constraints.count;
    return true;
}

static bool note_loose(graze_world *world, uint32_t meeting)
{
    grz_piles *piles = &world->piles;
    if (!grz_array_reserve_more(&piles->loose, &world->counting, 1)) {
        return false;
    }
    piles->loose.data[piles->loose.count++] = meeting;
    return true;
}

// Two that are close, but do not join, are noted: they push each other only if both are of crowds.
static bool add_meeting(graze_world *world, uint32_t place)
{
    const parties of = parties_of(world, place);
    if (of.is_void) {
        return true;
    }
    grz_constraint *constraint = next_constraint(world);
    if (!constraint) {
        return false;
    }
    constraint->meeting = place;
    if (!measure_pair(world, &of, constraint)) {
        return true;
    }
    const bool is_loose = of.gives_way && !constraint->joins;
    return is_loose ? note_loose(world, place) : add_measured(world, &of, constraint);
}

static bool add_pairs(graze_world *world)
{
    for (uint32_t k = 0; k < world->meetings.count; ++k) {
        if (!add_meeting(world, k)) {
            return false;
        }
    }
    return true;
}

// --- What lies together ---

static uint32_t root_of(grz_piles *piles, uint32_t motion)
{
    return grz_forest_root(piles->parents.data, motion);
}

static void join(grz_piles *piles, uint32_t a, uint32_t b)
{
    const uint32_t root_a = root_of(piles, a);
    const uint32_t root_b = root_of(piles, b);
    uint32_t *sizes = piles->sizes.data;
    if (root_a == root_b) {
        return;
    }
    const bool a_is_larger = sizes[root_a] > sizes[root_b];
    const uint32_t root = a_is_larger ? root_a : root_b;
    piles->parents.data[a_is_larger ? root_b : root_a] = root;
    sizes[root] = sizes[root_a] + sizes[root_b];
}

static bool join_all(graze_world *world)
{
    grz_piles *piles = &world->piles;
    const uint32_t motions = world->motions.count;
    if (!grz_array_reserve(&piles->parents, &world->counting, motions) ||
        !grz_array_reserve(&piles->sizes, &world->counting, motions)) {
        return false;
    }
    for (uint32_t m = 0; m < motions; ++m) {
        piles->parents.data[m] = m;
        piles->sizes.data[m] = 1;
    }
    for (uint32_t k = 0; k < piles->constraints.count; ++k) {
        const grz_constraint *constraint = &piles->constraints.data[k];
        if (constraint->kind == GRZ_CONSTRAINT_BODY && constraint->joins) {
            join(piles, constraint->upper, constraint->lower);
        }
    }
    return true;
}

static uint32_t least_bodies(const graze_world *world)
{
    return grz_piles_are_crowds(world) ? LEAST_OF_CROWD : LEAST_OF_PILE;
}

static bool is_many(graze_world *world, uint32_t motion)
{
    grz_piles *piles = &world->piles;
    return (piles->sizes.data[root_of(piles, motion)] & SIZE) >= least_bodies(world);
}

// --- Walls ---

// What bounces off a wall does not lie on it.
static bool add_wall(graze_world *world, uint32_t row, graze_segment_id segment, graze_vec2d normal,
                     double gap)
{
    const grz_motion *motion = grz_motion_of(world, row);
    const double into = dot(motion->velocity, normal);
    if (grz_restitution_of(world, row, GRZ_NONE, grz_bounces(world, motion), into) > 0) {
        return true;
    }
    grz_constraint *next = next_constraint(world);
    if (!next) {
        return false;
    }
    const grz_constraint constraint = {.kind = GRZ_CONSTRAINT_WALL,
                                       .upper = motion_at(world, row),
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

// Whether a body of many is foreseen to meet a solid wall on its first bit of way: of the walls
// that are known whatever the order in which cells list them.
static bool is_ahead(graze_world *world, const grz_event *event, double gap)
{
    const grz_touch *touch = &event->touch;
    const uint32_t row = event->row_a;
    return event->row_b == GRZ_NONE && is_pushed(world, row) &&
           is_many(world, motion_at(world, row)) && touch->approach > 0 && !touch->passes &&
           touch->time <= grz_motion_of(world, row)->walls_until &&
           gap <= circles_share(world) * grz_size_of(world, row) &&
           grz_chain_is_solid(world, event->segment);
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

// Whether a normal is that of the wall's side: at the end of a wall it may be that of a joint.
static bool is_of_side(const graze_world *world, graze_segment_id segment, graze_vec2d normal)
{
    const grz_chain *chain = &world->chains[segment.chain.index];
    const uint32_t next = (segment.index + 1) % (uint32_t)grz_list_count(chain->points);
    const graze_vec2d way = offset(chain->points[next], chain->points[segment.index]);
    return absolute(dot(way, normal)) <= face_lean * length_of(way);
}

// The walls beside a body, which it does not approach before it is pushed: those that overlap with
// it once it has grown. Its box grows by no more than grz_clearance_margin: what is clear has none.
static bool add_walls_beside(graze_world *world, uint32_t row)
{
    const float margin = (float)(near_share * grz_size_of(world, row));
    const graze_vec2 at = world->rows.position[row];
    grz_mover grown = grz_mover_with_walls(world, row);
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
        const double gap = find_growth(world, row, (double)margin, touch.normal) - touch.depth;
        if (grz_chain_is_solid(world, segment) && gap <= (double)margin &&
            (grz_piles_are_crowds(world) || is_of_side(world, segment, touch.normal)) &&
            !add_wall(world, row, segment, touch.normal, gap)) {
            return false;
        }
    }
    return true;
}

static bool add_walls(graze_world *world)
{
    if (!world->segment_count) {
        return true;
    }
    for (uint32_t m = 0; m < world->motions.count; ++m) {
        grz_motion *motion = &world->motions.data[m];
        if (is_many(world, m) && !grz_clearance_find(world, motion) &&
            !(add_walls_beside(world, motion->row) && grz_foresee_walls(world, motion))) {
            return false;
        }
    }
    return add_walls_ahead(world);
}

// --- Piles ---

static bool is_pressed(const graze_world *world, const grz_constraint *constraint)
{
    const bool gives_way = constraint->kind == GRZ_CONSTRAINT_BODY;
    const graze_vec2d velocity = world->motions.data[constraint->upper].velocity;
    const double speed =
        gives_way ? dot(world->motions.data[constraint->lower].velocity, constraint->normal)
                  : constraint->speed;
    return dot(velocity, constraint->normal) - speed > press_tolerance * length_of(velocity);
}

// The bodies of crowds hold each other.
static bool holds(const graze_world *world, const grz_constraint *constraint)
{
    return constraint->kind != GRZ_CONSTRAINT_BODY ||
           (constraint->joins && grz_piles_are_crowds(world));
}

static void mark_held(graze_world *world)
{
    grz_piles *piles = &world->piles;
    for (uint32_t k = 0; k < piles->constraints.count; ++k) {
        const grz_constraint *constraint = &piles->constraints.data[k];
        if (holds(world, constraint) && is_pressed(world, constraint)) {
            piles->sizes.data[root_of(piles, constraint->upper)] |= HELD;
        }
    }
}

static bool is_in_pile(graze_world *world, uint32_t motion)
{
    grz_piles *piles = &world->piles;
    const uint32_t size = piles->sizes.data[root_of(piles, motion)];
    return (size & HELD) && (size & SIZE) >= least_bodies(world);
}

static bool row_is_in_pile(graze_world *world, uint32_t row)
{
    return grz_motion_of(world, row) && is_in_pile(world, motion_at(world, row));
}

// What two bodies of different crowds are to each other they still are.
static bool add_loose(graze_world *world)
{
    for (uint32_t k = 0; k < world->piles.loose.count; ++k) {
        const uint32_t place = world->piles.loose.data[k];
        const parties of = parties_of(world, place);
        grz_constraint *constraint = next_constraint(world);
        if (!constraint) {
            return false;
        }
        constraint->meeting = place;
        if (row_is_in_pile(world, of.pushed) && row_is_in_pile(world, of.other) &&
            measure_pair(world, &of, constraint) && !add_measured(world, &of, constraint)) {
            return false;
        }
    }
    return true;
}

static bool is_of_piles(graze_world *world, const grz_constraint *constraint)
{
    return is_in_pile(world, constraint->upper) &&
           (constraint->kind != GRZ_CONSTRAINT_BODY || is_in_pile(world, constraint->lower));
}

static void drop_others(graze_world *world)
{
    grz_piles *piles = &world->piles;
    uint32_t count = 0;
    for (uint32_t k = 0; k < piles->constraints.count; ++k) {
        if (is_of_piles(world, &piles->constraints.data[k])) {
            if (count < k) {
                piles->constraints.data[count] = piles->constraints.data[k];
            }
            ++count;
        }
    }
    piles->constraints.count = count;
}

static bool note_meetings(graze_world *world)
{
    grz_piles *piles = &world->piles;
    const uint32_t meetings = world->meetings.count;
    if (!grz_array_reserve(&piles->of_meeting, &world->counting, meetings)) {
        return false;
    }
    piles->of_meeting.count = meetings;
    for (uint32_t k = 0; k < meetings; ++k) {
        piles->of_meeting.data[k] = GRZ_NONE;
    }
    for (uint32_t k = 0; k < piles->constraints.count; ++k) {
        const grz_constraint *constraint = &piles->constraints.data[k];
        if (constraint->kind != GRZ_CONSTRAINT_WALL) {
            piles->of_meeting.data[constraint->meeting] = k;
        }
    }
    return true;
}

static bool list_bodies(graze_world *world)
{
    grz_piles *piles = &world->piles;
    if (!grz_array_reserve(&piles->keys, &world->counting, world->motions.count)) {
        return false;
    }
    for (uint32_t m = 0; m < world->motions.count; ++m) {
        piles->keys.data[piles->keys.count].motion = m;
        piles->keys.count += is_in_pile(world, m);
    }
    return true;
}

bool grz_piles_find(graze_world *world)
{
    grz_piles *piles = &world->piles;
    piles->constraints.count = 0;
    piles->loose.count = 0;
    piles->keys.count = 0;
    if (!world->totals.free_shapes || !add_pairs(world)) {
        return !world->totals.free_shapes;
    }
    if (piles->constraints.count < least_bodies(world) - 1) {
        piles->constraints.count = 0;
        return true;
    }
    if (!join_all(world) || !add_walls(world)) {
        return false;
    }
    mark_held(world);
    drop_others(world);
    return add_loose(world) && note_meetings(world) && list_bodies(world);
}
