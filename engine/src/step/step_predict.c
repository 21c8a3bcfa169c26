// Predict: velocities, ends of trajectories, and swept boxes.

#include "collide/predict.h"
#include "collide/sleep.h"
#include "solve/slices.h"
#include "step/step.h"
#include "world/bodies.h"
#include "world/parallel.h"

static bool reserve_boxes(graze_world *world)
{
    const graze_allocator *allocator = &world->config.counting;
    const size_t kind = world->bodies.ray_count || world->bodies.filter_count ? sizeof(uint8_t) : 0;
    const size_t size = world->bodies.rows.capacity * (sizeof(graze_aabb) + kind);
    return grz_block_reserve_exact(&world->found.box_memory, allocator, size) &&
           grz_array_reserve(&world->found.row_counts, allocator,
                             grz_count_blocks(world->bodies.rows.capacity, GRZ_BLOCK_ROWS));
}

static void add_up_counts(graze_world *world, uint32_t blocks)
{
    grz_row_counts sum = {0};
    for (uint32_t i = 0; i < blocks; ++i) {
        const grz_row_counts *part = &world->found.row_counts.data[i];
        sum.traits |= part->traits;
        sum.slow += part->slow;
        sum.overflow += part->overflow;
        sum.free += part->free;
        sum.free_shapes += part->free_shapes;
        sum.expiring += part->expiring;
        sum.rigid += part->rigid;
    }
    world->found.totals = sum;
}

graze_status grz_step_predict(graze_world *world)
{
    if (!reserve_boxes(world)) {
        return GRAZE_ERROR_OUT_OF_MEMORY;
    }
    grz_bodies_renew_kinds(world);
    grz_predict_job job = grz_predict_prepare(world);
    grz_sleep_review(world, job.columns.gravity_step, job.columns.dt);
    grz_predict_rows(world, &job);
    if (grz_sleep_rouse(world)) {
        grz_predict_rows(world, &job);
    }
    world->bodies.rows.rotations_due = world->bodies.rows.rotations_due && !job.turns;
    add_up_counts(world, grz_count_blocks(world->bodies.active_count, GRZ_BLOCK_ROWS));
    return grz_slices_plan(world) ? GRAZE_OK : GRAZE_ERROR_OUT_OF_MEMORY;
}
