/// @file world.h
/// A world: bodies, terrain, and the step that moves them.
///
/// Units      The game's own; dt in seconds. With dt = 1 velocities are displacements per step.
/// Memory     Everything that a world holds comes from its allocator. After warm-up a step
///            allocates nothing. Memory grows before a call changes anything: when a call returns
///            OUT_OF_MEMORY the world is as it was, and the next call may succeed. A call takes up
///            to 96 KiB of stack (by default linkers for WebAssembly provide 64 KiB: link with -z
///            stack-size=131072).
/// Threads    There is no global state: two worlds may be used by two threads at once. Calls that
///            change one world must not overlap with other calls on it; reading calls (those that
///            take a const world) may run at the same time as each other. Graze makes no threads: a
///            step runs on the caller's thread, and on those that the def's `parallel` callback
///            lends it.
/// Lanes      A world uses the widest SIMD instructions that the build and the machine have (SSE2,
///            AVX2, AVX-512; NEON; WebAssembly's simd128), chosen when it is created. For tests the
///            environment variable GRAZE_LANES (scalar, sse2, avx2, avx512, neon, simd128) asks for
///            others; the log says when they are not available, the stats which are in use.
/// Errors     A call that fails returns a status, and the log gets a line that names the call, the
///            field and its value. A world must not be null, except for graze_world_destroy().
/// Rounding   The caller's rounding mode, flush-to-zero and floating-point traps change no result:
///            calls that compute set their own and restore the caller's. Callbacks run under
///            Graze's: round to nearest, denormals kept.
/// Same bits  The same calls give the same results, to the last bit: with every compiler, on every
///            machine that has IEEE 754 arithmetic, with any lanes, any number of threads and any
///            capacities, whatever was queried in between, and however the state came about (also
///            by loading a snapshot). Ids are part of the state: of two events at the same time the
///            one of the smaller id comes first. So bodies created in another order behave alike,
///            but for their ids, when they never meet, not even by way of others, or when all of
///            them GRAZE_PASS without a hit_limit; otherwise they may behave differently.
///            (The points of their contacts are found from one of the two: in another order they
///            may differ in the last bit and, of an overlap, be points of the other.)
/// Not        There is no such promise from one version of Graze to the next; where floats are not
///            IEEE 754 or are computed wider (x87; use -mfpmath=sse); where Graze itself is
///            compiled with -ffast-math (the game may be); or for the order of columns (body.h).
#ifndef GRAZE_WORLD_H
#define GRAZE_WORLD_H

#include <graze/allocator.h>
#include <graze/body.h>
#include <graze/chain.h>
#include <graze/contact.h>
#include <graze/id.h>
#include <graze/status.h>
#include <graze/tasks.h>
#include <graze/vec2.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// May veto a meeting that the filters allow: when it returns false the two do not meet in this
/// step. Of two bodies a is the one with the smaller index, as in contacts. Against terrain b is
/// none and segment.chain is set; segment.index is 0, as the answer holds for the whole chain. It
/// is called during a step, on the thread that called the step, any number of times for a pair,
/// zero included, and in no particular order. So its answer must depend only on the two things. It
/// may read bodies and chains, which are as they were before the step, and must not change the
/// world: such calls return BUSY.
typedef bool graze_filter_fn(const graze_world *world, graze_body_id a, graze_body_id b,
                             graze_segment_id segment, void *user);

/// What a world is made from. Start from graze_world_def_default().
typedef struct graze_world_def {
    graze_vec2 gravity;        ///< Units per second squared; moves what has mass. Default 0, 0.
    uint32_t body_capacity;    ///< Hint; 0: grow as needed.
    uint32_t segment_capacity; ///< Hint; 0: grow as needed.
    uint32_t contact_capacity; ///< Hint, contacts of one step; 0: grow as needed.
    /// Never hold more bodies, segments or contacts than given above: a call that would do so
    /// returns GRAZE_ERROR_LIMIT and changes nothing. body_capacity and contact_capacity must be
    /// given; segment_capacity 0 means no terrain. The step's scratch memory is not bounded by
    /// this. Default false.
    bool fixed_capacity;
    graze_allocator allocator; ///< Default all zero: malloc and free.
    graze_log_fn *log;         ///< Default null: no log.
    void *log_user;
    graze_filter_fn *filter; ///< Default null: graze_filter alone decides (body.h).
    void *filter_user;
    graze_parallel_fn *parallel; ///< Default null: the caller's thread does all work (tasks.h).
    void *parallel_user;
    /// How many threads `parallel` uses, as a hint: work is cut the same way whatever it is.
    /// Default 1.
    uint32_t worker_count;
    uint32_t cookie; ///< Set by graze_world_def_default(); a def without it is refused.
} graze_world_def;

