// Piles are solved round by round, several constraints side by side, and settle from the lowest
// body up, again where something has changed. The oracle takes one constraint after the other, and
// looks for the next body from the first on each time: the bits are the same.

#include "world_kit.h"

#include "state.h"

#include "motion/motion_planes.h"
#include "pile/kept_impulses.h"
#include "pile/pile_push.h"
#include "pile/pile_sets.h"
#include "pile/pile_settle.h"
#include "vec2d.h"

#include <string.h>

enum {
    BODIES = 60,
    MAX_CONSTRAINTS = 4 * BODIES,
    WORLDS = 200,
    SWEEPS = 16,
    MAX_SETTLED = 8,
    PARTS = 32,
    LAST = BODIES - 1
};

// As in pile_push.c.
static const double steepest = 0.5;   ///< Cosine: a normal farther from gravity bears no weight.
static const double withheld = 0.375; ///< The part of its own weight that a body keeps at first.

/// What solving one by one finds.
typedef struct slow_pile {
    const grz_piles *piles; ///< Their constraints are in order.
    const grz_kept_impulse *kept;
    uint32_t kept_count;
    double dt, fall;
    graze_vec2d gravity;
    bool recovers;
    bool is_crowd; ///< Without gravity.
    bool touches[MAX_CONSTRAINTS], recalled[MAX_CONSTRAINTS];
    double impulses[MAX_CONSTRAINTS], upper_tangent_impulses[MAX_CONSTRAINTS],
        lower_tangent_impulses[MAX_CONSTRAINTS];
    graze_vec2d velocities[BODIES], wishes[BODIES], courses[BODIES], before[BODIES];
    double rises[BODIES];
    bool stuck[BODIES], driven[BODIES], waits[BODIES], leans[BODIES], pushed_aside[BODIES];
    uint32_t settled[BODIES];
} slow_pile;

// --- One by one ---

static double room_of(const grz_constraint *constraint)
{
    return constraint->gap > -constraint->slack / 2
               ? max_double(constraint->gap + constraint->slack, 0)
               : 0;
}

static double parting_room_of(const slow_pile *of, const grz_constraint *constraint, double share)
{
    const double most = (of->leans[constraint->upper] ? 16 : 2) * constraint->slack;
    const bool is_deep = constraint->kind == GRZ_CONSTRAINT_BODY && constraint->gap < -most;
    return is_deep ? share * (constraint->gap + constraint->slack) : room_of(constraint);
}

static bool bears(const slow_pile *of, const grz_constraint *constraint)
{
    const double down = dot(constraint->normal, of->gravity);
    return constraint->share != 0 && down >= steepest * length_of(of->gravity);
}

static double speed_before(const slow_pile *of, const grz_constraint *constraint)
{
    return constraint->kind == GRZ_CONSTRAINT_BODY
               ? dot(of->before[constraint->lower], constraint->normal)
               : constraint->normal_speed;
}

static void drive(slow_pile *of, const grz_constraint *constraint)
{
    const bool is_body = constraint->kind == GRZ_CONSTRAINT_BODY;
    if (!bears(of, constraint) ||
        (is_body ? !of->driven[constraint->lower] : constraint->normal_speed >= 0)) {
        return;
    }
    graze_vec2d *before = &of->before[constraint->upper];
    const double over = dot(*before, constraint->normal) - speed_before(of, constraint);
    const double down = dot(constraint->normal, of->gravity) / length_of(of->gravity);
    const double rise = is_body ? of->rises[constraint->lower] : -constraint->normal_speed / down;
    of->rises[constraint->upper] = max_double(of->rises[constraint->upper], rise);
    of->driven[constraint->upper] = true;
    *before = over > 0 ? along(*before, constraint->normal, -over) : *before;
}

// Bodies have the indices that index_of_body() gives.
static uint32_t index_of_body(uint32_t body)
{
    return LAST - body;
}

static bool is_of(const grz_kept_impulse *kept, const grz_constraint *constraint, uint32_t upper,
                  uint32_t lower)
{
    const bool is_body = constraint->kind == GRZ_CONSTRAINT_BODY;
    return kept->kind == (uint32_t)constraint->kind && kept->upper == index_of_body(upper) &&
           kept->chain == (is_body ? 0 : (uint32_t)(constraint->id >> 32)) &&
           kept->other == (is_body ? index_of_body(lower) : (uint32_t)constraint->id);
}

