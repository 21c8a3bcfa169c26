// Box2D 2.4 under hard shots. Bullets against moving targets have its bullet flag, which enables
// continuous collision between moving bodies.
//
// Scale     It moves nothing by more than b2_maxTranslation a step, which bullets exceed: so these
//           scenes have half their size.

#include <cstdint>
#include <memory>
#include <vector>

extern "C" {
#include "scenes.h"
#include "shooter.h"
}

#include <box2d/box2d.h>

namespace
{

constexpr float scale = 0.5f;
static_assert(COURSE_SPEED * SCENE_STEP * scale < b2_maxTranslation, "bullets are too fast");

constexpr int velocity_iterations = 8; // As its manual recommends.
constexpr int position_iterations = 3;

b2Vec2 to_b2(graze_vec2 v)
{
    return b2Vec2(v.x, v.y);
}

void *build_range(const shot_loop *loop)
{
    auto range = std::make_unique<b2World>(b2Vec2(0.0f, 0.0f));
    b2BodyDef def;
    b2Body *ground = range->CreateBody(&def);
    for (uint32_t i = 0; i < loop->count; ++i) {
        b2EdgeShape edge;
        edge.SetTwoSided(to_b2(loop->points[i]), to_b2(loop->points[(i + 1) % loop->count]));
        ground->CreateFixture(&edge, 0.0f);
    }
    return range.release();
}

void destroy_range(void *range)
{
    delete static_cast<b2World *>(range);
}

class hit_counter : public b2RayCastCallback
{
  public:
    explicit hit_counter(bool nearest) : nearest_only(nearest)
    {
    }

    uint32_t count = 0;

    float ReportFixture(b2Fixture *, const b2Vec2 &, const b2Vec2 &, float fraction) override
    {
        ++count;
        return nearest_only ? fraction : 1.0f;
    }

  private:
    bool nearest_only;
};

uint32_t count_along(const b2World &world, b2Vec2 from, b2Vec2 to, bool nearest)
{
    hit_counter counter(nearest);
    world.RayCast(&counter, from, to);
    return counter.count;
}

b2Vec2 find_end(graze_ray ray)
{
    return to_b2(graze_vec2_add(ray.origin, ray.delta));
}

bool cast_ray(void *range, graze_ray ray)
{
    return count_along(*static_cast<b2World *>(range), to_b2(ray.origin), find_end(ray), true) > 0;
}

uint32_t count_hits(void *range, graze_ray ray)
{
    return count_along(*static_cast<b2World *>(range), to_b2(ray.origin), find_end(ray), false);
}

class contact_notes : public b2ContactListener
{
  public:
    explicit contact_notes(bool *where) : met(where)
    {
    }

    void BeginContact(b2Contact *contact) override
    {
        met[contact->GetFixtureA()->GetBody()->GetUserData().pointer] = true;
    }

  private:
    bool *met;
};

struct flight {
    b2World world{b2Vec2(0.0f, 0.0f)};
    contact_notes notes;

    explicit flight(bool *met) : notes(met)
    {
        world.SetContactListener(&notes);
    }

    void step()
    {
        world.Step(SCENE_STEP, velocity_iterations, position_iterations);
    }
};

void add_body(b2World &world, graze_vec2 position, graze_vec2 velocity, float radius, bool bullet,
              uint32_t lane)
{
    b2BodyDef def;
    def.type = b2_dynamicBody;
    def.position = scale * to_b2(position);
    def.linearVelocity = scale * to_b2(velocity);
    def.bullet = bullet;
    def.userData.pointer = lane;
    b2CircleShape circle;
    circle.m_radius = scale * radius;
    world.CreateBody(&def)->CreateFixture(&circle, 1.0f);
}

void add_targets(flight &flown, const course *courses, uint32_t count, bool *met)
{
    for (uint32_t i = 0; i < count; ++i) {
        met[i] = false;
        add_body(flown.world, courses[i].target, courses[i].target_velocity, COURSE_TARGET_RADIUS,
                 false, i);
    }
}

void fly_courses(const course *courses, uint32_t count, bool *met)
{
    flight flown(met);
    add_targets(flown, courses, count, met);
    for (uint32_t i = 0; i < count; ++i) {
        add_body(flown.world, courses[i].bullet, courses[i].bullet_velocity, COURSE_BULLET_RADIUS,
                 true, i);
    }
    for (int step = 0; step < COURSE_STEPS; ++step) {
        flown.step();
    }
}

void fly_by_casts(const course *courses, uint32_t count, bool *met)
{
    flight flown(met);
    add_targets(flown, courses, count, met);
    for (int step = 0; step < COURSE_STEPS; ++step) {
        flown.step();
        for (uint32_t i = 0; i < count; ++i) {
            b2Vec2 way = scale * SCENE_STEP * to_b2(courses[i].bullet_velocity);
            b2Vec2 from = scale * to_b2(courses[i].bullet) + static_cast<float>(step) * way;
            met[i] = met[i] || count_along(flown.world, from, from + way, true) > 0;
        }
    }
}

} // namespace

extern "C" const shooter shooter_box2d = {
    "Box2D", build_range, destroy_range, cast_ray, count_hits, nullptr, fly_courses, fly_by_casts,
};
