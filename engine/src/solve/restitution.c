// Energy: contacts give none, and what came together fast parts again (restitution).

#include "collide/tolerance.h"
#include "fault.h"
#include "solve/solve.h"
#include "vec2d.h"
#include "world/forest.h"
#include "world/rows.h"

#include <math.h>
#include <string.h>

// The sweeps have stopped bodies: the impulses of a step are those of compression. All that bounce
// part at one time, each with a share of the impulse that held it (S. D. Poisson 1833).
//
// Energy    With the impulses P of a step, a contact has done the work P (v0 + v1) / 2: v0 and v1
//           are its speeds at the start and now. What is given back to bodies that press on each
//           other is no more than what contacts took from them: so none gains energy from the order
//           of contacts, from several that press on one body, or from two points of one contact.

/// A direction in which two bodies push each other apart, at a point.
typedef struct push_row {
    grz_solver_body *a, *b;
    graze_vec2 way; ///< Unit: of b.
    float lever_a, lever_b;
} push_row;

static push_row row_along(grz_solve *solve, const grz_constraint_contact *contact, uint32_t point,
                          graze_vec2 way)
{
    const grz_manifold *manifold = &contact->manifold;
    const push_row row = {&solve->bodies.data[contact->a], &solve->bodies.data[contact->b], way,
                          cross_of(manifold->levers_a[point], way),
                          cross_of(manifold->levers_b[point], way)};
    return row;
}

static push_row normal_row(grz_solve *solve, const grz_constraint_contact *contact, uint32_t point)
{
    return row_along(solve, contact, point, contact->manifold.normal);
}

static float speed_along(const push_row *row)
{
    const grz_solver_body *a = row->a, *b = row->b;
    return row->way.x * (b->velocity_x - a->velocity_x) +
           row->way.y * (b->velocity_y - a->velocity_y) + row->lever_b * b->spin -
           row->lever_a * a->spin;
}

// The impulse that changes the speed by so much.
static float impulse_for(const push_row *row, float change)
{
    const grz_solver_body *a = row->a, *b = row->b;
    return change /
           (a->inverse_mass + b->inverse_mass + a->inverse_inertia * row->lever_a * row->lever_a +
            b->inverse_inertia * row->lever_b * row->lever_b);
}

static void push_along(const push_row *row, float impulse)
{
    grz_solver_body *a = row->a, *b = row->b;
    a->velocity_x -= a->inverse_mass * impulse * row->way.x;
    a->velocity_y -= a->inverse_mass * impulse * row->way.y;
    a->spin -= a->inverse_inertia * row->lever_a * impulse;
    b->velocity_x += b->inverse_mass * impulse * row->way.x;
    b->velocity_y += b->inverse_mass * impulse * row->way.y;
    b->spin += b->inverse_inertia * row->lever_b * impulse;
}

// Friction holds the surfaces together, with at most `most`.
static void rub(grz_solve *solve, const grz_constraint_contact *contact, uint32_t point, float most)
{
    const graze_vec2 tangent = {contact->manifold.normal.y, -contact->manifold.normal.x};
    const push_row row = row_along(solve, contact, point, tangent);
    const float wanted = impulse_for(&row, contact->slip - speed_along(&row));
    push_along(&row, max_float(min_float(wanted, most), -most));
}

// What touched at the end of the last substep still comes closer.
static void hold(grz_solve *solve, grz_constraint_contact *contact)
{
    for (uint32_t point = 0; point < contact->manifold.count; ++point) {
        const push_row row = normal_row(solve, contact, point);
        const float closing = -speed_along(&row);
        if (contact->sums[point] > 0 && closing > 0) {
            const float impulse = impulse_for(&row, closing);
            push_along(&row, impulse);
            rub(solve, contact, point, contact->friction * impulse);
            contact->sums[point] += impulse;
        }
    }
}

// Twice the energy of a body with these velocities; 0 for one that nothing moves.
static double energies_of(const grz_solver_body *body, float velocity_x, float velocity_y,
                          float spin_now)
{
    const double x = (double)velocity_x, y = (double)velocity_y, spin = (double)spin_now;
    const double mass = body->inverse_mass > 0 ? 1 / (double)body->inverse_mass : 0;
    const double inertia = body->inverse_inertia > 0 ? 1 / (double)body->inverse_inertia : 0;
    return mass * (x * x + y * y) + inertia * spin * spin;
}

// --- Islands ---

static bool is_solved(const grz_constraint_contact *contact)
{
    return contact->pack != GRZ_NONE && contact->sums[0] + contact->sums[1] > 0;
}

static grz_rebound *island_of(grz_solve *solve, grz_slot slot)
{
    return &solve->rebounds[grz_forest_root(solve->parents.data, slot)];
}

