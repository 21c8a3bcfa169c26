// What rigid bodies do on slopes, ledges, fulcrums and belts: schoolbook mechanics.
#include "physics_kit.h"

static const double gravity = 10;

/// What a body rolls or slides on.
typedef enum ground { CHAIN, BLOCK, MASSLESS, BODY, GROUNDS } ground;

static const char *const ground_names[GROUNDS] = {"chain", "driven rect", "rigid rect of mass 0",
                                                  "heavy body on a chain"};

static graze_body_def leaning(graze_body_def def, double angle)
{
    def.angle = (float)angle;
    return def;
}

// Ground through the origin that leans by an angle, 200 long. Its surface is what is above.
static void add_ground(graze_world *world, ground kind, double angle, graze_surface surface)
{
    const double c = cos(angle), s = sin(angle), reach = 100;
    const graze_vec2 points[2] = {{(float)(-reach * c), (float)(-reach * s)},
                                  {(float)(reach * c), (float)(reach * s)}};
    if (kind == CHAIN) {
        physics_chain(world, points, 2, false, surface);
        return;
    }
    graze_body_def def = leaning(physics_block(s, -c, reach, 1), angle);
    def.surface = surface;
    def.response = kind == BLOCK ? GRAZE_PASS : GRAZE_RIGID;
    if (kind == BODY) { // Walls and a rough bed hold it.
        def.mass = 1e6f;
        const graze_vec2 bed[4] = {
            {(float)(-reach * c), (float)(-reach * s)},
            {(float)(-reach * c + 2 * s), (float)(-reach * s - 2 * c)},
            {(float)(reach * c + 2 * s), (float)(reach * s - 2 * c)},
            {(float)(reach * c), (float)(reach * s)},
        };
        physics_chain(world, bed, 4, false, physics_surface(10, 0));
    }
    kit_add(world, def);
}

// A body that stands on the ground.
static graze_body_id add_standing(graze_world *world, graze_body_def def, double angle, double high)
{
    def.position.x = (float)(-sin(angle) * high);
    def.position.y = (float)(cos(angle) * high);
    def.angle = (float)angle;
    def.never_sleeps = true;
    return kit_add(world, def);
}

static double speed_along(const graze_world *world, graze_body_id body, double angle)
{
    return kit_along(graze_body_velocity(world, body), angle);
}

// --- Rolling ---

// Down a slope of this angle: g sin a / (1 + I / m r^2).
static void roll_down(uint64_t seed, physics_tally *tally)
{
    random_state random = random_seed(seed);
    graze_world *world = kit_world_with_gravity(0, (float)-gravity);
    const ground kind = (ground)random_below(&random, GROUNDS);
    const double angle = (double)random_float(&random, 0.03f, 0.6f) * (seed % 2 ? 1 : -1);
    const double radius = (double)random_float(&random, 0.2f, 2),
                 mass = pow(10, (double)random_float(&random, -1, 2));
    const double share = seed % 4 < 2 ? 0.5 : (double)random_float(&random, 0.2f, 1);
    add_ground(world, kind, angle, physics_surface(1, 0));
    graze_body_def def = physics_disc(0, 0, radius, mass);
    def.friction = 1;
    def.inertia = seed % 4 < 2 ? 0 : (float)(share * mass * radius * radius);
    const graze_body_id body = add_standing(world, def, angle, radius);
    physics_run(world, 30);
    const double before = speed_along(world, body, angle);
    physics_run(world, 120);
    const double rate = (speed_along(world, body, angle) - before) / 2;
    const double wanted = -gravity * sin(angle) / (1 + share);
    const double spin = (double)graze_body_spin(world, body) * radius;
    const double slip = spin + speed_along(world, body, angle);
    physics_note(tally, seed, fmax(fabs(rate / wanted - 1) / 0.01, fabs(slip / spin) / 0.01),
                 "%s, angle %.4g, radius %.4g, inertia %.4g: %.6g, wanted %.6g; slip %.4g of %.4g",
                 ground_names[kind], angle, radius, share, rate, wanted, slip, spin);
    graze_world_destroy(world);
}

