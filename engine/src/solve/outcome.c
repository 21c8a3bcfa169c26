// What rigid bodies have met, what is kept for the next step, and how a step is committed.

#include "asserts.h"
#include "collide/contact_make.h"
#include "collide/pair_sweep.h"
#include "collide/sleep.h"
#include "collide/terrain_sweep.h"
#include "collide/tolerance.h"
#include "fault.h"
#include "likely.h"
#include "solve/solve.h"
#include "world/contact_keys.h"
#include "world/forest.h"
#include "world/parallel.h"
#include "world/rows.h"

#include <string.h>

// --- Reports ---

// Half the distance of floats where a body is.
static double rounding_at(const grz_rows *rows, grz_row row)
{
    const graze_vec2 place = rows->position[row];
    return 0x1p-24 * max_double(absolute((double)place.x), absolute((double)place.y));
}

// Two that are pressed together touch, whatever rounding says, as those that overlap at the start
// do. But an impulse that moves them by less than floats tell apart is rounding itself.
static bool is_pressed(const graze_world *world, const grz_constraint_contact *contact)
{
    const grz_solver_body *bodies = world->solve.bodies.data;
    const double masses = (double)bodies[contact->a].inverse_mass +
                          (contact->fixed ? 0 : (double)bodies[contact->b].inverse_mass);
    const double sum = (double)contact->sums[0] + (double)contact->sums[1];
    const double least =
        masses > 0 ? rounding_at(&world->bodies.rows, world->solve.row_of_slot.data[contact->a])
                   : 0; // Or they sleep.
    return sum > 0 && sum * masses * (double)world->call.dt >= least;
}

static float impulse_of(const grz_constraint_contact *contact)
{
    return narrow_reported((double)contact->sums[0] + (double)contact->sums[1]);
}

static graze_vec2d move_of(const grz_rows *rows, grz_row row)
{
    return row == GRZ_NONE ? vec2d(0, 0) : offset(rows->end[row], rows->position[row]);
}

// What the solver has deflected came together faster than it moves now.
static float find_approach(const graze_world *world, grz_row row_a, grz_row row_b,
                           graze_vec2 normal, const grz_constraint_contact *contact)
{
    if (contact) {
        return narrow_reported((double)contact->approach);
    }
    const graze_vec2d move =
        subtract(move_of(&world->bodies.rows, row_a), move_of(&world->bodies.rows, row_b));
    return grz_reported_approach(dot(move, widen(normal)), grz_steps_per_second(world));
}

/// The reports of a block of pairs, or of bodies with their walls: it writes them to a place of its
/// own.
typedef struct reporter {
    const graze_world *world;
    grz_contact *contacts;
    uint32_t count;
} reporter;

GRZ_IN_PLACE void add_contact(reporter *reports, grz_row row_a, grz_row row_b,
                              graze_segment_id segment, const grz_touch *touch,
                              const grz_constraint_contact *contact)
{
    grz_contact *made = &reports->contacts[reports->count++];
    grz_contact_begin(reports->world, row_a, row_b, segment, touch, made);
    made->approach = find_approach(reports->world, row_a, row_b, made->normal, contact);
    made->impulse = contact ? impulse_of(contact) : 0;
    made->flags |= made->impulse > 0 ? GRAZE_CONTACT_BLOCKED : 0u;
}

// The point where the overlap is deepest, or the middle if both are about as deep.
static graze_vec2d touch_point(const grz_rows *rows, const grz_solver_pair *pair,
                               const grz_manifold *manifold)
{
    const graze_vec2d centre = widen(rows->position[pair->row_b]);
    graze_vec2d point = widen(manifold->levers_b[0]);
    if (manifold->count > 1) {
        point = scale(add(point, widen(manifold->levers_b[1])), 0.5);
    }
    return add(centre, point);
}

