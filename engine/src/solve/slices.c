#include "solve/slices.h"

#include "collide/pair_sweep.h"
#include "collide/predict.h"
#include "collide/tolerance.h"
#include "fault.h"
#include "min_max.h"
#include "solve/find_impacts.h"
#include "world/bodies.h"
#include "world/rows.h"

#include <math.h>
#include <string.h>

enum {
    MOST_SLICES = 64,
    PAIRS_AT_ONCE = 512,
    TERM_BITS =
        40 ///< What is summed is rounded to so many bits, so that its order does not matter.
};

// --- Which bodies ---

static inline double way_of(const graze_world *world, grz_row row)
{
    const graze_vec2 gravity_step = grz_gravity_step(world->config.gravity, world->call.dt);
    return grz_reach_of(&world->bodies.rows, row, world->bodies.rows.end[row], gravity_step,
                        world->call.dt) *
           grz_reach_margin;
}

// Whether others stop or turn a body.
static bool gives_way(uint32_t traits)
{
    return grz_is_solid(traits) && (traits & (GRZ_TRAIT_RESPONDS | GRZ_TRAIT_RIGID)) &&
           !(traits & GRZ_TRAIT_INFINITE_MASS);
}

static bool is_among_fast(const grz_slices *slices, graze_vec2 position)
{
    const double x = (double)position.x, y = (double)position.y;
    return x >= slices->lower.x && x <= slices->upper.x && y >= slices->lower.y &&
           y <= slices->upper.y;
}

// Whether a body moves about as far as its half width, or farther: true of all that are fast.
static inline bool is_quick(const grz_rows *rows, grz_row row, float dt)
{
    const graze_vec2 from = rows->position[row], to = rows->end[row], half = rows->half[row];
    const graze_vec2 way = {to.x - from.x, to.y - from.y};
    const graze_vec2 before = {rows->velocity[row].x * dt, rows->velocity[row].y * dt};
    const float most = max_float(graze_vec2_dot(way, way), graze_vec2_dot(before, before));
    const float least = graze_vec2_dot(half, half); // Half of its width squared, or less.
    return !(most < least);
}

// Before it is known whether the step is cut, only what moves farther than it is wide: what is
// fast. After that also what is slow among these.
static bool is_listed(const graze_world *world, grz_row row)
{
    const grz_rows *rows = &world->bodies.rows;
    return row < world->bodies.active_count && gives_way(rows->traits[row]) &&
           (grz_is_sliced(world) ? is_among_fast(&world->impacts.slices, rows->position[row])
                                 : is_quick(rows, row, world->call.dt) &&
                                       way_of(world, row) > 2 * grz_round_reach(rows, row));
}

// Compilers make lanes of it.
uint32_t grz_slices_count_quick(const graze_world *world)
{
    const grz_rows *rows = &world->bodies.rows;
    const uint32_t count = world->bodies.active_count;
    const float dt = world->call.dt;
    uint32_t found = 0;
    for (grz_row row = 0; row < count; ++row) {
        found += (uint32_t)(rows->half[row].x > 0) & (uint32_t)is_quick(rows, row, dt);
    }
    return found;
}

static uint8_t kind_of(const graze_world *world, grz_row row)
{
    return (uint8_t)(world->bodies.rows.traits[row] >> GRZ_TRAIT_FILTER_KIND_SHIFT);
}

static bool list_rows(graze_world *world)
{
    grz_slices *slices = &world->impacts.slices;
    slices->rows.count = 0;
    if (!grz_array_reserve(&slices->place_of_row, &world->config.counting, world->bodies.count)) {
        return false;
    }
    for (grz_row row = 0; row < world->bodies.count; ++row) {
        slices->place_of_row.data[row] = GRZ_NONE;
        if (is_listed(world, row)) {
            if (!grz_array_reserve_more(&slices->rows, &world->config.counting, 1)) {
                return false;
            }
            slices->place_of_row.data[row] = slices->rows.count;
            slices->rows.data[slices->rows.count++] = row;
        }
    }
    return true;
}

// --- How many slices ---

// Finds the box in which all fast bodies are in the step. Returns its area.
static double find_area(graze_world *world)
{
    grz_slices *slices = &world->impacts.slices;
    const double far = (double)INFINITY;
    graze_vec2d lower = {far, far}, upper = {-far, -far};
    for (uint32_t k = 0; k < slices->rows.count; ++k) {
        const grz_row row = slices->rows.data[k];
        const graze_vec2d centre = widen(world->bodies.rows.position[row]);
        const double reach = way_of(world, row) + grz_round_reach(&world->bodies.rows, row);
        lower.x = min_double(lower.x, centre.x - reach);
        lower.y = min_double(lower.y, centre.y - reach);
        upper.x = max_double(upper.x, centre.x + reach);
        upper.y = max_double(upper.y, centre.y + reach);
    }
    slices->lower = lower;
    slices->upper = upper;
    return (upper.x - lower.x) * (upper.y - lower.y);
}

