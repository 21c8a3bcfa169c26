#include "history/record_format.h"

#include "history/checksum.h"

enum { BYTE_ORDER_MARK = 0x01020304 };

static const char magic[8] = {'g', 'r', 'a', 'z', 'e', 'r', 'e', 'c'};

grz_record_header grz_record_new_header(void)
{
    grz_record_header header = {.byte_order = BYTE_ORDER_MARK, .version = GRZ_RECORD_VERSION};
    memcpy(header.magic, magic, sizeof magic);
    return header;
}

void grz_record_close_frame(unsigned char *bytes, uint64_t number, size_t size)
{
    grz_record_frame frame = {.size = size, .number = number};
    const size_t summed = offsetof(grz_record_frame, size);
    memcpy(bytes, &frame, sizeof frame);
    frame.checksum = grz_checksum_of(bytes + summed, sizeof frame - summed + size);
    memcpy(bytes, &frame, sizeof frame);
}

static void pass_byte(grz_record_io *io, uint8_t *byte)
{
    grz_pass(io, byte, sizeof *byte);
}

static void pass_bool(grz_record_io *io, bool *value)
{
    uint8_t byte = *value;
    pass_byte(io, &byte);
    *value = byte != 0;
}

static void pass_number(grz_record_io *io, uint32_t *number)
{
    grz_pass(io, number, sizeof *number);
}

static void pass_long(grz_record_io *io, uint64_t *number)
{
    grz_pass(io, number, sizeof *number);
}

static void pass_float(grz_record_io *io, float *number)
{
    grz_pass(io, number, sizeof *number);
}

static void pass_vector(grz_record_io *io, graze_vec2 *vector)
{
    pass_float(io, &vector->x);
    pass_float(io, &vector->y);
}

static void pass_filter(grz_record_io *io, graze_filter *filter)
{
    pass_number(io, &filter->category);
    pass_number(io, &filter->mask);
    pass_number(io, &filter->pass);
    grz_pass(io, &filter->group, sizeof filter->group);
}

void grz_pass_kind(grz_record_io *io, grz_record_kind *kind)
{
    uint8_t byte = (uint8_t)*kind;
    pass_byte(io, &byte);
    *kind = (grz_record_kind)byte;
}

void grz_pass_start(grz_record_io *io, grz_record_start *start)
{
    pass_bool(io, &start->has_filter);
    pass_bool(io, &start->names_bodies);
    pass_long(io, &start->hash);
    pass_long(io, &start->snapshot_size);
}

void grz_pass_end(grz_record_io *io, grz_record_end *end)
{
    pass_long(io, &end->step_count);
    pass_long(io, &end->hash);
}

void grz_pass_step(grz_record_io *io, grz_record_step *step)
{
    pass_float(io, &step->dt);
    pass_number(io, &step->veto_count);
    pass_number(io, &step->block_count);
    pass_long(io, &step->digest);
}

void grz_pass_blast(grz_record_io *io, grz_record_blast *blast)
{
    pass_vector(io, &blast->center);
    pass_float(io, &blast->radius);
    pass_float(io, &blast->impulse);
    pass_filter(io, &blast->filter);
}

void grz_pass_bodies(grz_record_io *io, grz_record_bodies *bodies)
{
    pass_number(io, &bodies->count);
    pass_bool(io, &bodies->has_ids);
}

static void pass_shape(grz_record_io *io, graze_shape *shape)
{
    uint8_t kind = (uint8_t)shape->kind;
    pass_byte(io, &kind);
    shape->kind = (graze_shape_kind)kind;
    pass_float(io, &shape->radius);
    pass_vector(io, &shape->half);
}

void grz_pass_surface(grz_record_io *io, graze_surface *surface)
{
    pass_float(io, &surface->friction);
    pass_float(io, &surface->restitution);
    pass_float(io, &surface->rolling_resistance);
    pass_float(io, &surface->speed);
}

void grz_pass_body_def(grz_record_io *io, graze_body_def *def)
{
    uint8_t response = (uint8_t)def->response;
    pass_shape(io, &def->shape);
    pass_vector(io, &def->position);
    pass_vector(io, &def->velocity);
    pass_float(io, &def->angle);
    pass_float(io, &def->spin);
    pass_float(io, &def->mass);
    grz_pass_surface(io, &def->surface);
    pass_float(io, &def->inertia);
    pass_float(io, &def->damping);
    pass_float(io, &def->spin_damping);
    pass_float(io, &def->gravity_scale);
    pass_byte(io, &response);
    def->response = (graze_response)response;
    pass_bool(io, &def->sensor);
    pass_number(io, &def->hit_limit);
    pass_bool(io, &def->never_sleeps);
    pass_float(io, &def->lifetime);
    pass_filter(io, &def->filter);
    pass_long(io, &def->user_data);
}

void grz_pass_body_id(grz_record_io *io, graze_body_id *id)
{
    pass_number(io, &id->index);
    pass_number(io, &id->generation);
}

void grz_pass_chain_id(grz_record_io *io, graze_chain_id *id)
{
    pass_number(io, &id->index);
    pass_number(io, &id->generation);
}

void grz_pass_chain_surface(grz_record_io *io, grz_record_surface *change)
{
    grz_pass_chain_id(io, &change->chain);
    pass_number(io, &change->segment);
    grz_pass_surface(io, &change->surface);
}

