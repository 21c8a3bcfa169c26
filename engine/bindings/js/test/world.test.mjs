import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { load, GrazeError, circle, hasSimd, ray, rect, version } from 'graze-physics';

const graze = await load();

function makeGround(def = {}) {
    const world = new graze.World({ gravity: [0, -10], ...def });
    const ground = world.createChain({ points: [[-50, 0], [50, 0]] });
    return { world, ground };
}

function step(world, count) {
    for (let i = 0; i < count; ++i) {
        world.step(1 / 60);
    }
}

// Asserts that the call throws a GrazeError of this status, whose message has this text.
function refuses(call, status, text) {
    assert.throws(call, (error) => {
        assert.ok(error instanceof GrazeError, String(error));
        assert.equal(error.status, status);
        assert.ok(error.message.includes(text), error.message);
        return true;
    });
}

test('the version is that of the headers and of the package', async () => {
    const { version: ofPackage } = JSON.parse(await readFile(
        'node_modules/graze-physics/package.json', 'utf8'));
    assert.equal(graze.version, ofPackage);
    assert.equal(version, ofPackage);
});

test('lanes are those that were asked for', async () => {
    assert.equal(new graze.World().stats.lanes, hasSimd() ? 'simd128' : 'scalar');
    const scalar = await load({ lanes: 'scalar' });
    assert.equal(new scalar.World().stats.lanes, 'scalar');
    await assert.rejects(load({ lanes: 'sse2' }), /load: lanes is "sse2", not scalar or simd128/);
});

test('bytes, a module, an address and a response can be loaded', async () => {
    const bytes = await readFile('node_modules/graze-physics/graze.scalar.wasm');
    const type = { headers: { 'Content-Type': 'application/wasm' } };
    const address = `data:application/wasm;base64,${bytes.toString('base64')}`;
    const sources = [bytes, await WebAssembly.compile(bytes), new Response(bytes, type),
        Promise.resolve(new Response(bytes)), address, new URL(address)];
    for (const wasm of sources) {
        const loaded = await load({ wasm });
        assert.equal(new loaded.World().stats.lanes, 'scalar');
    }
    await assert.rejects(load({ wasm: new Response('', { status: 404 }) }), GrazeError);
});

test('a crate falls and comes to rest', () => {
    const { world } = makeGround();
    const crate = world.createBody({ shape: rect(0.5, 0.5), position: [0, 4] });
    step(world, 200);
    assert.ok(Math.abs(crate.y - 0.5) < 0.01);
    assert.equal(crate.isAsleep, true);
    assert.equal(crate.position[1], crate.y);
});

// --- properties ---

const values = {
    position: [1.5, 2], velocity: [3, -4], angle: 0.5, spin: 2, mass: 3, inertia: 0.75,
    friction: 0.25, restitution: 0.5, damping: 0.125, spinDamping: 0.25, gravityScale: -1,
    lifetime: 8, hitLimit: 4000000000, neverSleeps: true, sensor: true, response: 'slide',
    userData: Number.MAX_SAFE_INTEGER,
    surface: { friction: 0.25, restitution: 0.125, rollingResistance: 0.5, speed: -2 },
    filter: { category: 2, mask: 0xfffffffe, pass: 4, group: -3 },
    shape: { kind: 'rect', radius: 0, half: [2, 3] },
};

test('each property is what it was set to, and of one body', () => {
    for (const [name, value] of Object.entries(values)) {
        const world = new graze.World();
        const other = world.createBody(), body = world.createBody({ shape: rect(1, 1) });
        const before = other[name];
        body[name] = value;
        assert.deepEqual(body[name], value, name);
        assert.deepEqual(other[name], before, name);
    }
});

test('a def sets the same properties', () => {
    const world = new graze.World();
    const { shape, ...rest } = values;
    const body = world.createBody({ ...rest, response: 'rigid', shape, surface: values.surface });
    for (const [name, value] of Object.entries({ ...values, response: 'rigid' })) {
        assert.deepEqual(body[name], name === 'friction' ? 0.25
            : name === 'restitution' ? 0.125 : value, name);
    }
});

