#include "case_kit.h"

static const double gravity = 10;

const char *const case_outcome_names[OUTCOMES] = {"goes", "stops", "ghost", "strays", "leaks"};

double random_double(random_state *random, double low, double high)
{
    return (double)random_float(random, (float)low, (float)high);
}

double random_power(random_state *random, double low, double high)
{
    return low * pow(high / low, random_double(random, 0, 1));
}

bool random_chance(random_state *random, double chance)
{
    return random_double(random, 0, 1) < chance;
}

// --- What all cases draw ---

static void draw_place(level_case *of)
{
    random_state *random = &of->random;
    of->floor = (level_frame){0, 0, random_chance(random, 0.5) ? -1 : 1, 0, 0, 1};
    if (of->far) {
        of->floor.x = random_chance(random, 0.5) ? -1e4 : 1e4;
        of->floor.y = random_double(random, -1e4, 1e4);
    } else if (of->uneven) {
        of->floor.x = random_double(random, 0, 3);
        of->floor.y = random_double(random, 0, 3);
    }
    of->reach = fmax(fabs(of->floor.x), fabs(of->floor.y));
}

static void draw_sizes(level_case *of)
{
    random_state *random = &of->random;
    of->length = of->uneven ? random_double(random, 0.3, 1.8) : 1 + random_below(random, 2);
    of->half_x = of->uneven ? random_double(random, 0.2, 0.9) : 0.5;
    of->half_y = of->uneven && !of->round ? random_double(random, 0.2, 0.9) : of->half_x;
    of->size = fmin(of->half_x, of->half_y);
    of->slop = fmax(of->size / 500, of->reach * 4.8e-7 + 1e-6);
}

void case_draw(level_case *of, uint64_t seed, bool slides)
{
    of->random = random_seed(seed);
    random_state *random = &of->random;
    of->kind = (level_kind)random_below(random, LEVEL_KINDS);
    of->round = random_chance(random, 0.4);
    of->far = random_chance(random, 0.25);
    of->uneven = random_chance(random, 0.5);
    of->first = random_chance(random, 0.5);
    of->ground.backwards = random_chance(random, 0.5);
    of->slides = slides;
    draw_place(of);
    draw_sizes(of);
    of->speed = random_power(random, of->far ? 1 : 0.1, 50);
    of->steps = STEPS_A_SECOND / 2;
}

// A body of the case's shape with its middle at u and v.
static graze_body_def body_at(const level_case *of, double u, double v)
{
    graze_body_def def = of->round ? physics_disc(0, 0, of->half_x, 1)
                                   : physics_box(0, 0, of->half_x, of->half_y, 1);
    def.position = level_point(&of->floor, u, v);
    return def;
}

void case_put_character(level_case *of, double u, double v)
{
    of->def = body_at(of, u, v);
    of->def.friction = 0;
    if (of->slides) {
        of->def.response = GRAZE_SLIDE;
    } else {
        of->def.inertia = 1e30f;
    }
    of->steers.along = true;
    of->steers.speed = of->speed;
}

void case_put_crate(level_case *of, double u, double v, double climb, double spin)
{
    of->def = body_at(of, u, v);
    of->def.mass = (float)(4 * of->half_x * of->half_y);
    of->def.velocity.x = (float)(of->speed * of->floor.along_x);
    of->def.velocity.y = (float)climb;
    of->def.spin = (float)(spin * of->floor.along_x);
}

uint32_t case_steps(double seconds)
{
    const double steps = floor(seconds * STEPS_A_SECOND + 0.5);
    return steps < 1 ? 1 : (uint32_t)steps;
}

void case_lay(level_case *of, double first, double count, double height)
{
    const level_way way = {.kind = of->kind,
                           .first = first,
                           .length = of->length,
                           .count = (uint32_t)fmin(count, LEVEL_LONGEST),
                           .height = height};
    level_add_way(&of->ground, &of->floor, &way);
}

double case_pieces(const level_case *of)
{
    return of->speed * of->steps / STEPS_A_SECOND / of->length + 14;
}

void case_lay_floor(level_case *of)
{
    case_lay(of, -5 * of->length, case_pieces(of), 0);
}

// --- How a case runs ---

static void steer(const level_case *of, graze_world *world, graze_body_id body)
{
    graze_vec2 velocity = graze_body_velocity(world, body);
    if (of->steers.along) {
        velocity.x = (float)(of->steers.speed * of->floor.along_x);
    }
    if (of->steers.up) {
        velocity.y = (float)of->steers.climb;
    }
    if (of->steers.along || of->steers.up) {
        graze_body_set_velocity(world, body, velocity);
    }
}

