#include "world/splice.h"

#include "world/contact_keys.h"

#include <string.h>

bool grz_splice_reserve(grz_splice *splice, const graze_allocator *allocator, uint32_t coming)
{
    return grz_array_reserve(&splice->coming, allocator, coming) &&
           grz_array_reserve(&splice->stretches, allocator,
                             (size_t)splice->places.count + coming + 1);
}

grz_splicing grz_splice_begin(grz_splice *splice, const void *list, size_t size, uint32_t count)
{
    const grz_splicing plan = {.splice = splice, .list = list, .size = size, .count = count};
    splice->coming.count = 0;
    splice->stretches.count = 0;
    return plan;
}

static uint64_t rank_at(const grz_splicing *plan, uint32_t place)
{
    graze_body_id ids[2]; // A contact begins with its ids, and so does a key.
    memcpy(ids, plan->list + place * plan->size, sizeof ids);
    return grz_rank(ids[0].index, ids[1].index);
}

// Ends the stretch at a place. A stretch that stays in place need not be moved.
static void end_stretch(grz_splicing *plan, uint32_t end)
{
    grz_splice *splice = plan->splice;
    const uint32_t to = plan->first + splice->coming.count - plan->gone;
    if (end > plan->first && to != plan->first) {
        const grz_stretch own = {plan->first, end, to};
        splice->stretches.data[splice->stretches.count++] = own;
    }
}

static void drop_up_to(grz_splicing *plan, uint32_t end)
{
    const grz_numbers *places = &plan->splice->places;
    for (; plan->gone < places->count && places->data[plan->gone] < end; ++plan->gone) {
        end_stretch(plan, places->data[plan->gone]);
        plan->first = places->data[plan->gone] + 1;
    }
}

static uint32_t find_between(const grz_splicing *plan, uint32_t low, uint32_t high, uint64_t rank)
{
    GRZ_BISECT(low, high, rank_at(plan, middle) < rank);
    return low;
}

// Most new elements were there before: so the places of old ones tell where to search.
static uint32_t find_place(grz_splicing *plan, uint64_t rank)
{
    const grz_numbers *places = &plan->splice->places;
    uint32_t low = plan->from;
    for (; plan->near < places->count; ++plan->near) {
        const uint32_t place = places->data[plan->near];
        const uint64_t other = rank_at(plan, place);
        if (other >= rank) {
            return other == rank && place >= low ? place : find_between(plan, low, place, rank);
        }
        low = place >= low ? place + 1 : low;
    }
    return find_between(plan, low, plan->count, rank);
}

void grz_splice_plan(grz_splicing *plan, uint64_t rank)
{
    grz_splice *splice = plan->splice;
    const uint32_t place = find_place(plan, rank);
    drop_up_to(plan, place);
    const bool replaces =
        plan->gone < splice->places.count && splice->places.data[plan->gone] == place;
    if (!replaces) {
        end_stretch(plan, place);
        plan->first = place;
    }
    splice->coming.data[splice->coming.count] = place + splice->coming.count - plan->gone;
    ++splice->coming.count;
    plan->gone += replaces;
    plan->from = place + replaces;
}

uint32_t grz_splice_end(grz_splicing *plan)
{
    drop_up_to(plan, plan->count);
    end_stretch(plan, plan->count);
    return plan->count + plan->splice->coming.count - plan->gone;
}

static void move_stretch(grz_stretch own, unsigned char *list, size_t size)
{
    memmove(list + own.to * size, list + own.first * size, (own.end - own.first) * size);
}

// HOT. bench: engine/step/rest
//
// Stretches keep their order, so none is overwritten: first those that move to the front, from
// front to back, into room that is free or was just vacated; then those that move to the back, from
// back to front.
//
// Data    All elements after a place where the numbers of new and old ones differ: 60 bytes of a
//         contact, 28 of a key.
void grz_splice_move(const grz_splice *splice, void *list, size_t size)
{
    for (uint32_t k = 0; k < splice->stretches.count; ++k) {
        if (splice->stretches.data[k].to < splice->stretches.data[k].first) {
            move_stretch(splice->stretches.data[k], list, size);
        }
    }
    for (uint32_t k = splice->stretches.count; k-- > 0;) {
        if (splice->stretches.data[k].to > splice->stretches.data[k].first) {
            move_stretch(splice->stretches.data[k], list, size);
        }
    }
}

void grz_splice_swap(grz_splice *splice)
{
    const grz_numbers come = splice->coming;
    splice->coming = splice->places;
    splice->places = come;
}