void grz_pass_chain_def(grz_record_io *io, graze_chain_def *def, bool *has_surfaces)
{
    pass_number(io, &def->count);
    pass_bool(io, &def->loop);
    pass_bool(io, &def->one_sided);
    pass_bool(io, &def->sensor);
    grz_pass_surface(io, &def->surface);
    pass_bool(io, has_surfaces);
    pass_filter(io, &def->filter);
    pass_long(io, &def->user_data);
}

const char *grz_record_call_name(grz_record_kind kind)
{
    static const char *const names[] = {
        [GRZ_RECORD_START] = "graze_record_start",
        [GRZ_RECORD_END] = "graze_record_stop",
        [GRZ_RECORD_STEP] = "graze_world_step",
        [GRZ_RECORD_SORT] = "graze_world_sort",
        [GRZ_RECORD_LOAD] = "graze_world_load",
        [GRZ_RECORD_CREATE] = "graze_body_create",
        [GRZ_RECORD_CREATE_MANY] = "graze_body_create_many",
        [GRZ_RECORD_DESTROY] = "graze_body_destroy",
        [GRZ_RECORD_SET_POSITION] = "graze_body_set_position",
        [GRZ_RECORD_SET_VELOCITY] = "graze_body_set_velocity",
        [GRZ_RECORD_SET_ANGLE] = "graze_body_set_angle",
        [GRZ_RECORD_SET_SPIN] = "graze_body_set_spin",
        [GRZ_RECORD_SET_FILTER] = "graze_body_set_filter",
        [GRZ_RECORD_SET_RESPONSE] = "graze_body_set_response",
        [GRZ_RECORD_SET_USER_DATA] = "graze_body_set_user_data",
        [GRZ_RECORD_CREATE_CHAIN] = "graze_chain_create",
        [GRZ_RECORD_DESTROY_CHAIN] = "graze_chain_destroy",
        [GRZ_RECORD_SET_MASS] = "graze_body_set_mass",
        [GRZ_RECORD_SET_RESTITUTION] = "graze_body_set_restitution",
        [GRZ_RECORD_SET_FRICTION] = "graze_body_set_friction",
        [GRZ_RECORD_SET_LIFETIME] = "graze_body_set_lifetime",
        [GRZ_RECORD_SET_HIT_LIMIT] = "graze_body_set_hit_limit",
        [GRZ_RECORD_SET_SENSOR] = "graze_body_set_sensor",
        [GRZ_RECORD_SET_SHAPE] = "graze_body_set_shape",
        [GRZ_RECORD_SET_GRAVITY] = "graze_world_set_gravity",
        [GRZ_RECORD_SET_SURFACE] = "graze_body_set_surface",
        [GRZ_RECORD_SET_INERTIA] = "graze_body_set_inertia",
        [GRZ_RECORD_SET_DAMPING] = "graze_body_set_damping",
        [GRZ_RECORD_SET_SPIN_DAMPING] = "graze_body_set_spin_damping",
        [GRZ_RECORD_SET_GRAVITY_SCALE] = "graze_body_set_gravity_scale",
        [GRZ_RECORD_SET_NEVER_SLEEPS] = "graze_body_set_never_sleeps",
        [GRZ_RECORD_SET_CHAIN_SURFACE] = "graze_chain_set_surface",
        [GRZ_RECORD_SET_SUBSTEPS] = "graze_world_set_substeps",
        [GRZ_RECORD_APPLY_IMPULSE] = "graze_body_apply_impulse",
        [GRZ_RECORD_APPLY_SPIN_IMPULSE] = "graze_body_apply_spin_impulse",
        [GRZ_RECORD_EXPLODE] = "graze_world_explode",
    };
    return names[kind];
}

size_t grz_record_value_size(grz_record_kind kind)
{
    switch (kind) {
    case GRZ_RECORD_SET_POSITION:
    case GRZ_RECORD_SET_VELOCITY:
        return sizeof(graze_vec2);
    case GRZ_RECORD_SET_ANGLE:
    case GRZ_RECORD_SET_SPIN:
    case GRZ_RECORD_SET_MASS:
    case GRZ_RECORD_SET_RESTITUTION:
    case GRZ_RECORD_SET_FRICTION:
    case GRZ_RECORD_SET_LIFETIME:
    case GRZ_RECORD_SET_INERTIA:
    case GRZ_RECORD_SET_DAMPING:
    case GRZ_RECORD_SET_SPIN_DAMPING:
    case GRZ_RECORD_SET_GRAVITY_SCALE:
    case GRZ_RECORD_APPLY_SPIN_IMPULSE:
        return sizeof(float);
    case GRZ_RECORD_APPLY_IMPULSE:
        return 2 * sizeof(graze_vec2);
    case GRZ_RECORD_SET_FILTER:
        return sizeof(graze_filter);
    case GRZ_RECORD_SET_RESPONSE:
        return sizeof(graze_response);
    case GRZ_RECORD_SET_USER_DATA:
        return sizeof(uint64_t);
    case GRZ_RECORD_SET_HIT_LIMIT:
        return sizeof(uint32_t);
    case GRZ_RECORD_SET_SENSOR:
    case GRZ_RECORD_SET_NEVER_SLEEPS:
        return sizeof(uint8_t);
    case GRZ_RECORD_SET_SURFACE:
        return sizeof(graze_surface);
    case GRZ_RECORD_SET_SHAPE:
        return sizeof(graze_shape);
    default:
        return 0;
    }
}
