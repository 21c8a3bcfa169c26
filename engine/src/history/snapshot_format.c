// What each section of a snapshot consists of, and where it is.

#include "history/checksum.h"
#include "history/snapshot.h"
#include "world/shape_kind.h"

enum { VERSION = 9, BYTE_ORDER_MARK = 0x01020304 };

// --- Structures ---

static const grz_form header_form =
    GRZ_FORM(grz_snapshot_header, GRZ_ANY_WORDS(grz_snapshot_header, byte_order, version),
             GRZ_ANY_LONGS(grz_snapshot_header, size, hit_count),
             GRZ_ANY_WORDS(grz_snapshot_header, gravity, mean_substep));

static const grz_form position_form =
    GRZ_FORM(graze_vec2, GRZ_WORDS(graze_vec2, x, y, GRZ_NUMBERS, "position is not finite"));
static const grz_form velocity_form =
    GRZ_FORM(graze_vec2, GRZ_WORDS(graze_vec2, x, y, GRZ_NUMBERS, "velocity is not finite"));
static const grz_form half_form = GRZ_FORM(
    graze_vec2, GRZ_WORDS(graze_vec2, x, y, GRZ_SIZES, "size is out of range for its shape"));
static const grz_form angle_form =
    GRZ_FORM(float, {0, 1, GRZ_TYPE_WORD, GRZ_NUMBERS, "angle is not finite"});
static const grz_form spin_form =
    GRZ_FORM(float, {0, 1, GRZ_TYPE_WORD, GRZ_NUMBERS, "spin is not finite"});

// The greatest response, sensor, kind and steered.
enum { BODY_MOST = GRAZE_RIGID | 1 << 8 | GRZ_LAST_SHAPE_KIND << 16 | 1 << 24 };

_Static_assert(offsetof(grz_body, steered) == offsetof(grz_body, response) + 3 &&
                   offsetof(grz_body, kind) == offsetof(grz_body, response) + 2,
               "four bytes in this order");

static const grz_form body_form =
    GRZ_FORM(grz_body, GRZ_WORDS(grz_body, generation, generation, GRZ_FROM(1), "generation is 0"),
             GRZ_BYTES(grz_body, response, BODY_MOST, "kind or response is unknown"));

#define SURFACE(structure, prefix, blame)                                                          \
    GRZ_WORDS(structure, prefix friction, prefix friction, GRZ_SIZES, blame),                      \
        GRZ_WORDS(structure, prefix restitution, prefix restitution, GRZ_SHARES, blame),           \
        GRZ_WORDS(structure, prefix rolling_resistance, prefix rolling_resistance, GRZ_SIZES,      \
                  blame),                                                                          \
        GRZ_WORDS(structure, prefix speed, prefix speed, GRZ_NUMBERS, blame)

static const grz_form material_form = GRZ_FORM(
    grz_material, GRZ_WORDS(grz_material, mass, mass, GRZ_SIZES, "mass is negative or not finite"),
    SURFACE(grz_material, surface., "surface is out of range"));

static const grz_form life_form = GRZ_FORM(
    grz_life,
    GRZ_WORDS(grz_life, lifetime, lifetime, GRZ_SIZES, "lifetime is negative or not finite"),
    GRZ_ANY_WORDS(grz_life, hit_limit, hit_count));

static const grz_form filter_form =
    GRZ_FORM(graze_filter, GRZ_ANY_WORDS(graze_filter, category, group));

static const char strange_dynamics[] = "inertia, damping, gravity_scale or sleep is out of range";
static const grz_form dynamics_form = GRZ_FORM(
    grz_dynamics, GRZ_WORDS(grz_dynamics, inertia, spin_damping, GRZ_SIZES, strange_dynamics),
    GRZ_WORDS(grz_dynamics, gravity_scale, gravity_scale, GRZ_NUMBERS, strange_dynamics),
    GRZ_WORDS(grz_dynamics, quiet, quiet, GRZ_SIZES, strange_dynamics),
    GRZ_WORDS(grz_dynamics, flags, flags, GRZ_UP_TO(GRZ_DYNAMICS_FLAGS), strange_dynamics));

