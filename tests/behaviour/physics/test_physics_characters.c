// Characters and crates on all that levels are made of: they go on where nothing is in their way,
// stop where something is, and never leak. Lifts carry them, and may squeeze them.
//
// Counts     A tenth of 10^5 cases. GRAZE_PHYSICS_TIMES=10 plays all of them, in about a minute.
// Characters Their velocity is set before each step, but for what gravity gave them. They slide
//            (GRAZE_SLIDE), or are rigid bodies that do not turn.
// Places     A quarter is 10^4 units from the origin; half are mirrored, half created in reverse.
// Failures   Fewer than 1 in 2000 of all. Each is a stop, or goes wrong by less than a step's way.
//            Of what slides fewer than 1 in 1000: all of them far out, most at the corner of a
//            floor that rounding lets it land on, or miss.
#include "case_kit.h"

#include <stdlib.h>
#include <string.h>

static const double gravity = 10;

// --- Floors ---

static void judge_way(level_case *of, const case_ride *twin)
{
    (void)twin;
    const double wanted = case_steered_way(of);
    case_want_way(of, of->ride.way, wanted, 0.01 * fabs(wanted) + 1e-4 + case_rounding(of));
}

static void judge_level_way(level_case *of, const case_ride *twin)
{
    judge_way(of, twin);
    case_want_at_most(of, of->ride.highest, 3 * of->slop, "hop");
    case_want_outside(of, -of->ride.lowest, 3 * of->slop, "sinks");
}

static void plan_walk(level_case *of)
{
    of->speed = random_power(&of->random, of->far ? 1 : 0.01, 600);
    double seconds = of->speed < 1 ? fmin(0.3 / of->speed, 2) : 0.5;
    seconds = fmin(seconds, (LEVEL_LONGEST - 14) * of->length / of->speed);
    of->steps = case_steps(seconds);
    case_lay_floor(of);
    const double way = of->speed * seconds;
    const double u = way < 0.3 ? 2 * of->length - way / 2
                               : (0.9 + random_double(&of->random, 0, 0.1)) * of->length;
    case_put_character(of, u - of->half_x, of->half_y);
}

static void plan_exact_start(level_case *of)
{
    case_lay_floor(of);
    const double joint = random_below(&of->random, 3) * of->length;
    const int side = (int)random_below(&of->random, 5);
    const double u = side == 0 ? joint : side < 3 ? joint + of->half_x : joint - of->half_x;
    case_put_character(of, u, of->half_y);
}

// It lands with a side near a joint.
static void plan_landing(level_case *of)
{
    random_state *random = &of->random;
    const double fall = random_double(random, 1, 16), high = random_double(random, 0.02, 0.5);
    const double side = random_chance(random, 0.5) ? of->half_x : -of->half_x;
    const double u =
        2 * of->length + side - of->speed * high / fall + random_double(random, -0.025, 0.025);
    case_lay(of, -15 * of->length, case_pieces(of) + 20, 0);
    case_put_character(of, fmax(u, -12 * of->length), of->half_y + high);
    of->def.velocity.y = (float)-fall;
}

static void judge_landing(level_case *of, const case_ride *twin)
{
    const double high = of->ride.v - of->half_y;
    judge_way(of, twin);
    case_want_at_most(of, high, 3 * of->slop + 0.01 * of->size, "rests above the floor");
    case_want_outside(of, -high, 3 * of->slop + 0.01 * of->size, "rests in the floor");
}

// Tops that differ by less than counts, and gaps between them that are as small.
static void plan_uneven_tops(level_case *of)
{
    // chain.h: what a sliding rect passes.
    const double passed = of->size / 16384 + fabs(of->floor.y) / 1048576;
    const double lip = of->slides && !of->round ? passed : of->slop;
    const uint32_t count = (uint32_t)case_pieces(of);
    for (uint32_t i = 0; i < count; ++i) {
        const double gap = random_chance(&of->random, 0.5) ? random_double(&of->random, 0, lip) : 0;
        const level_way piece = {.kind = of->kind == LEVEL_MIXED
                                             ? (level_kind)random_below(&of->random, LEVEL_MIXED)
                                             : of->kind,
                                 .first = (i - 5.0) * of->length,
                                 .length = of->length - gap,
                                 .count = 1,
                                 .height = -random_double(&of->random, 0, 0.7 * lip)};
        level_add_way(&of->ground, &of->floor, &piece);
    }
    case_put_character(of, 0.9 * of->length - of->half_x, of->half_y);
}

static void plan_line_over_tiles(level_case *of)
{
    if (of->kind == LEVEL_CHAIN) {
        of->kind = LEVEL_TILES;
    }
    const double line[2][2] = {{-5 * of->length, 0}, {(case_pieces(of) - 5) * of->length, 0}};
    const bool before = random_chance(&of->random, 0.5);
    if (before) {
        level_add_line(&of->ground, &of->floor, line, 2, false, false);
    }
    case_lay_floor(of);
    if (!before) {
        level_add_line(&of->ground, &of->floor, line, 2, false, false);
    }
    case_put_character(of, 0.9 * of->length - of->half_x, of->half_y);
}

