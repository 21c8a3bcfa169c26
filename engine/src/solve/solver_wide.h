/// @file solver_wide.h
/// Packs and the sweeps over them, several contacts at a time: see lanes.h and solver.h.
///
/// A normal impulse never pulls. What the impulse is going to be is a sum of two terms, of which
/// only one depends on the velocities: the other is ready early. Friction follows the pressure of
/// the same sweep.
///
/// Source     Two points at once: R. Cottle, J.-S. Pang, R. Stone 1992, "The Linear Complementarity
///            Problem".

#include "solve/solver.h"

#include <stddef.h>

/// The columns of the bodies of some contacts.
typedef struct body_lanes {
    floats x, y, spin, inverse_mass, inverse_inertia;
} body_lanes;

static inline body_lanes gather_bodies(const float *bodies, const uint32_t *places,
                                       const float *inertia)
{
    body_lanes lanes = {.inverse_inertia = load_floats(inertia)};
    gather_boxes(bodies, 2, places, &lanes.x, &lanes.y, &lanes.spin, &lanes.inverse_mass);
    return lanes;
}

/// How far they have come.
typedef struct move_lanes {
    floats x, y, turn;
} move_lanes;

static inline move_lanes gather_moves(const float *bodies, const uint32_t *places)
{
    move_lanes lanes;
    floats inverse_inertia;
    gather_boxes(bodies + 4, 2, places, &lanes.x, &lanes.y, &lanes.turn, &inverse_inertia);
    return lanes;
}

static inline void scatter_velocities(float *bodies, const uint32_t *places,
                                      const body_lanes *lanes)
{
    scatter_boxes(bodies, 2, places, lanes->x, lanes->y, lanes->spin, lanes->inverse_mass);
}

/// The motion of b relative to a, along the normal and along the tangent.
typedef struct relative_lanes {
    floats along, across; ///< Velocities of the centres.
} relative_lanes;

static inline relative_lanes find_relative(const body_lanes *a, const body_lanes *b, floats x,
                                           floats y)
{
    const floats speed_x = sub_floats(b->x, a->x), speed_y = sub_floats(b->y, a->y);
    const relative_lanes relative = {
        add_floats(mul_floats(x, speed_x), mul_floats(y, speed_y)),
        sub_floats(mul_floats(y, speed_x), mul_floats(x, speed_y)),
    };
    return relative;
}

/// What a turn of both adds along a direction.
static inline floats by_turning(floats lever_a, floats turn_a, floats lever_b, floats turn_b)
{
    return sub_floats(mul_floats(lever_b, turn_b), mul_floats(lever_a, turn_a));
}

/// The impulse of a point is base - gain * speed, if that is above 0. A spring gives way a little
/// in each substep, and the more, the harder a game presses: what is firm does not.
typedef struct impulse_rule {
    floats base, gain;
} impulse_rule;

static inline impulse_rule rule_for(const grz_sweep *sweep, const grz_softness *soft,
                                    floats impulse, floats mass, floats gap, floats push)
{
    const floats zero = fill_floats(0);
    const floats closing = mul_floats(gap, fill_floats(sweep->per_second));
    const floats_mask apart = less_floats(zero, gap);
    if (sweep->relax) { // What is apart, and has not been pushed, has not met yet.
        const floats pushes = select_floats(apart, impulse, fill_floats(1));
        const floats gain = select_floats(less_floats(zero, pushes), mass, zero);
        const impulse_rule hard = {sub_floats(impulse, mul_floats(gain, max_floats(closing, zero))),
                                   gain};
        return hard;
    }
    const floats back = sub_floats(zero, push); // Above 0: it is firm.
    const floats leave =
        max_floats(mul_floats(gap, fill_floats(soft->rate)), min_floats(push, back));
    const floats speed = select_floats(apart, closing, leave);
    const floats one = fill_floats(1);
    const floats_mask hard = less_floats(zero, max_floats(gap, back));
    const floats share = select_floats(hard, one, fill_floats(soft->mass_share));
    const floats stays = select_floats(hard, one, fill_floats(1 - soft->impulse_share));
    const floats gain = mul_floats(mass, share);
    const impulse_rule rule = {sub_floats(mul_floats(impulse, stays), mul_floats(gain, speed)),
                               gain};
    return rule;
}

