#include "world_kit.h"

#include "body_defs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void kit_write_log(graze_status status, const char *message, void *user)
{
    kit_log *log = user;
    ++log->count;
    log->status = status;
    snprintf(log->line, sizeof log->line, "%s", message);
}

void kit_assert_logged(kit_log *log, graze_status status, const char *words)
{
    if (log->count != 1 || log->status != status) {
        fail_msg("%u lines, the last of status %d: '%s'; wanted one of status %d with '%s'",
                 (unsigned)log->count, (int)log->status, log->line, (int)status, words);
    }
    while (*words) {
        char word[64];
        size_t length = strcspn(words, "|");
        snprintf(word, sizeof word, "%.*s", (int)length, words);
        if (!strstr(log->line, word)) {
            fail_msg("'%s' is not in the log's line '%s'", word, log->line);
        }
        words += length + (words[length] == '|');
    }
    memset(log, 0, sizeof *log);
}

static graze_world *create_world(const graze_world_def *def)
{
    graze_world *world = graze_world_create(def);
    assert_non_null(world);
    return world;
}

graze_world *kit_world(void)
{
    graze_world_def def = graze_world_def_default();
    return create_world(&def);
}

graze_world *kit_world_logging(kit_log *log)
{
    memset(log, 0, sizeof *log);
    graze_world_def def = graze_world_def_default();
    def.log = kit_write_log;
    def.log_user = log;
    return create_world(&def);
}

static graze_body_def def_at(float x, float y, graze_shape shape)
{
    graze_body_def def = test_body_def();
    def.shape = shape;
    def.position.x = x;
    def.position.y = y;
    return def;
}

graze_body_def kit_circle(float x, float y, float radius)
{
    return def_at(x, y, graze_shape_circle(radius));
}

graze_body_def kit_rect(float x, float y, float half_x, float half_y)
{
    return def_at(x, y, graze_shape_rect(half_x, half_y));
}

graze_body_def kit_bullet(float x, float y, float velocity_x, float velocity_y)
{
    graze_body_def def = def_at(x, y, graze_shape_ray());
    def.hit_limit = 1;
    return kit_moving(def, velocity_x, velocity_y, GRAZE_STOP);
}

graze_body_def kit_moving(graze_body_def def, float velocity_x, float velocity_y,
                          graze_response response)
{
    def.velocity.x = velocity_x;
    def.velocity.y = velocity_y;
    def.response = response;
    return def;
}

graze_body_id kit_add(graze_world *world, graze_body_def def)
{
    graze_body_id body = graze_body_create(world, &def);
    assert_int_equal(graze_world_last_status(world), GRAZE_OK);
    assert_true(graze_body_is_valid(world, body));
    return body;
}

static graze_chain_id add_chain(graze_world *world, const graze_vec2 *points, uint32_t count,
                                bool loop)
{
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = count;
    def.loop = loop;
    graze_chain_id chain = graze_chain_create(world, &def);
    assert_int_equal(graze_world_last_status(world), GRAZE_OK);
    assert_true(graze_chain_is_valid(world, chain));
    return chain;
}

graze_chain_id kit_wall(graze_world *world, float ax, float ay, float bx, float by)
{
    const graze_vec2 points[2] = {{ax, ay}, {bx, by}};
    return add_chain(world, points, 2, false);
}

graze_chain_id kit_loop(graze_world *world, const graze_vec2 *points, uint32_t count)
{
    return add_chain(world, points, count, true);
}

graze_chain_id kit_square(graze_world *world, float low, float high)
{
    const graze_vec2 points[4] = {{low, low}, {high, low}, {high, high}, {low, high}};
    return kit_loop(world, points, 4);
}

void kit_step(graze_world *world, float dt)
{
    assert_int_equal(graze_world_step(world, dt), GRAZE_OK);
}

const graze_contact *kit_find_contact(const graze_world *world, graze_body_id first,
                                      graze_body_id second)
{
    graze_contact_list contacts = graze_world_contacts(world);
    for (uint32_t i = 0; i < contacts.count; ++i) {
        const graze_contact *contact = &contacts.data[i];
        if ((kit_is_same(contact->a, first) && kit_is_same(contact->b, second)) ||
            (kit_is_same(contact->a, second) && kit_is_same(contact->b, first))) {
            return contact;
        }
    }
    return NULL;
}

