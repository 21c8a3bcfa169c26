#include "world/angle.h"

#include <stdint.h>

float grz_wrap_angle(float angle)
{
    const float half_turn = GRZ_PI;
    const double turn = 6.283185307179586;
    if (angle >= -half_turn && angle <= half_turn) {
        return angle + 0.0f;
    }
    const double turns = (double)angle / turn;
    if (!(turns > -1e15 && turns < 1e15)) {
        return 0;
    }
    const int64_t whole = (int64_t)(turns + (turns < 0 ? -0.5 : 0.5));
    const float rest = (float)((double)angle - (double)whole * turn) + 0.0f;
    return rest > half_turn ? half_turn : rest < -half_turn ? -half_turn : rest;
}
