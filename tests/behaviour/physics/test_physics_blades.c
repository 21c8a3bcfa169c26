// Blades that spin: what they sweep over in a step they meet. The oracle looks at the shapes at
// many times of the step.
#include "physics_kit.h"

enum {
    BLADES = 50, ///< In a world, each with one thing near it.
    WORLDS = 2000,
    TIMES = 500 ///< At which the oracle looks at a pair that has no contact.
};

static const double turn_once = 6.283185307179586;
static const float space = 64; ///< Between one blade and the next: farther than any of them goes.

/// A body, or a wall, before the step and after it.
typedef struct traveller {
    graze_body_id body; ///< None: a wall.
    graze_vec2 from, to;
    double angle, turn; ///< At the start; over the step.
    double half_x, half_y, rim;
} traveller;

/// A blade and what is near it.
typedef struct encounter {
    traveller blade, other;
    graze_chain_id wall;
} encounter;

typedef struct vector {
    double x, y;
} vector;

// --- Worlds ---

static double draw(random_state *random, double low, double high)
{
    return (double)random_float(random, (float)low, (float)high);
}

// Mostly none, or some units a step.
static graze_vec2 draw_velocity(random_state *random)
{
    const double most = random_below(random, 3) ? draw(random, 0, 3) : 0;
    const graze_vec2 velocity = {(float)(draw(random, -most, most) / (double)physics_dt),
                                 (float)(draw(random, -most, most) / (double)physics_dt)};
    return velocity;
}

static graze_response draw_response(random_state *random)
{
    static const graze_response responses[] = {GRAZE_PASS, GRAZE_PASS, GRAZE_SLIDE, GRAZE_BOUNCE,
                                               GRAZE_RIGID};
    return responses[random_below(random, 5)];
}

// From a turn in ten seconds to nearly one in a step.
static float draw_spin(random_state *random)
{
    const double turns = 0.1 * pow(10, draw(random, 0, 2.75));
    return (float)(random_below(random, 2) ? turns * turn_once : -turns * turn_once);
}

static traveller add_body(graze_world *world, graze_body_def def)
{
    traveller made = {0};
    made.body = kit_add(world, def);
    made.half_x = (double)def.shape.half.x;
    made.half_y = (double)def.shape.half.y;
    made.rim = (double)def.shape.radius;
    return made;
}

static traveller add_blade(graze_world *world, random_state *random, graze_vec2 at)
{
    graze_body_def def =
        kit_rect(at.x, at.y, random_float(random, 0.5f, 3), random_float(random, 0.02f, 0.2f));
    def.response = draw_response(random);
    def.angle = random_float(random, -3, 3);
    def.spin = draw_spin(random);
    def.velocity = draw_velocity(random);
    return add_body(world, def);
}

static graze_vec2 draw_place(random_state *random, graze_vec2 around)
{
    const double angle = draw(random, 0, turn_once), distance = draw(random, 0, 4);
    const graze_vec2 place = {around.x + (float)(cos(angle) * distance),
                              around.y + (float)(sin(angle) * distance)};
    return place;
}

static void add_wall(graze_world *world, random_state *random, graze_vec2 around, encounter *made)
{
    const graze_vec2 a = draw_place(random, around), b = draw_place(random, around);
    made->wall = kit_wall(world, a.x, a.y, b.x, b.y);
    made->other.from.x = made->other.to.x = (a.x + b.x) / 2;
    made->other.from.y = made->other.to.y = (a.y + b.y) / 2;
    made->other.angle = atan2((double)b.y - (double)a.y, (double)b.x - (double)a.x);
    made->other.half_x = hypot((double)b.x - (double)a.x, (double)b.y - (double)a.y) / 2;
}