static void follow(level_case *of, graze_world *world, graze_body_id body, uint32_t step)
{
    const graze_vec2 from = graze_body_position(world, body);
    kit_step(world, physics_dt);
    const graze_vec2 to = graze_body_position(world, body);
    const double moved = hypot((double)to.x - (double)from.x, (double)to.y - (double)from.y);
    const double rise = level_v(&of->floor, to) - level_v(&of->floor, of->def.position);
    if (step < CASE_STEPS) {
        of->ride.path[step][0] = level_u(&of->floor, to);
        of->ride.path[step][1] = level_v(&of->floor, to);
    }
    of->ride.fastest = fmax(of->ride.fastest, moved * STEPS_A_SECOND);
    of->ride.highest = fmax(of->ride.highest, rise);
    of->ride.lowest = fmin(of->ride.lowest, rise);
    of->ride.crossed |= level_is_crossed(&of->ground, from, to);
}

static void note_ride(level_case *of, const graze_world *world, graze_body_id body,
                      const graze_body_id *others)
{
    const graze_vec2 to = graze_body_position(world, body);
    of->ride.u = level_u(&of->floor, to);
    of->ride.v = level_v(&of->floor, to);
    of->ride.way = of->ride.u - level_u(&of->floor, of->def.position);
    of->ride.rise = of->ride.v - level_v(&of->floor, of->def.position);
    of->ride.sine = sin((double)graze_body_angle(world, body));
    if (of->other_count) {
        const graze_body_id last = others[of->other_count - 1];
        of->ride.other_u = level_u(&of->floor, graze_body_position(world, others[0]));
        of->ride.other_v = level_v(&of->floor, graze_body_position(world, last));
    }
}

void case_run(level_case *of)
{
    graze_world *world = kit_world_with_gravity(0, of->weightless ? 0 : (float)-gravity);
    graze_body_id body = {0, 0}, others[CASE_OTHERS];
    if (of->first) {
        body = kit_add(world, of->def);
    }
    level_create(&of->ground, world);
    for (uint32_t i = 0; i < of->other_count; ++i) {
        const uint32_t at = of->ground.backwards ? of->other_count - 1 - i : i;
        others[at] = kit_add(world, of->others[at]);
    }
    if (!of->first) {
        body = kit_add(world, of->def);
    }
    of->ride.fastest = hypot(of->steers.speed, of->steers.climb);
    for (uint32_t i = 0; i < of->steps; ++i) {
        steer(of, world, body);
        follow(of, world, body, i);
    }
    note_ride(of, world, body, others);
    graze_world_destroy(world);
}

// --- How a case is judged ---

static void note_wrong(level_case *of, double *by, double amount, const char *what, double found,
                       double wanted)
{
    *by = fmax(*by, amount);
    if (!of->what) {
        of->what = what;
        of->found = found;
        of->wanted = wanted;
    }
}

// How far it came, where it may come neither less far nor farther.
void case_want_way(level_case *of, double found, double wanted, double allowed)
{
    const double lag = wanted < 0 ? found - wanted : wanted - found;
    if (!(fabs(lag) <= allowed)) {
        note_wrong(of, lag > 0 ? &of->late : &of->astray, fabs(lag), "way", found, wanted);
    }
}

void case_want_at_least(level_case *of, double found, double least, const char *what)
{
    if (!(found >= least)) {
        note_wrong(of, &of->late, least - found, what, found, least);
    }
}

void case_want_at_most(level_case *of, double found, double most, const char *what)
{
    if (!(found <= most)) {
        note_wrong(of, &of->astray, found - most, what, found, most);
    }
}

// What must not be entered, by how deep it is in it.
void case_want_outside(level_case *of, double deep, double allowed, const char *what)
{
    if (!(deep <= allowed)) {
        note_wrong(of, &of->deep, deep, what, deep, allowed);
    }
}

double case_steered_way(const level_case *of)
{
    return of->steers.speed * of->steps / STEPS_A_SECOND;
}

// What its place may be off by rounding after all steps.
double case_rounding(const level_case *of)
{
    return of->reach * 6e-8 * of->steps;
}

case_outcome case_outcome_of(const level_case *of)
{
    if (of->ride.crossed || of->deep > of->size / 4) {
        return LEAKS;
    }
    if (!of->what) {
        return GOES;
    }
    const double wrong = fmax(of->astray, of->deep);
    if (!(wrong > 0)) {
        return STOPS;
    }
    return wrong < of->ride.fastest / STEPS_A_SECOND ? GHOSTS : STRAYS;
}
