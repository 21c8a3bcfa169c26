#include "solve/apply_impact.h"

#include "asserts.h"
#include "collide/contact_make.h"
#include "collide/pair_sweep.h"
#include "collide/predict.h"
#include "fault.h"
#include "likely.h"
#include "min_max.h"
#include "solve/blocked.h"
#include "solve/deflect.h"
#include "solve/find_impacts.h"
#include "solve/impact_queue.h"
#include "solve/impulse.h"
#include "solve/slide.h"
#include "solve/trajectory.h"
#include "world/adjacency.h"
#include "world/bodies.h"
#include "world/contact_keys.h"
#include "world/parallel.h"

static const double same_time = 0x1p-24; ///< Of the time: the walls of a corner round it two ways.

// What a mover meets of terrain at one time: a corner of a chain is one hit, and a wall that
// several cells list is one touch.
static bool is_same_time_and_chain(const grz_trajectory *trajectory, const grz_event *event)
{
    const double later = event->touch.time - trajectory->met_time;
    return later <= same_time * event->touch.time &&
           trajectory->met.chain.index == event->segment.chain.index;
}

static bool is_same_touch(const grz_trajectory *trajectory, const grz_event *event)
{
    return is_same_time_and_chain(trajectory, event) &&
           grz_is_same_segment(trajectory->met, event->segment) &&
           trajectory->met_version == event->version_a;
}

// Turns make void what was found before them. A wall that several cells list happens once.
static bool is_to_happen(const graze_world *world, const grz_event *event)
{
    const double time = event->touch.time;
    const grz_trajectory *a = grz_trajectory_of(world, event->row_a);
    if (!grz_trajectory_is_in_force(a, event->version_a, time)) {
        return false;
    }
    return event->row_b == GRZ_NONE
               ? !is_same_touch(a, event)
               : grz_trajectory_is_in_force(grz_trajectory_of(world, event->row_b),
                                            event->version_b, time);
}

// Whether one of the first `count` contacts has this key. The search begins at the trajectory's
// first contact: only a body that was turned is ever looked for.
static bool met_in_this_step(const grz_contacts *contacts, uint32_t count,
                             const grz_trajectory *trajectory, const graze_contact_end *key)
{
    if (trajectory->count == 2) {
        return false;
    }
    for (uint32_t i = trajectory->first_contact; i < count; ++i) {
        if (grz_has_key(&contacts->data[i], key)) {
            return true;
        }
    }
    return false;
}

static void note_met(grz_trajectory *trajectory, const grz_event *event)
{
    trajectory->met = event->segment;
    trajectory->met_time = event->touch.time;
    trajectory->met_version = event->version_a;
}

// Not read from the contact, which would have to be stored first.
static inline graze_contact_end key_of_wall(const graze_world *world, const grz_event *event)
{
    const graze_contact_end key = {.a = grz_row_id(&world->bodies.rows, event->row_a),
                                   .segment = event->segment};
    return key;
}

/// Whether the two of an event have touched before.
typedef enum history { TOUCHED_BEFORE, BEGINS, IN_A_CORNER } history;

static history recall_pair(const graze_world *world, const grz_event *event)
{
    const graze_contact_end key = {.a = grz_row_id(&world->bodies.rows, event->row_a),
                                   .b = grz_row_id(&world->bodies.rows, event->row_b)};
    return grz_pair_met_before(world, &key) ? TOUCHED_BEFORE : BEGINS;
}

// A touch begins if there was none before: neither in the last step nor earlier in this one.
static history recall_wall(const graze_world *world, const grz_contacts *contacts, uint32_t place,
                           grz_trajectory *trajectory, const grz_event *event)
{
    const bool corner = is_same_time_and_chain(trajectory, event);
    note_met(trajectory, event);
    if (corner) {
        return IN_A_CORNER;
    }
    const graze_contact_end key = key_of_wall(world, event);
    const bool before =
        grz_pair_met_before(world, &key) || met_in_this_step(contacts, place, trajectory, &key);
    return before ? TOUCHED_BEFORE : BEGINS;
}

