// Draws the bodies and walls of a world by the callbacks of a painter.

#include <graze/debug_draw.h>

#include "collide/joint.h"
#include "list.h"
#include "world/bodies.h"
#include "world/rows.h"

static void draw_chain(const graze_painter *painter, const grz_chain *chain, uint32_t index)
{
    for (uint32_t i = 0; i < chain->segment_count; ++i) {
        const graze_segment_id id = {{index, chain->generation}, i};
        painter->segment(grz_chain_wall(chain, i), id, painter->user);
    }
}

static void draw_body(const graze_world *world, const graze_painter *painter, grz_index index)
{
    const grz_rows *rows = &world->bodies.rows;
    const grz_row row = world->bodies.row_of_index.data[index];
    if (row >= GRZ_NONE) {
        return;
    }
    const graze_body_id id = grz_bodies_id(world, index);
    const graze_shape_kind kind = grz_kind_of(rows->traits[row]);
    const graze_circle circle = {rows->position[row], rows->half[row].x};
    const graze_rect rect = {rows->position[row], rows->half[row], grz_rotation_of(rows, row)};
    const graze_ray ray = {rows->position[row], rows->velocity[row]};
    if (kind == GRAZE_SHAPE_CIRCLE && painter->circle) {
        painter->circle(circle, id, painter->user);
    }
    if (kind == GRAZE_SHAPE_RECT && painter->rect) {
        painter->rect(rect, id, painter->user);
    }
    if (kind == GRAZE_SHAPE_RAY && painter->ray) {
        painter->ray(ray, id, painter->user);
    }
}

void graze_debug_draw(const graze_world *world, const graze_painter *painter)
{
    for (uint32_t i = 0; painter->segment && i < grz_list_count(world->terrain.chains); ++i) {
        if (world->terrain.chains[i].in_world) {
            draw_chain(painter, &world->terrain.chains[i], i);
        }
    }
    for (grz_index index = 0; index < world->bodies.cold.count; ++index) {
        draw_body(world, painter, index);
    }
    for (uint32_t i = 0; painter->contact && i < world->reports.contacts.count; ++i) {
        painter->contact(&world->reports.contacts.data[i], painter->user);
    }
    if (painter->cell) {
        graze_grid_visit_cells(world->grid.cells, painter->cell, painter->user);
    }
    if (painter->cell && world->sleep.grid) {
        graze_grid_visit_cells(world->sleep.grid, painter->cell, painter->user);
    }
}