// The first that is of the constraint or, if there is none, of its bodies the other way up.
static const grz_kept_impulse *find_kept(const slow_pile *of, const grz_constraint *constraint)
{
    const uint32_t bodies[] = {constraint->upper, constraint->lower};
    for (int flipped = 0; flipped <= (constraint->kind == GRZ_CONSTRAINT_BODY); ++flipped) {
        for (uint32_t i = 0; i < of->kept_count; ++i) {
            if (is_of(&of->kept[i], constraint, bodies[flipped], bodies[!flipped])) {
                return &of->kept[i];
            }
        }
    }
    return NULL;
}

static void recall(slow_pile *of, uint32_t k)
{
    const grz_constraint *constraint = &of->piles->constraints.data[k];
    const grz_kept_impulse *kept = find_kept(of, constraint);
    if (!kept || constraint->friction == 0 || !of->leans[constraint->upper]) {
        return;
    }
    const double rest = 1 - constraint->share;
    const double impulse = (double)kept->normal * of->dt;
    const double tangent = (double)kept->tangent * of->dt;
    const graze_vec2d change =
        add(scale(constraint->normal, impulse), scale(left_of(constraint->normal), tangent));
    graze_vec2d *upper = &of->velocities[constraint->upper];
    of->recalled[k] = true;
    of->impulses[k] = impulse;
    of->upper_tangent_impulses[k] = tangent * constraint->share;
    of->lower_tangent_impulses[k] = -(tangent * rest);
    *upper = along(*upper, change, -constraint->share);
    if (constraint->kind == GRZ_CONSTRAINT_BODY) {
        graze_vec2d *lower = &of->velocities[constraint->lower];
        *lower = along(*lower, change, rest);
    }
}

static void lean(slow_pile *of, uint32_t k)
{
    const grz_constraint *constraint = &of->piles->constraints.data[k];
    const bool is_body = constraint->kind == GRZ_CONSTRAINT_BODY;
    if (!bears(of, constraint) || of->recalled[k]) {
        return;
    }
    const double speed = speed_before(of, constraint);
    const double given = dot(of->velocities[constraint->upper], constraint->normal) - speed -
                         (room_of(constraint) / of->dt + withheld * of->fall);
    if (given > 0) {
        graze_vec2d *upper = &of->velocities[constraint->upper];
        of->impulses[k] = given / constraint->share;
        *upper = along(*upper, constraint->normal, -given);
    }
    if (given > 0 && is_body) {
        graze_vec2d *lower = &of->velocities[constraint->lower];
        *lower = along(*lower, constraint->normal, of->impulses[k] * (1 - constraint->share));
    }
}

// Spreads from each body to all that lie with it.
static void spread(const slow_pile *of, bool *flags)
{
    const grz_constraint *constraints = of->piles->constraints.data;
    for (uint32_t rounds = 0; rounds < BODIES; ++rounds) {
        for (uint32_t k = 0; k < of->piles->constraints.count; ++k) {
            if (constraints[k].kind == GRZ_CONSTRAINT_BODY) {
                bool *upper = &flags[constraints[k].upper];
                bool *lower = &flags[constraints[k].lower];
                *upper = *lower = *upper || *lower;
            }
        }
    }
}

// Which bodies have a slanted constraint, or lie with one that has.
static void find_leaning(slow_pile *of)
{
    const grz_constraint *constraints = of->piles->constraints.data;
    for (uint32_t k = 0; k < of->piles->constraints.count; ++k) {
        of->leans[constraints[k].upper] |=
            constraints[k].normal.x != 0 && constraints[k].normal.y != 0;
    }
    spread(of, of->leans);
}

// Which bodies, or others that lie with them, are pushed by a body that gives no way, and not up.
static void find_pushed_aside(slow_pile *of)
{
    const grz_constraint *constraints = of->piles->constraints.data;
    for (uint32_t k = 0; k < of->piles->constraints.count; ++k) {
        of->pushed_aside[constraints[k].upper] |= constraints[k].kind == GRZ_CONSTRAINT_FIXED &&
                                                  constraints[k].normal_speed < 0 &&
                                                  !bears(of, &constraints[k]);
    }
    spread(of, of->pushed_aside);
}

