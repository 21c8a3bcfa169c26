#include "world_calls.h"

#include "body_defs.h"

#include <math.h>

enum { PLACE_REACH = 12, WAY_REACH = 24, SIZE_REACH = 4 };

// --- Drawing ---

graze_filter world_draw_filter(fuzz_bytes *bytes)
{
    const uint32_t choice = fuzz_byte(bytes);
    graze_filter filter = graze_filter_default();
    if (choice & 1) {
        filter.category = 1u << (choice >> 1 & 1);
        filter.mask = 1u << (choice >> 2 & 1) | (choice >> 3 & 1);
        filter.group = (int32_t)(choice >> 4 & 3) - 1;
    }
    return filter;
}

static float draw_share(fuzz_bytes *bytes)
{
    return (float)fuzz_below(bytes, 5) * 0.25f;
}

static graze_shape draw_shape(world_run *run)
{
    const uint32_t kind = fuzz_below(&run->bytes, 8);
    if (kind < 3) {
        return graze_shape_ray();
    }
    const float size = fuzz_size(&run->bytes, &run->ground, SIZE_REACH) * 0.5f;
    if (kind < 6) {
        return graze_shape_circle(kind == 5 ? 0 : size);
    }
    const float height = fuzz_size(&run->bytes, &run->ground, SIZE_REACH) * 0.5f;
    return graze_shape_rect(size, height > 0 ? height : 1);
}

// Per second: a way of the grid in a step of a second, or of a 1/64 of it.
static graze_vec2 draw_velocity(world_run *run)
{
    const bool fast = fuzz_below(&run->bytes, 4) == 3;
    const graze_vec2 way = fuzz_way(&run->bytes, &run->ground, WAY_REACH);
    return fast && run->ground.kind != FUZZ_ANY ? graze_vec2_scale(way, 64) : way;
}

static graze_body_def draw_body(world_run *run)
{
    static const float masses[] = {1, 0, 2, 100};
    fuzz_bytes *bytes = &run->bytes;
    graze_body_def def = test_body_def();
    def.shape = draw_shape(run);
    def.response = (graze_response)(GRAZE_BOUNCE - fuzz_below(bytes, 4));
    def.position = fuzz_place(bytes, &run->ground, PLACE_REACH);
    def.velocity = draw_velocity(run);
    const uint32_t extras = fuzz_byte(bytes);
    if (extras & 1) {
        def.angle = (float)fuzz_integer(bytes, 16) * 0.25f;
        def.spin = (float)fuzz_integer(bytes, 16);
    }
    if (extras & 2) {
        def.mass = masses[fuzz_below(bytes, 4)];
        def.restitution = draw_share(bytes);
        def.friction = draw_share(bytes);
    }
    if (extras & 4) {
        def.hit_limit = fuzz_below(bytes, 4);
        def.lifetime = (float)fuzz_below(bytes, 4) * 0.5f;
    }
    if (extras & 8) {
        def.filter = world_draw_filter(bytes);
    }
    def.sensor = (extras & 48) == 48;
    def.user_data = extras >> 6;
    return def;
}

// Bits that are not valid in most cases.
static void spoil_body(world_run *run, graze_body_def *def)
{
    float *const fields[] = {&def->position.x,   &def->velocity.y,    &def->angle,
                             &def->spin,         &def->mass,          &def->restitution,
                             &def->friction,     &def->lifetime,      &def->shape.radius,
                             &def->shape.half.x, &def->gravity_scale, &def->damping};
    const uint32_t field = fuzz_below(&run->bytes, 14);
    if (field < 12) {
        *fields[field] = fuzz_any_float(&run->bytes);
    } else if (field == 12) {
        def->cookie = fuzz_byte(&run->bytes);
    } else {
        def->response = (graze_response)fuzz_byte(&run->bytes);
    }
}

// --- Bodies ---

static watch_body *draw_known_body(world_run *run)
{
    return &run->watch->bodies[fuzz_below(&run->bytes, WATCH_BODIES)];
}

// Returns a number that is free; null: there is none.
static watch_body *find_free_body(world_watch *watch)
{
    for (uint32_t i = 0; i < WATCH_BODIES; ++i) {
        if (!watch->bodies[i].there) {
            return &watch->bodies[i];
        }
    }
    return NULL;
}

static void note_body(watch_body *body, graze_body_id id, const graze_body_def *def)
{
    body->id = id;
    body->there = true;
    body->sensor = def->sensor;
}

