// Collate: contacts sorted, and memory reserved, so that nothing after this can fail.

#include "collide/sleep.h"
#include "step/contact_match.h"
#include "step/contact_order.h"
#include "step/expiry.h"
#include "step/step.h"
#include "world/bodies.h"
#include "world/splice.h"

// Plans the places of this step's contacts and keys among those of still bodies, which stay.
static void plan_splices(graze_world *world)
{
    grz_sleep *sleep = &world->sleep;
    grz_splicing contacts =
        grz_splice_begin(&sleep->of_contacts, world->reports.contacts.data,
                         sizeof *world->reports.contacts.data, world->reports.contacts.count);
    grz_splicing keys =
        grz_splice_begin(&sleep->of_keys, world->reports.keys.data,
                         sizeof *world->reports.keys.data, world->reports.keys.count);
    for (uint32_t k = 0; k < world->reports.order.count; ++k) {
        const uint64_t rank = grz_pair_rank(world->reports.order.ranks[k]);
        grz_splice_plan(&contacts, rank);
        if (!grz_order_goes_on(world, k)) {
            grz_splice_plan(&keys, rank);
        }
    }
    world->reports.contact_count = grz_splice_end(&contacts);
    world->reports.key_count = grz_splice_end(&keys);
}

static void gather_passed(graze_world *world)
{
    const grz_numbers *places = &world->sleep.of_keys.places;
    for (uint32_t k = 0; k < places->count; ++k) {
        world->sleep.passed.data[k] = world->reports.keys.data[places->data[k]];
    }
    world->sleep.passed.count = places->count;
}

// Makes a list of keys: if some stay and others come, contacts cannot serve as keys.
static bool set_keys_apart(graze_world *world)
{
    if (world->reports.keys_apart) {
        return true;
    }
    if (!grz_array_reserve(&world->reports.keys, &world->config.counting,
                           world->reports.keys.count)) {
        return false;
    }
    grz_keys_copy(world, 0, world->reports.keys.count, world->reports.keys.data);
    world->reports.keys_apart = true;
    return true;
}

static bool plan_lists(graze_world *world)
{
    const graze_allocator *allocator = &world->config.counting;
    const uint32_t count = world->reports.order.count;
    world->reports.contact_count = count;
    if (!world->reports.spliced) {
        return true;
    }
    grz_sleep *sleep = &world->sleep;
    if (!set_keys_apart(world) || !grz_splice_reserve(&sleep->of_contacts, allocator, count) ||
        !grz_splice_reserve(&sleep->of_keys, allocator, count) ||
        !grz_array_reserve(&sleep->passed, allocator, sleep->of_keys.places.count)) {
        return false;
    }
    plan_splices(world);
    gather_passed(world);
    return true;
}

// Reports are long, and vary little from step to step: they grow with an eighth to spare.
static size_t with_spare(uint32_t capacity, uint32_t wanted)
{
    return wanted <= capacity ? wanted : (size_t)wanted + wanted / 8;
}

static bool reserve_lists(graze_world *world)
{
    const graze_allocator *allocator = &world->config.counting;
    const bool apart = world->reports.spliced || world->reports.has_runs;
    const size_t keys = with_spare(world->reports.keys.capacity, world->reports.key_count);
    const size_t contacts =
        with_spare(world->reports.contacts.capacity, world->reports.contact_count);
    return (!apart || grz_array_reserve_exact(&world->reports.keys, allocator, keys)) &&
           grz_array_reserve(&world->reports.ends, allocator, world->reports.order.ended_count) &&
           grz_removal_reserve(
               world, (size_t)world->impacts.trajectories.count + world->bullets.spent.count +
                          world->found.totals.expiring + world->solve.rigid_count) &&
           grz_array_reserve_exact(&world->reports.contacts, allocator, contacts);
}

graze_status grz_step_collate(graze_world *world)
{
    if (!grz_sleep_void_contacts(world) || !grz_order_reserve(world)) {
        return GRAZE_ERROR_OUT_OF_MEMORY;
    }
    grz_order_contacts(world);
    world->reports.spliced = !grz_all_are_active(world);
    if (!plan_lists(world)) {
        return GRAZE_ERROR_OUT_OF_MEMORY;
    }
    grz_match_contacts(world);
    world->reports.key_count =
        world->reports.spliced ? world->reports.key_count : world->reports.order.key_count;
    if (world->config.fixed_capacity &&
        world->reports.contact_count > world->config.contact_capacity) {
        return GRAZE_ERROR_LIMIT;
    }
    return reserve_lists(world) ? GRAZE_OK : GRAZE_ERROR_OUT_OF_MEMORY;
}
