// Packs: contacts side by side, as the sweeps read them.

#include "bits.h"
#include "solve/solve.h"
#include "world/parallel.h"

#include <string.h>

// Contacts are coloured greedily, in their order: each gets the first colour that neither of its
// bodies has yet. So those of one colour share no body that gives way. With what does not give way,
// a body's first contacts are of one group, its second ones of the next, and so on.
//
// What finds no colour has a group of its own.
//
// A colour has one group of contacts with one point, and one of those with two. Its contacts share
// no body: so it does not matter which is in which. Where lanes are left over beside those of two
// points, what does not fill a pack of one point goes there, and its second point is none.

enum {
    COLOURS = 64,
    FIRST_FIXED = 2 * COLOURS + 1,    ///< After the colours, and what found none.
    LAST = FIRST_FIXED + 2 * COLOURS, ///< What found none of those.
    KINDS = LAST + 1
};

static uint32_t colour_of_free(uint64_t *colours, const grz_constraint_contact *contact)
{
    const uint64_t left = ~(colours[contact->a] | colours[contact->b]);
    const uint64_t lowest = left & (0 - left);
    colours[contact->a] |= lowest;
    colours[contact->b] |= lowest;
    return left ? 2 * grz_lowest_bit(left) + (contact->manifold.count == 2) : 2 * COLOURS;
}

static uint32_t colour_of_fixed(uint64_t *colours, const grz_constraint_contact *contact)
{
    const uint64_t level = colours[contact->a]++;
    return level < COLOURS ? FIRST_FIXED + 2 * (uint32_t)level + (contact->manifold.count == 2)
                           : LAST;
}

static bool is_solved(const grz_solve *solve, const grz_constraint_contact *contact)
{
    const grz_rigid_end *ends = solve->ends.data;
    return !(contact->hidden | contact->flies | contact->passes) &&
           !(ends[contact->a].asleep && (contact->fixed || ends[contact->b].asleep));
}

static bool is_kept(const grz_constraint_contact *contact)
{
    return contact->flies ? contact->hits : !contact->hidden;
}

// Finds the places of contacts among those that are kept, and which of them are solved: the others
// keep their impulses. Colours those that are not fixed. The place of one is first that among those
// of its colour.
static void colour_free(grz_solve *solve, float substeps, uint32_t *counts)
{
    uint64_t *colours = solve->colours.data;
    uint32_t *group_of = solve->group_of.data, *order = solve->order.data, kept = 0;
    memset(colours, 0, solve->slot_count * sizeof *colours);
    for (uint32_t k = 0, count = solve->contacts.count; k < count; ++k) {
        grz_constraint_contact *contact = &solve->contacts.data[k];
        order[k] = is_kept(contact) ? kept++ : GRZ_NONE;
        if (!is_solved(solve, contact)) {
            contact->sums[0] = contact->impulses[0] * substeps;
            contact->sums[1] = contact->impulses[1] * substeps;
        } else if (contact->fixed) {
            contact->pack = 0;
        } else {
            group_of[k] = colour_of_free(colours, contact);
            contact->pack = counts[group_of[k]]++;
        }
    }
    solve->order.count = kept;
}

// What is driven comes first: terrain has the last word.
static void colour_fixed(grz_solve *solve, uint32_t *counts)
{
    memset(solve->colours.data, 0, solve->slot_count * sizeof(uint64_t));
    for (uint32_t terrain = 0; terrain < 2; ++terrain) {
        for (uint32_t k = 0; k < solve->fixed.count; ++k) {
            grz_constraint_contact *contact = &solve->contacts.data[solve->fixed.data[k]];
            const bool is_terrain = contact->b == grz_terrain_slot(solve);
            if (contact->pack != GRZ_NONE && is_terrain == terrain) {
                const uint32_t kind = colour_of_fixed(solve->colours.data, contact);
                solve->group_of.data[solve->fixed.data[k]] = kind;
                contact->pack = counts[kind]++;
            }
        }
    }
}

// --- Groups ---

// Returns the place of its first contact.
static uint32_t add_group(grz_solve *solve, bool two, bool fixed, uint32_t contacts)
{
    const uint32_t packs = (contacts + GRZ_PACK - 1) / GRZ_PACK;
    uint32_t *end = two ? &solve->twos.count : &solve->ones.count;
    const grz_pack_group group = {*end, packs, contacts, two, fixed};
    solve->groups.data[solve->groups.count++] = group;
    *end += packs;
    return GRZ_PACK * group.first;
}

/// Where the contacts of all kinds begin. From the `end`th on they lie beside those of two points,
/// and count from `beside`. What is alone has its place.
typedef struct kind_places {
    grz_solve *solve;
    uint32_t first[KINDS], end[KINDS], beside[KINDS];
} kind_places;

