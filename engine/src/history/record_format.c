#include "history/record_format.h"

#include "history/checksum.h"
#include "history/state_hash.h"

// --- Structures ---

const grz_form grz_record_header_form =
    GRZ_FORM(grz_record_header, {0, 8, GRZ_TYPE_BYTE, GRZ_ANYTHING, NULL},
             GRZ_ANY_WORDS(grz_record_header, byte_order, version));

const grz_form grz_record_frame_form =
    GRZ_FORM(grz_record_frame, GRZ_ANY_LONGS(grz_record_frame, checksum, number));

static const grz_form start_form = GRZ_FORM(
    grz_record_start, GRZ_BOOL(grz_record_start, has_filter),
    GRZ_BOOL(grz_record_start, names_bodies), GRZ_ANY_LONGS(grz_record_start, hash, snapshot_size));

static const grz_form end_form =
    GRZ_FORM(grz_record_end, GRZ_ANY_LONGS(grz_record_end, step_count, hash));

static const grz_form step_form =
    GRZ_FORM(grz_record_step, GRZ_ANY_WORDS(grz_record_step, dt, block_count),
             GRZ_ANY_LONGS(grz_record_step, digest, digest));

const grz_form grz_state_hash_block_form =
    GRZ_FORM(grz_state_hash_block, GRZ_ANY_LONGS(grz_state_hash_block, sum, joined),
             GRZ_ANY(grz_state_hash_block, bodies, bodies, GRZ_TYPE_SHORT, 2));

static const grz_form bodies_form =
    GRZ_FORM(grz_record_bodies, GRZ_ANY_WORDS(grz_record_bodies, count, count),
             GRZ_BOOL(grz_record_bodies, has_ids));

const grz_form grz_body_def_form = GRZ_FORM(
    graze_body_def, GRZ_ENUM(graze_body_def, shape.kind),
    GRZ_ANY_WORDS(graze_body_def, shape.radius, gravity_scale), GRZ_ENUM(graze_body_def, response),
    GRZ_BOOL(graze_body_def, sensor), GRZ_ANY_WORDS(graze_body_def, hit_limit, hit_limit),
    GRZ_BOOL(graze_body_def, never_sleeps), GRZ_ANY_WORDS(graze_body_def, lifetime, filter),
    GRZ_ANY_LONGS(graze_body_def, user_data, user_data));

static const grz_form chain_form =
    GRZ_FORM(grz_record_chain, GRZ_ANY_WORDS(grz_record_chain, def.count, def.count),
             GRZ_BOOL(grz_record_chain, def.loop), GRZ_BOOL(grz_record_chain, def.one_sided),
             GRZ_BOOL(grz_record_chain, def.sensor),
             GRZ_ANY_WORDS(grz_record_chain, def.surface, def.surface),
             GRZ_BOOL(grz_record_chain, has_surfaces),
             GRZ_ANY_WORDS(grz_record_chain, def.filter, def.filter),
             GRZ_ANY_LONGS(grz_record_chain, def.user_data, def.user_data));

_Static_assert(sizeof(graze_shape_kind) == sizeof(int) && sizeof(graze_response) == sizeof(int),
               "enums are words");

// Structures of words alone.
#define WORDS_OF(structure)                                                                        \
    GRZ_FORM(structure, {0, sizeof(structure) / 4, GRZ_TYPE_WORD, GRZ_ANYTHING, NULL})

const grz_form grz_id_form = WORDS_OF(graze_body_id);
const grz_form grz_vector_form = WORDS_OF(graze_vec2);
const grz_form grz_surface_form = WORDS_OF(graze_surface);
static const grz_form filter_form = WORDS_OF(graze_filter);
static const grz_form shape_form = WORDS_OF(graze_shape);
static const grz_form push_form = WORDS_OF(grz_record_push);
static const grz_form chain_surface_form = WORDS_OF(grz_record_surface);
static const grz_form blast_form = WORDS_OF(grz_record_blast);

_Static_assert(sizeof(graze_body_id) == 8 && sizeof(graze_chain_id) == 8 &&
                   sizeof(graze_vec2) == 8 && sizeof(graze_filter) == 16 &&
                   sizeof(graze_shape) == 16 && sizeof(graze_surface) == 16 &&
                   sizeof(grz_record_push) == 16 && sizeof(grz_record_surface) == 28 &&
                   sizeof(grz_record_blast) == 32 && sizeof(graze_response) == 4,
               "no structure has padding");

// --- Entries ---