// Adds the contact of an event of a body with this trajectory. Returns its place; GRZ_NONE when
// there is no memory.
GRZ_IN_PLACE uint32_t add_contact(const graze_world *world, grz_agenda *agenda,
                                  const grz_event *event, grz_trajectory *trajectory)
{
    grz_contacts *contacts = agenda->contacts;
    if (!grz_agenda_reserve(agenda, contacts, (size_t)contacts->count + 1)) {
        return GRZ_NONE;
    }
    grz_contact_fill(world, event->row_a, event->row_b, event->segment, &event->touch,
                     &contacts->data[contacts->count]);
    if (trajectory && trajectory->first_contact == GRZ_NONE) {
        trajectory->first_contact = contacts->count;
    }
    return contacts->count++;
}

// The same of two bodies, unless it only repeats one that there is.
static uint32_t find_contact(graze_world *world, grz_agenda *agenda, const grz_event *event,
                             bool turns)
{
    grz_candidate *candidate = &world->found.candidates.data[event->candidate];
    if (candidate->contact != GRZ_NONE && !turns) {
        return candidate->contact;
    }
    const uint32_t place =
        add_contact(world, agenda, event, grz_trajectory_of(world, event->row_a));
    if (candidate->contact == GRZ_NONE) {
        candidate->contact = place;
    }
    return place;
}

// Counts a hit where this is one: the beginning of a touch, and every bounce, but for the second of
// a corner; what rests or is pushed along is not hit again.
static void take_hit(const graze_world *world, grz_agenda *agenda, const grz_event *event,
                     grz_side *side, history before)
{
    GRZ_FAULT(hits_in_corners, if (before == IN_A_CORNER) before = TOUCHED_BEFORE);
    if (!side->trajectory || before == IN_A_CORNER ||
        (before != BEGINS && !(side->blocked && grz_throws_back(world, event, side->trajectory)))) {
        return;
    }
    const uint32_t limit = grz_life_of(world, side->trajectory->index).hit_limit;
    ++agenda->hit_count;
    side->trajectory->was_hit = true;
    side->trajectory->hit_count += limit != 0; // Without a limit it is no part of the state.
    side->hit = true;
    side->spent = limit != 0 && side->trajectory->hit_count >= limit;
}

static bool has_turned(const grz_side *side)
{
    return side->trajectory && side->trajectory->version != side->version;
}

// Sensors that it touched before its turn are looked up first: by its old course.
static bool note_deflection(graze_world *world, const grz_side *side)
{
    GRZ_FAULT(courses_that_turn, return true);
    if (!has_turned(side)) {
        return true;
    }
    const bool noted = grz_sensors_note_deflection(world, side->trajectory);
    grz_trajectory_note_course(world, side->trajectory);
    return noted;
}

static graze_vec2d velocity_of(const grz_side *side)
{
    return side->trajectory ? side->trajectory->velocity : vec2d(0, 0);
}

// What a side has lost of its momentum along the normal of a touch.
static double momentum_lost(const graze_world *world, const grz_side *side, graze_vec2d before,
                            graze_vec2d normal)
{
    if (!side->trajectory) {
        return 0;
    }
    const double mass = (double)grz_material_at(world, side->trajectory->row).mass;
    return mass * dot(subtract(before, side->trajectory->velocity), normal);
}

// The impulse that stops a body that its last hit removes, and that a touch blocks.
static double impulse_of_end(const graze_world *world, const grz_side *side, float approach)
{
    if (!side->blocked || !side->spent) {
        return 0;
    }
    return (double)grz_impulse_of_stop(grz_material_at(world, side->trajectory->row).mass,
                                       approach);
}

// Turns what is blocked. Adds to the contact the impulse along the normal: if walls hold one
// of the two, what the other has lost. Returns false when there is no memory.
static bool turn(graze_world *world, const grz_event *event, const grz_side *a, const grz_side *b,
                 grz_contact *contact)
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

static uint32_t flags_of(bool is_blocked, bool is_spent, const grz_trajectory *turned)
{
    const bool drops = turned && turned->stands && turned->count == GRZ_KNOTS;
    return (is_blocked ? (uint32_t)GRAZE_CONTACT_BLOCKED : 0u) |
           (is_spent ? (uint32_t)GRAZE_CONTACT_SPENT : 0u) |
           (drops ? (uint32_t)GRAZE_CONTACT_DROPPED : 0u);
}

static const grz_trajectory *turned_of(const grz_side *side)
{
    return side->blocked && !side->spent ? side->trajectory : NULL;
}

static void end_if_spent(const graze_world *world, const grz_event *event, const grz_side *side)
{
    if (side->spent) {
        grz_trajectory_end(world, side->trajectory, event->touch.time);
    }
}

