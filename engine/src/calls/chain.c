// Creates and destroys chains for the game, and checks their defs.

#include <graze/chain.h>

#include "fp_environment.h"
#include "list.h"
#include "message.h"
#include "plural.h"
#include "record/recorder.h"
#include "rest/rest.h"
#include "state.h"
#include "terrain/corner.h"
#include "terrain/terrain.h"
#include "terrain/terrain_image.h"
#include "vec2d.h"

#include <string.h>

enum {
    CHAIN_COOKIE = 0x42a7e002,
    MAX_SEGMENTS = 1 << 27, ///< Of a world, as of a grid (segment_grid.h).
    IMAGED_AT_ONCE = 4      ///< More than one, to catch up after a cut.
};

graze_chain_def graze_chain_def_default(void)
{
    graze_chain_def def;
    memset(&def, 0, sizeof def);
    def.filter = graze_filter_default();
    def.cookie = CHAIN_COOKIE;
    return def;
}

static uint32_t count_segments(const graze_chain_def *def)
{
    return def->loop ? def->count : def->count - 1;
}

static bool exceeds_limit(const graze_world *world, uint32_t extra)
{
    const bool is_fixed = world->fixed_capacity && world->segment_capacity < MAX_SEGMENTS;
    const uint32_t limit = is_fixed ? world->segment_capacity : MAX_SEGMENTS;
    return extra > limit || world->segment_count > limit - extra;
}

static graze_status explain_no_room(const graze_world *world, graze_status status, uint32_t extra)
{
    const unsigned count = extra, present = world->segment_count;
    const char *segments = grz_plural(extra, "segment", "segments");
    if (status == GRAZE_ERROR_LIMIT && world->fixed_capacity) {
        return grz_fail(world, status,
                        "graze_chain_create: no room for %u more %s; the world has %u, and "
                        "segment_capacity is %u",
                        count, segments, present, (unsigned)world->segment_capacity);
    }
    return grz_fail(world, status, "graze_chain_create: no %s for %u more %s; the world has %u",
                    status == GRAZE_ERROR_LIMIT ? "room" : "memory", count, segments, present);
}

// The limit is checked before the points: a count past it may be more than the array has.
static graze_status check_points(const graze_world *world, const graze_chain_def *def)
{
    static const char call[] = "graze_chain_create";
    if (!def->points) {
        return grz_fail(world, GRAZE_ERROR_ARGUMENT, "%s: points is null", call);
    }
    if (def->count < 2) {
        return grz_fail(world, GRAZE_ERROR_ARGUMENT, "%s: count is %u; it must be at least 2", call,
                        (unsigned)def->count);
    }
    if (exceeds_limit(world, count_segments(def))) {
        return explain_no_room(world, GRAZE_ERROR_LIMIT, count_segments(def));
    }
    for (uint32_t i = 0; i < def->count; ++i) {
        if (!is_finite(def->points[i])) {
            return grz_fail(world, GRAZE_ERROR_ARGUMENT,
                            "%s: points[%u] is (%g, %g); it must be finite", call, (unsigned)i,
                            (double)def->points[i].x, (double)def->points[i].y);
        }
    }
    return GRAZE_OK;
}

static graze_status check_chain_def(const graze_world *world, const graze_chain_def *def)
{
    static const char call[] = "graze_chain_create";
    const graze_status busy = grz_check_not_busy(world, call);
    if (busy) {
        return busy;
    }
    if (!def) {
        return grz_fail(world, GRAZE_ERROR_ARGUMENT, "%s: def is null", call);
    }
    if (def->cookie != CHAIN_COOKIE) {
        return grz_fail(world, GRAZE_ERROR_ARGUMENT,
                        "%s: cookie is %u; start from graze_chain_def_default()", call,
                        (unsigned)def->cookie);
    }
    return check_points(world, def);
}

// The smallest index whose chain is gone, or one past the last.
static uint32_t find_vacant_chain(const graze_world *world)
{
    const uint32_t vacant = grz_index_set_next(&world->vacant_chains, 0);
    const uint32_t count = (uint32_t)grz_list_count(world->chains);
    return vacant < count ? vacant : count;
}

static bool reserve_chain(graze_world *world)
{
    const uint32_t count = (uint32_t)grz_list_count(world->chains) + 1;
    return grz_list_reserve(world->chains, &world->counting, 1) &&
           grz_index_set_reserve(&world->vacant_chains, &world->counting, count);
}

static graze_vec2 *copy_points(graze_world *world, const graze_chain_def *def)
{
    graze_vec2 *points = NULL;
    if (!grz_list_reserve(points, &world->counting, def->count)) {
        return NULL;
    }
    for (uint32_t i = 0; i < def->count; ++i) {
        const graze_vec2 point = {def->points[i].x + 0.0f, def->points[i].y + 0.0f};
        grz_list_push(points, point);
    }
    return points;
}