static void join_islands(grz_solve *solve)
{
    grz_forest_begin(solve->parents.data, solve->rigid_count);
    for (uint32_t k = 0; k < solve->contacts.count; ++k) {
        const grz_constraint_contact *contact = &solve->contacts.data[k];
        if (is_solved(contact) && !contact->fixed) {
            grz_forest_join(solve->parents.data, contact->a, contact->b);
        }
    }
}

// The share of all changes of an island with which it gains no energy.
static float allowed_share(const grz_rebound *island)
{
    const double given = island->given, square = island->square;
    if (!(given + square / 2 > island->taken)) {
        return 1;
    }
    const double root = given * given + 2 * square * island->taken;
    return square > 0 && root > 0 ? (float)max_double((grz_sqrt(root) - given) / square, 0) : 0;
}

// --- Gains ---

// Contacts with what stands give no energy, nor do those of two bodies. But sweeps that have not
// converged may: where a heavy body presses a light one against a wall, what pushed the heavy one
// out of an overlap is not all taken back. So an island keeps no more of what its contacts changed
// than gains it nothing, but for what parts it. Under gravity what is pushed out of an overlap
// gains height anyway, and a heap that has been pressed together must come apart: there all changes
// stay.

static const double gain_rounding = 0x1p-20; ///< Of the energy.

// Replaces the velocities that a body would have without contacts by what these have changed.
static void find_change(grz_solve *solve, grz_slot slot)
{
    const grz_solver_body *body = &solve->bodies.data[slot];
    grz_rebound *own = &solve->rebounds[slot], *island = island_of(solve, slot);
    const double before = energies_of(body, own->x, own->y, own->spin);
    own->x = body->velocity_x - own->x;
    own->y = body->velocity_y - own->y;
    own->spin = body->spin - own->spin;
    const double after = energies_of(body, body->velocity_x, body->velocity_y, body->spin);
    const double change = energies_of(body, own->x, own->y, own->spin);
    island->square += change;
    island->given += (after - before - change) / 2;
    island->taken += gain_rounding * before;
}

// What overlaps by more than a tenth of its size may have the energy to part within a step.
static void allow_parting(grz_solve *solve, const grz_constraint_contact *contact, float dt)
{
    const double size =
        absolute((double)contact->push) / grz_push_rate; // Below 0 where it is firm.
    const float margin = (float)((1 - grz_thick_core) * size);
    for (uint32_t point = 0; point < contact->manifold.count; ++point) {
        const push_row row = normal_row(solve, contact, point);
        const float speed = min_float(contact->manifold.gaps[point] + margin, 0) / dt;
        island_of(solve, contact->a)->taken += (double)(speed * impulse_for(&row, speed)) / 2;
    }
}

static void find_changes(graze_world *world)
{
    grz_solve *solve = &world->solve;
    join_islands(solve);
    for (grz_slot slot = 0; slot < solve->rigid_count; ++slot) {
        grz_rebound *own = &solve->rebounds[slot];
        own->taken = own->given = own->square = 0;
    }
    for (grz_slot slot = 0; slot < solve->rigid_count; ++slot) {
        find_change(solve, slot);
    }
    for (uint32_t k = 0; k < solve->contacts.count; ++k) {
        if (is_solved(&solve->contacts.data[k])) {
            allow_parting(solve, &solve->contacts.data[k], world->call.dt);
        }
    }
    for (uint32_t k = 0; k < solve->fixed.count; ++k) {
        const grz_constraint_contact *contact = &solve->contacts.data[solve->fixed.data[k]];
        if (is_solved(contact) && grz_is_driven_on(world, contact)) {
            island_of(solve, contact->a)->taken = (double)INFINITY;
        }
    }
}

static bool any_gains(const grz_solve *solve)
{
    bool any = false;
    for (grz_slot slot = 0; slot < solve->rigid_count; ++slot) {
        const grz_solver_body *body = &solve->bodies.data[slot];
        const grz_rebound *free = &solve->rebounds[slot];
        const double after = energies_of(body, body->velocity_x, body->velocity_y, body->spin);
        any |= after > energies_of(body, free->x, free->y, free->spin);
    }
    return any;
}

void grz_solve_take_gains(graze_world *world)
{
    grz_solve *solve = &world->solve;
    const graze_vec2 gravity = world->config.gravity;
    bool falls = gravity.x != 0 || gravity.y != 0;
    GRZ_FAULT(gains_of_contacts, falls = true);
    if (falls || !any_gains(solve)) {
        return;
    }
    find_changes(world);
    for (grz_slot slot = 0; slot < solve->rigid_count; ++slot) {
        const grz_rebound *own = &solve->rebounds[slot];
        const float taken = 1 - allowed_share(island_of(solve, slot));
        grz_solver_body *body = &solve->bodies.data[slot];
        body->velocity_x -= taken * own->x;
        body->velocity_y -= taken * own->y;
        body->spin -= taken * own->spin;
    }
    for (uint32_t k = 0; k < solve->contacts.count; ++k) {
        grz_constraint_contact *contact = &solve->contacts.data[k];
        const float share = is_solved(contact) ? allowed_share(island_of(solve, contact->a)) : 1;
        contact->sums[0] *= share;
        contact->sums[1] *= share;
    }
}