// A ball, a small rect, which may spin too, a point or a bullet.
static traveller add_other(graze_world *world, random_state *random, graze_vec2 around)
{
    const graze_vec2 at = draw_place(random, around);
    const uint32_t kind = random_below(random, 8);
    graze_body_def def = kit_circle(at.x, at.y, kind < 6 ? random_float(random, 0.02f, 0.5f) : 0);
    if (kind < 2) {
        def = kit_rect(at.x, at.y, random_float(random, 0.02f, 0.4f),
                       random_float(random, 0.02f, 0.4f));
        def.spin = random_below(random, 2) ? draw_spin(random) : 0;
    } else if (kind == 7) {
        def.shape = graze_shape_ray();
    }
    def.response = draw_response(random);
    def.velocity = draw_velocity(random);
    return add_body(world, def);
}

// --- The oracle ---

static void note_start(const graze_world *world, traveller *of)
{
    if (of->body.generation) {
        of->from = graze_body_position(world, of->body);
        of->angle = (double)graze_body_angle(world, of->body);
        of->turn = (double)(graze_body_spin(world, of->body) * physics_dt);
    }
}

// What the solver moves turns as it has it: the way that it spins, and less than once around.
static void note_end(const graze_world *world, traveller *of)
{
    if (of->body.generation) {
        of->to = graze_body_position(world, of->body);
        const double turned = (double)graze_body_angle(world, of->body) - of->angle;
        const double whole = turned * of->turn < 0 ? copysign(turn_once, of->turn) : 0;
        of->turn = fabs(turned) < 1e-6 ? of->turn : fmod(turned, turn_once) + whole;
    }
}

static vector place_at(const traveller *of, double time)
{
    const vector place = {(double)of->from.x + ((double)of->to.x - (double)of->from.x) * time,
                          (double)of->from.y + ((double)of->to.y - (double)of->from.y) * time};
    return place;
}

static double along_axis(vector a, vector axis)
{
    return a.x * axis.x + a.y * axis.y;
}

static double reach_along(const traveller *of, double time, vector axis)
{
    const double angle = of->angle + of->turn * time, c = cos(angle), s = sin(angle);
    return of->half_x * fabs(c * axis.x + s * axis.y) + of->half_y * fabs(c * axis.y - s * axis.x) +
           of->rim;
}

static double gap_along(const encounter *pair, double time, vector between, vector axis)
{
    return fabs(along_axis(between, axis)) - reach_along(&pair->blade, time, axis) -
           reach_along(&pair->other, time, axis);
}

// From the nearest point of the blade to the other's centre.
static vector way_to_centre(const traveller *blade, double time, vector between)
{
    const double angle = blade->angle + blade->turn * time, c = cos(angle), s = sin(angle);
    const double x = c * between.x + s * between.y, y = c * between.y - s * between.x;
    const double beyond_x = x - fmax(fmin(x, blade->half_x), -blade->half_x);
    const double beyond_y = y - fmax(fmin(y, blade->half_y), -blade->half_y);
    const double length = fmax(hypot(beyond_x, beyond_y), 1e-300);
    const vector way = {(c * beyond_x - s * beyond_y) / length,
                        (s * beyond_x + c * beyond_y) / length};
    return way;
}

// How deep the two overlap at a time; below 0 if they do not.
static double depth_at(const encounter *pair, double time)
{
    const vector a = place_at(&pair->blade, time), b = place_at(&pair->other, time);
    const vector between = {b.x - a.x, b.y - a.y};
    double gap = -HUGE_VAL;
    for (int side = 0; side < 4; ++side) {
        const traveller *owner = side < 2 ? &pair->blade : &pair->other;
        const double angle = owner->angle + owner->turn * time + side % 2 * turn_once / 4;
        const vector axis = {cos(angle), sin(angle)};
        gap = fmax(gap, gap_along(pair, time, between, axis));
    }
    return -fmax(gap, gap_along(pair, time, between, way_to_centre(&pair->blade, time, between)));
}

static double deepest(const encounter *pair)
{
    double most = -HUGE_VAL;
    for (int k = 0; k <= TIMES; ++k) {
        most = fmax(most, depth_at(pair, (double)k / TIMES));
    }
    return most;
}