// Removes what is spent, and turns what is blocked. Adds the contact's flags and impulse for it.
// Returns false when there is no memory.
static bool answer(graze_world *world, const grz_event *event, const grz_side *a, const grz_side *b,
                   grz_contact *contact)
{
    if (!turn(world, event, a, b, contact)) {
        return false;
    }
    end_if_spent(world, event, a);
    end_if_spent(world, event, b);
    const grz_trajectory *turned = turned_of(a);
    contact->flags |=
        flags_of(a->blocked || b->blocked, a->spent || b->spent, turned ? turned : turned_of(b));
    return true;
}

// Two that pass through each other answer nothing.
static bool answer_pair(graze_world *world, const grz_event *event, grz_side *a, grz_side *b,
                        grz_contact *contact)
{
    grz_trajectory *pressed_a = a->passes ? NULL : a->trajectory;
    grz_trajectory *pressed_b = b->passes ? NULL : b->trajectory;
    grz_note_overlap(world, event, pressed_a, pressed_b);
    return answer(world, event, a, b, contact);
}

// Whether a wall that does not turn the body says nothing new: it has met that wall in this step,
// and has been turned since. Then it is no hit, and of the contacts the first stays
// (contact_order.c). Only contacts of an isolated body follow one another: of others the last wall
// alone is known.
static bool is_old(const graze_world *world, const grz_contacts *contacts, const grz_event *event,
                   const grz_side *side)
{
    const grz_trajectory *trajectory = side->trajectory;
    if (!trajectory || side->blocked || trajectory->count == 2 || !(trajectory->met_time >= 0)) {
        return false;
    }
    const graze_contact_end key = key_of_wall(world, event);
    GRZ_FAULT(old_walls, return true);
    return grz_is_same_segment(trajectory->met, event->segment) ||
           (grz_is_isolated(world, event->row_a) &&
            met_in_this_step(contacts, contacts->count, trajectory, &key));
}

// What is found takes the place of the event.
static bool find_impacts_turned(graze_world *world, grz_agenda *agenda, const grz_event *event,
                                const grz_side *a, const grz_side *b)
{
    const double time = event->touch.time;
    const grz_row row_a = event->row_a, row_b = event->row_b, both = event->candidate;
    const bool a_has_turned = has_turned(a);
    const bool b_has_turned = has_turned(b);
    return note_deflection(world, a) && note_deflection(world, b) &&
           (!a_has_turned || grz_find_impacts_anew(world, agenda, row_a, time, GRZ_NONE)) &&
           (!b_has_turned ||
            grz_find_impacts_anew(world, agenda, row_b, time, a_has_turned ? both : GRZ_NONE));
}

// Two of the solver: their contact is known.
static bool happen_in_solver(graze_world *world, const grz_event *event)
{
    const grz_side a = grz_side_of(world, event->row_a, true);
    const grz_side b = grz_side_of(world, event->row_b, true);
    grz_hold_solved(world, event);
    return find_impacts_turned(world, &world->impacts.agenda, event, &a, &b);
}

static bool meet_body(graze_world *world, grz_agenda *agenda, const grz_event *event)
{
    grz_candidate *candidate = &world->found.candidates.data[event->candidate];
    GRZ_ASSERT(candidate->row_a == event->row_a && candidate->row_b == event->row_b);
    if (grz_are_solved(world, candidate) && !grz_bodies_pass(world, event->row_a, event->row_b)) {
        return happen_in_solver(world, event);
    }
    grz_side a, b;
    grz_event_find_blocks(world, event, &a, &b);
    const uint32_t contact_count = agenda->contacts->count;
    const uint32_t place = find_contact(world, agenda, event, a.blocked || b.blocked);
    if (place == GRZ_NONE) {
        return false;
    }
    grz_contact *contact = &agenda->contacts->data[place];
    const bool is_first = place >= contact_count && candidate->contact == place;
    const history before = is_first ? recall_pair(world, event) : TOUCHED_BEFORE;
    take_hit(world, agenda, event, &a, before);
    take_hit(world, agenda, event, &b, before);
    return answer_pair(world, event, &a, &b, contact) &&
           find_impacts_turned(world, agenda, event, &a, &b);
}

