// The sections of a snapshot with contacts, and with what they are matched by.

#include "contact/contact_keys.h"
#include "snapshot/snapshot_writer.h"

// Records are written field by field: read back as a whole from smaller stores they would stall.
static inline unsigned char *put_field(unsigned char *to, const void *field, size_t size)
{
    memcpy(to, field, size);
    return to + size;
}

// The distance between keys; a contact begins with its own.
static bool is_key_of(const graze_world *world, uint32_t key, const graze_contact *contact)
{
    return key < world->keys.count &&
           memcmp(&world->keys.data[key], contact, sizeof *world->keys.data) == 0;
}

static uint32_t search_key(const graze_world *world, const graze_contact *contact)
{
    const graze_contact_end wanted = grz_key_of(contact);
    uint32_t low = 0;
    for (uint32_t high = world->keys.count; high - low > 1;) {
        const uint32_t middle = low + (high - low) / 2;
        const graze_contact_end key = grz_key_at(world, middle);
        const bool before = grz_compare_keys(&key, &wanted) <= 0;
        low = before ? middle : low;
        high = before ? high : middle;
    }
    return low;
}

// Every contact has its key, and contacts come nearly in the order of keys: usually the key is the
// one after the last contact's, or the same. (Contacts of one mover with terrain are ordered by
// time.)
static uint32_t find_key(const graze_world *world, const graze_contact *contact, uint32_t next)
{
    if (is_key_of(world, next, contact)) {
        return next;
    }
    return next > 0 && is_key_of(world, next - 1, contact) ? next - 1 : search_key(world, contact);
}

static void put_blows(grz_writer *writer)
{
    const graze_world *world = writer->world;
    const uint32_t count = world->contacts.count;
    unsigned char *next = grz_writer_advance(writer, GRZ_SECTION_BLOWS, count * sizeof(grz_blow));
    for (uint32_t i = 0; i < count; ++i) {
        const graze_contact *contact = &world->contacts.data[i];
        next = put_field(next, &contact->approach, sizeof contact->approach);
        next = put_field(next, &contact->impulse, sizeof contact->impulse);
    }
}

static unsigned char *put_contact(unsigned char *to, const graze_contact *contact, uint32_t key)
{
    const uint32_t form = (uint32_t)contact->phase | contact->flags << 1;
    to = put_field(to, &key, sizeof key);
    to = put_field(to, &form, sizeof form);
    return put_field(to, (const unsigned char *)contact + offsetof(graze_contact, time),
                     GRZ_TOUCH_SIZE);
}

static void put_keys(grz_writer *writer)
{
    const graze_world *world = writer->world;
    const size_t size = world->keys.count * sizeof(graze_contact_end);
    if (world->keys_apart) {
        grz_writer_put_first(writer, GRZ_SECTION_KEYS, world->keys.data, size);
    } else {
        grz_keys_copy(world, 0, world->keys.count,
                      grz_writer_advance(writer, GRZ_SECTION_KEYS, size));
    }
}

static void put_contacts(grz_writer *writer)
{
    const graze_world *world = writer->world;
    const uint32_t count = world->contacts.count;
    unsigned char *next =
        grz_writer_advance(writer, GRZ_SECTION_CONTACTS, count * sizeof(grz_contact_record));
    uint32_t next_key = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const graze_contact *contact = &world->contacts.data[i];
        const uint32_t key = world->keys_apart ? find_key(world, contact, next_key) : i;
        next = put_contact(next, contact, key);
        next_key = key + 1;
    }
}

void grz_snapshot_put_reports(grz_writer *writer)
{
    const graze_world *world = writer->world;
    put_keys(writer);
    grz_writer_put_first(writer, GRZ_SECTION_ENDS, world->ends.data,
                         world->ends.count * sizeof *world->ends.data);
    put_contacts(writer);
    put_blows(writer);
}
