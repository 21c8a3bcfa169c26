// Lists that follow from reports: what a step removed, and the contacts of one body.

#include "busy_world.h"
#include "failing_allocator.h"
#include "world_kit.h"

#include <stdlib.h>
#include <string.h>

static const graze_removal *only_removal(const graze_world *world)
{
    const graze_removal_list list = graze_world_removals(world);
    assert_int_equal(list.count, 1);
    return &list.data[0];
}

static void a_body_is_removed_at_its_last_hit(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; ++kind) {
        graze_world *world = kit_world();
        graze_body_def def = kit_bullet(0, 1, 10, 0);
        def.shape = kind & 1 ? graze_shape_circle(1) : graze_shape_ray();
        def.lifetime = 1;
        if (kind & 2) {
            kit_wall(world, 5, -5, 5, 5);
        } else {
            kit_add(world, kit_rect(6, 0, 1, 5));
        }
        const graze_body_id bullet = kit_add(world, def);
        assert_int_equal(graze_world_removals(world).count, 0);
        kit_step(world, 1);
        const graze_removal *removal = only_removal(world);
        const float x = kind & 1 ? 4 : 5;
        assert_true(graze_body_id_equal(removal->id, bullet));
        assert_int_equal(removal->reason, GRAZE_REMOVED_BY_HITS);
        kit_assert_near(removal->time, x / 10, 1e-6f);
        kit_assert_near_vec2(removal->point, x, 1, 1e-6f);
        kit_step(world, 1);
        assert_int_equal(graze_world_removals(world).count, 0);
        graze_world_destroy(world);
    }
}

static void the_last_hit_counts_not_one_that_spent_the_other(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_def target = kit_moving(kit_circle(0, 0, 1), 8, 0, GRAZE_PASS);
    target.hit_limit = 2;
    graze_body_def shield = kit_circle(4, 0, 1);
    shield.hit_limit = 1;
    const graze_body_id ids[2] = {kit_add(world, target), kit_add(world, shield)};
    kit_wall(world, 7, -5, 7, 5);
    kit_step(world, 1);
    const graze_removal_list list = graze_world_removals(world);
    assert_int_equal(list.count, 2);
    assert_true(graze_body_id_equal(list.data[0].id, ids[0]));
    assert_true(graze_body_id_equal(list.data[1].id, ids[1]));
    kit_assert_near(list.data[0].time, 0.75f, 1e-6f);
    kit_assert_near(list.data[1].time, 0.25f, 1e-6f);
    graze_world_destroy(world);
}

static void a_lifetime_ends_with_the_step(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_def def = kit_moving(kit_circle(0, 0, 1), 8, 0, GRAZE_PASS);
    def.lifetime = 0.5f;
    def.hit_limit = 3;
    const graze_body_id body = kit_add(world, def);
    graze_body_def bullet = kit_bullet(3, 4, 0, -8);
    bullet.hit_limit = 1;
    kit_add(world, bullet);
    kit_step(world, 0.5f);
    const graze_removal_list list = graze_world_removals(world);
    assert_int_equal(list.count, 2); // The bullet is spent by the body, which hits do not remove.
    assert_true(graze_body_id_equal(list.data[0].id, body));
    assert_int_equal(list.data[0].reason, GRAZE_REMOVED_BY_LIFETIME);
    assert_true(list.data[0].time == 1);
    kit_assert_near_vec2(list.data[0].point, 4, 0, 1e-6f);
    assert_int_equal(list.data[1].reason, GRAZE_REMOVED_BY_HITS);
    graze_world_destroy(world);
}

static void what_the_game_destroys_is_no_removal(void **state)
{
    (void)state;
    graze_world *world = kit_world();
    graze_body_destroy(world, kit_add(world, kit_circle(0, 0, 1)));
    kit_step(world, 1);
    assert_int_equal(graze_world_removals(world).count, 0);
    graze_world_destroy(world);
}

static void what_a_step_removed_may_be_destroyed_until_the_next(void **state)
{
    (void)state;
    kit_log log;
    graze_world *world = kit_world_logging(&log);
    kit_wall(world, 1, -5, 1, 5);
    const graze_body_id bullet = kit_add(world, kit_bullet(0, 0, 4, 0));
    kit_step(world, 1);
    const uint64_t hash = graze_world_hash(world);
    assert_int_equal(graze_body_destroy(world, bullet), GRAZE_OK);
    assert_int_equal(graze_body_destroy(world, bullet), GRAZE_OK);
    assert_int_equal(log.count, 0);
    assert_true(graze_world_hash(world) == hash);
    assert_int_equal(graze_world_removals(world).count, 1);
    const graze_body_id next = {bullet.index, bullet.generation + 1};
    assert_int_equal(graze_body_destroy(world, next), GRAZE_ERROR_STALE_ID);
    kit_step(world, 1);
    assert_int_equal(graze_body_destroy(world, bullet), GRAZE_ERROR_STALE_ID);
    graze_world_destroy(world);
}

