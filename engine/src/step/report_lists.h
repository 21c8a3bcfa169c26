/// @file report_lists.h
/// Lists that follow from the reports of the last step, and are made when a game asks for them.
#ifndef GRZ_REPORT_LISTS_H
#define GRZ_REPORT_LISTS_H

#include <graze/removal.h>

#include "world/world_state.h"

/// All of them; each is kept until the next step or load.
struct grz_report_lists {
    bool has_removals; ///< They are those of the last step.
    GRZ_ARRAY(graze_removal) removals;
    grz_numbers places, words; ///< Scratch: of the removed, in order.
    bool has_index;            ///< The four below are of the last step.
    grz_numbers starts;        ///< By index of a body: where those contacts begin in which it is b,
    grz_numbers by_b;          ///< in this list of places, by b; and one more.
    grz_numbers copied;        ///< By index of a body: where its copies begin, or GRZ_NONE.
    grz_reported_contacts copies; ///< Of the contacts of bodies that are b in some.
};

/// Makes a world's lists, all empty. Returns false if memory runs out.
bool grz_report_lists_begin(graze_world *world);

/// Makes all void: a step or a load has replaced the reports.
static inline void grz_report_lists_void(graze_world *world)
{
    world->reports.lists->has_removals = false;
    world->reports.lists->has_index = false;
}

#endif
