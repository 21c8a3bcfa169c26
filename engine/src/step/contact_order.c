#include "step/contact_order.h"

#include "collide/contact_make.h"
#include "step/contact_region.h"
#include "step/contact_sort.h"
#include "world/bodies.h"
#include "world/contact_keys.h"
#include "world/run_sort.h"

static inline int compare_times(const graze_contact *first, const graze_contact *second)
{
    return (first->time > second->time) - (first->time < second->time);
}

// The order of keys, for contacts of one rank.
static int by_key(const graze_world *world, uint32_t first, uint32_t second)
{
    const graze_contact *one = grz_fresh_at(world, first);
    const graze_contact *other = grz_fresh_at(world, second);
    const int order = grz_compare_segments(one->segment, other->segment);
    return order ? order : compare_times(one, other);
}

// The order of the list, for contacts of one rank.
static int by_time(const graze_world *world, uint32_t first, uint32_t second)
{
    const graze_contact *one = grz_fresh_at(world, first);
    const graze_contact *other = grz_fresh_at(world, second);
    const int order = compare_times(one, other);
    return order ? order : grz_compare_segments(one->segment, other->segment);
}

// Places below hit_room are those of hits, with gaps between the parts; fresh contacts follow.
static void count_places(graze_world *world)
{
    world->reports.order.count = world->found.ray_hit_count + world->found.fresh.count;
    for (uint32_t k = 0; k < world->found.part_count; ++k) {
        world->reports.order.count += (uint32_t)world->found.parts[k].hits.count;
    }
    world->found.ray_hits_first = grz_fixed_hits_end(world);
    world->found.hit_room = world->found.ray_hits_first + world->found.ray_hit_count;
}

// The bodies' boxes are no longer needed, and their memory is usually large enough.
static bool reserve_words(graze_world *world)
{
    grz_order *order = &world->reports.order;
    const bool have_ranks = !world->reports.keys_apart && grz_all_are_active(world);
    const size_t keys = world->reports.keys.count, old_ranks = have_ranks ? 0 : keys;
    const size_t ended = keys + 1, places = order->count;
    const size_t words = ended + places + grz_sort_word_count(world);
    const size_t size = old_ranks * sizeof *order->old_ranks + words * sizeof *order->words;
    grz_block *memory = &world->found.box_memory;
    if (memory->size < size) {
        memory = &world->reports.own_order;
        if (!grz_block_reserve_scratch(memory, &world->config.counting, size)) {
            return false;
        }
    }
    order->old_ranks = memory->data;
    order->ended = (uint32_t *)(order->old_ranks + old_ranks);
    order->places = order->ended + ended;
    order->words = order->places + places;
    return true;
}

// An eighth is spare, as in the lists of reports, which are as long.
static bool reserve_ranks(graze_world *world)
{
    grz_order *order = &world->reports.order;
    const size_t count = order->count;
    if (count > world->reports.ranks.capacity &&
        !grz_array_reserve_exact(&world->reports.ranks, &world->config.counting,
                                 count + count / 8)) {
        return false;
    }
    order->ranks = world->reports.ranks.data;
    return true;
}

// A place has 31 bits, beside GRZ_BEGINS. And no list takes more than 128 bytes a contact, so that
// no size overflows where size_t has 32 bits.
bool grz_order_reserve(graze_world *world)
{
    const size_t places = (size_t)world->found.hits.capacity + world->found.fresh.count;
    if (places > INT32_MAX || places > SIZE_MAX / 128 ||
        world->bodies.cold.count > 1u << GRZ_INDEX_BITS) {
        return false;
    }
    count_places(world);
    return reserve_ranks(world) && reserve_words(world);
}

// What a body was can be read until the next step, also if it is gone.
float grz_impulse_of_ray_hit(const graze_world *world, const graze_contact *contact)
{
    const bool a_is_ray = world->bodies.cold.data[contact->a.index].kind == GRAZE_SHAPE_RAY;
    const uint32_t ray = a_is_ray ? contact->a.index : contact->b.index;
    return grz_impulse_of_stop(grz_material_of(world, ray).mass, contact->approach);
}

// --- Contacts of one rank ---

uint32_t grz_order_find_run(const graze_world *world, uint32_t first)
{
    const uint64_t *ranks = world->reports.order.ranks;
    const uint32_t count = world->reports.order.count;
    while (first + 1 < count && ranks[first] != ranks[first + 1]) {
        ++first;
    }
    return first + 1 < count ? first : count;
}

uint32_t grz_order_find_end_of_rank(const graze_world *world, uint32_t first)
{
    const uint64_t *ranks = world->reports.order.ranks;
    uint32_t end = first + 1;
    while (end < world->reports.order.count && ranks[first] == ranks[end]) {
        ++end;
    }
    return end;
}

void grz_order_sort_by_time(graze_world *world, uint32_t first, uint32_t end)
{
    grz_sort_run(world, world->reports.order.places + first, world->reports.order.words,
                 end - first, by_time);
}

// Returns whether the second of two contacts that share a rank repeats the first.
static bool repeats(const graze_contact *before, const graze_contact *contact)
{
    return grz_have_same_segment(before, contact) &&
           (!(contact->flags & GRAZE_CONTACT_BLOCKED) || before->time == contact->time);
}

// Puts contacts of one pair, and those of one mover on terrain, into the order of keys. Returns
// whether some are repeated.
static bool sort_equal_ranks(graze_world *world)
{
    bool repeated = false;
    world->reports.has_runs = false;
    if (grz_do_fresh_begin(world)) {
        return false;
    }
    uint32_t *places = world->reports.order.places;
    for (uint32_t first = grz_order_find_run(world, 0), end; first < world->reports.order.count;
         first = grz_order_find_run(world, end)) {
        end = grz_order_find_end_of_rank(world, first);
        world->reports.has_runs = true;
        grz_sort_run(world, places + first, world->reports.order.words, end - first, by_key);
        for (uint32_t k = first + 1; k < end; ++k) {
            repeated = repeated ||
                       repeats(grz_fresh_at(world, places[k - 1]), grz_fresh_at(world, places[k]));
        }
    }
    return repeated;
}

// Drops repeated contacts: cells may list a wall more than once. Of one pair it keeps the first
// contact, and each that deflected the mover at another time; these get the flags and impulses of
// the dropped ones.
static void drop_repeats(graze_world *world)
{
    uint64_t *ranks = world->reports.order.ranks;
    uint32_t *places = world->reports.order.places;
    uint32_t kept = 0;
    for (uint32_t k = 0; k < world->reports.order.count; ++k) {
        if (kept && ranks[kept - 1] == ranks[k] &&
            repeats(grz_fresh_at(world, places[kept - 1]), grz_fresh_at(world, places[k]))) {
            graze_contact *before = grz_fresh_at(world, places[kept - 1]);
            before->flags |= grz_fresh_at(world, places[k])->flags;
            before->impulse = narrow_reported((double)before->impulse +
                                              (double)grz_fresh_at(world, places[k])->impulse);
        } else {
            ranks[kept] = ranks[k];
            places[kept++] = places[k];
        }
    }
    world->reports.order.count = kept;
}

void grz_order_contacts(graze_world *world)
{
    if (world->reports.order.count) {
        grz_sort_by_rank(world);
    }
    if (sort_equal_ranks(world)) {
        drop_repeats(world);
    }
}
