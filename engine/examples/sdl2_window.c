// A window of SDL2 that shows a world by debug draw.
//
// Mouse      Left: drag a body, and throw it. Right: shoot a bullet from the left side to there.
// Keyboard   Arrows: which way is down. Space: an explosion in the middle. C: another crate.
//            P: pause. N: one step. R: begin again. Escape: end.
//
// With `--check FILE.bmp` it plays a script of mouse and keyboard for four seconds, saves what is
// drawn, and fails if that is blank or if the drag moved nothing.
#include <graze/graze.h>

#include <SDL.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 960, HEIGHT = 640, CORNERS = 24 };
enum { SCRIPT_FRAMES = 240, GRAB_FRAME = 90, DRAG_FRAMES = 30 };

static const float scale = 40; ///< Pixels a unit; 0, 0 is in the middle of the floor.
static const float step_seconds = 1.0f / 60;

typedef struct game_state {
    graze_world *world;
    SDL_Renderer *renderer;
    graze_body_id dragged; ///< None, if nothing is.
    graze_vec2 mouse;      ///< In the world.
    bool is_paused, ends;
} game_state;

// --- the world ---

static graze_vec2 to_world(int x, int y)
{
    return (graze_vec2){((float)x - WIDTH / 2) / scale, (HEIGHT - 20 - (float)y) / scale};
}

static SDL_FPoint to_screen(graze_vec2 point)
{
    return (SDL_FPoint){WIDTH / 2 + point.x * scale, HEIGHT - 20 - point.y * scale};
}

static graze_body_id add_thing(graze_world *world, graze_shape shape, float x, float y)
{
    graze_body_def def = graze_body_def_default();
    def.shape = shape;
    def.position = (graze_vec2){x, y};
    return graze_body_create(world, &def);
}

static void build_scene(game_state *game)
{
    graze_world_def def = graze_world_def_default();
    def.gravity.y = -10;
    graze_world_destroy(game->world);
    game->world = graze_world_create(&def);
    game->dragged = (graze_body_id){0, 0};
    graze_chain_def pit = graze_chain_def_default();
    pit.points = (graze_vec2[]){{-11, 14}, {-11, 0.5f}, {-10, 0}, {10, 0}, {11, 0.5f}, {11, 14}};
    pit.count = 6;
    graze_chain_create(game->world, &pit);
    for (int row = 0; row < 8; ++row) {
        for (int i = 0; i < 8 - row; ++i) {
            const float x = -3 + (float)i + 0.5f * (float)row;
            add_thing(game->world, graze_shape_rect(0.45f, 0.45f), x, 0.45f + 0.9f * (float)row);
        }
    }
    for (int i = 0; i < 24; ++i) {
        const graze_shape shape = graze_shape_circle(0.25f + 0.05f * (float)(i % 4));
        add_thing(game->world, shape, -9 + (float)(i % 12) * 0.35f, 6 + (float)(i / 12) * 2);
    }
}

static void shoot(game_state *game)
{
    const graze_vec2 from = {-10.5f, 6};
    const graze_vec2 way = graze_vec2_sub(game->mouse, from);
    const float length = graze_vec2_length(way);
    graze_body_def bullet = graze_body_def_default();
    bullet.shape = graze_shape_ray();
    bullet.position = from;
    bullet.velocity = graze_vec2_scale(way, length > 0 ? 120 / length : 0);
    bullet.mass = 0.2f;
    bullet.response = GRAZE_STOP;
    bullet.hit_limit = 1;
    bullet.lifetime = 2;
    graze_body_create(game->world, &bullet);
}

// The body follows the mouse, whatever is in its way: released, it keeps the velocity of that.
static void drag(game_state *game)
{
    if (graze_body_is_valid(game->world, game->dragged)) {
        const graze_vec2 at = graze_body_position(game->world, game->dragged);
        const graze_vec2 way = graze_vec2_sub(game->mouse, at);
        graze_body_set_velocity(game->world, game->dragged, graze_vec2_scale(way, 10));
    }
}

static void step(game_state *game)
{
    drag(game);
    graze_world_step(game->world, step_seconds);
}

// --- input ---

