// Where bodies may go: the solver proposes places, and nothing that leaks or passes through another
// body is stored.

#include "bits.h"
#include "collide/box.h"
#include "collide/certify.h"
#include "collide/pair_sweep.h"
#include "collide/predict.h"
#include "collide/terrain_sweep.h"
#include "collide/tolerance.h"
#include "fault.h"
#include "likely.h"
#include "solve/manifold.h"
#include "solve/obstacle.h"
#include "solve/solve.h"
#include "world/bodies.h"
#include "world/parallel.h"

#include <math.h>
#include <string.h>

// Ways only become shorter. None is longer than the box by which pairs were found. What leads two
// into each other is held back; what leads along or apart stays, or bodies would stand still with a
// speed that gravity feeds. What is still in the way after that stops both. A wall ends any way.
//
// A body and what it presses on may overlap a little. So what may not pass through each other are
// cores: the same shapes, but smaller; those of rects more so, because they turn on their way.
//
// Inside a heap of what turns, cores are smallest: the solver parts what overlaps there. It cannot
// where bodies are pressed against what gives no way, as in a channel. And what does not turn is
// steered: games press it together harder than any weight does.

static double core_share(const grz_solver_pair *pair, const grz_way *a, const grz_way *b)
{
    const bool is_held = pair->fixed | a->is_held | b->is_held; // One branch: most are not.
    return !is_held ? grz_inner_core : pair->is_round ? grz_round_core : grz_thick_core;
}

static graze_vec2d move_of(const grz_solve *solve, grz_slot slot)
{
    const grz_solver_body *body = &solve->bodies.data[slot];
    return vec2d((double)body->delta_x, (double)body->delta_y);
}

static void note_move(grz_solve *solve, grz_slot slot)
{
    solve->ways.data[slot].move = move_of(solve, slot);
}

static void set_move(grz_solver_body *body, graze_vec2d move)
{
    body->delta_x = (float)move.x;
    body->delta_y = (float)move.y;
}

static void stay_in_box(graze_world *world, grz_slot slot)
{
    grz_solver_body *body = &world->solve.bodies.data[slot];
    const grz_row row = world->solve.row_of_slot.data[slot];
    const graze_vec2d move = move_of(&world->solve, slot);
    if (world->solve.flies.data[slot] ||
        is_surely_shorter(move, grz_contact_margin * grz_size_of(world, row))) {
        return;
    }
    const double length = length_of(move), most = grz_reach_of_solved(world, row);
    if (length > most) {
        set_move(body, scale(move, most / length));
        body->turn *= (float)(most / length);
    }
}

static void begin_way(graze_world *world, grz_slot slot)
{
    const grz_rows *rows = &world->bodies.rows;
    const grz_row row = world->solve.row_of_slot.data[slot];
    grz_way *way = &world->solve.ways.data[slot];
    way->move = move_of(&world->solve, slot);
    way->position = rows->position[row];
    way->free_end = rows->end[row];
    way->radius = length_of(widen(rows->half[row]));
    way->size = grz_size_of(world, row);
    way->is_held = !grz_turns_by_contacts(world, row);
}

static void begin_ways(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    graze_world *world = context;
    (void)block;
    for (grz_slot slot = first; slot < end; ++slot) {
        if (slot < world->solve.rigid_count) {
            stay_in_box(world, slot);
        }
        begin_way(world, slot);
    }
}

static void hold_beside_fixed(grz_solve *solve)
{
    for (uint32_t k = 0; k < solve->fixed.count; ++k) {
        solve->ways.data[solve->contacts.data[solve->fixed.data[k]].a].is_held = true;
    }
}

// --- Bodies ---

static grz_figure core_of(const grz_rows *rows, grz_row row, double share)
{
    grz_figure figure = grz_figure_of(rows, row);
    figure.half.x = (float)((double)figure.half.x * share);
    figure.half.y = (float)((double)figure.half.y * share);
    return figure;
}

static double core_radius(const grz_rows *rows, grz_row row, double share)
{
    return (double)(float)((double)rows->half[row].x * share);
}

static graze_sweep sweep_cores(const grz_rows *rows, const grz_solver_pair *pair, double share,
                               graze_vec2d move)
{
    const graze_vec2d start = offset(rows->position[pair->row_a], rows->position[pair->row_b]);
    if (pair->is_round) {
        return graze_sweep_circles(start, move, core_radius(rows, pair->row_a, share),
                                   core_radius(rows, pair->row_b, share));
    }
    const grz_figure a = core_of(rows, pair->row_a, share), b = core_of(rows, pair->row_b, share);
    return grz_sweep_figures(&a, &b, start, move);
}

