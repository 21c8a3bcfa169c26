#include "links.h"

#include "prefetch.h"
#include "rows.h"

static bool is_free_ray(uint32_t traits)
{
    return (traits & GRZ_TRAIT_FREE) && grz_kind_of(traits) == GRAZE_SHAPE_RAY;
}

static void put_first(graze_world *world, uint32_t row, uint32_t link)
{
    world->next_link.data[link] = world->link_of_row.data[row];
    world->link_of_row.data[row] = link;
}

// Whether a touch happens before another one of its ray's: of equal times by the other's index.
static bool is_earlier(const graze_world *world, const grz_ray_touch *touch,
                       const grz_ray_touch *other)
{
    const uint32_t *index = world->rows.index;
    return touch->time < other->time ||
           (touch->time == other->time && index[touch->other] < index[other->other]);
}

// The first to happen stays in front.
static void link_touch(graze_world *world, uint32_t place)
{
    const grz_ray_touch *touches = world->ray_touches.data;
    const uint32_t link = world->first_touch_link + place;
    const uint32_t front = world->link_of_row.data[touches[place].ray];
    if (front == GRZ_NONE ||
        is_earlier(world, &touches[place], &touches[grz_link_touch(world, front)])) {
        put_first(world, touches[place].ray, link);
    } else {
        world->next_link.data[link] = world->next_link.data[front];
        world->next_link.data[front] = link;
    }
}

static void link_meeting(graze_world *world, uint32_t place)
{
    const grz_meeting *meeting = &world->meetings.data[place];
    const uint32_t a = world->rows.traits[meeting->row_a];
    const uint32_t b = world->rows.traits[meeting->row_b];
    if ((a & GRZ_TRAIT_FREE) && !is_free_ray(b)) {
        put_first(world, meeting->row_a, 2 * place);
    }
    if ((b & GRZ_TRAIT_FREE) && !is_free_ray(a)) {
        put_first(world, meeting->row_b, 2 * place + 1);
    }
}

static bool reserve_links(graze_world *world)
{
    const graze_allocator *allocator = &world->counting;
    const uint64_t count = 2 * (uint64_t)world->meetings.count + world->ray_touches.count;
    return count < GRZ_NONE &&
           grz_array_reserve(&world->link_of_row, allocator, world->active_count) &&
           grz_array_reserve(&world->next_link, allocator, (size_t)count);
}

// HOT. bench: engine/step/bullets-bodies
//
// Data    4 bytes of a row written; 12 of a touch read and 4 written, 12 and up to 8 of a meeting,
//         and 4 of its rows each.
// Order   From the last to the first, each before those that are listed; but of a row's touches
//         the earliest leads.
bool grz_links_list(graze_world *world)
{
    if (!reserve_links(world)) {
        return false;
    }
    uint32_t *of_row = world->link_of_row.data;
    const uint32_t rows = world->active_count;
    for (uint32_t row = 0; row < rows; ++row) {
        of_row[row] = GRZ_NONE;
    }
    world->first_touch_link = 2 * world->meetings.count;
    for (uint32_t k = world->ray_touches.count; k-- > 0;) {
        link_touch(world, k);
    }
    for (uint32_t k = world->meetings.count; k-- > 0;) {
        link_meeting(world, k);
    }
    return true;
}

// Asks for what says whom a row may meet first.
static void ask_for_link(const graze_world *world, uint32_t row)
{
    const uint32_t link = grz_link_first(world, row);
    GRZ_PREFETCH(&world->next_link.data[link]);
    if (grz_link_is_meeting(world, link)) {
        GRZ_PREFETCH(&world->meetings.data[grz_link_meeting(link)]);
    } else {
        const grz_ray_touch *touch = &world->ray_touches.data[grz_link_touch(world, link)];
        GRZ_PREFETCH(touch);
        GRZ_PREFETCH(&touch->time);
    }
}

static void ask_for_id(const grz_rows *rows, uint32_t row)
{
    GRZ_PREFETCH(&rows->index[row]);
    GRZ_PREFETCH(&rows->generation[row]);
}

static void ask_for_course(const grz_rows *rows, uint32_t row)
{
    GRZ_PREFETCH(&rows->position[row]);
    GRZ_PREFETCH(&rows->end[row]);
    GRZ_PREFETCH(&rows->half[row]);
    if (rows->rotation) {
        GRZ_PREFETCH(&rows->rotation[row]);
        GRZ_PREFETCH(&rows->end_rotation[row]);
    }
}

// Asks for what of the two it takes to tell how they touch.
static void ask_for_both(const graze_world *world, uint32_t row)
{
    const grz_rows *rows = &world->rows;
    const uint32_t link = grz_link_first(world, row);
    if (grz_link_is_meeting(world, link)) {
        const grz_meeting *meeting = &world->meetings.data[grz_link_meeting(link)];
        const uint32_t other = meeting->row_a == row ? meeting->row_b : meeting->row_a;
        ask_for_course(rows, row);
        ask_for_course(rows, other);
        ask_for_id(rows, other);
    } else {
        ask_for_id(rows, world->ray_touches.data[grz_link_touch(world, link)].other);
    }
}

// Which rows have links cannot be guessed: they are listed first.
void grz_links_ask(const graze_world *world, const uint32_t *rows, uint32_t count)
{
    uint32_t linked[GRZ_LINKS_ASKED];
    uint32_t linked_count = 0;
    for (uint32_t k = 0; k < count; ++k) {
        ask_for_id(&world->rows, rows[k]);
        linked[linked_count] = rows[k];
        linked_count += grz_link_first(world, rows[k]) != GRZ_NONE;
    }
    for (uint32_t k = 0; k < linked_count; ++k) {
        ask_for_link(world, linked[k]);
    }
    for (uint32_t k = 0; k < linked_count; ++k) {
        ask_for_both(world, linked[k]);
    }
}
