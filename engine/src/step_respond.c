#include "bodies.h"
#include "links.h"
#include "meet.h"
#include "motion.h"
#include "response.h"
#include "rows.h"
#include "step.h"
#include "terrain.h"
#include "vec2d.h"

// How the courses of free bodies are found
//
// Touches are foreseen along the motions as they are known, and happen in the order of time. What
// turns a body (it stops, or is removed) changes its motion from then on: what was foreseen of it
// later is void, and foreseen anew. So every touch is between things where they really are, and the
// order of equal times, by ids, makes the result a function of the state alone.
//
// A body is turned at most four times a step (GRZ_TURNS), so there is an end to it.
//
// Rays stop nobody: they come last, when all other courses are known (step_rays.c).

static const double same_time = 0x1p-24; ///< Of the time: the walls of a corner round it two ways.
static const double time_rounding = 0x1p-50; ///< Of the step: so much two of its times may share.

static bool is_before(const graze_world *world, const grz_event *first, const grz_event *second)
{
    const uint32_t *index = world->rows.index;
    if (first->touch.time != second->touch.time) {
        return first->touch.time < second->touch.time;
    }
    bool first_is_wall = first->row_b == GRZ_NONE;
    bool second_is_wall = second->row_b == GRZ_NONE;
    if (first_is_wall != second_is_wall) {
        return first_is_wall;
    }
    if (first->row_a != second->row_a) {
        return index[first->row_a] < index[second->row_a];
    }
    if (!first_is_wall && first->row_b != second->row_b) {
        return index[first->row_b] < index[second->row_b];
    }
    // Foreseen before a turn and after it. A wall that several cells list is foreseen as often:
    // nothing comes in between.
    if (first->version_a != second->version_a) {
        return first->version_a < second->version_a;
    }
    if (first->version_b != second->version_b) {
        return first->version_b < second->version_b;
    }
    if (first->segment.chain.index != second->segment.chain.index) {
        return first->segment.chain.index < second->segment.chain.index;
    }
    return first->segment.index < second->segment.index;
}

static void sift_up(graze_world *world, uint32_t place)
{
    uint32_t *queue = world->queue.data;
    const grz_event *events = world->events.data;
    uint32_t rising = queue[place];
    while (place > 0) {
        uint32_t parent = (place - 1) / 2;
        if (!is_before(world, &events[rising], &events[queue[parent]])) {
            break;
        }
        queue[place] = queue[parent];
        place = parent;
    }
    queue[place] = rising;
}

static void sift_down(graze_world *world, uint32_t sinking)
{
    uint32_t *queue = world->queue.data;
    const grz_event *events = world->events.data;
    uint32_t count = world->queue.count;
    uint32_t place = 0;
    for (uint32_t child; (child = 2 * place + 1) < count; place = child) {
        if (child + 1 < count &&
            is_before(world, &events[queue[child + 1]], &events[queue[child]])) {
            ++child;
        }
        if (!is_before(world, &events[queue[child]], &events[sinking])) {
            break;
        }
        queue[place] = queue[child];
    }
    queue[place] = sinking;
}

static bool push_event(graze_world *world, const grz_event *event)
{
    if (!grz_array_reserve_more(&world->events, &world->counting, 1) ||
        !grz_array_reserve_more(&world->queue, &world->counting, 1)) {
        return false;
    }
    world->queue.data[world->queue.count] = world->events.count;
    world->events.data[world->events.count++] = *event;
    sift_up(world, world->queue.count++);
    return true;
}

static grz_event pop_event(graze_world *world)
{
    uint32_t first = world->queue.data[0];
    uint32_t last = world->queue.data[--world->queue.count];
    if (world->queue.count) {
        sift_down(world, last);
    }
    return world->events.data[first];
}

static uint32_t version_of(const grz_motion *motion)
{
    return motion ? motion->version : 0;
}

static bool is_free(const graze_world *world, uint32_t row)
{
    return (world->rows.traits[row] & GRZ_TRAIT_FREE) != 0;
}

