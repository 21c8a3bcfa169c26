/// @file world_model.h
/// A world with a model beside it: every call goes to both, and every step compares them.
///
/// The model has no grid: it sweeps every body against every other and against every segment with
/// the kernels of sweep.h, sorts the contacts, and matches them with the step before, in the
/// simplest way. Bodies are GRAZE_PASS: their motion does not depend on what they meet. A hit_limit
/// that is never reached is allowed; the engine then finds their contacts in another way.
///
/// What is compared   Bit for bit: contacts (count, order, ids, time, normal, depth, phase, flags),
///                    ends, positions, velocities, which ids are valid, user_data. Within rounding:
///                    points of contacts, angles. Where a circle or rect touches the end of a wall
///                    the normal may be that or one of the chain's walls: chains are smooth.
#ifndef GRAZE_TESTS_WORLD_MODEL_H
#define GRAZE_TESTS_WORLD_MODEL_H

#include "world_kit.h"

enum {
    MODEL_BODY_CAPACITY = 512,
    MODEL_CHAIN_CAPACITY = 64,
    MODEL_POINT_CAPACITY = 24,
    MODEL_CONTACT_CAPACITY = 1 << 15
};

typedef struct model_body {
    graze_body_id id;
    graze_body_def now; ///< As it is now: position, velocity and so on are kept up to date.
    graze_vec2 end, end_velocity;
    graze_rotation rotation, end_rotation;
} model_body;

typedef struct model_chain {
    graze_chain_id id;
    graze_chain_def def; ///< `points` is the array below.
    graze_vec2 points[MODEL_POINT_CAPACITY];
} model_chain;

/// An expected contact.
typedef struct model_contact {
    graze_contact contact;
    bool at_end; ///< A circle or rect touches the end of a wall.
} model_contact;

typedef struct world_model {
    graze_world *world;
    graze_vec2 gravity;
    float dt;              ///< Of the last step.
    uint32_t veto_modulus; ///< Above 0: see model_veto().
    uint32_t body_count, chain_count, contact_count, key_count, end_count;
    model_body bodies[MODEL_BODY_CAPACITY];   ///< Those in the world, in no order.
    model_chain chains[MODEL_CHAIN_CAPACITY]; ///< Likewise.
    model_contact contacts[MODEL_CONTACT_CAPACITY];
    graze_contact_end keys[MODEL_CONTACT_CAPACITY]; ///< Keys of what met in the last step.
    graze_contact_end ends[MODEL_CONTACT_CAPACITY];
} world_model;

/// Returns a new model around a new, empty world. With a veto_modulus above 0 the world has a
/// filter function that forbids two things to meet whose user_data add up to a multiple of it.
world_model *model_create(graze_vec2 gravity, uint32_t veto_modulus);

/// Destroys the world and the model.
void model_destroy(world_model *model);

void model_add_bodies(world_model *model, const graze_body_def *defs, uint32_t count);

/// `place` is an index in model->bodies; the last body takes the place of the one removed.
void model_remove_body(world_model *model, uint32_t place);

void model_set_position(world_model *model, uint32_t place, graze_vec2 position);
void model_set_velocity(world_model *model, uint32_t place, graze_vec2 velocity);
void model_set_angle(world_model *model, uint32_t place, float angle);
void model_set_spin(world_model *model, uint32_t place, float spin);
void model_set_filter(world_model *model, uint32_t place, graze_filter filter);

/// At most MODEL_POINT_CAPACITY points.
void model_add_chain(world_model *model, const graze_chain_def *def);
void model_remove_chain(world_model *model, uint32_t place);

/// Steps the world, and fails the test, printing the first difference, unless everything is as in
/// the model.
void model_step(world_model *model, float dt);

/// Returns a body of any kind within [-extent, extent]; `lattice` puts it on small multiples of
/// 0.5, which makes ties.
graze_body_def model_random_body(random_state *random, float extent, bool lattice);

/// Returns a filter that is the default in three of four cases.
graze_filter model_random_filter(random_state *random);

/// Adds a random chain of 2 to 12 points.
void model_add_random_chain(world_model *model, random_state *random, float extent, bool lattice);

#endif