// Over crates that stand side by side.
static void plan_row_of_crates(level_case *of)
{
    of->speed = random_double(&of->random, 0.3, 4.3);
    const double half = of->length / 2, bed[2][2] = {{-60, -of->length}, {200, -of->length}};
    level_add_line(&of->ground, &of->floor, bed, 2, false, false);
    for (of->other_count = 0; of->other_count < CASE_OTHERS; ++of->other_count) {
        graze_body_def *crate = &of->others[of->other_count];
        *crate = physics_box(0, 0, half, half, 4 * half * half);
        crate->position =
            level_point(&of->floor, (of->other_count - 8.0) * of->length + half, -half);
    }
    case_put_character(of, 0.9 * of->length - of->half_x, of->half_y);
}

// It goes past the end of the floor, and falls.
static void plan_ledge(level_case *of)
{
    of->speed = random_power(&of->random, 0.5, 30);
    of->steps = case_steps(fmin((2 * of->half_x + 1) / of->speed, 1.5));
    case_lay(of, 3 - 8 * of->length, 8, 0);
    case_put_character(of, 3 - of->half_x - 0.2, of->half_y);
}

static void judge_ledge(level_case *of, const case_ride *twin)
{
    if (of->round &&
        of->ride.way > case_steered_way(of)) { // The edge throws what is round forward.
        case_want_at_most(of, of->ride.way, case_steered_way(of) + 0.05 + case_rounding(of),
                          "thrown forward");
    } else {
        judge_way(of, twin);
    }
    case_want_at_most(of, of->ride.highest, 3 * of->slop, "hop");
}

// --- Slopes ---

// A profile of so many flat pieces, then pieces that rise by so much each, twice, and flat ones.
static void lay_slope(level_case *of, uint32_t leaning, double rise, double rise_then)
{
    enum { FLAT = 12 };
    double heights[LEVEL_LONGEST + 1];
    uint32_t count = 0;
    double height = 0;
    heights[0] = 0;
    for (uint32_t i = 0; i < 2 * FLAT + 2 * leaning; ++i) {
        const bool up = i >= FLAT && i < FLAT + leaning;
        const bool then = i >= FLAT + leaning && i < FLAT + 2 * leaning;
        height += (up ? rise : then ? rise_then : 0) * of->length;
        heights[++count] = height;
    }
    const level_way way = {.kind = of->kind,
                           .first = -FLAT * of->length,
                           .length = of->length,
                           .count = count,
                           .height = 0,
                           .heights = heights};
    level_add_way(&of->ground, &of->floor, &way);
}

static double draw_slope(level_case *of)
{
    return random_chance(&of->random, 0.5) ? 1 : 0.577350269;
}

static void plan_way_up(level_case *of)
{
    const uint32_t leaning = 2 + random_below(&of->random, 4);
    of->speed = random_double(&of->random, 1, 8);
    lay_slope(of, leaning, draw_slope(of), 0);
    of->steps = case_steps(fmin(2, ((leaning + 8) * of->length + of->half_x) / of->speed));
    case_put_character(of, -of->half_x - 0.2, of->half_y);
}

// Its climb is not set: so on a slope gravity adds a step's speed to it, at most.
static void want_no_haste(level_case *of)
{
    const double wanted = case_steered_way(of);
    const double slid = gravity / STEPS_A_SECOND * of->steps / STEPS_A_SECOND;
    case_want_at_most(of, of->ride.way, 1.01 * wanted + slid + 0.01 + case_rounding(of), "way");
}

static void judge_way_up(level_case *of, const case_ride *twin)
{
    (void)twin;
    const double wanted = case_steered_way(of);
    case_want_at_least(of, of->ride.way, 0.75 * wanted - 0.3, "way up");
    want_no_haste(of);
}

static void plan_way_down(level_case *of)
{
    const uint32_t leaning = 2 + random_below(&of->random, 4);
    of->speed = random_double(&of->random, 1, 8);
    lay_slope(of, leaning, -draw_slope(of), 0);
    const double way = (leaning + 4) * of->length + 2 * of->half_x;
    of->steps = case_steps(fmin(3, way / of->speed));
    case_put_character(of, -fmax(of->half_x, 0.3 * of->length), of->half_y);
}

static void judge_way_down(level_case *of, const case_ride *twin)
{
    (void)twin;
    const double wanted = case_steered_way(of);
    case_want_at_least(of, of->ride.way, 0.97 * wanted - 0.01 - case_rounding(of), "way down");
    want_no_haste(of);
}

