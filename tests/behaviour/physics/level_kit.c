#include "level_kit.h"

const char *const level_names[LEVEL_KINDS + 1] = {"chain",           "loop",  "tiles",      "rects",
                                                  "one-sided chain", "mixed", "one segment"};

graze_vec2 level_point(const level_frame *frame, double u, double v)
{
    const graze_vec2 point = {(float)(frame->x + u * frame->along_x + v * frame->out_x),
                              (float)(frame->y + u * frame->along_y + v * frame->out_y)};
    return point;
}

double level_u(const level_frame *frame, graze_vec2 place)
{
    return ((double)place.x - frame->x) * frame->along_x +
           ((double)place.y - frame->y) * frame->along_y;
}

double level_v(const level_frame *frame, graze_vec2 place)
{
    return ((double)place.x - frame->x) * frame->out_x +
           ((double)place.y - frame->y) * frame->out_y;
}

static level_piece *add_piece(level *of, uint32_t count)
{
    assert_true(of->piece_count < LEVEL_PIECES && of->point_count + count <= LEVEL_POINTS);
    level_piece *piece = &of->pieces[of->piece_count++];
    const level_piece plain = {.first = of->point_count, .count = count};
    *piece = plain;
    of->point_count += count;
    return piece;
}

// What is one-sided has v on its left. The rest runs as the level does.
static bool runs_back(const level *of, const level_frame *frame, bool one_sided)
{
    const bool turned = frame->along_x * frame->out_y - frame->along_y * frame->out_x < 0;
    return one_sided ? turned : of->backwards;
}

void level_add_line(level *of, const level_frame *frame, const double (*points)[2], uint32_t count,
                    bool loop, bool one_sided)
{
    level_piece *piece = add_piece(of, count);
    piece->loop = loop;
    piece->one_sided = one_sided;
    const bool back = runs_back(of, frame, one_sided);
    for (uint32_t i = 0; i < count; ++i) {
        const double *uv = points[back ? count - 1 - i : i];
        of->points[piece->first + i] = level_point(frame, uv[0], uv[1]);
    }
}

void level_add_rect(level *of, const level_frame *frame, double u0, double v0, double u1, double v1)
{
    level_piece *piece = add_piece(of, 2);
    piece->rect = true;
    const double half_u = fabs(u1 - u0) / 2, half_v = fabs(v1 - v0) / 2;
    const bool upright = frame->along_x != 0;
    const graze_vec2 half = {(float)(upright ? half_u : half_v),
                             (float)(upright ? half_v : half_u)};
    of->points[piece->first] = level_point(frame, (u0 + u1) / 2, (v0 + v1) / 2);
    of->points[piece->first + 1] = half;
}

// --- Ways ---

static double height_at(const level_way *way, uint32_t joint)
{
    return way->heights ? way->heights[joint] : way->height;
}

static double joint_at(const level_way *way, uint32_t joint)
{
    return way->first + joint * way->length;
}

static void add_profile(level *of, const level_frame *frame, const level_way *way)
{
    enum { DEEP = 3 }; // Of a loop, below its lowest joint.
    double points[LEVEL_LONGEST + 3][2], lowest = way->height;
    uint32_t count = 0;
    for (uint32_t i = 0; i <= way->count; ++i) {
        points[count][0] = joint_at(way, i);
        points[count++][1] = height_at(way, i);
        lowest = fmin(lowest, height_at(way, i));
    }
    if (way->kind == LEVEL_LOOP) {
        points[count][0] = joint_at(way, way->count);
        points[count++][1] = lowest - DEEP;
        points[count][0] = way->first;
        points[count++][1] = lowest - DEEP;
    }
    level_add_line(of, frame, (const double(*)[2])points, count, way->kind == LEVEL_LOOP,
                   way->kind == LEVEL_ONE_SIDED);
}

static void add_tile(level *of, const level_frame *frame, const level_way *way, uint32_t i,
                     double deep)
{
    const double a = joint_at(way, i), b = joint_at(way, i + 1);
    const double low = fmin(height_at(way, i), height_at(way, i + 1)) - deep;
    const double points[4][2] = {
        {a, height_at(way, i)}, {b, height_at(way, i + 1)}, {b, low}, {a, low}};
    level_add_line(of, frame, points, 4, true, false);
}