// Which share of the pairs of fast bodies are of kinds that meet.
static double share_that_meets(const graze_world *world)
{
    const grz_numbers *fast = &world->impacts.slices.rows;
    const graze_grid_meets *meets = &world->grid.kinds.meets;
    uint32_t counts[GRAZE_GRID_KINDS] = {0};
    uint64_t sum = 0;
    if (!world->bodies.filter_count) {
        return 1;
    }
    for (uint32_t k = 0; k < fast->count; ++k) {
        ++counts[kind_of(world, fast->data[k])];
    }
    for (uint32_t a = 0; a < meets->count; ++a) {
        for (uint32_t b = 0; counts[a] && b < meets->count; ++b) {
            sum += (meets->rows[a][b / 32] >> b % 32 & 1) * (uint64_t)counts[a] * counts[b];
        }
    }
    return (double)sum / ((double)fast->count * (double)fast->count);
}

// How many fast bodies are in reach of one, in the mean: as if they were spread evenly.
static double count_reached(graze_world *world)
{
    const grz_slices *slices = &world->impacts.slices;
    const double area = find_area(world);
    uint64_t sum = 0;
    for (uint32_t k = 0; k < slices->rows.count; ++k) {
        const double side = 2 * way_of(world, slices->rows.data[k]);
        sum += (uint64_t)(side * side / area * (double)(UINT64_C(1) << TERM_BITS));
    }
    return (double)sum / (double)(UINT64_C(1) << TERM_BITS);
}

// A slice costs a body about as much as it does to look at half of those in reach in turn: so the
// sum of both costs is least with the root of twice as many.
static uint32_t choose_count(graze_world *world)
{
    if (world->impacts.slices.never || world->config.no_shortcuts || world->config.filter ||
        world->impacts.slices.rows.count < 2 || world->grid.kinds.meets.count == GRAZE_GRID_KINDS) {
        return 1;
    }
    const double wanted = grz_sqrt(2 * count_reached(world) * share_that_meets(world));
    return wanted >= 3 ? (uint32_t)min_double(wanted, MOST_SLICES) : 1;
}

// --- The world's grid ---

// The bodies of slices are of one kind: it meets all that one of their kinds meets, but not itself.
// Filters are asked after that.
static bool give_kinds(graze_world *world)
{
    grz_slices *slices = &world->impacts.slices;
    const bool has_kinds = world->bodies.ray_count || world->bodies.filter_count;
    const uint8_t *kinds = has_kinds
                               ? (const uint8_t *)((graze_aabb *)world->found.box_memory.data +
                                                   world->bodies.rows.capacity)
                               : NULL;
    if (!grz_array_reserve(&slices->kinds, &world->config.counting, world->bodies.active_count) ||
        !grz_array_reserve_exact(&slices->meets, &world->config.counting, 1)) {
        return false;
    }
    graze_grid_meets *meets = slices->meets.data;
    *meets = world->grid.kinds.meets;
    slices->kind = (uint8_t)meets->count++;
    uint32_t *own = meets->rows[slices->kind];
    memset(own, 0, sizeof meets->rows[slices->kind]);
    for (grz_row row = 0; row < world->bodies.active_count; ++row) {
        const uint8_t kind = kinds ? kinds[row] : GRZ_KIND_USUAL;
        const bool listed = slices->place_of_row.data[row] != GRZ_NONE;
        slices->kinds.data[row] = listed ? slices->kind : kind;
        for (uint32_t word = 0; listed && word < GRAZE_GRID_KIND_WORDS; ++word) {
            own[word] |= world->grid.kinds.meets.rows[kind][word];
        }
    }
    for (uint32_t kind = 0; kind < slices->kind; ++kind) {
        if (own[kind / 32] >> kind % 32 & 1) {
            meets->rows[kind][slices->kind / 32] |= UINT32_C(1) << slices->kind % 32;
        }
    }
    return true;
}

bool grz_slices_plan(graze_world *world)
{
    grz_slices *slices = &world->impacts.slices;
    slices->count = 1;
    if ((!world->found.totals.free_shapes && !world->found.totals.rigid) || world->found.carries ||
        grz_slices_count_quick(world) == 0) {
        return true;
    }
    if (!list_rows(world)) {
        return false;
    }
    slices->count = choose_count(world);
    return !grz_is_sliced(world) || (list_rows(world) && give_kinds(world));
}

