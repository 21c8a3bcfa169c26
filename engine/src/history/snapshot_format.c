// What each section of a snapshot consists of, and where it is.

#include "history/checksum.h"
#include "history/snapshot.h"

enum { VERSION = 8, BYTE_ORDER = 0x01020304 };

// --- Structures ---

static const grz_field header_fields[] = {
    GRZ_WORDS(grz_snapshot_header, byte_order, GRZ_ANYTHING, NULL),
    GRZ_WORDS(grz_snapshot_header, version, GRZ_ANYTHING, NULL),
    GRZ_LONGS(grz_snapshot_header, size),
    GRZ_LONGS(grz_snapshot_header, checksum),
    GRZ_LONGS(grz_snapshot_header, step_count),
    GRZ_LONGS(grz_snapshot_header, pair_count),
    GRZ_LONGS(grz_snapshot_header, hit_count),
    {offsetof(grz_snapshot_header, gravity),
     (sizeof(grz_snapshot_header) - offsetof(grz_snapshot_header, gravity)) / sizeof(uint32_t),
     GRZ_TYPE_WORD, GRZ_ANYTHING, NULL},
};

static const grz_field angle_fields[] = {{0, 1, GRZ_TYPE_WORD, GRZ_NUMBERS, "angle is not finite"}};
static const grz_field spin_fields[] = {{0, 1, GRZ_TYPE_WORD, GRZ_NUMBERS, "spin is not finite"}};

static const grz_field position_fields[] = {
    {0, 2, GRZ_TYPE_WORD, GRZ_NUMBERS, "position is not finite"}};
static const grz_field velocity_fields[] = {
    {0, 2, GRZ_TYPE_WORD, GRZ_NUMBERS, "velocity is not finite"}};
static const grz_field half_fields[] = {
    {0, 2, GRZ_TYPE_WORD, GRZ_SIZES, "size is out of range for its shape"}};

static const char unknown_form[] = "kind or response is unknown";

static const grz_field body_fields[] = {
    GRZ_WORDS(grz_body, generation, GRZ_FROM(1), "generation is 0"),
    GRZ_BYTE(grz_body, response, 0, GRAZE_RIGID, unknown_form),
    GRZ_BYTE(grz_body, sensor, 0, 1, unknown_form),
    GRZ_BYTE(grz_body, kind, 0, GRAZE_SHAPE_RAY, unknown_form),
    GRZ_BYTE(grz_body, unused, 0, 0, unknown_form),
};

#define SURFACE_FIELDS(structure, prefix, blame)                                                   \
    GRZ_WORDS(structure, prefix friction, GRZ_SIZES, blame),                                       \
        GRZ_WORDS(structure, prefix restitution, GRZ_SHARES, blame),                               \
        GRZ_WORDS(structure, prefix rolling_resistance, GRZ_SIZES, blame),                         \
        GRZ_WORDS(structure, prefix speed, GRZ_NUMBERS, blame)

static const grz_field material_fields[] = {
    GRZ_WORDS(grz_material, mass, GRZ_SIZES, "mass is negative or not finite"),
    SURFACE_FIELDS(grz_material, surface., "surface is out of range"),
};

static const grz_field life_fields[] = {
    GRZ_WORDS(grz_life, lifetime, GRZ_SIZES, "lifetime is negative or not finite"),
    GRZ_WORDS(grz_life, hit_limit, GRZ_ANYTHING, NULL),
    GRZ_WORDS(grz_life, hit_count, GRZ_ANYTHING, NULL),
};

static const grz_field filter_fields[] = {{0, 4, GRZ_TYPE_WORD, GRZ_ANYTHING, NULL}};

static const char wrong_dynamics[] = "inertia, damping, gravity_scale or sleep is out of range";

static const grz_field dynamics_fields[] = {
    GRZ_WORDS(grz_dynamics, inertia, GRZ_SIZES, wrong_dynamics),
    GRZ_WORDS(grz_dynamics, damping, GRZ_SIZES, wrong_dynamics),
    GRZ_WORDS(grz_dynamics, spin_damping, GRZ_SIZES, wrong_dynamics),
    GRZ_WORDS(grz_dynamics, gravity_scale, GRZ_NUMBERS, wrong_dynamics),
    GRZ_WORDS(grz_dynamics, quiet, GRZ_SIZES, wrong_dynamics),
    GRZ_WORDS(grz_dynamics, flags, GRZ_UP_TO(GRZ_DYNAMICS_FLAGS), wrong_dynamics),
};