static void a_disc_rolls_down_a_slope_as_its_inertia_says(void **state)
{
    (void)state;
    physics_play(100, roll_down);
}

// --- Sliding ---

static void slide_down(uint64_t seed, physics_tally *tally)
{
    random_state random = random_seed(seed);
    graze_world *world = kit_world_with_gravity(0, (float)-gravity);
    const ground kind = (ground)random_below(&random, GROUNDS);
    const double angle = (double)random_float(&random, 0.05f, 0.6f) * (seed % 2 ? 1 : -1);
    const double half_x = (double)random_float(&random, 0.5f, 1.5f);
    const double half_y = (double)random_float(&random, 0.1f, 0.6f) * half_x;
    const double mass = pow(10, (double)random_float(&random, -1, 2));
    // Of the friction that holds, so much.
    const double part = seed % 4 < 2 ? 1.05 : (double)random_float(&random, 0, 0.95f);
    const double own = (double)random_float(&random, 0.3f, 1.5f);
    const double friction = part * tan(fabs(angle));
    add_ground(world, kind, angle, physics_surface(friction * friction / own, 0));
    graze_body_def def = physics_box(0, 0, half_x, half_y, mass);
    def.friction = (float)own;
    const graze_body_id body = add_standing(world, def, angle, half_y);
    physics_run(world, 30);
    const double before = speed_along(world, body, angle);
    const graze_vec2 from = graze_body_position(world, body);
    physics_run(world, 120);
    const double rate = (speed_along(world, body, angle) - before) / 2;
    const double wanted =
        part > 1 ? 0 : -gravity * (sin(angle) - copysign(friction, angle) * cos(angle));
    const graze_vec2 to = graze_body_position(world, body);
    const double way = hypot((double)(to.x - from.x), (double)(to.y - from.y));
    const double error = part > 1 ? way / (0.002 * half_y) : fabs(rate / wanted - 1) / 0.02;
    physics_note(tally, seed, error,
                 "%s, angle %.4g, friction %.4g, %.4g x %.4g: %.6g, wanted %.6g; way %.4g",
                 ground_names[kind], angle, friction, half_x, half_y, rate, wanted, way);
    graze_world_destroy(world);
}

static void a_box_slides_or_holds_as_coulomb_says(void **state)
{
    (void)state;
    physics_play(200, slide_down);
}

// Rolling resistance above the slope's tangent: it does not move, but for rounding.
static void stand_by_rolling_resistance(uint64_t seed, physics_tally *tally)
{
    random_state random = random_seed(seed);
    graze_world *world = kit_world_with_gravity(0, (float)-gravity);
    const ground kind = (ground)random_below(&random, GROUNDS);
    const double angle = (double)random_float(&random, 0.03f, 0.3f) * (seed % 2 ? 1 : -1);
    const double radius = (double)random_float(&random, 0.2f, 2);
    graze_surface surface = physics_surface(1, 0);
    surface.rolling_resistance = (float)fabs(tan(angle)) * random_float(&random, 1.05f, 3);
    add_ground(world, kind, angle, surface);
    graze_body_def def = physics_disc(0, 0, radius, pow(10, (double)random_float(&random, -1, 2)));
    def.friction = 1;
    const graze_body_id body = add_standing(world, def, angle, radius);
    physics_run(world, 60);
    const graze_vec2 start = graze_body_position(world, body);
    physics_run(world, 300);
    const graze_vec2 end = graze_body_position(world, body);
    const double way = hypot((double)end.x - (double)start.x, (double)end.y - (double)start.y);
    physics_note(tally, seed, way / (1e-4 * radius),
                 "%s at %.4g: a disc of radius %.4g creeps by %.4g", ground_names[kind], angle,
                 radius, way);
    graze_world_destroy(world);
}

static void a_disc_stands_on_a_slope_by_rolling_resistance(void **state)
{
    (void)state;
    physics_play(100, stand_by_rolling_resistance);
}