// Up and down, or down and up.
static void plan_peak(level_case *of)
{
    const uint32_t leaning = 2 + random_below(&of->random, 4);
    const double rise = draw_slope(of) * (random_chance(&of->random, 0.5) ? 1 : -1);
    of->speed = random_double(&of->random, 1, 5);
    lay_slope(of, leaning, rise, -rise);
    of->steps = case_steps(fmin(3, ((2 * leaning + 4) * of->length + of->half_x) / of->speed));
    case_put_character(of, -of->half_x - 0.2, of->half_y);
}

// --- Ceilings, passages and shafts ---

static level_frame ceiling_of(const level_case *of, double height)
{
    level_frame frame = of->floor;
    frame.y += height;
    frame.out_y = -1;
    return frame;
}

// Its u leads down, and what is before it is at smaller u of the floor, or beyond.
static level_frame wall_of(const level_case *of, double u, bool beyond)
{
    const double dir = beyond ? of->floor.along_x : -of->floor.along_x;
    const level_frame frame = {of->floor.x + u * of->floor.along_x, of->floor.y, 0, -1, dir, 0};
    return frame;
}

static void lay_on(level_case *of, const level_frame *frame, double first, double count)
{
    const level_way way = {.kind = of->kind,
                           .first = first,
                           .length = of->length,
                           .count = (uint32_t)fmin(count, LEVEL_LONGEST)};
    level_add_way(&of->ground, frame, &way);
}

// Along a ceiling, against which it is pressed.
static void plan_ceiling(level_case *of)
{
    const level_frame ceiling = ceiling_of(of, 0);
    lay_on(of, &ceiling, -5 * of->length, case_pieces(of));
    case_put_character(of, 0.95 * of->length - of->half_x,
                       -of->half_y - random_double(&of->random, 0, 0.01));
    of->steers.up = true;
    of->steers.climb = 3;
}

static void judge_ceiling(level_case *of, const case_ride *twin)
{
    judge_way(of, twin);
    case_want_outside(of, of->ride.v + of->half_y, 3 * of->slop + 0.005, "in the ceiling");
    case_want_outside(of, -of->ride.v - of->half_y, 0.05, "under the ceiling");
}

// Between a floor and a ceiling that are as far apart as it is high.
static void plan_passage(level_case *of)
{
    const double room = fmax(of->speed * of->steps / STEPS_A_SECOND, 2.5);
    of->steps = case_steps(room / of->speed);
    if (of->steps > 4 * STEPS_A_SECOND) {
        of->steps = 4 * STEPS_A_SECOND;
        of->speed = room / 4;
    }
    const double pieces = (room + 2) / of->length + 14;
    const level_frame ceiling = ceiling_of(of, 2 * of->half_y);
    case_lay(of, -5 - 3 * of->length, pieces + 8, 0);
    lay_on(of, &ceiling, 1 + random_double(&of->random, 0, 1), pieces);
    case_put_character(of, -of->half_x - random_double(&of->random, 0, 0.1), of->half_y);
}

// Down a wall against which it walks.
static void plan_wall(level_case *of)
{
    const level_frame wall = wall_of(of, 0, false);
    const double first = (random_chance(&of->random, 0.5) ? -3 : -2.5) * of->length;
    lay_on(of, &wall, first, 12 / of->length + 12);
    of->speed = 2;
    of->steps = 72;
    case_put_character(of, -of->half_x, -random_double(&of->random, 0, 0.2) * of->length);
}

// Between two walls that are as far apart as it is wide.
static void plan_shaft(level_case *of)
{
    plan_wall(of);
    case_put_character(of, -of->half_x, 0.5);
    const level_frame wall = wall_of(of, -2 * of->half_x, true);
    lay_on(of, &wall, of->half_y + random_double(&of->random, 0, 2), 12 / of->length + 12);
}

// It falls as in the air, whether whole steps or substeps add its speeds up.
static void judge_fall(level_case *of, const case_ride *twin)
{
    (void)twin;
    const double time = of->steps * (double)physics_dt, fall = -of->ride.rise;
    const double least = gravity * time * time / 2, most = least + gravity * time / 2 / 60;
    const double allowed = 0.002 * least + 0.002 + case_rounding(of);
    case_want_at_least(of, fall, least - allowed, "fall");
    case_want_at_most(of, fall, most + allowed, "fall");
    case_want_outside(of, fabs(of->ride.way), 3 * of->slop + 0.005, "in the wall");
}

// --- Steps, spikes and corners ---

// Pieces from u = 2 on. Their front is solid.
static void lay_block(level_case *of, uint32_t count, double length, double height)
{
    const level_way way = {.kind = of->kind == LEVEL_MIXED ? LEVEL_TILES : of->kind,
                           .first = 2,
                           .length = length,
                           .count = count,
                           .height = height};
    level_add_way(&of->ground, &of->floor, &way);
}