// Finds the side of an event with a wall. Most walls that are met turn the body, on the course for
// which they were found: that needs no look (is_known_block in blocked.c).
static inline void find_wall_side(const graze_world *world, const grz_event *event,
                                  grz_trajectory *trajectory, grz_side *side)
{
    const uint32_t traits = world->bodies.rows.traits[event->row_a];
    if (event->touch.blocks && (traits & (GRZ_TRAIT_TURNS | GRZ_TRAIT_RIGID)) == GRZ_TRAIT_TURNS &&
        event->version_a == trajectory->version && !trajectory->stands &&
        !world->config.no_shortcuts) {
        *side = (grz_side){.row = event->row_a,
                           .trajectory = trajectory,
                           .version = trajectory->version,
                           .blocked = true};
        return;
    }
    grz_event_find_wall_block(world, event, side);
}

// Whether a rect that has been deflected turns into a wall. That is no impact: its corners could go
// on hitting the ground by turns.
static bool turns_into(const graze_world *world, const grz_event *event)
{
    return event->touch.turns && grz_flies(world->bodies.rows.traits[event->row_a]) &&
           grz_trajectory_of(world, event->row_a)->count > 2;
}

// It goes on as it did, but turns no farther than to a wall that it did not touch when it was
// deflected.
static void stop_turning(const graze_world *world, grz_trajectory *trajectory, double time)
{
    if (time > trajectory->time[trajectory->count - 2] && trajectory->count < GRZ_KNOTS) {
        const graze_vec2d course = grz_course_at(world, trajectory->row, time);
        grz_trajectory_turn_at(trajectory, world->call.dt, time, 0);
        grz_trajectory_deflect(world, trajectory, time, course);
    }
}

static bool meet_wall(graze_world *world, grz_agenda *agenda, const grz_event *event)
{
    grz_trajectory *trajectory = grz_trajectory_of(world, event->row_a);
    grz_side side;
    find_wall_side(world, event, trajectory, &side);
    if (side.blocked && turns_into(world, event)) {
        stop_turning(world, trajectory, event->touch.time);
        side.blocked = false;
    }
    grz_trajectory *pressed = side.passes ? NULL : side.trajectory;
    if (!world->config.no_shortcuts && !has_turned(&side) &&
        is_old(world, agenda->contacts, event, &side)) {
        note_met(side.trajectory, event);
        grz_note_overlap(world, event, pressed, NULL);
        return true;
    }
    const uint32_t place = add_contact(world, agenda, event, trajectory);
    if (place == GRZ_NONE) {
        return false;
    }
    const history before = recall_wall(world, agenda->contacts, place, trajectory, event);
    take_hit(world, agenda, event, &side, before);
    grz_note_overlap(world, event, pressed, NULL);
    const grz_side wall = {.row = GRZ_NONE};
    return answer(world, event, &side, &wall, &agenda->contacts->data[place]) &&
           (!has_turned(&side) || find_impacts_turned(world, agenda, event, &side, &wall));
}

// --- What the solver has reported ---

static bool has_limit(const graze_world *world, grz_row row)
{
    return row < world->bodies.active_count &&
           grz_life_of(world, world->bodies.rows.index[row]).hit_limit;
}

static grz_row row_of(const graze_world *world, graze_body_id body)
{
    return body.generation ? world->bodies.row_of_index.data[body.index] : GRZ_NONE;
}

static bool foresee_reported(graze_world *world, uint32_t place)
{
    const grz_contact *contact = &world->found.contacts.data[place];
    const grz_row row_a = row_of(world, contact->a), row_b = row_of(world, contact->b);
    const bool of_a = has_limit(world, row_a), of_b = has_limit(world, row_b);
    if (!of_a && !of_b) {
        return true;
    }
    grz_event *event = grz_event_room(&world->impacts.agenda);
    if (!event || (of_a && !grz_trajectory_give(world, row_a)) ||
        (of_b && !grz_trajectory_give(world, row_b))) {
        return false;
    }
    *event = (grz_event){.touch.time = (double)contact->time,
                         .row_a = row_a,
                         .row_b = row_b,
                         .candidate = GRZ_REPORTED + place,
                         .segment = contact->segment};
    grz_event_add(world, &world->impacts.agenda);
    return true;
}

bool grz_foresee_reported(graze_world *world, uint32_t end)
{
    bool done = true;
    for (uint32_t k = world->found.others_first; done && k < end; ++k) {
        done = foresee_reported(world, k);
    }
    return done;
}

static bool is_gone(const graze_world *world, grz_row row)
{
    const grz_trajectory *trajectory = grz_trajectory_of(world, row);
    return trajectory && trajectory->gone;
}