// Free rays get their motion when they touch something: most touch nothing. Returns false when
// there is no memory.
static bool give_motion(graze_world *world, uint32_t row)
{
    return !is_free(world, row) || grz_motion_of(world, row) || grz_motion_begin(world, row);
}

static bool is_straight(const graze_world *world, uint32_t row)
{
    const grz_motion *motion = grz_motion_of(world, row);
    return !motion || motion->version == 1;
}

bool grz_meeting_touches(const graze_world *world, const grz_meeting *meeting, double from,
                         grz_touch *touch)
{
    uint32_t a = meeting->row_a;
    uint32_t b = meeting->row_b;
    return is_straight(world, a) && is_straight(world, b)
               ? grz_touch_straight(&world->rows, a, b, touch)
               : grz_touch_moving(world, a, b, from, touch);
}

static bool foresee_meeting(graze_world *world, uint32_t index, double from)
{
    const grz_meeting *meeting = &world->meetings.data[index];
    grz_touch touch;
    if (!grz_meeting_touches(world, meeting, from, &touch)) {
        return true;
    }
    if (meeting->contact != GRZ_NONE && touch.approach <= 0) {
        return true;
    }
    if (!give_motion(world, meeting->row_a) || !give_motion(world, meeting->row_b)) {
        return false;
    }
    grz_event event = {
        .touch = touch,
        .row_a = meeting->row_a,
        .row_b = meeting->row_b,
        .version_a = version_of(grz_motion_of(world, meeting->row_a)),
        .version_b = version_of(grz_motion_of(world, meeting->row_b)),
        .meeting = index,
    };
    return push_event(world, &event);
}

// A row's meetings come before its touches.
static bool is_meeting(const graze_world *world, uint32_t link)
{
    return link != GRZ_NONE && grz_link_is_meeting(world, link);
}

static bool foresee_meetings(graze_world *world, uint32_t row, double from)
{
    for (uint32_t link = grz_link_first(world, row); is_meeting(world, link);
         link = grz_link_next(world, link)) {
        if (!foresee_meeting(world, grz_link_meeting(link), from)) {
            return false;
        }
    }
    return true;
}

static bool push_wall_event(graze_world *world, const grz_motion *motion, const grz_touch *touch,
                            graze_segment_id segment)
{
    grz_event event = {
        .touch = *touch,
        .row_a = motion->row,
        .row_b = GRZ_NONE,
        .version_a = motion->version,
        .meeting = GRZ_NONE,
        .segment = segment,
    };
    return push_event(world, &event);
}

// Foresees the walls on the last piece of a motion. Past the first that turns it nothing is worth
// foreseeing, but for what the step's time rounds to the same: whichever comes first in the cells,
// both are known.
static bool foresee_walls(graze_world *world, uint32_t row)
{
    if (!world->segment_count) {
        return true;
    }
    grz_piece piece = grz_last_piece(world, row);
    double length = piece.end_time - piece.start_time;
    if (!(length > 0)) {
        return true;
    }
    grz_mover mover = grz_mover_of(world, row);
    grz_wall_walk walk;
    grz_wall_walk_begin(&walk, world, &mover, piece.start, piece.end);
    double limit = 1;
    grz_touch touch;
    graze_segment_id segment;
    while (grz_wall_walk_next(&walk, limit, &touch, &segment)) {
        if (!give_motion(world, row)) {
            return false;
        }
        const grz_motion *motion = grz_motion_of(world, row);
        if (motion->stands && touch.time == 0) {
            continue; // Where it stopped: what it touches there it has met already.
        }
        touch.approach /= length;
        if (grz_chain_is_solid(world, segment) && grz_is_blocked(world, motion, &touch, true)) {
            limit = lesser(limit, touch.time + time_rounding / length);
        }
        touch.depth = piece.start_time > 0 ? 0 : touch.depth;
        touch.time = piece.start_time + touch.time * length;
        if (!push_wall_event(world, motion, &touch, segment)) {
            return false;
        }
    }
    return true;
}

// What a mover meets of terrain at one time: a corner of a chain is one hit, and a wall that
// several cells list is one touch.
static bool is_same_time_and_chain(const grz_motion *motion, const grz_event *event)
{
    double later = event->touch.time - motion->met_time;
    return later <= same_time * event->touch.time &&
           motion->met.chain.index == event->segment.chain.index;
}