static inline floats apply_rule(const impulse_rule *rule, floats speed)
{
    return max_floats(sub_floats(rule->base, mul_floats(rule->gain, speed)), fill_floats(0));
}

/// Friction holds the surfaces together, with an impulse of at most `most` either way.
static inline floats hold(floats impulse, floats mass, floats speed, floats most)
{
    const floats wanted = sub_floats(impulse, mul_floats(mass, speed));
    return max_floats(min_floats(wanted, most), sub_floats(fill_floats(0), most));
}

/// Changes velocities by impulses along the normal and along the tangent; spins are set apart.
static inline void push_apart(body_lanes *a, body_lanes *b, floats x, floats y, floats pressure,
                              floats friction)
{
    const floats push_x = add_floats(mul_floats(pressure, x), mul_floats(friction, y));
    const floats push_y = sub_floats(mul_floats(pressure, y), mul_floats(friction, x));
    a->x = sub_floats(a->x, mul_floats(a->inverse_mass, push_x));
    a->y = sub_floats(a->y, mul_floats(a->inverse_mass, push_y));
    b->x = add_floats(b->x, mul_floats(b->inverse_mass, push_x));
    b->y = add_floats(b->y, mul_floats(b->inverse_mass, push_y));
}

static inline void spin_apart(body_lanes *a, body_lanes *b, floats lever_a, floats lever_b,
                              floats impulse)
{
    a->spin = sub_floats(a->spin, mul_floats(mul_floats(a->inverse_inertia, lever_a), impulse));
    b->spin = add_floats(b->spin, mul_floats(mul_floats(b->inverse_inertia, lever_b), impulse));
}

/// A point of some contacts while it is solved.
typedef struct contact_point_lanes {
    floats lever_a, lever_b, impulse, pressure;
    impulse_rule rule;
} contact_point_lanes;

static inline contact_point_lanes begin_point(const grz_sweep *sweep, const grz_softness *soft,
                                              const grz_pack_sides *sides, const grz_pack_point *of,
                                              uint32_t k)
{
    contact_point_lanes point = {.lever_a = load_floats(of->lever_a + k),
                                 .lever_b = load_floats(of->lever_b + k),
                                 .impulse = load_floats(of->impulse + k)};
    point.rule = rule_for(sweep, soft, point.impulse, load_floats(of->mass + k),
                          load_floats(of->now + k), load_floats(sides->push + k));
    return point;
}

/// Pushes the two apart at a point, of which the centres have a speed along the normal: changes
/// their spins. Returns by how much the impulse has grown.
static inline floats push_point(contact_point_lanes *point, body_lanes *a, body_lanes *b,
                                floats speed)
{
    const floats turning = by_turning(point->lever_a, a->spin, point->lever_b, b->spin);
    point->pressure = apply_rule(&point->rule, add_floats(speed, turning));
    const floats added = sub_floats(point->pressure, point->impulse);
    spin_apart(a, b, point->lever_a, point->lever_b, added);
    return added;
}

/// How fast the two part at a point, and by how much its rule changes its impulse then.
static inline floats change_alone(const contact_point_lanes *point, const body_lanes *a,
                                  const body_lanes *b, floats along)
{
    const floats speed =
        add_floats(along, by_turning(point->lever_a, a->spin, point->lever_b, b->spin));
    return sub_floats(sub_floats(point->rule.base, mul_floats(point->rule.gain, speed)),
                      point->impulse);
}