static void ids_are_equal_if_index_and_generation_are(void **state)
{
    (void)state;
    const graze_body_id id = {3, 5}, other = {4, 5}, later = {3, 6}, none = {0, 0};
    assert_true(graze_body_id_equal(id, id) && graze_body_id_equal(none, none));
    assert_false(graze_body_id_equal(id, other) || graze_body_id_equal(id, later));
}

// --- Against all of the list ---

static void assert_same_contact(const graze_contact *actual, const graze_contact *expected)
{
    assert_memory_equal(actual, expected, sizeof *actual);
}

// Returns how many contacts it has.
static uint32_t assert_contacts_of(const graze_world *world, graze_body_id body)
{
    const graze_contact_list all = graze_world_contacts(world);
    const graze_contact_list own = graze_body_contacts(world, body);
    uint32_t next = 0;
    for (int as_b = 0; as_b < 2; ++as_b) {
        for (uint32_t k = 0; k < all.count; ++k) {
            const graze_contact *contact = &all.data[k];
            if (kit_is_same(as_b ? contact->b : contact->a, body)) {
                assert_true(next < own.count);
                assert_same_contact(&own.data[next++], contact);
            }
        }
    }
    assert_int_equal(own.count, next);
    return next;
}

static void assert_removals(const graze_world *world)
{
    const graze_removal_list list = graze_world_removals(world);
    assert_int_equal(list.count, graze_world_get_stats(world).removed_count);
    for (uint32_t k = 0; k < list.count; ++k) {
        const graze_removal *removal = &list.data[k];
        assert_true(k == 0 || list.data[k - 1].id.index < removal->id.index);
        assert_false(graze_body_is_valid(world, removal->id));
        kit_assert_same_vec2(graze_body_position(world, removal->id), removal->point);
        const bool by_hits = removal->reason == GRAZE_REMOVED_BY_HITS;
        const graze_contact_list own = graze_body_contacts(world, removal->id);
        float last = by_hits ? 0.0f : 1.0f;
        for (uint32_t i = 0; by_hits && i < own.count; ++i) {
            const bool spent = (own.data[i].flags & GRAZE_CONTACT_SPENT) != 0;
            last = spent && own.data[i].time > last ? own.data[i].time : last;
        }
        assert_true(removal->time == last);
    }
}

static void busy_worlds_list_what_follows_from_their_reports(void **state)
{
    (void)state;
    random_state random = random_seed(3);
    graze_world *world = busy_empty_world();
    uint32_t sum = 0;
    uint32_t removed = 0;
    busy_fill(world, &random);
    for (uint32_t frame = 0; frame < 60; ++frame) {
        busy_frame(world, &random);
        const graze_contact_list all = graze_world_contacts(world);
        for (uint32_t k = 0; k < all.count; ++k) {
            sum += assert_contacts_of(world, all.data[k].a);
            sum += all.data[k].b.generation ? assert_contacts_of(world, all.data[k].b) : 0;
        }
        assert_removals(world);
        removed += graze_world_removals(world).count;
    }
    assert_true(sum > 1000 && removed > 20);
    graze_world_destroy(world);
}

static void views_of_several_bodies_stay(void **state)
{
    (void)state;
    enum { COUNT = 6 };
    graze_world *world = kit_world();
    graze_body_id ids[COUNT];
    graze_contact_list lists[COUNT];
    for (uint32_t k = 0; k < COUNT; ++k) {
        ids[k] = kit_add(world, kit_circle((float)k * 0.5f, 0, 1));
    }
    kit_step(world, 1);
    for (uint32_t k = 0; k < COUNT; ++k) {
        lists[k] = graze_body_contacts(world, ids[k]);
    }
    graze_body_destroy(world, ids[2]);
    kit_add(world, kit_circle(0, 0, 1));
    for (uint32_t k = 0; k < COUNT; ++k) {
        assert_int_equal(assert_contacts_of(world, ids[k]), lists[k].count);
        assert_true(graze_body_contacts(world, ids[k]).data == lists[k].data);
    }
    assert_true(lists[0].data == graze_world_contacts(world).data);
    graze_world_destroy(world);
}