// Those of a body are listed one after the other, and the highest body comes last.
static void bear_weight(slow_pile *of)
{
    find_leaning(of);
    for (uint32_t body = 0; body < BODIES; ++body) {
        for (uint32_t k = 0; k < of->piles->constraints.count; ++k) {
            if (of->piles->constraints.data[k].upper == body) {
                drive(of, &of->piles->constraints.data[k]);
            }
        }
    }
    for (uint32_t k = 0; k < of->piles->constraints.count; ++k) {
        recall(of, k);
    }
    for (uint32_t body = BODIES; body-- > 0;) {
        for (uint32_t k = of->piles->constraints.count; k-- > 0;) {
            if (of->piles->constraints.data[k].upper == body) {
                lean(of, k);
            }
        }
    }
}

static void take_slip(graze_vec2d *velocity, graze_vec2d surface, double speed, double most,
                      double *tangent_impulse)
{
    const double now = min_double(max_double(*tangent_impulse + speed, -most), most);
    *velocity = along(*velocity, surface, *tangent_impulse - now);
    *tangent_impulse = now;
}

static void push_one(slow_pile *of, uint32_t k)
{
    const grz_constraint *constraint = &of->piles->constraints.data[k];
    const double rest = 1 - constraint->share;
    graze_vec2d *upper = &of->velocities[constraint->upper];
    graze_vec2d *lower =
        constraint->kind == GRZ_CONSTRAINT_BODY ? &of->velocities[constraint->lower] : NULL;
    const double speed = lower ? dot(*lower, constraint->normal) : constraint->normal_speed;
    const double approach = dot(*upper, constraint->normal) - speed;
    const double room = of->touches[k] ? 0 : room_of(constraint);
    const double impulse = max_double(of->impulses[k] + approach - room / of->dt, 0);
    const double change = impulse - of->impulses[k];
    of->impulses[k] = impulse;
    *upper = along(*upper, constraint->normal, -change * constraint->share);
    if (lower) {
        *lower = along(*lower, constraint->normal, change * rest);
    }
    const graze_vec2d surface = left_of(constraint->normal);
    const double slip =
        dot(*upper, surface) - (lower ? dot(*lower, surface) : constraint->tangent_speed);
    const double most = constraint->friction * impulse;
    take_slip(upper, surface, slip * constraint->share, most * constraint->share,
              &of->upper_tangent_impulses[k]);
    if (lower) {
        take_slip(lower, surface, -slip * rest, most * rest, &of->lower_tangent_impulses[k]);
    }
}

static bool yields(const slow_pile *of, const grz_constraint *constraint, bool is_upper)
{
    const double share = is_upper ? constraint->share : 1 - constraint->share;
    const uint32_t other = is_upper ? constraint->lower : constraint->upper;
    if (constraint->kind != GRZ_CONSTRAINT_BODY || !(share < 1)) {
        return true;
    }
    return !of->is_crowd && share > 0 && (is_upper || of->stuck[other]);
}

static double find_worst(const slow_pile *of, uint32_t body, graze_vec2d course, grz_plane *worst)
{
    double over = 0;
    for (uint32_t k = 0; k < of->piles->constraints.count; ++k) {
        const grz_constraint *constraint = &of->piles->constraints.data[k];
        const bool is_body = constraint->kind == GRZ_CONSTRAINT_BODY;
        const bool is_upper = constraint->upper == body;
        if ((is_upper || (is_body && constraint->lower == body)) &&
            yields(of, constraint, is_upper)) {
            const graze_vec2d normal = is_upper ? constraint->normal : negate(constraint->normal);
            const uint32_t other = is_upper ? constraint->lower : constraint->upper;
            const double speed =
                is_body ? dot(of->courses[other], normal) : constraint->normal_speed;
            const double room = of->recovers     ? parting_room_of(of, constraint, 0.25)
                                : of->touches[k] ? 0
                                                 : room_of(constraint);
            const double limit = speed + room / of->dt;
            if (dot(course, normal) - limit > over) {
                const grz_plane met = {normal, limit};
                over = dot(course, normal) - limit;
                *worst = met;
            }
        }
    }
    return over;
}

