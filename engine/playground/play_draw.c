// What a page draws: how bodies look, marks over them, and the terrain as triangles and lines.

#include "play_scene.h"

#include <stdlib.h>
#include <string.h>

enum { FLASH_STEPS = 24, RING_PARTS = 28, BODY_COLORS = 6 };

static const uint32_t colors[PLAY_TINT_COUNT] = {0,        0x35C9FF, 0xFF4D9D, 0xFFB02E, 0x7CF29C,
                                                 0xA98BFF, 0xFF6B45, 0xEFE6D2, 0x7C8798, 0xFFFFFF};

/// A list that grows.
typedef struct play_list {
    void *data;
    uint32_t count, capacity; ///< Elements.
} play_list;

struct play_drawing {
    play_frame frame;
    play_list solids, rays; ///< Columns.
    play_list looks;        ///< By index.
    play_list generations;  ///< Of whom each of them is; 0 if it is of none.
    play_list islands;      ///< By index: another body of the same island, or itself.
    play_list marks;
    play_list triangles; ///< Points.
    play_list rims;
    uint32_t version; ///< Of the terrain that was collected.
    bool has_failed;  ///< Memory ran out.
};

play_drawing *play_drawing_create(void)
{
    return calloc(1, sizeof(play_drawing));
}

void play_drawing_destroy(play_drawing *drawing)
{
    if (drawing) {
        free(drawing->solids.data);
        free(drawing->rays.data);
        free(drawing->looks.data);
        free(drawing->generations.data);
        free(drawing->islands.data);
        free(drawing->marks.data);
        free(drawing->triangles.data);
        free(drawing->rims.data);
        free(drawing);
    }
}

void play_drawing_forget(play_drawing *drawing)
{
    if (drawing->generations.data) {
        memset(drawing->generations.data, 0, drawing->generations.count * sizeof(uint32_t));
    }
}

// Makes room for `count` elements in all; what is new is zero.
static bool reserve(play_drawing *drawing, play_list *list, uint32_t count, size_t size)
{
    if (count <= list->capacity) {
        return true;
    }
    const uint32_t capacity = count + count / 2 + 64;
    void *data = realloc(list->data, capacity * size);
    if (!data) {
        drawing->has_failed = true;
        return false;
    }
    memset((char *)data + list->capacity * size, 0, (capacity - list->capacity) * size);
    list->data = data;
    list->capacity = capacity;
    return true;
}

static void append(play_drawing *drawing, play_list *list, const void *element, size_t size)
{
    if (reserve(drawing, list, list->count + 1, size)) {
        memcpy((char *)list->data + list->count * size, element, size);
        ++list->count;
    }
}

static void add_mark(play_drawing *drawing, graze_vec2 a, graze_vec2 b, uint32_t color, float width,
                     float glow)
{
    const play_mark mark = {a, b, color, width, glow, 0};
    append(drawing, &drawing->marks, &mark, sizeof mark);
}

// --- bodies ---

uint32_t play_color(const play *game, graze_body_id body)
{
    const uint32_t tint = (uint32_t)graze_body_user_data(game->world, body) & 255;
    return colors[tint && tint < PLAY_TINT_COUNT ? tint
                                                 : PLAY_TINT_BLUE + body.index % BODY_COLORS];
}

static play_look look_at(const play *game, graze_body_id body)
{
    const graze_shape shape = graze_body_shape(game->world, body);
    const bool is_circle = shape.kind == GRAZE_SHAPE_CIRCLE;
    play_look look = {shape.half.x, shape.half.y, play_color(game, body), (uint32_t)shape.kind};
    if (is_circle) {
        look.half_x = look.half_y = shape.radius;
    }
    if (graze_body_is_sensor(game->world, body)) {
        look.kind |= PLAY_LOOK_SENSOR;
    }
    if (is_circle && graze_body_response(game->world, body) == GRAZE_RIGID) {
        look.kind |= PLAY_LOOK_SPOKE;
    }
    return look;
}