static void press_button(game_state *game, const SDL_MouseButtonEvent *event)
{
    game->mouse = to_world(event->x, event->y);
    if (event->button == SDL_BUTTON_LEFT) {
        const graze_filter filter = graze_filter_default();
        graze_query_nearest(game->world, game->mouse, 0.1f, filter, &game->dragged, 1);
    } else if (event->button == SDL_BUTTON_RIGHT) {
        shoot(game);
    }
}

static void press_key(game_state *game, SDL_Keycode key)
{
    const graze_vec2 middle = {0, 1};
    switch (key) {
    case SDLK_UP:
        graze_world_set_gravity(game->world, (graze_vec2){0, 10});
        break;
    case SDLK_DOWN:
        graze_world_set_gravity(game->world, (graze_vec2){0, -10});
        break;
    case SDLK_LEFT:
        graze_world_set_gravity(game->world, (graze_vec2){-10, 0});
        break;
    case SDLK_RIGHT:
        graze_world_set_gravity(game->world, (graze_vec2){10, 0});
        break;
    case SDLK_SPACE:
        graze_world_explode(game->world, middle, 6, 12, graze_filter_default());
        break;
    case SDLK_c:
        add_thing(game->world, graze_shape_rect(0.5f, 0.5f), 0, 13);
        break;
    case SDLK_p:
        game->is_paused = !game->is_paused;
        break;
    case SDLK_n:
        step(game);
        break;
    case SDLK_r:
        build_scene(game);
        break;
    case SDLK_ESCAPE:
        game->ends = true;
        break;
    default:
        break;
    }
}

static void read_events(game_state *game)
{
    for (SDL_Event event; SDL_PollEvent(&event);) {
        switch (event.type) {
        case SDL_QUIT:
            game->ends = true;
            break;
        case SDL_KEYDOWN:
            press_key(game, event.key.keysym.sym);
            break;
        case SDL_MOUSEBUTTONDOWN:
            press_button(game, &event.button);
            break;
        case SDL_MOUSEBUTTONUP:
            game->dragged = (graze_body_id){0, 0};
            break;
        case SDL_MOUSEMOTION:
            game->mouse = to_world(event.motion.x, event.motion.y);
            break;
        default:
            break;
        }
    }
}

// --- drawing: a painter for graze_debug_draw() ---

static SDL_Color body_color(const game_state *game, graze_body_id body)
{
    static const SDL_Color colors[] = {{232, 130, 60, 255},
                                       {70, 160, 210, 255},
                                       {120, 190, 90, 255},
                                       {225, 190, 70, 255},
                                       {190, 100, 170, 255}};
    SDL_Color color = colors[body.index % 5];
    if (graze_body_is_asleep(game->world, body)) {
        color.r /= 2;
        color.g /= 2;
        color.b /= 2;
    }
    return color;
}

// Fills a convex polygon, and draws its outline and a line from its middle to its first corner.
static void draw_polygon(game_state *game, const SDL_FPoint *corners, int count, SDL_FPoint middle,
                         SDL_Color color)
{
    SDL_Vertex vertices[CORNERS];
    int indices[3 * CORNERS];
    for (int i = 0; i < count; ++i) {
        vertices[i] = (SDL_Vertex){corners[i], color, {0, 0}};
        indices[3 * i] = 0;
        indices[3 * i + 1] = i;
        indices[3 * i + 2] = (i + 1) % count;
    }
    SDL_RenderGeometry(game->renderer, NULL, vertices, count, indices, 3 * count);
    SDL_SetRenderDrawColor(game->renderer, 15, 18, 25, 255);
    SDL_RenderDrawLinesF(game->renderer, corners, count);
    SDL_RenderDrawLineF(game->renderer, corners[count - 1].x, corners[count - 1].y, corners[0].x,
                        corners[0].y);
    SDL_RenderDrawLineF(game->renderer, middle.x, middle.y, corners[0].x, corners[0].y);
}

static void draw_circle(graze_circle circle, graze_body_id body, void *user)
{
    game_state *game = user;
    SDL_FPoint corners[CORNERS];
    for (int i = 0; i < CORNERS; ++i) {
        const float angle = graze_body_angle(game->world, body) + (float)i * 6.2831853f / CORNERS;
        const graze_vec2 rim = {circle.radius * cosf(angle), circle.radius * sinf(angle)};
        corners[i] = to_screen(graze_vec2_add(circle.center, rim));
    }
    draw_polygon(game, corners, CORNERS, to_screen(circle.center), body_color(game, body));
}

