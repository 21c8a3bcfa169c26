// The lanes of Predict against one row after the other: the same bits, whatever the set.

#include "predict.h"
#include "random.h"

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
    uint32_t traits[ROWS];
    struct {
        graze_vec2 end[ROWS], end_velocity[ROWS];
        float sides[4][ROWS];
    } result;
} columns;

static grz_prediction view(columns *of, graze_vec2 gain, float dt)
{
    const grz_prediction all = {
        .position = of->position,
        .velocity = of->velocity,
        .half = of->half,
        .traits = of->traits,
        .end = of->result.end,
        .end_velocity = of->result.end_velocity,
        .min_x = of->result.sides[0],
        .min_y = of->result.sides[1],
        .max_x = of->result.sides[2],
        .max_y = of->result.sides[3],
        .gain = gain,
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

static void fill(columns *to, random_state *random, float size)
{
    memset(to, 0, sizeof *to);
    for (uint32_t row = 0; row < ROWS; ++row) {
        const float half = random_float(random, 0, size);
        to->position[row].x = make_number(random, size);
        to->position[row].y = make_number(random, size);
        if (random_below(random, 3)) {
            to->velocity[row].x = make_number(random, size);
            to->velocity[row].y = make_number(random, size);
        }
        to->half[row].x = half;
        to->half[row].y = random_below(random, 2) ? half : 0;
        to->traits[row] = random_below(random, 512);
    }
}

static void assert_same(grz_lane_set set, columns *start, graze_vec2 gain, float dt, uint32_t first,
                        uint32_t end)
{
    columns one = *start, many = *start;
    const grz_prediction by_row = view(&one, gain, dt);
    const grz_prediction by_lanes = view(&many, gain, dt);
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

static void assert_same_rotations(int set, const float *angles)
{
    graze_rotation rotations[ROWS + GRZ_WIDEST];
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
    float angles[ROWS + GRZ_WIDEST] = {0};
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