static void lay_step(level_case *of, double high)
{
    if (of->kind == LEVEL_CHAIN || of->kind == LEVEL_LOOP || of->kind == LEVEL_ONE_SIDED) {
        const double points[6][2] = {{-40, 0}, {2, 0}, {2, high}, {20, high}, {20, -3}, {-40, -3}};
        const bool loop = of->kind == LEVEL_LOOP;
        level_add_line(&of->ground, &of->floor, points, loop ? 6 : 4, loop,
                       of->kind == LEVEL_ONE_SIDED);
        return;
    }
    const double pieces = floor(42 / of->length);
    case_lay(of, 2 - pieces * of->length, pieces + 4, 0);
    const double length = fmin(high, of->length);
    for (int row = 1; row <= ceil(high / length); ++row) {
        lay_block(of, 3, length, row * length);
    }
}

// A box stops at every step; what is round, at one that is higher than its middle.
static void plan_step(level_case *of)
{
    random_state *random = &of->random;
    const double high =
        of->round ? of->half_x * random_double(random, 1.1, 2.1) : random_power(random, 0.1, 2);
    lay_step(of, high);
    of->steps = case_steps(fmin(1 / of->speed + 0.5, 3));
    case_put_character(of, 2 - of->half_x - random_double(random, 0.01, 0.5), of->half_y);
}

static void plan_spike(level_case *of)
{
    random_state *random = &of->random;
    const double high =
        of->round ? of->half_x * random_double(random, 1.1, 2.1) : random_power(random, 0.03, 2);
    const double pieces = floor(30 / of->length), spike[2][2] = {{2, 0}, {2, high}};
    case_lay(of, -pieces * of->length, 2 * pieces, 0);
    level_add_line(&of->ground, &of->floor, spike, 2, false, false);
    of->speed = random_power(random, 0.5, 20);
    of->steps = case_steps(1 / of->speed + 0.3);
    case_put_character(of, 2 - of->half_x - random_double(random, 0.01, 0.5), of->half_y);
}

static void judge_block(level_case *of, const case_ride *twin)
{
    (void)twin;
    const double front = of->ride.u + of->half_x - 2;
    case_want_outside(of, front, 3 * of->slop + 0.01, "in what blocks it");
    case_want_outside(of, -of->ride.lowest, 3 * of->slop, "sinks");
    if (case_steered_way(of) > 1) {
        case_want_at_least(of, front, -3 * of->slop - 0.05, "held before it");
    }
}

static void lay_outer_corner(level_case *of)
{
    enum { PIECES = 6 };
    if (of->kind == LEVEL_CHAIN || of->kind == LEVEL_ONE_SIDED) {
        double points[PIECES + 2][2] = {{2, -6}};
        for (int i = 0; i <= PIECES; ++i) {
            points[i + 1][0] = 2 + i * of->length;
        }
        level_add_line(&of->ground, &of->floor, (const double(*)[2])points, PIECES + 2, false,
                       of->kind == LEVEL_ONE_SIDED);
        return;
    }
    lay_block(of, PIECES, of->length, 0);
    for (int row = 1; of->kind != LEVEL_LOOP && row < 5; ++row) {
        lay_block(of, 1, of->length, -row * of->length);
    }
}

// It flies at a corner, so that its front comes to the wall when its bottom is a bit above the
// corner or a bit below.
static void plan_outer_corner(level_case *of)
{
    random_state *random = &of->random;
    of->round = false;
    of->weightless = true;
    lay_outer_corner(of);
    of->speed = random_power(random, 1, 30);
    const double fall = random_power(random, 1, 30), way = random_double(random, 0.02, 0.42);
    of->edge = random_power(random, 0.02, 0.3) * (random_chance(random, 0.5) ? 1 : -1);
    of->steps = case_steps(way / of->speed + 0.05);
    case_put_character(of, 2 - of->half_x - way, of->half_y + of->edge + fall * way / of->speed);
    of->steers.up = true;
    of->steers.climb = -fall;
}

static void judge_outer_corner(level_case *of, const case_ride *twin)
{
    (void)twin;
    if (of->edge > 0) { // It lands on top.
        const double wanted = case_steered_way(of);
        case_want_way(of, of->ride.way, wanted, 0.01 * wanted + 1e-3 + case_rounding(of));
        if (!(of->late > 0)) {
            case_want_outside(of, of->half_y - of->ride.v, 3 * of->slop, "sinks");
        }
    } else { // It falls along the wall.
        const double wanted = of->steers.climb * of->steps / STEPS_A_SECOND;
        case_want_way(of, of->ride.rise, wanted, 0.01 * fabs(wanted) + 1e-3 + case_rounding(of));
        if (!(of->late > 0)) {
            case_want_outside(of, of->ride.u + of->half_x - 2, 3 * of->slop + 0.01, "in the wall");
        }
    }
}

// It falls along a wall into the corner with the floor.
static void plan_inner_corner(level_case *of)
{
    random_state *random = &of->random;
    const double before = floor(20 / of->length);
    case_lay(of, 2 - before * of->length, floor(24 / of->length), 0);
    const level_frame wall = wall_of(of, 2, false);
    lay_on(of, &wall, -8 * of->length, 8);
    of->speed = random_power(random, 0.5, 20);
    of->steps = 72;
    case_put_character(of, 2 - of->half_x - random_double(random, 0, 0.2),
                       of->half_y + random_double(random, 0, 1));
}