// A body's look stays as it is, but for its sleep: bullets, which are many, never sleep.
static void update_look(play *game, uint32_t index, bool shows_sleep)
{
    play_look *look = (play_look *)game->drawing->looks.data + index;
    uint32_t *generation = (uint32_t *)game->drawing->generations.data + index;
    const graze_body_id body = graze_world_body_at(game->world, index);
    if (*generation != body.generation) {
        *generation = body.generation;
        *look = look_at(game, body);
    }
    if ((look->kind & 3) != GRAZE_SHAPE_RAY) {
        const bool is_pale = shows_sleep && graze_body_is_asleep(game->world, body);
        look->kind = is_pale ? look->kind | PLAY_LOOK_PALE : look->kind & ~(uint32_t)PLAY_LOOK_PALE;
        look->color = play_color(game, body);
    }
}

static uint32_t find_end_of_indices(const uint32_t *indices, uint32_t count)
{
    uint32_t end = 0;
    for (uint32_t i = 0; i < count; ++i) {
        end = indices[i] >= end ? indices[i] + 1 : end;
    }
    return end;
}

static void collect_columns(play_drawing *drawing)
{
    play_frame *frame = &drawing->frame;
    const play_look *looks = drawing->looks.data;
    drawing->solids.count = drawing->rays.count = 0;
    for (uint32_t i = 0; i < frame->body_count; ++i) {
        const bool is_ray = (looks[frame->indices[i]].kind & 3) == GRAZE_SHAPE_RAY;
        append(drawing, is_ray ? &drawing->rays : &drawing->solids, &i, sizeof i);
    }
    frame->solids = drawing->solids.data;
    frame->solid_count = drawing->solids.count;
    frame->rays = drawing->rays.data;
    frame->ray_count = drawing->rays.count;
}

static void collect_bodies(play *game, uint32_t shown)
{
    play_drawing *drawing = game->drawing;
    play_frame *frame = &drawing->frame;
    frame->positions = graze_world_positions(game->world, &frame->body_count);
    frame->velocities = graze_world_velocities(game->world, NULL);
    frame->angles = graze_world_angles(game->world, NULL);
    frame->indices = graze_world_indices(game->world, NULL);
    const uint32_t end = find_end_of_indices(frame->indices, frame->body_count);
    if (!reserve(drawing, &drawing->looks, end, sizeof(play_look)) ||
        !reserve(drawing, &drawing->generations, end, sizeof(uint32_t))) {
        frame->body_count = 0;
        return;
    }
    drawing->generations.count = drawing->generations.capacity;
    for (uint32_t i = 0; i < frame->body_count; ++i) {
        update_look(game, frame->indices[i], shown & PLAY_SHOW_SLEEP);
    }
    frame->looks = drawing->looks.data;
    frame->look_count = end;
    collect_columns(drawing);
}

// --- islands: who touches whom, by the contacts ---

static uint32_t find_root(uint32_t *islands, uint32_t index)
{
    while (islands[index] != index) {
        islands[index] = islands[islands[index]];
        index = islands[index];
    }
    return index;
}

static bool moves(const play *game, graze_body_id body)
{
    return body.generation && graze_body_mass(game->world, body) > 0 &&
           graze_body_shape(game->world, body).kind != GRAZE_SHAPE_RAY &&
           !graze_body_is_sensor(game->world, body);
}

static void color_islands(play *game)
{
    play_drawing *drawing = game->drawing;
    const uint32_t end = drawing->frame.look_count;
    if (!reserve(drawing, &drawing->islands, end, sizeof(uint32_t))) {
        return;
    }
    uint32_t *islands = drawing->islands.data;
    for (uint32_t i = 0; i < end; ++i) {
        islands[i] = i;
    }
    const graze_contact_list contacts = graze_world_contacts(game->world);
    for (uint32_t i = 0; i < contacts.count; ++i) {
        const graze_contact *contact = &contacts.data[i];
        if (moves(game, contact->a) && moves(game, contact->b)) {
            const uint32_t a = find_root(islands, contact->a.index);
            const uint32_t b = find_root(islands, contact->b.index);
            islands[a > b ? a : b] = a < b ? a : b;
        }
    }
    play_look *looks = drawing->looks.data;
    for (uint32_t i = 0; i < drawing->frame.body_count; ++i) {
        const uint32_t index = drawing->frame.indices[i];
        if (moves(game, graze_world_body_at(game->world, index))) {
            const uint32_t root = find_root(islands, index);
            looks[index].color = colors[PLAY_TINT_BLUE + root * 2654435761u / 7 % BODY_COLORS];
        }
    }
}

// --- marks ---

