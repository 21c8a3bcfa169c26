/// @file world_state.h
/// The world's data, which the files of this module share. The structures of its parts are in
/// body_state.h, terrain_state.h, impact_state.h, solve_state.h and contact_state.h.
///
/// A body is stored in two parts. The hot part, which every step reads, is a row: one element in
/// each of several columns (structure of arrays), dense and kept roughly in the order of the grid,
/// so that rows move now and then. The cold part is a grz_body, found by the id's index, which
/// never moves. `index` in the row and `row_of_index` link the two.
///
/// Memory in bytes per body (test_memory_world.c checks all of it):
///
///   52   a row: position, velocity, end, end_velocity, half 8 each; traits, index, generation 4
///   8    grz_body
///   4    row_of_index
///   16   box on its way to the grid
///   37   the grid (broadphase/src/grid_state.h)
///
/// and a bit in each of two sets. Once any body needs them (GRZ_NEED_ALL), for all bodies:
///
///   28   what turns: rotation, end_rotation 8; angle, spin, turn 4
///   20   a mass or a surface other than a def's
///   12   a hit_limit or a lifetime
///   17   a filter, and its kind
///   8    user data
///   24   rigid bodies; inertia, damping, gravity_scale or never_sleeps other than a def's
///   1    rays or filters: the kinds of boxes
///
/// A world that has loaded a snapshot has rows, grz_bodies, row_of_index and what bodies needed a
/// second time, for the next one: see bodies.h.
///
/// For each contact (0.4 per body in the gas of the benchmarks):
///
///   68   graze_contact
///   16   its rank, in this step and in the last
///   28   if it has ended
///   64   grz_contact
///
/// and 64 each time that a cell of terrain lists it, for kinematic bodies (twice with a `parallel`
/// callback); once any body is still, a pair meets twice in a step, or a snapshot is loaded, 28 for
/// its key; with an eighth to spare. Sorting and matching contacts needs another 20 bytes for a
/// while, 28 where there are keys, and 4 per body in worlds of up to 16 thousand bodies, for which
/// the memory of the boxes is used up to 0.6 contacts per body. A still body takes 45 more, for the
/// grid of bodies at rest and its place there.
///
/// What games ask for between steps (report_lists.h): for the contacts of bodies 140 for each
/// contact and 8 for each body, for removals 36 each.
///
/// For each body that responds 24 for its course, and once anything is near it 408 for a
/// grz_trajectory and its place, 24 for each wall near it, 88 more with a `parallel` callback, and
/// 20 for each body that it may meet, 32 if that is a sensor; 120 for each touch found, with an
/// eighth to a half to spare.
///
/// For each contact of the solver, also with what a body is only close to, 120 that are kept,
/// twice, up to three times where bodies sleep; and in the step 208, and 68 or 92 with one or two
/// points. For each body that it moves 250, for each pair near it 32 and 16, and for each segment
/// near it 72; for each body of the world 164, for segments around it. All with an eighth to a half
/// to spare. With the trajectories above that makes up to 1900 bytes a body in a gas whose bodies
/// bounce, and up to 5100 in a heap.
///
/// Once a step is cut (solve/slices.h) 5 for each body, 65 for each near the fast ones, 20
/// for each pair of them in a slice, and 16 for each that has met in it.
///
/// For each chain 8 for each of its points, besides the grid of segments. 16 for each segment of a
/// chain whose segments have surfaces of their own.
///
/// The capacity is exact if body_capacity is given or many bodies are created at once; otherwise it
/// grows by half at a time, or by a quarter if it is large.
#ifndef GRZ_STATE_H
#define GRZ_STATE_H

#include <graze/grid.h>
#include <graze/segment_grid.h>
#include <graze/world.h>

#include "lanes_choice.h"
#include "memory.h"
#include "world/body_state.h"
#include "world/contact_state.h"
#include "world/filter_kinds.h"
#include "world/impact_state.h"
#include "world/index_set.h"
#include "world/solve_state.h"
#include "world/terrain_state.h"

/// A recording of the world: see call_hook.h.
typedef struct grz_recorder grz_recorder;

/// What games ask for of its reports: see report_lists.h.
typedef struct grz_report_lists grz_report_lists;

enum { GRZ_SUBSTEPS = 4, GRZ_SUBSTEPS_MAX = 64 }; ///< Default, and limit.

// Comments name the phase (step.h) that fills what a step uses.

/// What the def says, and what follows from it. Only gravity and substeps ever change.
typedef struct grz_config {
    graze_allocator allocator;
    graze_allocator counting; ///< Wraps it, and links the blocks: all memory comes from this one.
    graze_vec2 gravity;
    uint32_t substeps;
    bool fixed_capacity;
    uint32_t body_capacity, segment_capacity, contact_capacity;
    graze_log_fn *log;
    void *log_user;
    graze_filter_fn *filter;
    void *filter_user;
    graze_parallel_fn *parallel; ///< Null: all runs on the caller's thread.
    void *parallel_user;
    grz_lane_set lanes; ///< Of the wide loops of the step.
    /// Disables all shortcuts: no ray counts as plain, no body as isolated, no walls and no courses
    /// as known, no two as out of reach of each other, no contact as none that may be a ghost, no
    /// sensor as one that needs no events, and a repeated touch of a wall happens twice. Only tests
    /// set it, as their oracle.
    bool no_shortcuts;
} grz_config;