static void judge_inner_corner(level_case *of, const case_ride *twin)
{
    (void)twin;
    const double front = of->ride.u + of->half_x - 2, bottom = of->ride.v - of->half_y;
    case_want_outside(of, front, 3 * of->slop + 0.01, "in the wall");
    case_want_outside(of, -bottom, 3 * of->slop + 0.005, "in the floor");
    case_want_at_least(of, front, -0.02, "held before the wall");
    case_want_at_least(of, -bottom, -0.01, "held above the floor");
}

// --- Crates and balls ---

static void plan_crate(level_case *of)
{
    of->round = false;
    of->speed = random_double(&of->random, 1, 8);
    of->steps = STEPS_A_SECOND;
    case_lay_floor(of);
    case_put_crate(of, 0.8 * of->length - of->half_x, of->half_y, 0, 0);
    of->def.friction = 0.05f;
}

static void plan_ball(level_case *of)
{
    of->round = true;
    of->half_y = of->half_x;
    of->speed = random_double(&of->random, 1, 8);
    of->steps = STEPS_A_SECOND;
    case_lay_floor(of);
    case_put_crate(of, 0.8 * of->length - of->half_x, of->half_y, 0, -of->speed / of->half_x);
}

static void judge_as_twin(level_case *of, const case_ride *twin)
{
    case_want_way(of, of->ride.way, twin->way, 0.02 * twin->way + 0.01 + case_rounding(of));
    if (!of->round) {
        case_want_at_most(of, fabs(of->ride.sine - twin->sine), 0.02, "leans");
    }
}

static void plan_tumble(level_case *of)
{
    of->round = false;
    of->speed = random_double(&of->random, 1, 6);
    of->steps = 48;
    case_lay(of, -10 * of->length, 2 * of->speed / of->length + 24, 0);
    const double spin = random_double(&of->random, -4, 4);
    case_put_crate(of, 0.8 * of->length - of->half_x, 1.5 * fmax(of->half_x, of->half_y), -2, spin);
    of->def.angle = (float)(random_double(&of->random, 0.3, 1.1) * of->floor.along_x);
    of->def.friction = 0.4f;
}

// After one wrong contact the two differ as throws of dice do. So it is wrong by how far apart they
// are in the first step in which they differ.
static void judge_tumble(level_case *of, const case_ride *twin)
{
    const double allowed = 0.05 * fabs(twin->way) + 0.03 + case_rounding(of);
    if (fabs(of->ride.way - twin->way) <= allowed) {
        return;
    }
    double apart = 0;
    for (uint32_t i = 0; i < of->steps && !(apart > 3 * of->slop); ++i) {
        const double u = of->ride.path[i][0] - twin->path[i][0];
        const double v = of->ride.path[i][1] - twin->path[i][1];
        apart = hypot(u, v);
    }
    case_want_way(of, of->ride.way, twin->way, allowed);
    of->late = 0;
    of->astray = apart;
}

// A character pushes three crates that stand on each other.
static void plan_stack(level_case *of)
{
    const double half = 0.4;
    of->round = false;
    of->speed = random_double(&of->random, 0.5, 2.5);
    of->steps = 2 * STEPS_A_SECOND;
    case_lay(of, -6 - 6 * of->length, 14 / of->length + 24, 0);
    case_put_character(of, 0, of->half_y);
    of->def.mass = 20;
    for (of->other_count = 0; of->other_count < 3; ++of->other_count) {
        graze_body_def *crate = &of->others[of->other_count];
        *crate = physics_box(0, 0, half, half, 4 * half * half);
        crate->friction = 0.3f;
        crate->position =
            level_point(&of->floor, of->half_x + half + 0.1, half + 2 * half * of->other_count);
    }
}

static void judge_stack(level_case *of, const case_ride *twin)
{
    case_want_way(of, of->ride.other_u, twin->other_u,
                  0.05 * fabs(twin->other_u) + 0.03 + case_rounding(of));
    case_want_at_least(of, of->ride.other_v, 0.35, "the top crate's height");
}

// --- All kinds ---

/// A kind of case.
typedef struct case_kind {
    const char *name;
    void (*plan)(level_case *of);
    void (*judge)(level_case *of, const case_ride *twin); ///< The twin is on one segment, or null.
} case_kind;