// Of the side of a contact that is reported: only what has a limit counts hits.
static grz_side counting_side(const graze_world *world, grz_row row, bool other_is_solid)
{
    return grz_side_of(world, row, has_limit(world, row) && other_is_solid);
}

// What the solver moved went as if nothing held it, up to its last hit.
static void free_way(graze_world *world, const grz_event *event, grz_trajectory *trajectory)
{
    const grz_rows *rows = &world->bodies.rows;
    const grz_row row = trajectory->row;
    const grz_slot slot = world->solve.slot_of_row.data[row];
    const graze_vec2 gravity_step = grz_gravity_step(world->config.gravity, world->call.dt);
    const uint32_t place = event->candidate - GRZ_REPORTED;
    if ((world->found.contacts.data[place].flags & GRAZE_CONTACT_BLOCKED) &&
        trajectory->count == 2) {
        trajectory->at[1] = world->solve.ways.data[slot].free_end;
    }
    trajectory->velocity =
        widen(grz_velocity_ahead(world, trajectory->index, rows->traits[row], rows->velocity[row],
                                 gravity_step, world->call.dt));
    trajectory->spin = grz_spin_of(rows, row);
    world->solve.ends.data[slot].angle =
        grz_wrap_angle(grz_angle_of(rows, row) +
                       trajectory->spin * (float)((double)world->call.dt * event->touch.time));
}

static void end_reported(graze_world *world, const grz_event *event, const grz_side *side)
{
    if (side->spent && grz_is_solved(world->bodies.rows.traits[side->row])) {
        free_way(world, event, side->trajectory);
    }
    end_if_spent(world, event, side);
}

// What has happened to the two is known, but for the hits.
static bool happen_as_reported(graze_world *world, grz_agenda *agenda, const grz_event *event)
{
    const uint32_t place = event->candidate - GRZ_REPORTED;
    const grz_row row_a = event->row_a, row_b = event->row_b;
    grz_contact *contact = &world->found.contacts.data[place];
    if (is_gone(world, row_a) || is_gone(world, row_b)) {
        contact->flags |= GRZ_CONTACT_VOID;
        return true;
    }
    const uint32_t *traits = world->bodies.rows.traits;
    const bool is_wall = row_b == GRZ_NONE;
    const bool solid = is_wall ? !world->terrain.chains[contact->segment.chain.index].sensor
                               : grz_is_solid(traits[row_b]);
    grz_side a = counting_side(world, row_a, solid);
    grz_side b = counting_side(world, row_b, grz_is_solid(traits[row_a]));
    const history before = is_wall ? recall_wall(world, agenda->contacts, place,
                                                 grz_trajectory_of(world, row_a), event)
                                   : recall_pair(world, event);
    take_hit(world, agenda, event, &a, before);
    take_hit(world, agenda, event, &b, before);
    contact->flags |= flags_of(false, a.spent || b.spent, NULL);
    end_reported(world, event, &a);
    end_reported(world, event, &b);
    return find_impacts_turned(world, agenda, event, &a, &b);
}

void grz_drop_void(graze_world *world)
{
    grz_contacts *contacts = &world->found.contacts;
    uint32_t kept = world->found.others_first;
    for (uint32_t k = kept; k < contacts->count; ++k) {
        if (!(contacts->data[k].flags & GRZ_CONTACT_VOID)) {
            contacts->data[kept++] = contacts->data[k];
        }
    }
    contacts->count = kept;
}

bool grz_apply_impact(graze_world *world, grz_agenda *agenda, const grz_event *event)
{
    if (event->candidate & GRZ_REPORTED) {
        return happen_as_reported(world, agenda, event);
    }
    if (!is_to_happen(world, event)) {
        return true;
    }
    return event->row_b == GRZ_NONE ? meet_wall(world, agenda, event)
                                    : meet_body(world, agenda, event);
}

// --- Isolated bodies ---

enum { EVENTS = 64 }; ///< Room of a block: most bodies have a few at a time.

static bool respond(graze_world *world, grz_agenda *agenda, grz_trajectory *trajectory)
{
    bool done = grz_find_impacts_walls(world, agenda, trajectory->row, trajectory, true);
    while (done && grz_events_are_left(agenda)) {
        done = grz_apply_impact(world, agenda, grz_event_pop(agenda));
    }
    grz_events_clear(agenda);
    return done;
}