static graze_vec2d find_wish(const slow_pile *of, uint32_t body)
{
    const graze_vec2d velocity = of->velocities[body];
    const double most = of->piles->bodies.data[body].max_speed;
    const double speed = length_of(velocity);
    if (of->is_crowd) {
        return of->courses[body];
    }
    return of->recovers && speed > most ? scale(velocity, most / speed) : velocity;
}

static bool find_course(slow_pile *of, uint32_t body)
{
    const double size = of->piles->bodies.data[body].size;
    grz_slide slide = {.desired = of->wishes[body]};
    grz_plane worst;
    of->courses[body] = slide.desired;
    double over = find_worst(of, body, slide.desired, &worst);
    for (int k = 0; over > 1e-7 * size / of->dt && k < GRZ_TURNS; ++k) {
        grz_planes_add(&slide, worst.normal, worst.limit);
        of->courses[body] = of->recovers ? grz_planes_slide(&slide) : grz_planes_hold(&slide);
        over = find_worst(of, body, of->courses[body], &worst);
    }
    const double own = length_of(of->velocities[body]) + of->fall;
    const double most = of->pushed_aside[body] && !of->recovers ? (double)INFINITY : own;
    const double speed = length_of(of->courses[body]);
    if (!of->is_crowd && speed > most) { // It may part more slowly, if that leads into nothing.
        of->courses[body] = scale(of->courses[body], most / speed);
        const bool recovers = of->recovers;
        of->recovers = false;
        over = recovers ? find_worst(of, body, of->courses[body], &worst) : (double)INFINITY;
        of->recovers = recovers;
    }
    return over <= 0x1p-13 * size / of->dt;
}

// All that yield to a body wait for another velocity.
static void wake_others(slow_pile *of, uint32_t body)
{
    for (uint32_t k = 0; k < of->piles->constraints.count; ++k) {
        const grz_constraint *constraint = &of->piles->constraints.data[k];
        const bool is_body = constraint->kind == GRZ_CONSTRAINT_BODY;
        if (is_body && constraint->lower == body && yields(of, constraint, true)) {
            of->waits[constraint->upper] = true;
        }
        if (is_body && constraint->upper == body && yields(of, constraint, false)) {
            of->waits[constraint->lower] = true;
        }
    }
}

// It rises with what carries it, if no wall is in the way; what is pushed too fast goes on.
static graze_vec2d find_stand(const slow_pile *of, uint32_t body)
{
    const double most = of->piles->bodies.data[body].max_speed;
    const double rise = of->recovers ? min_double(of->rises[body], most) : of->rises[body];
    const double tolerance = 0x1p-13 * of->piles->bodies.data[body].size / of->dt;
    const graze_vec2d up = {0, rise};
    const graze_vec2d still = {0, 0};
    bool is_free = true;
    for (uint32_t k = 0; k < of->piles->constraints.count; ++k) {
        const grz_constraint *constraint = &of->piles->constraints.data[k];
        const bool is_own = constraint->upper == body && constraint->kind != GRZ_CONSTRAINT_BODY;
        const double limit = constraint->normal_speed + room_of(constraint) / of->dt;
        is_free =
            is_free && !(is_own && dot(up, constraint->normal) > max_double(limit, 0) + tolerance);
    }
    if (of->recovers && !of->is_crowd && length_of(of->velocities[body]) > 2 * most) {
        return of->wishes[body];
    }
    return is_free ? up : still;
}

// Returns whether its velocity has changed.
static bool settle_one(slow_pile *of, uint32_t body)
{
    const graze_vec2d before = of->courses[body];
    of->waits[body] = false;
    ++of->settled[body];
    of->stuck[body] = !find_course(of, body);
    of->courses[body] = of->stuck[body] ? find_stand(of, body) : of->courses[body];
    return of->stuck[body] || of->courses[body].x != before.x || of->courses[body].y != before.y;
}

// Each time from the lowest up.
static void settle_all(slow_pile *of)
{
    for (uint32_t k = 0; k < BODIES; ++k) {
        of->stuck[k] = false;
        of->waits[k] = true;
        of->settled[k] = 0;
        of->courses[k] = of->wishes[k] = find_wish(of, k);
    }
    for (uint32_t k = 0; k < BODIES;) {
        const bool settles = of->waits[k] && !of->stuck[k] && of->settled[k] < MAX_SETTLED;
        const bool changes = settles && settle_one(of, k);
        if (changes) {
            wake_others(of, k);
        }
        k = changes ? 0 : k + 1;
    }
}