static const case_kind character_kinds[] = {
    {"walk", plan_walk, judge_level_way},
    {"exact start at a joint", plan_exact_start, judge_level_way},
    {"landing at a joint", plan_landing, judge_landing},
    {"uneven tops", plan_uneven_tops, judge_way},
    {"line over tiles", plan_line_over_tiles, judge_level_way},
    {"row of crates", plan_row_of_crates, judge_way},
    {"ledge", plan_ledge, judge_ledge},
    {"slope up", plan_way_up, judge_way_up},
    {"slope down", plan_way_down, judge_way_down},
    {"peak or valley", plan_peak, judge_way_up},
    {"ceiling", plan_ceiling, judge_ceiling},
    {"exact passage", plan_passage, judge_level_way},
    {"wall", plan_wall, judge_fall},
    {"exact shaft", plan_shaft, judge_fall},
    {"step", plan_step, judge_block},
    {"spike", plan_spike, judge_block},
    {"outer corner", plan_outer_corner, judge_outer_corner},
    {"inner corner", plan_inner_corner, judge_inner_corner},
};

// They are judged by a twin.
static const case_kind crate_kinds[] = {
    {"crate slides", plan_crate, judge_as_twin},
    {"ball rolls", plan_ball, judge_as_twin},
    {"crate tumbles", plan_tumble, judge_tumble},
    {"stack pushed", plan_stack, judge_stack},
};

enum {
    CHARACTER_KINDS = sizeof character_kinds / sizeof *character_kinds,
    CRATE_KINDS = sizeof crate_kinds / sizeof *crate_kinds,
    SLIDING_CASES = 4100,
    RIGID_CASES = 4100,
    CRATE_CASES = 1800 // 10^4 in all.
};

static level_case *play(const case_kind *kind, uint64_t seed, bool slides, bool is_twin)
{
    level_case *of = calloc(1, sizeof *of);
    assert_non_null(of);
    case_draw(of, seed, slides);
    of->kind = is_twin ? LEVEL_WHOLE : of->kind;
    kind->plan(of);
    case_run(of);
    return of;
}

/// How the cases of one test ended, by kind and in all.
typedef struct case_counts {
    physics_tally tally;
    uint32_t kinds[CHARACTER_KINDS][OUTCOMES], all[OUTCOMES];
} case_counts;

static void note_case(case_counts *counts, const level_case *of, const char *name, uint64_t seed)
{
    const case_outcome end = case_outcome_of(of);
    physics_note(
        &counts->tally, seed, end == GOES ? 0 : 1 + (double)end,
        "%s, %s: %s; %s %.6g, wanted %.6g; %s of %.4g x %.4g, pieces of %.4g, speed %.4g%s", name,
        level_names[of->kind], case_outcome_names[end], of->what ? of->what : "crosses", of->found,
        of->wanted, of->round ? "disc" : "rect", of->half_x, of->half_y, of->length, of->speed,
        of->far ? ", far out" : "");
}

// The seed chooses the kind, so that it plays the same case in every run.
static void play_case(const case_kind *kinds, uint32_t count, uint64_t seed, bool slides,
                      case_counts *counts)
{
    const uint32_t k = (uint32_t)((seed - 1) % count);
    level_case *of = play(&kinds[k], seed, slides, false);
    level_case *twin = kinds == crate_kinds ? play(&kinds[k], seed, slides, true) : NULL;
    kinds[k].judge(of, twin ? &twin->ride : NULL);
    note_case(counts, of, kinds[k].name, seed);
    ++counts->kinds[k][case_outcome_of(of)];
    ++counts->all[case_outcome_of(of)];
    free(twin);
    free(of);
}

static void print_failures(const case_kind *kinds, uint32_t count, const case_counts *counts)
{
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t *ends = counts->kinds[k];
        if (ends[STOPS] + ends[GHOSTS] + ends[STRAYS] + ends[LEAKS]) {
            print_message("%s: %u go, %u stop, %u ghosts, %u stray, %u leak\n", kinds[k].name,
                          (unsigned)ends[GOES], (unsigned)ends[STOPS], (unsigned)ends[GHOSTS],
                          (unsigned)ends[STRAYS], (unsigned)ends[LEAKS]);
        }
    }
}

static physics_tally all_kinds; // Of all tests that play some.

static void add_to_all(const physics_tally *tally)
{
    all_kinds.played += tally->played;
    all_kinds.failed += tally->failed;
}

// One case in so many may fail.
static void play_kinds(const case_kind *kinds, uint32_t count, uint32_t cases, bool slides,
                       uint32_t may_fail)
{
    case_counts counts = {0};
    const uint32_t trials = physics_trials(cases);
    for (uint32_t i = 0; i < trials; ++i) {
        play_case(kinds, count, physics_first_seed() + i, slides, &counts);
    }
    print_failures(kinds, count, &counts);
    add_to_all(&counts.tally);
    const bool too_many = (uint64_t)counts.tally.failed * may_fail >= counts.tally.played;
    if (counts.all[LEAKS] || counts.all[STRAYS] || (counts.tally.failed && too_many)) {
        physics_assert_none_failed(&counts.tally);
    }
}

static void characters_that_slide_meet_no_ghosts(void **state)
{
    (void)state;
    play_kinds(character_kinds, CHARACTER_KINDS, SLIDING_CASES, true, 1000);
}

static void characters_that_are_rigid_meet_no_ghosts(void **state)
{
    (void)state;
    play_kinds(character_kinds, CHARACTER_KINDS, RIGID_CASES, false, 2000);
}