// Whether circles around the two, of which one moves so relative to the other, do not touch.
static bool are_clear(const grz_way *a, const grz_way *b, graze_vec2d move)
{
    const graze_vec2d ahead = offset(b->position, a->position);
    const double reach = squared(a->radius + b->radius), square = dot(move, move);
    const double apart = dot(ahead, ahead) - reach, toward = dot(ahead, move);
    if (!(apart > 0)) {
        return false;
    }
    const bool is_beside = squared(cross(ahead, move)) > reach * square;
    const bool ends_before = toward >= square && apart > 2 * toward - square;
    return (toward <= 0) | is_beside | ends_before;
}

// Whether cores stay apart along the normal of their contact, by more than the sweep can err.
static bool pass_along_contact(const graze_world *world, const grz_solver_pair *pair, double share,
                               graze_vec2d move)
{
    const grz_solve *solve = &world->solve;
    if (pair->contact == GRZ_NONE || world->config.no_shortcuts) {
        return false;
    }
    const grz_way *a = &solve->ways.data[pair->a], *b = &solve->ways.data[pair->b];
    const graze_vec2d normal = widen(solve->contacts.data[pair->contact].manifold.normal);
    GRZ_FAULT(passing_to_the_side, move = vec2d(0, 0));
    const double error = (a->radius + b->radius + absolute(move.x) + absolute(move.y)) * 0x1p-20;
    const double gap = dot(offset(b->position, a->position), normal) -
                       share * grz_reach_along(&world->bodies.rows, pair->row_a, normal) -
                       share * grz_reach_along(&world->bodies.rows, pair->row_b, normal);
    return gap > error && gap - dot(move, normal) > error;
}

// How far two may come together without a look at their cores.
static double nearest_of(const grz_solver_pair *pair, double size, double share)
{
    double gap = min_double((double)pair->gap, 0);
    GRZ_FAULT(creeping_deeper, gap = 0);
    return (1 - share) * size + gap;
}

/// How two bodies are kept from passing through each other.
typedef struct pair_stop {
    double share;       ///< Of both ways; 1: nothing stops them.
    graze_vec2d normal; ///< Unit, from a to b.
    double depth;       ///< Of their cores when the step begins, if these overlap; else 0.
} pair_stop;

// Two whose cores overlap already come no nearer, but by rounding: the solver parts them.
static pair_stop stop_overlapping(graze_vec2d normal, double depth, graze_vec2d move, double size)
{
    const double room = grz_deep * size - depth, way = dot(move, normal);
    const bool deeper = way > max_double(room, grz_contact_slop / 4 * size);
    const pair_stop stop = {deeper ? max_double(room, 0) / way : 1, normal, depth};
    return stop;
}

static const pair_stop no_stop = {1, {1, 0}, 0};

// What stops two that come nearer than they may, and do not pass beside each other.
GRZ_IN_PLACE pair_stop stop_cores(const graze_world *world, const grz_solver_pair *pair,
                                  double share, graze_vec2d move, double size)
{
    const double room = pair->fixed ? 0 : size;
    if (pair->overlap) {
        const grz_core_overlap *known = &world->solve.overlaps.data[pair->overlap - 1];
        return stop_overlapping(known->normal, known->depth, move, room);
    }
    if (!pair->is_round && pass_along_contact(world, pair, share, move)) {
        return no_stop;
    }
    const graze_sweep sweep = sweep_cores(&world->bodies.rows, pair, share, move);
    if (sweep.hit && (sweep.depth > 0 || sweep.time == 0)) {
        return stop_overlapping(sweep.normal, sweep.depth, move, room);
    }
    const pair_stop met = {sweep.hit ? sweep.time : 1, sweep.normal, 0};
    return met;
}

// What stops two that go farther than free_square() says.
GRZ_IN_PLACE pair_stop find_stop(const graze_world *world, const grz_solver_pair *pair)
{
    const grz_way *a = &world->solve.ways.data[pair->a], *b = &world->solve.ways.data[pair->b];
    const graze_vec2d move = subtract(a->move, b->move);
    const double size = min_double(a->size, b->size), share = core_share(pair, a, b);
    if (pair->flies || !(length_of(move) > nearest_of(pair, size, share)) ||
        (!pair->is_round && are_clear(a, b, move))) {
        return no_stop;
    }
    return stop_cores(world, pair, share, move, size);
}

