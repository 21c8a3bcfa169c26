// Creates and destroys chains for the game, and checks their defs.

#include <graze/chain.h>

#include "collide/joint.h"
#include "collide/sleep.h"
#include "collide/terrain_sweep.h"
#include "fp_environment.h"
#include "list.h"
#include "solve/solve.h"
#include "vec2d.h"
#include "world/bodies.h"
#include "world/call_hook.h"
#include "world/message.h"
#include "world/value_check.h"
#include "world/world_state.h"

#include <stdio.h>
#include <string.h>

enum {
    CHAIN_COOKIE = 0x42a7e002,
    MAX_SEGMENTS = 1 << 27, ///< Of a world, as of a grid (segment_grid.h).
    FIELD_TEXT = 32
};

graze_chain_def graze_chain_def_default(void)
{
    graze_chain_def def;
    memset(&def, 0, sizeof def);
    def.surface = grz_optional_default.material.surface;
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
    const bool is_fixed =
        world->config.fixed_capacity && world->config.segment_capacity < MAX_SEGMENTS;
    const uint32_t limit = is_fixed ? world->config.segment_capacity : MAX_SEGMENTS;
    return extra > limit || world->terrain.segment_count > limit - extra;
}

static graze_status explain_no_room(const graze_world *world, graze_status status, uint32_t extra)
{
    const grz_shortage of = {"graze_chain_create",
                             "segment",
                             "segments",
                             "segment_capacity",
                             extra,
                             world->terrain.segment_count,
                             world->config.segment_capacity};
    return grz_fail_for_room(world, status, of);
}