// How far a corner of a body goes by turning, at most.
static double turning_of(const graze_world *world, grz_slot slot)
{
    const grz_solve *solve = &world->solve;
    const double turn =
        slot < solve->rigid_count
            ? (double)solve->bodies.data[slot].turn
            : (double)grz_spin_of(&world->bodies.rows, solve->row_of_slot.data[slot]) *
                  (double)world->call.dt;
    return absolute(turn) * solve->ways.data[slot].radius;
}

// How far the end of its way may be from where the body goes: see way_end_of.
static double slack_of(const graze_world *world, grz_row row)
{
    return grz_contact_slop * grz_size_of(world, row) + 4 * rounding_at(&world->bodies.rows, row);
}

// Whether two are too far apart to touch on their ways.
static bool stay_apart(const graze_world *world, const grz_solver_pair *pair)
{
    const graze_vec2d move = subtract(move_of(&world->bodies.rows, pair->row_a),
                                      move_of(&world->bodies.rows, pair->row_b));
    const double turning = turning_of(world, pair->a) + turning_of(world, pair->b);
    return is_surely_shorter(move, (double)pair->apart - turning);
}

// Where a body would go if nothing held it.
static graze_vec2 free_end_of(const graze_world *world, grz_row row)
{
    return world->solve.ways.data[world->solve.slot_of_row.data[row]].free_end;
}

// By how much it would turn.
static double free_turn_of(const graze_world *world, grz_row row)
{
    const grz_rows *rows = &world->bodies.rows;
    return grz_has_sides(rows->traits[row]) ? (double)(grz_spin_of(rows, row) * world->call.dt) : 0;
}

// Where it goes: what nothing has led off its free way but by rounding goes that way.
static graze_vec2 way_end_of(const graze_world *world, grz_row row)
{
    const graze_vec2 end = world->bodies.rows.end[row], free = free_end_of(world, row);
    return length_of(offset(end, free)) <= slack_of(world, row) ? free : end;
}

// The normal of the side of a body that looks most along a unit vector; of a circle that itself.
static graze_vec2d side_along(const grz_rows *rows, grz_row row, graze_vec2d normal)
{
    if (!grz_has_sides(rows->traits[row])) {
        return normal;
    }
    const graze_vec2d u = grz_x_axis(grz_rotation_of(rows, row));
    const double by_u = dot(u, normal), by_v = cross(u, normal);
    return absolute(by_u) >= absolute(by_v) ? scale(u, by_u < 0 ? -1 : 1)
                                            : scale(left_of(u), by_v < 0 ? -1 : 1);
}

static double gap_along(const grz_rows *rows, const grz_solver_pair *pair, graze_vec2d normal)
{
    return dot(offset(rows->position[pair->row_b], rows->position[pair->row_a]), normal) -
           grz_reach_along(rows, pair->row_a, normal) - grz_reach_along(rows, pair->row_b, normal);
}

// Whether a side of one that looks to the other parts them on their ways, as it does when the step
// begins: by twice as much as they come together, and by more than a sweep can err.
static bool is_parted(const graze_world *world, const grz_solver_pair *pair, graze_vec2d normal,
                      graze_vec2d move)
{
    const grz_rows *rows = &world->bodies.rows;
    const grz_way *a = &world->solve.ways.data[pair->a], *b = &world->solve.ways.data[pair->b];
    const double come = length_of(move) + turning_of(world, pair->a) + turning_of(world, pair->b);
    double least = 2 * come + (a->radius + b->radius) * 0x1p-20;
    GRZ_FAULT(parted_by_nothing, least = -1);
    return (double)pair->gap > least && // Or it is not worth a look.
           (gap_along(rows, pair, side_along(rows, pair->row_a, normal)) > least ||
            gap_along(rows, pair, side_along(rows, pair->row_b, normal)) > least);
}

