#include "bodies.h"
#include "list.h"
#include "message.h"
#include "rest.h"
#include "step.h"

// From fresh contacts to the lists
//
// The fresh contacts stay where they are; what is sorted is their places. First by a, by counting,
// then the few of one a by b and segment, which is the order of keys: in that order they are
// matched with the last step's. Then those of one pair by time, which is the order of the list.

enum {
    INSERTION_LIMIT = 12 ///< Runs up to here are sorted by insertion.
};

typedef int compare_fn(const graze_contact *fresh, grz_sorted first, grz_sorted second);

static int compare_numbers(uint32_t first, uint32_t second)
{
    return (first > second) - (first < second);
}

static int compare_ids(graze_body_id first, graze_body_id second)
{
    int order = compare_numbers(first.index, second.index);
    return order ? order : compare_numbers(first.generation, second.generation);
}

static int compare_segments(graze_segment_id first, graze_segment_id second)
{
    int order = compare_numbers(first.chain.index, second.chain.index);
    order = order ? order : compare_numbers(first.chain.generation, second.chain.generation);
    return order ? order : compare_numbers(first.index, second.index);
}

static int compare_times(const graze_contact *first, const graze_contact *second)
{
    return (first->time > second->time) - (first->time < second->time);
}

// The order of keys, for contacts of one a.
static int by_key(const graze_contact *fresh, grz_sorted first, grz_sorted second)
{
    if (first.b != second.b) {
        return compare_numbers(first.b, second.b);
    }
    const graze_contact *one = &fresh[first.place];
    const graze_contact *other = &fresh[second.place];
    int order = compare_segments(one->segment, other->segment);
    return order ? order : compare_times(one, other);
}

// The order of the list, for contacts of one pair.
static int by_time(const graze_contact *fresh, grz_sorted first, grz_sorted second)
{
    const graze_contact *one = &fresh[first.place];
    const graze_contact *other = &fresh[second.place];
    int order = compare_times(one, other);
    return order ? order : compare_segments(one->segment, other->segment);
}

int grz_key_compare(const graze_contact_end *first, const graze_contact_end *second)
{
    int order = compare_ids(first->a, second->a);
    order = order ? order : compare_ids(first->b, second->b);
    return order ? order : compare_segments(first->segment, second->segment);
}

graze_contact_end grz_key_of(const graze_contact *contact)
{
    graze_contact_end key = {contact->a, contact->b, contact->segment};
    return key;
}

