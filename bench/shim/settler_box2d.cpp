// Box2D 2.4 with heaps: the iterations that its manual recommends, and defaults for all else,
// except that bodies sleep only if the scene says so. It uses the geometric mean of two frictions.

#include <memory>
#include <vector>

extern "C" {
#include "settler.h"
}

#include <box2d/box2d.h>

namespace
{

constexpr int velocity_iterations = 8;
constexpr int position_iterations = 3;

b2Vec2 to_b2(graze_vec2 v)
{
    return b2Vec2(v.x, v.y);
}

graze_vec2 from_b2(b2Vec2 v)
{
    return graze_vec2{v.x, v.y};
}

struct box2d_heap {
    const heap_scene *heap;
    b2World world;
    std::vector<b2Body *> bodies;

    explicit box2d_heap(const heap_scene *from)
        : heap(from), world(b2Vec2(0.0f, from->bounces ? 0.0f : -HEAP_GRAVITY))
    {
        world.SetAllowSleeping(from->sleeps);
    }
};

void add_fixture(const box2d_heap &made, b2Body *body, const b2Shape &shape)
{
    b2FixtureDef def;
    def.shape = &shape;
    def.density = 1.0f;
    def.friction = made.heap->has_friction ? HEAP_FRICTION : 0.0f;
    def.restitution = made.heap->bounces && !made.heap->lands ? 1.0f : 0.0f;
    def.filter.categoryBits = body->GetType() == b2_dynamicBody ? SETTLER_BODY : SETTLER_TERRAIN;
    def.filter.maskBits = body->GetType() == b2_dynamicBody ? 0xffff : SETTLER_BODY;
    body->CreateFixture(&def);
}

/// All that do not turn have the same mass.
void add_body(box2d_heap &made, const scene_body &from)
{
    b2BodyDef def;
    def.type = b2_dynamicBody;
    def.position = to_b2(from.position);
    def.linearVelocity = to_b2(from.velocity);
    def.angle = from.angle;
    def.fixedRotation = !made.heap->turns;
    b2Body *body = made.world.CreateBody(&def);
    if (from.kind == SCENE_RECT) {
        b2PolygonShape box;
        box.SetAsBox(from.half.x, from.half.y);
        add_fixture(made, body, box);
    } else {
        b2CircleShape circle;
        circle.m_radius = from.half.x;
        add_fixture(made, body, circle);
    }
    if (!made.heap->turns) {
        b2MassData mass = {1.0f, b2Vec2(0.0f, 0.0f), 1.0f};
        body->SetMassData(&mass);
    }
    made.bodies.push_back(body);
}

void add_terrain(box2d_heap &made)
{
    const scene &place = made.heap->place;
    b2BodyDef def;
    b2Body *ground = made.world.CreateBody(&def);
    for (uint32_t i = 1; i < place.point_count; ++i) {
        b2EdgeShape edge;
        edge.SetTwoSided(to_b2(place.points[i - 1]), to_b2(place.points[i]));
        add_fixture(made, ground, edge);
    }
}

/// The walls of a drum are one body.
void add_drum(box2d_heap &made)
{
    const scene &place = made.heap->place;
    b2BodyDef def;
    def.type = b2_kinematicBody;
    def.angularVelocity = made.heap->drum_spin;
    b2Body *drum = made.world.CreateBody(&def);
    for (uint32_t i = place.body_count - made.heap->drum_count; i < place.body_count; ++i) {
        const scene_body &from = place.bodies[i];
        b2PolygonShape box;
        box.SetAsBox(from.half.x, from.half.y, to_b2(from.position), from.angle);
        add_fixture(made, drum, box);
        made.bodies.push_back(drum);
    }
}

void *make_world(const heap_scene *heap)
{
    auto made = std::make_unique<box2d_heap>(heap);
    for (uint32_t i = 0; i < heap->place.body_count - heap->drum_count; ++i) {
        add_body(*made, heap->place.bodies[i]);
    }
    if (heap->drum_count) {
        add_drum(*made);
    }
    add_terrain(*made);
    return made.release();
}

void destroy_world(void *world)
{
    delete static_cast<box2d_heap *>(world);
}

void step_world(void *world)
{
    static_cast<box2d_heap *>(world)->world.Step(SCENE_STEP, velocity_iterations,
                                                 position_iterations);
}

void read_bodies(const void *world, scene_body *bodies)
{
    const box2d_heap &made = *static_cast<const box2d_heap *>(world);
    uint32_t next = 0;
    for (const b2Body *body : made.bodies) {
        bodies[next] = made.heap->place.bodies[next];
        bodies[next].position = from_b2(body->GetPosition());
        bodies[next].velocity = from_b2(body->GetLinearVelocity());
        bodies[next].angle = body->GetAngle();
        ++next;
    }
}

} // namespace

extern "C" const settler settler_box2d = {
    "box2d", make_world, destroy_world, step_world, read_bodies, nullptr,
};
