/// @file world.h
/// A world: bodies, terrain, and the step that moves them. A game makes a world, adds chains and
/// bodies, and steps it at a fixed rate. After each step it reads positions and contacts.
///
///     graze_world_def def = graze_world_def_default();
///     def.gravity = (graze_vec2){0, -10};
///     graze_world *world = graze_world_create(&def);
///     ... graze_chain_create(), graze_body_create() ...
///     graze_status status = graze_world_step(world, 1.0f / 60.0f);
///     graze_contact_list contacts = graze_world_contacts(world);
///     graze_world_destroy(world);
///
/// Units      The game's own; dt in seconds. With dt = 1 velocities are displacements per step.
/// Errors     A call that fails returns a status. The log receives a line that names the call, the
///            field and its value (status.h). A world pointer must not be null, except for
///            graze_world_destroy().
/// Threads    There is no global state: two threads may use two worlds at once. Calls that change a
///            world must not overlap with any other call on it. Reading calls (those that take a
///            const world) may run concurrently. Graze creates no threads: a step runs on the
///            caller's thread and on those that the def's `parallel` callback provides. Allocator,
///            log and filter are called on the caller's thread alone (allocator.h, status.h).
/// Same bits  The same sequence of calls gives the same results to the last bit. That holds
///              - with every compiler, and on every machine with IEEE 754 arithmetic;
///              - with any SIMD lanes, any number of threads and any capacities;
///              - whatever was queried in between;
///              - when the state was loaded from a snapshot.
///
///            The order of creation does matter, because ids are part of the state. Of two events
///            at the same time, the one with the smaller id comes first. See Order below.
/// Memory     All memory of a world comes from its allocator. After warm-up a step allocates
///            nothing, unless it needs more of something (contacts, pairs) than all steps before.
///            Then it makes room for half as much again. A call allocates before it changes
///            anything: if it returns OUT_OF_MEMORY the world is as it was, and the next call may
///            succeed.
/// Sizes      A body takes some 120 bytes with its share of the grid. Each contact of a step takes
///            150 to 200. (world_state.h in engine/src has the list.) That is 210 bytes a body in a
///            gas, and 4700 where each body touches twenty others. A body that is not GRAZE_PASS
///            takes up to 1900 bytes once something comes near it, and up to 5100 in a heap.
/// Stack      A call uses up to 96 KiB of stack. (Linkers for WebAssembly provide 64 KiB by
///            default: link with -z stack-size=131072.)
/// Lanes      A world uses the widest SIMD instructions that both the build and the machine have
///            (SSE2, AVX2, AVX-512, NEON, WebAssembly simd128). It chooses them when it is created.
///            For tests, the environment variable GRAZE_LANES (scalar, sse2, avx2, avx512, neon,
///            simd128) selects others. If these are not available the log says so. The stats name
///            the set in use.
/// Rounding   The caller's rounding mode, flush-to-zero setting and floating-point traps affect no
///            result. Calls that compute set their own and restore the caller's. Callbacks from
///            inside these calls run under Graze's settings: round to nearest, denormals kept.
/// Order      Bodies created in another order behave the same, apart from their ids, if they never
///            meet, directly or by way of others. They also do if all of them are GRAZE_PASS
///            without a hit_limit. Even then two things may differ:
///              - The points of their contacts, since a point is computed from one body of the
///                pair. They differ in the last bit. For an overlap the point may lie on the other
///                body.
///              - The normal of an overlap that has several ways out of equal length, such as that
///                of two bodies with the same centre.
/// No promise Results may change from one version of Graze to the next. Nothing is promised
///              - if float arithmetic is not IEEE 754 or has excess precision (x87; use
///                -mfpmath=sse);
///              - where Graze itself is compiled with -ffast-math (the game may be);
///              - for the order of columns (body.h).
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