static bool is_same_touch(const grz_motion *motion, const grz_event *event)
{
    return is_same_time_and_chain(motion, event) && motion->met.index == event->segment.index &&
           motion->met_version == event->version_a;
}

static bool is_solid_to_a(const graze_world *world, const grz_event *event)
{
    return event->row_b == GRZ_NONE ? grz_chain_is_solid(world, event->segment)
                                    : grz_is_solid(world->rows.traits[event->row_b]);
}

static bool is_in_force(const graze_world *world, const grz_event *event)
{
    const grz_motion *a = grz_motion_of(world, event->row_a);
    double time = event->touch.time;
    if (event->row_b == GRZ_NONE) {
        return grz_motion_is_in_force(a, event->version_a, time) && !is_same_touch(a, event);
    }
    const grz_motion *b = grz_motion_of(world, event->row_b);
    return grz_motion_is_in_force(a, event->version_a, time) &&
           grz_motion_is_in_force(b, event->version_b, time);
}

static bool is_current(const grz_motion *motion, uint32_t version)
{
    return !motion || motion->version == version;
}

// How fast they come together: as foreseen, unless one has turned at this very time. What was
// foreseen is not found anew, so that what foresee_walls took for the end of a piece is it.
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
        if (grz_key_compare(&earlier, &key) == 0) {
            return true;
        }
    }
    return false;
}

// Whether the two did not touch before: neither in the last step nor earlier in this one.
static bool is_beginning(const graze_world *world, grz_motion *a, const grz_event *event,
                         const graze_contact *contact)
{
    if (event->row_b != GRZ_NONE) {
        return !grz_pair_met_before(world, contact);
    }
    bool corner = is_same_time_and_chain(a, event);
    a->met = event->segment;
    a->met_time = event->touch.time;
    a->met_version = event->version_a;
    return !corner && !grz_pair_met_before(world, contact) && !met_in_this_step(world, a, contact);
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

static side make_side(const graze_world *world, const grz_event *event, uint32_t row,
                      bool other_is_solid, double approach)
{
    grz_motion *motion = row == GRZ_NONE || !other_is_solid ? NULL : grz_motion_of(world, row);
    side of = {motion, 0, false};
    if (motion) {
        grz_touch touch = event->touch;
        touch.approach = approach;
        touch.crosses = touch.crosses && event->version_a == motion->version;
        of.version = motion->version;
        of.blocked = grz_is_blocked(world, motion, &touch, event->row_b == GRZ_NONE);
    }
    return of;
}

static bool turns(const graze_world *world, const side *of)
{
    return of->motion && (world->rows.traits[of->motion->row] & GRZ_TRAIT_TURNS);
}

// What slides or bounces is not caught by a corner that it only passes along. Of two that do both
// take part in what one of them is turned by, or an impulse would be lost.
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
    of->motion->hit_count += limit != 0; // Without a limit it is no part of the state.
    return limit != 0 && of->motion->hit_count >= limit;
}

static bool foresee_anew(graze_world *world, const grz_motion *motion, double time)
{
    if (motion->gone) {
        return true;
    }
    bool spins = (world->rows.traits[motion->row] & GRZ_TRAIT_SPINS) != 0;
    bool walls = !motion->stands || spins;
    return foresee_meetings(world, motion->row, time) &&
           (!walls || foresee_walls(world, motion->row));
}