// Whether a block may answer what happens to a body: contacts with sensors are of the candidate
// pairs.
static bool is_over_nothing(const graze_world *world, grz_row row)
{
    return grz_is_isolated(world, row) && grz_link_first(world, row) == GRZ_NONE;
}

// Returns false if there is too little room.
static bool respond_in_room(graze_world *world, grz_agenda *agenda, grz_trajectory *trajectory)
{
    const grz_trajectory before = *trajectory;
    const uint32_t count = agenda->contacts->count;
    const uint64_t hit_count = agenda->hit_count;
    if (respond(world, agenda, trajectory)) {
        return true;
    }
    *trajectory = before;
    grz_trajectory_note_course(world, trajectory);
    agenda->contacts->count = count;
    agenda->hit_count = hit_count;
    return false;
}

// As many contacts as walls are near: a body that meets one is seldom turned into it again.
static uint32_t room_of_block(const graze_world *world, uint32_t block)
{
    const uint32_t first = block * GRZ_BLOCK_TRAJECTORIES,
                   rest = world->impacts.trajectories.count - first;
    uint32_t room = 0;
    for (uint32_t m = first; m < first + min_u32(rest, GRZ_BLOCK_TRAJECTORIES); ++m) {
        room += world->impacts.trajectories.data[m].known_walls.count;
    }
    return room;
}

static void respond_in_block(graze_world *world, uint32_t block, grz_range *own)
{
    grz_impacts *impacts = &world->impacts;
    grz_isolated_block *part = &impacts->isolated_blocks.data[block];
    grz_event events[EVENTS];
    grz_queued heap[EVENTS];
    grz_contacts contacts = {.data = (grz_contact *)own->items + own->first, .capacity = own->room};
    grz_agenda agenda = {.events = {.data = events, .capacity = EVENTS},
                         .heap = {.data = heap, .capacity = EVENTS},
                         .mover_row = GRZ_NONE,
                         .contacts = &contacts};
    const uint32_t end = min_u32((block + 1) * GRZ_BLOCK_TRAJECTORIES, impacts->trajectories.count);
    bool fits = true;
    for (part->left = block * GRZ_BLOCK_TRAJECTORIES; fits && part->left < end;
         part->left += fits) {
        grz_trajectory *trajectory = &impacts->trajectories.data[part->left];
        fits =
            !is_over_nothing(world, trajectory->row) || respond_in_room(world, &agenda, trajectory);
    }
    part->hit_count = agenda.hit_count;
    own->count = contacts.count;
}

static bool respond_in_blocks(graze_world *world, uint32_t blocks)
{
    grz_impacts *impacts = &world->impacts;
    const grz_finding finding = {
        .list_count = 1,
        .lists = {GRZ_FILLED(&world->found.contacts)},
        .apart = {GRZ_FILLED(&world->found.contacts_apart)},
        .room = room_of_block,
        .find = respond_in_block,
    };
    if (!grz_array_reserve(&impacts->isolated_blocks, &world->config.counting, blocks)) {
        return false;
    }
    impacts->isolated_blocks.count = blocks;
    const bool done = grz_find_in_blocks(world, &finding, blocks, &world->solve.ranges);
    for (uint32_t block = 0; done && block < blocks; ++block) {
        impacts->agenda.hit_count += impacts->isolated_blocks.data[block].hit_count;
    }
    return done;
}

// --- One after the other ---

// What is left of a block, or is over sensors. The game's own filter is asked on the game's own
// thread.
bool grz_respond_isolated(graze_world *world)
{
    const uint32_t blocks =
        grz_count_blocks(world->impacts.trajectories.count, GRZ_BLOCK_TRAJECTORIES);
    const bool in_blocks = world->config.parallel && !world->config.filter && blocks > 1;
    if (in_blocks && !respond_in_blocks(world, blocks)) {
        return false;
    }
    for (uint32_t m = 0; m < world->impacts.trajectories.count; ++m) {
        grz_trajectory *trajectory = &world->impacts.trajectories.data[m];
        const bool is_done =
            in_blocks && is_over_nothing(world, trajectory->row) &&
            m < world->impacts.isolated_blocks.data[m / GRZ_BLOCK_TRAJECTORIES].left;
        if (!is_done && grz_is_isolated(world, trajectory->row) &&
            !respond(world, &world->impacts.agenda, trajectory)) {
            return false;
        }
    }
    return true;
}