static bool is_ray(const play *game, graze_body_id body)
{
    return body.generation && graze_body_shape(game->world, body).kind == GRAZE_SHAPE_RAY;
}

// Its length grows with the impulse, up to two units: small ones are seen, too.
static void mark_contact(play *game, const graze_contact *contact)
{
    const float length = 0.15f + 0.9f * contact->impulse / (1 + 0.5f * contact->impulse);
    const bool is_new = contact->phase == GRAZE_CONTACT_BEGIN;
    const graze_vec2 way = graze_vec2_scale(contact->normal, -length);
    add_mark(game->drawing, contact->point, graze_vec2_add(contact->point, way),
             is_new ? 0xFFFFF3C9 : 0xE0FFFFFF, 1.6f, 0);
    add_mark(game->drawing, contact->point, contact->point, is_new ? 0xFFFFD24A : 0xFFFF5A5A, 4.5f,
             0);
}

static void mark_spark(play *game, const graze_contact *contact)
{
    const graze_vec2 way = graze_vec2_scale(contact->normal, -0.35f);
    add_mark(game->drawing, contact->point, graze_vec2_add(contact->point, way), 0xC0FFF3C9, 1.2f,
             4);
}

static void mark_contacts(play *game, uint32_t shown)
{
    const graze_contact_list contacts = graze_world_contacts(game->world);
    for (uint32_t i = 0; i < contacts.count; ++i) {
        const graze_contact *contact = &contacts.data[i];
        if (shown & PLAY_SHOW_CONTACTS) {
            mark_contact(game, contact);
        } else if (contact->phase == GRAZE_CONTACT_BEGIN &&
                   (is_ray(game, contact->a) || is_ray(game, contact->b))) {
            mark_spark(game, contact);
        }
    }
}

static void mark_velocities(play *game)
{
    const play_frame *frame = &game->drawing->frame;
    const play_look *looks = frame->looks;
    for (uint32_t i = 0; i < frame->body_count; ++i) {
        if ((looks[frame->indices[i]].kind & 3) != GRAZE_SHAPE_RAY) {
            const graze_vec2 way = graze_vec2_scale(frame->velocities[i], 0.1f);
            if (graze_vec2_dot(way, way) > 1e-4f) {
                add_mark(game->drawing, frame->positions[i],
                         graze_vec2_add(frame->positions[i], way), 0xD07CF2FF, 1.6f, 0);
            }
        }
    }
}

static void mark_cell(graze_aabb cell, uint32_t bodies, void *user)
{
    play *game = user;
    const graze_vec2 a = cell.lower, b = cell.upper;
    const graze_vec2 corner[] = {a, {b.x, a.y}, b, {a.x, b.y}};
    (void)bodies;
    for (int i = 0; i < 4; ++i) {
        add_mark(game->drawing, corner[i], corner[(i + 1) & 3], 0x607CF2C0, 1, 0);
    }
}

static void mark_ring(play *game, graze_vec2 at, float radius, uint32_t color)
{
    for (int i = 0; i < RING_PARTS; ++i) {
        const float turn = 6.2831853f / RING_PARTS;
        add_mark(game->drawing, graze_vec2_add(at, play_direction(turn * (float)i, radius)),
                 graze_vec2_add(at, play_direction(turn * (float)(i + 1), radius)), color, 2, 6);
    }
}

static void mark_flashes(play *game)
{
    for (uint32_t i = 0; i < game->flash_count && i < PLAY_FLASH_COUNT; ++i) {
        const play_flash *flash = &game->flashes[i];
        const uint32_t age = game->state.step - flash->step;
        if (age < FLASH_STEPS) {
            const float part = (float)(age + 1) / FLASH_STEPS;
            const uint32_t alpha = (uint32_t)(220 * (1 - part));
            mark_ring(game, flash->at, flash->radius * part, alpha << 24 | 0xFFB02E);
        }
    }
}

static void mark_pointer(play *game)
{
    const play_pointer *pointer = &game->pointer;
    if (graze_body_is_valid(game->world, pointer->held)) {
        const graze_rotation turn =
            graze_rotation_from_angle(graze_body_angle(game->world, pointer->held));
        const graze_vec2 arm = {turn.cosine * pointer->grip.x - turn.sine * pointer->grip.y,
                                turn.sine * pointer->grip.x + turn.cosine * pointer->grip.y};
        const graze_vec2 grip =
            graze_vec2_add(graze_body_position(game->world, pointer->held), arm);
        add_mark(game->drawing, grip, pointer->target, 0xC0FFFFFF, 1.6f, 3);
        add_mark(game->drawing, grip, grip, 0xFFFFFFFF, 6, 4);
    }
}