static const grz_field point_fields[] = {
    {0, 2, GRZ_TYPE_WORD, GRZ_NUMBERS, "a point of the snapshot's chains is not finite"}};

static const char wrong_chain[] = "its generation, number of points, kind or surface is invalid";

static const grz_field chain_fields[] = {
    GRZ_LONGS(grz_chain_record, user_data),
    GRZ_WORDS(grz_chain_record, filter, GRZ_ANYTHING, NULL),
    GRZ_WORDS(grz_chain_record, generation, GRZ_FROM(1), wrong_chain),
    GRZ_WORDS(grz_chain_record, point_count, GRZ_ANYTHING, NULL),
    GRZ_WORDS(grz_chain_record, form, GRZ_UP_TO(GRZ_CHAIN_ALL), wrong_chain),
    SURFACE_FIELDS(grz_chain_record, surface., wrong_chain),
    GRZ_WORDS(grz_chain_record, unused, GRZ_UP_TO(0), wrong_chain),
};

static const grz_field surface_fields[] = {
    SURFACE_FIELDS(graze_surface, , "a surface of the snapshot's chains is out of range"),
};

static const grz_field key_fields[] = {{0, 7, GRZ_TYPE_WORD, GRZ_ANYTHING, NULL}};

enum {
    FLAGS =
        GRAZE_CONTACT_SENSOR | GRAZE_CONTACT_BLOCKED | GRAZE_CONTACT_SPENT | GRAZE_CONTACT_DROPPED
};

static const char wrong_contact[] = "contact is invalid";

// Points and depths may be past the range of float.
static const grz_field contact_fields[] = {
    GRZ_WORDS(grz_contact_record, key, GRZ_ANYTHING, NULL),
    GRZ_WORDS(grz_contact_record, form, GRZ_UP_TO(FLAGS << 1 | 1), wrong_contact),
    GRZ_WORDS(grz_contact_record, time, GRZ_SHARES, wrong_contact),
    GRZ_WORDS(grz_contact_record, point, GRZ_DISTANCES, wrong_contact),
    GRZ_WORDS(grz_contact_record, normal, GRZ_UNITS, wrong_contact),
    GRZ_WORDS(grz_contact_record, depth, GRZ_DEPTHS, wrong_contact),
};

static const grz_field blow_fields[] = {{0, 2, GRZ_TYPE_WORD, GRZ_SIZES, wrong_contact}};

static const char wrong_kept[] = "kept contact is invalid";

static const grz_field kept_fields[] = {
    GRZ_WORDS(grz_cached_contact, key, GRZ_ANYTHING, NULL),
    GRZ_WORDS(grz_cached_contact, count, GRZ_UP_TO(GRZ_MANIFOLD_POINTS), wrong_kept),
    GRZ_WORDS(grz_cached_contact, features, GRZ_ANYTHING, NULL),
    GRZ_WORDS(grz_cached_contact, impulses, GRZ_FINITE, wrong_kept),
    GRZ_WORDS(grz_cached_contact, friction_impulse, GRZ_FINITE, wrong_kept),
    GRZ_WORDS(grz_cached_contact, rolling_impulse, GRZ_FINITE, wrong_kept),
    GRZ_WORDS(grz_cached_contact, normal, GRZ_UNITS, wrong_kept),
    GRZ_WORDS(grz_cached_contact, levers_a, GRZ_FINITE, wrong_kept),
    GRZ_WORDS(grz_cached_contact, levers_b, GRZ_FINITE, wrong_kept),
    GRZ_WORDS(grz_cached_contact, offset, GRZ_FINITE, wrong_kept),
    GRZ_WORDS(grz_cached_contact, rotation_a, GRZ_UNITS, wrong_kept),
    GRZ_WORDS(grz_cached_contact, rotation_b, GRZ_UNITS, wrong_kept),
};