/// A function of the game that vetoes contacts which the filters allow. If it returns false, a and
/// b do not meet in this step. Of two bodies a has the smaller index, as in contacts. Against
/// terrain b is none and segment.chain is set. segment.index is 0 then, because the answer applies
/// to the whole chain.
///
/// Calls      It is called during a step, on the thread that called the step. The order is not
///            stated, and a pair may be asked about any number of times, or never. So the answer
///            must depend on nothing but the two things within a step.
/// May        It may read bodies and chains, and query (query.h): all are as they were before the
///            step. It must not change the world: such calls return BUSY.
typedef bool graze_filter_fn(const graze_world *world, graze_body_id a, graze_body_id b,
                             graze_segment_id segment, void *user);

/// The definition of a world. Start from graze_world_def_default().
typedef struct graze_world_def {
    graze_vec2 gravity;     ///< Units per second squared, finite; moves what has mass. Default 0.
    uint32_t body_capacity; ///< Bodies to reserve memory for, < 2^30. Default 0: grow as needed.
    /// Segments of terrain. It is a limit if fixed_capacity is set, and ignored otherwise. It
    /// reserves nothing. Default 0.
    uint32_t segment_capacity;
    uint32_t contact_capacity; ///< Contacts of one step to reserve memory for. Default 0.
    /// Never hold more bodies, segments or contacts than the capacities above. A call that would do
    /// so returns GRAZE_ERROR_LIMIT and changes nothing. body_capacity and contact_capacity must
    /// then be above 0. A segment_capacity of 0 means no terrain. Two kinds of memory are neither
    /// limited nor reserved: the step's scratch memory, and what is kept of the contacts of rigid
    /// bodies. A step that needs more of them than before allocates. Default false.
    bool fixed_capacity;
    graze_allocator allocator;   ///< Default all zero: malloc and free (allocator.h).
    graze_log_fn *log;           ///< Default null: no log (status.h).
    void *log_user;              ///< Passed to `log`. Default null.
    graze_filter_fn *filter;     ///< Default null: only each body's graze_filter decides (body.h).
    void *filter_user;           ///< Passed to `filter`. Default null.
    graze_parallel_fn *parallel; ///< Default null: the caller's thread does all work (tasks.h).
    void *parallel_user;         ///< Passed to `parallel`. Default null.
    /// Parts into which a step divides the motion of rigid bodies, 1 to 64. More parts make
    /// contacts stiffer, and cost more. Default 4.
    uint32_t substeps;
    /// Reserved: how many threads `parallel` uses. Any value is allowed and ignored: the work is
    /// cut into the same tasks for any number of threads. Default 1.
    uint32_t worker_count;
    uint32_t cookie; ///< Set by graze_world_def_default(); a def without it is refused.
} graze_world_def;

/// Returns a definition with all defaults, which is valid as it is.
graze_world_def graze_world_def_default(void);

/// Returns a new, empty world. The caller owns it, and frees it by graze_world_destroy(). The def
/// is only read during the call.
///
/// Errors     Null if the def is null or invalid, or memory runs out. The def's log, if set,
///            receives a line with the reason. But the log of a def without its cookie is not
///            called, as its pointer cannot be trusted either.
/// Cost       Allocates the memory that the capacities reserve, and a few small blocks.
graze_world *graze_world_create(const graze_world_def *def);

/// Frees the world and everything in it. Its ids, views and columns become invalid. A recording
/// that is on is stopped first, and its end written (record.h). Null is allowed. It must not be
/// called from inside a step.
void graze_world_destroy(graze_world *world);

