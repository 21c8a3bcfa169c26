/// @file model_parts.h
/// Shared by the files of the world's model: model_contacts.c finds what must meet, model_compare.c
/// compares it with the world, world_model.c does the rest.
#ifndef GRAZE_TESTS_MODEL_PARTS_H
#define GRAZE_TESTS_MODEL_PARTS_H

#include "world_model.h"

static inline bool model_veto_allows(uint32_t modulus, uint64_t first, uint64_t second)
{
    return modulus == 0 || (first + second) % modulus != 0;
}

static inline bool model_is_rect(const model_body *body)
{
    return body->now.shape.kind == GRAZE_SHAPE_RECT;
}

static inline bool model_spins(const model_body *body)
{
    return model_is_rect(body) && body->now.spin != 0;
}

/// Fills contacts, keys and ends with what the step must report, in order.
void model_find_contacts(world_model *model);

/// Fails the test, printing the first difference, unless the world's lists are the model's.
void model_compare_lists(const world_model *model);

/// Compares two keys by (a, b, segment), for qsort.
int model_compare_keys(const void *left, const void *right);

#endif