const graze_contact *kit_find_wall_contact(const graze_world *world, graze_body_id body,
                                           graze_chain_id chain)
{
    graze_contact_list contacts = graze_world_contacts(world);
    for (uint32_t i = 0; i < contacts.count; ++i) {
        const graze_contact *contact = &contacts.data[i];
        if (kit_is_same(contact->a, body) && kit_is_none(contact->b) &&
            contact->segment.chain.index == chain.index &&
            contact->segment.chain.generation == chain.generation) {
            return contact;
        }
    }
    return NULL;
}

uint32_t kit_count_contacts(const graze_world *world, graze_body_id body)
{
    graze_contact_list contacts = graze_world_contacts(world);
    uint32_t count = 0;
    for (uint32_t i = 0; i < contacts.count; ++i) {
        count += kit_is_same(contacts.data[i].a, body) || kit_is_same(contacts.data[i].b, body);
    }
    return count;
}

void *kit_save(const graze_world *world, size_t *size)
{
    *size = graze_world_snapshot_size(world);
    void *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(graze_world_save(world, bytes, *size), GRAZE_OK);
    return bytes;
}

void kit_load(graze_world *world, const void *bytes, size_t size)
{
    assert_int_equal(graze_world_load(world, bytes, size), GRAZE_OK);
}

void kit_assert_saves(const graze_world *world, const void *bytes, size_t size)
{
    size_t saved_size;
    void *saved = kit_save(world, &saved_size);
    assert_int_equal(saved_size, size);
    assert_memory_equal(saved, bytes, size);
    free(saved);
}

void kit_assert_same_bytes(const graze_world *first, const graze_world *second)
{
    size_t size;
    void *bytes = kit_save(first, &size);
    kit_assert_saves(second, bytes, size);
    free(bytes);
}

bool kit_filters_allow(graze_filter a, graze_filter b)
{
    if (a.group != 0 && a.group == b.group) {
        return a.group > 0;
    }
    return (a.category & b.mask) && (b.category & a.mask);
}

static bool has_same_contacts(const graze_world *first, const graze_world *second)
{
    const graze_contact_list one = graze_world_contacts(first);
    const graze_contact_list other = graze_world_contacts(second);
    return one.count == other.count &&
           (one.count == 0 || !memcmp(one.data, other.data, one.count * sizeof *one.data));
}

static bool has_same_ends(const graze_world *first, const graze_world *second)
{
    const graze_contact_end_list one = graze_world_contact_ends(first);
    const graze_contact_end_list other = graze_world_contact_ends(second);
    return one.count == other.count &&
           (one.count == 0 || !memcmp(one.data, other.data, one.count * sizeof *one.data));
}

const char *kit_find_difference(const graze_world *one, const graze_world *other)
{
    if (!has_same_contacts(one, other)) {
        return "contacts";
    }
    if (!has_same_ends(one, other)) {
        return "ends";
    }
    if (graze_world_get_stats(one).hit_count != graze_world_get_stats(other).hit_count) {
        return "hits";
    }
    return graze_world_hash(one) != graze_world_hash(other) ? "state" : NULL;
}

void kit_run_backwards(void (*task)(void *context, uint32_t index), void *context, uint32_t count,
                       void *user)
{
    (void)user;
    while (count-- > 0) {
        task(context, count);
    }
}

bool kit_is_none(graze_body_id body)
{
    return body.index == 0 && body.generation == 0;
}

bool kit_is_same(graze_body_id first, graze_body_id second)
{
    return first.index == second.index && first.generation == second.generation;
}

void kit_assert_same_vec2(graze_vec2 actual, graze_vec2 expected)
{
    if (memcmp(&actual, &expected, sizeof actual) != 0) {
        fail_msg("(%.9g, %.9g) is not (%.9g, %.9g)", (double)actual.x, (double)actual.y,
                 (double)expected.x, (double)expected.y);
    }
}

void kit_assert_near_vec2(graze_vec2 actual, float x, float y, float tolerance)
{
    kit_assert_near(actual.x, x, tolerance);
    kit_assert_near(actual.y, y, tolerance);
}

void kit_assert_near(float actual, float expected, float tolerance)
{
    if (!(actual >= expected - tolerance && actual <= expected + tolerance)) {
        fail_msg("%.9g is not %.9g within %g", (double)actual, (double)expected, (double)tolerance);
    }
}

double kit_mean_depth(const graze_world *world)
{
    const graze_contact_list contacts = graze_world_contacts(world);
    double sum = 0;
    for (uint32_t i = 0; i < contacts.count; ++i) {
        sum += (double)contacts.data[i].depth;
    }
    return contacts.count ? sum / contacts.count : 0;
}
