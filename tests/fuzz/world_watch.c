#include "world_watch.h"

#include "fuzz_bytes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void watch_log(graze_status status, const char *message, void *user)
{
    world_watch *watch = user;
    ++watch->log_count;
    FUZZ_CHECK(status != GRAZE_OK && message[0] && !strpbrk(message, "\r\n"),
               "status %d is logged as '%s'", (int)status, message);
}

bool watch_filter(const graze_world *world, graze_body_id a, graze_body_id b,
                  graze_segment_id segment, void *user)
{
    (void)user;
    const uint64_t other = b.generation ? graze_body_user_data(world, b)
                                        : graze_chain_get_def(world, segment.chain).user_data;
    return (graze_body_user_data(world, a) + other) % 5 != 0;
}

uint32_t watch_count_bodies(const world_watch *watch)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < WATCH_BODIES; ++i) {
        count += watch->bodies[i].there;
    }
    return count;
}

// --- Walls ---

static bool may_meet(graze_filter a, graze_filter b)
{
    if (a.group != 0 && a.group == b.group) {
        return a.group > 0;
    }
    return (a.category & b.mask) != 0 && (b.category & a.mask) != 0;
}

// Whether all walls of a chain stop a body from either side.
static bool is_solid(const world_watch *watch, const watch_body *body, const watch_chain *chain)
{
    const bool is_wall = chain->there && !chain->def.sensor && !chain->def.one_sided;
    const graze_segment_id segment = {chain->id, 0};
    const graze_body_id none = {0, 0};
    const graze_response response = graze_body_response(watch->world, body->id);
    return is_wall && response != GRAZE_PASS && response != GRAZE_RIGID &&
           may_meet(graze_body_filter(watch->world, body->id), chain->def.filter) &&
           !(watch->vetoes && !watch_filter(watch->world, body->id, none, segment, NULL));
}

static uint32_t count_crossings(const watch_chain *chain, graze_vec2 from, graze_vec2 to)
{
    const uint32_t wall_count = chain->def.loop ? chain->def.count : chain->def.count - 1;
    uint32_t crossings = 0;
    for (uint32_t i = 0; i < wall_count; ++i) {
        const graze_segment wall = {chain->points[i], chain->points[(i + 1) % chain->def.count]};
        crossings += graze_crosses(from, to, wall);
    }
    return crossings;
}

static bool is_inside(const watch_chain *chain, graze_vec2 place)
{
    const graze_vec2 outside = {3e38f, 2.9e38f};
    return count_crossings(chain, place, outside) % 2 != 0;
}

static bool keeps(const world_watch *watch, const watch_body *body, const watch_chain *chain)
{
    return chain->def.loop && is_solid(watch, body, chain);
}

void watch_before_step(world_watch *watch)
{
    for (uint32_t i = 0; i < WATCH_BODIES; ++i) {
        watch_body *body = &watch->bodies[i];
        body->insides = 0;
        body->before = graze_body_position(watch->world, body->id);
        for (uint32_t k = 0; k < WATCH_CHAINS && body->there; ++k) {
            const bool inside =
                keeps(watch, body, &watch->chains[k]) && is_inside(&watch->chains[k], body->before);
            body->insides |= (uint32_t)inside << k;
        }
    }
}

// Also a body that the step removed still has its place and response.
static void check_walls(const world_watch *watch, uint32_t number)
{
    const watch_body *body = &watch->bodies[number];
    const graze_vec2 to = graze_body_position(watch->world, body->id);
    const bool stops = graze_body_response(watch->world, body->id) == GRAZE_STOP;
    FUZZ_CHECK(isfinite(to.x) && isfinite(to.y), "body %u is at (%a, %a)", (unsigned)number,
               (double)to.x, (double)to.y);
    for (uint32_t k = 0; k < WATCH_CHAINS; ++k) {
        const watch_chain *chain = &watch->chains[k];
        const bool was_inside = body->insides >> k & 1;
        FUZZ_CHECK(!keeps(watch, body, chain) || is_inside(chain, to) == was_inside,
                   "step %u: body %u goes from (%a, %a), inside %d of chain %u, to (%a, %a)",
                   (unsigned)watch->steps, (unsigned)number, (double)body->before.x,
                   (double)body->before.y, was_inside, (unsigned)k, (double)to.x, (double)to.y);
        FUZZ_CHECK(!stops || !is_solid(watch, body, chain) ||
                       count_crossings(chain, body->before, to) == 0,
                   "step %u: body %u stops at (%a, %a), beyond chain %u, coming from (%a, %a)",
                   (unsigned)watch->steps, (unsigned)number, (double)to.x, (double)to.y,
                   (unsigned)k, (double)body->before.x, (double)body->before.y);
    }
}