static bool touch_on_ways(const graze_world *world, const grz_solver_pair *pair,
                          const grz_constraint_contact *contact, grz_row row_a, grz_row row_b,
                          grz_touch *touch)
{
    const grz_rows *rows = &world->bodies.rows;
    const grz_ways ways = {way_end_of(world, row_a), way_end_of(world, row_b),
                           grz_turn_of(rows, row_a), grz_turn_of(rows, row_b)};
    const graze_vec2d move = subtract(offset(ways.end_a, rows->position[row_a]),
                                      offset(ways.end_b, rows->position[row_b]));
    return !(contact && !world->config.no_shortcuts &&
             is_parted(world, pair, widen(contact->manifold.normal), move)) &&
           grz_touch_on_ways(rows, row_a, row_b, &ways, touch);
}

// What was held or pressed on its way touches where it would have gone on.
static bool touch_on_free_ways(const graze_world *world, grz_row row_a, grz_row row_b,
                               grz_touch *touch)
{
    const grz_ways ways = {free_end_of(world, row_a), free_end_of(world, row_b),
                           free_turn_of(world, row_a), free_turn_of(world, row_b)};
    return grz_touch_on_ways(&world->bodies.rows, row_a, row_b, &ways, touch);
}

// Finds where two that do not overlap come to touch on their ways.
static bool find_touch_on_ways(const graze_world *world, const grz_solver_pair *pair,
                               const grz_constraint_contact *contact, grz_row row_a, grz_row row_b,
                               bool pressed, grz_touch *touch)
{
    return ((pair->held || pressed) && touch_on_free_ways(world, row_a, row_b, touch)) ||
           (pressed ? grz_touch_straight(&world->bodies.rows, row_a, row_b, touch)
                    : (contact || !stay_apart(world, pair)) &&
                          touch_on_ways(world, pair, contact, row_a, row_b, touch));
}

// All is known of two that are pressed together: neither is a sensor.
static void add_pressed(reporter *reports, const grz_solver_pair *pair,
                        const grz_constraint_contact *contact, double gap)
{
    const graze_contact_end *key = &contact->key;
    const graze_vec2 normal = contact->manifold.normal;
    const bool in_order = key->a.index < key->b.index;
    const float sign = in_order ? 1.0f : -1.0f;
    grz_contact *made = &reports->contacts[reports->count++];
    made->a = in_order ? key->a : key->b;
    made->b = in_order ? key->b : key->a;
    made->segment = grz_no_segment;
    made->time = 0;
    made->point =
        narrow_reported2(touch_point(&reports->world->bodies.rows, pair, &contact->manifold));
    made->normal = (graze_vec2){sign * normal.x + 0.0f, sign * normal.y + 0.0f};
    made->depth = narrow_reported(max_double(-gap, 0));
    made->approach = narrow_reported((double)contact->approach);
    made->impulse = impulse_of(contact);
    made->flags = made->impulse > 0 ? GRAZE_CONTACT_BLOCKED : 0;
}

// HOT. bench: engine/step/pile-rigid
//
// Branch  Most are pressed together, and overlap: they take no sweep.
static void report_pair(reporter *reports, const grz_solver_pair *pair)
{
    const graze_world *world = reports->world;
    const uint32_t *index = world->bodies.rows.index;
    const double gap = (double)pair->gap;
    if (gap <= 0) {
        add_pressed(reports, pair, &world->solve.contacts.data[pair->contact], gap);
        return;
    }
    const grz_constraint_contact *contact =
        pair->contact == GRZ_NONE ? NULL : &world->solve.contacts.data[pair->contact];
    const bool in_order = index[pair->row_a] < index[pair->row_b];
    const grz_row row_a = in_order ? pair->row_a : pair->row_b;
    const grz_row row_b = in_order ? pair->row_b : pair->row_a;
    const bool pressed = contact && is_pressed(world, contact);
    grz_touch touch;
    if (find_touch_on_ways(world, pair, contact, row_a, row_b, pressed, &touch)) {
        add_contact(reports, row_a, row_b, grz_no_segment, &touch, contact);
    } else if (pressed) {
        add_pressed(reports, pair, contact, gap);
    }
}