static grz_chain make_chain(const graze_chain_def *def, graze_vec2 *points, uint32_t generation)
{
    const grz_chain chain = {
        .generation = generation,
        .in_world = true,
        .loop = def->loop,
        .one_sided = def->one_sided,
        .sensor = def->sensor,
        .segment_count = count_segments(def),
        .filter = def->filter,
        .user_data = def->user_data,
        .points = points,
    };
    return chain;
}

static void put_chain(graze_world *world, uint32_t index, grz_chain chain)
{
    if (index == grz_list_count(world->chains)) {
        grz_list_push(world->chains, chain);
    } else {
        world->chains[index] = chain;
        grz_index_set_remove(&world->vacant_chains, index);
    }
    ++world->chain_count;
    world->segment_count += chain.segment_count;
    world->odd_chain_count += !grz_chain_is_plain(&chain);
    grz_terrain_image_cut(world, index);
    grz_terrain_image_extend(world, IMAGED_AT_ONCE);
}

// A line has as many points as segments, or one more.
static bool reserve_image(graze_world *world, uint32_t extra)
{
    const size_t chains = grz_list_count(world->chains) + 1;
    return grz_terrain_image_reserve(world, chains, chains + (size_t)world->segment_count + extra);
}

static graze_status add_chain(graze_world *world, const graze_chain_def *def, graze_chain_id *id)
{
    const uint32_t extra = count_segments(def);
    graze_vec2 *points = NULL;
    if (!reserve_chain(world) || !reserve_image(world, extra) ||
        !(points = copy_points(world, def))) {
        return GRAZE_ERROR_OUT_OF_MEMORY;
    }
    const uint32_t index = find_vacant_chain(world);
    const bool reused = index < grz_list_count(world->chains);
    const uint32_t generation = reused ? world->chains[index].generation + 1 : 1;
    const grz_chain chain = make_chain(def, points, generation + (generation == 0));
    graze_status status =
        graze_segment_grid_add(&world->terrain, index, grz_polyline_of(chain.points, chain.loop));
    if (status) {
        grz_list_free(points);
        return status;
    }
    grz_rest_wake_near(world, def->points, def->count);
    put_chain(world, index, chain);
    id->index = index;
    id->generation = chain.generation;
    return GRAZE_OK;
}

static graze_chain_id create_chain(graze_world *world, const graze_chain_def *def)
{
    graze_chain_id id = {0, 0};
    graze_status status = check_chain_def(world, def);
    if (!status) {
        status = add_chain(world, def, &id);
        if (status) {
            explain_no_room(world, status, count_segments(def));
        }
    }
    world->last_status = status;
    return id;
}

graze_chain_id graze_chain_create(graze_world *world, const graze_chain_def *def)
{
    const grz_fp_environment caller = grz_fp_enter();
    const graze_chain_id id = create_chain(world, def);
    grz_note_chain(world, world->last_status, def, id);
    grz_fp_leave(caller);
    return id;
}

static grz_chain *find_chain(const graze_world *world, graze_chain_id id)
{
    if (id.index >= grz_list_count(world->chains)) {
        return NULL;
    }
    grz_chain *chain = &world->chains[id.index];
    return chain->in_world && chain->generation == id.generation ? chain : NULL;
}

static graze_status destroy_chain(graze_world *world, graze_chain_id id)
{
    static const char call[] = "graze_chain_destroy";
    const graze_status busy = grz_check_not_busy(world, call);
    if (busy) {
        return busy;
    }
    grz_chain *chain = find_chain(world, id);
    if (!chain) {
        return grz_fail(world, GRAZE_ERROR_STALE_ID, "%s: chain {%u, %u} is not in the world", call,
                        (unsigned)id.index, (unsigned)id.generation);
    }
    grz_rest_wake_near(world, chain->points, (uint32_t)grz_list_count(chain->points));
    graze_segment_grid_remove(&world->terrain, id.index,
                              grz_polyline_of(chain->points, chain->loop));
    --world->chain_count;
    world->segment_count -= chain->segment_count;
    world->odd_chain_count -= !grz_chain_is_plain(chain);
    grz_list_free(chain->points);
    chain->in_world = false;
    grz_terrain_image_cut(world, id.index);
    grz_index_set_add(&world->vacant_chains, id.index);
    grz_note_chain_end(world, GRAZE_OK, id);
    return GRAZE_OK;
}

graze_status graze_chain_destroy(graze_world *world, graze_chain_id chain)
{
    const grz_fp_environment caller = grz_fp_enter();
    const graze_status status = destroy_chain(world, chain);
    grz_fp_leave(caller);
    return status;
}

bool graze_chain_is_valid(const graze_world *world, graze_chain_id chain)
{
    return find_chain(world, chain) != NULL;
}

graze_chain_def graze_chain_get_def(const graze_world *world, graze_chain_id chain)
{
    graze_chain_def def = graze_chain_def_default();
    const grz_chain *found = find_chain(world, chain);
    if (found) {
        def.points = found->points;
        def.count = (uint32_t)grz_list_count(found->points);
        def.loop = found->loop;
        def.one_sided = found->one_sided;
        def.sensor = found->sensor;
        def.filter = found->filter;
        def.user_data = found->user_data;
    }
    return def;
}
