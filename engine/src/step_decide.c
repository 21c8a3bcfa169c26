#include "bodies.h"
#include "meet.h"
#include "rows.h"
#include "step.h"
#include "terrain.h"

static graze_vec2 rounded(graze_vec2d v)
{
    graze_vec2 single = {(float)v.x + 0.0f, (float)v.y + 0.0f};
    return single;
}

static bool is_sensor(const graze_world *world, uint32_t row_a, uint32_t row_b,
                      graze_segment_id segment)
{
    const uint32_t *traits = world->rows.traits;
    bool other = row_b == GRZ_NONE ? !grz_chain_is_solid(world, segment)
                                   : (traits[row_b] & GRZ_TRAIT_SENSOR) != 0;
    return other || (traits[row_a] & GRZ_TRAIT_SENSOR);
}

bool grz_contact_add(graze_world *world, uint32_t row_a, uint32_t row_b, graze_segment_id segment,
                     const grz_touch *touch)
{
    if (!grz_array_reserve_more(&world->fresh, &world->counting, 1)) {
        return false;
    }
    const graze_body_id none = {0, 0};
    const uint32_t *index = world->rows.index;
    graze_contact contact = {
        .a = grz_bodies_id(world, index[row_a]),
        .b = row_b == GRZ_NONE ? none : grz_bodies_id(world, index[row_b]),
        .segment = segment,
        .time = (float)touch->time + 0.0f,
        .point = rounded(touch->point),
        .normal = rounded(touch->normal),
        .depth = (float)touch->depth,
        .flags = is_sensor(world, row_a, row_b, segment) ? GRAZE_CONTACT_SENSOR : 0,
    };
    world->fresh.data[world->fresh.count++] = contact;
    return true;
}

static bool add_meeting(graze_world *world, uint32_t row_a, uint32_t row_b)
{
    if (!grz_array_reserve_more(&world->meetings, &world->counting, 1)) {
        return false;
    }
    grz_meeting meeting = {row_a, row_b, GRZ_NONE};
    world->meetings.data[world->meetings.count++] = meeting;
    return true;
}

// HOT. bench: engine/step/gas
//
// Data    The pairs in sequence; their rows lie close to each other, because the grid sorted them.
// Branch  One that says whether they touch: about half of the candidates do.
static bool decide_pairs(graze_world *world)
{
    const grz_rows *rows = &world->rows;
    const graze_segment_id none = {{0, 0}, 0};
    for (uint32_t i = 0; i < world->pairs.count; ++i) {
        graze_pair pair = world->pairs.data[i];
        bool in_order = rows->index[pair.a] < rows->index[pair.b];
        uint32_t a = in_order ? pair.a : pair.b;
        uint32_t b = in_order ? pair.b : pair.a;
        grz_touch touch;
        if ((rows->traits[a] | rows->traits[b]) & GRZ_TRAIT_FREE) {
            if (!add_meeting(world, a, b)) {
                return false;
            }
        } else if (grz_touch_straight(rows, a, b, &touch) &&
                   !grz_contact_add(world, a, b, none, &touch)) {
            return false;
        }
    }
    return true;
}

static bool decide_terrain(graze_world *world, uint32_t row)
{
    grz_mover mover = grz_mover_of(world, row);
    grz_wall_walk walk =
        grz_wall_walk_begin(world, &mover, world->rows.position[row], world->rows.end[row]);
    grz_touch touch;
    graze_segment_id segment;
    while (grz_wall_walk_next(&walk, 1, &touch, &segment)) {
        if (!grz_contact_add(world, row, GRZ_NONE, segment, &touch)) {
            return false;
        }
    }
    return true;
}

graze_status grz_step_decide(graze_world *world)
{
    world->fresh.count = 0;
    world->meetings.count = 0;
    if (!decide_pairs(world)) {
        return GRAZE_ERROR_OUT_OF_MEMORY;
    }
    uint32_t count = world->segment_count ? world->body_count : 0;
    for (uint32_t row = 0; row < count; ++row) {
        if (!(world->rows.traits[row] & GRZ_TRAIT_FREE) && !decide_terrain(world, row)) {
            return GRAZE_ERROR_OUT_OF_MEMORY;
        }
    }
    return GRAZE_OK;
}
