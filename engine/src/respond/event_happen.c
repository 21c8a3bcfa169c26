#include "respond/event_happen.h"

#include "body/bodies.h"
#include "body/rows.h"
#include "contact/contact_keys.h"
#include "pile/pile.h"
#include "pile/pile_crowd.h"
#include "respond/blocked.h"
#include "respond/event_foresee.h"
#include "respond/event_queue.h"
#include "respond/exchange.h"
#include "respond/meet.h"
#include "respond/motion.h"
#include "respond/push_out.h"
#include "respond/response.h"
#include "respond/tolerance.h"
#include "step.h"
#include "terrain/terrain.h"

static const double same_time = 0x1p-24; ///< Of the time: the walls of a corner round it two ways.
static const double velocity_rounding = 1e-9; ///< Of the speeds.
static const double creep = 0x1p-11;          ///< Of the size, a step.
static const double least_creep = 0x1p-13;    ///< Likewise, however deep they overlap.
static const double creep_depth = 0x1p-6;     ///< Likewise, but in all.

// What a mover meets of terrain at one time: a corner of a chain is one hit, and a wall that
// several cells list is one touch.
static bool is_same_time_and_chain(const grz_motion *motion, const grz_event *event)
{
    double later = event->touch.time - motion->met_time;
    return later <= same_time * event->touch.time &&
           motion->met.chain.index == event->segment.chain.index;
}

static bool is_same_wall(const grz_motion *motion, const grz_event *event)
{
    return grz_compare_segments(motion->met, event->segment) == 0;
}

static bool is_same_touch(const grz_motion *motion, const grz_event *event)
{
    return is_same_time_and_chain(motion, event) && is_same_wall(motion, event) &&
           motion->met_version == event->version_a;
}

static bool is_solid_to_a(const graze_world *world, const grz_event *event)
{
    return event->row_b == GRZ_NONE ? grz_chain_is_solid(world, event->segment)
                                    : grz_is_solid(world->rows.traits[event->row_b]);
}

// A wall that several cells list happens once.
static bool is_to_happen(const graze_world *world, const grz_event *event)
{
    const bool is_wall = event->row_b == GRZ_NONE;
    return grz_event_is_in_force(world, event) &&
           !(is_wall && is_same_touch(grz_motion_of(world, event->row_a), event));
}

static bool is_current(const grz_motion *motion, uint32_t version)
{
    return !motion || motion->version == version;
}

// Returns how fast the two come together: as foreseen, unless one of them has turned at this very
// time. What was foreseen is not computed anew: foresee_walls has judged by that very value where
// the motion turns, and another rounding could disagree with it.
static double find_approach(const graze_world *world, const grz_event *event)
{
    const grz_motion *a = grz_motion_of(world, event->row_a);
    const grz_motion *b = event->row_b == GRZ_NONE ? NULL : grz_motion_of(world, event->row_b);
    if (is_current(a, event->version_a) && is_current(b, event->version_b)) {
        return event->touch.approach;
    }
    graze_vec2d relative = grz_course_at(world, event->row_a, event->touch.time);
    if (event->row_b != GRZ_NONE) {
        graze_vec2d course_b = grz_course_at(world, event->row_b, event->touch.time);
        relative.x -= course_b.x;
        relative.y -= course_b.y;
    }
    graze_vec2d normal = event->touch.normal;
    return relative.x * normal.x + relative.y * normal.y;
}

// A motion's first fresh contact bounds the search: only a body that was turned is ever looked for.
static bool met_in_this_step(const graze_world *world, const grz_motion *motion,
                             const graze_contact *contact)
{
    graze_contact_end key = grz_key_of(contact);
    if (motion->count == 2) {
        return false;
    }
    for (uint32_t i = motion->first_contact; &world->fresh.data[i] < contact; ++i) {
        graze_contact_end earlier = grz_key_of(&world->fresh.data[i]);
        if (grz_compare_keys(&earlier, &key) == 0) {
            return true;
        }
    }
    return false;
}