// --- The pairs of a slice ---

static void set_times(grz_slices *slices, uint32_t now)
{
    slices->now = now;
    slices->begin = (double)now / slices->count;
    slices->end = now + 1 == slices->count ? 2 : (double)(now + 1) / slices->count;
}

// Before Respond all go straight.
static grz_course course_of(const graze_world *world, grz_row row)
{
    const grz_course straight = {world->bodies.rows.position[row], world->bodies.rows.end[row], 0};
    return world->impacts.slices.now == 0 ? straight : grz_course_of(world, row);
}

// The solver decides about what lands (slots.c): it is to know it from the first slice on. Two that
// land come together by one size, so each reaches half of its own farther.
static bool may_land(const graze_world *world, grz_row row)
{
    const grz_index index = world->bodies.rows.index[row];
    return world->impacts.slices.now == 0 && (world->bodies.rows.traits[row] & GRZ_TRAIT_RIGID) &&
           !(grz_material_of(world, index).surface.restitution > 0);
}

// All that a body can reach in the slice: what turns it gives it no more speed than it may have.
static graze_aabb box_of(const graze_world *world, grz_row row)
{
    const grz_slices *slices = &world->impacts.slices;
    const grz_course course = course_of(world, row);
    const bool gone = course.begin >= 1;
    const double straight =
        gone ? 0 : length_of(offset(course.to, course.from)) / (1 - course.begin);
    const double way = max_double(way_of(world, row), straight) * grz_reach_margin / slices->count;
    GRZ_FAULT(slices_reach, way = straight * grz_reach_margin / slices->count);
    const double near = (may_land(world, row) ? 0.5 : grz_contact_margin) * grz_size_of(world, row);
    const float extent =
        (float)(way + near + grz_round_reach(&world->bodies.rows, row)) * GRZ_ROTATION_MARGIN;
    const graze_vec2 around = {extent, extent};
    const graze_vec2 centre = gone ? course.from : narrow(grz_course_start(&course, slices->begin));
    return grz_swept_box(centre, centre, around);
}

static bool build_grid(graze_world *world)
{
    grz_slices *slices = &world->impacts.slices;
    const uint32_t count = slices->rows.count;
    if (!grz_array_reserve(&slices->boxes, &world->config.counting, count) ||
        !grz_array_reserve(&slices->kinds, &world->config.counting, count) ||
        (!slices->grid && graze_grid_create(&world->config.counting, &slices->grid) != GRAZE_OK)) {
        return false;
    }
    for (uint32_t k = 0; k < count; ++k) {
        slices->boxes.data[k] = box_of(world, slices->rows.data[k]);
        slices->kinds.data[k] = kind_of(world, slices->rows.data[k]);
    }
    const graze_grid_items items = {.boxes = slices->boxes.data,
                                    .kinds = world->bodies.filter_count ? slices->kinds.data : NULL,
                                    .meets = &world->grid.kinds.meets,
                                    .count = count};
    return graze_grid_build(slices->grid, &items) == GRAZE_OK;
}

static const grz_known_pair *find_known(const grz_slices *slices, const grz_candidate *candidate)
{
    uint32_t k = slices->known_of_place.data[slices->place_of_row.data[candidate->row_a]];
    while (k != GRZ_NONE && slices->known.data[k].other != candidate->row_b) {
        k = slices->known.data[k].next;
    }
    return k == GRZ_NONE ? NULL : &slices->known.data[k];
}

static bool add_pair(graze_world *world, grz_row row, uint32_t other)
{
    const bool in_order = world->bodies.rows.index[row] < world->bodies.rows.index[other];
    grz_candidate candidate = {in_order ? row : other, in_order ? other : row, GRZ_NONE};
    const grz_slices *slices = &world->impacts.slices;
    if (world->bodies.filter_count && !grz_bodies_meet(world, row, other)) {
        return true;
    }
    const grz_known_pair *known = find_known(slices, &candidate);
    GRZ_FAULT(slices_know_what_met, known = NULL);
    candidate.contact = known ? known->contact : GRZ_NONE;
    if (!grz_array_reserve_more(&world->found.candidates, &world->config.counting, 1)) {
        return false;
    }
    world->found.candidates.data[world->found.candidates.count++] = candidate;
    return true;
}