static void create_body(world_run *run)
{
    watch_body *body = find_free_body(run->watch);
    graze_body_def def = draw_body(run);
    if (!body) {
        return;
    }
    const graze_body_id id = graze_body_create(run->watch->world, &def);
    run->status = graze_world_last_status(run->watch->world);
    FUZZ_CHECK((id.generation != 0) == (run->status == GRAZE_OK), "id {%u, %u}, status %d",
               (unsigned)id.index, (unsigned)id.generation, (int)run->status);
    if (run->status == GRAZE_OK) {
        note_body(body, id, &def);
    }
}

static void create_spoilt_body(world_run *run)
{
    watch_body *body = find_free_body(run->watch);
    graze_body_def def = draw_body(run);
    spoil_body(run, &def);
    if (!body) {
        return;
    }
    const uint64_t hash = graze_world_hash(run->watch->world);
    const graze_body_id id = graze_body_create(run->watch->world, &def);
    run->status = graze_world_last_status(run->watch->world);
    if (id.generation != 0) {
        note_body(body, id, &def);
    } else {
        FUZZ_CHECK(graze_world_hash(run->watch->world) == hash, "a bad def changes the world");
    }
}

static void create_many_bodies(world_run *run)
{
    graze_body_def defs[4];
    graze_body_id ids[4];
    watch_body *bodies[4];
    const uint32_t count = fuzz_below(&run->bytes, 5);
    const bool spoilt = fuzz_below(&run->bytes, 4) == 3;
    for (uint32_t i = 0; i < count; ++i) {
        defs[i] = draw_body(run);
    }
    if (spoilt && count > 0) {
        spoil_body(run, &defs[count - 1]);
    }
    if (watch_count_bodies(run->watch) + count > WATCH_BODIES) {
        return;
    }
    const uint32_t made = graze_body_create_many(run->watch->world, defs, count, ids);
    run->status = graze_world_last_status(run->watch->world);
    FUZZ_CHECK(made == 0 || made == count, "%u of %u bodies", (unsigned)made, (unsigned)count);
    for (uint32_t i = 0; i < made; ++i) {
        bodies[i] = find_free_body(run->watch);
        note_body(bodies[i], ids[i], &defs[i]);
    }
}

// A call that names a body: refused just when it is not there.
static void expect_status(world_run *run, const watch_body *body, graze_status status)
{
    run->status = status;
    const bool stale = status == GRAZE_ERROR_STALE_ID;
    FUZZ_CHECK(status == GRAZE_ERROR_OUT_OF_MEMORY || stale == !body->there, "status %d",
               (int)status);
}

// What the last step removed may be destroyed once more.
static void destroy_body(world_run *run)
{
    watch_body *body = draw_known_body(run);
    const graze_status status = graze_body_destroy(run->watch->world, body->id);
    if (body->there || status != GRAZE_OK) {
        expect_status(run, body, status);
        body->there = body->there && status != GRAZE_OK;
    }
}

static void set_place(world_run *run)
{
    const watch_body *body = draw_known_body(run);
    const graze_vec2 place = fuzz_place(&run->bytes, &run->ground, PLACE_REACH);
    const bool is_finite = isfinite(place.x) && isfinite(place.y);
    if (is_finite) {
        expect_status(run, body, graze_body_set_position(run->watch->world, body->id, place));
    }
}

static void set_velocity(world_run *run)
{
    const watch_body *body = draw_known_body(run);
    const graze_vec2 velocity = draw_velocity(run);
    expect_status(run, body, graze_body_set_velocity(run->watch->world, body->id, velocity));
}

static graze_status set_motion(world_run *run, graze_body_id body, uint32_t choice, float value)
{
    graze_world *world = run->watch->world;
    const graze_surface surface = {2 * value, value, value, 4 * value - 2};
    switch (choice % 6) {
    case 0:
        return graze_body_set_inertia(world, body, value);
    case 1:
        return graze_body_set_damping(world, body, value);
    case 2:
        return graze_body_set_spin_damping(world, body, value);
    case 3:
        return graze_body_set_gravity_scale(world, body, 4 * value - 1);
    case 4:
        return graze_body_set_never_sleeps(world, body, value > 0);
    default:
        return graze_body_set_surface(world, body, surface);
    }
}

static graze_status set_share(world_run *run, graze_body_id body, uint32_t field, float value)
{
    graze_world *world = run->watch->world;
    return field == 0   ? graze_body_set_mass(world, body, 4 * value)
           : field == 1 ? graze_body_set_restitution(world, body, value)
           : field == 2 ? graze_body_set_friction(world, body, value)
                        : graze_body_set_lifetime(world, body, 2 * value);
}