static const grz_form header_form = GRZ_FORM(grz_snapshot_header, header_fields);
static const grz_form position_form = GRZ_FORM(graze_vec2, position_fields);
static const grz_form velocity_form = GRZ_FORM(graze_vec2, velocity_fields);
static const grz_form half_form = GRZ_FORM(graze_vec2, half_fields);
static const grz_form angle_form = GRZ_FORM(float, angle_fields);
static const grz_form spin_form = GRZ_FORM(float, spin_fields);
static const grz_form body_form = GRZ_FORM(grz_body, body_fields);
static const grz_form material_form = GRZ_FORM(grz_material, material_fields);
static const grz_form life_form = GRZ_FORM(grz_life, life_fields);
static const grz_form filter_form = GRZ_FORM(graze_filter, filter_fields);
static const grz_form dynamics_form = GRZ_FORM(grz_dynamics, dynamics_fields);
static const grz_form chain_form = GRZ_FORM(grz_chain_record, chain_fields);
static const grz_form point_form = GRZ_FORM(graze_vec2, point_fields);
static const grz_form surface_form = GRZ_FORM(graze_surface, surface_fields);
static const grz_form key_form = GRZ_FORM(graze_contact_end, key_fields);
static const grz_form contact_form = GRZ_FORM(grz_contact_record, contact_fields);
static const grz_form blow_form = GRZ_FORM(grz_blow, blow_fields);
static const grz_form kept_form = GRZ_FORM(grz_cached_contact, kept_fields);

_Static_assert(sizeof(grz_snapshot_header) == 128 && sizeof(grz_body) == 8 &&
                   sizeof(grz_material) == 20 && sizeof(grz_life) == 12 &&
                   sizeof(graze_filter) == 16 && sizeof(grz_dynamics) == 24 &&
                   sizeof(grz_chain_record) == 56 && sizeof(graze_surface) == 16 &&
                   sizeof(graze_contact_end) == 28 && sizeof(grz_contact_record) == 32 &&
                   sizeof(grz_blow) == 8 && sizeof(grz_cached_contact) == 120 &&
                   sizeof(graze_vec2) == 8,
               "no structure has padding");

// --- Sections ---

enum { OF_KEPT = sizeof(grz_snapshot_header), OF_WORDS }; ///< Counts that are not in the header.

#define OF(member) offsetof(grz_snapshot_header, member)

const grz_section_plan grz_section_plans[GRZ_SECTION_COUNT] = {
    [GRZ_SECTION_POSITIONS] = {&position_form, OF_KEPT, 0, NULL},
    [GRZ_SECTION_VELOCITIES] = {&velocity_form, OF_KEPT, 0, NULL},
    [GRZ_SECTION_HALVES] = {&half_form, OF_KEPT, 0, NULL},
    [GRZ_SECTION_ANGLES] = {&angle_form, OF_KEPT, GRZ_NEED_ROTATIONS, NULL},
    [GRZ_SECTION_SPINS] = {&spin_form, OF_KEPT, GRZ_NEED_ROTATIONS, NULL},
    [GRZ_SECTION_BODIES] = {&body_form, OF(index_count), 0, NULL},
    [GRZ_SECTION_MATERIALS] = {&material_form, OF(index_count), GRZ_NEED_MATERIAL,
                               &grz_optional_default.material},
    [GRZ_SECTION_LIVES] = {&life_form, OF(index_count), GRZ_NEED_LIFE, &grz_optional_default.life},
    [GRZ_SECTION_FILTERS] = {&filter_form, OF(index_count), GRZ_NEED_FILTER,
                             &grz_optional_default.filter},
    [GRZ_SECTION_USERS] = {&grz_long_form, OF(index_count), GRZ_NEED_USER_DATA,
                           &grz_optional_default.user_data},
    [GRZ_SECTION_DYNAMICS] = {&dynamics_form, OF(index_count), GRZ_NEED_DYNAMICS,
                              &grz_optional_default.dynamics},
    [GRZ_SECTION_VACANCIES] = {&grz_long_form, OF_WORDS, 0, NULL},
    [GRZ_SECTION_RETIRED] = {&grz_word_form, OF(retired_count), 0, NULL},
    [GRZ_SECTION_CHAINS] = {&chain_form, OF(chain_count), 0, NULL},
    [GRZ_SECTION_POINTS] = {&point_form, OF(point_count), 0, NULL},
    [GRZ_SECTION_SURFACES] = {&surface_form, OF(surface_count), 0, NULL},
    [GRZ_SECTION_KEYS] = {&key_form, OF(key_count), 0, NULL},
    [GRZ_SECTION_ENDS] = {&key_form, OF(end_count), 0, NULL},
    [GRZ_SECTION_CONTACTS] = {&contact_form, OF(contact_count), 0, NULL},
    [GRZ_SECTION_BLOWS] = {&blow_form, OF(contact_count), 0, NULL},
    [GRZ_SECTION_KEPT] = {&kept_form, OF(kept_count), 0, NULL},
};