/// Solves both points of a contact with what gives no way at once, where both hold. So neither
/// turns the body for the other to turn back, and what lands flat stays flat. Where one lets go, or
/// the two are nearly one (`apart` is near 0, and what it divides would have few right bits), their
/// rules stay, and they are solved one after the other.
static inline void solve_both(contact_point_lanes *first, contact_point_lanes *second,
                              const body_lanes *a, const body_lanes *b, floats along)
{
    const floats zero = fill_floats(0), least = fill_floats(0x1p-10f);
    const floats turns =
        mul_floats(a->inverse_inertia, mul_floats(first->lever_a, second->lever_a));
    const floats shared = add_floats(a->inverse_mass, turns);
    const floats by_first = mul_floats(second->rule.gain, shared);
    const floats by_second = mul_floats(first->rule.gain, shared);
    const floats apart = sub_floats(fill_floats(1), mul_floats(by_first, by_second));
    const floats alone_first = change_alone(first, a, b, along);
    const floats alone_second = change_alone(second, a, b, along);
    const floats holds_first =
        add_floats(first->impulse,
                   div_floats(sub_floats(alone_first, mul_floats(by_second, alone_second)), apart));
    const floats holds_second =
        add_floats(second->impulse,
                   div_floats(sub_floats(alone_second, mul_floats(by_first, alone_first)), apart));
    const floats_mask both = mask_and(less_floats(zero, min_floats(holds_first, holds_second)),
                                      less_floats(least, apart));
    first->rule.base = select_floats(both, holds_first, first->rule.base);
    first->rule.gain = select_floats(both, zero, first->rule.gain);
    second->rule.base = select_floats(both, holds_second, second->rule.base);
    second->rule.gain = select_floats(both, zero, second->rule.gain);
}

static inline void end_point(const grz_sweep *sweep, grz_pack_point *of, uint32_t k,
                             floats pressure)
{
    store_floats(of->impulse + k, pressure);
    if (sweep->relax) {
        store_floats(of->sum + k, add_floats(load_floats(of->sum + k), pressure));
    }
}

/// Finds the gaps of some contacts after their bodies have moved: so they are until these move
/// again.
static inline void renew_gaps(const float *bodies, const grz_pack_sides *sides,
                              grz_pack_point *points, uint32_t k, bool two)
{
    const move_lanes a = gather_moves(bodies, sides->a + k), b = gather_moves(bodies, sides->b + k);
    const floats x = load_floats(sides->normal_x + k), y = load_floats(sides->normal_y + k);
    const floats come =
        add_floats(mul_floats(x, sub_floats(b.x, a.x)), mul_floats(y, sub_floats(b.y, a.y)));
    for (uint32_t i = 0; i < 1 + (uint32_t)two; ++i) {
        const floats turning = by_turning(load_floats(points[i].lever_a + k), a.turn,
                                          load_floats(points[i].lever_b + k), b.turn);
        store_floats(points[i].now + k,
                     add_floats(load_floats(points[i].gap + k), add_floats(come, turning)));
    }
}

// `two`: there are two points. The second sees what the first one did to velocities: `masses` is by
// how much a unit of it changes the speed at the second.
static inline void sweep_contacts(const grz_sweep *sweep, const grz_softness *soft,
                                  grz_pack_sides *sides, grz_pack_point *points, uint32_t k,
                                  bool is_fixed, bool two)
{
    if (sweep->relax) {
        renew_gaps(sweep->bodies, sides, points, k, two);
    }
    body_lanes a = gather_bodies(sweep->bodies, sides->a + k, sides->inertia_a + k);
    body_lanes b = gather_bodies(sweep->bodies, sides->b + k, sides->inertia_b + k);
    const floats x = load_floats(sides->normal_x + k), y = load_floats(sides->normal_y + k);
    const relative_lanes relative = find_relative(&a, &b, x, y);
    contact_point_lanes first = begin_point(sweep, soft, sides, &points[0], k);
    contact_point_lanes second = first;
    if (two) {
        second = begin_point(sweep, soft, sides, &points[1], k);
    }
    if (two && is_fixed) {
        solve_both(&first, &second, &a, &b, relative.along);
    }
    floats added = push_point(&first, &a, &b, relative.along), pressure = first.pressure;
    if (two) {
        const floats masses =
            is_fixed ? a.inverse_mass : add_floats(a.inverse_mass, b.inverse_mass);
        const floats speed = add_floats(relative.along, mul_floats(masses, added));
        added = add_floats(added, push_point(&second, &a, &b, speed));
        pressure = add_floats(pressure, second.pressure);
    }
    const floats lever_a = load_floats(sides->lever_a + k);
    const floats lever_b = load_floats(sides->lever_b + k);
    const floats across =
        sub_floats(add_floats(relative.across, by_turning(lever_a, a.spin, lever_b, b.spin)),
                   load_floats(sides->slip + k));
    const floats held = load_floats(sides->friction_impulse + k);
    const floats most = mul_floats(load_floats(sides->friction + k), pressure);
    const floats holds = hold(held, load_floats(sides->mass + k), across, most);
    const floats more = sub_floats(holds, held);
    spin_apart(&a, &b, lever_a, lever_b, more);
    push_apart(&a, &b, x, y, added, more);
    store_floats(sides->friction_impulse + k, holds);
    end_point(sweep, &points[0], k, first.pressure);
    if (two) {
        end_point(sweep, &points[1], k, second.pressure);
    }
    scatter_velocities(sweep->bodies, sides->a + k, &a);
    if (!is_fixed) {
        scatter_velocities(sweep->bodies, sides->b + k, &b);
    }
}