static void set_what_it_is(world_run *run, watch_body *body, uint32_t field, uint32_t value)
{
    graze_world *world = run->watch->world;
    switch (field) {
    case 4:
        expect_status(run, body, graze_body_set_hit_limit(world, body->id, value % 4));
        break;
    case 5:
        expect_status(run, body, graze_body_set_sensor(world, body->id, value % 2));
        body->sensor = run->status == GRAZE_OK ? value % 2 : body->sensor;
        break;
    case 6:
        expect_status(run, body, graze_body_set_shape(world, body->id, draw_shape(run)));
        break;
    default:
        expect_status(run, body, set_share(run, body->id, field, (float)(value % 5) * 0.25f));
        break;
    }
}

static void set_surface(world_run *run, uint32_t segment, float value)
{
    const watch_chain *chain = &run->watch->chains[fuzz_below(&run->bytes, WATCH_CHAINS)];
    const graze_surface surface = {2 * value, value, value, -value};
    run->status = graze_chain_set_surface(run->watch->world, chain->id,
                                          segment == 3 ? GRAZE_ALL_SEGMENTS : segment, surface);
    FUZZ_CHECK((run->status == GRAZE_ERROR_STALE_ID) == !chain->there, "status %d",
               (int)run->status);
}

enum { OTHERS = 5, FIRST_OF_WHAT_IT_IS = 128, FIRST_OF_MOTION = 212, FIRST_OF_SURFACES = 248 };

static void set_other(world_run *run)
{
    watch_body *body = draw_known_body(run);
    graze_world *world = run->watch->world;
    const uint32_t choice = fuzz_byte(&run->bytes);
    const uint32_t value = fuzz_byte(&run->bytes);
    if (choice >= FIRST_OF_SURFACES) {
        set_surface(run, value % 4, (float)(value % 5) * 0.25f);
        return;
    }
    if (choice >= FIRST_OF_MOTION) {
        expect_status(run, body, set_motion(run, body->id, choice, (float)(value % 5) * 0.25f));
        return;
    }
    if (choice >= FIRST_OF_WHAT_IT_IS) {
        set_what_it_is(run, body, (choice - FIRST_OF_WHAT_IT_IS) % 7, value);
        return;
    }
    switch (choice % OTHERS) {
    case 0:
        expect_status(run, body, graze_body_set_angle(world, body->id, (float)value * 0.25f));
        break;
    case 1:
        expect_status(run, body, graze_body_set_spin(world, body->id, (float)value * 0.25f));
        break;
    case 2:
        expect_status(run, body,
                      graze_body_set_response(world, body->id, (graze_response)(value % 5)));
        break;
    case 3:
        expect_status(run, body, graze_body_set_user_data(world, body->id, value));
        break;
    default:
        expect_status(run, body,
                      graze_body_set_filter(world, body->id, world_draw_filter(&run->bytes)));
        break;
    }
}

static void set_gravity(world_run *run)
{
    const graze_vec2 gravity = {0, fuzz_below(&run->bytes, 2) ? -8.0f : 0.0f};
    run->status = graze_world_set_gravity(run->watch->world, gravity);
    FUZZ_CHECK(run->status == GRAZE_OK, "status %d", (int)run->status);
}

static void set_nonsense(world_run *run)
{
    const watch_body *body = draw_known_body(run);
    graze_world *world = run->watch->world;
    const uint64_t hash = graze_world_hash(world);
    const graze_vec2 bad = {0, NAN};
    const graze_status statuses[] = {
        graze_body_set_position(world, body->id, bad),
        graze_body_set_velocity(world, body->id, bad),
        graze_body_set_angle(world, body->id, INFINITY),
        graze_body_set_spin(world, body->id, -INFINITY),
        graze_body_set_response(world, body->id, (graze_response)7),
        graze_body_set_mass(world, body->id, -1),
        graze_body_set_restitution(world, body->id, 1.5f),
        graze_body_set_friction(world, body->id, NAN),
        graze_body_set_surface(world, body->id, (graze_surface){0, 0, 0, INFINITY}),
        graze_body_set_inertia(world, body->id, -1),
        graze_body_set_damping(world, body->id, -1),
        graze_body_set_spin_damping(world, body->id, NAN),
        graze_body_set_gravity_scale(world, body->id, INFINITY),
        graze_body_set_lifetime(world, body->id, INFINITY),
        graze_body_apply_impulse(world, body->id, bad, bad),
        graze_body_apply_spin_impulse(world, body->id, NAN),
        graze_world_explode(world, bad, 1, 1, graze_filter_default()),
        graze_body_set_shape(world, body->id, graze_shape_rect(1, 0)),
        graze_world_step(world, 0),
        graze_world_step(world, NAN),
        graze_world_set_gravity(world, bad),
        graze_world_set_substeps(world, 0),
        graze_chain_set_surface(world, run->watch->chains[0].id, 99, graze_surface_default()),
        graze_chain_destroy(world, run->watch->chains[0].there ? (graze_chain_id){77, 1}
                                                               : run->watch->chains[0].id),
    };
    for (uint32_t i = 0; i < sizeof statuses / sizeof *statuses; ++i) {
        FUZZ_CHECK(statuses[i] == GRAZE_ERROR_ARGUMENT || statuses[i] == GRAZE_ERROR_STALE_ID,
                   "nonsense %u has status %d", (unsigned)i, (int)statuses[i]);
    }
    FUZZ_CHECK(graze_world_hash(world) == hash, "nonsense changes the world");
}

