#include "collide/near.h"

#include <graze/overlap.h>

#include "collide/box.h"
#include "collide/pair_sweep.h"

static graze_aabb box_of_row(const grz_rows *rows, uint32_t row)
{
    const grz_figure figure = grz_figure_of(rows, row);
    const graze_vec2 place = rows->position[row];
    return grz_swept_box(place, place, grz_extent_of_figure(&figure));
}

bool grz_is_near(const grz_rows *rows, uint32_t row, graze_aabb box)
{
    return graze_overlap_aabbs(box_of_row(rows, row), box);
}

// The grid leaves out boxes that surely lie beside the ray. Each holds the body's present box, so
// that one lies beside the ray, too.
bool grz_is_near_ray(const grz_rows *rows, uint32_t row, graze_vec2 from, graze_vec2 end)
{
    const graze_aabb box = box_of_row(rows, row);
    return !grz_is_outside(from, end, &box) && grz_line_meets_box(from, end, &box);
}