// HOT. bench: engine/step/pyramid
//
// Data    76 or 104 bytes of a contact; of each of its two bodies 16 read and written, and 16 more
//         read where gaps are renewed.
// Branch  None but for loops: kinds of contacts have packs of their own.
// Order   By pack. Contacts of a pack, and of its group, share no body that gives way.
static void GRZ_WIDE(sweep_packs)(const grz_sweep *sweep, const grz_packs *packs)
{
    // By parts: a copy of all would have to wait until what has just been set is stored.
    const grz_softness soft = packs->are_fixed ? sweep->fixed : sweep->soft;
    const grz_sweep own = {
        .bodies = sweep->bodies, .per_second = sweep->per_second, .relax = sweep->relax};
    for (uint32_t first = 0; first < packs->contacts; first += GRZ_WIDTH) {
        const uint32_t pack = first / GRZ_PACK, k = first % GRZ_PACK;
        if (packs->twos) {
            sweep_contacts(&own, &soft, &packs->twos[pack].sides, packs->twos[pack].points, k,
                           packs->are_fixed, true);
        } else {
            sweep_contacts(&own, &soft, &packs->ones[pack].sides, packs->ones[pack].points, k,
                           packs->are_fixed, false);
        }
    }
}

// --- Filling packs ---

/// The floats of the first contact from a member on.
#define GRZ_MEMBER(list, member)                                                                   \
    ((float *)(void *)(list) + offsetof(grz_constraint_contact, member) / sizeof(float))

/// Four floats of each of some contacts, side by side.
typedef struct four_columns {
    floats a, b, c, d;
} four_columns;

GRZ_IN_PLACE four_columns gather_columns(const float *from, const uint32_t *contacts)
{
    four_columns columns;
    gather_boxes(from, 1, contacts, &columns.a, &columns.b, &columns.c, &columns.d);
    return columns;
}

/// What an impulse changes of two bodies.
typedef struct mass_lanes {
    floats both, inertia_a, inertia_b;
} mass_lanes;

GRZ_IN_PLACE mass_lanes gather_masses(const float *bodies, const uint32_t *a, const uint32_t *b)
{
    floats unused, mass_a, mass_b;
    mass_lanes masses;
    gather_boxes(bodies, 2, a, &unused, &unused, &unused, &mass_a);
    gather_boxes(bodies, 2, b, &unused, &unused, &unused, &mass_b);
    gather_boxes(bodies + 4, 2, a, &unused, &unused, &unused, &masses.inertia_a);
    gather_boxes(bodies + 4, 2, b, &unused, &unused, &unused, &masses.inertia_b);
    masses.both = add_floats(mass_a, mass_b);
    return masses;
}

/// The impulse that changes the speed at levers by 1.
static inline floats effective_mass(const mass_lanes *masses, floats lever_a, floats lever_b)
{
    const floats zero = fill_floats(0);
    const floats turn_a = mul_floats(mul_floats(masses->inertia_a, lever_a), lever_a);
    const floats turn_b = mul_floats(mul_floats(masses->inertia_b, lever_b), lever_b);
    const floats inverse = add_floats(add_floats(masses->both, turn_a), turn_b);
    return select_floats(less_floats(zero, inverse), div_floats(fill_floats(1), inverse), zero);
}

/// A point of some contacts, from the centres of both.
typedef struct manifold_lanes {
    floats a_x, a_y, b_x, b_y, gap, impulse;
} manifold_lanes;

