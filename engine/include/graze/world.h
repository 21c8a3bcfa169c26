/// @file world.h
/// A world: bodies, terrain, and the step that moves them.
///
/// Units      The game's own; dt in seconds. With dt = 1 velocities are displacements per step.
/// Memory     Everything a world holds comes from its allocator. After warm-up a step allocates
///            nothing. Growth happens before a call changes anything: on OUT_OF_MEMORY the world is
///            as it was and the next call may succeed. A call takes up to 96 KiB of stack (linkers
///            for WebAssembly give 64 KiB when not told: -z stack-size=131072).
/// Threads    No global state: two worlds on two threads never meet. Calls that change one world
///            must not overlap; reading calls (const world) may run at the same time as each other.
///            A step runs on the caller's thread; where the def has a `parallel` callback, it hands
///            that the blocks of its loops. None is ever made here.
/// Lanes      A world works with the widest SIMD instructions that build and machine have (SSE2,
///            AVX2, AVX-512; NEON; WebAssembly's simd128), chosen when it is made. The environment
///            variable GRAZE_LANES (scalar, sse2, avx2, avx512, neon, simd128) asks for others, for
///            tests; when they cannot be had, the log says so. Stats say which are in use.
/// Errors     A status, and a line to the log that names the call, the field and its value.
/// Rounding   The caller's rounding mode, flush-to-zero and traps change nothing: calls that
///            compute set their own and restore the caller's. Callbacks run under Graze's: round to
///            nearest, denormals kept.
/// Same bits  The same calls give the same results to the last bit: with every compiler and on
///            every machine that has IEEE arithmetic, with any lanes, on any number of threads, at
///            any capacities, whatever was asked in between and however the state came about (from
///            a snapshot, too). Ids are part of the state: of what happens at one time the smaller
///            id goes first. So bodies made in another order behave the same, but for their ids, if
///            they never meet, even by way of others, or all GRAZE_PASS without a hit_limit; else
///            they may not.
/// Not        Promised is nothing from one version of Graze to the next, nothing where floats are
///            not IEEE's or are kept wider (x87: -mfpmath=sse), or where Graze itself is compiled
///            with -ffast-math (a game may be), and no order of columns.
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

/// May veto a meeting that the filters allow: return false and the two do not meet in this step.
/// Against terrain b is none and segment.chain is set (segment.index is 0: the answer is for the
/// whole chain). Called during a step, zero or more times a pair, in no promised order: its answer
/// must depend only on the two things. It must not change the world.
typedef bool graze_filter_fn(const graze_world *world, graze_body_id a, graze_body_id b,
                             graze_segment_id segment, void *user);

/// What a world is made from. Start from graze_world_def_default().
typedef struct graze_world_def {
    graze_vec2 gravity;        ///< Units per second squared, on all with mass. Default 0, 0.
    uint32_t body_capacity;    ///< Hint; 0: grow as needed.
    uint32_t segment_capacity; ///< Hint; 0: grow as needed.
    uint32_t contact_capacity; ///< Hint, contacts of one step; 0: grow as needed.
    /// Never hold more bodies, segments or contacts than said above: a call that would is
    /// GRAZE_ERROR_LIMIT and changes nothing. body_capacity and contact_capacity must be given;
    /// segment_capacity 0 means no terrain. Scratch of the step is not bounded. Default false.
    bool fixed_capacity;
    graze_allocator allocator; ///< Default all zero: malloc and free.
    graze_log_fn *log;         ///< Default null: no log.
    void *log_user;
    graze_filter_fn *filter; ///< Default null: the filters alone decide.
    void *filter_user;
    graze_parallel_fn *parallel; ///< Default null: one thread, the caller's; none is ever made.
    void *parallel_user;
    /// Threads that `parallel` uses. Work is cut the same way whatever it is. Default 1.
    uint32_t worker_count;
    uint32_t cookie; ///< Set by graze_world_def_default(); a def without it is refused.
} graze_world_def;