static void report_pass(reporter *reports, const grz_candidate *candidate)
{
    grz_touch touch;
    if (grz_touch_straight(&reports->world->bodies.rows, candidate->row_a, candidate->row_b,
                           &touch)) {
        add_contact(reports, candidate->row_a, candidate->row_b, grz_no_segment, &touch, NULL);
    }
}

// Most walls are pressed, and overlap: so only what needs a way makes one.
static bool touch_on_way(const graze_world *world, grz_row row, graze_vec2 end,
                         const grz_near_wall *near, grz_touch *touch)
{
    const graze_segment wall = near->wall.segment;
    grz_mover mover;
    grz_mover_fill(world, row, NULL, &mover);
    const grz_move move = grz_move_of(world, &mover, world->bodies.rows.position[row], end);
    return !grz_is_outside(wall.a, wall.b, &move.box) && grz_touch_wall(&move, &near->wall, touch);
}

// Whether a wall is farther from a body, along their normal, than it goes that way.
static bool stays_off(const graze_world *world, grz_slot slot, const grz_near_wall *near)
{
    const grz_row row = world->solve.row_of_slot.data[slot];
    const double way = max_double(dot(move_of(&world->bodies.rows, row), near->normal), 0) +
                       turning_of(world, slot);
    GRZ_FAULT(walls_out_of_reach, way = 0);
    return near->gap > way + slack_of(world, row) && !world->config.no_shortcuts;
}

static void report_wall(reporter *reports, grz_slot slot, const grz_near_wall *near)
{
    const graze_world *world = reports->world;
    const grz_rows *rows = &world->bodies.rows;
    const grz_row row = world->solve.row_of_slot.data[slot];
    const grz_constraint_contact *contact =
        near->contact == GRZ_NONE ? NULL : &world->solve.contacts.data[near->contact];
    grz_touch touch;
    if (contact && (near->gap <= 0 || is_pressed(world, contact))) {
        if (!(near->gap > 0) || !touch_on_way(world, row, free_end_of(world, row), near, &touch)) {
            touch = (grz_touch){.point = add(widen(rows->position[row]), near->point),
                                .normal = near->normal,
                                .depth = max_double(-near->gap, 0)};
        }
    } else if (stays_off(world, slot, near) ||
               !touch_on_way(world, row, rows->end[row], near, &touch)) {
        return;
    }
    add_contact(reports, row, GRZ_NONE, grz_wall_id(world, &near->wall), &touch, contact);
}

static void report_walls(reporter *reports, grz_slot slot)
{
    const grz_solve *solve = &reports->world->solve;
    const uint32_t first = grz_first_of(&solve->wall_ends, slot);
    for (uint32_t k = first; k < solve->wall_ends.data[slot]; ++k) {
        report_wall(reports, slot, &solve->walls.data[k]);
    }
}

// Items are bodies, which report their walls and then their pairs, and pairs that only meet. So
// what bodies of ascending indices report is in order.
static uint32_t count_items(const grz_solve *solve)
{
    return solve->rigid_count + solve->passes.count;
}

// How many reports the items before this one may make.
static uint32_t room_before(const grz_solve *solve, uint32_t item)
{
    const grz_slot slot = min_u32(item, solve->rigid_count);
    return grz_first_of(&solve->wall_ends, slot) + grz_first_of(&solve->pair_ends, slot) +
           (item - slot);
}

static uint32_t end_of_block(const grz_solve *solve, uint32_t block)
{
    return min_u32((block + 1) * GRZ_BLOCK_SLOTS, count_items(solve));
}

static uint32_t room_of_block(const graze_world *world, uint32_t block)
{
    const grz_solve *solve = &world->solve;
    return room_before(solve, end_of_block(solve, block)) -
           room_before(solve, block * GRZ_BLOCK_SLOTS);
}