/// Sums over the points of some contacts. Levers of the tangent are turned around.
typedef struct side_sums {
    floats tangent_a, tangent_b, overlap, pressure, turn_a, turn_b;
    floats held, rolling; ///< What else they begin with.
} side_sums;

GRZ_IN_PLACE void fill_point(const mass_lanes *masses, floats x, floats y,
                             const manifold_lanes *from, grz_pack_point *to, uint32_t k,
                             side_sums *sums)
{
    const floats zero = fill_floats(0);
    const floats lever_a = sub_floats(mul_floats(from->a_x, y), mul_floats(from->a_y, x));
    const floats lever_b = sub_floats(mul_floats(from->b_x, y), mul_floats(from->b_y, x));
    store_floats(to->lever_a + k, lever_a);
    store_floats(to->lever_b + k, lever_b);
    store_floats(to->mass + k, effective_mass(masses, lever_a, lever_b));
    store_floats(to->gap + k, from->gap);
    store_floats(to->now + k, from->gap);
    store_floats(to->impulse + k, from->impulse);
    store_floats(to->sum + k, zero);
    sums->tangent_a =
        add_floats(sums->tangent_a, add_floats(mul_floats(from->a_x, x), mul_floats(from->a_y, y)));
    sums->tangent_b =
        add_floats(sums->tangent_b, add_floats(mul_floats(from->b_x, x), mul_floats(from->b_y, y)));
    sums->overlap = add_floats(sums->overlap, min_floats(from->gap, zero));
    sums->pressure = add_floats(sums->pressure, from->impulse);
    sums->turn_a = add_floats(sums->turn_a, mul_floats(from->impulse, lever_a));
    sums->turn_b = add_floats(sums->turn_b, mul_floats(from->impulse, lever_b));
}

/// Friction acts in the middle, where the surfaces are. `share` is 1 by the number of points.
GRZ_IN_PLACE void fill_sides(grz_constraint_contact *list, const mass_lanes *masses, floats x,
                             floats y, const side_sums *sums, floats share, grz_pack_sides *sides,
                             uint32_t k)
{
    const floats held = sums->held, pressure = sums->pressure;
    const floats back = sub_floats(fill_floats(0), share),
                 middle = mul_floats(sums->overlap, mul_floats(share, fill_floats(0.5f)));
    const floats lever_a = sub_floats(mul_floats(sums->tangent_a, back), middle);
    const floats lever_b = add_floats(mul_floats(sums->tangent_b, back), middle);
    const floats turn_a = add_floats(sums->turn_a, mul_floats(held, lever_a));
    const floats turn_b = add_floats(sums->turn_b, mul_floats(held, lever_b));
    store_floats(sides->normal_x + k, x);
    store_floats(sides->normal_y + k, y);
    store_floats(sides->lever_a + k, lever_a);
    store_floats(sides->lever_b + k, lever_b);
    store_floats(sides->mass + k, effective_mass(masses, lever_a, lever_b));
    store_floats(sides->inertia_a + k, masses->inertia_a);
    store_floats(sides->inertia_b + k, masses->inertia_b);
    store_floats(sides->friction_impulse + k, held);
    scatter_boxes(GRZ_MEMBER(list, start), 1, sides->contact + k,
                  add_floats(mul_floats(pressure, x), mul_floats(held, y)),
                  sub_floats(mul_floats(pressure, y), mul_floats(held, x)),
                  add_floats(turn_a, sums->rolling), add_floats(turn_b, sums->rolling));
}