/// Advances the world by dt seconds (finite, above 0) and reports the contacts (contact.h).
///
/// Phases     Predict, sort, pairs, decide, respond, commit, report.
/// Rate       Steps of one length are best: the same seconds then give the same bits, and what
///            slides or bounces falls asleep. Heaps of rigid bodies stand and sleep also where
///            lengths vary: what their contacts keep is stretched by the length of the substep, and
///            their springs are those of the mean one (of the last 64 steps or so). That holds for
///            frames that differ by a third, for short steps between whole ones, and for a first
///            frame that takes long. A very long step among others shakes high stacks.
/// Errors     ARGUMENT, BUSY (called from inside a step), OUT_OF_MEMORY, LIMIT: the world is as it
///            was before the call. A body whose motion would leave the range of float is stopped
///            and kept. It is logged and counted in the stats, and the step itself succeeds.
/// Cost       On the machine of README's table a step takes
///              - 10 to 60 ns for a bullet, or for a body that meets few others
///                (bench: engine/step/gas, engine/step/bullet-hell);
///              - 70 to 350 ns for a body that bounces off others (bench: engine/step/gas-bounce,
///                engine/step/gas-bounce-fast);
///              - 400 to 2000 ns for a body that lies in a heap, walks on terrain or bursts out of
///                a crowd (bench: engine/step/heap-rough, engine/step/walkers, engine/step/burst).
///
///            It grows with the numbers of bodies, of contacts, and of candidate pairs (pair_count
///            in the stats). These are found within the bound of graze_grid_next_pairs() (grid.h).
/// Fast       A fast body is tested against what lies near its path. Bodies that are not small
///            beside the path are tested against the box around it. The path of a body that slides
///            or bounces is not known beforehand, so all that it might reach is a candidate. Bodies
///            (not rays) that fly across the whole world in one step overlap most of each other's
///            boxes. Among many of these, pairs and cost grow with the square of their number.
graze_status graze_world_step(graze_world *world, float dt);

/// Returns the world's gravity, units per second squared.
graze_vec2 graze_world_gravity(const graze_world *world);

/// Sets the world's gravity, units per second squared, from the next step on. If that changes it,
/// all that lies at rest wakes.
///
/// Errors     ARGUMENT if it is not finite; BUSY inside a step. The gravity is then as it was.
/// Cost       Constant if it does not change. Otherwise it is linear in the bodies at rest, and the
///            next step costs what it does where no body rests.
graze_status graze_world_set_gravity(graze_world *world, graze_vec2 gravity);

/// An explosion: pushes the bodies near a point away from it. `impulse` is in mass times units per
/// second; below 0 it pulls. It holds from the next step on, and is recorded. Each body that it
/// pushes wakes.
///
/// Strength   Say that the nearest point of a body is at a distance d below `radius`. The body gets
///            the impulse `impulse` * (1 - d / radius), as by graze_body_apply_impulse(). The
///            impulse acts at that point, in the direction from `center` to it.
/// Inside     If `center` lies inside the body the impulse is whole. It acts there, and leads
///            towards the body's centre. At the very centre there is none.
/// Finds      Bodies are found as by a query with `filter` (query.h). Terrain and other bodies
///            shield nothing.
/// Errors     ARGUMENT if a number is not finite or radius is below 0; BUSY inside a step;
///            OUT_OF_MEMORY, for the list of the bodies. Nothing has happened then.
/// Cost       That of graze_query_box() around it, and of a setter for each body in it.
graze_status graze_world_explode(graze_world *world, graze_vec2 center, float radius, float impulse,
                                 graze_filter filter);

/// Returns into how many parts a step divides the motion of rigid bodies.
uint32_t graze_world_substeps(const graze_world *world);

/// Sets into how many parts a step divides the motion of rigid bodies: 1 to 64, from the next step
/// on. If that changes the number, all that lies at rest wakes. With twice as many, what lies on
/// each other overlaps by a quarter; heaps come to that within a second or so.
///
/// Errors     ARGUMENT if it is out of range; BUSY inside a step. It is then as it was.
/// Cost       As graze_world_set_gravity().
graze_status graze_world_set_substeps(graze_world *world, uint32_t substeps);

/// Returns the status of the last call of graze_body_create(), graze_body_create_many() or
/// graze_chain_create() on this world, which return ids or a count instead of a status.
graze_status graze_world_last_status(const graze_world *world);

/// Returns a hash of the whole state. That is bodies, terrain, the pairs that met in the last step,
/// and what the solver keeps of contacts. Worlds in the same state have equal hashes, however they
/// got there.
///
/// Cost       Linear in the state.
/// Source     FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo 1991) on 64-bit words, each followed by a
///            shift.
uint64_t graze_world_hash(const graze_world *world);