static void part_two(slow_pile *of, uint32_t k)
{
    const grz_constraint *constraint = &of->piles->constraints.data[k];
    graze_vec2d *upper = &of->courses[constraint->upper];
    graze_vec2d *lower =
        constraint->kind == GRZ_CONSTRAINT_BODY ? &of->courses[constraint->lower] : NULL;
    const double speed = lower ? 0 : constraint->normal_speed;
    const double room = speed + parting_room_of(of, constraint, 0.75) / of->dt;
    const double before = lower ? dot(*lower, constraint->normal) : 0;
    const double over = max_double(dot(*upper, constraint->normal) - before - room, 0);
    *upper = along(*upper, constraint->normal, -1.375 * over * constraint->share);
    if (lower) {
        *lower = along(*lower, constraint->normal, 1.375 * over * (1 - constraint->share));
    }
}

static void do_all(slow_pile *of, void (*act)(slow_pile *of, uint32_t k))
{
    for (uint32_t k = of->piles->constraints.count; k-- > 0;) {
        act(of, k);
    }
    for (uint32_t k = 0; k < of->piles->constraints.count; ++k) {
        act(of, k);
    }
}

static void part_all(slow_pile *of)
{
    for (int sweep = 0; sweep < PARTS; ++sweep) {
        do_all(of, part_two);
        for (uint32_t k = 0; k < BODIES; ++k) {
            const double most = of->piles->bodies.data[k].max_speed;
            const double speed = length_of(of->courses[k]);
            of->courses[k] = speed > most ? scale(of->courses[k], most / speed) : of->courses[k];
        }
    }
}

static void settle_one_by_one(slow_pile *of)
{
    find_pushed_aside(of);
    if (!of->is_crowd) {
        bear_weight(of);
    }
    for (int sweep = 0; sweep < SWEEPS; ++sweep) {
        do_all(of, push_one);
    }
    for (uint32_t k = 0; of->is_crowd && k < of->piles->constraints.count; ++k) {
        of->touches[k] = of->impulses[k] > 0;
    }
    for (int sweep = 0; of->is_crowd && sweep < SWEEPS; ++sweep) {
        do_all(of, push_one);
    }
    // What has been pushed since then, too.
    for (uint32_t k = 0; of->is_crowd && k < of->piles->constraints.count; ++k) {
        of->touches[k] = of->impulses[k] > 0;
    }
    memcpy(of->courses, of->velocities, sizeof of->courses);
    settle_all(of);
    memcpy(of->velocities, of->courses, sizeof of->velocities);
    of->recovers = true;
    if (of->is_crowd) {
        part_all(of);
    }
    settle_all(of);
}

// --- Piles ---

// Numbers are on a lattice: so speeds tie, and directions are parallel.
static grz_constraint draw_constraint(random_state *random, uint32_t upper)
{
    static const graze_vec2d normals[] = {{0, -1}, {1, 0},      {-1, 0},     {0, 1},
                                          {0, -1}, {0.6, -0.8}, {-0.6, -0.8}};
    static const double shares[] = {0.5, 0.5, 0.5, 0.25, 1, 0};
    grz_constraint constraint = {.kind = upper == 0 ? GRZ_CONSTRAINT_WALL
                                                    : (grz_constraint_kind)random_below(random, 6),
                                 .upper = upper,
                                 .lower = GRZ_NONE,
                                 .slack = 0x1p-16,
                                 .share = 1,
                                 .joins = true};
    constraint.normal = normals[random_below(random, sizeof normals / sizeof normals[0])];
    constraint.gap = random_integer(random, -4, 2) * (random_below(random, 4) ? 0x1p-16 : 0x1p-13);
    constraint.parting = 2 * constraint.slack;
    constraint.friction = random_below(random, 2) * 0.5;
    if (constraint.kind >= GRZ_CONSTRAINT_BODY) {
        constraint.kind = GRZ_CONSTRAINT_BODY;
        constraint.lower = random_below(random, upper);
        constraint.share = shares[random_below(random, sizeof shares / sizeof shares[0])];
    } else {
        constraint.normal_speed = random_integer(random, -1, 1) * 0.125;
        constraint.tangent_speed = random_integer(random, -1, 1) * 0.125;
    }
    return constraint;
}