test('vectors may be objects, and what is left out stays', () => {
    const world = new graze.World({ gravity: { x: 1, y: 2 } });
    assert.deepEqual(world.gravity, [1, 2]);
    const body = world.createBody({ filter: { mask: 6 } });
    assert.deepEqual(body.filter, { category: 1, mask: 6, pass: 0, group: 0 });
    body.filter = { group: -1 };
    assert.deepEqual(body.filter, { category: 1, mask: 6, pass: 0, group: -1 });
    body.surface = { speed: 1 };
    assert.equal(body.surface.friction, Math.fround(0.6));
});

test('user data has 64 bits', () => {
    const body = new graze.World().createBody({ userData: 2n ** 64n - 1n });
    assert.equal(body.userData, 2 ** 64);
    body.userData = 0;
    assert.equal(body.userData, 0);
});

test('world settings are what they were set to', () => {
    const world = new graze.World({ substeps: 8 });
    assert.equal(world.substeps, 8);
    world.substeps = 2;
    world.gravity = [0, 3];
    assert.equal(world.substeps, 2);
    assert.deepEqual(world.gravity, [0, 3]);
});

// --- errors ---

test('what the library refuses throws its message, and changes nothing', () => {
    const { world, ground } = makeGround();
    const body = world.createBody();
    const hash = world.hash();
    refuses(() => world.step(0), 'argument', 'graze_world_step: dt is 0');
    refuses(() => world.step(), 'argument', 'dt is nan');
    refuses(() => world.createBody({ mass: -1 }), 'argument', 'mass is -1');
    refuses(() => world.createBodies([{}, { mass: -1 }]), 'argument', 'mass is -1');
    refuses(() => world.createChain({ points: [[0, 0]] }), 'argument', 'count is 1');
    refuses(() => body.position = [NaN, 0], 'argument', 'position is (nan, 0)');
    refuses(() => body.friction = -1, 'argument', 'friction is -1');
    refuses(() => ground.setSurface({ friction: 1 }, 7), 'argument', 'segment is 7');
    refuses(() => new graze.World({ substeps: 65 }), 'argument', 'substeps is 65');
    refuses(() => world.queryBox([1, 0], [0, 0]), 'argument', 'lower <= upper');
    refuses(() => world.queryNearest([0, 0], -1), 'argument', 'radius is -1');
    refuses(() => world.load(new Uint8Array(200)), 'format', 'graze_world_load');
    refuses(() => new graze.Replay(new Uint8Array(3)), 'format', 'graze_replay_create');
    assert.equal(world.hash(), hash);
});

test('what JavaScript has wrong is named', () => {
    const { world } = makeGround();
    const body = world.createBody();
    const hash = world.hash();
    refuses(() => world.createBody({ postion: [1, 2] }), 'argument', 'no field postion');
    refuses(() => world.createBody({ cookie: 1 }), 'argument', 'no field cookie');
    refuses(() => world.createBody({ position: 3 }), 'argument', 'position is 3, not [x, y]');
    refuses(() => world.createBody({ filter: { mask: -1 } }), 'argument', 'filter.mask is -1');
    refuses(() => world.createBody({ hitLimit: 1.5 }), 'argument', 'hitLimit is 1.5');
    refuses(() => world.createBody({ sensor: 'no' }), 'argument', 'sensor is "no", not a boolean');
    refuses(() => world.createBody({ response: 'stick' }), 'argument', 'one of pass, stop, slide');
    refuses(() => world.createBodies({}), 'argument', 'defs is {}, not an array');
    refuses(() => world.createBodies([{}, { angel: 1 }]), 'argument', 'Bodies[1] has no field');
    refuses(() => body.response = 'stick', 'argument', 'response is "stick"');
    refuses(() => body.mass = '2', 'argument', 'mass is "2", not a number');
    refuses(() => body.userData = -1, 'argument', 'userData is -1');
    refuses(() => body.userData = 2n ** 64n, 'argument', 'userData is 18446744073709551616');
    refuses(() => world.createChain({ points: 'abc' }), 'argument', 'points');
    refuses(() => world.createChain({ points: [1, 2, 3] }), 'argument', 'createChain.points');
    refuses(() => world.createChain({}), 'argument', 'createChain.points is undefined');
    refuses(() => world.createChain({ points: [[0, 0], [1]] }), 'argument', 'points[1] is [1]');
    refuses(() => world.createChain({ points: [[0, 0], [1, 0]], surfaces: [{}, {}] }), 'argument',
        'surfaces has 2');
    refuses(() => world.queryRayMany([0, 0, 1, 1]), 'argument', 'Float32Array');
    refuses(() => world.load('x'), 'argument', 'a Uint8Array');
    refuses(() => new graze.World({ filter: 3 }), 'argument', 'filter is 3, not a function');
    refuses(() => graze.overlapCircles({ center: [0, 0] }, {}), 'argument', 'a has no radius');
    assert.equal(world.hash(), hash);
});