/// In front of each block of a world: all are linked, and released with it.
typedef struct grz_held {
    _Alignas(GRZ_ALIGNMENT) struct grz_held *next;
    struct grz_held **to_this; ///< What points to it.
    size_t size;               ///< Of the block, with this.
} grz_held;

/// The call under way, or the last.
typedef struct grz_call_state {
    grz_held *held;    ///< The blocks.
    size_t byte_count; ///< Held from the allocator.
    graze_status last_status;
    bool busy;                  ///< Inside a step: what would change the world is refused.
    float dt;                   ///< Of the step under way; seconds. 0: bodies are only sorted.
    grz_recorder *recorder;     ///< Null: no recording.
    graze_status record_status; ///< Why the last recording stopped by itself, if it did.
} grz_call_state;

/// Bodies, and those that go.
typedef struct grz_bodies {
    // By row: the hot part.
    grz_rows rows;
    uint32_t count;        ///< Rows in use.
    uint32_t active_count; ///< Rows before it are active, those after still: see sleep.h.
    uint32_t rect_count;
    uint32_t rotation_count; ///< Rects, and circles that are rigid: those with an angle and a spin.
                             ///< 0: rotation, angle and spin are the same in every row.
    uint32_t ray_count;      ///< 0, as is the next one: boxes have no kinds.
    uint32_t filter_count;   ///< Bodies with a filter other than the default.
    // By index: the cold part.
    GRZ_ARRAY(grz_body) cold;
    GRZ_ARRAY(grz_material) materials; ///< This and the next four: null until needed.
    GRZ_ARRAY(grz_life) lives;
    GRZ_ARRAY(graze_filter) filters;
    GRZ_ARRAY(uint8_t) filter_kinds; ///< Exists as long as filters do: see filter_kinds.h.
    GRZ_ARRAY(uint64_t) user_data;
    GRZ_ARRAY(grz_dynamics) dynamics;
    GRZ_ARRAY(grz_row)
    row_of_index;                  ///< GRZ_NONE: not in the world; GRZ_NONE + 1 + k: removed, at
                                   ///< place k of that list.
    GRZ_ARRAY(uint64_t) vacancies; ///< One bit per index: set when it may be given out.
    uint32_t lowest_vacancy;       ///< No bit is set in the words before this one.
    grz_index_set unsorted;        ///< Indices of bodies that are not where the grid's cells have
                                   ///< them.
    struct grz_bodies *spare;      ///< See bodies.h. Null before a load.
    // Those that go, which no exchange with the spare ones touches.
    grz_removed *removed;       ///< A list: what the last step removed.
    GRZ_ARRAY(uint64_t) marked; ///< One bit per row: see commit.h.
    GRZ_ARRAY(grz_marked_block) marked_blocks;
} grz_bodies;

/// Where active bodies are found: in the cells, or in the set of unsorted ones.
typedef struct grz_body_grid {
    grz_filter_kinds kinds;
    bool kinds_due;    ///< Predict finds the kinds of all bodies, once any has a filter.
    bool kinds_sorted; ///< The cells have the numbers that kinds have now.
    /// Kinds that the cells have of bodies that are of others now, without those that are unsorted.
    uint32_t stale_kinds[GRAZE_GRID_KIND_WORDS];
    uint32_t kind_changes; ///< Of sorted bodies since the last sort.
    graze_grid *cells;     ///< As the last step sorted; its notes: the body in each row then.
    uint32_t order_wait;   ///< Steps until rows may be put into that order again.
    bool rows_ordered;     ///< They were put into it in the last step.
} grz_body_grid;

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

typedef struct grz_terrain {
    grz_chain *chains;           ///< A list, by index.
    grz_index_set vacant_chains; ///< Indices of those that are gone.
    uint32_t chain_count, segment_count;
    uint32_t surface_count;   ///< Segments that have surfaces of their own.
    uint32_t odd_chain_count; ///< Of those that grz_chain_is_plain does not hold for.
    graze_segment_grid grid;  ///< Owner: the chain's index; item: the segment's.
} grz_terrain;

// From here to the reports all data is of one step. Memory is kept for the next step, so that it
// allocates nothing; some counts are kept, too, to estimate what it will find.

