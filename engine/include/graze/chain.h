/// @file chain.h
/// Chains: static terrain made of segments that share their end points. A chain is open or a loop.
/// It is solid from both sides, or from one. It may be added and removed while the game runs.
///
///     graze_chain_def ground = graze_chain_def_default();
///     ground.points = (graze_vec2[]){{-50, 2}, {0, 0}, {50, 2}};
///     ground.count = 3;
///     graze_chain_id chain = graze_chain_create(world, &ground);
///
/// Units      The game's own.
/// Exactness  Whether a bullet crosses a segment is decided by exact signs (orient.h). A shared
///            vertex of two segments lets nothing through, and is crossed only once.
/// Threads    As in body.h: reading calls may run concurrently.
/// Errors     As in body.h.
/// Memory     Points and surfaces are copied; the def and its arrays are only read during the call.
/// Joints     What slides along a chain does not feel where its segments join. What slides or
///            bounces is not caught where different chains continue each other, such as the tiles
///            of a map. Nor is it where rects in a row do, such as a bridge. Losses, below, has the
///            exceptions.
/// Steps      A rect stops at whatever rises steeply in its way, however low (apart from rounding),
///            because it does not tilt. A circle slides over what is much lower than its radius,
///            and loses the speed that leads into the corner.
/// One side   A one-sided segment is solid only to what comes from its left. That is the left of
///            a->b as drawn with the y axis up, and the right with the y axis down. What comes from
///            the right passes. Until all of it is through it is not pushed, and no contact is
///            reported. If it turns around before, it goes back through; afterwards it may land. To
///            what is on the right the segment is not there. A neighbour that such a body meets
///            from the left ends where the two join.
///
///            To let a character drop through platforms, give these a category of their own. Take
///            it out of the character's mask (graze_body_set_filter()) until the character is in
///            one by more than 1/16 of its smaller half size. That takes a few steps (platformer.c
///            in engine/examples).
/// Sides      A ray, or a body with GRAZE_PASS, comes from the side on which its centre is at the
///            start of the step. If the step deflected it, it comes from the side on which it was
///            then. A circle or rect that stops, slides or bounces comes from the right if its
///            centre is there. With its centre on the left it may still be on its way through. Then
///            its depth in the segment at the start of the step decides:
///              - by more than 1/16 of its smaller half size: it passes;
///              - by less: it passes while it moves away, otherwise it is set on top;
///              - however deep: it does not pass if in the last step it met a one-sided segment
///                that faces the same way (to within 90 degrees).
///
///            So what lies on a platform stays on it, however deep others press it in. What is put
///            deep into one (by a position, an angle, a filter, or a new chain) comes through. Of a
///            rect that spins only the circle within it has to pass. Corners that are still in the
///            segment then are pushed out on top.
/// Ends       This is about the end of a one-sided chain, or where it joins a segment that is not
///            there for the body. What comes from the side, with its centre on the left and part of
///            it on the right, passes the end, too. For that both must be so:
///              - It touches the end with a side that leans more than 45 degrees from the segment
///                (of upright rects, more by however little).
///              - The end makes no corner of 90 degrees or more with another segment.
///
///            Where another one-sided chain goes on from that end, at less than 90 degrees, the two
///            count as one for all this. So rows and outlines may be put together from separate
///            chains.
/// Losses     What a body that slides or bounces may lose at a joint:
///              - A rect loses nothing, unless one of its sides leans by less than 15 degrees from
///                the surface. Then it loses up to 7 % of its speed. On a row of rects, one that
///                leans at all loses up to a tenth.
///              - A circle loses up to 0.1 % at a joint within 100 units of the origin. It loses
///                more farther out, where rounding lets it sink in deeper.
/// Limits     - A rect may be caught at a joint that it is in line with to within rounding. That
///              happens in each step in which it is pushed at the wall by more than its smaller
///              half size.
///            - A rect passes the end of a wall, as beside a gap, that is hardly in its way. The
///              bound is a 2^14th of its smaller half size plus a 2^20th of its coordinates.
///            - A circle of radius 0 is stopped or deflected by what its centre crosses, as a ray
///              is. What it only touches does not affect it.
#ifndef GRAZE_CHAIN_H
#define GRAZE_CHAIN_H