static void stop_on_the_flat(uint64_t seed, physics_tally *tally)
{
    random_state random = random_seed(seed);
    graze_world *world = kit_world_with_gravity(0, (float)-gravity);
    const ground kind = (ground)random_below(&random, GROUNDS);
    const double friction = (double)random_float(&random, 0.1f, 0.5f);
    const double speed = (double)random_float(&random, 2, 10) * (seed % 2 ? 1 : -1);
    add_ground(world, kind, 0, physics_surface(friction, 0));
    graze_body_def def = physics_box(0, 0, 1, 0.5, pow(10, (double)random_float(&random, -1, 2)));
    def.friction = (float)friction;
    def.velocity.x = (float)speed;
    const graze_body_id body = add_standing(world, def, 0, 0.5);
    physics_run(world, (uint32_t)(fabs(speed) / friction / gravity * 60) + 60);
    const double way = (double)graze_body_position(world, body).x;
    const double wanted = speed * fabs(speed) / (2 * friction * gravity);
    const double left = fabs(speed_along(world, body, 0));
    // A step's rounding: half a step of the first speed.
    const double most = 0.02 * fabs(wanted) + fabs(speed) / 120;
    physics_note(tally, seed, fmax(fabs(way - wanted) / most, left / 1e-3),
                 "%s, friction %.4g, speed %.4g: %.6g, wanted %.6g; speed %.4g is left",
                 ground_names[kind], friction, speed, way, wanted, left);
    graze_world_destroy(world);
}

static void a_box_that_slides_comes_to_a_stop_where_coulomb_says(void **state)
{
    (void)state;
    physics_play(100, stop_on_the_flat);
}

// --- Ledges and fulcrums ---

// A crate whose middle is so far past a ledge, in shares of its half width.
static void lie_over_ledge(uint64_t seed, physics_tally *tally)
{
    random_state random = random_seed(seed);
    graze_world *world = kit_world_with_gravity(0, (float)-gravity);
    const bool is_chain = random_below(&random, 2);
    const double side = random_below(&random, 2) ? 1 : -1;
    const double half_x = (double)random_float(&random, 0.3f, 1.5f);
    const double half_y = (double)random_float(&random, 0.3f, 1);
    const double past = (double)random_float(&random, 0.02f, 0.9f) * (seed % 2 ? 1 : -1);
    if (is_chain) {
        const graze_vec2 points[3] = {{(float)(-20 * side), 0}, {0, 0}, {0, -20}};
        physics_chain(world, points, 3, false, physics_surface(0.6, 0));
    } else {
        kit_add(world, physics_block(-20 * side, -10, 20, 10));
    }
    const graze_body_id body =
        kit_add(world, physics_box(side * past * half_x, half_y, half_x, half_y, 1));
    physics_run(world, 300);
    const graze_vec2 at = graze_body_position(world, body);
    const double moved = hypot((double)at.x - side * past * half_x, (double)at.y - half_y);
    const bool fell = (double)at.y < -half_x;
    physics_note(tally, seed, past > 0 ? (fell ? 0 : 2) : moved / (0.005 * half_y),
                 "%s, %.4g past the ledge, %.4g x %.4g: at (%.6g, %.6g)",
                 is_chain ? "chain" : "rect", past, half_x, half_y, (double)at.x, (double)at.y);
    graze_world_destroy(world);
}

static void a_crate_past_half_over_a_ledge_falls_and_one_short_of_it_stays(void **state)
{
    (void)state;
    physics_play(100, lie_over_ledge);
}

