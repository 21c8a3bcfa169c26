/// @file state.h
/// The world's data: the structures that the files of this module share.
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
///   36   the grid (broadphase/src/grid_state.h)
///
/// and a bit in each of two sets. Once any body needs them (GRZ_NEED_ALL), for all bodies:
///
///   24   rects: rotation, end_rotation 8; angle, spin 4
///   12   a mass, restitution or friction other than a def's
///   12   a hit_limit or a lifetime
///   12   a filter
///   8    user data
///   1    rays: the flag of quiet boxes
///
/// A world that has loaded a snapshot has rows, grz_bodies, row_of_index and what bodies needed a
/// second time, for the next one: see spare_bodies.h.
///
/// For each contact (0.4 per body in the gas of the benchmarks):
///
///   60   graze_contact
///   16   its rank, in this step and in the last
///   28   if it has ended
///   40   grz_hit and its rank
///
/// and once any body is still, a pair meets twice in a step, or a snapshot is loaded, 28 for its
/// key; with an eighth to spare, hits and their ranks with up to a half. Sorting and matching
/// contacts needs another 20 bytes for a while, 28 where there are keys, and 4 per body in worlds
/// of up to 16 thousand bodies, for which the memory of the boxes is used up to 0.6 contacts per
/// body. A still body takes 45 more, for the grid of bodies at rest and its place there.
///
/// For each chain 32, and 8 for each of its points, besides its list of them and the grid of
/// segments: terrain_image.h.
///
/// The capacity is exact if body_capacity is given or many bodies are created at once; otherwise it
/// grows by half at a time, and by a quarter when it is large.
#ifndef GRZ_STATE_H
#define GRZ_STATE_H

#include <graze/grid.h>
#include <graze/segment_grid.h>
#include <graze/world.h>

#include "array.h"
#include "index_set.h"
#include "lanes_choice.h"
#include "memory.h"
#include "motion_state.h"
#include "pile_state.h"

enum {
    GRZ_NONE = 0x7FFFFFFF ///< As a row or a position in a list: there is none.
};

/// Bits of a row's traits: all that the hot loops need to know of the cold part.
enum {
    GRZ_TRAIT_KIND = 3,     ///< graze_shape_kind.
    GRZ_TRAIT_RESPONDS = 4, ///< Its response is not GRAZE_PASS.
    GRZ_TRAIT_LIMITED = 8,  ///< It has a hit_limit.
    GRZ_TRAIT_SENSOR = 16,
    GRZ_TRAIT_SPINS = 32,       ///< A rect whose spin is not 0.
    GRZ_TRAIT_MORTAL = 64,      ///< It has a lifetime.
    GRZ_TRAIT_WEIGHTLESS = 128, ///< Mass 0: gravity does not move it.
    GRZ_TRAIT_TURNS = 256,      ///< It slides or bounces: it may leave its straight way.
    GRZ_TRAIT_LAST = 512,       ///< Its next hit is its last. Follows from what is hashed.
    /// Its course depends on what it meets: the Respond phase finds it.
    GRZ_TRAIT_FREE = GRZ_TRAIT_RESPONDS | GRZ_TRAIT_LIMITED
};

/// The hot columns: element r of each belongs to the same body. They share one block, those of
/// turns another.
typedef struct grz_rows {
    uint32_t capacity;
    graze_vec2 *position;
    graze_vec2 *velocity;
    graze_vec2 *half;         ///< Half extents; a circle's radius, twice; a ray's 0, 0.
    graze_rotation *rotation; ///< Of angle. Null, like the other columns of turns, before there has
                              ///< been a rect: see grz_rotation_of.
    bool rotations_due;       ///< Angles were loaded: the next Predict fills in the rotations.
    float *angle;             ///< In [-pi, pi].
    float *spin;
    uint32_t *traits;
    uint32_t *index;      ///< Of the body's id.
    uint32_t *generation; ///< Likewise.

    // Filled by Predict, taken over by Commit, which lets the columns change places with position
    // and velocity; meaningless between steps.
    graze_vec2 *end;              ///< Where it is after the step if nothing stops it.
    graze_vec2 *end_velocity;     ///< Its velocity then.
    graze_rotation *end_rotation; ///< Its rotation then.
    grz_block memory, turn_memory;
} grz_rows;