// Nothing stops two of which one goes less far relative to the other than the root of this.
static inline double free_square(const graze_world *world, const grz_solver_pair *pair)
{
    if (pair->flies) {
        return (double)INFINITY;
    }
    const grz_way *a = &world->solve.ways.data[pair->a], *b = &world->solve.ways.data[pair->b];
    const double most = nearest_of(pair, min_double(a->size, b->size), core_share(pair, a, b));
    const double apart = world->config.no_shortcuts ? 0 : (double)pair->apart;
    const double farther = max_double(max_double(most, apart), 0);
    return squared(farther) * (1 - 0x1p-40); // As is_surely_shorter().
}

// By pair. In the memory of pairs as they were found, which are no longer needed.
static inline double *free_squares(const grz_solve *solve)
{
    _Static_assert(sizeof(grz_found_pair) == sizeof(double), "there is room");
    return (double *)(void *)solve->found.data;
}

static inline bool is_free(const grz_solve *solve, const grz_solver_pair *pair, double square)
{
    const graze_vec2d move =
        subtract(solve->ways.data[pair->a].move, solve->ways.data[pair->b].move);
    return dot(move, move) < square;
}

// How far a way leads a body into what it touches and what gives no way.
static double way_into(const grz_solve *solve, const grz_constraint_contact *contact,
                       graze_vec2d move)
{
    const graze_vec2d way = subtract(move, move_of(solve, contact->b));
    return dot(way, widen(contact->manifold.normal)) -
           max_double(grz_least_gap(&contact->manifold), 0);
}

static bool is_led_into(const grz_solve *solve, uint32_t contact, graze_vec2d from, graze_vec2d to)
{
    if (contact == GRZ_NONE || solve->contacts.data[contact].pack == GRZ_NONE) {
        return false;
    }
    const grz_constraint_contact *of = &solve->contacts.data[contact];
    const double most = grz_position_tolerance * solve->ways.data[of->a].size;
    return way_into(solve, of, to) > max_double(way_into(solve, of, from), 0) + most;
}

// Whether a way of a body leads it farther into what it touches, and what gives no way, than
// another one does.
static bool leads_into_fixed(const grz_solve *solve, grz_slot slot, graze_vec2d from,
                             graze_vec2d to)
{
    bool leads = false;
    for (uint32_t k = grz_first_of(&solve->wall_ends, slot); k < solve->wall_ends.data[slot]; ++k) {
        const uint32_t contact = solve->walls.data[k].contact;
        leads = leads || contact == GRZ_NONE || is_led_into(solve, contact, from, to);
    }
    const bool any_driven = solve->slot_count > solve->rigid_count;
    const uint32_t end = any_driven ? solve->pair_ends.data[slot] : 0;
    for (uint32_t k = grz_first_of(&solve->pair_ends, slot); k < end; ++k) {
        const grz_solver_pair *pair = &solve->pairs.data[k];
        leads = leads || (pair->fixed && is_led_into(solve, pair->contact, from, to));
    }
    return leads;
}

graze_vec2d grz_solve_held_back(const grz_solve *solve, grz_slot slot, graze_vec2d move,
                                graze_vec2d way, double most)
{
    const double before = dot(move, way);
    const graze_vec2d held = along(move, way, most - before);
    return leads_into_fixed(solve, slot, move, held) ? scale(move, max_double(most / before, 0))
                                                     : held;
}

static void hold_back(grz_solve *solve, grz_slot slot, graze_vec2d move, graze_vec2d way,
                      double most)
{
    set_move(&solve->bodies.data[slot], grz_solve_held_back(solve, slot, move, way, most));
}

// Whether a body may go farther than it would: in its box, and not into what gives no way.
static bool may_go(const graze_world *world, grz_slot slot, graze_vec2d from, graze_vec2d to)
{
    const grz_solve *solve = &world->solve;
    return (dot(to, to) <= dot(from, from) ||
            length_of(to) <=
                max_double(length_of(from),
                           grz_reach_of_solved(world, solve->row_of_slot.data[slot]))) &&
           !leads_into_fixed(solve, slot, from, to);
}

