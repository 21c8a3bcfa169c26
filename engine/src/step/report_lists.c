#include "step/report_lists.h"

#include "list.h"
#include "world/bodies.h"
#include "world/message.h"
#include "world/run_sort.h"

#include <string.h>

bool grz_report_lists_begin(graze_world *world)
{
    const graze_allocator *allocator = &world->config.counting;
    world->reports.lists =
        allocator->allocate(sizeof *world->reports.lists, GRZ_ALIGNMENT, allocator->user);
    if (world->reports.lists) {
        memset(world->reports.lists, 0, sizeof *world->reports.lists);
    }
    return world->reports.lists != NULL;
}

// --- Removals ---

static int by_index(const graze_world *world, uint32_t first, uint32_t second)
{
    return world->bodies.removed[first].index < world->bodies.removed[second].index ? -1 : 1;
}

// Only bodies that hits have removed have a limit left: see age() in commit.c.
static graze_removal removal_of(const graze_world *world, const grz_removed *removed)
{
    const bool by_hits = grz_life_of(world, removed->index).hit_limit != 0;
    const graze_removal removal = {
        .id = grz_bodies_id(world, removed->index),
        .reason = by_hits ? GRAZE_REMOVED_BY_HITS : GRAZE_REMOVED_BY_LIFETIME,
        .time = by_hits ? 0 : 1,
        .point = removed->position,
    };
    return removal;
}

// Sets words[place] to where the removed body at that place is in the list.
static void list_removals(const graze_world *world, grz_report_lists *lists, uint32_t count)
{
    for (uint32_t k = 0; k < count; ++k) {
        lists->places.data[k] = k;
    }
    grz_sort_run(world, lists->places.data, lists->words.data, count, by_index);
    for (uint32_t k = 0; k < count; ++k) {
        const uint32_t place = lists->places.data[k];
        lists->removals.data[k] = removal_of(world, &world->bodies.removed[place]);
        lists->words.data[place] = k;
    }
    lists->removals.count = count;
}

static void note_hit(const graze_world *world, grz_report_lists *lists, graze_body_id body,
                     float time)
{
    const grz_removed *removed = grz_bodies_find_removed(world, body);
    if (!removed) {
        return;
    }
    graze_removal *removal =
        &lists->removals.data[lists->words.data[removed - world->bodies.removed]];
    removal->time = removal->time > time ? removal->time : time;
}

// A body's last hit is the last of its contacts that removed any of the two.
static void find_times(const graze_world *world, grz_report_lists *lists)
{
    for (uint32_t k = 0; k < world->reports.contacts.count; ++k) {
        const graze_contact *contact = &world->reports.contacts.data[k];
        if (contact->flags & GRAZE_CONTACT_SPENT) {
            note_hit(world, lists, contact->a, contact->time);
            note_hit(world, lists, contact->b, contact->time);
        }
    }
}

static bool make_removals(const graze_world *world, grz_report_lists *lists)
{
    const graze_allocator *allocator = &world->config.counting;
    const uint32_t count = (uint32_t)grz_list_count(world->bodies.removed);
    if (!grz_array_reserve(&lists->removals, allocator, count) ||
        !grz_array_reserve(&lists->places, allocator, count) ||
        !grz_array_reserve(&lists->words, allocator, count)) {
        return false;
    }
    list_removals(world, lists, count);
    if (count) {
        find_times(world, lists);
    }
    lists->has_removals = true;
    return true;
}

graze_removal_list graze_world_removals(const graze_world *world)
{
    grz_report_lists *lists = world->reports.lists;
    graze_removal_list list = {NULL, 0};
    if (!lists->has_removals && !make_removals(world, lists)) {
        (void)grz_fail(world, GRAZE_ERROR_OUT_OF_MEMORY,
                       "graze_world_removals: no memory for a list of %zu bodies",
                       grz_list_count(world->bodies.removed));
        return list;
    }
    list.data = lists->removals.data;
    list.count = lists->removals.count;
    return list;
}

// --- Contacts of one body ---

static bool is_with_body(const graze_contact *contact)
{
    return contact->b.generation != 0;
}