test('bodies and chains are short in logs', () => {
    const { world, ground } = makeGround();
    const body = world.createBody();
    assert.equal(inspect([body, ground]), '[ Body 0:1, Chain 0:1 ]');
    assert.equal(JSON.stringify([body, ground]),
        '[{"index":0,"generation":1},{"index":0,"generation":1}]');
});

test('what is gone is known to be gone', () => {
    const { world, ground } = makeGround();
    const body = world.createBody();
    body.destroy();
    assert.equal(body.isValid, false);
    refuses(() => body.destroy(), 'stale_id', 'graze_body_destroy');
    refuses(() => body.velocity = [1, 0], 'stale_id', 'graze_body_set_velocity');
    assert.deepEqual(body.position, [0, 0]);
    ground.destroy();
    refuses(() => ground.destroy(), 'stale_id', 'graze_chain_destroy');
    const next = world.createBody();
    assert.equal(next.index, body.index);
    assert.notEqual(next, body);
    world.destroy();
    world.destroy();
    refuses(() => world.step(1), 'argument', 'the world has been destroyed');
    refuses(() => next.position, 'argument', 'the world has been destroyed');
});

test('the log has a line for each call that fails', () => {
    const lines = [];
    const world = new graze.World({ log: (status, message) => lines.push([status, message]) });
    assert.throws(() => world.step(-1));
    assert.deepEqual(lines,
        [['argument', 'graze_world_step: dt is -1; it must be finite and above 0']]);
});

test('a fixed capacity is a limit', () => {
    const world = new graze.World({ fixedCapacity: true, bodyCapacity: 2, contactCapacity: 10 });
    world.createBodies([{}, {}]);
    refuses(() => world.createBody(), 'limit', 'graze_body_create');
});

test('what memory cannot hold is an error, and the library goes on', async () => {
    const own = await load();
    const huge = { bodyCapacity: 2 ** 30 - 1, fixedCapacity: true, contactCapacity: 1 };
    refuses(() => new own.World(huge), 'out_of_memory', 'graze_world_create');
    const world = new own.World();
    world.createBody();
    world.step(1 / 60);
    assert.equal(world.bodyCount, 1);
});

// --- bodies, chains, columns ---

test('columns are views of all bodies', () => {
    const { world } = makeGround();
    assert.equal(world.positions.length, 0);
    const bodies = world.createBodies(Array.from({ length: 10 }, (_, i) =>
        ({ shape: rect(0.5, 0.5), position: [2 * i, 3], velocity: [i, 0], spin: 1 })));
    step(world, 5);
    const { positions, velocities, angles, indices } = world;
    assert.equal(world.bodyCount, 10);
    assert.equal(positions.buffer, graze.memory.buffer);
    indices.forEach((index, i) => {
        const body = world.bodyAt(index);
        assert.equal(body, bodies[index]);
        assert.deepEqual(body.position, [positions[2 * i], positions[2 * i + 1]]);
        assert.deepEqual(body.velocity, [velocities[2 * i], velocities[2 * i + 1]]);
        assert.equal(body.angle, angles[i]);
    });
    assert.equal(world.positions, positions);
    assert.deepEqual([...world.bodies()].map(({ index }) => index), [...indices]);
});

test('angles are zeros while no body turns', () => {
    const world = new graze.World();
    world.createBody({ response: 'pass' });
    assert.deepEqual(world.angles, new Float32Array(1));
    assert.notEqual(world.angles.buffer, graze.memory.buffer);
});

