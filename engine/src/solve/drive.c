// Driven bodies push whole rows at their own speed.

#include "collide/tolerance.h"
#include "fault.h"
#include "solve/solve.h"
#include "world/rows.h"

#include <string.h>

// A sweep hands an impulse from one body of a row to the next, which gives half of it back: a row
// of many would come up to the speed of what drives it only after some steps, and would be run over
// before. So what sweeps leave of an approach is taken from the body that is farther from what
// drives, as if the nearer one gave no way (E. Guendelman, R. Bridson, R. Fedkiw 2003, "Nonconvex
// Rigid Bodies with Stacking": shock propagation). What terrain holds is not pushed on.

/// The point where the impulses of a contact act, in the mean.
typedef struct push_point {
    graze_vec2 lever_a, lever_b;
} push_point;

static float impulse_now(const grz_solve *solve, const grz_constraint_contact *contact)
{
    if (contact->pack == GRZ_NONE) {
        return 0;
    }
    const grz_packed packed = grz_packed_of(solve, contact);
    const float first = packed.points[0].impulse[packed.lane];
    return contact->manifold.count == 1 ? first : first + packed.points[1].impulse[packed.lane];
}

static push_point point_of(const grz_constraint_contact *contact)
{
    const grz_manifold *manifold = &contact->manifold;
    const uint32_t last = manifold->count - 1;
    const push_point point = {{(manifold->levers_a[0].x + manifold->levers_a[last].x) / 2,
                               (manifold->levers_a[0].y + manifold->levers_a[last].y) / 2},
                              {(manifold->levers_b[0].x + manifold->levers_b[last].x) / 2,
                               (manifold->levers_b[0].y + manifold->levers_b[last].y) / 2}};
    return point;
}

static float speed_at(const grz_solver_body *body, graze_vec2 lever, graze_vec2 normal)
{
    return body->velocity_x * normal.x + body->velocity_y * normal.y +
           body->spin * cross_of(lever, normal);
}

// The next substep repeats what this one has changed: but not this.
static void change(grz_solve *solve, grz_slot slot, graze_vec2 lever, graze_vec2 way, float speed)
{
    grz_solver_body *body = &solve->bodies.data[slot], *before = &solve->before[slot];
    const float turn = cross_of(lever, way);
    const float impulse = speed / (body->inverse_mass + body->inverse_inertia * turn * turn);
    const float x = body->inverse_mass * impulse * way.x, y = body->inverse_mass * impulse * way.y;
    const float spin = body->inverse_inertia * turn * impulse;
    body->velocity_x += x;
    body->velocity_y += y;
    body->spin += spin;
    before->velocity_x += x;
    before->velocity_y += y;
    before->spin += spin;
}

void grz_solve_sum_pressed(grz_solve *solve, grz_impulse_fn *impulse_of)
{
    memset(solve->pressed.data, 0, solve->slot_count * sizeof *solve->pressed.data);
    for (uint32_t k = 0; k < solve->fixed.count; ++k) {
        const grz_constraint_contact *contact = &solve->contacts.data[solve->fixed.data[k]];
        const float impulse = impulse_of(solve, contact);
        solve->pressed.data[contact->a].x += impulse * contact->manifold.normal.x;
        solve->pressed.data[contact->a].y += impulse * contact->manifold.normal.y;
    }
}

static bool drives(const grz_solve *solve, const grz_constraint_contact *contact)
{
    if (contact->b == grz_terrain_slot(solve) || !(impulse_now(solve, contact) > 0)) {
        return false;
    }
    return speed_at(&solve->bodies.data[contact->b], point_of(contact).lever_b,
                    contact->manifold.normal) < 0;
}

/// The bodies that are driven, in the order in which they are reached. By slot, `colours` tell what
/// drives it: 0 for nothing, or the slot of that and 1.
typedef struct driven_row {
    const graze_world *world;
    grz_solve *solve;
    uint32_t count;
} driven_row;