static void note_met(grz_motion *motion, const grz_event *event)
{
    motion->met = event->segment;
    motion->met_time = event->touch.time;
    motion->met_version = event->version_a;
}

// Whether the two did not touch before: neither in the last step nor earlier in this one.
static bool is_beginning(const graze_world *world, grz_motion *a, const grz_event *event,
                         const graze_contact *contact)
{
    const graze_contact_end key = grz_key_of(contact);
    if (event->row_b != GRZ_NONE) {
        return !grz_pair_met_before(world, &key);
    }
    bool corner = is_same_time_and_chain(a, event);
    note_met(a, event);
    return !corner && !grz_pair_met_before(world, &key) && !met_in_this_step(world, a, contact);
}

static void note_first_contact(grz_motion *motion, uint32_t place)
{
    if (motion && motion->first_contact == GRZ_NONE) {
        motion->first_contact = place;
    }
}

// Adds the contact of the event, unless it only repeats one that there is. Returns its place;
// GRZ_NONE when there is no memory.
static uint32_t find_contact(graze_world *world, const grz_event *event, bool turns)
{
    grz_meeting *meeting =
        event->meeting == GRZ_NONE ? NULL : &world->meetings.data[event->meeting];
    if (meeting && meeting->contact != GRZ_NONE && !turns) {
        return meeting->contact;
    }
    if (!grz_contact_add(world, event->row_a, event->row_b, event->segment, &event->touch)) {
        return GRZ_NONE;
    }
    uint32_t place = world->fresh.count - 1;
    if (meeting && meeting->contact == GRZ_NONE) {
        meeting->contact = place;
    }
    note_first_contact(grz_motion_of(world, event->row_a), place);
    return place;
}

/// One body of a touch.
typedef struct side {
    grz_motion *motion; ///< Null: its course is fixed, or the other is not solid.
    uint32_t version;   ///< The motion's, before it answered.
    bool blocked;
} side;

static side make_side(const graze_world *world, uint32_t row, bool other_is_solid)
{
    grz_motion *motion = row == GRZ_NONE || !other_is_solid ? NULL : grz_motion_of(world, row);
    const side of = {motion, motion ? motion->version : 0, false};
    return of;
}

// How fast a body comes at what gives no way; 0 if the other does.
static double speed_against(const graze_world *world, const grz_event *event,
                            const grz_motion *motion)
{
    if (event->row_b == GRZ_NONE) {
        return dot(motion->velocity, event->touch.normal);
    }
    const uint32_t other = motion->row == event->row_a ? event->row_b : event->row_a;
    if (grz_motion_of(world, other)) {
        return 0;
    }
    const graze_vec2d velocity_a = grz_velocity_of(world, event->row_a);
    const graze_vec2d velocity_b = grz_velocity_of(world, event->row_b);
    return dot(subtract(velocity_a, velocity_b), event->touch.normal);
}

static void find_block(const graze_world *world, const grz_event *event, double approach, side *of)
{
    if (of->motion) {
        const double speed = speed_against(world, event, of->motion);
        grz_touch touch = event->touch;
        touch.approach = approach;
        touch.crosses = touch.crosses && event->version_a == of->version;
        of->blocked = grz_is_blocked(world, of->motion, &touch, speed);
    }
}

static bool turns(const graze_world *world, const side *of)
{
    return of->motion && (world->rows.traits[of->motion->row] & GRZ_TRAIT_TURNS);
}

// A body that slides or bounces is not blocked by a side or corner that it only passes. Where both
// of two bodies slide or bounce, both are blocked or none is: else an impulse would be lost.
static void agree_on_turns(const graze_world *world, const grz_event *event, side *a, side *b)
{
    bool a_turns = turns(world, a);
    bool b_turns = turns(world, b);
    if (!(a->blocked && a_turns) && !(b->blocked && b_turns)) {
        return;
    }
    bool passed =
        event->row_b != GRZ_NONE && grz_is_passed(world, event, a_turns ? a->motion : b->motion);
    a->blocked = a_turns ? !passed : a->blocked;
    b->blocked = b_turns ? !passed : b->blocked;
}