static void draw_rect(graze_rect rect, graze_body_id body, void *user)
{
    game_state *game = user;
    graze_vec2 vertices[4];
    SDL_FPoint corners[4];
    graze_rect_get_vertices(rect, vertices);
    for (int i = 0; i < 4; ++i) {
        corners[i] = to_screen(vertices[i]);
    }
    draw_polygon(game, corners, 4, to_screen(rect.center), body_color(game, body));
}

static void draw_ray(graze_ray ray, graze_body_id body, void *user)
{
    game_state *game = user;
    const SDL_FPoint tip = to_screen(ray.origin);
    const SDL_FPoint tail =
        to_screen(graze_vec2_sub(ray.origin, graze_vec2_scale(ray.delta, step_seconds)));
    (void)body;
    SDL_SetRenderDrawColor(game->renderer, 255, 240, 160, 255);
    SDL_RenderDrawLineF(game->renderer, tail.x, tail.y, tip.x, tip.y);
}

static void draw_segment(graze_segment segment, graze_segment_id id, void *user)
{
    game_state *game = user;
    const SDL_FPoint a = to_screen(segment.a), b = to_screen(segment.b);
    (void)id;
    SDL_SetRenderDrawColor(game->renderer, 200, 205, 215, 255);
    SDL_RenderDrawLineF(game->renderer, a.x, a.y, b.x, b.y);
}

// A dot where things touch, the larger the harder they press.
static void draw_contact(const graze_contact *contact, void *user)
{
    game_state *game = user;
    const SDL_FPoint at = to_screen(contact->point);
    const float size = 2 + 4 * sqrtf(fminf(contact->impulse, 4));
    const SDL_FRect dot = {at.x - size / 2, at.y - size / 2, size, size};
    SDL_SetRenderDrawColor(game->renderer, 255, 70, 60, 255);
    SDL_RenderFillRectF(game->renderer, &dot);
}

static void draw(game_state *game)
{
    const graze_painter painter = {.segment = draw_segment,
                                   .circle = draw_circle,
                                   .rect = draw_rect,
                                   .ray = draw_ray,
                                   .contact = draw_contact,
                                   .user = game};
    SDL_SetRenderDrawColor(game->renderer, 24, 28, 38, 255);
    SDL_RenderClear(game->renderer);
    graze_debug_draw(game->world, &painter);
}

// --- the script of --check: what a user would do with mouse and keyboard ---

static void push_mouse(uint32_t type, uint8_t button, graze_vec2 point)
{
    const SDL_FPoint at = to_screen(point);
    SDL_Event event = {.type = type};
    if (type == SDL_MOUSEMOTION) {
        event.motion.x = (int)at.x;
        event.motion.y = (int)at.y;
    } else {
        event.button.button = button;
        event.button.x = (int)at.x;
        event.button.y = (int)at.y;
    }
    SDL_PushEvent(&event);
}

static void push_key(SDL_Keycode key)
{
    SDL_Event event = {.type = SDL_KEYDOWN};
    event.key.keysym.sym = key;
    SDL_PushEvent(&event);
}

// Throws what lies at `from` to the upper right, drops a crate, shoots, and lets the pile explode.
static void play_script(int frame, graze_vec2 from)
{
    const int dragged = frame - GRAB_FRAME;
    const graze_vec2 point = {from.x + 0.2f * (float)dragged, from.y + 0.15f * (float)dragged};
    if (dragged == 0) {
        push_mouse(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_LEFT, from);
    } else if (dragged > 0 && dragged < DRAG_FRAMES) {
        push_mouse(SDL_MOUSEMOTION, 0, point);
    } else if (dragged == DRAG_FRAMES) {
        push_mouse(SDL_MOUSEBUTTONUP, SDL_BUTTON_LEFT, point);
    }
    switch (frame) {
    case SCRIPT_FRAMES - 40:
        push_key(SDLK_c);
        break;
    case SCRIPT_FRAMES - 15:
        push_key(SDLK_SPACE);
        break;
    case SCRIPT_FRAMES - 3:
        push_mouse(SDL_MOUSEBUTTONDOWN, SDL_BUTTON_RIGHT, (graze_vec2){0, 3});
        break;
    default:
        break;
    }
}