static void reserve_piles(graze_world *world)
{
    grz_piles *piles = &world->piles;
    assert_true(grz_array_reserve(&piles->bodies, &world->counting, BODIES));
    assert_true(grz_array_reserve(&piles->constraints, &world->counting, MAX_CONSTRAINTS));
    assert_true(grz_array_reserve(&piles->order, &world->counting, MAX_CONSTRAINTS));
    assert_true(grz_array_reserve(&piles->rounds, &world->counting, MAX_CONSTRAINTS));
    piles->bodies.count = 0;
    piles->constraints.count = 0;
    piles->order.count = 0;
}

// Adds a pile behind the bodies of other piles.
static void add_pile(graze_world *world, random_state *random, uint32_t count)
{
    grz_piles *piles = &world->piles;
    const uint32_t first = piles->bodies.count;
    for (uint32_t k = 0; k < count; ++k) {
        const grz_pile_body body = {.motion = piles->bodies.count,
                                    .size = 0.5,
                                    .max_speed = 1,
                                    .before = {0, random_integer(random, -1, 1) * 0.25},
                                    .velocity = {random_integer(random, -2, 2) * 0.25,
                                                 random_integer(random, -6, 0) * 0.25}};
        piles->bodies.data[piles->bodies.count++] = body;
        for (uint32_t constraints = random_below(random, 5); constraints > 0; --constraints) {
            grz_constraint constraint = draw_constraint(random, k);
            constraint.upper += first;
            constraint.lower += constraint.lower == GRZ_NONE ? 0 : first;
            piles->order.data[piles->order.count++] = piles->constraints.count;
            piles->constraints.data[piles->constraints.count++] = constraint;
        }
    }
}

static void draw_pile(graze_world *world, random_state *random)
{
    reserve_piles(world);
    add_pile(world, random, BODIES);
    assert_true(grz_pile_sets_join(world));
}

// What some constraints of a pile kept, some of them the other way up, and some others that the
// pile does not have. Those of one upper body are side by side.
static void draw_kept(graze_world *world, random_state *random)
{
    const grz_piles *piles = &world->piles;
    grz_kept_impulse kept[2 * MAX_CONSTRAINTS];
    uint32_t count = 0;
    for (uint32_t body = 0; body < BODIES; ++body) {
        for (uint32_t k = 0; k < piles->constraints.count; ++k) {
            const grz_constraint *constraint = &piles->constraints.data[k];
            const bool is_body = constraint->kind == GRZ_CONSTRAINT_BODY;
            const bool is_upper = constraint->upper == body;
            const uint32_t other = is_upper ? constraint->lower : constraint->upper;
            const grz_kept_impulse own = {
                .upper = index_of_body(body),
                .kind = (uint32_t)constraint->kind,
                .chain = is_body ? 0 : random_below(random, 4) / 3,
                .other = is_body ? index_of_body(other) : random_below(random, 4) / 3,
                .normal = (float)random_below(random, 4),
                .tangent = (float)random_integer(random, -2, 2),
            };
            if ((is_upper || (is_body && constraint->lower == body)) &&
                random_below(random, 3) == 0) {
                kept[count++] = own;
            }
        }
    }
    grz_kept_replace(world, kept, count);
}

// Bodies have motions in their own order, and indices in another.
static void number_bodies(graze_world *world)
{
    assert_true(grz_array_reserve(&world->motions, &world->counting, BODIES));
    assert_true(grz_array_reserve(&world->row_of_index, &world->counting, BODIES));
    memset(world->motions.data, 0, BODIES * sizeof *world->motions.data);
    memset(world->row_of_index.data, 0, BODIES * sizeof *world->row_of_index.data);
    assert_true(grz_kept_reserve(world, 2 * MAX_CONSTRAINTS, BODIES));
    for (uint32_t k = 0; k < BODIES; ++k) {
        world->motions.data[k].index = index_of_body(k);
    }
    world->motions.count = BODIES;
}