bool grz_pair_met_before(const graze_world *world, const graze_contact *contact)
{
    graze_contact_end wanted = grz_key_of(contact);
    uint32_t low = 0;
    uint32_t high = world->keys.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = grz_key_compare(&world->keys.data[middle], &wanted);
        if (order == 0) {
            return true;
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return false;
}

static bool reserve_sorting(graze_world *world)
{
    const graze_allocator *allocator = &world->counting;
    return grz_array_reserve(&world->sort_ends, allocator, (size_t)world->bodies.count + 1) &&
           grz_array_reserve(&world->order, allocator, world->fresh.count) &&
           grz_array_reserve(&world->order_back, allocator, world->fresh.count);
}

static bool reserve_lists(graze_world *world)
{
    const graze_allocator *allocator = &world->counting;
    return grz_array_reserve(&world->contacts_back, allocator, world->order.count) &&
           grz_array_reserve(&world->keys_back, allocator, world->order.count) &&
           grz_array_reserve(&world->ends_back, allocator, world->keys.count) &&
           grz_list_reserve(world->retired, allocator,
                            (size_t)world->motions.count + world->mortal_count);
}

// Turns counts, each in the place after its own, into where each begins.
static void add_up(uint32_t *counts, uint32_t count)
{
    for (uint32_t i = 1; i <= count; ++i) {
        counts[i] += counts[i - 1];
    }
}

static void clear_counts(uint32_t *counts, uint32_t count)
{
    for (uint32_t i = 0; i <= count; ++i) {
        counts[i] = 0;
    }
}

// In crowds each a has many: sorting all by b first, which is linear too, leaves sort_by_b nothing
// to do. Elsewhere it would cost more than the few swaps it saves.
static void list_in_order_of_b(graze_world *world)
{
    const graze_contact *fresh = world->fresh.data;
    uint32_t *next = world->sort_ends.data;
    clear_counts(next, world->bodies.count);
    for (uint32_t k = 0; k < world->fresh.count; ++k) {
        ++next[fresh[k].b.index + 1];
    }
    add_up(next, world->bodies.count);
    for (uint32_t k = 0; k < world->fresh.count; ++k) {
        grz_sorted item = {fresh[k].b.index, k};
        world->order_back.data[next[item.b]++] = item;
    }
}

static void list_as_found(graze_world *world)
{
    for (uint32_t k = 0; k < world->fresh.count; ++k) {
        grz_sorted item = {world->fresh.data[k].b.index, k};
        world->order_back.data[k] = item;
    }
}

// HOT. bench: engine/step/gas
//
// Data    The indices of each contact, 8 bytes written to its place; 4 bytes an index of a body.
// Order   Equal a as they were listed: sort_by_b settles what that leaves open.
static void sort_by_a(graze_world *world)
{
    const graze_contact *fresh = world->fresh.data;
    uint32_t *next = world->sort_ends.data;
    if (world->fresh.count > world->bodies.count) {
        list_in_order_of_b(world);
    } else {
        list_as_found(world);
    }
    clear_counts(next, world->bodies.count);
    for (uint32_t k = 0; k < world->fresh.count; ++k) {
        ++next[fresh[k].a.index + 1];
    }
    add_up(next, world->bodies.count);
    for (uint32_t k = 0; k < world->fresh.count; ++k) {
        grz_sorted item = world->order_back.data[k];
        world->order.data[next[fresh[item.place].a.index]++] = item;
    }
    world->order.count = world->fresh.count;
}

static bool is_sorted(const graze_contact *fresh, const grz_sorted *items, uint32_t count,
                      compare_fn *compare)
{
    for (uint32_t k = 1; k < count; ++k) {
        if (compare(fresh, items[k - 1], items[k]) > 0) {
            return false;
        }
    }
    return true;
}

static void sort_by_insertion(const graze_contact *fresh, grz_sorted *items, uint32_t count,
                              compare_fn *compare)
{
    for (uint32_t i = 1; i < count; ++i) {
        grz_sorted moved = items[i];
        uint32_t k = i;
        for (; k > 0 && compare(fresh, items[k - 1], moved) > 0; --k) {
            items[k] = items[k - 1];
        }
        items[k] = moved;
    }
}

static void sort_run(const graze_contact *fresh, grz_sorted *items, grz_sorted *scratch,
                     uint32_t count, compare_fn *compare)
{
    if (is_sorted(fresh, items, count, compare)) {
        return;
    }
    if (count <= INSERTION_LIMIT) {
        sort_by_insertion(fresh, items, count, compare);
        return;
    }
    uint32_t half = count / 2;
    sort_run(fresh, items, scratch, half, compare);
    sort_run(fresh, items + half, scratch, count - half, compare);
    for (uint32_t k = 0; k < half; ++k) {
        scratch[k] = items[k];
    }
    uint32_t left = 0;
    uint32_t right = half;
    for (uint32_t k = 0; left < half; ++k) {
        bool take_right = right < count && compare(fresh, items[right], scratch[left]) < 0;
        items[k] = take_right ? items[right++] : scratch[left++];
    }
}

static bool holds_equal_b(const grz_sorted *items, uint32_t count)
{
    for (uint32_t k = 1; k < count; ++k) {
        if (items[k - 1].b == items[k].b) {
            return true;
        }
    }
    return false;
}

// The counting left in sort_ends where the contacts of each a end. Notes whether any pair, or any
// mover on terrain, has more than one: else the order is complete.
static void sort_by_b(graze_world *world)
{
    uint32_t first = 0;
    world->has_runs = false;
    for (uint32_t a = 0; a < world->bodies.count; ++a) {
        uint32_t end = world->sort_ends.data[a];
        if (end - first > 1) {
            grz_sorted *run = world->order.data + first;
            sort_run(world->fresh.data, run, world->order_back.data, end - first, by_key);
            world->has_runs = world->has_runs || holds_equal_b(run, end - first);
        }
        first = end;
    }
}

static bool is_same_pair(const graze_contact *first, const graze_contact *second)
{
    return first->a.index == second->a.index && first->b.index == second->b.index &&
           first->b.generation == second->b.generation;
}

static void write_contacts(graze_world *world, uint32_t first, uint32_t end)
{
    for (uint32_t k = first; k < end; ++k) {
        world->contacts_back.data[k] = world->fresh.data[world->order.data[k].place];
    }
}

// Those of one pair, and of one mover on terrain, stand in the list by time.
static void reorder_by_time(graze_world *world)
{
    const graze_contact *fresh = world->fresh.data;
    grz_sorted *order = world->order.data;
    uint32_t count = world->order.count;
    for (uint32_t first = 0, end; first < count; first = end) {
        end = first + 1;
        while (end < count && order[first].b == order[end].b &&
               is_same_pair(&fresh[order[first].place], &fresh[order[end].place])) {
            ++end;
        }
        if (end - first > 1) {
            sort_run(fresh, order + first, world->order_back.data, end - first, by_time);
            write_contacts(world, first, end);
        }
    }
}

static bool is_same_key(const graze_contact *first, const graze_contact *second)
{
    return is_same_pair(first, second) && compare_segments(first->segment, second->segment) == 0;
}

// Cells may list a wall more than once. Of one pair the first touch is kept, and those that turned
// the mover at another time; what the others did to it is said of these.
static void drop_repeats(graze_world *world)
{
    const graze_contact *fresh = world->fresh.data;
    grz_sorted *order = world->order.data;
    uint32_t kept = 0;
    for (uint32_t k = 0; k < world->order.count; ++k) {
        const graze_contact *contact = &fresh[order[k].place];
        const graze_contact *before = kept ? &fresh[order[kept - 1].place] : NULL;
        bool repeated =
            before && is_same_key(before, contact) &&
            (!(contact->flags & GRAZE_CONTACT_BLOCKED) || before->time == contact->time);
        if (repeated) {
            world->fresh.data[order[kept - 1].place].flags |= contact->flags;
        } else {
            order[kept++] = order[k];
        }
    }
    world->order.count = kept;
}

graze_status grz_step_collate(graze_world *world)
{
    if (!grz_rest_add_contacts(world) || !reserve_sorting(world)) {
        return GRAZE_ERROR_OUT_OF_MEMORY;
    }
    sort_by_a(world);
    sort_by_b(world);
    if (world->has_runs) {
        drop_repeats(world);
    }
    if (world->fixed_capacity && world->order.count > world->contact_capacity) {
        return GRAZE_ERROR_LIMIT;
    }
    return reserve_lists(world) ? GRAZE_OK : GRAZE_ERROR_OUT_OF_MEMORY;
}

static void add_end(graze_world *world, const graze_contact_end *end)
{
    world->ends_back.data[world->ends_back.count++] = *end;
}

// Passes the last step's keys up to `key`: those before it have ended. Returns whether the last
// step had `key`, too.
static bool pass_keys(graze_world *world, const graze_contact_end *key, uint32_t *next)
{
    for (; *next < world->keys.count; ++*next) {
        int order = grz_key_compare(&world->keys.data[*next], key);
        if (order >= 0) {
            *next += order == 0;
            return order == 0;
        }
        add_end(world, &world->keys.data[*next]);
    }
    return false;
}

static graze_contact_phase match_key(graze_world *world, const graze_contact *contact,
                                     uint32_t *next)
{
    graze_contact_end key = grz_key_of(contact);
    world->keys_back.data[world->keys_back.count++] = key;
    return pass_keys(world, &key, next) ? GRAZE_CONTACT_STAY : GRAZE_CONTACT_BEGIN;
}

// HOT. bench: engine/step/gas
//
// Both lists of keys are in order, so one pass over the two matches them.
//
// Data    60 bytes of a contact read out of order, written in order; 28 of a key read and written.
// Branch  Most contacts go on from the step before.
static void match_with_last_step(graze_world *world)
{
    uint32_t next = 0;
    uint32_t begin_count = 0;
    const graze_contact *before = NULL;
    world->keys_back.count = 0;
    world->ends_back.count = 0;
    for (uint32_t k = 0; k < world->order.count; ++k) {
        graze_contact *contact = &world->fresh.data[world->order.data[k].place];
        contact->phase = GRAZE_CONTACT_STAY;
        if (!world->has_runs || !before || !is_same_key(before, contact)) {
            contact->phase = match_key(world, contact, &next);
            begin_count += contact->phase == GRAZE_CONTACT_BEGIN;
        }
        world->contacts_back.data[k] = *contact;
        before = contact;
    }
    for (; next < world->keys.count; ++next) {
        add_end(world, &world->keys.data[next]);
    }
    world->contacts_back.count = world->order.count;
    world->stats.begin_count = begin_count;
}

void grz_reports_publish(graze_world *world)
{
    grz_contacts contacts = world->contacts;
    world->contacts = world->contacts_back;
    world->contacts_back = contacts;
    grz_contact_keys keys = world->keys;
    world->keys = world->keys_back;
    world->keys_back = keys;
    grz_contact_keys ends = world->ends;
    world->ends = world->ends_back;
    world->ends_back = ends;
}

void grz_step_report(graze_world *world)
{
    match_with_last_step(world);
    if (world->has_runs) {
        reorder_by_time(world);
    }
    grz_reports_publish(world);
    world->stats.pair_count = world->candidate_count;
    world->stats.contact_count = world->contacts.count;
    world->stats.end_count = world->ends.count;
    world->stats.hit_count = world->hit_count;
    world->stats.overflow_count = world->overflow_count;
    ++world->stats.step_count;
}

graze_contact_list graze_world_contacts(const graze_world *world)
{
    graze_contact_list list = {world->contacts.data, world->contacts.count};
    return list;
}

graze_contact_end_list graze_world_contact_ends(const graze_world *world)
{
    graze_contact_end_list list = {world->ends.data, world->ends.count};
    return list;
}
