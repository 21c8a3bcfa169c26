// The lanes of Predict against one row after the other: the bits are the same in every set.

#include "collide/predict.h"
#include "random.h"
#include "solve/trajectory.h"
#include "world/bodies.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <string.h>

enum { ROWS = 100, ROUNDS = 200 };

static const grz_predict_table *const tables[] = GRZ_WIDE_TABLES(grz_predict_wide);

/// Columns of a world, and what Predict makes of them.
typedef struct columns {
    graze_vec2 position[ROWS], velocity[ROWS], half[ROWS];
    graze_rotation rotation[ROWS], end_rotation[ROWS];
    float turn[ROWS], spin[ROWS];
    uint32_t traits[ROWS];
    struct {
        graze_vec2 end[ROWS], end_velocity[ROWS];
        graze_aabb boxes[ROWS];
    } result;
} columns;

static grz_prediction view(columns *of, graze_vec2 gravity_step, float dt)
{
    const grz_prediction all = {
        .position = of->position,
        .velocity = of->velocity,
        .half = of->half,
        .rotation = of->rotation,
        .end_rotation = of->end_rotation,
        .turn = of->turn,
        .spin = of->spin,
        .traits = of->traits,
        .end = of->result.end,
        .end_velocity = of->result.end_velocity,
        .boxes = of->result.boxes,
        .gravity_step = gravity_step,
        .dt = dt,
    };
    return all;
}

static float make_number(random_state *random, float size)
{
    const float edges[] = {0, 1e-30f, 1e-42f, -1e-30f, 1, -1};
    return random_below(random, 4) ? random_float(random, -size, size)
                                   : edges[random_below(random, 6)];
}

static graze_rotation make_rotation(random_state *random)
{
    const float right_angle = 1.57079633f;
    return graze_rotation_from_angle(random_below(random, 4)
                                         ? random_float(random, -3, 3)
                                         : right_angle * (float)random_below(random, 4));
}

static void fill_shape(columns *to, random_state *random, float size, uint32_t row)
{
    const float half = random_float(random, 0, size);
    const uint32_t kinds[] = {GRAZE_SHAPE_CIRCLE, GRAZE_SHAPE_RECT, GRAZE_SHAPE_RAY};
    const uint32_t kind = kinds[random_below(random, 3)];
    const uint32_t rigid =
        kind != GRAZE_SHAPE_RAY && random_below(random, 2) ? (uint32_t)GRZ_TRAIT_RIGID : 0;
    const uint32_t traits = (random_below(random, 512) & ~(uint32_t)GRZ_TRAIT_KIND) | kind | rigid;
    to->half[row].x = half;
    to->half[row].y = random_below(random, 2) ? half : 0;
    to->rotation[row] = make_rotation(random);
    to->end_rotation[row] = traits & GRZ_TRAIT_SPINS ? make_rotation(random) : to->rotation[row];
    to->turn[row] = traits & GRZ_TRAIT_SPINS ? random_float(random, 0.001f, 2) : 0;
    to->spin[row] = traits & GRZ_TRAIT_SPINS ? random_float(random, -9, 9) : 0;
    to->traits[row] = traits;
}

static void fill(columns *to, random_state *random, float size)
{
    memset(to, 0, sizeof *to);
    for (uint32_t row = 0; row < ROWS; ++row) {
        to->position[row].x = make_number(random, size);
        to->position[row].y = make_number(random, size);
        if (random_below(random, 3)) {
            to->velocity[row].x = make_number(random, size);
            to->velocity[row].y = make_number(random, size);
        }
        fill_shape(to, random, size, row);
    }
}

static void assert_same(grz_lane_set set, columns *start, graze_vec2 gravity_step, float dt,
                        uint32_t first, uint32_t end)
{
    columns one = *start, many = *start;
    const grz_prediction by_row = view(&one, gravity_step, dt);
    const grz_prediction by_lanes = view(&many, gravity_step, dt);
    grz_predicted expected = {0, 0, true};
    for (uint32_t row = first; row < end; ++row) {
        grz_predict_row(&by_row, row, &expected);
    }
    const grz_predicted found = tables[set]->straight(&by_lanes, first, end);
    assert_int_equal(found.traits, expected.traits);
    assert_int_equal(found.slow, expected.slow);
    assert_int_equal(found.finite, expected.finite);
    if (expected.finite) { // Else what NaN it is may differ; such rows are done anew.
        assert_memory_equal(&many.result, &one.result, sizeof one.result);
    }
}