// Two share what they would come too near by, as their masses share an impulse. Returns false if
// one of them may not go as that says.
static bool share_out(graze_world *world, grz_slot slot_a, grz_slot slot_b, const pair_stop *stop)
{
    grz_solve *solve = &world->solve;
    const grz_solver_body *a = &solve->bodies.data[slot_a], *b = &solve->bodies.data[slot_b];
    const double sum = (double)a->inverse_mass + (double)b->inverse_mass;
    const graze_vec2d move_a = move_of(solve, slot_a), move_b = move_of(solve, slot_b);
    const double excess =
        dot(subtract(move_a, move_b), stop->normal) * (1 - stop->share * (1 - 0x1p-20));
    if (!(sum > 0) || !(excess > 0)) {
        return false;
    }
    const graze_vec2d to_a = along(move_a, stop->normal, -excess * (double)a->inverse_mass / sum);
    const graze_vec2d to_b = along(move_b, stop->normal, excess * (double)b->inverse_mass / sum);
    if (!may_go(world, slot_a, move_a, to_a) || !may_go(world, slot_b, move_b, to_b)) {
        return false;
    }
    set_move(&solve->bodies.data[slot_a], to_a);
    set_move(&solve->bodies.data[slot_b], to_b);
    return true;
}

// Of two that approach each other both are held back, else the one behind.
static void shorten(grz_solve *solve, grz_slot slot_a, grz_slot slot_b, bool fixed,
                    const pair_stop *stop)
{
    const graze_vec2d move_a = move_of(solve, slot_a), move_b = move_of(solve, slot_b);
    const double share = stop->share * (1 - 0x1p-20);
    const double of_a = dot(move_a, stop->normal), of_b = dot(move_b, stop->normal);
    const double ahead = max_double(of_b, 0), behind = min_double(of_a, 0);
    if (of_a > ahead) {
        hold_back(solve, slot_a, move_a, stop->normal, ahead + share * (of_a - ahead));
    }
    if (of_b < behind && !fixed) {
        hold_back(solve, slot_b, move_b, stop->normal, behind + share * (of_b - behind));
    }
}

static graze_vec2d surface_velocity(const grz_solver_body *body, graze_vec2 lever)
{
    const graze_vec2d velocity = {(double)body->velocity_x, (double)body->velocity_y};
    return along(velocity, left_of(widen(lever)), (double)body->spin);
}

// Whether a body that touches terrain would go into it at its velocity.
static bool is_led_into_wall(const grz_solve *solve, grz_slot slot)
{
    const grz_solver_body *body = &solve->bodies.data[slot];
    const graze_vec2d velocity = {(double)body->velocity_x, (double)body->velocity_y};
    const double slop = grz_contact_slop * solve->ways.data[slot].size;
    bool leads = false;
    for (uint32_t k = grz_first_of(&solve->wall_ends, slot); k < solve->wall_ends.data[slot]; ++k) {
        const grz_near_wall *near = &solve->walls.data[k];
        leads = leads ||
                (near->contact != GRZ_NONE && near->gap <= slop && dot(velocity, near->normal) > 0);
    }
    return leads;
}

// What stops two takes the speed at which they come together, as a perfectly inelastic collision
// does. What that would lead into terrain is squeezed, and stops.
static void take_approach(grz_solve *solve, grz_slot slot_a, grz_slot slot_b, bool fixed,
                          graze_vec2d normal)
{
    grz_solver_body *a = &solve->bodies.data[slot_a], *b = &solve->bodies.data[slot_b];
    const float x = (float)normal.x, y = (float)normal.y;
    const float approach =
        x * (a->velocity_x - b->velocity_x) + y * (a->velocity_y - b->velocity_y);
    const float mass_b = fixed ? 0 : b->inverse_mass, sum = a->inverse_mass + mass_b;
    if (approach > 0 && sum > 0) {
        const float impulse = approach / sum;
        a->velocity_x -= a->inverse_mass * impulse * x;
        a->velocity_y -= a->inverse_mass * impulse * y;
        b->velocity_x += mass_b * impulse * x;
        b->velocity_y += mass_b * impulse * y;
        if (fixed && is_led_into_wall(solve, slot_a)) {
            a->velocity_x = a->velocity_y = a->spin = 0;
        }
    }
}

// Whether the solver has turned a body away from what it hits: where they touch they come together
// no more, while its centre still comes down.
static bool is_turned_away(const grz_solve *solve, const grz_solver_pair *pair)
{
    if (!pair->fixed || pair->contact == GRZ_NONE ||
        solve->contacts.data[pair->contact].pack == GRZ_NONE) {
        return false;
    }
    const grz_manifold *manifold = &solve->contacts.data[pair->contact].manifold;
    const double most = grz_contact_slop * solve->ways.data[pair->a].size;
    bool parts = true;
    for (uint32_t k = 0; k < manifold->count; ++k) {
        const graze_vec2d a = surface_velocity(&solve->bodies.data[pair->a], manifold->levers_a[k]);
        const graze_vec2d b = surface_velocity(&solve->bodies.data[pair->b], manifold->levers_b[k]);
        parts = parts && dot(subtract(a, b), widen(manifold->normal)) <= most;
    }
    return parts;
}

