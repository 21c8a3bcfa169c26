#include "solve/event_happen.h"

#include "asserts.h"
#include "collide/contact_make.h"
#include "collide/meet.h"
#include "solve/deflect.h"
#include "solve/event_blocks.h"
#include "solve/event_foresee.h"
#include "solve/event_queue.h"
#include "solve/exchange.h"
#include "solve/motion.h"
#include "solve/push_out.h"
#include "solve/sensors.h"
#include "world/bodies.h"
#include "world/contact_keys.h"

static const double same_time = 0x1p-24; ///< Of the time: the walls of a corner round it two ways.

// What a mover meets of terrain at one time: a corner of a chain is one hit, and a wall that
// several cells list is one touch.
static bool is_same_time_and_chain(const grz_motion *motion, const grz_event *event)
{
    const double later = event->touch.time - motion->met_time;
    return later <= same_time * event->touch.time &&
           motion->met.chain.index == event->segment.chain.index;
}

static bool is_same_wall(const grz_motion *motion, const grz_event *event)
{
    return grz_is_same_segment(motion->met, event->segment);
}

static bool is_same_touch(const grz_motion *motion, const grz_event *event)
{
    return is_same_time_and_chain(motion, event) && is_same_wall(motion, event) &&
           motion->met_version == event->version_a;
}

// Turns make void what was foreseen before them. A wall that several cells list happens once.
static bool is_to_happen(const graze_world *world, const grz_event *event)
{
    const double time = event->touch.time;
    const grz_motion *a = grz_motion_of(world, event->row_a);
    if (!grz_motion_is_in_force(a, event->version_a, time)) {
        return false;
    }
    return event->row_b == GRZ_NONE
               ? !is_same_touch(a, event)
               : grz_motion_is_in_force(grz_motion_of(world, event->row_b), event->version_b, time);
}