static void every_set_predicts_what_one_row_after_the_other_does(void **state)
{
    (void)state;
    const float sizes[] = {1, 1000, 1e20f, FLT_MAX / 4};
    random_state random = random_seed(11);
    columns start;
    for (uint32_t round = 0; round < ROUNDS; ++round) {
        const graze_vec2 gains[] = {{0, 0}, {0, -0.2f}, {3, 1e-3f}};
        const uint32_t first = random_below(&random, ROWS);
        const uint32_t end = first + random_below(&random, ROWS - first + 1);
        fill(&start, &random, sizes[round % 4]);
        for (int set = 0; set <= (int)grz_lanes_choose(); ++set) {
            assert_same((grz_lane_set)set, &start, gains[round % 3], round % 5 ? 1.0f / 60 : 8,
                        first, end);
        }
    }
}

// The columns that boxes are made of, as the world has them.
static grz_rows rows_of(columns *of)
{
    grz_rows rows;
    memset(&rows, 0, sizeof rows);
    rows.position = of->position;
    rows.velocity = of->velocity;
    rows.half = of->half;
    rows.traits = of->traits;
    rows.rotation = of->rotation;
    rows.end_rotation = of->end_rotation;
    rows.turn = of->turn;
    rows.spin = of->spin;
    rows.end = of->result.end;
    return rows;
}

// Compares the boxes of the rows that lanes did with those of one row after the other.
static void assert_same_boxes(grz_lane_set set, const columns *start, graze_vec2 gravity_step,
                              float dt, uint32_t first, uint32_t end)
{
    columns one = *start, many = *start;
    const grz_prediction by_row = view(&one, gravity_step, dt);
    const grz_prediction by_lanes = view(&many, gravity_step, dt);
    const grz_rows rows = rows_of(&one);
    uint32_t traits = 0;
    for (uint32_t row = first; row < end; ++row) {
        traits |= one.traits[row];
    }
    if (!(traits & (GRAZE_SHAPE_RECT | GRZ_TRAIT_TURNS | GRZ_TRAIT_RIGID))) {
        return;
    }
    const uint32_t done = tables[set]->box(&by_lanes, first, end, traits);
    assert_true(done >= first && done <= end);
    for (uint32_t row = first; row < done; ++row) {
        by_row.boxes[row] = grz_predicted_box(&rows, row, one.result.end[row], gravity_step, dt);
    }
    assert_memory_equal(&many.result, &one.result, sizeof one.result);
}

static void assert_same_surroundings(grz_lane_set set, columns *start, graze_vec2 gravity_step,
                                     float dt, uint32_t first, uint32_t end)
{
    const grz_prediction by_lanes = view(start, gravity_step, dt);
    const grz_rows rows = rows_of(start);
    bool has_rects = false;
    for (uint32_t row = first; row < end; ++row) {
        has_rects = has_rects || (start->traits[row] & GRAZE_SHAPE_RECT);
    }
    graze_vec2 lower[ROWS], upper[ROWS];
    const uint32_t done = tables[set]->surround(&by_lanes, first, end, has_rects, lower, upper);
    assert_true(done >= first && done <= end);
    for (uint32_t row = first; row < done; ++row) {
        const graze_aabb box = grz_surroundings_of(&rows, row, gravity_step, dt);
        assert_memory_equal(&lower[row - first], &box.lower, sizeof box.lower);
        assert_memory_equal(&upper[row - first], &box.upper, sizeof box.upper);
    }
}

// In some rounds all bodies are round, none turns, or none is rigid. The scalar set, 0, has no such
// loops.
static void every_set_puts_boxes_around_rows_as_around_one_after_the_other(void **state)
{
    (void)state;
    const uint32_t cleared[] = {0, GRAZE_SHAPE_RECT, GRZ_TRAIT_TURNS,
                                GRZ_TRAIT_TURNS | GRZ_TRAIT_RIGID};
    const graze_vec2 gains[] = {{0, 0}, {0, -0.2f}, {3, 1e-3f}};
    const float sizes[] = {1, 1000, 1e20f, FLT_MAX / 4};
    random_state random = random_seed(13);
    columns start;
    for (uint32_t round = 0; round < ROUNDS; ++round) {
        const uint32_t first = random_below(&random, ROWS);
        const uint32_t end = first + random_below(&random, ROWS - first + 1);
        fill(&start, &random, sizes[round % 4]);
        for (uint32_t row = 0; row < ROWS; ++row) {
            start.result.end[row].x = make_number(&random, sizes[round % 4]);
            start.result.end[row].y = make_number(&random, sizes[round % 4]);
            start.traits[row] &= ~cleared[round / 4 % 4];
        }
        for (int set = 1; set <= (int)grz_lanes_choose(); ++set) {
            const float dt = round % 5 ? 1.0f / 60 : 8;
            assert_same_boxes((grz_lane_set)set, &start, gains[round / 2 % 3], dt, first, end);
            assert_same_surroundings((grz_lane_set)set, &start, gains[round / 2 % 3], dt, first,
                                     end);
        }
    }
}

