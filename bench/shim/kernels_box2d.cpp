// Box2D 2.4's kernels. Collisions in two stages, as for its own listeners: the manifold in local
// coordinates and, for hits, points, normal and depths in world coordinates, which ours and
// Chipmunk's give directly.

#include <cstdint>
#include <vector>

extern "C" {
#include "peer_kernels.h"
}

#include <graze/shape.h>

#include <box2d/box2d.h>

namespace
{

b2Vec2 to_b2(graze_vec2 v)
{
    return b2Vec2(v.x, v.y);
}

template <typename shape> struct placed {
    shape form;
    b2Transform at;
};

b2Transform place(graze_vec2 position, graze_rotation rotation)
{
    b2Transform at;
    at.p = to_b2(position);
    at.q.s = rotation.sine;
    at.q.c = rotation.cosine;
    return at;
}

placed<b2CircleShape> convert(const graze_circle &circle)
{
    placed<b2CircleShape> made;
    made.form.m_radius = circle.radius;
    made.at = place(circle.center, graze_rotation{1.0f, 0.0f});
    return made;
}

placed<b2PolygonShape> convert(const graze_rect &rect)
{
    placed<b2PolygonShape> made;
    made.form.SetAsBox(rect.half.x, rect.half.y);
    made.at = place(rect.center, rect.rotation);
    return made;
}

placed<b2EdgeShape> convert(const graze_segment &segment)
{
    placed<b2EdgeShape> made;
    made.form.SetTwoSided(to_b2(segment.a), to_b2(segment.b));
    made.at.SetIdentity();
    return made;
}

b2RayCastInput convert(const graze_ray &ray)
{
    return b2RayCastInput{to_b2(ray.origin), to_b2(graze_vec2_add(ray.origin, ray.delta)), 1.0f};
}

template <typename shape_a, typename shape_b>
bool finish(const b2Manifold &manifold, const placed<shape_a> &a, const placed<shape_b> &b)
{
    b2WorldManifold world;
    world.Initialize(&manifold, a.at, a.form.m_radius, b.at, b.form.m_radius);
    return manifold.pointCount > 0;
}

bool is_hit(const placed<b2CircleShape> &a, const placed<b2CircleShape> &b)
{
    b2Manifold manifold;
    b2CollideCircles(&manifold, &a.form, a.at, &b.form, b.at);
    return finish(manifold, a, b);
}

bool is_hit(const placed<b2CircleShape> &a, const placed<b2PolygonShape> &b)
{
    b2Manifold manifold;
    b2CollidePolygonAndCircle(&manifold, &b.form, b.at, &a.form, a.at);
    return finish(manifold, b, a);
}

bool is_hit(const placed<b2PolygonShape> &a, const placed<b2PolygonShape> &b)
{
    b2Manifold manifold;
    b2CollidePolygons(&manifold, &a.form, a.at, &b.form, b.at);
    return finish(manifold, a, b);
}

bool is_hit(const placed<b2CircleShape> &a, const placed<b2EdgeShape> &b)
{
    b2Manifold manifold;
    b2CollideEdgeAndCircle(&manifold, &b.form, b.at, &a.form, a.at);
    return finish(manifold, b, a);
}

template <typename shape> bool is_hit(const b2RayCastInput &ray, const placed<shape> &target)
{
    b2RayCastOutput output;
    return target.form.RayCast(&output, ray, target.at, 0);
}

/// The pairs of one kernel, which takes our types `first` and `second`.
template <typename first, typename second> struct pair_list {
    std::vector<decltype(convert(first{}))> a;
    std::vector<decltype(convert(second{}))> b;

    static void *prepare(const void *firsts, const void *seconds, uint32_t count)
    {
        auto *list = new pair_list;
        for (uint32_t i = 0; i < count; ++i) {
            list->a.push_back(convert(static_cast<const first *>(firsts)[i]));
            list->b.push_back(convert(static_cast<const second *>(seconds)[i]));
        }
        return list;
    }

    static uint32_t run(void *prepared)
    {
        const auto &list = *static_cast<const pair_list *>(prepared);
        uint32_t hits = 0;
        for (size_t i = 0; i < list.a.size(); ++i) {
            hits += is_hit(list.a[i], list.b[i]);
        }
        return hits;
    }

    static void release(void *prepared)
    {
        delete static_cast<pair_list *>(prepared);
    }
};

template <typename first, typename second> constexpr peer_kernel make_kernel(const char *name)
{
    using list = pair_list<first, second>;
    return {"box2d", name, list::prepare, list::run, list::release};
}

} // namespace

extern "C" const peer_kernel box2d_kernels[PEER_KERNEL_COUNT] = {
    make_kernel<graze_circle, graze_circle>("collide_circles"),
    make_kernel<graze_circle, graze_rect>("collide_circle_rect"),
    make_kernel<graze_rect, graze_rect>("collide_rects"),
    make_kernel<graze_circle, graze_segment>("collide_circle_segment"),
    make_kernel<graze_ray, graze_segment>("cast_ray_segment"),
    make_kernel<graze_ray, graze_circle>("cast_ray_circle"),
};