// --- Contacts ---

static int compare_numbers(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int compare_bodies(graze_body_id a, graze_body_id b)
{
    const int order = compare_numbers(a.index, b.index);
    return order != 0 ? order : compare_numbers(a.generation, b.generation);
}

static int compare_segments(graze_segment_id a, graze_segment_id b)
{
    int order = compare_numbers(a.chain.index, b.chain.index);
    order = order != 0 ? order : compare_numbers(a.chain.generation, b.chain.generation);
    return order != 0 ? order : compare_numbers(a.index, b.index);
}

static int compare_keys(const graze_contact_end *a, const graze_contact_end *b)
{
    int order = compare_bodies(a->a, b->a);
    order = order != 0 ? order : compare_bodies(a->b, b->b);
    return order != 0 ? order : compare_segments(a->segment, b->segment);
}

static int compare_any_keys(const void *a, const void *b)
{
    return compare_keys(a, b);
}

static int compare_contacts(const graze_contact *a, const graze_contact *b)
{
    int order = compare_bodies(a->a, b->a);
    order = order != 0 ? order : compare_bodies(a->b, b->b);
    order = order != 0 ? order : (a->time > b->time) - (a->time < b->time);
    return order != 0 ? order : compare_segments(a->segment, b->segment);
}

static graze_contact_end key_of(const graze_contact *contact)
{
    const graze_contact_end key = {contact->a, contact->b, contact->segment};
    return key;
}

static bool has_key(const watch_keys *keys, const graze_contact_end *key)
{
    return bsearch(key, keys->data, keys->count, sizeof *key, compare_any_keys) != NULL;
}

static const watch_body *find_body(const world_watch *watch, graze_body_id id)
{
    for (uint32_t i = 0; i < WATCH_BODIES; ++i) {
        if (watch->bodies[i].there && compare_bodies(watch->bodies[i].id, id) == 0) {
            return &watch->bodies[i];
        }
    }
    fuzz_fail(__FILE__, __LINE__, "a contact names a body {%u, %u} that is not there",
              (unsigned)id.index, (unsigned)id.generation);
}

static const watch_chain *find_chain(const world_watch *watch, graze_segment_id id)
{
    for (uint32_t i = 0; i < WATCH_CHAINS; ++i) {
        const watch_chain *chain = &watch->chains[i];
        if (chain->there && chain->id.index == id.chain.index &&
            chain->id.generation == id.chain.generation && id.index < chain->def.count) {
            return chain;
        }
    }
    fuzz_fail(__FILE__, __LINE__, "a contact names a segment %u of a chain that is not there",
              (unsigned)id.index);
}

static void check_names(const world_watch *watch, const graze_contact *contact)
{
    const watch_body *a = find_body(watch, contact->a);
    bool has_sensor = a->sensor;
    if (contact->b.generation) {
        FUZZ_CHECK(contact->a.index < contact->b.index, "a is not the smaller one");
        FUZZ_CHECK(contact->segment.chain.generation == 0, "a contact of bodies names a segment");
        has_sensor = has_sensor || find_body(watch, contact->b)->sensor;
    } else {
        has_sensor = has_sensor || find_chain(watch, contact->segment)->def.sensor;
    }
    FUZZ_CHECK(has_sensor == ((contact->flags & GRAZE_CONTACT_SENSOR) != 0), "flags %u",
               (unsigned)contact->flags);
}

static void check_values(const graze_contact *contact)
{
    const double x = (double)contact->normal.x;
    const double y = (double)contact->normal.y;
    FUZZ_CHECK(contact->time >= 0 && contact->time <= 1, "time %a", (double)contact->time);
    FUZZ_CHECK(contact->depth >= 0 && (contact->depth <= 0 || contact->time <= 0),
               "depth %a at time %a", (double)contact->depth, (double)contact->time);
    FUZZ_CHECK(isfinite(contact->point.x) && isfinite(contact->point.y), "point (%a, %a)",
               (double)contact->point.x, (double)contact->point.y);
    FUZZ_CHECK(fabs(x * x + y * y - 1) < 1e-6, "normal (%a, %a)", x, y);
}

// A pair begins once, with the first of its contacts, when it did not meet in the step before.
static void check_phase(const world_watch *watch, const graze_contact_list *list, uint32_t number)
{
    const graze_contact *contact = &list->data[number];
    const graze_contact_end key = key_of(contact);
    bool begins = !has_key(&watch->met, &key);
    for (uint32_t i = number; i > 0 && begins; --i) {
        const graze_contact_end other = key_of(&list->data[i - 1]);
        begins = compare_keys(&key, &other) != 0;
        if (compare_bodies(key.a, other.a) != 0) {
            break;
        }
    }
    FUZZ_CHECK((contact->phase == GRAZE_CONTACT_BEGIN) == begins, "contact %u has phase %d",
               (unsigned)number, (int)contact->phase);
}

static uint32_t check_contacts(world_watch *watch)
{
    const graze_contact_list list = graze_world_contacts(watch->world);
    uint32_t begin_count = 0;
    FUZZ_CHECK(list.count < WATCH_CONTACTS, "%u contacts", (unsigned)list.count);
    for (uint32_t i = 0; i < list.count; ++i) {
        check_names(watch, &list.data[i]);
        check_values(&list.data[i]);
        check_phase(watch, &list, i);
        FUZZ_CHECK(i == 0 || compare_contacts(&list.data[i - 1], &list.data[i]) < 0,
                   "contact %u is out of order", (unsigned)i);
        begin_count += list.data[i].phase == GRAZE_CONTACT_BEGIN;
        watch->now.data[i] = key_of(&list.data[i]);
    }
    watch->now.count = list.count;
    return begin_count;
}

static void sort_keys(watch_keys *keys)
{
    uint32_t kept = 0;
    qsort(keys->data, keys->count, sizeof *keys->data, compare_any_keys);
    for (uint32_t i = 0; i < keys->count; ++i) {
        if (kept == 0 || compare_keys(&keys->data[kept - 1], &keys->data[i]) != 0) {
            keys->data[kept++] = keys->data[i];
        }
    }
    keys->count = kept;
}

// What met in the step before and not in this one: all of that, in order, and nothing else.
static void check_ends(const world_watch *watch)
{
    const graze_contact_end_list list = graze_world_contact_ends(watch->world);
    uint32_t ended = 0;
    for (uint32_t i = 0; i < watch->met.count; ++i) {
        if (has_key(&watch->now, &watch->met.data[i])) {
            continue;
        }
        FUZZ_CHECK(ended < list.count && compare_keys(&list.data[ended], &watch->met.data[i]) == 0,
                   "end %u is not that of a pair that met", (unsigned)ended);
        ++ended;
    }
    FUZZ_CHECK(ended == list.count, "%u ends, not %u", (unsigned)list.count, (unsigned)ended);
}

// --- Counts ---

static uint32_t remove_gone(world_watch *watch)
{
    uint32_t removed = 0;
    for (uint32_t i = 0; i < WATCH_BODIES; ++i) {
        watch_body *body = &watch->bodies[i];
        const bool gone = body->there && !graze_body_is_valid(watch->world, body->id);
        body->there = body->there && !gone;
        removed += gone;
    }
    return removed;
}

static void check_stats(const world_watch *watch, uint32_t begin_count, uint32_t removed)
{
    const graze_world_stats stats = graze_world_get_stats(watch->world);
    FUZZ_CHECK(stats.step_count == watch->steps, "%llu steps",
               (unsigned long long)stats.step_count);
    FUZZ_CHECK(stats.contact_count == graze_world_contacts(watch->world).count, "%u contacts",
               (unsigned)stats.contact_count);
    FUZZ_CHECK(stats.begin_count == begin_count, "%u begins, not %u", (unsigned)stats.begin_count,
               (unsigned)begin_count);
    FUZZ_CHECK(stats.end_count == graze_world_contact_ends(watch->world).count, "%u ends",
               (unsigned)stats.end_count);
    FUZZ_CHECK(stats.removed_count == removed, "%u removed, not %u", (unsigned)stats.removed_count,
               (unsigned)removed);
}

static uint64_t add_bytes(uint64_t digest, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; ++i) {
        digest = (digest ^ bytes[i]) * 0x100000001b3u;
    }
    return digest;
}