// --- Chains ---

// Keeps what is far away from the place that is_inside() counts from.
static float limit(float value)
{
    const float most = 1e37f;
    return value > most ? most : value < -most ? -most : value;
}

static graze_vec2 draw_point(world_run *run)
{
    const graze_vec2 place = fuzz_place(&run->bytes, &run->ground, PLACE_REACH);
    const graze_vec2 point = {limit(place.x), limit(place.y)};
    return point;
}

static void create_chain(world_run *run)
{
    watch_chain *chain = &run->watch->chains[fuzz_below(&run->bytes, WATCH_CHAINS)];
    watch_chain made = {.there = true, .def = graze_chain_def_default()};
    const uint32_t manner = fuzz_byte(&run->bytes);
    made.def.loop = (manner & 3) != 0;
    made.def.one_sided = (manner & 28) == 28;
    made.def.sensor = (manner & 224) == 224;
    made.def.count = 2 + fuzz_below(&run->bytes, WATCH_POINTS - 1);
    if (manner & 32) {
        made.def.filter = world_draw_filter(&run->bytes);
        made.def.user_data = fuzz_below(&run->bytes, 5);
    }
    for (uint32_t i = 0; i < made.def.count; ++i) {
        made.points[i] = draw_point(run);
    }
    if (chain->there) {
        return;
    }
    made.def.points = made.points;
    made.id = graze_chain_create(run->watch->world, &made.def);
    run->status = graze_world_last_status(run->watch->world);
    made.def.points = NULL;
    if (made.id.generation != 0) {
        *chain = made;
    }
}

// Four walls around where things are.
static void create_room(world_run *run)
{
    watch_chain *chain = &run->watch->chains[fuzz_below(&run->bytes, WATCH_CHAINS)];
    const graze_vec2 low = draw_point(run);
    const graze_vec2 high = draw_point(run);
    watch_chain made = {.there = true, .def = graze_chain_def_default()};
    const graze_vec2 points[4] = {low, {high.x, low.y}, high, {low.x, high.y}};
    for (uint32_t i = 0; i < 4; ++i) {
        made.points[i] = points[i];
    }
    if (chain->there) {
        return;
    }
    made.def.loop = true;
    made.def.count = 4;
    made.def.points = made.points;
    made.id = graze_chain_create(run->watch->world, &made.def);
    run->status = graze_world_last_status(run->watch->world);
    made.def.points = NULL;
    if (made.id.generation != 0) {
        *chain = made;
    }
}

static void destroy_chain(world_run *run)
{
    watch_chain *chain = &run->watch->chains[fuzz_below(&run->bytes, WATCH_CHAINS)];
    run->status = graze_chain_destroy(run->watch->world, chain->id);
    FUZZ_CHECK(run->status == GRAZE_ERROR_OUT_OF_MEMORY ||
                   (run->status == GRAZE_OK) == chain->there,
               "status %d", (int)run->status);
    chain->there = chain->there && run->status != GRAZE_OK;
}

void world_call(world_run *run)
{
    static void (*const calls[])(world_run *) = {
        create_body,  create_body,   set_gravity,        create_chain,       create_room,
        destroy_body, destroy_chain, create_spoilt_body, create_many_bodies, set_place,
        set_velocity, set_velocity,  set_other,          set_nonsense,       world_save_and_load,
    };
    calls[fuzz_below(&run->bytes, sizeof calls / sizeof *calls)](run);
}