// --- Pairs that are left to be looked at ---

// What stops a pair depends on the ways of its two bodies alone. So it is looked at again only when
// it has been held, or when one of them has become shorter.

static void look_at(grz_solve *solve, uint32_t pair)
{
    solve->held.data[pair / 64] |= (uint64_t)1 << pair % 64;
}

static void look_at_range(grz_solve *solve, uint32_t first, uint32_t end)
{
    while (first < end) {
        const uint32_t stop = min_u32(end, (first / 64 + 1) * 64);
        solve->held.data[first / 64] |= ~(uint64_t)0 >> (64 - (stop - first)) << first % 64;
        first = stop;
    }
}

// The partners of a body come in their order: some before its own pairs, then these.
static void look_at_pairs_of(grz_solve *solve, grz_slot slot)
{
    const uint32_t *partners = solve->partners.data, end = solve->partner_ends.data[slot];
    const uint32_t own = grz_first_of(&solve->pair_ends, slot);
    note_move(solve, slot);
    for (uint32_t k = grz_first_of(&solve->partner_ends, slot); k < end && partners[k] < own; ++k) {
        look_at(solve, partners[k]);
    }
    look_at_range(solve, own, solve->pair_ends.data[slot]);
}

// Cores overlap when the step begins, or they do not, whatever their ways are: that is found once,
// while there is room.
static void note_overlap(graze_world *world, grz_solver_pair *pair, const pair_stop *stop)
{
    grz_solve *solve = &world->solve;
    if (stop->depth > 0 && !pair->overlap && solve->overlaps.count < solve->overlaps.capacity &&
        !world->config.no_shortcuts) {
        const grz_core_overlap overlap = {stop->normal, stop->depth};
        GRZ_FAULT(shallow_overlaps, overlap.depth = 0);
        solve->overlaps.data[solve->overlaps.count++] = overlap;
        pair->overlap = solve->overlaps.count;
    }
}

static void hold(graze_world *world, const grz_solver_pair *pair, const pair_stop *stop,
                 bool shares)
{
    grz_solve *solve = &world->solve;
    if (!shares || pair->fixed || !share_out(world, pair->a, pair->b, stop)) {
        shorten(solve, pair->a, pair->b, pair->fixed, stop);
    }
    if (!is_turned_away(solve, pair)) {
        take_approach(solve, pair->a, pair->b, pair->fixed, stop->normal);
    }
}

static bool is_moved(const grz_solve *solve, grz_slot slot)
{
    const graze_vec2d now = move_of(solve, slot), before = solve->ways.data[slot].move;
    return (now.x != before.x) | (now.y != before.y);
}

// Returns whether that changes one of the two. Where a hold is less than floats tell apart it does
// not: then it is no reason to look at others. The pair itself is looked at again in any case, as
// later holds are others.
static bool hold_pair(graze_world *world, uint32_t number, bool shares)
{
    grz_solve *solve = &world->solve;
    grz_solver_pair *pair = &solve->pairs.data[number];
    const pair_stop stop = find_stop(world, pair);
    note_overlap(world, pair, &stop);
    if (!(stop.share < 1)) {
        return false;
    }
    pair->held = true;
    const grz_solver_body *a = &solve->bodies.data[pair->a], *b = &solve->bodies.data[pair->b];
    const grz_solver_body before[] = {*a, *b};
    hold(world, pair, &stop, shares);
    look_at(solve, number);
    if (is_moved(solve, pair->a)) {
        look_at_pairs_of(solve, pair->a);
    }
    if (is_moved(solve, pair->b)) {
        look_at_pairs_of(solve, pair->b);
    }
    return memcmp(a, &before[0], sizeof *a) != 0 || memcmp(b, &before[1], sizeof *b) != 0;
}

