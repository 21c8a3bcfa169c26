#include "pile/pile_near.h"

#include "vec2d.h"

double grz_rect_reach(const graze_world *world, uint32_t row, graze_vec2d axis)
{
    const graze_rotation rotation = grz_rotation_of(&world->rows, row);
    const graze_vec2d side = {(double)rotation.cosine, (double)rotation.sine};
    const graze_vec2d half = widen(world->rows.half[row]);
    return half.x * absolute(dot(side, axis)) + half.y * absolute(cross(side, axis));
}

double grz_growth_along(const graze_world *world, uint32_t row, double margin, graze_vec2d normal)
{
    if (!(world->rows.traits[row] & GRAZE_SHAPE_RECT)) {
        return margin;
    }
    const graze_rotation rotation = grz_rotation_of(&world->rows, row);
    const graze_vec2d side = {(double)rotation.cosine, (double)rotation.sine};
    return margin * (absolute(dot(side, normal)) + absolute(cross(side, normal)));
}