/// Returns the size in bytes that a snapshot of the world has now: 128, plus
///
///     24 for each body, and 28 for each one that the last step removed;
///      8 for each index of a body, vacant ones included (the most bodies there ever were);
///      8 for every 64 indices, or part of that;
///     56 for each chain and each vacant index of one, 8 for each point, and 16 for each segment of
///        a chain whose segments have surfaces of their own;
///     60 for each contact of the last step (32, and 28 for each pair that met);
///     28 for each contact end;
///    120 for each contact that the solver keeps (response.h, Contacts);
///
/// and, if any body in the world, or one that the last step removed, needs it,
///
///      8 for each of these bodies, if one is a rect, or a circle with GRAZE_RIGID;
///     20 for each index, if one has a mass other than 1, or a surface other than the default;
///     12 for each index, if one has a lifetime or hits of its hit_limit left;
///     16 for each index, if one has a filter of its own;
///      8 for each index, if one has user_data;
///     24 for each index, if one slides, bounces or is rigid and is no ray, or has an inertia, a
///        damping, a gravity_scale or a never_sleeps of its own.
///
/// Cost       Linear in the numbers of chains and bodies; far less than saving them.
size_t graze_world_snapshot_size(const graze_world *world);

/// Writes a snapshot of the world into `buffer`, which holds `size` bytes and may have any
/// alignment.
///
/// Contents   The state (all that graze_world_hash() covers), the reports of the last step
///            (contacts, ends and counts, but not times), and the bodies that it removed. Worlds
///            with equal states and reports give equal bytes.
/// Left out   The allocator, capacities, callbacks and their user pointers, and whatever the game's
///            user_data refers to.
/// Format     A version, a byte order mark, a checksum and plain little-endian arrays, without
///            pointers or padding. Any machine can load it, with a library that reads this version
///            of the format. This library writes and reads version 9 alone.
/// Errors     BUSY inside a step; ARGUMENT if buffer is null; LIMIT if size is less than
///            graze_world_snapshot_size(). The contents of buffer are then unspecified. The world
///            is never changed.
/// Cost       Some nanoseconds per body, a small multiple of a memcpy of the same bytes
///            (bench: engine/snapshot_save reports both). It allocates nothing.
/// Deltas     Not provided. In a bullet hell of 20 000 bodies nearly everything changes in every
///            step. A ring of eight frames, only the first of them whole, would be 3.3 times
///            smaller.
graze_status graze_world_save(const graze_world *world, void *buffer, size_t size);

/// Replaces the state of the world by that of the snapshot in `buffer`. `size` is the snapshot's
/// size or more; bytes beyond the snapshot are not read.
///
/// Promise    Every later call gives the result that it would have given in the saved world. Steps
///            give the same contacts and hashes to the last bit, and creations the same ids. The
///            contact lists are those of its last step. Exactly the ids that were valid then are
///            valid. Two things may differ: the order of columns (body.h), and byte_count, lanes,
///            phase_seconds and grid in the stats.
/// Kept       The allocator, log, filter, parallel callback and capacities stay the world's own.
/// Views      Views of lists and columns become invalid. They do so also if it fails, though the
///            lists are the same then. The points of chains that are the same before and after stay
///            valid.
/// Errors     FORMAT if the bytes are no snapshot, or one that is cut short, damaged or of another
///            version, or describes a state that no world can have. All of it is checked. LIMIT if
///            it exceeds a fixed capacity; OUT_OF_MEMORY; BUSY inside a step; ARGUMENT if buffer is
///            null. In all of these cases the world is as it was. Room is checked first: a damaged
///            snapshot that asks for more than there is gives LIMIT or OUT_OF_MEMORY.
/// Forgery    The checksum detects damage, not forgery. A forged snapshot gives another world, but
///            a valid one.
/// Cost       Somewhat more than saving: bytes are checked while they are copied
///            (bench: engine/snapshot_load). Terrain that equals the world's own is only compared.
///            Chains that differ cost what removing and creating them costs. Until the next step or
///            graze_world_sort(), queries test every body.
/// Memory     The first call makes a second set of the columns of bodies, into which snapshots are
///            copied: 64 bytes for each body, up to 168 where it needs columns that not all worlds
///            have. Later calls allocate what the world has never needed before, and what new
///            terrain takes. During the call they also allocate a copy of a snapshot whose byte
///            order is not this machine's.
/// Past       To query a past state without touching the world, load it into a second world kept
///            for that purpose. The ids are the same there.
graze_status graze_world_load(graze_world *world, const void *buffer, size_t size);