test('views are made anew when memory grows', async () => {
    const own = await load();
    const world = new own.World({ gravity: [0, -10] });
    const first = world.createBody({ position: [-5, 1], response: 'pass' });
    const old = world.positions, { buffer } = own.memory;
    while (own.memory.buffer === buffer) {
        world.createBodies(Array.from({ length: 1000 }, () => ({ response: 'pass' })));
    }
    assert.equal(old.length, 0);
    assert.equal(world.positions.length, 2 * world.bodyCount);
    assert.equal(first.x, -5);
    first.velocity = [1, 0];
    step(world, 1);
    assert.ok(Math.abs(world.bodyAt(first.index).x + 5 - 1 / 60) < 1e-6);
});

test('chains have their def and their surfaces', () => {
    const world = new graze.World();
    const ice = { friction: 0, restitution: 0, rollingResistance: 0, speed: 0 };
    const chain = world.createChain({ points: new Float32Array([0, 0, 1, 0, 1, 1]), loop: true,
        surfaces: [{}, ice, { speed: 2 }], userData: 5, filter: { category: 8 } });
    const { points, loop, oneSided, userData, filter } = chain.def;
    assert.deepEqual([[...points], loop, oneSided, userData, filter.category],
        [[0, 0, 1, 0, 1, 1], true, false, 5, 8]);
    assert.deepEqual(chain.surface(1), ice);
    assert.deepEqual(chain.surface(2), { ...ice, friction: Math.fround(0.6), speed: 2 });
    chain.setSurface({ restitution: 0.5 }, 1);
    assert.deepEqual(chain.surface(1), { ...ice, restitution: 0.5 });
    chain.setSurface({ speed: 3 });
    assert.equal(chain.surface(1).speed, 3);
    assert.equal(world.stats.segmentCount, 3);
});

test('impulses and explosions push', () => {
    const world = new graze.World();
    const body = world.createBody({ mass: 2 });
    body.applyImpulse([4, 0]);
    assert.deepEqual(body.velocity, [2, 0]);
    body.applyImpulse([0, 1], [0.25, 0]);
    body.applySpinImpulse(1);
    assert.ok(body.spin > 1);
    const [near, far] = world.createBodies([{ position: [3, 0] }, { position: [9, 0] }]);
    world.explode([2, 0], 4, 10);
    assert.ok(near.velocityX > 1);
    assert.equal(far.velocityX, 0);
});

// --- reports ---

test('contacts begin, stay and end', () => {
    const { world, ground } = makeGround();
    const ball = world.createBody({ position: [0, 0.6], velocity: [0, -10] });
    world.step(1 / 60);
    const [contact] = world.contacts;
    assert.equal(world.contacts.length, 1);
    assert.equal(contact.a, ball);
    assert.equal(contact.b, null);
    assert.equal(contact.chain, ground);
    assert.equal(contact.segmentIndex, 0);
    assert.equal(contact.phase, 'begin');
    assert.equal(contact.isBlocked, true);
    assert.deepEqual(contact.normal, [contact.normalX, contact.normalY]);
    assert.ok(contact.approach > 9 && contact.impulse > 9);
    assert.equal(ball.contacts.at(0).time, contact.time);
    world.step(1 / 60);
    assert.equal(world.contacts.at(0).phase, 'stay');
    ball.position = [0, 5];
    world.step(1 / 60);
    assert.equal(world.contacts.length, 0);
    assert.equal(world.contacts.at(0), undefined);
    assert.equal(world.contactEnds.at(0).a, ball);
    assert.equal(world.contactEnds.at(0).chain, ground);
});

test('a loop over contacts makes one item', () => {
    const { world } = makeGround();
    world.createBodies(Array.from({ length: 20 }, (_, i) => ({ position: [2 * i, 0.5] })));
    world.step(1 / 60);
    const items = new Set(), indices = [];
    for (const contact of world.contacts) {
        items.add(contact);
        indices.push(contact.aIndex);
    }
    assert.equal(items.size, 1);
    assert.deepEqual(indices, Array.from({ length: 20 }, (_, i) => i));
    const { contacts } = world;
    world.destroy();
    assert.equal(contacts.length, 0);
});