// HOT. bench: engine/step/pile-rigid (./dev guard: step/mill)
//
// By words of 64 pairs.
//
// Data    48 bytes of each of two bodies, 44 of a pair; 8 written.
// Branch  Nearly all come no nearer than they may, or pass beside each other. Circles are swept at
//         the cost of that test.
static void find_stopped(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    const graze_world *world = context;
    const grz_solve *solve = &world->solve;
    (void)block;
    for (uint32_t word = first; word < end; ++word) {
        const grz_solver_pair *pairs = &solve->pairs.data[64 * word];
        const uint32_t count = min_u32(solve->pairs.count - 64 * word, 64);
        double *squares = free_squares(solve) + 64 * word;
        uint64_t bits = 0;
        for (uint32_t k = 0; k < count; ++k) {
            squares[k] = free_square(world, &pairs[k]);
            if (!is_free(solve, &pairs[k], squares[k])) {
                bits |= (uint64_t)(find_stop(world, &pairs[k]).share < 1) << k;
            }
        }
        solve->held.data[word] = bits;
    }
}

// Holding a pair may add others, before and behind it. Returns whether that changes a body.
static bool hold_pairs(graze_world *world, bool shares)
{
    grz_solve *solve = &world->solve;
    bool changed = false;
    for (uint32_t word = 0; word < grz_count_blocks(solve->pairs.count, 64); ++word) {
        uint64_t left = ~(uint64_t)0;
        while (solve->held.data[word] & left) {
            const uint32_t bit = grz_lowest_bit(solve->held.data[word] & left);
            const uint32_t pair = 64 * word + bit;
            solve->held.data[word] &= ~((uint64_t)1 << bit);
            left = bit == 63 ? 0 : ~(uint64_t)0 << (bit + 1);
            if (!is_free(solve, &solve->pairs.data[pair], free_squares(solve)[pair])) {
                changed = hold_pair(world, pair, shares) || changed;
            }
        }
    }
    return changed;
}

// A body that is held may be in the way of the next: so all that changes is looked at again.
static void hold_until_still(graze_world *world, bool shares)
{
    enum { PASSES = 32 };
    uint32_t pass = 0;
    while (pass < PASSES && hold_pairs(world, shares)) {
        ++pass;
    }
}

// --- Walls ---

static bool is_clear_of_walls(const grz_solve *solve, grz_slot slot, graze_vec2 from, graze_vec2 to)
{
    const uint32_t first = grz_first_of(&solve->wall_ends, slot);
    for (uint32_t k = first; k < solve->wall_ends.data[slot]; ++k) {
        if (!grz_are_apart(from, to, solve->walls.data[k].wall.segment)) {
            return false;
        }
    }
    return true;
}

// What a wall takes of the way it takes of the speed along the way.
static void lose_way(grz_solver_body *body, graze_vec2d way, graze_vec2d gone)
{
    const double square = dot(way, way);
    const double speed = (double)body->velocity_x * way.x + (double)body->velocity_y * way.y;
    if (speed > 0) {
        const double lost = speed / square * (1 - dot(gone, way) / square);
        body->velocity_x -= (float)(lost * way.x);
        body->velocity_y -= (float)(lost * way.y);
    }
}

static graze_vec2 find_end(graze_world *world, grz_slot slot)
{
    const grz_row row = world->solve.row_of_slot.data[slot];
    const graze_vec2 from = world->bodies.rows.position[row];
    const graze_vec2d way = move_of(&world->solve, slot), end = add(widen(from), way);
    const graze_vec2 to = {(float)end.x + 0.0f, (float)end.y + 0.0f};
    if (!is_finite(to)) {
        return from;
    }
    if (world->solve.flies.data[slot] || is_clear_of_walls(&world->solve, slot, from, to)) {
        return to;
    }
    grz_mover mover;
    grz_mover_fill(world, row, NULL, &mover);
    const graze_vec2 point = grz_certified_point(world, &mover, from, to, 1);
    if (!is_same_point(point, to)) {
        lose_way(&world->solve.bodies.data[slot], way, offset(point, from));
    }
    return point;
}

// How far from a wall a body may be that has no contact with it.
static double margin_of(const graze_world *world, grz_row row)
{
    grz_met_by body;
    grz_met_by_fill(world, row, &body);
    return body.margin;
}