// What flies is not the solver's to report.
static void report_pairs(reporter *reports, uint32_t first, uint32_t end)
{
    const grz_solver_pair *pairs = reports->world->solve.pairs.data;
    for (uint32_t k = first; k < end; ++k) {
        if (!pairs[k].flies) {
            report_pair(reports, &pairs[k]);
        }
    }
}

// Most have no walls: so the pairs of many are reported in one loop.
static void report_slots(reporter *reports, grz_slot first, grz_slot end)
{
    const grz_solve *solve = &reports->world->solve;
    uint32_t pair = grz_first_of(&solve->pair_ends, first);
    for (grz_slot slot = first; slot < end; ++slot) {
        if (grz_count_of(&solve->wall_ends, slot) && !solve->flies.data[slot]) {
            const uint32_t next = grz_first_of(&solve->pair_ends, slot);
            report_pairs(reports, pair, next);
            report_walls(reports, slot);
            pair = next;
        }
    }
    report_pairs(reports, pair, grz_first_of(&solve->pair_ends, end));
}

static void report_block(graze_world *world, uint32_t block, grz_range *own)
{
    const grz_solve *solve = &world->solve;
    reporter reports = {world, own->items, own->first};
    const uint32_t begin = block * GRZ_BLOCK_SLOTS, end = end_of_block(solve, block);
    if (begin < solve->rigid_count) {
        report_slots(&reports, begin, min_u32(end, solve->rigid_count));
    }
    for (uint32_t item = max_u32(begin, solve->rigid_count); item < end; ++item) {
        report_pass(&reports, &solve->passes.data[item - solve->rigid_count]);
    }
    own->count = reports.count - own->first;
}

bool grz_solve_report(graze_world *world)
{
    grz_solve *solve = &world->solve;
    const grz_finding finding = {
        .list_count = 1,
        .lists = {GRZ_FILLED(&world->found.contacts)},
        .apart = {GRZ_FILLED(&world->found.contacts_apart)},
        .room = room_of_block,
        .find = report_block,
    };
    return grz_find_in_blocks(
        world, &finding, grz_count_blocks(count_items(solve), GRZ_BLOCK_SLOTS), &solve->ranges);
}

// --- What is kept ---

static float finite_or_zero(float number)
{
    return number - number == 0 ? number : 0;
}

// Nearly always all are finite: then so is their sum.
static void keep_impulses(const grz_constraint_contact *contact, grz_cached_contact *kept)
{
    const float sum = contact->impulses[0] + contact->impulses[1] + contact->friction_impulse +
                      contact->rolling_impulse;
    memcpy(kept->impulses, contact->impulses, sizeof kept->impulses);
    kept->friction_impulse = contact->friction_impulse;
    kept->rolling_impulse = contact->rolling_impulse;
    if (!(sum - sum == 0)) {
        kept->impulses[0] = finite_or_zero(contact->impulses[0]);
        kept->impulses[1] = finite_or_zero(contact->impulses[1]);
        kept->friction_impulse = finite_or_zero(contact->friction_impulse);
        kept->rolling_impulse = finite_or_zero(contact->rolling_impulse);
    }
}

// HOT. bench: engine/step/pile-rigid
//
// Data    148 bytes of a contact read, 124 written, in order.
static void keep_contact(const grz_constraint_contact *contact, grz_cached_contact *kept)
{
    const grz_manifold *manifold = &contact->manifold;
    const graze_vec2 none = {0, 0};
    kept->key = contact->key;
    kept->count = manifold->count;
    memcpy(kept->features, manifold->features, sizeof kept->features);
    keep_impulses(contact, kept);
    kept->inverse_mass = contact->inverse_mass;
    kept->normal = manifold->normal;
    memcpy(kept->levers_a, manifold->levers_a, sizeof kept->levers_a);
    memcpy(kept->levers_b, manifold->levers_b, sizeof kept->levers_b);
    kept->offset = contact->offset;
    kept->rotation_a = contact->rotation_a;
    kept->rotation_b = contact->rotation_b;
    if (contact->flies) {
        kept->features[0] = kept->features[1] = GRZ_NONE;
    }
    if (manifold->count == 1) { // The point that it does not have is 0.
        kept->features[1] = 0;
        kept->impulses[1] = 0;
        kept->levers_a[1] = kept->levers_b[1] = none;
    }
}