// A plank on a fulcrum, with a weight on each end.
static void tip_a_plank(uint64_t seed, physics_tally *tally)
{
    random_state random = random_seed(seed);
    graze_world *world = kit_world_with_gravity(0, (float)-gravity);
    const bool is_chain = random_below(&random, 2);
    const double masses[2] = {(double)random_float(&random, 0.5f, 5),
                              (double)random_float(&random, 0.5f, 5)};
    const bool ends_alike = fabs(masses[0] - masses[1]) < 0.2 * masses[0];
    if (is_chain) {
        const graze_vec2 points[3] = {{-1, -2}, {0, 0}, {1, -2}};
        physics_chain(world, points, 3, false, physics_surface(0.6, 0));
        physics_floor(world, -20, -2, 20, -2);
    } else {
        kit_add(world, physics_block(0, -1, 0.1, 1));
        kit_add(world, physics_block(0, -3, 20, 1));
    }
    const graze_body_id plank = kit_add(world, physics_box(0, 0.1, 3, 0.1, 1));
    for (int end = 0; end < 2; ++end) {
        kit_add(world, physics_box(end ? 2.6 : -2.6, 0.6, 0.4, 0.4, masses[end]));
    }
    physics_run(world, 120);
    const double angle = (double)graze_body_angle(world, plank);
    const double lean = masses[0] > masses[1] ? angle : -angle;
    physics_note(tally, seed, ends_alike || lean > 0.3 ? 0 : 2,
                 "%s, %.4g left and %.4g right: angle %.4g", is_chain ? "chain" : "rect", masses[0],
                 masses[1], angle);
    graze_world_destroy(world);
}

static void a_plank_on_a_fulcrum_tips_to_the_heavier_side(void **state)
{
    (void)state;
    physics_play(40, tip_a_plank);
}

// --- Belts ---

static void ride_a_belt(uint64_t seed, physics_tally *tally)
{
    random_state random = random_seed(seed);
    graze_world *world = kit_world_with_gravity(0, (float)-gravity);
    const ground kind = (ground)random_below(&random, BODY);
    const double speed = (double)random_float(&random, 1, 5) * (seed % 2 ? 1 : -1);
    const bool backwards = kind == CHAIN && seed % 4 < 2;
    graze_surface surface = physics_surface(0.6, 0);
    surface.speed = (float)speed;
    if (backwards) {
        const graze_vec2 points[2] = {{100, 0}, {-100, 0}};
        physics_chain(world, points, 2, false, surface);
    } else {
        add_ground(world, kind, 0, surface);
    }
    const graze_body_id body = add_standing(world, physics_box(0, 0, 0.7, 0.5, 2), 0, 0.5);
    kit_step(world, physics_dt);
    physics_run(world, 11);
    const double start = speed_along(world, body, 0);
    physics_run(world, 120);
    const double wanted = backwards ? -speed : speed;
    const double at_first = copysign(fmin(fabs(speed), 0.6 * gravity / 5), wanted);
    const double now = speed_along(world, body, 0);
    physics_note(
        tally, seed,
        fmax(fabs(now / wanted - 1) / 0.001, fabs(start - at_first) / (0.02 * gravity / 5)),
        "%s%s, belt %.4g: speed %.6g, wanted %.6g; %.6g after 0.2 s, wanted %.6g",
        ground_names[kind], backwards ? ", backwards" : "", speed, now, wanted, start, at_first);
    graze_world_destroy(world);
}

static void a_belt_carries_what_lies_on_it_along_a_chain_or_a_body(void **state)
{
    (void)state;
    physics_play(60, ride_a_belt);
}

// A body's own belt runs around it to the right as seen from inside: below it goes left, and the
// body right.
static void drive_by_belt(uint64_t seed, physics_tally *tally)
{
    random_state random = random_seed(seed);
    graze_world *world = kit_world_with_gravity(0, (float)-gravity);
    const ground kind = (ground)random_below(&random, BODY);
    const double speed = (double)random_float(&random, 1, 5) * (seed % 2 ? 1 : -1);
    add_ground(world, kind, 0, physics_surface(0.6, 0));
    graze_body_def def = physics_box(0, 0, 0.7, 0.5, 2);
    def.surface.speed = (float)speed;
    const graze_body_id body = add_standing(world, def, 0, 0.5);
    physics_run(world, 120);
    const double now = speed_along(world, body, 0);
    physics_note(tally, seed, fabs(now / speed - 1) / 0.001, "%s, belt %.4g: speed %.6g",
                 ground_names[kind], speed, now);
    graze_world_destroy(world);
}