static void who_met_nothing_has_no_contacts(void **state)
{
    (void)state;
    const graze_body_id none = {0, 0}, far = {1000000, 1};
    graze_world *world = kit_world();
    const graze_body_id first = kit_add(world, kit_circle(0, 0, 1));
    assert_int_equal(graze_body_contacts(world, first).count, 0);
    kit_add(world, kit_circle(1, 0, 1));
    kit_step(world, 1);
    assert_int_equal(graze_body_contacts(world, first).count, 1);
    assert_int_equal(graze_body_contacts(world, none).count, 0);
    assert_int_equal(graze_body_contacts(world, far).count, 0);
    graze_body_destroy(world, first);
    const graze_body_id next = kit_add(world, kit_circle(0, 0, 1));
    assert_int_equal(next.index, first.index);
    assert_int_equal(graze_body_contacts(world, next).count, 0);
    assert_int_equal(graze_body_contacts(world, first).count, 1);
    graze_world_destroy(world);
}

static void a_loaded_world_has_the_same_lists(void **state)
{
    (void)state;
    graze_world *world = busy_world_after(5, 30);
    random_state random = random_seed(7);
    size_t size;
    while (graze_world_removals(world).count < 2) {
        busy_frame(world, &random);
    }
    void *bytes = kit_save(world, &size);
    const graze_removal_list removals = graze_world_removals(world);
    graze_world *other = busy_world_after(6, 20);
    (void)graze_world_removals(other);
    (void)graze_body_contacts(other, graze_world_contacts(other).data[0].a);
    kit_load(other, bytes, size);
    const graze_removal_list loaded = graze_world_removals(other);
    assert_int_equal(loaded.count, removals.count);
    assert_memory_equal(loaded.data, removals.data, removals.count * sizeof *removals.data);
    assert_removals(other);
    const graze_contact_list all = graze_world_contacts(other);
    for (uint32_t k = 0; k < all.count; ++k) {
        assert_contacts_of(other, all.data[k].a);
    }
    free(bytes);
    graze_world_destroy(world);
    graze_world_destroy(other);
}

static void without_memory_a_list_is_empty_and_the_log_says_so(void **state)
{
    (void)state;
    for (size_t n = 1; n < 20; ++n) {
        failing_allocator memory = {.calls = 0};
        kit_log log = {.count = 0};
        graze_world_def def = graze_world_def_default();
        def.allocator = failing_allocator_interface(&memory);
        def.log = kit_write_log;
        def.log_user = &log;
        graze_world *world = graze_world_create(&def);
        const graze_body_id first = kit_add(world, kit_circle(0, 0, 1));
        kit_add(world, kit_circle(1, 0, 1));
        kit_add(world, kit_bullet(0, 0, 1, 0));
        kit_step(world, 0.5f);
        failing_allocator_arm(&memory, n);
        const uint32_t contacts = graze_body_contacts(world, first).count;
        const uint32_t removals = graze_world_removals(world).count;
        const bool failed = failing_allocator_disarm(&memory);
        assert_int_equal(log.count, failed);
        assert_true(contacts == (failed && !contacts ? 0 : 2));
        assert_true(removals == (failed && !removals ? 0 : 1));
        assert_int_equal(!contacts + !removals, failed);
        assert_int_equal(graze_body_contacts(world, first).count, 2);
        assert_int_equal(graze_world_removals(world).count, 1);
        graze_world_destroy(world);
        failing_allocator_assert_empty(&memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_is_removed_at_its_last_hit),
        cmocka_unit_test(the_last_hit_counts_not_one_that_spent_the_other),
        cmocka_unit_test(a_lifetime_ends_with_the_step),
        cmocka_unit_test(what_the_game_destroys_is_no_removal),
        cmocka_unit_test(what_a_step_removed_may_be_destroyed_until_the_next),
        cmocka_unit_test(ids_are_equal_if_index_and_generation_are),
        cmocka_unit_test(busy_worlds_list_what_follows_from_their_reports),
        cmocka_unit_test(views_of_several_bodies_stay),
        cmocka_unit_test(who_met_nothing_has_no_contacts),
        cmocka_unit_test(a_loaded_world_has_the_same_lists),
        cmocka_unit_test(without_memory_a_list_is_empty_and_the_log_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