// What others push farther than it would have gone may come to walls with which it has no contact.
static void stop_at_far_walls(graze_world *world, grz_slot slot)
{
    grz_solve *solve = &world->solve;
    const grz_row row = solve->row_of_slot.data[slot],
                  first = grz_first_of(&solve->wall_ends, slot);
    if (first == solve->wall_ends.data[slot] || solve->flies.data[slot]) {
        return;
    }
    const double way = length_of(move_of(solve, slot));
    if (!(way > grz_contact_margin * grz_size_of(world, row))) {
        return;
    }
    const double margin = margin_of(world, row);
    grz_mover mover;
    grz_mover_fill(world, row, NULL, &mover);
    for (uint32_t k = first; way > margin && k < solve->wall_ends.data[slot]; ++k) {
        const grz_near_wall *near = &solve->walls.data[k];
        const graze_vec2 from = world->bodies.rows.position[row];
        const graze_vec2d way_now = move_of(solve, slot);
        const grz_move move = grz_move_of(world, &mover, from, narrow(add(widen(from), way_now)));
        grz_touch touch;
        if (near->contact == GRZ_NONE && near->gap > margin &&
            grz_touch_wall(&move, &near->wall, &touch) && touch.approach > 0) {
            set_move(&solve->bodies.data[slot],
                     along(way_now, touch.normal, -touch.approach * (1 - touch.time)));
            note_move(solve, slot);
        }
    }
}

static void stop_all_at_far_walls(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    (void)block;
    for (grz_slot slot = first; slot < end; ++slot) {
        stop_at_far_walls(context, slot);
    }
}

// By how much less far a rect reaches along a direction when it has turned: so far its centre may
// come down, and none of it comes deeper.
static double turned_away(const graze_world *world, grz_row row, float turn, graze_vec2d normal)
{
    const grz_rows *rows = &world->bodies.rows;
    grz_figure after = grz_figure_of(rows, row);
    after.rotation = graze_rotation_from_angle(grz_angle_of(rows, row) + turn);
    return grz_reach_along(rows, row, normal) - grz_reach_of_figure(&after, normal);
}

// What others press against terrain comes no deeper than what its core is smaller; but a centre may
// come down as far as the rect turns away.
static void keep_off_terrain(graze_world *world)
{
    grz_solve *solve = &world->solve;
    for (uint32_t k = 0; k < solve->fixed.count; ++k) {
        const grz_constraint_contact *contact = &solve->contacts.data[solve->fixed.data[k]];
        if (contact->b != grz_terrain_slot(solve) || contact->pack == GRZ_NONE) {
            continue;
        }
        const grz_row row = solve->row_of_slot.data[contact->a];
        const bool round = grz_kind_of(world->bodies.rows.traits[row]) == GRAZE_SHAPE_CIRCLE;
        const double core = round ? grz_round_core : grz_thick_core;
        const double gap = grz_least_gap(&contact->manifold);
        const double may = (1 - core) * grz_size_of(world, row);
        const graze_vec2d move = move_of(solve, contact->a);
        const graze_vec2d normal = widen(contact->manifold.normal);
        const double into = dot(move, normal);
        double excess = into - (max_double(gap, 0) + may);
        if (excess > 0 && !round) {
            const float turn = solve->bodies.data[contact->a].turn;
            excess -= max_double(turned_away(world, row, turn, normal) - may, 0);
        }
        if (excess > 0) {
            set_move(&solve->bodies.data[contact->a], along(move, normal, -excess));
            note_move(solve, contact->a);
        }
    }
}

// --- Ends ---

// A body that would leave the range of float is stopped where it is.
static void stop_overflow(grz_found *found, grz_solver_body *body)
{
    const double all = (double)body->velocity_x + (double)body->velocity_y + (double)body->spin +
                       (double)body->turn + (double)body->delta_x + (double)body->delta_y;
    if (!is_finite_sum(all)) {
        body->velocity_x = body->velocity_y = body->spin = body->turn = 0;
        body->delta_x = body->delta_y = 0;
        ++found->totals.overflow;
    }
}

double grz_swing_of(const graze_world *world, grz_row row, float turn)
{
    const grz_rows *rows = &world->bodies.rows;
    if (!grz_has_sides(rows->traits[row])) {
        return 0;
    }
    const double foreseen = absolute((double)grz_spin_of(rows, row)) * (double)world->call.dt;
    const double more = absolute((double)turn) - foreseen;
    return more > 0 && grz_turns_by_contacts(world, row) ? more * length_of(widen(rows->half[row]))
                                                         : 0;
}

// Whether a body has left the box that the grid knows: queries test such bodies one by one. Boxes
// are as wide as stay_in_box() lets bodies go, but for two things: contacts may turn a rect farther
// than its spin, and what has only joined the rigid bodies has no margin for contacts.
static bool has_left_box(const graze_world *world, grz_slot slot, float turn, graze_vec2 foreseen)
{
    const grz_rows *rows = &world->bodies.rows;
    const grz_row row = world->solve.row_of_slot.data[slot];
    const bool turns = grz_turns_by_contacts(world, row);
    const graze_vec2d way = offset(rows->end[row], rows->position[row]);
    const double far = max_double(absolute(way.x), absolute(way.y));
    const double margin = turns ? grz_contact_margin * grz_size_of(world, row) : 0;
    GRZ_FAULT(solved_out_of_boxes, return false);
    const double swing = grz_swing_of(world, row, turn);
    if ((turns && !(swing > 0)) || far + swing <= margin) {
        return false;
    }
    const graze_vec2 gravity_step = grz_gravity_step(world->config.gravity, world->call.dt);
    const double reach = grz_reach_of(rows, row, foreseen, gravity_step, world->call.dt);
    return far + swing > reach * grz_reach_margin + margin;
}