/// What Predict finds in some rows.
typedef struct grz_row_counts {
    uint32_t traits;   ///< Those that any of them has.
    uint32_t slow;     ///< Rows whose velocity after the step is 0, or so small that its square is.
    uint32_t overflow; ///< Rows stopped because they would leave the range of float.
    uint32_t free;     ///< Rows with GRZ_TRAIT_FREE.
    uint32_t turning;  ///< Rows with GRZ_TRAIT_FREE that are no rays.
    uint32_t mortal;   ///< Rows with a lifetime.
    uint32_t jumps;    ///< Counted by Sort: see step_sort.c.
} grz_row_counts;

typedef GRZ_ARRAY(graze_contact) grz_contacts;
typedef GRZ_ARRAY(graze_contact_end) grz_contact_keys;
typedef GRZ_ARRAY(uint64_t) grz_ranks;
typedef GRZ_ARRAY(uint32_t) grz_numbers;

enum {
    GRZ_REST_LEAST = 64,   ///< The least number of bodies that become still at a time.
    GRZ_REST_PATIENCE = 16 ///< Steps from one such time to the next.
};

/// Elements of a list that move together: places [first, end) to `to` and the places after it.
typedef struct grz_stretch {
    uint32_t first, end, to;
} grz_stretch;

/// How a list that stays in part is made the next one: see splice.h.
typedef struct grz_splice {
    grz_numbers places; ///< Of the elements that the next step replaces, in order.
    grz_numbers coming; ///< Where those of the step under way come, in the list as it will be.
    GRZ_ARRAY(grz_stretch) stretches; ///< Of what stays, those that move.
} grz_splice;

/// What is kept of bodies at rest: see rest.h.
typedef struct grz_rest {
    graze_grid *grid;                ///< Of still bodies; null until there are some.
    grz_numbers index_of_place;      ///< Which body is where in it.
    uint64_t pair_count;             ///< Pairs of still bodies whose boxes overlap.
    grz_splice of_contacts, of_keys; ///< The reports that an active body takes part in.
    grz_contact_keys passed;         ///< The last step's keys that an active body is in.
    uint32_t sleeper_count;          ///< Still bodies that are free.
    float sleeper_size;              ///< The largest half extent among them.
    float dt;                        ///< Of the last step.
    graze_vec2 gain;                 ///< The velocity that gravity added in the last step.
    bool steady;                     ///< dt and gain were the same in the step before.
    grz_numbers standing;            ///< Bodies that may become sleepers after this step.
    grz_numbers parents;             ///< See standstill.c.
    bool voided;                     ///< Some of what stays is of bodies that have woken.
    bool begun;                      ///< Some of the contacts that stay may still be said to begin.
    uint32_t least, patience;        ///< GRZ_REST_LEAST, GRZ_REST_PATIENCE; less in tests.
    uint32_t wait;                   ///< Steps until bodies may become still.
    uint32_t since;                  ///< Steps since some became still.
} grz_rest;

/// The cold part of every body, and what remains of one that is gone. Snapshots hold it as it is:
/// no padding.
typedef struct grz_body {
    uint32_t generation; ///< Of the body that has this index, or of the last that had it; 0: none.
    uint8_t response;    ///< graze_response.
    bool sensor;
    uint8_t kind;   ///< graze_shape_kind.
    uint8_t unused; ///< 0.
} grz_body;

/// What a body is made of.
typedef struct grz_matter {
    float mass, restitution, friction;
} grz_matter;

/// How long a body stays.
typedef struct grz_life {
    float lifetime;                ///< Seconds left; 0: for ever.
    uint32_t hit_limit, hit_count; ///< Hits are counted where there is a limit.
} grz_life;