static void assert_moves_as_if_one_by_one(graze_world *world, int number, uint32_t *stuck)
{
    slow_pile slow = {.piles = &world->piles,
                      .kept = world->kept_impulses.list.data,
                      .kept_count = world->kept_impulses.list.count,
                      .dt = (double)world->dt};
    slow.fall = length_of(widen(world->gravity)) * slow.dt;
    slow.gravity = widen(world->gravity);
    slow.is_crowd = slow.fall == 0;
    for (uint32_t k = 0; k < BODIES; ++k) {
        slow.velocities[k] = world->piles.bodies.data[k].velocity;
        slow.before[k] = world->piles.bodies.data[k].before;
    }
    settle_one_by_one(&slow);
    world->piles.shoves = true;
    assert_true(grz_piles_push(world) && grz_piles_settle(world));
    for (uint32_t k = 0; k < BODIES; ++k) {
        const graze_vec2d velocity = world->piles.bodies.data[k].velocity;
        const graze_vec2d course = world->piles.step_velocities.data[k];
        *stuck += slow.stuck[k];
        if (velocity.x != slow.velocities[k].x || velocity.y != slow.velocities[k].y ||
            course.x != slow.courses[k].x || course.y != slow.courses[k].y) {
            fail_msg("pile %d, body %u: course (%a, %a), not (%a, %a)", number, k, course.x,
                     course.y, slow.courses[k].x, slow.courses[k].y);
        }
    }
    for (uint32_t k = 0; k < world->piles.constraints.count; ++k) {
        assert_true(world->piles.constraints.data[k].impulse == slow.impulses[k]);
    }
}

static void assert_all_move_as_if_one_by_one(float gravity, grz_lane_set lanes)
{
    random_state random = random_seed(1);
    graze_world *world = kit_world();
    world->lanes = lanes;
    world->dt = 1.0f / 64;
    world->gravity.y = gravity;
    uint32_t stuck = 0;
    number_bodies(world);
    for (int number = 0; number < WORLDS; ++number) {
        draw_pile(world, &random);
        draw_kept(world, &random);
        assert_moves_as_if_one_by_one(world, number, &stuck);
    }
    assert_true(stuck > 0);
    graze_world_destroy(world);
}

static void assert_so_in_all_lanes(float gravity)
{
    for (int set = 0; set < GRZ_SET_COUNT; ++set) {
        if (grz_lanes_has((grz_lane_set)set)) {
            assert_all_move_as_if_one_by_one(gravity, (grz_lane_set)set);
        }
    }
}

static void piles_move_as_if_one_by_one(void **state)
{
    (void)state;
    assert_so_in_all_lanes(-10);
}

static void crowds_move_as_if_one_by_one(void **state)
{
    (void)state;
    assert_so_in_all_lanes(0);
}

// How often the bodies of a pile settle does not depend on other piles.
static void a_pile_moves_as_if_there_were_no_other(void **state)
{
    (void)state;
    random_state random = random_seed(2);
    graze_world *world = kit_world();
    world->dt = 1.0f / 64;
    world->gravity.y = -10;
    number_bodies(world);
    for (int number = 0; number < WORLDS; ++number) {
        graze_vec2d alone[BODIES / 2];
        random_state first = random;
        reserve_piles(world);
        add_pile(world, &random, BODIES / 2);
        assert_true(grz_pile_sets_join(world));
        assert_true(grz_piles_push(world) && grz_piles_settle(world));
        memcpy(alone, world->piles.step_velocities.data, sizeof alone);
        reserve_piles(world);
        add_pile(world, &first, BODIES / 2);
        add_pile(world, &random, BODIES / 2);
        assert_true(grz_pile_sets_join(world));
        assert_true(grz_piles_push(world) && grz_piles_settle(world));
        for (uint32_t k = 0; k < BODIES / 2; ++k) {
            const graze_vec2d course = world->piles.step_velocities.data[k];
            if (course.x != alone[k].x || course.y != alone[k].y) {
                fail_msg("pile %d, body %u: course (%a, %a), alone (%a, %a)", number, k, course.x,
                         course.y, alone[k].x, alone[k].y);
            }
        }
    }
    graze_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(piles_move_as_if_one_by_one),
        cmocka_unit_test(crowds_move_as_if_one_by_one),
        cmocka_unit_test(a_pile_moves_as_if_there_were_no_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