GRZ_IN_PLACE void fill_contacts(grz_constraint_contact *list, const float *bodies,
                                grz_pack_sides *sides, grz_pack_point *points, uint32_t k, bool two)
{
    const four_columns pair = gather_columns(GRZ_MEMBER(list, a), sides->contact + k);
    const four_columns surface = gather_columns(GRZ_MEMBER(list, rolling), sides->contact + k);
    const four_columns normals =
        gather_columns(GRZ_MEMBER(list, manifold.normal), sides->contact + k);
    const four_columns levers =
        gather_columns(GRZ_MEMBER(list, manifold.levers_a[1]), sides->contact + k);
    const four_columns last =
        gather_columns(GRZ_MEMBER(list, manifold.levers_b[1]), sides->contact + k);
    const four_columns impulses = gather_columns(GRZ_MEMBER(list, impulses), sides->contact + k);
    const floats x = normals.a, y = normals.b, zero = fill_floats(0);
    const manifold_lanes one = {normals.c, normals.d, levers.c, levers.d, last.c, impulses.a};
    const floats_mask has_other = less_floats(pair.d, fill_floats(1));
    const manifold_lanes other = {
        select_floats(has_other, levers.a, zero), select_floats(has_other, levers.b, zero),
        select_floats(has_other, last.a, zero),   select_floats(has_other, last.b, zero),
        select_floats(has_other, last.d, zero),   select_floats(has_other, impulses.b, zero)};
    side_sums sums = {zero, zero, zero, zero, zero, zero, impulses.c, impulses.d};
    store_ints(sides->a + k, shift_left(bits_of_floats(pair.a), 2));
    store_ints(sides->b + k, shift_left(bits_of_floats(pair.b), 2));
    store_floats(sides->friction + k, surface.b);
    store_floats(sides->slip + k, surface.c);
    store_floats(sides->push + k, surface.d);
    const mass_lanes masses = gather_masses(bodies, sides->a + k, sides->b + k);
    fill_point(&masses, x, y, &one, &points[0], k, &sums);
    if (two) {
        fill_point(&masses, x, y, &other, &points[1], k, &sums);
        store_floats(points[1].mass + k,
                     select_floats(has_other, load_floats(points[1].mass + k), zero));
    }
    fill_sides(list, &masses, x, y, &sums, pair.d, sides, k);
}

// HOT. bench: engine/step/pyramid
//
// Data    96 bytes of a contact and 32 of each of its two bodies read, 16 of the contact and 80 or
//         108 of its pack written.
// Branch  None but for loops.
// Order   Of no effect: each contact has a lane of its own.
static void GRZ_WIDE(fill_packs)(grz_constraint_contact *list, const float *bodies,
                                 const grz_packs *packs)
{
    for (uint32_t first = 0; first < packs->contacts; first += GRZ_WIDTH) {
        const uint32_t pack = first / GRZ_PACK, k = first % GRZ_PACK;
        if (packs->twos) {
            fill_contacts(list, bodies, &packs->twos[pack].sides, packs->twos[pack].points, k,
                          true);
        } else {
            fill_contacts(list, bodies, &packs->ones[pack].sides, packs->ones[pack].points, k,
                          false);
        }
    }
}

// --- Taking impulses ---

_Static_assert(offsetof(grz_constraint_contact, impulses) ==
                   offsetof(grz_constraint_contact, sums) + GRZ_MANIFOLD_POINTS * sizeof(float),
               "they are taken together");

GRZ_IN_PLACE void take_contacts(grz_constraint_contact *list, const grz_pack_sides *sides,
                                const grz_pack_point *points, uint32_t k, bool two)
{
    const grz_pack_point *last = &points[two];
    const floats zero = fill_floats(0);
    scatter_boxes(GRZ_MEMBER(list, sums), 1, sides->contact + k, load_floats(points->sum + k),
                  two ? load_floats(last->sum + k) : zero, load_floats(points->impulse + k),
                  two ? load_floats(last->impulse + k) : zero);
    for (uint32_t i = k; i < k + GRZ_WIDTH; ++i) {
        GRZ_MEMBER(list, friction_impulse)[sides->contact[i]] = sides->friction_impulse[i];
    }
}

static void GRZ_WIDE(take_impulses)(grz_constraint_contact *list, const grz_packs *packs)
{
    for (uint32_t first = 0; first < packs->contacts; first += GRZ_WIDTH) {
        const uint32_t pack = first / GRZ_PACK, k = first % GRZ_PACK;
        if (packs->twos) {
            take_contacts(list, &packs->twos[pack].sides, packs->twos[pack].points, k, true);
        } else {
            take_contacts(list, &packs->ones[pack].sides, packs->ones[pack].points, k, false);
        }
    }
}

const grz_solver_loops GRZ_WIDE(grz_solver_loops) = {GRZ_WIDTH, GRZ_WIDE(sweep_packs),
                                                     GRZ_WIDE(fill_packs), GRZ_WIDE(take_impulses)};