static void digest_lists(world_watch *watch)
{
    const graze_contact_list contacts = graze_world_contacts(watch->world);
    const graze_contact_end_list ends = graze_world_contact_ends(watch->world);
    for (uint32_t i = 0; i < contacts.count; ++i) {
        watch->digest = add_bytes(watch->digest, &contacts.data[i], sizeof contacts.data[i]);
    }
    for (uint32_t i = 0; i < ends.count; ++i) {
        watch->digest = add_bytes(watch->digest, &ends.data[i], sizeof ends.data[i]);
    }
}

void watch_after_step(world_watch *watch)
{
    ++watch->steps;
    const uint32_t begin_count = check_contacts(watch);
    sort_keys(&watch->now);
    check_ends(watch);
    watch->met.count = watch->now.count;
    memcpy(watch->met.data, watch->now.data, watch->now.count * sizeof *watch->now.data);
    for (uint32_t i = 0; i < WATCH_BODIES; ++i) {
        if (watch->bodies[i].there) {
            check_walls(watch, i);
        }
    }
    check_stats(watch, begin_count, remove_gone(watch));
    digest_lists(watch);
}

// The columns list each body once.
static void check_columns(const world_watch *watch)
{
    uint32_t count = 0;
    const uint32_t *indices = graze_world_indices(watch->world, &count);
    const graze_vec2 *positions = graze_world_positions(watch->world, NULL);
    const graze_vec2 *velocities = graze_world_velocities(watch->world, NULL);
    FUZZ_CHECK(count == watch_count_bodies(watch), "%u bodies in the columns", (unsigned)count);
    for (uint32_t i = 0; i < count; ++i) {
        const graze_body_id id = graze_world_body_at(watch->world, indices[i]);
        const graze_vec2 position = graze_body_position(watch->world, id);
        const graze_vec2 velocity = graze_body_velocity(watch->world, id);
        FUZZ_CHECK(graze_body_is_valid(watch->world, id), "column %u is of no body", (unsigned)i);
        FUZZ_CHECK(memcmp(&positions[i], &position, sizeof position) == 0 &&
                       memcmp(&velocities[i], &velocity, sizeof velocity) == 0,
                   "column %u is not of its body", (unsigned)i);
        FUZZ_CHECK(isfinite(velocity.x) && isfinite(velocity.y), "a velocity of (%a, %a)",
                   (double)velocity.x, (double)velocity.y);
    }
}