// --- What may be still ---

// A rigid body may be still if it has slept through the step, and so will the next one: all that it
// may meet stays as it is, and its contacts are those of the step before, to the bit.

static void join_pairs(grz_solve *solve)
{
    for (uint32_t k = 0; k < solve->pairs.count; ++k) {
        const grz_solver_pair *pair = &solve->pairs.data[k];
        if (!pair->fixed && !pair->flies) {
            grz_forest_join(solve->parents.data, pair->a, pair->b);
        }
    }
}

// The root stands for all of them.
static void disturb(grz_solve *solve, grz_slot slot)
{
    solve->ends.data[grz_forest_root(solve->parents.data, slot)].stands = false;
}

static void disturb_by_bodies(graze_world *world)
{
    grz_solve *solve = &world->solve;
    for (grz_slot slot = 0; slot < solve->rigid_count; ++slot) {
        const grz_rigid_end *end = &solve->ends.data[slot];
        if (!end->slept || (world->bodies.rows.traits[end->row] & GRZ_TRAIT_EXPIRES)) {
            disturb(solve, slot);
        }
    }
    for (uint32_t k = 0; k < solve->pairs.count; ++k) {
        const grz_solver_pair *pair = &solve->pairs.data[k];
        if (pair->fixed && pair->row_b < world->bodies.active_count &&
            !grz_sleep_is_fixed(world, pair->row_b)) {
            disturb(solve, pair->a);
        }
    }
}

// A manifold made anew has other last bits than the same one kept.
static void disturb_by_contacts(const grz_bodies *bodies, grz_solve *solve)
{
    const grz_contact_cache *before = &solve->cache, *now = &solve->coming;
    uint32_t old = 0;
    for (uint32_t k = 0; k < now->count; ++k) {
        while (old < before->count &&
               grz_compare_keys(&before->data[old].key, &now->data[k].key) < 0) {
            ++old;
        }
        if (old == before->count ||
            memcmp(&before->data[old], &now->data[k], sizeof *now->data) != 0) {
            const grz_row row = bodies->row_of_index.data[now->data[k].key.a.index];
            disturb(solve, solve->slot_of_row.data[row]);
        }
    }
}

static bool any_sleeps(const grz_solve *solve)
{
    bool found = false;
    for (grz_slot slot = 0; slot < solve->rigid_count; ++slot) {
        found = found || solve->ends.data[slot].slept;
    }
    return found;
}

// Returns whether any may be.
static bool find_standing(graze_world *world)
{
    grz_solve *solve = &world->solve;
    if (!any_sleeps(solve)) {
        return false;
    }
    for (grz_slot slot = 0; slot < solve->rigid_count; ++slot) {
        solve->ends.data[slot].stands = true;
    }
    grz_forest_begin(solve->parents.data, solve->rigid_count);
    join_pairs(solve);
    disturb_by_bodies(world);
    disturb_by_contacts(&world->bodies, solve);
    for (grz_slot slot = 0; slot < solve->rigid_count; ++slot) {
        const uint32_t root = grz_forest_root(solve->parents.data, slot);
        solve->ends.data[slot].stands = solve->ends.data[root].stands;
    }
    return true;
}

// How many contacts may be of still bodies after this step.
static uint32_t count_of_standing(const grz_solve *solve)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < solve->contacts.count; ++k) {
        count += solve->ends.data[solve->contacts.data[k].a].stands;
    }
    return count;
}

