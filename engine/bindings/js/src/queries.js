// Queries of a world: what is here, and what would a ray or a moving shape hit?
import { GrazeError, refuse } from './errors.js';
import { HitList } from './lists.js';
import { codecOf, offsetOf, sizeOf } from './structs.js';

const HIT_SIZE = sizeOf('graze_query_hit'), ID_SIZE = sizeOf('graze_body_id');
const RAY_SIZE = sizeOf('graze_ray');
const FIRST_ROOM = 64; // Results; where there are more the library is asked again.
const hit = { body: offsetOf('graze_query_hit', 'body'),
    segment: offsetOf('graze_query_hit', 'segment'), time: offsetOf('graze_query_hit', 'time'),
    point: offsetOf('graze_query_hit', 'point'), normal: offsetOf('graze_query_hit', 'normal') };

function putFilter(library, filter = {}) {
    return library.filter.put(filter, 'filter');
}

function putRay(library, origin, delta) {
    return library.ray.put({ origin, delta }, 'ray');
}

// A hit as an object, or null where nothing was hit.
function readHit(world, at) {
    const { library } = world;
    const body = world.bodyFrom(at + hit.body), chain = world.chainFrom(at + hit.segment);
    if (!body && !chain) {
        return null;
    }
    return {
        body,
        chain,
        segmentIndex: library.u32[(at + hit.segment + 8) >>> 2],
        time: library.f32[(at + hit.time) >>> 2],
        point: codecOf('vec2').read(library, at + hit.point),
        normal: codecOf('vec2').read(library, at + hit.normal),
    };
}

// Calls `ask(address, capacity)` until all results have room; returns what `read` makes of each.
function listAll(world, size, ask, read, limit = Infinity) {
    const { library } = world;
    let capacity = Math.min(FIRST_ROOM, limit), at = library.room(capacity * size);
    library.message = '';
    let count = ask(at, capacity) >>> 0;
    const wanted = Math.min(count, limit);
    if (wanted > capacity) {
        capacity = wanted;
        at = library.room(capacity * size);
        count = ask(at, capacity) >>> 0;
    }
    if (library.message) { // The library has refused it: such a list is empty.
        library.fail(1);
    }
    return Array.from({ length: wanted }, (_, i) => read(world, at + i * size));
}

function readBody(world, at) {
    return world.bodyFrom(at);
}

export function rayClosest(world, origin, delta, filter) {
    const { address, library } = world;
    const ray = putRay(library, origin, delta);
    library.check(library.calls.graze_query_ray(address, ray, putFilter(library, filter),
        library.scratch));
    return readHit(world, library.scratch);
}

export function rayAll(world, origin, delta, filter) {
    const { address, library } = world;
    return listAll(world, HIT_SIZE, (at, capacity) => library.calls.graze_query_ray_all(address,
        putRay(library, origin, delta), putFilter(library, filter), at, capacity), readHit);
}

// Rays are four floats each. The list's room is the world's, for the next call to use again.
export function rayMany(world, rays, filter) {
    const { address, library } = world;
    if (!(rays instanceof Float32Array) || rays.length % 4 !== 0) {
        refuse('rays', 'a Float32Array with x, y, dx, dy of each ray', rays);
    }
    const count = rays.length / 4, size = count * (RAY_SIZE + HIT_SIZE);
    if (size > world.rays.size) {
        library.calls.free(world.rays.address);
        Object.assign(world.rays, { address: 0, size: 0 });
        Object.assign(world.rays, { address: library.allocate(size), size });
    }
    const at = world.rays.address, hits = at + count * RAY_SIZE;
    library.f32.set(rays, at >>> 2);
    library.check(library.calls.graze_query_ray_many(address, at, count, putFilter(library, filter),
        hits));
    return (world.hits ??= new HitList(world)).show(hits, count);
}

export function point(world, place, filter) {
    const { address, library } = world;
    return listAll(world, ID_SIZE, (at, capacity) => library.calls.graze_query_point(address,
        library.vector.put(place, 'point'), putFilter(library, filter), at, capacity), readBody);
}

export function box(world, lower, upper, filter) {
    const { address, library } = world;
    return listAll(world, ID_SIZE, (at, capacity) => library.calls.graze_query_box(address,
        library.box.put({ lower, upper }, 'box'), putFilter(library, filter), at, capacity),
    readBody);
}

export function nearest(world, place, radius, filter, most = Infinity) {
    const { address, library } = world;
    if (!(most >= 0)) {
        throw new GrazeError('argument', `queryNearest: most is ${most}, not a number from 0 on`);
    }
    return listAll(world, ID_SIZE, (at, capacity) => library.calls.graze_query_nearest(address,
        library.vector.put(place, 'point'), +radius, putFilter(library, filter), at, capacity),
    readBody, most);
}

export function cast(world, shape, from, angle, delta, filter) {
    const { address, library } = world;
    const { calls, scratch } = library;
    const start = library.vector.put(from, 'from'), way = library.second.put(delta, 'delta');
    const at = library.shape.put(shape, 'shape');
    const only = putFilter(library, filter);
    library.check(calls.graze_query_cast(address, at, start, +angle, way, only, scratch));
    return readHit(world, scratch);
}