static bool has_contact(const graze_world *world, const encounter *pair)
{
    const graze_contact_list list = graze_world_contacts(world);
    for (uint32_t i = 0; i < list.count; ++i) {
        const graze_contact *contact = &list.data[i];
        const uint32_t blade = pair->blade.body.index, other = pair->other.body.index;
        if (pair->other.body.generation
                ? contact->b.generation &&
                      ((contact->a.index == blade && contact->b.index == other) ||
                       (contact->a.index == other && contact->b.index == blade))
                : !contact->b.generation && contact->a.index == blade) {
            return true;
        }
    }
    return false;
}

// --- Tests ---

// How deep an overlap may stay without a contact: rounding of places to float, and of rotations.
static double rounding_of(const encounter *pair)
{
    const double far = fabs((double)pair->blade.from.x) + fabs((double)pair->blade.from.y);
    return 1e-6 * (pair->blade.half_x + far);
}

static void judge(const graze_world *world, const encounter *pairs, uint64_t seed,
                  physics_tally *tally)
{
    for (uint32_t k = 0; k < BLADES; ++k) {
        const encounter *pair = &pairs[k];
        const double deep = has_contact(world, pair) ? 0 : deepest(pair);
        const traveller *blade = &pair->blade;
        physics_note(
            tally, seed, deep / rounding_of(pair),
            "blade %u: %g deep; response %d, half %g, turn %g, spin %g, other: response %d, "
            "rim %g",
            (unsigned)k, deep, (int)graze_body_response(world, blade->body), blade->half_x,
            blade->turn, (double)graze_body_spin(world, blade->body),
            pair->other.body.generation ? (int)graze_body_response(world, pair->other.body) : -1,
            pair->other.rim);
    }
}

static void play(uint64_t seed, physics_tally *tally, bool walls)
{
    random_state random = random_seed(seed);
    graze_world *world = kit_world();
    encounter pairs[BLADES] = {0};
    for (uint32_t k = 0; k < BLADES; ++k) {
        const graze_vec2 at = {space * (float)(k % 8), space * (float)(k / 8)};
        pairs[k].blade = add_blade(world, &random, at);
        if (walls) {
            add_wall(world, &random, at, &pairs[k]);
        } else {
            pairs[k].other = add_other(world, &random, at);
        }
        note_start(world, &pairs[k].blade);
        note_start(world, &pairs[k].other);
    }
    kit_step(world, physics_dt);
    for (uint32_t k = 0; k < BLADES; ++k) {
        note_end(world, &pairs[k].blade);
        note_end(world, &pairs[k].other);
    }
    judge(world, pairs, seed, tally);
    graze_world_destroy(world);
}

static void play_bodies(uint64_t seed, physics_tally *tally)
{
    play(seed, tally, false);
}

static void play_walls(uint64_t seed, physics_tally *tally)
{
    play(seed, tally, true);
}

static void a_blade_meets_all_that_it_turns_through(void **state)
{
    (void)state;
    physics_play(WORLDS, play_bodies);
}

static void a_blade_meets_the_walls_that_it_turns_through(void **state)
{
    (void)state;
    physics_play(WORLDS / 4, play_walls);
}

// A flipper of a half turn a step: the ball is where it is neither at the start nor at the end.
static void a_ball_between_start_and_end_is_met_on_time(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_def blade = kit_rect(0, 0, 2, 0.05f);
    blade.spin = (float)(turn_once / 2) / physics_dt;
    const graze_body_id turning = kit_add(world, blade);
    const graze_body_id ball = kit_add(world, kit_circle(0, 1.5f, 0.25f));
    kit_step(world, physics_dt);
    const graze_contact *met = kit_find_contact(world, turning, ball);
    assert_non_null(met);
    // The blade's side comes to the ball where it leans by the angle that 0.3 has as a sine at 1.5.
    kit_assert_near(met->time, (float)(0.5 - 2 * asin(0.2) / turn_once), 1e-5f);
    kit_assert_near(met->depth, 0, 0);
    graze_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_between_start_and_end_is_met_on_time),
        cmocka_unit_test(a_blade_meets_all_that_it_turns_through),
        cmocka_unit_test(a_blade_meets_the_walls_that_it_turns_through),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