static const char strange_chain[] = "generation, number of points, kind or surface is invalid";
static const grz_form chain_form =
    GRZ_FORM(grz_chain_record, GRZ_ANY_LONGS(grz_chain_record, user_data, user_data),
             GRZ_ANY_WORDS(grz_chain_record, filter, filter),
             GRZ_WORDS(grz_chain_record, generation, generation, GRZ_FROM(1), strange_chain),
             GRZ_ANY_WORDS(grz_chain_record, point_count, point_count),
             GRZ_WORDS(grz_chain_record, form, form, GRZ_UP_TO(GRZ_CHAIN_ALL), strange_chain),
             SURFACE(grz_chain_record, surface., strange_chain),
             GRZ_WORDS(grz_chain_record, unused, unused, GRZ_UP_TO(0), strange_chain));

static const grz_form point_form =
    GRZ_FORM(graze_vec2, GRZ_WORDS(graze_vec2, x, y, GRZ_NUMBERS,
                                   "a point of the snapshot's chains is not finite"));

static const grz_form surface_form = GRZ_FORM(
    graze_surface, SURFACE(graze_surface, , "a surface of the snapshot's chains is out of range"));

static const grz_form key_form =
    GRZ_FORM(graze_contact_end, GRZ_ANY_WORDS(graze_contact_end, a, segment));

// Points and depths may be past the range of float.
#define FLAGS                                                                                      \
    (GRAZE_CONTACT_SENSOR | GRAZE_CONTACT_BLOCKED | GRAZE_CONTACT_SPENT | GRAZE_CONTACT_DROPPED)
static const char strange_contact[] = "contact is invalid";
static const grz_form contact_form =
    GRZ_FORM(grz_contact_record, GRZ_ANY_WORDS(grz_contact_record, key, key),
             GRZ_WORDS(grz_contact_record, form, form, GRZ_UP_TO(FLAGS << 1 | 1), strange_contact),
             GRZ_WORDS(grz_contact_record, time, time, GRZ_SHARES, strange_contact),
             GRZ_WORDS(grz_contact_record, point, point, GRZ_DISTANCES, strange_contact),
             GRZ_WORDS(grz_contact_record, normal, normal, GRZ_UNITS, strange_contact),
             GRZ_WORDS(grz_contact_record, depth, depth, GRZ_DEPTHS, strange_contact));

static const grz_form blow_form =
    GRZ_FORM(grz_blow, GRZ_WORDS(grz_blow, approach, impulse, GRZ_SIZES, strange_contact));

static const grz_form kept_form = GRZ_FORM(
    grz_cached_contact, GRZ_ANY_WORDS(grz_cached_contact, key, key),
    GRZ_WORDS(grz_cached_contact, count, count, GRZ_UP_TO(GRZ_MANIFOLD_POINTS), strange_contact),
    GRZ_ANY_WORDS(grz_cached_contact, features, features),
    GRZ_WORDS(grz_cached_contact, impulses, inverse_mass, GRZ_FINITE, strange_contact),
    GRZ_WORDS(grz_cached_contact, normal, normal, GRZ_UNITS, strange_contact),
    GRZ_WORDS(grz_cached_contact, levers_a, offset, GRZ_FINITE, strange_contact),
    GRZ_WORDS(grz_cached_contact, rotation_a, rotation_b, GRZ_UNITS, strange_contact));

_Static_assert(sizeof(grz_snapshot_header) == 128 && sizeof(grz_body) == 8 &&
                   sizeof(grz_material) == 20 && sizeof(grz_life) == 12 &&
                   sizeof(graze_filter) == 16 && sizeof(grz_dynamics) == 24 &&
                   sizeof(grz_chain_record) == 56 && sizeof(graze_surface) == 16 &&
                   sizeof(graze_contact_end) == 28 && sizeof(grz_contact_record) == 32 &&
                   sizeof(grz_blow) == 8 && sizeof(grz_cached_contact) == 124 &&
                   sizeof(graze_vec2) == 8,
               "no structure has padding");

// --- Sections ---