// The hero of the platformer looks where it goes.
static void mark_eyes(play *game)
{
    const graze_vec2 at = graze_body_position(game->world, game->state.hero.body);
    const float ahead = game->state.hero.looks_left ? -1.0f : 1.0f;
    for (int i = 0; i < 2; ++i) {
        const graze_vec2 eye = {at.x + ahead * (0.02f + 0.24f * (float)i), at.y + 0.36f};
        const graze_vec2 lower = {eye.x, eye.y - 0.14f};
        add_mark(game->drawing, eye, lower, 0xFFFFFFFF, 3.2f, 0);
    }
}

static void collect_marks(play *game, uint32_t shown)
{
    play_drawing *drawing = game->drawing;
    drawing->marks.count = 0;
    if (shown & PLAY_SHOW_CELLS) {
        const graze_painter painter = {.cell = mark_cell, .user = game};
        graze_debug_draw(game->world, &painter);
    }
    if (shown & (PLAY_SHOW_CONTACTS | PLAY_SHOW_SPARKS)) {
        mark_contacts(game, shown);
    }
    if (shown & PLAY_SHOW_VELOCITIES) {
        mark_velocities(game);
    }
    if (game->scene->has_hero) {
        mark_eyes(game);
    }
    mark_flashes(game);
    mark_pointer(game);
    drawing->frame.marks = drawing->marks.data;
    drawing->frame.mark_count = drawing->marks.count;
}

// --- terrain ---

static void add_triangle(play_drawing *drawing, graze_vec2 a, graze_vec2 b, graze_vec2 c)
{
    append(drawing, &drawing->triangles, &a, sizeof a);
    append(drawing, &drawing->triangles, &b, sizeof b);
    append(drawing, &drawing->triangles, &c, sizeof c);
}

// A fan: where its triangles overlap an even number of times is outside.
static void fill_loop(play_drawing *drawing, const graze_chain_def *def)
{
    for (uint32_t i = 1; i + 1 < def->count; ++i) {
        add_triangle(drawing, def->points[0], def->points[i], def->points[i + 1]);
    }
}

static void collect_segment(graze_segment segment, graze_segment_id id, void *user)
{
    play *game = user;
    append(game->drawing, &game->drawing->rims, &segment, sizeof segment);
    if (id.index == 0) {
        const graze_chain_def def = graze_chain_get_def(game->world, id.chain);
        if (def.user_data == PLAY_SOLID) {
            fill_loop(game->drawing, &def);
        }
    }
}

static void fill_polygon(const graze_vec2 *points, uint32_t count, void *user)
{
    play_drawing *drawing = user;
    for (uint32_t i = 1; i + 1 < count; ++i) {
        add_triangle(drawing, points[0], points[i], points[i + 1]);
    }
}

static void collect_terrain(play *game)
{
    play_drawing *drawing = game->drawing;
    play_frame *frame = &drawing->frame;
    if (drawing->version != game->terrain_version) {
        drawing->version = game->terrain_version;
        drawing->triangles.count = drawing->rims.count = 0;
        const graze_painter painter = {.segment = collect_segment, .user = game};
        graze_debug_draw(game->world, &painter);
        if (game->scene->fill) {
            game->scene->fill(game, fill_polygon, drawing);
        }
    }
    frame->terrain_version = game->terrain_version;
    frame->triangles = drawing->triangles.data;
    frame->corner_count = drawing->triangles.count;
    frame->rims = drawing->rims.data;
    frame->rim_count = drawing->rims.count;
    frame->is_room = game->scene->is_room;
}

const play_frame *play_draw(play *game, uint32_t shown)
{
    game->drawing->has_failed = false;
    collect_bodies(game, shown);
    if (shown & PLAY_SHOW_ISLANDS) {
        color_islands(game);
    }
    collect_marks(game, shown);
    collect_terrain(game);
    return game->drawing->has_failed ? NULL : &game->drawing->frame;
}
