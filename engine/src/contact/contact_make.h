/// @file contact_make.h
/// Makes contacts, as they are reported, from touches.
#ifndef GRZ_CONTACT_MAKE_H
#define GRZ_CONTACT_MAKE_H

#include "state.h"

/// Returns the contact for a touch; row_b is GRZ_NONE against terrain.
graze_contact grz_contact_of(const graze_world *world, uint32_t row_a, uint32_t row_b,
                             graze_segment_id segment, const grz_touch *touch);

/// Adds a contact to those of this step; row_b is GRZ_NONE against terrain. Returns false if memory
/// runs out.
bool grz_contact_add(graze_world *world, uint32_t row_a, uint32_t row_b, graze_segment_id segment,
                     const grz_touch *touch);

#endif