enum { OF_KEPT = sizeof(grz_snapshot_header), OF_WORDS }; ///< Counts that are not in the header.

#define OF(member)     offsetof(grz_snapshot_header, member)
#define COLUMN(member) offsetof(grz_bodies, member)
#define USUAL(member)  &grz_optional_default.member

const grz_section_plan grz_section_plans[GRZ_SECTION_COUNT] = {
    [GRZ_SECTION_POSITIONS] = {&position_form, OF_KEPT, COLUMN(rows.position), 0, NULL},
    [GRZ_SECTION_VELOCITIES] = {&velocity_form, OF_KEPT, COLUMN(rows.velocity), 0, NULL},
    [GRZ_SECTION_HALVES] = {&half_form, OF_KEPT, COLUMN(rows.half), 0, NULL},
    [GRZ_SECTION_ANGLES] = {&angle_form, OF_KEPT, COLUMN(rows.angle), GRZ_NEED_ROTATIONS, NULL},
    [GRZ_SECTION_SPINS] = {&spin_form, OF_KEPT, COLUMN(rows.spin), GRZ_NEED_ROTATIONS, NULL},
    [GRZ_SECTION_BODIES] = {&body_form, OF(index_count), COLUMN(cold.data), 0, NULL},
    [GRZ_SECTION_MATERIALS] = {&material_form, OF(index_count), COLUMN(materials.data),
                               GRZ_NEED_MATERIAL, USUAL(material)},
    [GRZ_SECTION_LIVES] = {&life_form, OF(index_count), COLUMN(lives.data), GRZ_NEED_LIFE,
                           USUAL(life)},
    [GRZ_SECTION_FILTERS] = {&filter_form, OF(index_count), COLUMN(filters.data), GRZ_NEED_FILTER,
                             USUAL(filter)},
    [GRZ_SECTION_USERS] = {&grz_long_form, OF(index_count), COLUMN(user_data.data),
                           GRZ_NEED_USER_DATA, USUAL(user_data)},
    [GRZ_SECTION_DYNAMICS] = {&dynamics_form, OF(index_count), COLUMN(dynamics.data),
                              GRZ_NEED_DYNAMICS, USUAL(dynamics)},
    [GRZ_SECTION_VACANCIES] = {&grz_long_form, OF_WORDS, COLUMN(vacancies.data), 0, NULL},
    [GRZ_SECTION_REMOVED] = {&grz_word_form, OF(removed_count), 0, 0, NULL},
    [GRZ_SECTION_CHAINS] = {&chain_form, OF(chain_count), 0, 0, NULL},
    [GRZ_SECTION_POINTS] = {&point_form, OF(point_count), 0, 0, NULL},
    [GRZ_SECTION_SURFACES] = {&surface_form, OF(surface_count), 0, 0, NULL},
    [GRZ_SECTION_KEYS] = {&key_form, OF(key_count), 0, 0, NULL},
    [GRZ_SECTION_ENDS] = {&key_form, OF(end_count), 0, 0, NULL},
    [GRZ_SECTION_CONTACTS] = {&contact_form, OF(contact_count), 0, 0, NULL},
    [GRZ_SECTION_BLOWS] = {&blow_form, OF(contact_count), 0, 0, NULL},
    [GRZ_SECTION_KEPT] = {&kept_form, OF(kept_count), 0, 0, NULL},
};

grz_snapshot_header grz_snapshot_new_header(void)
{
    const grz_snapshot_header header = {
        .magic = {'G', 'R', 'A', 'Z', 'E', 'S', 'N', 'P'},
        .byte_order = BYTE_ORDER_MARK,
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
    grz_checksum none, all;
    grz_checksum_begin(&none);
    all = none;
    for (int section = 0; section < GRZ_SECTION_COUNT; ++section) {
        const size_t first = (size_t)layout->begin[section];
        grz_checksum part = none;
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

void *grz_snapshot_column(const grz_bodies *bodies, grz_section section)
{
    void *column;
    memcpy(&column, (const unsigned char *)bodies + grz_section_plans[section].column_at,
           sizeof column);
    return column;
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