/// A body's part of the columns that not all worlds have.
typedef struct grz_wanted {
    grz_matter matter;
    grz_life life;
    graze_filter filter;
    uint64_t user_data;
} grz_wanted;

/// What bodies ask for beyond what all have. A column that none has asked for is not there: reading
/// it gives what a def has by default. Once there, it stays.
enum {
    GRZ_NEED_TURNS = 1, ///< The columns of rows that only rects use.
    GRZ_NEED_MATTER = 2,
    GRZ_NEED_LIFE = 4, ///< A hit_limit or a lifetime.
    GRZ_NEED_FILTER = 8,
    GRZ_NEED_USER_DATA = 16,
    GRZ_NEED_ALL = 31
};

/// The hot part of a body that the last step removed: readable until the next one begins.
typedef struct grz_retired {
    uint32_t index;
    graze_vec2 position, velocity;
    float angle, spin;
    graze_shape shape;
} grz_retired;

/// The marked rows of a block: see retire.h.
typedef struct grz_marked_block {
    uint32_t first; ///< Where the first of them goes in the list of retired bodies.
    uint32_t count;
    uint32_t rects, rays, filters; ///< How many are rects, are rays, have a filter of their own.
} grz_marked_block;

/// A chain of terrain. The segment grid has its own copies of the points.
typedef struct grz_chain {
    uint32_t generation;
    bool in_world;
    bool loop, one_sided, sensor;
    uint32_t segment_count;
    graze_filter filter;
    uint64_t user_data;
    graze_vec2 *points; ///< A list.
} grz_chain;

/// All of a chain but its points, as snapshots hold it: no padding. Of a vacant one all but the
/// generation is 0.
typedef struct grz_chain_record {
    uint64_t user_data;
    graze_filter filter;
    uint32_t generation;
    uint32_t point_count; ///< 0: vacant.
    uint32_t form;        ///< GRZ_CHAIN bits.
} grz_chain_record;

enum { GRZ_CHAIN_LOOP = 1, GRZ_CHAIN_ONE_SIDED = 2, GRZ_CHAIN_SENSOR = 4, GRZ_CHAIN_ALL = 7 };

enum { GRZ_CHECKSUM_LANES = 64 };

/// A sum under way: see checksum.h. Its lanes begin a cache line: loops over a few blocks read and
/// write them as often as the blocks.
typedef struct grz_checksum {
    _Alignas(GRZ_ALIGNMENT) uint32_t lanes[GRZ_CHECKSUM_LANES];
    uint64_t size; ///< Bytes so far.
} grz_checksum;

/// The terrain as snapshots hold it, of the first chains: see terrain_image.h.
typedef struct grz_terrain_image {
    GRZ_ARRAY(grz_chain_record) records;
    GRZ_ARRAY(graze_vec2) points; ///< Of one chain after the other.
    /// Of the first whole blocks of both.
    grz_checksum record_sum, point_sum;
} grz_terrain_image;

/// A contact of two bodies on fixed courses, without what its rank says: half a cache line. From
/// the time on it lies as in a graze_contact.
typedef struct grz_hit {
    uint32_t generation_a, generation_b;
    float time;
    graze_vec2 point, normal;
    float depth;
} grz_hit;

/// The contacts of a step being sorted, and matched with the last step's keys.
typedef struct grz_order {
    uint64_t *ranks;     ///< Of each: see grz_rank. In world->ranks.
    uint32_t *places;    ///< Among the hits, or past them among the fresh contacts; and GRZ_BEGINS.
    uint64_t *old_ranks; ///< Of the keys, where these do not come with theirs.
    uint32_t *ended;     ///< The places of the keys that have ended, in order.
    uint32_t *words;     ///< What they are sorted with: see contact_sort.c.
    uint32_t count, ended_count;
    uint32_t key_count, begin_count; ///< What met, each pair once; and what of it is new.
} grz_order;

enum {
    GRZ_PARTS = 64 ///< Of the pairs, at most, that threads share out.
};