static void fill_end(graze_world *world, grz_slot slot)
{
    grz_solve *solve = &world->solve;
    grz_rigid_end *end = &solve->ends.data[slot];
    const grz_solver_body *body = &solve->bodies.data[slot];
    grz_rows *rows = &world->bodies.rows;
    end->strays = false;
    if (!solve->flies.data[slot] || grz_turns_by_contacts(world, end->row)) {
        const graze_vec2 foreseen = rows->end[end->row];
        rows->end[end->row] = end->slept ? rows->position[end->row] : find_end(world, slot);
        const graze_vec2 velocity = {body->velocity_x + 0.0f, body->velocity_y + 0.0f};
        rows->end_velocity[end->row] = velocity;
        end->strays = has_left_box(world, slot, body->turn, foreseen);
    }
    end->spin = body->spin + 0.0f;
    end->angle = grz_wrap_angle(grz_angle_of(rows, end->row) + body->turn);
    if (grz_has_sides(rows->traits[end->row])) {
        rows->turn[end->row] = body->turn;
        rows->end_rotation[end->row] = grz_rotation_of(rows, end->row);
    }
}

// The rotations of those that turn, in lanes.
static void turn_ends(const graze_world *world, uint32_t first, uint32_t end)
{
    enum { AT_ONCE = 256 };
    const grz_predict_table *loops = grz_predict_loops_for(world->config.lanes);
    const grz_rows *rows = &world->bodies.rows;
    float angles[AT_ONCE + GRZ_LANES_MAX] = {0};
    graze_rotation rotations[AT_ONCE + GRZ_LANES_MAX];
    grz_row turned[AT_ONCE];
    while (first < end) {
        uint32_t count = 0;
        for (; first < end && count < AT_ONCE; ++first) {
            const grz_rigid_end *of = &world->solve.ends.data[first];
            angles[count] = of->angle;
            turned[count] = of->row;
            count += grz_has_sides(rows->traits[of->row]) && rows->turn[of->row] != 0;
        }
        loops->rotate(angles, rotations, count);
        for (uint32_t k = 0; k < count; ++k) {
            rows->end_rotation[turned[k]] = rotations[k];
        }
    }
}

static void fill_ends(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    const graze_world *world = context;
    (void)block;
    for (grz_slot slot = first; slot < end; ++slot) {
        fill_end(context, slot);
    }
    if (world->bodies.rect_count) {
        turn_ends(world, first, end);
    }
}

static bool reserve_ways(graze_world *world)
{
    grz_solve *solve = &world->solve;
    const uint32_t words = grz_count_blocks(solve->pairs.count, 64);
    solve->overlaps.count = 0;
    return grz_array_reserve(&solve->ways, &world->config.counting, solve->slot_count) &&
           grz_array_reserve(&solve->held, &world->config.counting, words) &&
           grz_array_reserve(&solve->overlaps, &world->config.counting, solve->pairs.count / 8);
}

bool grz_solve_pull_back(graze_world *world)
{
    grz_solve *solve = &world->solve;
    if (!reserve_ways(world)) {
        return false;
    }
    for (grz_slot slot = 0; slot < solve->rigid_count; ++slot) {
        stop_overflow(&world->found, &solve->bodies.data[slot]);
    }
    grz_run_blocks(world, solve->slot_count, GRZ_BLOCK_SLOTS, begin_ways, world);
    hold_beside_fixed(solve);
    keep_off_terrain(world);
    grz_run_blocks(world, solve->rigid_count, GRZ_BLOCK_SLOTS, stop_all_at_far_walls, world);
    grz_run_blocks(world, grz_count_blocks(solve->pairs.count, 64), GRZ_BLOCK_ROWS / 64,
                   find_stopped, world);
    hold_until_still(world, true);
    hold_until_still(world, false);
    grz_run_blocks(world, solve->rigid_count, GRZ_BLOCK_SLOTS, fill_ends, world);
    return true;
}