// Where the way leans there is a triangle on a square.
static void add_plain_tile(level *of, const level_frame *frame, const level_way *way, uint32_t i)
{
    const double a = joint_at(way, i), b = joint_at(way, i + 1);
    const double left = height_at(way, i), right = height_at(way, i + 1), low = fmin(left, right);
    if (left != right) {
        const double corners[3][2] = {{a, left}, {b, right}, {left < right ? b : a, low}};
        level_add_line(of, frame, corners, 3, true, false);
    }
    const double square[4][2] = {
        {a, low}, {b, low}, {b, low - way->length}, {a, low - way->length}};
    level_add_line(of, frame, square, 4, true, false);
}

static void add_step_of_way(level *of, const level_frame *frame, const level_way *way, uint32_t i)
{
    const double a = joint_at(way, i), b = joint_at(way, i + 1);
    const double left = height_at(way, i), right = height_at(way, i + 1);
    const uint32_t mix = (7 * i + 3) % 4;
    const bool wants_rect = way->kind == LEVEL_RECTS || (way->kind == LEVEL_MIXED && mix == 0);
    if (wants_rect && left == right) {
        level_add_rect(of, frame, a, left - way->length, b, left);
    } else if (way->kind == LEVEL_MIXED && mix == 3) {
        const double points[2][2] = {{a, left}, {b, right}};
        level_add_line(of, frame, points, 2, false, false);
    } else if (way->kind == LEVEL_MIXED && mix == 2) {
        add_tile(of, frame, way, i, 2 * way->length);
    } else {
        add_plain_tile(of, frame, way, i);
    }
}

void level_add_way(level *of, const level_frame *frame, const level_way *way)
{
    if (way->kind == LEVEL_WHOLE) {
        const double points[2][2] = {{way->first, way->height},
                                     {joint_at(way, way->count), way->height}};
        level_add_line(of, frame, points, 2, false, false);
    } else if (way->kind == LEVEL_CHAIN || way->kind == LEVEL_LOOP ||
               way->kind == LEVEL_ONE_SIDED) {
        add_profile(of, frame, way);
    } else {
        for (uint32_t i = 0; i < way->count; ++i) {
            add_step_of_way(of, frame, way, i);
        }
    }
}

// --- Worlds ---

static void create_piece(const level *of, const level_piece *piece, graze_world *world)
{
    const graze_vec2 *points = &of->points[piece->first];
    if (piece->rect) {
        graze_body_def def = physics_block(0, 0, (double)points[1].x, (double)points[1].y);
        def.position = points[0];
        kit_add(world, def);
        return;
    }
    graze_chain_def def = graze_chain_def_default();
    def.points = points;
    def.count = piece->count;
    def.loop = piece->loop;
    def.one_sided = piece->one_sided;
    def.surface = physics_surface(0.6, 0);
    assert_true(graze_chain_is_valid(world, graze_chain_create(world, &def)));
}

void level_create(const level *of, graze_world *world)
{
    for (uint32_t i = 0; i < of->piece_count; ++i) {
        create_piece(of, &of->pieces[of->backwards ? of->piece_count - 1 - i : i], world);
    }
}

static bool crosses(graze_vec2 from, graze_vec2 to, graze_vec2 a, graze_vec2 b)
{
    const bool apart =
        fmaxf(a.x, b.x) < fminf(from.x, to.x) || fminf(a.x, b.x) > fmaxf(from.x, to.x) ||
        fmaxf(a.y, b.y) < fminf(from.y, to.y) || fminf(a.y, b.y) > fmaxf(from.y, to.y);
    const graze_segment wall = {a, b};
    return !apart && graze_crosses(from, to, wall);
}

static bool crosses_rect(graze_vec2 from, graze_vec2 to, graze_vec2 at, graze_vec2 half)
{
    const graze_vec2 corners[4] = {{at.x - half.x, at.y - half.y},
                                   {at.x + half.x, at.y - half.y},
                                   {at.x + half.x, at.y + half.y},
                                   {at.x - half.x, at.y + half.y}};
    for (int i = 0; i < 4; ++i) {
        if (crosses(from, to, corners[i], corners[(i + 1) % 4])) {
            return true;
        }
    }
    return false;
}

bool level_is_crossed(const level *of, graze_vec2 from, graze_vec2 to)
{
    for (uint32_t k = 0; k < of->piece_count; ++k) {
        const level_piece *piece = &of->pieces[k];
        const graze_vec2 *points = &of->points[piece->first];
        if (piece->rect && crosses_rect(from, to, points[0], points[1])) {
            return true;
        }
        for (uint32_t i = 0; !piece->rect && i < piece->count - !piece->loop; ++i) {
            if (crosses(from, to, points[i], points[(i + 1) % piece->count])) {
                return true;
            }
        }
    }
    return false;
}