/// Returns a def that is valid as it is.
graze_world_def graze_world_def_default(void);

/// Returns a new, empty world, or null when the def is bad or there is no memory (the def's log,
/// where there is one, is told which). The caller owns it: graze_world_destroy().
graze_world *graze_world_create(const graze_world_def *def);

/// Frees the world and all it holds. Null is allowed.
void graze_world_destroy(graze_world *world);

/// Moves everything by dt seconds (finite, above 0) and reports what met.
///
/// Phases     Predict, sort, pairs, decide, respond, commit, report.
/// Errors     ARGUMENT, OUT_OF_MEMORY, LIMIT: the world is as it was before the call. A body whose
///            motion would leave the range of float is stopped, kept, logged and counted in the
///            stats; the step itself succeeds.
/// Cost       Tens of nanoseconds a body; see the README for figures.
graze_status graze_world_step(graze_world *world, float dt);

/// Returns the status of the last call on this world that returned an id.
graze_status graze_world_last_status(const graze_world *world);

/// Returns a hash of the whole state: bodies, terrain, contacts to be ended. Two worlds that will
/// behave alike have equal hashes, however they came to their state.
///
/// Cost       Linear in the state.
/// Source     FNV-1a by 64-bit words: G. Fowler, L. C. Noll, K.-P. Vo 1991, with a final mix.
uint64_t graze_world_hash(const graze_world *world);

/// Returns how many bytes a snapshot of the world has now: 112, and
///
///     24 for each body, also for one that the last step removed, which takes 4 more;
///      8 for each index of a body, vacant ones included (the most that ever were);
///      8 for every 64 indices, or part of that,
///     32 for each chain and each vacant index of one, and 8 for each of its points,
///     60 for each contact of the last step (32, and 28 for each pair that met),
///     28 for each contact end;
///
/// and, while there is a body that needs it,
///
///      8 for each body: one is a rect,
///     12 for each index: one has a mass other than 1, a restitution or a friction,
///     12 for each index: one has a lifetime, a hit_limit or counted hits,
///     12 for each index: one has a filter of its own,
///      8 for each index: one has user_data.
///
/// Cost       Linear in the number of chains and of bodies; next to nothing a body.
size_t graze_world_snapshot_size(const graze_world *world);

/// Writes a snapshot of the world into `buffer`, which holds `size` bytes and may have any
/// alignment.
///
/// Contents   The state (all that graze_world_hash covers), what the last step reported (contacts,
///            ends, counts; not times), and the bodies that it removed. Worlds that have equal
///            states and reports give equal bytes. Not in it: the allocator, capacities, callbacks
///            and their user pointers, and whatever a game keeps for itself under user_data.
/// Format     No pointers, no padding, a version, a mark for the byte order, a checksum. It can be
///            loaded by this version of the format on any machine.
/// Errors     BUSY inside a step; ARGUMENT when buffer is null; LIMIT when size is less than
///            graze_world_snapshot_size(). What buffer holds is unspecified then, the world is
///            never changed.
/// Cost       Some nanoseconds a body, a small multiple of a memcpy of the bytes (bench:
///            engine/snapshot_save, beside it); allocates nothing.
/// Deltas     There are none. In a bullet hell of 20 000 bodies what differs from the frame before
///            comes to 1/4.8 of a snapshot at least, for all that flies changes in every step: a
///            ring of eight frames, the first one whole, would be 3.3 times smaller.
graze_status graze_world_save(const graze_world *world, void *buffer, size_t size);