void watch_always(const world_watch *watch)
{
    const graze_world_stats stats = graze_world_get_stats(watch->world);
    uint32_t chain_count = 0;
    uint32_t segment_count = 0;
    for (uint32_t i = 0; i < WATCH_CHAINS; ++i) {
        const watch_chain *chain = &watch->chains[i];
        FUZZ_CHECK(graze_chain_is_valid(watch->world, chain->id) == chain->there,
                   "chain %u is there: not %d", (unsigned)i, chain->there);
        chain_count += chain->there;
        segment_count += chain->there ? chain->def.count - !chain->def.loop : 0;
    }
    for (uint32_t i = 0; i < WATCH_BODIES; ++i) {
        const watch_body *body = &watch->bodies[i];
        FUZZ_CHECK(graze_body_is_valid(watch->world, body->id) == body->there,
                   "body %u is there: not %d", (unsigned)i, body->there);
    }
    FUZZ_CHECK(stats.body_count == watch_count_bodies(watch), "%u bodies",
               (unsigned)stats.body_count);
    FUZZ_CHECK(stats.chain_count == chain_count && stats.segment_count == segment_count,
               "%u chains of %u segments", (unsigned)stats.chain_count,
               (unsigned)stats.segment_count);
    FUZZ_CHECK(stats.byte_count == watch->memory.live_bytes, "%zu bytes, but %zu are out",
               stats.byte_count, watch->memory.live_bytes);
    check_columns(watch);
}