test('removals say which bullet is gone, and why', () => {
    const { world } = makeGround();
    const hit = world.createBody({ shape: ray(), position: [0, 1], velocity: [0, -120], hitLimit: 1,
        response: 'stop' });
    const old = world.createBody({ position: [0, 9], lifetime: 0.001 });
    world.step(1 / 60);
    assert.deepEqual([...world.removals].length, 2);
    assert.deepEqual(Array.from({ length: 2 }, (_, i) => [world.removals.at(i).body,
        world.removals.at(i).reason]), [[hit, 'hits'], [old, 'lifetime']]);
    assert.equal(hit.isValid, false);
    assert.equal(Math.abs(hit.y) < 1e-6, true);
});

test('stats name phases and count', () => {
    const { world } = makeGround();
    world.createBody({ position: [0, 0.5] });
    world.step(1 / 60);
    const { stepCount, segmentCount, contactCount, byteCount, phaseSeconds } = world.stats;
    assert.deepEqual([stepCount, segmentCount, contactCount], [1, 1, 1]);
    assert.ok(byteCount > 1000);
    assert.deepEqual(Object.keys(phaseSeconds),
        ['predict', 'sort', 'pairs', 'decide', 'respond', 'commit', 'report']);
    assert.ok(Object.values(phaseSeconds).every((seconds) => seconds >= 0 && seconds < 1));
});

// --- queries ---

test('queries find what is there', () => {
    const { world, ground } = makeGround();
    const bodies = world.createBodies(Array.from({ length: 200 }, (_, i) => ({
        position: [2 * (i % 20) - 20, 2 + 2 * Math.floor(i / 20)],
        filter: { category: 1 + i % 2 },
    })));
    const down = world.queryRay([0.25, 100], [0, -200]);
    assert.equal(down.body, bodies[190]);
    assert.equal(down.chain, null);
    assert.ok(Math.abs(down.point[1] - 20.433) < 0.001);
    assert.equal(world.queryRay([0.9, 100], [0, -50]), null);
    assert.equal(world.queryRay([1, 100], [0, -200]).chain, ground);
    assert.equal(world.queryRayAll([0, 100], [0, -200]).length, 11);
    assert.equal(world.queryRayAll([-50, 2], [100, 0], { mask: 2 }).length, 10);
    assert.deepEqual(world.queryBox([-100, -100], [100, 100]), bodies);
    assert.equal(world.queryBox([-100, -100], [100, 100], { mask: 2 }).length, 100);
    assert.deepEqual(world.queryPoint(bodies[0].position), [bodies[0]]);
    assert.deepEqual(world.queryNearest([0.3, 2], 4, { mask: 1 }, 2), [bodies[10], bodies[30]]);
    assert.equal(world.queryNearest([0, 2], 1000).length, 200);
    const hit = world.queryCast(rect(3, 1), [0, 100], [0, -200], 0.25);
    assert.ok(hit.time > 0 && hit.time < 0.5 && hit.normal[1] > 0);
});

test('many rays give what single ones do', () => {
    const { world } = makeGround();
    world.createBodies(Array.from({ length: 100 }, (_, i) => ({ position: [i - 50, 1 + i % 7] })));
    const rays = Float32Array.from({ length: 4 * 500 }, (_, i) =>
        [Math.floor(i / 4) / 5 - 50, 20, i % 3, i % 8 === 3 ? -5 : -30][i % 4]);
    const hits = world.queryRayMany(rays);
    assert.equal(hits.length, 500);
    for (let i = 0; i < 500; ++i) {
        const one = world.queryRay(rays.slice(4 * i, 4 * i + 2), rays.slice(4 * i + 2, 4 * i + 4));
        const { body, chain, time, point } = hits.at(i);
        const found = body ?? chain ? { body, chain, time, point } : null;
        assert.deepEqual(found, one && { body: one.body, chain: one.chain, time: one.time,
            point: one.point });
    }
});