/// Sorts all bodies into the grid as a step does, but moves nothing and reports nothing. It makes
/// queries faster that follow graze_world_load(), or the creation or teleporting of many bodies,
/// before the next step. Until bodies are sorted, a query tests each of them. Results are the same
/// either way. State and lists stay as they are; the order of columns changes.
///
/// Errors     BUSY inside a step; OUT_OF_MEMORY. In both cases the world is as it was.
/// Cost       That of the phases predict and sort, some 10 ns a body (bench: engine/sort_loaded).
///            It is worth it for more than a few queries.
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

/// Returns the phase's name in lower case, or "unknown" for a value that is no phase. The string is
/// static.
const char *graze_phase_name(graze_phase phase);

/// How the grid stored the bodies in the last step, and why. All zero before the first step. The
/// grid has no bounds and no cell size to set: it chooses its cells by counting. No choice changes
/// a result.
typedef struct graze_grid_choice {
    uint32_t body_count;    ///< Bodies sorted; bodies at rest are kept apart.
    uint32_t class_count;   ///< Classes of bodies of similar size; each has cells of its own.
    uint32_t kept_count;    ///< Classes that kept the cells of the previous sort.
    uint32_t refined_count; ///< Classes that got finer cells because their bodies crowd.
    uint32_t cell_count;    ///< Cells of all classes.
    double smallest_cell;   ///< Shortest side of a cell, units; 0 when there are no bodies.
    double largest_cell;    ///< Longest side of a cell, units; 0 when there are no bodies.
    /// How crowded the cells were at first: the mean number of bodies in a body's own cell, itself
    /// included. It is about 3 for evenly spread bodies. From 6 on other cells are tried.
    double first_crowding;
    double crowding;       ///< The same for the cells that were chosen.
    uint64_t tested_count; ///< Pairs of boxes compared: the work of finding pairs.
} graze_grid_choice;

/// Counts and times. Pairs, contacts, ends, hits, times and the grid are those of the last step.
typedef struct graze_world_stats {
    uint64_t step_count;    ///< Steps since the world was created.
    uint32_t body_count;    ///< Bodies in the world now.
    uint32_t chain_count;   ///< Chains in the world now.
    uint32_t segment_count; ///< Segments in the world now.
    /// Candidate pairs: their swept boxes overlap, their filters let them meet, and neither passes
    /// the other (graze_grid_moves).
    uint64_t pair_count;
    uint32_t contact_count;  ///< Contacts reported.
    uint32_t begin_count;    ///< Contacts whose phase is BEGIN.
    uint32_t end_count;      ///< Ends reported.
    uint64_t hit_count;      ///< Hits (response.h) by bodies with a response or a hit_limit.
    uint32_t removed_count;  ///< Bodies removed by their hit_limit or lifetime.
    uint32_t overflow_count; ///< Bodies stopped because their motion would leave float's range.
    size_t byte_count;       ///< All memory held from the allocator.
    const char *lanes;       ///< SIMD lanes in use: scalar, sse2, avx2, avx512, neon, simd128.
    /// Wall time of each phase. Without POSIX, meaningless in a step in which the clock is set.
    double phase_seconds[GRAZE_PHASE_COUNT];
    graze_grid_choice grid; ///< What the grid of bodies chose, and why.
} graze_world_stats;

/// Returns the stats. Constant time.
graze_world_stats graze_world_get_stats(const graze_world *world);

#ifdef __cplusplus
}
#endif

#endif