/// Returns a def that is valid as it is.
graze_world_def graze_world_def_default(void);

/// Returns a new, empty world, or null when the def is bad or there is no memory; the def's log, if
/// there is one, gets a line that says which (not for a def without its cookie, whose log may be
/// anything). The caller owns the world: graze_world_destroy().
graze_world *graze_world_create(const graze_world_def *def);

/// Frees the world and all it holds. Null is allowed.
void graze_world_destroy(graze_world *world);

/// Advances the world by dt seconds (finite, above 0) and reports what met (contact.h).
///
/// Phases     Predict, sort, pairs, decide, respond, commit, report.
/// Errors     ARGUMENT, BUSY (inside a step), OUT_OF_MEMORY, LIMIT: the world is as it was before
///            the call. A body whose motion would leave the range of float is stopped, kept, logged
///            and counted in the stats; the step itself succeeds.
/// Cost       Tens of nanoseconds a body; see the README for figures.
graze_status graze_world_step(graze_world *world, float dt);

/// Returns the status of the last call on this world that creates something and so returns an id,
/// or a count, instead of a status.
graze_status graze_world_last_status(const graze_world *world);

/// Returns a hash of the whole state: bodies, terrain, and the pairs that met in the last step. Two
/// worlds in the same state have equal hashes, however they came to it.
///
/// Cost       Linear in the state.
/// Source     FNV-1a by 64-bit words: G. Fowler, L. C. Noll, K.-P. Vo 1991, with a final mix.
uint64_t graze_world_hash(const graze_world *world);

/// Returns how many bytes a snapshot of the world has now: 112, and
///
///     24 for each body, and 28 for each one that the last step removed;
///      8 for each index of a body, vacant ones included (the most bodies there ever were);
///      8 for every 64 indices, or part of that;
///     32 for each chain and each vacant index of one, and 8 for each point;
///     60 for each contact of the last step (32, and 28 for each pair that met);
///     28 for each contact end;
///
/// and, while any body in the world needs it,
///
///      8 for each body, if one is a rect;
///     12 for each index, if one has a mass other than 1, a restitution or a friction;
///     12 for each index, if one has a lifetime or a hit_limit;
///     12 for each index, if one has a filter of its own;
///      8 for each index, if one has user_data.
///
/// Cost       Linear in the numbers of chains and bodies, but far less than saving them.
size_t graze_world_snapshot_size(const graze_world *world);

/// Writes a snapshot of the world into `buffer`, which holds `size` bytes and may have any
/// alignment.
///
/// Contents   The state (all that graze_world_hash() covers), what the last step reported
///            (contacts, ends, counts; not times), and the bodies that it removed. Worlds with
///            equal states and reports give equal bytes. Not included: the allocator, capacities,
///            callbacks and their user pointers, and what a game keeps elsewhere under a user_data.
/// Format     It has no pointers and no padding, but a version, a mark for the byte order, and a
///            checksum. Any machine can load it, by this version of the format.
/// Errors     BUSY inside a step; ARGUMENT when buffer is null; LIMIT when size is less than
///            graze_world_snapshot_size(). What buffer holds is then unspecified. The world is
///            never changed.
/// Cost       Some nanoseconds a body, a small multiple of a memcpy of the bytes (bench:
///            engine/snapshot_save, beside it). Allocates nothing.
/// Deltas     There are none: in a bullet hell of 20 000 bodies nearly everything changes in every
///            step, and a ring of eight frames, the first one whole, would be 3.3 times smaller.
graze_status graze_world_save(const graze_world *world, void *buffer, size_t size);

/// Restores the state that the snapshot in `buffer` holds, whatever is in the world now. `size` is
/// the snapshot's size or more: bytes behind it are not read.
///
/// Promise    From here on every call gives what it would have given in the saved world: steps give
///            the same contacts and hashes to the last bit, creations the same ids, and the contact
///            lists are those of its last step. The ids that were valid then are valid, and no
///            others. Two things may differ: the order of columns (body.h), and the stats'
///            byte_count, lanes, phase_seconds and grid.
/// Kept       The allocator, log, filter, parallel callback and capacities stay the world's own.
/// Views      Views of lists and columns are invalid after the call; points of chains that are the
///            same before and after remain valid.
/// Errors     FORMAT when the bytes are no snapshot, cut short, damaged, of a newer version, or
///            describe a state that no world can have: all of it is checked. LIMIT when it exceeds
///            a fixed capacity; OUT_OF_MEMORY; BUSY inside a step; ARGUMENT when buffer is null. In
///            all of these cases the world is as it was. The checksum detects damage, not forgery;
///            a forged snapshot gives another world, but a valid one.
/// Cost       Somewhat more than that of saving, half of it for checking the bytes (bench:
///            engine/snapshot_load). Terrain that equals the world's own is only compared; chains
///            that differ cost what removing and creating them costs. Allocates only what the world
///            has never needed before, and for terrain that differs; and, during the call, as many
///            bytes as the snapshot has when its byte order is not this machine's. Until the next
///            step, or graze_world_sort(), queries look at every body.
/// Past       To query a state of the past, load it into a second world kept for that purpose: ids
///            are the same there, and the first world is not touched.
graze_status graze_world_load(graze_world *world, const void *buffer, size_t size);