static bool find_pairs(graze_world *world)
{
    const grz_slices *slices = &world->impacts.slices;
    if (!build_grid(world)) {
        return false;
    }
    const uint32_t *order = graze_grid_order(slices->grid);
    graze_grid_cursor cursor = graze_grid_begin_pairs(slices->grid);
    graze_pair pairs[PAIRS_AT_ONCE];
    uint32_t found;
    while ((found = graze_grid_next_pairs(slices->grid, &cursor, pairs, PAIRS_AT_ONCE))) {
        world->found.candidate_count += found;
        for (uint32_t k = 0; k < found; ++k) {
            const uint32_t *rows = slices->rows.data;
            if (!add_pair(world, rows[order[pairs[k].a]], rows[order[pairs[k].b]])) {
                return false;
            }
        }
    }
    return true;
}

bool grz_slices_begin(graze_world *world)
{
    grz_slices *slices = &world->impacts.slices;
    if (!grz_is_sliced(world)) {
        return true;
    }
    set_times(slices, 0);
    slices->known.count = 0;
    slices->first = GRZ_NONE;
    if (!list_rows(world) ||
        !grz_array_reserve(&slices->known_of_place, &world->config.counting, slices->rows.count)) {
        return false;
    }
    for (uint32_t k = 0; k < slices->rows.count; ++k) {
        slices->known_of_place.data[k] = GRZ_NONE;
    }
    return find_pairs(world);
}

// --- From slice to slice ---

static void note_pair(grz_slices *slices, const grz_candidate *candidate, bool solved)
{
    uint32_t *first = &slices->known_of_place.data[slices->place_of_row.data[candidate->row_a]];
    const grz_known_pair pair = {candidate->row_b, candidate->contact, *first, solved};
    *first = slices->known.count;
    slices->known.data[slices->known.count++] = pair;
}

// What has met in the slice that ends; and, after the first, what the solver decides.
static bool note_pairs(graze_world *world)
{
    grz_slices *slices = &world->impacts.slices;
    const uint32_t first = slices->now > 0 ? slices->first : 0;
    if (!grz_array_reserve_more(&slices->known, &world->config.counting,
                                world->found.candidates.count - first)) {
        return false;
    }
    for (uint32_t k = first; k < world->found.candidates.count; ++k) {
        const grz_candidate *candidate = &world->found.candidates.data[k];
        const bool solved = slices->now == 0 && grz_are_solved(world, candidate);
        if ((solved || candidate->contact != GRZ_NONE) && grz_pair_is_sliced(world, candidate) &&
            !find_known(slices, candidate)) {
            note_pair(slices, candidate, solved);
        }
    }
    return true;
}

static bool list_links(graze_world *world)
{
    grz_slices *slices = &world->impacts.slices;
    const uint32_t candidates = world->found.candidates.count - slices->first;
    if (candidates > GRZ_NONE / 2 ||
        !grz_array_reserve(&slices->next_link, &world->config.counting, 2 * (size_t)candidates) ||
        !grz_array_reserve(&slices->link_of_place, &world->config.counting, slices->rows.count)) {
        return false;
    }
    for (uint32_t k = 0; k < slices->rows.count; ++k) {
        slices->link_of_place.data[k] = GRZ_NONE;
    }
    for (uint32_t link = 2 * candidates; link-- > 0;) {
        const grz_candidate *candidate = &world->found.candidates.data[slices->first + link / 2];
        const grz_row row = link % 2 ? candidate->row_b : candidate->row_a;
        uint32_t *of_place = &slices->link_of_place.data[slices->place_of_row.data[row]];
        slices->next_link.data[link] = *of_place;
        *of_place = link;
    }
    return true;
}

static bool has_turned(const graze_world *world, grz_row row)
{
    const grz_trajectory *trajectory = grz_trajectory_of(world, row);
    return trajectory && trajectory->version > 1;
}

// Two that the solver has kept apart meet only if one of them is cut short.
static bool is_decided(const graze_world *world, const grz_candidate *candidate)
{
    const grz_known_pair *known = find_known(&world->impacts.slices, candidate);
    return known && known->solved && !has_turned(world, candidate->row_a) &&
           !has_turned(world, candidate->row_b);
}

bool grz_slices_next(graze_world *world)
{
    grz_slices *slices = &world->impacts.slices;
    if (!note_pairs(world)) {
        return false;
    }
    if (slices->now == 0) {
        slices->first = world->found.candidates.count;
    }
    world->found.candidates.count = slices->first;
    set_times(slices, slices->now + 1);
    if (!find_pairs(world) || !list_links(world)) {
        return false;
    }
    for (uint32_t k = slices->first; k < world->found.candidates.count; ++k) {
        if (!is_decided(world, &world->found.candidates.data[k]) &&
            !grz_find_impacts_in_slice(world, k)) {
            return false;
        }
    }
    return true;
}

void grz_slices_end(graze_world *world)
{
    if (grz_is_sliced(world) && world->impacts.slices.now > 0) {
        world->found.candidates.count = world->impacts.slices.first;
    }
}