static void a_body_with_a_belt_drives_itself(void **state)
{
    (void)state;
    physics_play(20, drive_by_belt);
}

// Neither corner of what lands flat turns it: also what is tall, and falls far.
static void land_flat(uint64_t seed, physics_tally *tally)
{
    random_state random = random_seed(seed);
    graze_world *world = kit_world_with_gravity(0, (float)-gravity);
    const ground kind = (ground)random_below(&random, BODY);
    add_ground(world, kind, 0, physics_surface(0.6, 0));
    const double high = 0.5 * (double)random_float(&random, 1, 6);
    const double fall = exp((double)random_float(&random, -1, 4));
    const double x = (double)random_float(&random, -1, 1);
    const graze_body_id body = kit_add(world, physics_box(x, high + fall, 0.5, high, 1));
    double most = 0;
    for (int step = 0; step < 360; ++step) {
        kit_step(world, 1.0f / 60);
        most = fmax(most, fabs((double)graze_body_spin(world, body)));
    }
    physics_note(tally, seed, most / 1e-3, "%s, %g high from %g: spin %g", ground_names[kind],
                 2 * high, fall, most);
    graze_world_destroy(world);
}

static void what_lands_flat_stays_flat(void **state)
{
    (void)state;
    physics_play(200, land_flat);
}

// --- Bowls ---

/// A disc in the lower half of a circle that is made of segments.
typedef struct bowl {
    double radius, way; ///< Of the circle; and of the path of the disc's centre.
    double joint;       ///< By how much the chain bends at a joint.
    double angle;       ///< From the lowest place to where the disc starts.
    double friction;
} bowl;

enum { MOST_JOINTS = 600 };

static bowl draw_bowl(random_state *random)
{
    const double radius = exp((double)random_float(random, -1, 4));
    const double joints = exp((double)random_float(random, 3.3f, 6.3f));
    const bowl of = {radius, radius * (1 - (double)random_float(random, 0.03f, 0.2f)),
                     3.14159265 / floor(joints), (double)random_float(random, 0.4f, 1),
                     random_below(random, 2) ? (double)random_float(random, 0.6f, 2) : 0};
    return of;
}

static void add_bowl(graze_world *world, const bowl *of)
{
    graze_vec2 points[MOST_JOINTS];
    uint32_t count = 0;
    for (double angle = -1.5; angle <= 1.5; angle += of->joint) {
        points[count].x = (float)(of->radius * sin(angle));
        points[count++].y = (float)(-of->radius * cos(angle));
    }
    physics_chain(world, points, count, false, physics_surface(of->friction, 0));
}

// What is kept of the energy above the lowest place: the least after the first swing, and the most.
typedef struct bowl_energy {
    double first, most, spin;
} bowl_energy;

static bowl_energy swing(graze_world *world, graze_body_id body, const bowl *of)
{
    enum { STEPS = 1500 };
    const double lowest = -of->radius * of->way; // Gravity is the radius.
    const double start = physics_energy(world) - lowest;
    bowl_energy energy = {-1, 0, 0};
    bool beyond = false;
    for (int step = 0; step < STEPS; ++step) {
        physics_run(world, 1);
        const double now = (physics_energy(world) - lowest) / start;
        const bool right = graze_body_position(world, body).x > 0;
        energy.first = energy.first < 0 && beyond && !right ? now : energy.first;
        energy.most = fmax(energy.most, now);
        energy.spin = fmax(energy.spin, fabs((double)graze_body_spin(world, body)));
        beyond = right;
    }
    return energy;
}