/// Sorts all bodies into the grid, as a step does, but moves nothing and reports nothing. It speeds
/// up queries that are made before the next step and after graze_world_load(), or after many bodies
/// were created or teleported: until they are sorted a query looks at each such body. Results are
/// the same either way. State and lists stay as they are; the order of columns changes.
///
/// Errors     BUSY inside a step; OUT_OF_MEMORY. In both cases the world is as it was.
/// Cost       The phases predict and sort of a step, about 30 ns a body (bench:
///            engine/sort_loaded): worth it for more than a few queries.
graze_status graze_world_sort(graze_world *world);

/// The phases of a step, as indices of graze_world_stats.phase_seconds.
typedef enum graze_phase {
    GRAZE_PHASE_PREDICT,
    GRAZE_PHASE_SORT,
    GRAZE_PHASE_PAIRS,
    GRAZE_PHASE_DECIDE,
    GRAZE_PHASE_RESPOND,
    GRAZE_PHASE_COMMIT,
    GRAZE_PHASE_REPORT,
    GRAZE_PHASE_COUNT
} graze_phase;

/// Returns the phase's name in lower case, static; "unknown" for a value that is none.
const char *graze_phase_name(graze_phase phase);

/// Into which cells the last step sorted the bodies, and why; all zero before the first step. The
/// grid has no bounds and no cell size to set: it chooses both by counting, and no choice changes a
/// result.
typedef struct graze_grid_choice {
    uint32_t body_count;    ///< Bodies sorted; those at rest are not.
    uint32_t class_count;   ///< Classes of bodies of similar size; each has cells of its own.
    uint32_t kept_count;    ///< Classes that kept the cells of the sort before.
    uint32_t refined_count; ///< Classes that got finer cells because their bodies crowd.
    uint32_t cell_count;    ///< Cells of all classes.
    double smallest_cell;   ///< Shortest side of a cell, units; 0 when there are no bodies.
    double largest_cell;    ///< Longest side of a cell, units; 0 when there are no bodies.
    /// The mean number of bodies in a body's own cell, itself included, in the cells that the sort
    /// began with. About 3 in an even world; from 6 on other cells are tried.
    double first_crowding;
    double crowding;       ///< The same in the cells that it chose.
    uint64_t tested_count; ///< Pairs of boxes compared in these cells: the work of finding pairs.
} graze_grid_choice;

/// Counts and times of a world. Pairs, contacts, times and the grid are the last step's.
typedef struct graze_world_stats {
    uint64_t step_count;     ///< Steps since creation.
    uint32_t body_count;     ///< Bodies in the world now.
    uint32_t chain_count;    ///< Chains in the world now.
    uint32_t segment_count;  ///< Segments in the world now.
    uint64_t pair_count;     ///< Candidate pairs whose swept boxes overlap.
    uint32_t contact_count;  ///< Contacts reported.
    uint32_t begin_count;    ///< Those of them that are BEGIN.
    uint32_t end_count;      ///< Ends reported.
    uint64_t hit_count;      ///< Hits (body.h) by bodies with a response or a hit_limit.
    uint32_t removed_count;  ///< Bodies removed by their hit_limit or lifetime.
    uint32_t overflow_count; ///< Bodies stopped because their motion would leave float's range.
    size_t byte_count;       ///< Memory held from the allocator, all in.
    const char *lanes;       ///< SIMD lanes in use: scalar, sse2, avx2, avx512, neon, simd128.
    double phase_seconds[GRAZE_PHASE_COUNT]; ///< Wall time of each phase.
    graze_grid_choice grid;                  ///< What the grid of bodies chose, and why.
} graze_world_stats;

/// Returns the counts and times. Constant time.
graze_world_stats graze_world_get_stats(const graze_world *world);

#ifdef __cplusplus
}
#endif

#endif
