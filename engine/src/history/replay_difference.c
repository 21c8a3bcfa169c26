// What differs between a world and the record of a step.

#include "history/replay_state.h"
#include "min_max.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

// Blocks past the last have no bodies: all is zero.
static grz_state_hash_block block_at(const grz_state_hash *side, uint32_t place)
{
    const grz_state_hash_block nothing = {0};
    return place < side->blocks.count ? side->blocks.data[place] : nothing;
}

static uint32_t count_blocks(const graze_replay *replay)
{
    return max_u32(replay->digest.blocks.count, replay->recorded.blocks.count);
}

// How many bodies of a block differ; `*first` gets the first of them.
static uint32_t count_differing(const grz_state_hash_block *own,
                                const grz_state_hash_block *recorded, uint32_t *first)
{
    uint32_t count = 0;
    for (uint32_t i = GRZ_STATE_HASH_BODIES; i-- > 0;) {
        if (own->bodies[i] != recorded->bodies[i]) {
            *first = i;
            ++count;
        }
    }
    return count;
}

// The other bodies of its block are equal on both sides, so they cancel out.
static void restore_recorded(graze_replay_difference *found, const grz_state_hash_block *own,
                             const grz_state_hash_block *recorded)
{
    uint32_t words[GRZ_STATE_HASH_WORDS];
    memcpy(words, &found->replayed, sizeof words);
    for (int i = 0; i < GRZ_STATE_HASH_WORDS; ++i) {
        words[i] ^= own->joined[i] ^ recorded->joined[i];
    }
    memcpy(&found->recorded, words, sizeof words);
    found->is_known = true;
}

static void note_block(graze_replay *replay, uint32_t place)
{
    graze_replay_difference *found = &replay->difference;
    const grz_state_hash_block own = block_at(&replay->digest, place);
    const grz_state_hash_block recorded = block_at(&replay->recorded, place);
    uint32_t first = 0;
    const uint32_t count = count_differing(&own, &recorded, &first);
    if (count > 0 && found->body_count == 0) {
        found->kind = GRAZE_DIFFERENCE_BODY;
        found->index = place * GRZ_STATE_HASH_BODIES + first;
        found->replayed = grz_state_hash_read(replay->world, found->index);
        if (count == 1) {
            restore_recorded(found, &own, &recorded);
        }
    }
    found->body_count += count;
}

// --- messages ---

/// A line that is being composed.
typedef struct text_line {
    char text[GRZ_REPLAY_LINE];
    size_t length;
} text_line;

static void add_text(text_line *line, const char *format, ...) GRZ_PRINTF(2, 3);

static void add_text(text_line *line, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    const size_t room = sizeof line->text - line->length;
    const int length = vsnprintf(line->text + line->length, room, format, values);
    va_end(values);
    line->length += length > 0 && (size_t)length < room ? (size_t)length : 0;
}

static void add_vector(text_line *line, const char *name, graze_vec2 now, graze_vec2 then)
{
    if (memcmp(&now, &then, sizeof now) != 0) {
        add_text(line, "; %s was (%.9g, %.9g), now (%.9g, %.9g)", name, (double)then.x,
                 (double)then.y, (double)now.x, (double)now.y);
    }
}

static void add_number(text_line *line, const char *name, float now, float then)
{
    if (memcmp(&now, &then, sizeof now) != 0) {
        add_text(line, "; %s was %.9g, now %.9g", name, (double)then, (double)now);
    }
}

static void add_fields(text_line *line, const graze_replay_body *now, const graze_replay_body *then)
{
    const size_t length = line->length;
    add_vector(line, "position", now->position, then->position);
    add_vector(line, "velocity", now->velocity, then->velocity);
    add_number(line, "angle", now->angle, then->angle);
    add_number(line, "spin", now->spin, then->spin);
    add_number(line, "lifetime", now->lifetime, then->lifetime);
    if (now->generation != then->generation) {
        add_text(line, "; generation was %u", (unsigned)then->generation);
    }
    if (line->length == length) {
        add_text(line, "; what a step changes of it is the same");
    }
}

static void add_body(text_line *line, const graze_replay_difference *found)
{
    const graze_replay_body *now = &found->replayed;
    const graze_replay_body *then = &found->recorded;
    if (found->is_known && then->generation == 0) {
        add_text(line, ": it was not there, and is now at (%.9g, %.9g)", (double)now->position.x,
                 (double)now->position.y);
    } else if (found->is_known && now->generation == 0) {
        add_text(line, ": it was at (%.9g, %.9g), and is not there now", (double)then->position.x,
                 (double)then->position.y);
    } else if (found->is_known) {
        add_fields(line, now, then);
    } else if (now->generation == 0) {
        add_text(line, ": it is not there now");
    } else {
        add_text(line, ": it is now at (%.9g, %.9g)", (double)now->position.x,
                 (double)now->position.y);
    }
}

static void describe_body(text_line *line, const graze_replay_difference *found)
{
    const uint32_t generation =
        found->replayed.generation ? found->replayed.generation : found->recorded.generation;
    add_text(line, ", in body %u", (unsigned)found->index);
    if (generation != 0) {
        add_text(line, " of generation %u", (unsigned)generation);
    }
    if (found->body_count > 1) {
        add_text(line, " and %u more", (unsigned)found->body_count - 1);
    }
    add_body(line, found);
}

static void describe_state(text_line *line, const graze_replay *replay)
{
    const bool names_bodies = replay->recorded.blocks.count > 0;
    for (uint32_t i = 0; names_bodies && i < count_blocks(replay); ++i) {
        if (block_at(&replay->digest, i).sum != block_at(&replay->recorded, i).sum) {
            const unsigned first = (unsigned)i * GRZ_STATE_HASH_BODIES;
            add_text(line, ", in a body with an index from %u to %u", first,
                     first + GRZ_STATE_HASH_BODIES - 1);
            return;
        }
    }
    add_text(line, names_bodies ? "; no body does, so the pairs that met do"
                                : "; made without names_bodies, the record does not say where");
}

bool grz_replay_compare(graze_replay *replay)
{
    graze_replay_difference *found = &replay->difference;
    text_line line = {.length = 0};
    if (replay->digest.sum == replay->recorded.sum) {
        return true;
    }
    found->kind = GRAZE_DIFFERENCE_STATE;
    found->step = replay->step_count + 1;
    for (uint32_t i = 0; replay->recorded.blocks.count > 0 && i < count_blocks(replay); ++i) {
        note_block(replay, i);
    }
    add_text(&line, "step %" PRIu64 " is the first that differs", found->step);
    if (found->kind == GRAZE_DIFFERENCE_BODY) {
        describe_body(&line, found);
    } else {
        describe_state(&line, replay);
    }
    return grz_replay_differ(replay, found->kind, "%s", line.text);
}
