/// @file sleep_state.h
/// The world's data on bodies at rest: see sleep.h.
#ifndef GRZ_SLEEP_STATE_H
#define GRZ_SLEEP_STATE_H

#include <graze/grid.h>

#include "world/contact_state.h"

enum {
    GRZ_SLEEP_MIN = 64,     ///< Minimum number of bodies that become still at a time.
    GRZ_SLEEP_PATIENCE = 16 ///< Steps from one such time to the next.
};

/// Bodies at rest: see sleep.h.
typedef struct grz_sleep {
    graze_grid *grid;                    ///< Of still bodies; null until there are some.
    GRZ_ARRAY(grz_index) index_of_place; ///< By place in it: the body's index.
    bool has_kinds;                      ///< It knows the kinds, by the numbers that they have now.
    uint64_t pair_count;                 ///< Pairs of still bodies that would be candidates.
    grz_splice of_contacts, of_keys;     ///< The reports of active bodies.
    grz_contact_keys passed;             ///< The last step's keys with an active body.
    uint32_t sleeper_count;              ///< Still bodies that are free.
    float sleeper_size;                  ///< The largest half extent among them.
    float dt;                            ///< Of the last step.
    graze_vec2 gravity_step;             ///< The velocity that gravity added in the last step.
    bool steady;                         ///< dt and gravity_step were the same in the step before.
    grz_numbers standing;                ///< Bodies that may become sleepers after this step.
    grz_numbers parents, kept;           ///< See trajectory.c.
    bool voided;                         ///< Some reports that stay are of bodies that have woken.
    bool begun;                          ///< Some contacts that stay may still be marked BEGIN.
    uint32_t least, patience;            ///< GRZ_SLEEP_MIN, GRZ_SLEEP_PATIENCE; less in tests.
    uint32_t wait;                       ///< Steps until bodies may become still.
    uint32_t since;                      ///< Steps since some became still.
} grz_sleep;

#endif