// What is left of an approach of two bodies of piles is not worth a turn, as long as they overlap
// but little, or it is next to nothing: the pile parts them again.
static bool is_creep(const graze_world *world, const grz_event *event, const side *a, const side *b,
                     double approach)
{
    if (!a->motion || !b->motion || !a->motion->piled || !b->motion->piled) {
        return false;
    }
    const double way = approach * (1 - event->touch.time);
    if (grz_piles_are_crowds(world)) {
        return grz_crowd_bears(world, event, way);
    }
    const double size = grz_size_of(world, event->row_a);
    return way < least_creep * size ||
           (way < creep * size && event->touch.depth < creep_depth * size);
}

// What a body on a fixed course drives before it has its speed already, but for this step it may
// not go as far: another turn would change nothing.
static bool is_driven(const graze_world *world, const grz_event *event, const side *a,
                      const side *b)
{
    const grz_motion *driven = a->motion ? a->motion : b->motion;
    if (event->row_b == GRZ_NONE || (a->motion && b->motion) || !driven || !driven->hurries) {
        return false;
    }
    const graze_vec2d velocity_a = grz_velocity_of(world, event->row_a);
    const graze_vec2d velocity_b = grz_velocity_of(world, event->row_b);
    const double rounding = velocity_rounding * (length_of(velocity_a) + length_of(velocity_b));
    return dot(subtract(velocity_a, velocity_b), event->touch.normal) <= rounding;
}

static void find_blocks(const graze_world *world, const grz_event *event, side *a, side *b)
{
    const double approach = find_approach(world, event);
    if (is_creep(world, event, a, b, approach) || is_driven(world, event, a, b)) {
        return;
    }
    find_block(world, event, approach, a);
    find_block(world, event, approach, b);
    agree_on_turns(world, event, a, b);
}

// Counts a hit where this is one: the beginning of a touch, and every bounce; what rests or is
// pushed along is not hit again. Returns whether it was the last.
static bool take_hit(graze_world *world, const grz_event *event, const side *of, bool begins)
{
    if (!of->motion) {
        return false;
    }
    const uint32_t limit = grz_life_of(world, of->motion->index).hit_limit;
    if (!begins && !(of->blocked && grz_throws_back(world, event, of->motion))) {
        return false;
    }
    ++world->hit_count;
    of->motion->was_hit = true;
    of->motion->hit_count += limit != 0; // Without a limit it is no part of the state.
    return limit != 0 && of->motion->hit_count >= limit;
}

// Removes what is spent, and turns what is blocked. Returns the contact's flags for it.
static uint32_t answer(graze_world *world, const grz_event *event, side *a, side *b, bool begins)
{
    bool a_is_spent = take_hit(world, event, a, begins);
    bool b_is_spent = take_hit(world, event, b, begins);
    uint32_t flags = a->blocked || b->blocked ? GRAZE_CONTACT_BLOCKED : 0;
    a->blocked = a->blocked && !a_is_spent;
    b->blocked = b->blocked && !b_is_spent;
    if (a->blocked || b->blocked) {
        grz_respond(world, event, a->blocked ? a->motion : NULL, b->blocked ? b->motion : NULL);
    }
    if (a_is_spent) {
        grz_motion_end(world, a->motion, event->touch.time);
    }
    if (b_is_spent) {
        grz_motion_end(world, b->motion, event->touch.time);
    }
    const grz_motion *turned = a->blocked ? a->motion : b->blocked ? b->motion : NULL;
    bool drops = turned && turned->stands && turned->count == GRZ_KNOTS;
    return flags | (a_is_spent || b_is_spent ? GRAZE_CONTACT_SPENT : 0) |
           (drops ? GRAZE_CONTACT_DROPPED : 0);
}

// Whether the contact at this place is the first of the event's pair in this step.
static bool is_new(const graze_world *world, const grz_event *event, uint32_t place,
                   uint32_t fresh_count)
{
    return place >= fresh_count &&
           (event->meeting == GRZ_NONE || world->meetings.data[event->meeting].contact == place);
}