// A motion's first contact bounds the search: only a body that was turned is ever looked for.
static bool met_in_this_step(const grz_contacts *contacts, const grz_motion *motion,
                             const graze_contact *contact)
{
    const graze_contact_end key = grz_key_of(contact);
    if (motion->count == 2) {
        return false;
    }
    for (uint32_t i = motion->first_contact; &contacts->data[i] < contact; ++i) {
        const graze_contact_end earlier = grz_key_of(&contacts->data[i]);
        if (grz_is_same_key(&earlier, &key)) {
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

/// Whether the two of an event have touched before.
typedef enum history { TOUCHED_BEFORE, BEGINS, IN_A_CORNER } history;

// A touch begins if there was none before: neither in the last step nor earlier in this one.
static history recall(const graze_world *world, const grz_agenda *agenda, grz_motion *a,
                      const grz_event *event, const graze_contact *contact)
{
    const graze_contact_end key = grz_key_of(contact);
    if (event->row_b != GRZ_NONE) {
        return grz_pair_met_before(world, &key) ? TOUCHED_BEFORE : BEGINS;
    }
    const bool corner = is_same_time_and_chain(a, event);
    note_met(a, event);
    const bool before =
        grz_pair_met_before(world, &key) || met_in_this_step(agenda->contacts, a, contact);
    return corner ? IN_A_CORNER : before ? TOUCHED_BEFORE : BEGINS;
}

static void note_first_contact(grz_motion *motion, uint32_t place)
{
    if (motion && motion->first_contact == GRZ_NONE) {
        motion->first_contact = place;
    }
}

// Adds the contact of the event, unless it only repeats one that there is. Returns its place;
// GRZ_NONE when there is no memory.
static uint32_t find_contact(graze_world *world, grz_agenda *agenda, const grz_event *event,
                             bool turns)
{
    grz_meeting *meeting =
        event->meeting == GRZ_NONE ? NULL : &world->found.meetings.data[event->meeting];
    if (meeting && meeting->contact != GRZ_NONE && !turns) {
        return meeting->contact;
    }
    grz_contacts *contacts = agenda->contacts;
    if (!grz_agenda_reserve(agenda, contacts, (size_t)contacts->count + 1)) {
        return GRZ_NONE;
    }
    const uint32_t place = contacts->count++;
    contacts->data[place] =
        grz_contact_of(world, event->row_a, event->row_b, event->segment, &event->touch);
    if (meeting && meeting->contact == GRZ_NONE) {
        meeting->contact = place;
    }
    note_first_contact(grz_motion_of(world, event->row_a), place);
    return place;
}

// Counts a hit where this is one: the beginning of a touch, and every bounce, but for the second of
// a corner; what rests or is pushed along is not hit again.
static void take_hit(const graze_world *world, grz_agenda *agenda, const grz_event *event,
                     grz_side *side, history before)
{
    if (!side->motion || before == IN_A_CORNER ||
        (before != BEGINS && !(side->blocked && grz_throws_back(world, event, side->motion)))) {
        return;
    }
    const uint32_t limit = grz_life_of(world, side->motion->index).hit_limit;
    ++agenda->hit_count;
    side->motion->was_hit = true;
    side->motion->hit_count += limit != 0; // Without a limit it is no part of the state.
    side->hit = true;
    side->spent = limit != 0 && side->motion->hit_count >= limit;
}

static bool has_turned(const grz_side *side)
{
    return side->motion && side->motion->version != side->version;
}

// Sensors that it touched before its turn are looked up first: by its old course.
static bool note_turn(graze_world *world, const grz_side *side)
{
    if (!has_turned(side)) {
        return true;
    }
    const bool noted = grz_sensors_note_turn(world, side->motion);
    grz_motion_note_course(world, side->motion);
    return noted;
}

static graze_vec2d velocity_of(const grz_side *side)
{
    return side->motion ? side->motion->velocity : vec2d(0, 0);
}

// What a side has lost of its momentum along the normal of a touch.
static double momentum_lost(const graze_world *world, const grz_side *side, graze_vec2d before,
                            graze_vec2d normal)
{
    if (!side->motion) {
        return 0;
    }
    const double mass = (double)grz_material_at(world, side->motion->row).mass;
    return mass * dot(subtract(before, side->motion->velocity), normal);
}

// The impulse that stops a body that its last hit removes, and that a touch blocks.
static double impulse_of_end(const graze_world *world, const grz_side *side, float approach)
{
    if (!side->blocked || !side->spent) {
        return 0;
    }
    return (double)grz_impulse_of_stop(grz_material_at(world, side->motion->row).mass, approach);
}

// Turns what is blocked. Adds to the contact the impulse along the normal: if walls hold one
// of the two, what the other has lost. Returns false when there is no memory.
static bool turn(graze_world *world, const grz_event *event, const grz_side *a, const grz_side *b,
                 graze_contact *contact)
{
    if (!a->blocked && !b->blocked) {
        return true;
    }
    const graze_vec2d normal = event->touch.normal;
    const graze_vec2d before_a = velocity_of(a);
    const graze_vec2d before_b = velocity_of(b);
    if (!grz_respond(world, event, a, b)) {
        return false;
    }
    const double lost = max_double(momentum_lost(world, a, before_a, normal),
                                   -momentum_lost(world, b, before_b, normal));
    const double ends = max_double(impulse_of_end(world, a, contact->approach),
                                   impulse_of_end(world, b, contact->approach));
    contact->impulse = narrow_reported((double)contact->impulse + max_double(lost, ends));
    return true;
}

static uint32_t flags_of(const grz_side *a, const grz_side *b)
{
    const grz_motion *turned = a->blocked && !a->spent   ? a->motion
                               : b->blocked && !b->spent ? b->motion
                                                         : NULL;
    const bool drops = turned && turned->stands && turned->count == GRZ_KNOTS;
    return (a->blocked || b->blocked ? (uint32_t)GRAZE_CONTACT_BLOCKED : 0u) |
           (a->spent || b->spent ? (uint32_t)GRAZE_CONTACT_SPENT : 0u) |
           (drops ? (uint32_t)GRAZE_CONTACT_DROPPED : 0u);
}

// Removes what is spent, and turns what is blocked. Adds the contact's flags and impulse for it.
// Returns false when there is no memory.
static bool answer(graze_world *world, const grz_event *event, grz_side *a, grz_side *b,
                   graze_contact *contact)
{
    if (!turn(world, event, a, b, contact)) {
        return false;
    }
    if (a->spent) {
        grz_motion_end(world, a->motion, event->touch.time);
    }
    if (b->spent) {
        grz_motion_end(world, b->motion, event->touch.time);
    }
    contact->flags |= flags_of(a, b);
    return true;
}

// Two that pass through each other answer nothing.
static bool answer_pair(graze_world *world, const grz_event *event, grz_side *a, grz_side *b,
                        graze_contact *contact)
{
    grz_motion *pressed_a = a->passes ? NULL : a->motion;
    grz_motion *pressed_b = b->passes ? NULL : b->motion;
    grz_note_overlap(world, event, pressed_a, pressed_b);
    return answer(world, event, a, b, contact);
}

// Whether the contact at this place is the first of the event's pair in this step.
static bool is_new(const graze_world *world, const grz_event *event, uint32_t place,
                   uint32_t fresh_count)
{
    return place >= fresh_count && (event->meeting == GRZ_NONE ||
                                    world->found.meetings.data[event->meeting].contact == place);
}

// Whether a wall that does not turn the body says nothing new: it met that wall last, and has been
// turned since. Then it is no hit, and of the contacts the first stays (contact_order.c).
static bool is_old(const grz_event *event, const grz_side *a)
{
    const grz_motion *motion = a->motion;
    return event->row_b == GRZ_NONE && motion && !a->blocked && motion->count > 2 &&
           motion->met_time >= 0 && is_same_wall(motion, event);
}

// What is foreseen takes the place of the event.
static bool foresee_turned(graze_world *world, grz_agenda *agenda, const grz_event *event,
                           const grz_side *a, const grz_side *b)
{
    const double time = event->touch.time;
    const uint32_t row_a = event->row_a, row_b = event->row_b, both = event->meeting;
    const bool a_has_turned = has_turned(a);
    const bool b_has_turned = has_turned(b);
    return note_turn(world, a) && note_turn(world, b) &&
           (!a_has_turned || grz_foresee_anew(world, agenda, row_a, time, GRZ_NONE)) &&
           (!b_has_turned ||
            grz_foresee_anew(world, agenda, row_b, time, a_has_turned ? both : GRZ_NONE));
}

// Two of the solver: their contact is known.
static bool happen_in_solver(graze_world *world, const grz_event *event)
{
    grz_motion *motion_a = grz_motion_of(world, event->row_a);
    grz_motion *motion_b = grz_motion_of(world, event->row_b);
    const grz_side a = {
        .row = event->row_a, .motion = motion_a, .version = motion_a ? motion_a->version : 0};
    const grz_side b = {
        .row = event->row_b, .motion = motion_b, .version = motion_b ? motion_b->version : 0};
    grz_hold_solved(world, event);
    return foresee_turned(world, &world->impacts.agenda, event, &a, &b);
}

bool grz_event_happen(graze_world *world, grz_agenda *agenda, const grz_event *event)
{
    GRZ_ASSERT(event->meeting == GRZ_NONE ||
               (world->found.meetings.data[event->meeting].row_a == event->row_a &&
                world->found.meetings.data[event->meeting].row_b == event->row_b));
    if (!is_to_happen(world, event)) {
        return true;
    }
    if (event->row_b != GRZ_NONE &&
        grz_are_solved(world, &world->found.meetings.data[event->meeting]) &&
        !grz_bodies_pass(world, event->row_a, event->row_b)) {
        return happen_in_solver(world, event);
    }
    grz_side a, b;
    grz_event_find_blocks(world, event, &a, &b);
    if (!world->config.no_shortcuts && is_old(event, &a)) {
        note_met(a.motion, event);
        grz_note_overlap(world, event, a.passes ? NULL : a.motion, NULL);
        return true;
    }
    const uint32_t fresh_count = agenda->contacts->count;
    const uint32_t place = find_contact(world, agenda, event, a.blocked || b.blocked);
    if (place == GRZ_NONE) {
        return false;
    }
    graze_contact *contact = &agenda->contacts->data[place];
    const history before =
        is_new(world, event, place, fresh_count)
            ? recall(world, agenda, grz_motion_of(world, event->row_a), event, contact)
            : TOUCHED_BEFORE;
    take_hit(world, agenda, event, &a, before);
    take_hit(world, agenda, event, &b, before);
    if (!answer_pair(world, event, &a, &b, contact)) {
        return false;
    }
    return foresee_turned(world, agenda, event, &a, &b);
}