static void crates_and_balls_meet_no_ghosts(void **state)
{
    (void)state;
    play_kinds(crate_kinds, CRATE_KINDS, CRATE_CASES, false, 2000);
}

// Of 10^5 that is 39. One more may be among the few that are played by default, by chance.
static void of_all_fewer_than_one_in_2000_fail(void **state)
{
    (void)state;
    assert_true((uint64_t)all_kinds.failed * 2000 < all_kinds.played + 2000);
}

// --- Lifts ---

/// What stands on a lift, or is squeezed.
typedef enum rider { SLIDING_RECT, SLIDING_DISC, RIGID_RECT, RIGID_DISC, CRATE, RIDERS } rider;

static const char *const rider_names[RIDERS] = {"sliding rect", "sliding disc", "rigid rect",
                                                "rigid disc", "crate"};

static graze_body_def rider_at(random_state *random, rider kind, double high)
{
    const bool round = kind == SLIDING_DISC || kind == RIGID_DISC;
    const double width = random_double(random, 0.2, 0.9);
    const double half_y = round ? width : random_double(random, 0.2, 0.9);
    const double half_x = kind == CRATE ? fmax(width, half_y) : width; // It does not tip over.
    const double x = random_double(random, -0.9, 0.9);
    graze_body_def def = round ? physics_disc(x, high + half_y, half_y, 1)
                               : physics_box(x, high + half_y, half_x, half_y, 1);
    if (kind == SLIDING_RECT || kind == SLIDING_DISC) {
        def.response = GRAZE_SLIDE;
    } else if (kind != CRATE) {
        def.inertia = 1e30f;
    }
    return def;
}

static double half_height(const graze_body_def *def)
{
    const graze_shape *shape = &def->shape;
    return (double)(shape->kind == GRAZE_SHAPE_CIRCLE ? shape->radius : shape->half.y);
}

static double least_half(const graze_body_def *def)
{
    const graze_shape *shape = &def->shape;
    return shape->kind == GRAZE_SHAPE_CIRCLE ? (double)shape->radius
                                             : (double)fminf(shape->half.x, shape->half.y);
}

static graze_vec2 difference(const graze_world *world, graze_body_id body, graze_body_id from)
{
    const graze_vec2 a = graze_body_position(world, body), b = graze_body_position(world, from);
    const graze_vec2 apart = {a.x - b.x, a.y - b.y};
    return apart;
}

// A lift gets up its speed in two seconds. What stands on it may lag until then, and a second more.
// In the next three seconds it must not drift by more than a 10^4th of its half size.
static void ride_a_lift(uint64_t seed, physics_tally *tally, bool slides)
{
    enum { RAMP = 120, SETTLE = 60, RIDE = 180 };
    random_state random = random_seed(seed);
    const rider kind = (rider)(slides ? random_below(&random, RIGID_RECT)
                                      : RIGID_RECT + random_below(&random, RIDERS - RIGID_RECT));
    const double speed = random_power(&random, 0.1, 10);
    const double angle = random_below(&random, 8) * 0.78539816339744831;
    graze_world *world = kit_world_with_gravity(0, (float)-gravity);
    const graze_body_id lift = kit_add(world, physics_block(0, -0.25, 2, 0.25));
    const graze_body_def def = rider_at(&random, kind, 0);
    const graze_body_id body = kit_add(world, def);
    graze_vec2 before = {0, 0};
    for (int step = 0; step < RAMP + SETTLE + RIDE; ++step) {
        const double now = speed * fmin(1, (step + 1.0) / RAMP);
        const graze_vec2 velocity = {(float)(now * cos(angle)), (float)(now * sin(angle))};
        graze_body_set_velocity(world, lift, velocity);
        kit_step(world, physics_dt);
        if (step + 1 == RAMP + SETTLE) {
            before = difference(world, body, lift);
        }
    }
    const graze_vec2 after = difference(world, body, lift);
    const double drift = hypot((double)(after.x - before.x), (double)(after.y - before.y));
    physics_note(tally, seed, drift / (1e-4 * least_half(&def)),
                 "%s on a lift at %.4g, angle %.3g: drifts by %.4g of its half size",
                 rider_names[kind], speed, angle, drift / least_half(&def));
    graze_world_destroy(world);
}

static void ride_a_lift_sliding(uint64_t seed, physics_tally *tally)
{
    ride_a_lift(seed, tally, true);
}

static void ride_a_lift_rigid(uint64_t seed, physics_tally *tally)
{
    ride_a_lift(seed, tally, false);
}

static void lifts_carry_what_slides_without_drift(void **state)
{
    (void)state;
    physics_play(100, ride_a_lift_sliding);
}

static void lifts_carry_what_is_rigid_without_drift(void **state)
{
    (void)state;
    physics_play(100, ride_a_lift_rigid);
}

// --- Squeezed ---