/// Predict, Sort, Pairs and Decide: what may meet, and what is known to touch.
typedef struct grz_found {
    /// Swept boxes, then kinds if any; once all pairs are found, what contacts are sorted in.
    grz_block box_memory;
    GRZ_ARRAY(grz_row_counts) row_counts; ///< By block of rows.
    grz_row_counts totals;                ///< Of all active rows.
    GRZ_ARRAY(grz_pair_part) parts;       ///< Of the pairs, that threads share.
    grz_ranges part_ranges;               ///< By part, and what it finds: GRZ_OF_CONTACTS.
    double decide_share;                  ///< Of the parts' time: the share spent on deciding.
    uint64_t candidate_count;             ///< Pairs found that their filters let meet.
    graze_grid_choice choice;             ///< Of the cells.
    /// As they are found: those of pairs, with gaps between parts; then all others, to which
    /// Decide, Solve and Respond add.
    grz_contacts contacts;
    grz_contacts contacts_apart; ///< Before that, found by blocks on threads.
    uint32_t others_first;       ///< The place of the first that is not of the parts.
    GRZ_ARRAY(grz_candidate) candidates;
    GRZ_ARRAY(grz_candidate) candidates_apart; ///< Likewise.
    GRZ_ARRAY(grz_ray_touch) ray_touches;      ///< With gaps between parts.
    grz_ranges wall_ranges;                    ///< Of blocks of rows: contacts with walls.
    /// A set of indices, 32 per word: bodies that met something in the last step.
    grz_numbers met_before;
    bool carries;           ///< What is driven carries what it meets: see carry.c.
    GRZ_ARRAY(float) carry; ///< By index.
} grz_found;

/// Respond: the courses of dynamic bodies, and the events that change them.
typedef struct grz_impacts {
    GRZ_ARRAY(grz_trajectory) trajectories;
    GRZ_ARRAY(grz_course) courses; ///< By row, of dynamic bodies but rays: see grz_course_of.
    /// GRZ_NONE: kinematic, or a ray that meets nothing.
    grz_numbers trajectory_of_row;
    GRZ_ARRAY(grz_wall) known_walls; ///< Of the trajectories: see grz_known_walls.
    GRZ_ARRAY(grz_wall) block_walls; ///< Before that, found by blocks of rows on threads.
    grz_ranges wall_ranges;          ///< Of these blocks.
    grz_numbers link_of_row;         ///< What a row may meet first: see adjacency.h.
    grz_numbers next_link;           ///< By link.
    uint32_t first_touch_link;       ///< Those before it are candidate pairs.
    uint32_t first_over_sensor; ///< Candidate pairs from it on turn nobody: see find_impacts.h.
    GRZ_ARRAY(grz_candidate) over_sensors; ///< While they are put there.
    GRZ_ARRAY(grz_trajectory_block) trajectory_blocks;
    grz_agenda agenda; ///< Of all but isolated bodies that blocks have answered.
    GRZ_ARRAY(grz_isolated_block) isolated_blocks;
    GRZ_ARRAY(grz_impulse) impulses; ///< That change velocities from the next step on,
    grz_numbers impulse_places;      ///< and their places in order.
    uint64_t hit_count;              ///< Hits by dynamic bodies.
    grz_slices slices;               ///< Of a step; Predict and Pairs use them, too.
} grz_impacts;

/// Respond: plain rays.
typedef struct grz_bullets {
    GRZ_ARRAY(grz_spent) spent;
    GRZ_ARRAY(grz_spent) spent_apart; ///< Before that, found by blocks of rows on threads.
    grz_numbers open_rays;            ///< Those whose outcomes are found by events,
    grz_numbers open_apart;           ///< likewise.
    grz_ranges ranges;                ///< Of these blocks.
} grz_bullets;

/// Collate and Report: the contacts in order, and what the last step published.
typedef struct grz_reports {
    // Of this step: matched with the last step's keys.
    grz_order order;        ///< Meaningless between steps,
    grz_ranks ranks;        ///< as is this.
    grz_block own_order;    ///< For it, if the boxes' memory is too small.
    uint32_t contact_count; ///< Of this step.
    uint32_t key_count;     ///< Likewise.
    uint32_t renewed_from;  ///< No index below it has a new body since the last step.
    bool spliced;           ///< The lists are made from the last step's: see splice.h.
    bool has_runs;          ///< Some pair, or some mover on terrain, has more than one contact.
    bool keys_differ;       ///< Some share a key, or the list of contacts is not in their order.
    // Of the last step.
    grz_reported_contacts contacts;
    /// Keys of all that met, each once, in order. Unless keys_apart is set, only the count is.
    grz_contact_keys keys;
    bool keys_apart;        ///< False: the ids of the contacts are the keys.
    grz_ranks last_ranks;   ///< Of the contacts, unless keys_apart is set.
    grz_contact_keys ends;  ///< Keys of pairs that met before it and not in it, in the same order.
    grz_numbers key_starts; ///< By a's index >> key_shift: the first key of such an a.
    uint32_t key_shift;
    bool keys_indexed; ///< In this step.
    grz_report_lists *lists;
    graze_world_stats stats;
} grz_reports;

struct graze_world {
    grz_config config;
    grz_call_state call;
    grz_bodies bodies;
    grz_body_grid grid;
    grz_sleep sleep;
    grz_terrain terrain;
    grz_found found;
    grz_solve solve;
    grz_impacts impacts;
    grz_bullets bullets;
    grz_reports reports;
};

/// Returns where contacts, candidate pairs or touches of a part of the pairs are, and how many.
static inline const grz_range *grz_range_of_part(const graze_world *world, uint32_t part,
                                                 uint32_t list)
{
    return &world->found.part_ranges.data[part * GRZ_PART_LISTS + list];
}

#endif