const grz_call_plan grz_call_plans[GRZ_RECORD_KINDS] = {
    [GRZ_RECORD_START] = {"graze_record_start", &start_form, false},
    [GRZ_RECORD_END] = {"graze_record_stop", &end_form, false},
    [GRZ_RECORD_STEP] = {"graze_world_step", &step_form, false},
    [GRZ_RECORD_SORT] = {"graze_world_sort", NULL, false},
    [GRZ_RECORD_LOAD] = {"graze_world_load", &grz_long_form, false},
    [GRZ_RECORD_CREATE] = {"graze_body_create", &bodies_form, false},
    [GRZ_RECORD_CREATE_MANY] = {"graze_body_create_many", &bodies_form, false},
    [GRZ_RECORD_DESTROY] = {"graze_body_destroy", NULL, true},
    [GRZ_RECORD_SET_POSITION] = {"graze_body_set_position", &grz_vector_form, true},
    [GRZ_RECORD_SET_VELOCITY] = {"graze_body_set_velocity", &grz_vector_form, true},
    [GRZ_RECORD_SET_ANGLE] = {"graze_body_set_angle", &grz_word_form, true},
    [GRZ_RECORD_SET_SPIN] = {"graze_body_set_spin", &grz_word_form, true},
    [GRZ_RECORD_SET_FILTER] = {"graze_body_set_filter", &filter_form, true},
    [GRZ_RECORD_SET_RESPONSE] = {"graze_body_set_response", &grz_word_form, true},
    [GRZ_RECORD_SET_USER_DATA] = {"graze_body_set_user_data", &grz_long_form, true},
    [GRZ_RECORD_CREATE_CHAIN] = {"graze_chain_create", &chain_form, false},
    [GRZ_RECORD_DESTROY_CHAIN] = {"graze_chain_destroy", &grz_id_form, false},
    [GRZ_RECORD_SET_MASS] = {"graze_body_set_mass", &grz_word_form, true},
    [GRZ_RECORD_SET_RESTITUTION] = {"graze_body_set_restitution", &grz_word_form, true},
    [GRZ_RECORD_SET_FRICTION] = {"graze_body_set_friction", &grz_word_form, true},
    [GRZ_RECORD_SET_LIFETIME] = {"graze_body_set_lifetime", &grz_word_form, true},
    [GRZ_RECORD_SET_HIT_LIMIT] = {"graze_body_set_hit_limit", &grz_word_form, true},
    [GRZ_RECORD_SET_SENSOR] = {"graze_body_set_sensor", &grz_byte_form, true},
    [GRZ_RECORD_SET_SHAPE] = {"graze_body_set_shape", &shape_form, true},
    [GRZ_RECORD_SET_GRAVITY] = {"graze_world_set_gravity", &grz_vector_form, false},
    [GRZ_RECORD_SET_SURFACE] = {"graze_body_set_surface", &grz_surface_form, true},
    [GRZ_RECORD_SET_INERTIA] = {"graze_body_set_inertia", &grz_word_form, true},
    [GRZ_RECORD_SET_DAMPING] = {"graze_body_set_damping", &grz_word_form, true},
    [GRZ_RECORD_SET_SPIN_DAMPING] = {"graze_body_set_spin_damping", &grz_word_form, true},
    [GRZ_RECORD_SET_GRAVITY_SCALE] = {"graze_body_set_gravity_scale", &grz_word_form, true},
    [GRZ_RECORD_SET_NEVER_SLEEPS] = {"graze_body_set_never_sleeps", &grz_byte_form, true},
    [GRZ_RECORD_SET_CHAIN_SURFACE] = {"graze_chain_set_surface", &chain_surface_form, false},
    [GRZ_RECORD_SET_SUBSTEPS] = {"graze_world_set_substeps", &grz_word_form, false},
    [GRZ_RECORD_APPLY_IMPULSE] = {"graze_body_apply_impulse", &push_form, true},
    [GRZ_RECORD_APPLY_SPIN_IMPULSE] = {"graze_body_apply_spin_impulse", &grz_word_form, true},
    [GRZ_RECORD_EXPLODE] = {"graze_world_explode", &blast_form, false},
};

grz_record_header grz_record_new_header(void)
{
    const grz_record_header header = {
        .magic = {'g', 'r', 'a', 'z', 'e', 'r', 'e', 'c'},
        .byte_order = 0x01020304,
        .version = GRZ_RECORD_VERSION,
    };
    return header;
}

void grz_record_close_frame(unsigned char *bytes, uint64_t number, size_t size)
{
    const size_t summed = offsetof(grz_record_frame, size);
    grz_record_frame frame = {.size = size, .number = number};
    for (int pass = 0; pass < 2; ++pass) {
        grz_archive archive = grz_archive_writing(bytes, sizeof frame);
        grz_archive_put(&archive, &grz_record_frame_form, &frame, 1);
        frame.checksum = grz_checksum_of(bytes + summed, sizeof frame - summed + size);
    }
}

// --- Vetoes: a sorted set of pairs ---

uint64_t grz_record_veto(graze_body_id a, graze_body_id b, graze_segment_id segment)
{
    const uint32_t terrain = UINT32_C(1) << 31; // Indices are below it.
    if (b.generation == 0) {
        return (uint64_t)a.index << 32 | terrain | segment.chain.index;
    }
    const bool in_order = a.index < b.index;
    return in_order ? (uint64_t)a.index << 32 | b.index : (uint64_t)b.index << 32 | a.index;
}

static void sift_down(uint64_t *heap, uint32_t place, uint32_t count)
{
    for (uint32_t child; (child = 2 * place + 1) < count; place = child) {
        child += child + 1 < count && heap[child + 1] > heap[child];
        if (heap[place] >= heap[child]) {
            return;
        }
        const uint64_t larger = heap[child];
        heap[child] = heap[place];
        heap[place] = larger;
    }
}

// Heapsort (J. W. J. Williams 1964): in place, and never quadratic, whatever a record holds.
static void heap_sort(uint64_t *numbers, uint32_t count)
{
    for (uint32_t place = count / 2; place-- > 0;) {
        sift_down(numbers, place, count);
    }
    while (count-- > 1) {
        const uint64_t largest = numbers[0];
        numbers[0] = numbers[count];
        numbers[count] = largest;
        sift_down(numbers, 0, count);
    }
}

uint32_t grz_record_sort_vetoes(uint64_t *vetoes, uint32_t count)
{
    uint32_t kept = 0;
    heap_sort(vetoes, count);
    for (uint32_t i = 0; i < count; ++i) {
        if (kept == 0 || vetoes[kept - 1] != vetoes[i]) {
            vetoes[kept++] = vetoes[i];
        }
    }
    return kept;
}