/// What one part of the pairs came to.
typedef struct grz_pair_part {
    bool overflowed; ///< It found more than there was room for: counted, but not kept.
    uint32_t hit_first, hit_room;
    uint32_t meeting_first, meeting_room;
    uint32_t touch_first, touch_room;
    uint64_t hit_count, meeting_count, touch_count;
    uint64_t candidate_count; ///< Pairs whose boxes overlap.
    uint64_t tested_count;    ///< Pairs of boxes compared in the grid.
    double pair_seconds;      ///< Spent on finding pairs.
    double decide_seconds;    ///< Spent on deciding them.
} grz_pair_part;

/// A recording of the world: see recorder.h.
typedef struct grz_recorder grz_recorder;

struct graze_world {
    graze_allocator allocator; ///< The def's.
    graze_allocator counting;  ///< Wraps it and counts the bytes: all below comes from this one.
    size_t byte_count;
    graze_vec2 gravity;
    bool fixed_capacity;
    uint32_t body_capacity, segment_capacity, contact_capacity;
    graze_log_fn *log;
    void *log_user;
    graze_filter_fn *filter;
    void *filter_user;
    graze_parallel_fn *parallel; ///< Null: all runs on the caller's thread.
    void *parallel_user;
    grz_lane_set lanes; ///< Of the wide loops of the step.
    bool all_by_events; ///< No ray counts as plain: tests compare the two ways.
    graze_status last_status;
    float dt;                   ///< Of the step under way.
    bool busy;                  ///< Inside a step: what would change the world is refused.
    grz_recorder *recorder;     ///< Null: no recording.
    graze_status record_status; ///< Why the last recording stopped by itself, if it did.

    // Bodies.
    grz_rows rows;
    uint32_t body_count;   ///< Rows in use.
    uint32_t active_count; ///< The first of them; those after are still: see rest.h.
    grz_rest rest;
    GRZ_ARRAY(grz_body) bodies;    ///< By index.
    GRZ_ARRAY(grz_matter) matters; ///< By index, like the three below: null until needed.
    GRZ_ARRAY(grz_life) lives;
    GRZ_ARRAY(graze_filter) filters;
    GRZ_ARRAY(uint64_t) user_data;
    grz_numbers row_of_index;      ///< By index. GRZ_NONE: not in the world; GRZ_NONE + 1 + k:
                                   ///< retired, at place k of that list.
    GRZ_ARRAY(uint64_t) vacancies; ///< A bit an index: set when it may be given out.
    uint32_t lowest_vacancy;       ///< No bit is set in the words before this one.
    grz_retired *retired;          ///< A list: what the last step removed.
    GRZ_ARRAY(uint64_t) marked;    ///< A bit a row: see retire.h.
    GRZ_ARRAY(grz_marked_block) marked_blocks;
    grz_index_set loose;   ///< Indices of bodies that are not where the grid has them.
    uint32_t rect_count;   ///< 0: rotation, angle and spin are the same in every row.
    uint32_t ray_count;    ///< 0: boxes have no quiet flags.
    uint32_t filter_count; ///< Bodies with a filter other than the default.
    graze_world *spare;    ///< Only its bodies are used: see spare_bodies.h. Null before a load.
    graze_grid *grid;      ///< As the last step sorted; its notes: the body in each row then.
    bool places_are_rows;  ///< Rows were put into the order of the grid by this step's Sort.
    uint32_t jump_count;   ///< How far rows were from the grid's order: see step_sort.c.
    uint32_t order_wait;   ///< Steps until rows may be put into that order again.
    bool rows_ordered;     ///< They were put into it in the last step.

    // Terrain.
    grz_chain *chains;            ///< A list, by index.
    uint32_t lowest_vacant_chain; ///< Every chain before this one is in the world.
    uint32_t chain_count, segment_count;
    uint32_t odd_chain_count; ///< Of those that grz_chain_is_plain does not hold for.
    grz_terrain_image image;
    graze_segment_grid terrain; ///< Owner: the chain's index; item: the segment's.