/// Between a lift and a ceiling.
typedef struct squeeze {
    graze_world *world;
    level *ceiling;
    graze_body_id body, lift;
    double said, moved; ///< The fastest velocity that it had, and that it moved at.
    double left;        ///< Its speed in the end.
    bool leaks;
} squeeze;

static void step_squeeze(squeeze *of, double speed)
{
    const graze_vec2 velocity = {0, (float)speed};
    const graze_vec2 from = graze_body_position(of->world, of->body);
    graze_body_set_velocity(of->world, of->lift, velocity);
    kit_step(of->world, physics_dt);
    const graze_vec2 to = graze_body_position(of->world, of->body);
    const double moved = hypot((double)to.x - (double)from.x, (double)to.y - (double)from.y);
    of->left = kit_speed(of->world, of->body);
    of->said = fmax(of->said, of->left);
    of->moved = fmax(of->moved, moved * STEPS_A_SECOND);
    of->leaks |= level_is_crossed(of->ceiling, from, to) || to.y > 0;
}

// Terrain, as bodies of mass 0 hold nothing against a lift.
static level_kind draw_terrain(random_state *random)
{
    static const level_kind kinds[4] = {LEVEL_CHAIN, LEVEL_LOOP, LEVEL_TILES, LEVEL_ONE_SIDED};
    return kinds[random_below(random, 4)];
}

// The lift rises until it leaves a part of the body's height, and stays for a second.
static void squeeze_it(uint64_t seed, physics_tally *tally, bool is_crate)
{
    random_state random = random_seed(seed);
    const rider kind = is_crate ? CRATE : (rider)random_below(&random, CRATE);
    const level_frame frame = {0, 0, 1, 0, 0, -1};
    const level_way way = {.kind = draw_terrain(&random), .first = -8, .length = 1, .count = 16};
    level *ceiling = calloc(1, sizeof *ceiling);
    assert_non_null(ceiling);
    level_add_way(ceiling, &frame, &way);
    graze_body_def def = rider_at(&random, kind, 0);
    const double height = 2 * half_height(&def), room = random_double(&random, 0.1, 0.5);
    const double part = random_double(&random, 0.1, 0.95), speed = random_power(&random, 0.1, 10);
    def.position.y -= (float)(height + room);
    squeeze of = {.world = kit_world_with_gravity(0, (float)-gravity), .ceiling = ceiling};
    level_create(ceiling, of.world);
    of.lift = kit_add(of.world, physics_block(0, -height - room - 5, 2, 5));
    of.body = kit_add(of.world, def);
    const int rise = (int)((room + (1 - part) * height) / speed * STEPS_A_SECOND);
    for (int step = 0; step < rise + STEPS_A_SECOND; ++step) {
        step_squeeze(&of, step < rise ? speed : 0);
    }
    // It says no more than the lift's speed and a step's gravity, but for rounding; a crate that
    // tilts is moved by a lever. It may move faster while it leaves an overlap (response.h: the
    // lift is inside it for a step, and six of its half sizes a second push it out).
    const double lever = is_crate ? 1.1 : 1 + 1e-6;
    const double most = (speed + gravity / STEPS_A_SECOND) * lever;
    const double push = 6 * least_half(&def);
    const double error = fmax(fmax(of.said / most, of.moved / (2 * most + push)), of.left / 1e-3);
    physics_note(
        tally, seed, of.leaks ? 1000 : error,
        "%s of %.4g under a ceiling, %s, by a lift at %.4g that leaves %.4g of its height: "
        "speed %.4g, moves at %.4g, speed %.4g in the end%s",
        rider_names[kind], height / 2, level_names[way.kind], speed, part, of.said, of.moved,
        of.left, of.leaks ? ", leaks" : "");
    graze_world_destroy(of.world);
    free(ceiling);
}

static void squeeze_character(uint64_t seed, physics_tally *tally)
{
    squeeze_it(seed, tally, false);
}

static void squeeze_crate(uint64_t seed, physics_tally *tally)
{
    squeeze_it(seed, tally, true);
}

static void characters_that_are_squeezed_stop_and_are_not_shot_out(void **state)
{
    (void)state;
    physics_play(160, squeeze_character);
}

static void crates_that_are_squeezed_stop_and_are_not_shot_out(void **state)
{
    (void)state;
    physics_play(40, squeeze_crate);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters_that_slide_meet_no_ghosts),
        cmocka_unit_test(characters_that_are_rigid_meet_no_ghosts),
        cmocka_unit_test(crates_and_balls_meet_no_ghosts),
        cmocka_unit_test(of_all_fewer_than_one_in_2000_fail),
        cmocka_unit_test(lifts_carry_what_slides_without_drift),
        cmocka_unit_test(lifts_carry_what_is_rigid_without_drift),
        cmocka_unit_test(characters_that_are_squeezed_stop_and_are_not_shot_out),
        cmocka_unit_test(crates_that_are_squeezed_stop_and_are_not_shot_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