// Removes what is spent, and turns what is blocked. Returns the contact's flags for it.
static uint32_t answer(graze_world *world, const grz_event *event, side *a, side *b, bool begins)
{
    bool a_is_spent = take_hit(world, event, a, begins);
    bool b_is_spent = take_hit(world, event, b, begins);
    uint32_t flags = a->blocked || b->blocked ? GRAZE_CONTACT_BLOCKED : 0;
    a->blocked = a->blocked && !a_is_spent;
    b->blocked = b->blocked && !b_is_spent;
    grz_respond(world, event, a->blocked ? a->motion : NULL, b->blocked ? b->motion : NULL);
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

static bool foresee_if_turned(graze_world *world, const side *of, double time)
{
    return !of->motion || of->motion->version == of->version ||
           foresee_anew(world, of->motion, time);
}

static bool happen(graze_world *world, const grz_event *event)
{
    if (!is_in_force(world, event)) {
        return true;
    }
    double approach = find_approach(world, event);
    bool a_is_solid = grz_is_solid(world->rows.traits[event->row_a]);
    side a = make_side(world, event, event->row_a, is_solid_to_a(world, event), approach);
    side b = make_side(world, event, event->row_b, a_is_solid, approach);
    agree_on_turns(world, event, &a, &b);
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
    double time = event->touch.time;
    return foresee_if_turned(world, &a, time) && foresee_if_turned(world, &b, time);
}

static bool let_happen(graze_world *world)
{
    while (world->queue.count) {
        grz_event event = pop_event(world);
        if (!happen(world, &event)) {
            return false;
        }
    }
    world->events.count = 0;
    return true;
}

// A meeting of two free bodies is listed with both, and foreseen with the one that comes later.
static bool foresee_first(graze_world *world, const grz_motion *motion)
{
    for (uint32_t link = grz_link_first(world, motion->row); is_meeting(world, link);
         link = grz_link_next(world, link)) {
        uint32_t index = grz_link_meeting(link);
        const grz_meeting *meeting = &world->meetings.data[index];
        uint32_t other = meeting->row_a == motion->row ? meeting->row_b : meeting->row_a;
        const grz_motion *other_motion = grz_motion_of(world, other);
        bool comes_later = other_motion && other_motion > motion;
        if (!comes_later && !foresee_meeting(world, index, 0)) {
            return false;
        }
    }
    return foresee_walls(world, motion->row);
}

static bool respond_others(graze_world *world)
{
    for (uint32_t m = 0; m < world->motions.count; ++m) {
        if (!foresee_first(world, &world->motions.data[m])) {
            return false;
        }
    }
    return let_happen(world);
}

// What Decide has found of a ray happens like any meeting: it is one now. It needs no list: a ray
// that Decide took for plain is foreseen once.
static bool foresee_touches(graze_world *world, uint32_t row)
{
    for (uint32_t link = grz_link_first(world, row); link != GRZ_NONE;
         link = grz_link_next(world, link)) {
        if (grz_link_is_meeting(world, link)) {
            continue;
        }
        const uint32_t other = world->ray_touches.data[grz_link_touch(world, link)].other;
        const bool in_order = world->rows.index[row] < world->rows.index[other];
        if (!grz_array_reserve_more(&world->meetings, &world->counting, 1)) {
            return false;
        }
        const grz_meeting meeting = {in_order ? row : other, in_order ? other : row, GRZ_NONE};
        world->meetings.data[world->meetings.count] = meeting;
        if (!foresee_meeting(world, world->meetings.count++, 0)) {
            return false;
        }
    }
    return true;
}

bool grz_respond_by_events(graze_world *world, uint32_t row)
{
    return foresee_touches(world, row) && foresee_meetings(world, row, 0) &&
           foresee_walls(world, row) && let_happen(world);
}

static void settle_and_push_apart(const graze_world *world)
{
    for (uint32_t m = 0; m < world->motions.count; ++m) {
        grz_motion *motion = &world->motions.data[m];
        grz_settle(world, motion);
        if (!motion->gone && (motion->push.x != 0 || motion->push.y != 0)) {
            grz_motion_push(world, motion);
        }
    }
}

graze_status grz_step_respond(graze_world *world)
{
    world->hit_count = 0;
    world->motions.count = 0;
    world->spent.count = 0;
    world->events.count = 0;
    world->queue.count = 0;
    if (!world->free_count) {
        return GRAZE_OK;
    }
    bool done = grz_motions_start(world) && grz_links_list(world) && respond_others(world) &&
                grz_step_rays(world);
    if (!done) {
        return GRAZE_ERROR_OUT_OF_MEMORY;
    }
    settle_and_push_apart(world);
    return GRAZE_OK;
}
