#include "model_parts.h"

#include <math.h>
#include <string.h>

static void print_contact(const char *who, const graze_contact *c)
{
    print_message("%s: a {%u, %u} b {%u, %u} segment {{%u, %u}, %u}\n"
                  "    time %a point (%a, %a) normal (%a, %a) depth %a approach %a impulse %a "
                  "phase %d flags %u\n",
                  who, (unsigned)c->a.index, (unsigned)c->a.generation, (unsigned)c->b.index,
                  (unsigned)c->b.generation, (unsigned)c->segment.chain.index,
                  (unsigned)c->segment.chain.generation, (unsigned)c->segment.index,
                  (double)c->time, (double)c->point.x, (double)c->point.y, (double)c->normal.x,
                  (double)c->normal.y, (double)c->depth, (double)c->approach, (double)c->impulse,
                  (int)c->phase, (unsigned)c->flags);
}

// The engine may sum the terms of a point in another order.
static bool is_near(float actual, float expected)
{
    float size = fabsf(expected) > 1 ? fabsf(expected) : 1;
    return fabsf(actual - expected) <= 2.4e-7f * size;
}

static const model_chain *find_chain(const world_model *model, graze_chain_id id)
{
    const model_chain *chain = model->chains;
    while (chain->id.index != id.index) {
        ++chain;
    }
    return chain;
}

static bool is_across(graze_vec2 normal, graze_vec2 a, graze_vec2 b)
{
    double x = (double)b.x - (double)a.x;
    double y = (double)b.y - (double)a.y;
    double lean = (double)normal.x * x + (double)normal.y * y;
    return fabs(lean) <= 1e-6 * sqrt(x * x + y * y) && (x != 0 || y != 0);
}

static bool is_across_a_wall(const world_model *model, const graze_contact *contact)
{
    const model_chain *chain = find_chain(model, contact->segment.chain);
    uint32_t count = chain->def.count;
    for (uint32_t i = 0; i < (chain->def.loop ? count : count - 1); ++i) {
        if (is_across(contact->normal, chain->points[i], chain->points[(i + 1) % count])) {
            return true;
        }
    }
    return false;
}

static bool is_normal_right(const world_model *model, const graze_contact *actual,
                            const model_contact *expected)
{
    const graze_vec2 *wanted = &expected->contact.normal;
    return !memcmp(&actual->normal, wanted, sizeof *wanted) ||
           (expected->at_end && is_across_a_wall(model, actual));
}

// The model has it before it has been multiplied, and rounded with the normal. At joints the normal
// is another one.
static bool is_approach_right(const graze_contact *actual, const model_contact *expected)
{
    const float wanted = expected->contact.approach;
    return expected->at_end ? actual->approach >= 0
                            : fabsf(actual->approach - wanted) <= 1e-5f * (1 + wanted);
}

static bool is_contact_right(const world_model *model, const graze_contact *actual,
                             const model_contact *wanted)
{
    const graze_contact *expected = &wanted->contact;
    graze_contact_end actual_key = {actual->a, actual->b, actual->segment};
    graze_contact_end key = {expected->a, expected->b, expected->segment};
    return !model_compare_keys(&actual_key, &key) &&
           !memcmp(&actual->time, &expected->time, sizeof actual->time) &&
           !memcmp(&actual->depth, &expected->depth, sizeof actual->depth) &&
           is_approach_right(actual, wanted) && actual->impulse == 0 &&
           is_normal_right(model, actual, wanted) && is_near(actual->point.x, expected->point.x) &&
           is_near(actual->point.y, expected->point.y) && actual->phase == expected->phase &&
           actual->flags == expected->flags;
}

static void compare_contact_lists(const world_model *model)
{
    graze_contact_list list = graze_world_contacts(model->world);
    for (uint32_t i = 0; i < list.count || i < model->contact_count; ++i) {
        bool both = i < list.count && i < model->contact_count;
        if (both && is_contact_right(model, &list.data[i], &model->contacts[i])) {
            continue;
        }
        if (i < list.count) {
            print_contact("world", &list.data[i]);
        }
        if (i < model->contact_count) {
            print_contact("model", &model->contacts[i].contact);
        }
        fail_msg("contact %u differs; the world has %u, the model %u", (unsigned)i,
                 (unsigned)list.count, (unsigned)model->contact_count);
    }
}

static void compare_end_lists(const world_model *model)
{
    graze_contact_end_list list = graze_world_contact_ends(model->world);
    assert_int_equal(list.count, model->end_count);
    for (uint32_t i = 0; i < list.count; ++i) {
        assert_int_equal(model_compare_keys(&list.data[i], &model->ends[i]), 0);
    }
}

void model_compare_lists(const world_model *model)
{
    compare_contact_lists(model);
    compare_end_lists(model);
}