test('shapes are tested without a world', () => {
    const unit = { center: [0, 0], radius: 1 };
    assert.equal(graze.overlapCircles(unit, { center: [1.5, 0], radius: 1 }), true);
    assert.equal(graze.overlapCircles(unit, { center: [2.5, 0], radius: 1 }), false);
    assert.deepEqual(graze.castRayCircle({ origin: [-5, 0], delta: [8, 0] }, unit),
        { hit: true, time: 0.5, point: [-1, 0], normal: [-1, 0] });
    const flat = { center: [0, 0], half: [2, 0.5] };
    const upright = { ...flat, rotation: graze.rotationFromAngle(Math.PI / 2) };
    assert.equal(graze.overlapPointRect([1.5, 0], flat), true);
    assert.equal(graze.overlapPointRect([1.5, 0], upright), false);
    assert.equal(graze.orient([0, 0], [1, 0], [0, -1]), -1);
    const triangle = { vertices: [[0, 0], [4, 0], [0, 4]] };
    assert.equal(graze.overlapPointPolygon([1, 1], triangle), true);
    assert.equal(graze.overlapPointPolygon([3, 3], triangle), false);
    assert.equal(graze.collideRects(flat, { ...flat, center: [3, 0] }).count, 2);
    const { points } = graze.crossSegments({ a: [0, 0], b: [2, 2] }, { a: [0, 2], b: [2, 0] });
    assert.deepEqual(points[0], [1, 1]);
});

// --- callbacks ---

test('a filter vetoes contacts', () => {
    const asked = [];
    const { world, ground } = makeGround({
        filter(a, b, chain) {
            asked.push(chain ?? b);
            assert.equal(a.isValid, true);
            assert.ok(world.queryPoint(a.position).length >= 1);
            return !(a.userData === 1);
        },
    });
    const ghost = world.createBody({ position: [0, 0.6], velocity: [0, -10], userData: 1 });
    const solid = world.createBody({ position: [5, 0.6], velocity: [0, -10] });
    step(world, 20);
    assert.ok(ghost.y < -1 && solid.y > 0);
    assert.ok(asked.includes(ground));
});

test('what a filter throws is thrown by the step, and the world goes on', () => {
    let broken = true;
    const { world } = makeGround({
        filter() {
            if (broken) {
                throw new RangeError('the game is wrong');
            }
            return true;
        },
    });
    const body = world.createBody({ position: [0, 0.6], velocity: [0, -10] });
    assert.throws(() => step(world, 3), /the game is wrong/);
    broken = false;
    step(world, 3);
    assert.ok(body.y > 0.4);
});

test('a world cannot be destroyed from inside its step', () => {
    const { world } = makeGround({ filter: () => (world.destroy(), true) });
    world.createBody({ position: [0, 0.6], velocity: [0, -10] });
    refuses(() => step(world, 3), 'busy', 'destroy: the world is in the midst of a call');
    world.destroy();
});

test('a loop ends where the game steps in it', () => {
    const { world } = makeGround();
    world.createBodies(Array.from({ length: 20 }, (_, i) => ({ position: [2 * i, 0.5] })));
    world.step(1 / 60);
    let count = 0;
    for (const contact of world.contacts) {
        assert.equal(contact.aIndex, count++);
        world.step(1 / 60);
    }
    assert.equal(count, 1);
});

test('a filter cannot change the world', () => {
    const { world } = makeGround({ filter: (a) => (a.velocity = [0, 0], true) });
    world.createBody({ position: [0, 0.6], velocity: [0, -10] });
    refuses(() => step(world, 3), 'busy', 'graze_body_set_velocity');
    refuses(() => step(world, 3), 'busy', '');
});

test('a painter gets everything', () => {
    const { world, ground } = makeGround();
    const body = world.createBody({ shape: rect(1, 2), position: [0, 2], angle: 0 });
    world.createBody({ shape: circle(0.5), position: [9, 9] });
    world.createBody({ shape: ray(), position: [5, 5], velocity: [1, 2], gravityScale: 0 });
    world.step(1 / 60);
    const drawn = [];
    world.debugDraw({
        segment: (segment, chain, index) => drawn.push([segment, chain, index]),
        rect: ({ half }, owner) => drawn.push([half, owner]),
        ray: ({ delta }) => drawn.push(delta),
        contact: ({ a }) => drawn.push(a),
    });
    assert.deepEqual(drawn.slice(0, 3), [[{ a: [-50, 0], b: [50, 0] }, ground, 0],
        [[1, 2], body], [1, 2]]);
    assert.ok(drawn.slice(3).length >= 1 && drawn.slice(3).every((a) => a === body));
    assert.throws(() => world.debugDraw({ circle: () => assert.fail('mine') }), /mine/);
    world.debugDraw({ circle: (_, disc) => disc.destroy() });
    assert.equal(world.bodyCount, 2);
});