/// Makes the world what it was when the snapshot in `buffer` was saved, whatever is in it now.
/// `size` is the snapshot's size or more: what follows it is not read.
///
/// Promise    From here on every call gives what it would have given the saved world: steps the
///            same contacts and hashes to the last bit, creations the same ids, contact lists the
///            same before the next step. All ids that were valid are, and no others. Two things may
///            differ: the order of the columns (graze_world_positions ...), and byte_count and
///            phase_seconds of the stats.
/// Kept       Allocator, log, filter, parallel and capacities are the world's own.
/// Views      Of lists and columns end; points of chains that stay as they are remain valid.
/// Errors     FORMAT when the bytes are no snapshot, cut short, damaged, of a newer version, or say
///            what no world can be: all of the state is checked. LIMIT when they exceed a fixed
///            capacity; OUT_OF_MEMORY; BUSY inside a step; ARGUMENT when buffer is null. The world
///            is as it was then. The checksum tells damage, not forgery; forged bytes give a world
///            that differs, but a valid one.
/// Cost       About twice that of saving (bench: engine/snapshot_load): a half to check the bytes,
///            a half to put them in place. Terrain that is the world's own is compared
///            and stays; for chains that differ what it costs to remove and to create them.
///            Allocates only what the world has never needed before, and for terrain that
///            differs; and for a while as many bytes as a snapshot has whose byte order is another.
///            Until the next step, or graze_world_sort(), queries look at every body.
/// Past       To query a state of the past, load it into a second world, kept for that: ids
///            are the same there, and the first world is not touched.
graze_status graze_world_load(graze_world *world, const void *buffer, size_t size);

/// Puts all bodies into the grid as a step does, but moves nothing and reports nothing: for queries
/// between a graze_world_load(), or creating or moving many bodies, and the next step. Without it
/// a query looks at each of these bodies; its results are the same. State and lists stay as they
/// are; the order of columns changes.
///
/// Errors     BUSY inside a step; OUT_OF_MEMORY: the world is as it was.
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

/// What cells the last step sorted bodies into, and why; all zero before the first step. The grid
/// has no bounds and no cell size to set: it chooses by counting. How it does changes no result.
typedef struct graze_grid_choice {
    uint32_t body_count;    ///< Sorted: bodies that rest are not.
    uint32_t class_count;   ///< Classes of bodies of similar size; each has cells of its own.
    uint32_t kept_count;    ///< Of them: those that went on with the cells of the sort before.
    uint32_t refined_count; ///< Of them: those with finer cells, because their bodies crowd.
    uint32_t cell_count;    ///< Cells of all classes.
    double smallest_cell;   ///< Shortest side of a cell, units; 0 when there are no bodies.
    double largest_cell;    ///< Longest side of a cell, units; 0 when there are no bodies.
    /// The mean number of bodies that a body shares its cell with, itself included, in the cells
    /// that the sort began with. About 3 in an even world; from 6 on other cells are tried.
    double first_crowding;
    double crowding;       ///< The same in the cells that it chose.
    uint64_t tested_count; ///< Pairs of boxes compared in these cells: what finding pairs has cost.
} graze_grid_choice;

/// Counts and times of a world. Pairs, contacts, times and the grid are the last step's.
typedef struct graze_world_stats {
    uint64_t step_count;     ///< Steps since creation.
    uint32_t body_count;     ///< In the world now.
    uint32_t chain_count;    ///< In the world now.
    uint32_t segment_count;  ///< In the world now.
    uint64_t pair_count;     ///< Candidate pairs whose swept boxes overlap.
    uint32_t contact_count;  ///< Contacts reported.
    uint32_t begin_count;    ///< Of these, BEGIN.
    uint32_t end_count;      ///< Ends reported.
    uint64_t hit_count;      ///< Hits (body.h) by bodies with a response or a hit_limit.
    uint32_t removed_count;  ///< Bodies removed by their hit_limit or lifetime.
    uint32_t overflow_count; ///< Bodies stopped because their motion would leave float's range.
    size_t byte_count;       ///< Memory held from the allocator, all in.
    const char *lanes;       ///< SIMD lanes in use: scalar, sse2, avx2, avx512, neon, simd128.
    double phase_seconds[GRAZE_PHASE_COUNT]; ///< Wall time of each phase.
    graze_grid_choice grid;                  ///< What the grid of bodies chose, and why.
} graze_world_stats;

graze_world_stats graze_world_get_stats(const graze_world *world);

#ifdef __cplusplus
}
#endif

#endif