static void reach(driven_row *row, grz_slot slot, uint64_t driver)
{
    if (!row->solve->colours.data[slot]) {
        row->solve->colours.data[slot] = driver;
        row->solve->parents.data[row->count++] = slot;
    }
}

// Whether it gives no way: it sleeps, or what does not give way is behind it.
static bool is_held(const grz_solve *solve, grz_slot slot, graze_vec2 way)
{
    const graze_vec2 pressed = solve->pressed.data[slot];
    const bool is_pressed = pressed.x != 0 || pressed.y != 0; // Most are not: they take no root.
    return !(solve->bodies.data[slot].inverse_mass > 0) ||
           (is_pressed &&
            (double)dot_of(pressed, way) > grz_same_normal * length_of(widen(pressed)));
}

// No point of a driven body is faster.
static float top_speed(const graze_world *world, uint64_t driver, graze_vec2 way)
{
    const grz_solver_body *body = &world->solve.bodies.data[driver];
    const grz_row row = world->solve.row_of_slot.data[driver];
    const double reach = length_of(widen(world->bodies.rows.half[row]));
    return body->velocity_x * way.x + body->velocity_y * way.y +
           (float)(absolute((double)body->spin) * reach);
}

// Pushes what a driven body presses on, at most at the speed of what drives it.
static void push_on(driven_row *row, grz_slot slot, const grz_constraint_contact *contact)
{
    grz_solve *solve = row->solve;
    const bool is_a = contact->a == slot;
    const grz_slot other = is_a ? contact->b : contact->a;
    if (solve->colours.data[other] ||
        !(impulse_now(solve, contact) > 0 || grz_least_gap(&contact->manifold) <= 0)) {
        return;
    }
    const graze_vec2 normal = contact->manifold.normal;
    const graze_vec2 way = {is_a ? normal.x : -normal.x, is_a ? normal.y : -normal.y};
    if (is_held(solve, other, way)) {
        return;
    }
    const push_point point = point_of(contact);
    const graze_vec2 own = is_a ? point.lever_a : point.lever_b;
    const graze_vec2 others = is_a ? point.lever_b : point.lever_a;
    const float speed = min_float(speed_at(&solve->bodies.data[slot], own, way),
                                  top_speed(row->world, solve->colours.data[slot] - 1, way));
    const float approach = speed - speed_at(&solve->bodies.data[other], others, way);
    GRZ_FAULT(pushing_no_rows, approach = 0);
    if (approach > 0) {
        change(solve, other, others, way, approach);
    }
    reach(row, other, solve->colours.data[slot]);
}

static void push_neighbours(driven_row *row, grz_slot slot)
{
    const grz_solve *solve = row->solve;
    const uint32_t end = solve->partner_ends.data[slot];
    for (uint32_t k = grz_first_of(&solve->partner_ends, slot); k < end; ++k) {
        const uint32_t place = solve->pairs.data[solve->partners.data[k]].contact;
        if (place != GRZ_NONE && solve->contacts.data[place].pack != GRZ_NONE) {
            push_on(row, slot, &solve->contacts.data[place]);
        }
    }
}

void grz_solve_drive(graze_world *world)
{
    grz_solve *solve = &world->solve;
    driven_row row = {world, solve, 0};
    const uint32_t drivers = solve->slot_count - solve->rigid_count;
    bool any = false;
    for (uint32_t k = 0; k < solve->fixed.count && drivers; ++k) {
        any = any || drives(solve, &solve->contacts.data[solve->fixed.data[k]]);
    }
    if (!any) {
        return;
    }
    grz_solve_sum_pressed(solve, impulse_now);
    memset(solve->colours.data, 0, solve->slot_count * sizeof(uint64_t));
    for (uint32_t k = 0; k < solve->fixed.count; ++k) {
        const grz_constraint_contact *contact = &solve->contacts.data[solve->fixed.data[k]];
        if (drives(solve, contact)) {
            reach(&row, contact->a, (uint64_t)contact->b + 1);
        }
    }
    for (uint32_t i = 0; i < row.count; ++i) {
        push_neighbours(&row, solve->parents.data[i]);
    }
}
