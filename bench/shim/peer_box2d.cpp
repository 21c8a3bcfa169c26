// Box2D 2.4 as a peer, used as well as it can be.
//
// Movers    Dynamic bodies with one solid fixture each. The contact listener counts a contact in
//           PreSolve and disables it: by then the manifold exists, and nothing is solved. (Sensors
//           make no manifold and run a slower general distance test.) No iterations, sleeping, warm
//           starting, or continuous collision.
// Bullets   b2World::RayCast() for each, clipped to the nearest hit so far. A ray that begins
//           inside a circle does not hit that circle, so there are fewer hits in bullets-bodies.
// Moment    Contacts are tested at the bodies' positions before the step. Rects have a skin of
//           b2_polygonRadius.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

extern "C" {
#include "peer_box2d.h"
#include "peer_bullets.h"
}

#include <box2d/box2d.h>

namespace
{

b2Vec2 to_b2(graze_vec2 v)
{
    return b2Vec2(v.x, v.y);
}

graze_vec2 from_b2(b2Vec2 v)
{
    return graze_vec2{v.x, v.y};
}

class contact_counter : public b2ContactListener
{
  public:
    uint64_t count = 0;

    void PreSolve(b2Contact *contact, const b2Manifold *) override
    {
        contact->SetEnabled(false);
        ++count;
    }
};

class nearest_hit : public b2RayCastCallback
{
  public:
    peer_hit hit = {};

    float ReportFixture(b2Fixture *, const b2Vec2 &point, const b2Vec2 &normal,
                        float fraction) override
    {
        hit = {true, fraction, from_b2(point), from_b2(normal)};
        return fraction;
    }
};

struct box2d_run {
    const scene *place;
    b2World world{b2Vec2(0.0f, 0.0f)};
    contact_counter contacts;
    std::vector<b2Body *> bodies;
    peer_bullets bullets;

    explicit box2d_run(const scene *from) : place(from), bullets(peer_bullets_create(from))
    {
        world.SetAllowSleeping(false);
        world.SetWarmStarting(false);
        world.SetContinuousPhysics(false);
        world.SetContactListener(&contacts);
    }

    box2d_run(const box2d_run &) = delete;
    box2d_run &operator=(const box2d_run &) = delete;

    ~box2d_run()
    {
        peer_bullets_destroy(&bullets);
    }
};

void add_mover(box2d_run &run, const scene_body &mover)
{
    b2BodyDef def;
    def.type = b2_dynamicBody;
    def.position = to_b2(mover.position);
    def.linearVelocity = to_b2(mover.velocity);
    def.angle = mover.angle;
    def.angularVelocity = mover.spin;
    b2Body *body = run.world.CreateBody(&def);
    if (mover.kind == SCENE_RECT) {
        b2PolygonShape box;
        box.SetAsBox(mover.half.x, mover.half.y);
        body->CreateFixture(&box, 1.0f);
    } else {
        b2CircleShape circle;
        circle.m_radius = mover.half.x;
        body->CreateFixture(&circle, 1.0f);
    }
    run.bodies.push_back(body);
}

void add_terrain(box2d_run &run)
{
    b2BodyDef def;
    b2Body *ground = run.world.CreateBody(&def);
    for (uint32_t i = 0; i < run.place->chain_count; ++i) {
        scene_chain chain = run.place->chains[i];
        const graze_vec2 *points = run.place->points + chain.first;
        for (uint32_t j = 1; j < chain.count; ++j) {
            b2EdgeShape edge;
            edge.SetTwoSided(to_b2(points[j - 1]), to_b2(points[j]));
            ground->CreateFixture(&edge, 0.0f);
        }
    }
}

void *make_world(const scene *place)
{
    auto run = std::make_unique<box2d_run>(place);
    uint32_t movers = place->body_count - place->bullet_count;
    for (uint32_t i = 0; i < movers; ++i) {
        add_mover(*run, place->bodies[i]);
    }
    add_terrain(*run);
    return run.release();
}

void destroy_world(void *world)
{
    delete static_cast<box2d_run *>(world);
}

peer_hit cast_ray(const b2World &world, graze_vec2 from, graze_vec2 to)
{
    nearest_hit nearest;
    world.RayCast(&nearest, to_b2(from), to_b2(to));
    return nearest.hit;
}

void cast_bullet(box2d_run &run, uint32_t bullet)
{
    peer_hit &hit = run.bullets.hits[bullet];
    hit = cast_ray(run.world, run.bullets.bodies[bullet].position,
                   peer_bullets_end(&run.bullets, bullet));
    run.bullets.hit_count += hit.hit;
}

void step_world(void *world)
{
    box2d_run &run = *static_cast<box2d_run *>(world);
    run.contacts.count = 0;
    run.bullets.hit_count = 0;
    run.world.Step(SCENE_STEP, 0, 0);
    for (uint32_t i = 0; i < run.bullets.count; ++i) {
        cast_bullet(run, i);
    }
}

engine_counts count_findings(const void *world)
{
    const box2d_run &run = *static_cast<const box2d_run *>(world);
    engine_counts counts = {};
    counts.contacts = run.contacts.count;
    counts.hits = run.bullets.hit_count;
    return counts;
}

bool was_bullet_hit(const void *world, uint32_t bullet)
{
    return static_cast<const box2d_run *>(world)->bullets.hits[bullet].hit;
}

void read_bodies(const void *world, scene_body *bodies)
{
    const box2d_run &run = *static_cast<const box2d_run *>(world);
    uint32_t next = 0;
    for (const b2Body *body : run.bodies) {
        bodies[next] = run.place->bodies[next];
        bodies[next].position = from_b2(body->GetPosition());
        bodies[next].velocity = from_b2(body->GetLinearVelocity());
        bodies[next].angle = body->GetAngle();
        ++next;
    }
    for (uint32_t i = 0; i < run.bullets.count; ++i) {
        bodies[next + i] = run.bullets.bodies[i];
    }
}

void keep_going(void *world, random_state *random)
{
    box2d_run &run = *static_cast<box2d_run *>(world);
    for (b2Body *body : run.bodies) {
        graze_vec2 velocity = from_b2(body->GetLinearVelocity());
        if (scene_turn_back(run.place, from_b2(body->GetPosition()), &velocity)) {
            body->SetLinearVelocity(to_b2(velocity));
        }
    }
    peer_bullets_keep(&run.bullets, random);
}

void cast_rays(void *world, const graze_ray *rays, uint32_t count, peer_hit *hits)
{
    const box2d_run &run = *static_cast<const box2d_run *>(world);
    for (uint32_t i = 0; i < count; ++i) {
        graze_vec2 end = graze_vec2_add(rays[i].origin, rays[i].delta);
        hits[i] = cast_ray(run.world, rays[i].origin, end);
    }
}

/// Without the revision: 2.4.1 still calls itself 2.4.0.
const char *tell_version()
{
    static const std::string text =
        "Box2D " + std::to_string(b2_version.major) + "." + std::to_string(b2_version.minor);
    return text.c_str();
}

} // namespace

extern "C" const engine engine_box2d = {
    "box2d",        ENGINE_START,   b2_polygonRadius, make_world, destroy_world, step_world,
    count_findings, was_bullet_hit, read_bodies,      keep_going, cast_rays,     tell_version,
};