#include <graze/body.h>
#include <graze/id.h>
#include <graze/status.h>
#include <graze/surface.h>
#include <graze/vec2.h>

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The definition of a chain. Start from graze_chain_def_default().
typedef struct graze_chain_def {
    const graze_vec2 *points; ///< `count` finite points, which may repeat. Default null: set them.
    uint32_t count; ///< At least 2, making count - 1 segments, or count if it loops. Default 0.
    bool loop;      ///< Join the last point to the first. Default false.
    bool one_sided; ///< Solid only to what comes from the left of a->b. Default false.
    bool sensor;    ///< Crossings are reported, but nothing is stopped. Default false.
    graze_surface surface; ///< Of all its segments. Default graze_surface_default() (surface.h).
    /// One for each segment instead, or null. Default null.
    const graze_surface *surfaces;
    graze_filter filter; ///< Default graze_filter_default().
    uint64_t user_data;  ///< The game's own. Default 0.
    uint32_t cookie;     ///< Set by graze_chain_def_default(); a def without it is refused.
} graze_chain_def;

#define GRAZE_ALL_SEGMENTS UINT32_MAX ///< As a segment's index: all of the chain.

/// Returns a definition with all defaults; points and count must be added.
graze_chain_def graze_chain_def_default(void);

/// Adds terrain and returns its id. Queries find it at once, and bodies meet it from the next step
/// on. It may overlap bodies.
///
/// Errors     It returns none, and graze_world_last_status() says why: ARGUMENT (also for a null
///            def), BUSY, OUT_OF_MEMORY, or LIMIT. LIMIT is past segment_capacity where that is
///            fixed, or past 2^27 segments in a world.
/// Cost       Linear in `count`, whatever else is in the world (amortised over growth).
graze_chain_id graze_chain_create(graze_world *world, const graze_chain_def *def);

/// Removes terrain at once. The next step reports the ends of contacts with it. Returns OK;
/// STALE_ID if the chain is already gone; BUSY inside a step.
///
/// Cost       Linear in the chain's own points. It is more if thousands of other segments lie in
///            the same place: each segment of the chain is searched for among those there.
graze_status graze_chain_destroy(graze_world *world, graze_chain_id chain);

/// Returns whether the id is that of a chain in the world. Constant time.
bool graze_chain_is_valid(const graze_world *world, graze_chain_id chain);

/// Returns the def that the chain was made from, with the surfaces that were set since. Its points
/// and surfaces are the world's own copies. They are valid until the chain is destroyed or a
/// surface of it is set. For an invalid id it is the default def, whose points are null. Constant
/// time.
graze_chain_def graze_chain_get_def(const graze_world *world, graze_chain_id chain);

/// Returns the surface of a segment of the chain, counted from 0; zeros if there is none. Constant
/// time.
graze_surface graze_chain_surface(const graze_world *world, graze_chain_id chain, uint32_t segment);

/// Sets the surface of a segment of the chain, counted from 0, or with GRAZE_ALL_SEGMENTS that of
/// all. Unless nothing changes, what lies at rest near the chain wakes, and so does each rigid body
/// that touches it.
///
/// Errors     ARGUMENT if the chain has no such segment, or a value is out of range; STALE_ID if
///            the chain is gone; BUSY. OUT_OF_MEMORY: the first segment with a surface of its own
///            makes room for those of all.
/// Cost       Linear in the chain's points, in those of chains created after it, and in the
///            contacts of rigid bodies.
graze_status graze_chain_set_surface(graze_world *world, graze_chain_id chain, uint32_t segment,
                                     graze_surface surface);

#ifdef __cplusplus
}
#endif

#endif