// Each has its place, or none.
static void keep_block(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    grz_solve *solve = context;
    (void)block;
    for (uint32_t k = first; k < end; ++k) {
        if (solve->order.data[k] != GRZ_NONE) {
            keep_contact(&solve->contacts.data[k], &solve->coming.data[solve->order.data[k]]);
        }
    }
}

bool grz_solve_note_cache(graze_world *world)
{
    grz_solve *solve = &world->solve;
    if (!grz_array_reserve(&solve->coming, &world->config.counting, solve->contacts.count) ||
        !grz_array_reserve_more(&world->sleep.standing, &world->config.counting,
                                solve->rigid_count)) {
        return false;
    }
    solve->coming.count = solve->order.count;
    grz_run_blocks(world, solve->contacts.count, GRZ_BLOCK_SLOTS, keep_block, solve);
    return !find_standing(world) || grz_solve_reserve_still(world, count_of_standing(solve));
}

// --- Commit ---

static void commit_end(grz_bodies *bodies, const grz_rigid_end *end)
{
    grz_dynamics *dynamics = &bodies->dynamics.data[end->index];
    if (grz_row_has_rotation(bodies->rows.traits[end->row])) {
        bodies->rows.angle[end->row] = end->angle;
        bodies->rows.spin[end->row] = end->spin;
        grz_rows_note_spin(&bodies->rows, end->row);
    }
    dynamics->quiet = end->quiet;
    dynamics->flags =
        end->asleep ? dynamics->flags | GRZ_ASLEEP : dynamics->flags & ~(uint32_t)GRZ_ASLEEP;
}

// What calls have changed has woken what lies on it.
static void calm_all(graze_world *world)
{
    for (grz_row row = 0; row < world->bodies.count; ++row) {
        world->bodies.dynamics.data[world->bodies.rows.index[row]].flags &= ~(uint32_t)GRZ_STIRRED;
    }
    world->solve.stirred = false;
}

static bool was_hit(const graze_world *world, grz_row row)
{
    const grz_trajectory *trajectory =
        world->found.totals.free ? grz_trajectory_of(world, row) : NULL;
    return trajectory && trajectory->was_hit;
}

// Those that were hit since stand no longer, nor does all that they may meet; nor those whose hits
// are counted, which may be their last.
static void note_standing(graze_world *world)
{
    grz_solve *solve = &world->solve;
    grz_numbers *standing = &world->sleep.standing;
    for (grz_slot slot = 0; slot < solve->rigid_count; ++slot) {
        const grz_rigid_end *end = &solve->ends.data[slot];
        if (end->stands && (!end->asleep || was_hit(world, end->row))) {
            disturb(solve, slot);
        }
    }
    for (grz_slot slot = 0; slot < solve->rigid_count; ++slot) {
        const grz_rigid_end *end = &solve->ends.data[slot];
        if (end->stands && solve->ends.data[grz_forest_root(solve->parents.data, slot)].stands) {
            GRZ_ASSERT(standing->count < standing->capacity);
            standing->data[standing->count++] = end->index;
        }
    }
}

void grz_solve_commit(graze_world *world)
{
    grz_solve *solve = &world->solve;
    grz_solve_part_joined(world);
    bool any_stands = false;
    for (grz_slot slot = 0; slot < solve->rigid_count; ++slot) {
        const grz_rigid_end *end = &solve->ends.data[slot];
        commit_end(&world->bodies, end);
        if (end->strays) {
            grz_bodies_mark_unsorted(world, end->index);
        }
        any_stands |= end->stands;
    }
    if (any_stands) {
        note_standing(world);
    }
    if (solve->stirred && world->bodies.dynamics.data) {
        calm_all(world);
    }
    const grz_contact_cache coming = solve->coming;
    solve->coming = solve->cache;
    solve->cache = coming;
    solve->mean_substep = grz_next_mean_substep(world);
}