static void assert_same_turns(int set, const float *angles, const float *spins, float dt,
                              uint32_t count)
{
    float apart[ROWS], in_place[ROWS], expected[ROWS];
    memcpy(apart, angles, sizeof apart);
    memcpy(in_place, angles, sizeof in_place);
    memcpy(expected, angles, sizeof expected);
    for (uint32_t i = 0; i < count; ++i) {
        expected[i] = grz_wrap_angle(angles[i] + spins[i] * dt);
    }
    tables[set]->spin(angles, spins, dt, count, apart);
    tables[set]->spin(in_place, spins, dt, count, in_place);
    assert_memory_equal(apart, expected, sizeof expected);
    assert_memory_equal(in_place, expected, sizeof expected);
}

static void every_set_wraps_as_one_angle_after_the_other_does(void **state)
{
    (void)state;
    const float edges[] = {0,      GRZ_PI,  -GRZ_PI,  3.1415930f, -3.1415930f, -0.0f,
                           1e-42f, FLT_MAX, -FLT_MAX, 1e16f,      -100.25f,    6.2831855f};
    random_state random = random_seed(14);
    float angles[ROWS], spins[ROWS];
    for (uint32_t round = 0; round < ROUNDS; ++round) {
        for (uint32_t i = 0; i < ROWS; ++i) {
            angles[i] = random_below(&random, 4) ? random_float(&random, -GRZ_PI, GRZ_PI)
                                                 : edges[random_below(&random, 12)];
            spins[i] = random_below(&random, 4) ? random_float(&random, -4, 4)
                                                : edges[random_below(&random, 12)];
        }
        for (int set = 0; set <= (int)grz_lanes_choose(); ++set) {
            assert_same_turns(set, angles, spins, round % 3 ? 1.0f / 60 : 8,
                              random_below(&random, ROWS + 1));
        }
    }
}

static void assert_same_rotations(int set, const float *angles)
{
    graze_rotation rotations[ROWS + GRZ_LANES_MAX];
    tables[set]->rotate(angles, rotations, ROWS);
    for (uint32_t i = 0; i < ROWS; ++i) {
        const graze_rotation expected = graze_rotation_from_angle(angles[i]);
        assert_memory_equal(&rotations[i], &expected, sizeof expected);
    }
}

static void every_set_turns_as_one_angle_after_the_other_does(void **state)
{
    (void)state;
    const float half_turn = 3.14159274f;
    const float edges[] = {0,
                           half_turn,
                           -half_turn,
                           half_turn / 2,
                           -half_turn / 2,
                           half_turn / 4,
                           -half_turn / 4,
                           half_turn * 0.75f,
                           -half_turn * 0.75f,
                           1e-30f,
                           -1e-42f,
                           FLT_MIN};
    random_state random = random_seed(12);
    float angles[ROWS + GRZ_LANES_MAX] = {0};
    for (uint32_t round = 0; round < ROUNDS; ++round) {
        for (uint32_t i = 0; i < ROWS; ++i) {
            angles[i] = random_below(&random, 8) ? random_float(&random, -half_turn, half_turn)
                                                 : edges[random_below(&random, 12)];
        }
        for (int set = 0; set <= (int)grz_lanes_choose(); ++set) {
            assert_same_rotations(set, angles);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_set_predicts_what_one_row_after_the_other_does),
        cmocka_unit_test(every_set_turns_as_one_angle_after_the_other_does),
        cmocka_unit_test(every_set_puts_boxes_around_rows_as_around_one_after_the_other),
        cmocka_unit_test(every_set_wraps_as_one_angle_after_the_other_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