// --- Rebounds ---

// A contact parts at a share of the speed at which it came together, in the mean over its points,
// but with no more than that share of the impulse that held it.
static void plan_rebound(grz_solve *solve, grz_constraint_contact *contact)
{
    grz_rebound *a = &solve->rebounds[contact->a], *b = &solve->rebounds[contact->b];
    const grz_solver_body *body_a = &solve->bodies.data[contact->a];
    const grz_solver_body *body_b = &solve->bodies.data[contact->b];
    float sum = 0, turn_a = 0, turn_b = 0, came = 0, parts = 0;
    for (uint32_t point = 0; point < contact->manifold.count; ++point) {
        const push_row row = normal_row(solve, contact, point);
        const float impulse = contact->sums[point];
        sum += impulse;
        turn_a += impulse * row.lever_a;
        turn_b += impulse * row.lever_b;
        came += impulse * contact->approaches[point];
        parts += impulse * speed_along(&row);
    }
    const float square = (body_a->inverse_mass + body_b->inverse_mass) * sum * sum +
                         body_a->inverse_inertia * turn_a * turn_a +
                         body_b->inverse_inertia * turn_b * turn_b;
    const float wanted = contact->restitution * came - parts;
    contact->rebound =
        square > 0 ? max_float(min_float(wanted / square, contact->restitution), 0) : 0;
    sum *= contact->rebound;
    a->x -= body_a->inverse_mass * sum * contact->manifold.normal.x;
    a->y -= body_a->inverse_mass * sum * contact->manifold.normal.y;
    a->spin -= body_a->inverse_inertia * contact->rebound * turn_a;
    b->x += body_b->inverse_mass * sum * contact->manifold.normal.x;
    b->y += body_b->inverse_mass * sum * contact->manifold.normal.y;
    b->spin += body_b->inverse_inertia * contact->rebound * turn_b;
}

// What contacts have taken, and what rebounds would give back in first order.
static void sum_work(grz_solve *solve, const grz_constraint_contact *contact)
{
    grz_rebound *island = island_of(solve, contact->a);
    for (uint32_t point = 0; point < contact->manifold.count; ++point) {
        const push_row row = normal_row(solve, contact, point);
        const double impulse = (double)contact->sums[point], now = (double)speed_along(&row);
        island->taken += impulse * ((double)contact->approaches[point] - now) / 2;
        island->given += impulse * now * (double)contact->rebound;
    }
}

static void plan_rebounds(grz_solve *solve)
{
    memset(solve->rebounds, 0, (solve->slot_count + 1) * sizeof *solve->rebounds);
    join_islands(solve);
    for (uint32_t k = 0; k < solve->contacts.count; ++k) {
        if (solve->contacts.data[k].bounces) {
            plan_rebound(solve, &solve->contacts.data[k]);
        }
    }
    for (uint32_t k = 0; k < solve->contacts.count; ++k) {
        if (is_solved(&solve->contacts.data[k])) {
            sum_work(solve, &solve->contacts.data[k]);
        }
    }
    for (grz_slot slot = 0; slot < solve->rigid_count; ++slot) {
        const grz_rebound *own = &solve->rebounds[slot];
        island_of(solve, slot)->square +=
            energies_of(&solve->bodies.data[slot], own->x, own->y, own->spin);
    }
}

static void part(grz_solve *solve)
{
    for (grz_slot slot = 0; slot < solve->rigid_count; ++slot) {
        const grz_rebound *own = &solve->rebounds[slot];
        const float share = allowed_share(island_of(solve, slot));
        grz_solver_body *body = &solve->bodies.data[slot];
        body->velocity_x += share * own->x;
        body->velocity_y += share * own->y;
        body->spin += share * own->spin;
    }
    for (uint32_t k = 0; k < solve->contacts.count; ++k) {
        grz_constraint_contact *contact = &solve->contacts.data[k];
        if (!contact->bounces) {
            continue;
        }
        const float share = allowed_share(island_of(solve, contact->a)) * contact->rebound;
        for (uint32_t point = 0; point < contact->manifold.count; ++point) {
            const float impulse = share * contact->sums[point];
            contact->sums[point] += impulse;
            rub(solve, contact, point, contact->friction * impulse);
        }
    }
}

void grz_solve_bounce(graze_world *world)
{
    grz_solve *solve = &world->solve;
    bool any = false;
    for (uint32_t k = 0; k < solve->bouncing.count; ++k) {
        grz_constraint_contact *contact = &solve->contacts.data[solve->bouncing.data[k]];
        contact->bounces = is_solved(contact);
        if (contact->bounces) {
            hold(solve, contact);
            any = true;
        }
    }
    if (any) {
        plan_rebounds(solve);
        part(solve);
    }
}