// The limit is checked before the points: a count past it may be more than the array has.
static graze_status check_points(const graze_world *world, const graze_chain_def *def)
{
    static const char call[] = "graze_chain_create";
    const graze_status missing = grz_check_not_null(world, call, "points", def->points != NULL);
    if (missing) {
        return missing;
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

static graze_status check_surfaces(const graze_world *world, const graze_chain_def *def)
{
    const grz_value_source source = {.world = world, .call = "graze_chain_create"};
    graze_status status = grz_check_surface(&source, "surface", def->surface);
    for (uint32_t i = 0; !status && def->surfaces && i < count_segments(def); ++i) {
        char field[FIELD_TEXT];
        snprintf(field, sizeof field, "surfaces[%u]", (unsigned)i);
        status = grz_check_surface(&source, field, def->surfaces[i]);
    }
    return status;
}

static graze_status check_chain_def(const graze_world *world, const graze_chain_def *def)
{
    const grz_value_source source = {.world = world, .call = "graze_chain_create"};
    graze_status status = grz_check_not_busy(world, source.call);
    status = status ? status : grz_check_not_null(world, source.call, "def", def != NULL);
    if (!status && def->cookie != CHAIN_COOKIE) {
        status = grz_refuse_cookie(&source, def->cookie, "graze_chain_def_default()");
    }
    status = status ? status : check_points(world, def);
    return status ? status : check_surfaces(world, def);
}

// The smallest index whose chain is gone, or one past the last.
static uint32_t find_vacant_chain(const graze_world *world)
{
    const uint32_t vacant = grz_index_set_next(&world->terrain.vacant_chains, 0);
    const uint32_t count = (uint32_t)grz_list_count(world->terrain.chains);
    return vacant < count ? vacant : count;
}

static bool reserve_chain(graze_world *world)
{
    const uint32_t count = (uint32_t)grz_list_count(world->terrain.chains) + 1;
    return grz_list_reserve(world->terrain.chains, &world->config.counting, 1) &&
           grz_index_set_reserve(&world->terrain.vacant_chains, &world->config.counting, count);
}

static void free_arrays(grz_chain *chain)
{
    grz_list_free(chain->points);
    grz_list_free(chain->surfaces);
}

// Returns false, with nothing held, if memory runs out.
static bool copy_arrays(graze_world *world, const graze_chain_def *def, grz_chain *chain)
{
    const graze_allocator *allocator = &world->config.counting;
    if (!grz_list_append(chain->points, allocator, def->count) ||
        (def->surfaces && !grz_list_append(chain->surfaces, allocator, chain->segment_count))) {
        free_arrays(chain);
        return false;
    }
    for (uint32_t i = 0; i < def->count; ++i) {
        chain->points[i] = without_negative_zero(def->points[i]);
    }
    for (uint32_t i = 0; def->surfaces && i < chain->segment_count; ++i) {
        chain->surfaces[i] = grz_clean_surface(def->surfaces[i]);
    }
    return true;
}

// Without its arrays and its generation.
static grz_chain make_chain(const graze_chain_def *def)
{
    const grz_chain chain = {
        .in_world = true,
        .loop = def->loop,
        .one_sided = def->one_sided,
        .sensor = def->sensor,
        .segment_count = count_segments(def),
        .filter = def->filter,
        .user_data = def->user_data,
        .surface = grz_clean_surface(def->surface),
    };
    return chain;
}

static void put_chain(graze_world *world, uint32_t index, grz_chain chain)
{
    if (index == grz_list_count(world->terrain.chains)) {
        grz_list_push(world->terrain.chains, chain);
    } else {
        world->terrain.chains[index] = chain;
        grz_index_set_remove(&world->terrain.vacant_chains, index);
    }
    ++world->terrain.chain_count;
    world->terrain.segment_count += chain.segment_count;
    world->terrain.surface_count += chain.surfaces ? chain.segment_count : 0;
    world->terrain.odd_chain_count += !grz_chain_is_plain(&chain);
}

static graze_status add_chain(graze_world *world, const graze_chain_def *def, graze_chain_id *id)
{
    grz_chain chain = make_chain(def);
    if (!reserve_chain(world) || !copy_arrays(world, def, &chain)) {
        return GRAZE_ERROR_OUT_OF_MEMORY;
    }
    const uint32_t index = find_vacant_chain(world);
    const bool reused = index < grz_list_count(world->terrain.chains);
    const uint32_t generation = reused ? world->terrain.chains[index].generation + 1 : 1;
    chain.generation = generation + (generation == 0);
    graze_status status = graze_segment_grid_add(&world->terrain.grid, index,
                                                 grz_polyline_of(chain.points, chain.loop));
    if (status) {
        free_arrays(&chain);
        return status;
    }
    grz_sleep_make_active_near(world, def->points, def->count);
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
    world->call.last_status = status;
    return id;
}

graze_chain_id graze_chain_create(graze_world *world, const graze_chain_def *def)
{
    const grz_fp_environment caller = grz_fp_enter();
    const graze_chain_id id = create_chain(world, def);
    if (grz_is_recorded(world, world->call.last_status)) {
        grz_recorder_add_chain(world->call.recorder, def, id);
    }
    grz_fp_leave(caller);
    return id;
}

static grz_chain *find_chain(const graze_world *world, graze_chain_id id)
{
    if (id.index >= grz_list_count(world->terrain.chains)) {
        return NULL;
    }
    grz_chain *chain = &world->terrain.chains[id.index];
    return chain->in_world && chain->generation == id.generation ? chain : NULL;
}

static grz_change begin_change(graze_world *world, graze_chain_id id, grz_record_kind kind)
{
    grz_change call = grz_change_begin(world, kind);
    if (!call.status && !find_chain(world, id)) {
        call.status =
            grz_fail(world, GRAZE_ERROR_STALE_ID, "%s: chain {%u, %u} is not in the world",
                     call.source.call, (unsigned)id.index, (unsigned)id.generation);
    }
    return call;
}

static void destroy_chain(graze_world *world, graze_chain_id id)
{
    grz_chain *chain = find_chain(world, id);
    grz_sleep_make_active_near(world, chain->points, (uint32_t)grz_list_count(chain->points));
    graze_segment_grid_remove(&world->terrain.grid, id.index,
                              grz_polyline_of(chain->points, chain->loop));
    --world->terrain.chain_count;
    world->terrain.segment_count -= chain->segment_count;
    world->terrain.surface_count -= chain->surfaces ? chain->segment_count : 0;
    world->terrain.odd_chain_count -= !grz_chain_is_plain(chain);
    free_arrays(chain);
    chain->in_world = false;
    grz_index_set_add(&world->terrain.vacant_chains, id.index);
}

graze_status graze_chain_destroy(graze_world *world, graze_chain_id chain)
{
    const grz_change call = begin_change(world, chain, GRZ_RECORD_DESTROY_CHAIN);
    if (!call.status) {
        destroy_chain(world, chain);
    }
    return grz_change_end(&call, &chain);
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
        def.surface = found->surface;
        def.surfaces = found->surfaces;
        def.filter = found->filter;
        def.user_data = found->user_data;
    }
    return def;
}

graze_surface graze_chain_surface(const graze_world *world, graze_chain_id chain, uint32_t segment)
{
    const graze_surface nothing = {0, 0, 0, 0};
    const grz_chain *found = find_chain(world, chain);
    return found && segment < found->segment_count ? grz_chain_surface(found, segment) : nothing;
}

static graze_status check_surface_change(const grz_value_source *source, const grz_chain *chain,
                                         uint32_t segment, graze_surface surface)
{
    return segment == GRAZE_ALL_SEGMENTS || segment < chain->segment_count
               ? grz_check_surface(source, "surface", surface)
               : grz_fail(source->world, GRAZE_ERROR_ARGUMENT,
                          "%s: segment is %u; the chain has %u", source->call, (unsigned)segment,
                          (unsigned)chain->segment_count);
}

// The first segment with a surface of its own gives all one. Returns false, with nothing changed,
// if memory runs out.
static bool part_surfaces(graze_world *world, grz_chain *chain)
{
    if (!grz_list_append(chain->surfaces, &world->config.counting, chain->segment_count)) {
        return false;
    }
    for (uint32_t i = 0; i < chain->segment_count; ++i) {
        chain->surfaces[i] = chain->surface;
    }
    world->terrain.surface_count += chain->segment_count;
    return true;
}

static void put_surface(graze_world *world, grz_chain *chain, uint32_t segment,
                        graze_surface surface)
{
    if (segment != GRAZE_ALL_SEGMENTS) {
        chain->surfaces[segment] = surface;
        return;
    }
    world->terrain.surface_count -= chain->surfaces ? chain->segment_count : 0;
    grz_list_free(chain->surfaces);
    chain->surface = surface;
}

static graze_status change_surface(graze_world *world, uint32_t index, uint32_t segment,
                                   graze_surface surface)
{
    grz_chain *chain = &world->terrain.chains[index];
    const bool all = segment == GRAZE_ALL_SEGMENTS;
    const graze_surface before = all ? chain->surface : grz_chain_surface(chain, segment);
    const bool is_same = memcmp(&before, &surface, sizeof before) == 0; // No number is -0.
    if (is_same && !(all && chain->surfaces)) {
        return GRAZE_OK;
    }
    if (!all && !chain->surfaces && !part_surfaces(world, chain)) {
        return grz_fail(world, GRAZE_ERROR_OUT_OF_MEMORY,
                        "graze_chain_set_surface: no memory for the surfaces of %u segments",
                        (unsigned)chain->segment_count);
    }
    grz_sleep_make_active_near(world, chain->points, (uint32_t)grz_list_count(chain->points));
    grz_solve_wake_on(world, (graze_chain_id){index, chain->generation});
    put_surface(world, chain, segment, surface);
    return GRAZE_OK;
}

graze_status graze_chain_set_surface(graze_world *world, graze_chain_id chain, uint32_t segment,
                                     graze_surface surface)
{
    const grz_record_surface value = {chain, segment, surface};
    grz_change call = begin_change(world, chain, GRZ_RECORD_SET_CHAIN_SURFACE);
    if (!call.status) {
        call.status =
            check_surface_change(&call.source, find_chain(world, chain), segment, surface);
    }
    if (!call.status) {
        call.status = change_surface(world, chain.index, segment, grz_clean_surface(surface));
    }
    return grz_change_end(&call, &value);
}