// Turns counts of the bodies' contacts into where these begin, and puts their places there: so the
// start of each becomes that of the next, and is moved back by one.
static void sort_by_b(const graze_world *world, grz_report_lists *lists)
{
    uint32_t *starts = lists->starts.data;
    for (uint32_t k = 0; k < world->reports.contacts.count; ++k) {
        const graze_contact *contact = &world->reports.contacts.data[k];
        if (is_with_body(contact)) {
            ++starts[contact->b.index + 1];
        }
    }
    for (grz_index index = 1; index < lists->starts.count; ++index) {
        starts[index] += starts[index - 1];
    }
    for (uint32_t k = 0; k < world->reports.contacts.count; ++k) {
        const graze_contact *contact = &world->reports.contacts.data[k];
        if (is_with_body(contact)) {
            lists->by_b.data[starts[contact->b.index]++] = k;
        }
    }
    memmove(starts + 1, starts, (lists->starts.count - 1) * sizeof *starts);
    starts[0] = 0;
}

// A contact is copied at most twice.
static bool make_index(const graze_world *world, grz_report_lists *lists)
{
    const graze_allocator *allocator = &world->config.counting;
    const size_t count = world->reports.contacts.count, indices = world->bodies.cold.count;
    if (!grz_array_reserve(&lists->starts, allocator, indices + 1) ||
        !grz_array_reserve(&lists->copied, allocator, indices) ||
        !grz_array_reserve(&lists->by_b, allocator, count) ||
        !grz_array_reserve(&lists->copies, allocator, 2 * count)) {
        return false;
    }
    lists->starts.count = world->bodies.cold.count + 1;
    lists->copied.count = world->bodies.cold.count;
    lists->copies.count = 0;
    memset(lists->starts.data, 0, lists->starts.count * sizeof *lists->starts.data);
    for (grz_index index = 0; index < lists->copied.count; ++index) {
        lists->copied.data[index] = GRZ_NONE;
    }
    sort_by_b(world, lists);
    lists->has_index = true;
    return true;
}

// Those in which it is a.
static graze_contact_list find_as_a(const graze_world *world, grz_index index)
{
    const graze_contact *contacts = world->reports.contacts.data;
    uint32_t first = 0, end = world->reports.contacts.count;
    GRZ_BISECT(first, end, contacts[middle].a.index < index);
    while (end < world->reports.contacts.count && contacts[end].a.index == index) {
        ++end;
    }
    const graze_contact_list list = {contacts + first, end - first};
    return list;
}

static void copy_contacts(const graze_world *world, grz_report_lists *lists, grz_index index,
                          graze_contact_list as_a)
{
    grz_reported_contacts *copies = &lists->copies;
    lists->copied.data[index] = copies->count;
    for (uint32_t k = 0; k < as_a.count; ++k) {
        copies->data[copies->count++] = as_a.data[k];
    }
    for (uint32_t k = lists->starts.data[index]; k < lists->starts.data[index + 1]; ++k) {
        copies->data[copies->count++] = world->reports.contacts.data[lists->by_b.data[k]];
    }
}

// All contacts of a step that name an index are of one body.
graze_contact_list graze_body_contacts(const graze_world *world, graze_body_id body)
{
    grz_report_lists *lists = world->reports.lists;
    const graze_contact_list none = {NULL, 0};
    if (!lists->has_index && !make_index(world, lists)) {
        (void)grz_fail(world, GRAZE_ERROR_OUT_OF_MEMORY,
                       "graze_body_contacts: no memory for an index of %u contacts",
                       (unsigned)world->reports.contacts.count);
        return none;
    }
    if (body.index >= lists->copied.count) {
        return none;
    }
    graze_contact_list list = find_as_a(world, body.index);
    const uint32_t as_b = lists->starts.data[body.index + 1] - lists->starts.data[body.index];
    if (as_b) {
        if (lists->copied.data[body.index] == GRZ_NONE) {
            copy_contacts(world, lists, body.index, list);
        }
        list.data = lists->copies.data + lists->copied.data[body.index];
        list.count += as_b;
    }
    const bool is_own = list.count && (graze_body_id_equal(list.data[0].a, body) ||
                                       graze_body_id_equal(list.data[0].b, body));
    return is_own ? list : none;
}