static bool has_turned(const side *of)
{
    return of->motion && of->motion->version != of->version;
}

// Whether a wall that does not turn the body says nothing new: it met that wall last, and has been
// turned since. Then it is no hit, and of the contacts the first stays (contact_order.c).
static bool is_old(const grz_event *event, const side *a)
{
    const grz_motion *motion = a->motion;
    return event->row_b == GRZ_NONE && motion && !a->blocked && !motion->piled &&
           motion->count > 2 && motion->met_time >= 0 && is_same_wall(motion, event);
}

static bool has_limit(const graze_world *world, const grz_motion *motion)
{
    return grz_life_of(world, motion->index).hit_limit != 0;
}

static bool goes_on(const graze_world *world, const grz_event *event)
{
    const graze_contact_end key = {.a = grz_row_id(&world->rows, event->row_a),
                                   .b = grz_row_id(&world->rows, event->row_b)};
    return grz_pair_met_before(world, &key);
}

// What begins waits for its turn: if another touch throws the two together before, it is that
// bounce which is the hit.
bool grz_event_is_resting(const graze_world *world, const grz_event *event)
{
    const grz_touch *touch = &event->touch;
    const grz_motion *a = grz_motion_of(world, event->row_a);
    const grz_motion *b = grz_motion_of(world, event->row_b);
    return touch->time == 0 && a && b && a->piled && b->piled && !grz_piles_are_crowds(world) &&
           touch->approach < least_creep * grz_size_of(world, event->row_a) &&
           touch->depth <= grz_overlap_allowed(world, event->row_a, touch->normal) &&
           !has_limit(world, a) && !has_limit(world, b) && goes_on(world, event);
}

// As grz_event_happen() has it of a touch that is no hit, blocks neither body and pushes none
// apart.
bool grz_event_happen_at_once(graze_world *world, const grz_event *event)
{
    const uint32_t place = find_contact(world, event, false);
    if (place == GRZ_NONE) {
        return false;
    }
    const grz_motion *a = grz_motion_of(world, event->row_a);
    const grz_motion *b = grz_motion_of(world, event->row_b);
    const bool is_pressed = grz_piles_press(world, event, a, b);
    world->fresh.data[place].flags |= is_pressed ? GRAZE_CONTACT_BLOCKED : 0;
    return true;
}

bool grz_event_happen(graze_world *world, const grz_event *event)
{
    if (!is_to_happen(world, event)) {
        return true;
    }
    bool a_is_solid = grz_is_solid(world->rows.traits[event->row_a]);
    side a = make_side(world, event->row_a, is_solid_to_a(world, event));
    side b = make_side(world, event->row_b, a_is_solid);
    find_blocks(world, event, &a, &b);
    if (!world->no_shortcuts && is_old(event, &a)) {
        note_met(a.motion, event);
        grz_note_overlap(world, event, a.motion, NULL);
        return true;
    }
    uint32_t fresh_count = world->fresh.count;
    uint32_t place = find_contact(world, event, a.blocked || b.blocked);
    if (place == GRZ_NONE) {
        return false;
    }
    graze_contact *contact = &world->fresh.data[place];
    bool begins = is_new(world, event, place, fresh_count) &&
                  is_beginning(world, grz_motion_of(world, event->row_a), event, contact);
    grz_note_overlap(world, event, a.motion, b.motion);
    contact->flags |= answer(world, event, &a, &b, begins);
    if (grz_piles_press(world, event, a.motion, b.motion)) {
        contact->flags |= GRAZE_CONTACT_BLOCKED;
    }
    const double time = event->touch.time;
    const bool a_has_turned = has_turned(&a);
    const bool b_has_turned = has_turned(&b);
    return (!a_has_turned || grz_foresee_anew(world, event->row_a, time)) &&
           (!b_has_turned || grz_foresee_anew(world, event->row_b, time));
}