// It loses what is lost at the joints, where it goes on along the next segment: at each at most the
// square of the bend. It never gains any. Without friction it does not turn.
static void roll_in_bowl(uint64_t seed, physics_tally *tally)
{
    random_state random = random_seed(seed);
    const bowl of = draw_bowl(&random);
    graze_world *world = kit_world_with_gravity(0, (float)-of.radius);
    add_bowl(world, &of);
    const double disc = of.radius - of.way;
    graze_body_def def = physics_disc(-of.way * sin(of.angle), -of.way * cos(of.angle),
                                      disc - of.way * of.joint * of.joint / 8, 1);
    def.friction = (float)of.friction;
    const graze_body_id body = kit_add(world, def);
    const bowl_energy energy = swing(world, body, &of);
    const double lost = 4 * of.angle * of.joint; // Of two swings, down and up.
    const double turned = of.friction == 0 ? energy.spin : 0;
    physics_note(
        tally, seed,
        fmax(fmax((1 - energy.first - lost) / 0.05, (energy.most - 1) / 0.01), turned / 1e-4),
        "radius %g, disc %g, joint %g, from %g, friction %g: keeps %g, at most %g, spin %g",
        of.radius, disc, of.joint, of.angle, of.friction, energy.first, energy.most, energy.spin);
    graze_world_destroy(world);
}

static void a_disc_in_a_bowl_swings_and_gains_no_energy(void **state)
{
    (void)state;
    physics_play(200, roll_in_bowl);
}

// A crate that is put over a corner of terrain, at any angle, without gravity. What has its centre
// at the very corner cannot cross a wall with it, and may stay.
static void leave_corner(uint64_t seed, physics_tally *tally)
{
    random_state random = random_seed(seed);
    const double first = (double)random_float(&random, -3, 3);
    const double opening =
        random_below(&random, 2) ? 1.5707963 : (double)random_float(&random, 2.2f, 3.1f);
    const graze_vec2 corner[3] = {
        {(float)(6 * cos(first)), (float)(6 * sin(first))},
        {0, 0},
        {(float)(6 * cos(first + opening)), (float)(6 * sin(first + opening))},
    };
    graze_world *world = kit_world();
    physics_chain(world, corner, 3, false, physics_surface(0.6, 0));
    const double far = (double)random_float(&random, 0.1f, 0.7f);
    const double way = (double)random_float(&random, -3, 3);
    graze_body_def def = physics_box(far * cos(way), far * sin(way), 0.5, 0.4, 1);
    def.angle = random_float(&random, -3, 3);
    const graze_body_id body = kit_add(world, def);
    physics_run(world, 300);
    const graze_contact_list contacts = graze_body_contacts(world, body);
    double depth = 0;
    for (uint32_t k = 0; k < contacts.count; ++k) {
        depth = fmax(depth, (double)contacts.data[k].depth);
    }
    physics_note(tally, seed, depth / 0.02, "opening %g, angle %g: still %g deep", opening,
                 (double)def.angle, depth);
    graze_world_destroy(world);
}

// Of 200 one may stay: what is about as deep in both walls may be held by each against the other.
static void a_crate_over_a_corner_leaves_it(void **state)
{
    (void)state;
    physics_tally tally = {0};
    for (uint32_t k = 0; k < physics_trials(1000); ++k) {
        leave_corner(physics_first_seed() + k, &tally);
    }
    if (200 * tally.failed > tally.played) {
        physics_assert_none_failed(&tally);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_disc_rolls_down_a_slope_as_its_inertia_says),
        cmocka_unit_test(a_disc_stands_on_a_slope_by_rolling_resistance),
        cmocka_unit_test(a_box_slides_or_holds_as_coulomb_says),
        cmocka_unit_test(a_box_that_slides_comes_to_a_stop_where_coulomb_says),
        cmocka_unit_test(a_crate_past_half_over_a_ledge_falls_and_one_short_of_it_stays),
        cmocka_unit_test(a_plank_on_a_fulcrum_tips_to_the_heavier_side),
        cmocka_unit_test(a_belt_carries_what_lies_on_it_along_a_chain_or_a_body),
        cmocka_unit_test(a_body_with_a_belt_drives_itself),
        cmocka_unit_test(what_lands_flat_stays_flat),
        cmocka_unit_test(a_disc_in_a_bowl_swings_and_gains_no_energy),
        cmocka_unit_test(a_crate_over_a_corner_leaves_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