// Saves what has been drawn, and returns the share of pixels that are not those of the corner.
static double save_picture(SDL_Renderer *renderer, const char *path)
{
    SDL_Surface *picture =
        SDL_CreateRGBSurfaceWithFormat(0, WIDTH, HEIGHT, 32, SDL_PIXELFORMAT_ARGB8888);
    uint32_t drawn = 0;
    if (picture && SDL_RenderReadPixels(renderer, NULL, SDL_PIXELFORMAT_ARGB8888, picture->pixels,
                                        picture->pitch) == 0) {
        const uint32_t *pixels = picture->pixels;
        for (int i = 0; i < WIDTH * HEIGHT; ++i) {
            drawn += pixels[i] != pixels[0];
        }
        SDL_SaveBMP(picture, path);
    }
    SDL_FreeSurface(picture);
    return drawn / (double)(WIDTH * HEIGHT);
}

// Returns whether the picture is not blank, and the drag moved a body as the script does.
static bool run_check(game_state *game, const char *path)
{
    const graze_vec2 from = {0.5f, 6.75f}; // The top of the pile.
    const graze_filter filter = graze_filter_default();
    graze_body_id crate = {0, 0};
    graze_query_nearest(game->world, from, 0, filter, &crate, 1);
    float moved = 0;
    for (int frame = 0; frame < SCRIPT_FRAMES; ++frame) {
        play_script(frame, from);
        read_events(game);
        step(game);
        draw(game);
        if (frame == GRAB_FRAME + DRAG_FRAMES) {
            const graze_vec2 to = graze_body_position(game->world, crate);
            moved = graze_vec2_length(graze_vec2_sub(to, from));
        }
        if (frame + 1 < SCRIPT_FRAMES) {
            SDL_RenderPresent(game->renderer);
        }
    }
    const double share = save_picture(game->renderer, path);
    printf("a drag moved a crate by %.2f units; %.0f %% of the picture are drawn\n", (double)moved,
           100 * share);
    return moved > 3 && share > 0.05;
}

// --- the window ---

// Steps of fixed length, under frames of any length.
static void run(game_state *game)
{
    float unplayed = 0;
    uint64_t last = SDL_GetPerformanceCounter();
    while (!game->ends) {
        const uint64_t now = SDL_GetPerformanceCounter();
        const float frame = (float)(now - last) / (float)SDL_GetPerformanceFrequency();
        last = now;
        read_events(game);
        unplayed += game->is_paused ? 0 : fminf(frame, 0.1f);
        for (; unplayed >= step_seconds; unplayed -= step_seconds) {
            step(game);
        }
        draw(game);
        SDL_RenderPresent(game->renderer);
    }
}

static int complain(const char *what)
{
    fprintf(stderr, "sdl2_window: %s: %s\n", what, SDL_GetError());
    return 1;
}

int main(int argc, char *argv[])
{
    const bool is_check = argc == 3 && strcmp(argv[1], "--check") == 0;
    if (argc != 1 && !is_check) {
        fprintf(stderr, "Usage: sdl2_window [--check FILE.bmp]\n");
        return 2;
    }
    if (SDL_Init(SDL_INIT_VIDEO) != 0) {
        return complain("no video");
    }
    SDL_Window *window =
        SDL_CreateWindow("Graze", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, WIDTH, HEIGHT, 0);
    const uint32_t pace = is_check ? 0 : SDL_RENDERER_PRESENTVSYNC;
    game_state game = {.renderer = SDL_CreateRenderer(window, -1, pace)};
    if (!game.renderer) {
        return complain("no window");
    }
    bool is_right = true;
    build_scene(&game);
    if (is_check) {
        is_right = run_check(&game, argv[2]);
    } else {
        run(&game);
    }
    graze_world_destroy(game.world);
    SDL_DestroyRenderer(game.renderer);
    SDL_DestroyWindow(window);
    SDL_Quit();
    return is_right ? 0 : 1;
}