    // Scratch of a step, kept from one step to the next so that a step allocates nothing.
    /// Sides of the swept boxes, four streams, then quiet flags if any; once all pairs are found,
    /// what contacts are sorted in.
    grz_block box_memory;
    GRZ_ARRAY(grz_row_counts) row_counts; ///< By block of rows.
    grz_pair_part parts[GRZ_PARTS];       ///< Of the last step whose pairs were found.
    uint32_t part_count;                  ///< 0: none yet.
    double decide_share;                  ///< Of the parts' time: the share spent on deciding.
    GRZ_ARRAY(grz_hit) hits;              ///< The parts', each from its hit_first on.
    GRZ_ARRAY(uint64_t) hit_ranks;        ///< Of the hits: see grz_rank.
    GRZ_ARRAY(grz_meeting) meetings;
    GRZ_ARRAY(grz_ray_touch) ray_touches;
    grz_numbers link_of_row;   ///< What a row may meet first: see links.h.
    grz_numbers next_link;     ///< By link.
    uint32_t first_touch_link; ///< Those before it are meetings.
    GRZ_ARRAY(grz_spent) spent;
    /// What threads find in blocks of rows; that of a block begins at the place of its first row.
    GRZ_ARRAY(grz_spent) block_spent;
    grz_contacts block_fresh;
    grz_numbers open_rays; ///< Likewise; with one thread, of one block at a time.
    GRZ_ARRAY(grz_fate_block) fate_blocks;
    GRZ_ARRAY(grz_motion) motions;
    /// GRZ_NONE: its course is fixed, or it is a ray that meets nothing.
    grz_numbers motion_of_row;
    /// 32 indices a word: a bit is set for those that met in the last step.
    grz_numbers met_before;
    GRZ_ARRAY(grz_event) events;
    GRZ_ARRAY(grz_queued) line; ///< Events foreseen before any happened; sorted if lined_up.
    uint32_t line_next;         ///< The next of them to happen.
    bool lined_up;
    GRZ_ARRAY(grz_queued) line_scratch;
    GRZ_ARRAY(grz_queued) queue; ///< Later ones: a binary heap, the first to happen on top.
    grz_piles piles;
    uint32_t hit_room;          ///< Places of hits, with the empty ones between parts.
    grz_order order;            ///< Of this step's contacts: meaningless between steps.
    grz_ranks ranks;            ///< Of this step's contacts, likewise.
    grz_block own_order;        ///< For it, where the boxes' memory is too small.
    uint32_t contact_count;     ///< Of this step.
    uint32_t key_count;         ///< Likewise.
    bool renewed;               ///< An index may have got a new body since the last step.
    bool spliced;               ///< The lists are made from the last step's: see splice.h.
    bool has_runs;              ///< Some pair, or some mover on terrain, has more than one contact.
    grz_contacts wall_contacts; ///< What blocks of rows found: wall_room of each block.
    grz_numbers wall_counts;    ///< By block.
    uint32_t wall_room;
    grz_contacts fresh; ///< This step's contacts as they are found, but for the hits.

    // What the last step reported.
    grz_contacts contacts;
    /// What met: each pair once, in order. Unless keys_apart is set, only its count is.
    grz_contact_keys keys;
    bool keys_apart;        ///< False: each pair has one contact, whose ids serve as the key.
    grz_ranks last_ranks;   ///< Of the contacts, unless keys_apart is set.
    grz_contact_keys ends;  ///< What had met before and no longer did, in the same order.
    grz_numbers key_starts; ///< By a's index >> key_shift: the first key of such an a.
    uint32_t key_shift;
    // Counted by Predict: see grz_row_counts.
    uint32_t found_traits, slow_count, overflow_count, free_count, turning_count, mortal_count;
    uint64_t candidate_count; ///< Pairs whose boxes overlap, counted by Pairs.
    graze_grid_choice choice; ///< Of the grid, noted by Pairs.
    uint64_t hit_count;       ///< Hits by free bodies, counted by Respond.
    graze_world_stats stats;
};

#endif