static void place_alone(grz_solve *solve, uint32_t kind, bool fixed)
{
    for (uint32_t k = 0; k < solve->contacts.count; ++k) {
        grz_constraint_contact *contact = &solve->contacts.data[k];
        if (contact->pack != GRZ_NONE && solve->group_of.data[k] == kind) {
            contact->pack = add_group(solve, contact->manifold.count == 2, fixed, 1);
        }
    }
}

// `kind` has one point, the next kind two.
static void place_colour(kind_places *places, uint32_t kind, const uint32_t *counts, bool fixed)
{
    const uint32_t ones = counts[kind], twos = counts[kind + 1];
    const uint32_t rest = ones % GRZ_PACK, room = (0 - twos) % GRZ_PACK;
    const uint32_t end = rest <= room ? ones - rest : ones;
    const uint32_t both = twos + (ones - end);
    places->end[kind] = end;
    places->end[kind + 1] = twos;
    places->first[kind] = end ? add_group(places->solve, false, fixed, end) : 0;
    places->first[kind + 1] = both ? add_group(places->solve, true, fixed, both) : 0;
    places->beside[kind] = places->first[kind + 1] + twos - end;
}

// Behind a colour that none has there are no others.
static void place_groups(kind_places *places, const uint32_t *counts, bool fixed)
{
    const uint32_t first = fixed ? FIRST_FIXED : 0, alone = first + 2 * COLOURS;
    for (uint32_t kind = first; kind < alone && counts[kind] + counts[kind + 1]; kind += 2) {
        place_colour(places, kind, counts, fixed);
    }
    places->first[alone] = 0;
    places->end[alone] = GRZ_NONE;
    if (counts[alone]) {
        place_alone(places->solve, alone, fixed);
    }
}

// The lanes that are left over, in the last pack of a group, are of a contact of bodies of no mass.
static void clear_lanes(grz_solve *solve)
{
    grz_constraint_contact *none = &solve->contacts.data[solve->contacts.count];
    memset(none, 0, sizeof *none);
    none->a = none->b = grz_dummy_slot(solve);
    for (uint32_t g = 0; g < solve->groups.count; ++g) {
        const grz_pack_group *group = &solve->groups.data[g];
        const uint32_t last = group->first + group->count - 1;
        uint32_t *contacts = group->two ? solve->twos.data[last].sides.contact
                                        : solve->ones.data[last].sides.contact;
        for (uint32_t k = 0; k < GRZ_PACK; ++k) {
            contacts[k] = GRZ_CONTACT_FLOATS * solve->contacts.count;
        }
    }
}

// Each contact has a lane of its own.
static void place_contacts(void *context, uint32_t block, uint32_t first, uint32_t end)
{
    const kind_places *places = context;
    grz_solve *solve = places->solve;
    (void)block;
    for (uint32_t k = first; k < end; ++k) {
        grz_constraint_contact *contact = &solve->contacts.data[k];
        if (contact->pack != GRZ_NONE) {
            const uint32_t kind = solve->group_of.data[k];
            const bool is_beside = contact->pack >= places->end[kind];
            contact->pack += is_beside ? places->beside[kind] : places->first[kind];
            contact->as_two = is_beside || contact->manifold.count == 2;
            contact->share = contact->manifold.count == 2 ? 0.5f : 1;
            const grz_packed packed = grz_packed_of(solve, contact);
            packed.sides->contact[packed.lane] = GRZ_CONTACT_FLOATS * k;
            contact->push = contact->firm ? -contact->push : contact->push;
        }
    }
}

bool grz_solve_pack(graze_world *world)
{
    const graze_allocator *allocator = &world->config.counting;
    grz_solve *solve = &world->solve;
    uint32_t counts[KINDS] = {0};
    kind_places places;
    if (!grz_array_reserve(&solve->colours, allocator, (size_t)solve->slot_count + 1) ||
        !grz_array_reserve(&solve->order, allocator, solve->contacts.count) ||
        !grz_array_reserve(&solve->group_of, allocator, solve->contacts.count)) {
        return false;
    }
    colour_free(solve, (float)world->config.substeps, counts);
    colour_fixed(solve, counts);
    const size_t alone = (size_t)counts[2 * COLOURS] + counts[LAST];
    const size_t packs = solve->contacts.count / GRZ_PACK + 2 * COLOURS + alone; // Of each size.
    if (!grz_array_reserve(&solve->groups, allocator, KINDS + alone) ||
        !grz_array_reserve(&solve->ones, allocator, packs) ||
        !grz_array_reserve(&solve->twos, allocator, packs) ||
        !grz_array_reserve_more(&solve->contacts, allocator, 1)) {
        return false;
    }
    solve->groups.count = solve->ones.count = solve->twos.count = 0;
    places.solve = solve;
    place_groups(&places, counts, false);
    place_groups(&places, counts, true);
    clear_lanes(solve);
    grz_run_blocks(world, solve->contacts.count, GRZ_BLOCK_SLOTS, place_contacts, &places);
    return true;
}