grz_snapshot_header grz_snapshot_new_header(void)
{
    const grz_snapshot_header header = {
        .magic = {'G', 'R', 'A', 'Z', 'E', 'S', 'N', 'P'},
        .byte_order = BYTE_ORDER,
        .version = VERSION,
    };
    return header;
}

static uint64_t count_of_elements(const grz_snapshot_header *header, const grz_section_plan *plan)
{
    if (plan->need && !(header->needs & plan->need)) {
        return 0;
    }
    switch (plan->count_at) {
    case OF_KEPT:
        return grz_snapshot_kept(header);
    case OF_WORDS:
        return ((uint64_t)header->index_count + 63) / 64;
    default:
        return grz_word_at((const unsigned char *)header + plan->count_at, 0);
    }
}

// Each section has less than 2^39 bytes: the sum does not overflow.
grz_snapshot_layout grz_snapshot_lay_out(const grz_snapshot_header *header)
{
    grz_snapshot_layout layout;
    layout.begin[0] = sizeof *header;
    for (int section = 0; section < GRZ_SECTION_COUNT; ++section) {
        const grz_section_plan *plan = &grz_section_plans[section];
        layout.begin[section + 1] =
            layout.begin[section] + count_of_elements(header, plan) * plan->form->size;
    }
    return layout;
}

uint64_t grz_snapshot_sum(const unsigned char *bytes, const grz_snapshot_layout *layout)
{
    const size_t begin = offsetof(grz_snapshot_header, checksum) + sizeof(uint64_t);
    grz_checksum all;
    grz_checksum_begin(&all);
    for (int section = 0; section < GRZ_SECTION_COUNT; ++section) {
        const size_t first = (size_t)layout->begin[section];
        grz_checksum part;
        grz_checksum_begin(&part);
        grz_checksum_add(&part, bytes + first, (size_t)layout->begin[section + 1] - first);
        grz_checksum_add_sum(&all, &part);
    }
    grz_checksum_add(&all, bytes + begin, sizeof(grz_snapshot_header) - begin);
    return grz_checksum_end(&all);
}

void grz_snapshot_turn_header(unsigned char *bytes)
{
    grz_form_turn(&header_form, bytes, 1);
}

void grz_snapshot_turn_sections(unsigned char *bytes, const grz_snapshot_layout *layout)
{
    for (int section = 0; section < GRZ_SECTION_COUNT; ++section) {
        const grz_form *form = grz_section_plans[section].form;
        const size_t first = (size_t)layout->begin[section];
        const size_t size = (size_t)layout->begin[section + 1] - first;
        grz_form_turn(form, bytes + first, size / form->size);
    }
}

// --- Columns ---

void *grz_snapshot_column(const graze_world *world, grz_section section)
{
    switch (section) {
    case GRZ_SECTION_POSITIONS:
        return world->rows.position;
    case GRZ_SECTION_VELOCITIES:
        return world->rows.velocity;
    case GRZ_SECTION_HALVES:
        return world->rows.half;
    case GRZ_SECTION_ANGLES:
        return world->rows.angle;
    case GRZ_SECTION_SPINS:
        return world->rows.spin;
    case GRZ_SECTION_BODIES:
        return world->bodies.data;
    case GRZ_SECTION_MATERIALS:
        return world->materials.data;
    case GRZ_SECTION_LIVES:
        return world->lives.data;
    case GRZ_SECTION_FILTERS:
        return world->filters.data;
    case GRZ_SECTION_USERS:
        return world->user_data.data;
    case GRZ_SECTION_DYNAMICS:
        return world->dynamics.data;
    case GRZ_SECTION_VACANCIES:
        return world->vacancies.data;
    default:
        return NULL;
    }
}

// All equal the first if each equals the one before it.
static bool are_usual(const grz_section_plan *plan, const unsigned char *elements, size_t count)
{
    const size_t size = plan->form->size;
    return memcmp(elements, plan->usual, size) == 0 &&
           memcmp(elements, elements + size, (count - 1) * size) == 0;
}

// If many bodies need a column, a small sample contains one of them.
bool grz_section_is_usual(grz_section section, const unsigned char *elements, size_t count)
{
    enum { APART = 67 };
    const grz_section_plan *plan = &grz_section_plans[section];
    bool usual = true;
    for (size_t index = 0; usual && index < count; index += APART) {
        usual = are_usual(plan, elements + index * plan->form->size, 1);
    }
    return usual && (count == 0 || are_usual(plan, elements, count));
}
