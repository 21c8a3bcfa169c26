// Snapshots, records, and what becomes of memory. Needs node --expose-gc.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { load } from 'graze-physics';

const graze = await load();

function makePile(library = graze, count = 100) {
    const world = new library.World({ gravity: [0, -10] });
    world.createChain({ points: [[-20, 20], [-20, 0], [20, 0], [20, 20]] });
    world.createBodies(Array.from({ length: count }, (_, i) =>
        ({ position: [i % 10 * 1.1 - 5, 1 + i / 10] })));
    return world;
}

function record(world) {
    world.startRecording();
    world.step(1 / 60);
    return world.stopRecording();
}

function step(world, count) {
    for (let i = 0; i < count; ++i) {
        world.step(1 / 60);
    }
}

test('a world goes on from a snapshot to the same bits', () => {
    const world = makePile(), other = new graze.World({ gravity: [0, -10] });
    step(world, 20);
    const snapshot = world.save();
    assert.equal(snapshot.length, world.snapshotSize);
    const body = world.bodyAt(7), { position } = body;
    step(world, 50);
    other.load(snapshot);
    step(other, 50);
    assert.equal(other.hash(), world.hash());
    world.load(snapshot);
    assert.deepEqual(body.position, position);
    step(world, 50);
    assert.equal(other.hash(), world.hash());
});

test('a snapshot may go into bytes of the game', () => {
    const world = makePile();
    const ring = new Uint8Array(2 * world.snapshotSize);
    const saved = world.save(ring);
    assert.equal(saved.buffer, ring.buffer);
    assert.deepEqual(saved, world.save());
    assert.throws(() => world.save(new Uint8Array(10)), { status: 'limit' });
});

test('a damaged snapshot is refused, and the world is as it was', () => {
    const world = makePile();
    const hash = world.hash(), snapshot = world.save();
    snapshot[snapshot.length >> 1] ^= 1;
    assert.throws(() => world.load(snapshot), { name: 'GrazeError', status: 'format' });
    assert.equal(world.hash(), hash);
});

test('a record is replayed, and a difference is found', () => {
    const world = makePile();
    world.startRecording();
    assert.equal(world.isRecording, true);
    step(world, 10);
    world.createBody({ position: [0, 15] });
    step(world, 10);
    const bytes = world.stopRecording();
    const replay = new graze.Replay(bytes);
    while (replay.advance() === 'stepped') {
        assert.equal(replay.world.positions.length, 2 * replay.world.bodyCount);
    }
    assert.deepEqual([replay.advance(), replay.status, replay.stepCount], ['ended', 'ok', 20]);
    assert.equal(replay.world.hash(), world.hash());
    assert.equal(replay.difference.kind, 'none');
    replay.destroy();
    assert.throws(() => replay.advance(), /destroyed/);
    const short = new graze.Replay(bytes.slice(0, bytes.length - 100));
    while (short.advance() === 'stepped');
    assert.deepEqual([short.advance(), short.status], ['failed', 'format']);
    assert.ok(short.message.length > 10);
});

test('a record goes to a function, which may fail', () => {
    const world = makePile();
    let size = 0;
    world.startRecording({ write: (bytes) => void (size += bytes.length), namesBodies: false });
    step(world, 3);
    assert.equal(world.stopRecording(), null);
    assert.ok(size > 1000);
    let isFull = false;
    world.startRecording({ write: () => !isFull });
    isFull = true;
    step(world, 5);
    assert.equal(world.isRecording, false);
    assert.throws(() => world.stopRecording(), { status: 'write' });
});

// --- memory ---

test('worlds that are destroyed give their memory back', async () => {
    const own = await load();
    const makeAndDestroy = () => {
        const world = makePile(own, 1000);
        step(world, 3);
        world.queryRayMany(new Float32Array(400).fill(1));
        world.load(world.save());
        const replay = new own.Replay(record(world));
        replay.advance();
        replay.destroy();
        world.destroy();
    };
    for (let i = 0; i < 5; ++i) {
        makeAndDestroy();
    }
    const size = own.memory.buffer.byteLength;
    for (let i = 0; i < 100; ++i) {
        makeAndDestroy();
    }
    assert.equal(own.memory.buffer.byteLength, size);
});

test('worlds that nothing refers to are freed', async () => {
    const own = await load();
    for (let i = 0; i < 60; ++i) {
        const world = makePile(own, 1000);
        step(world, 2);
        const replay = new own.Replay(record(world));
        replay.advance();
        global.gc();
        await sleep(1);
    }
    assert.ok(own.memory.buffer.byteLength < 60 * 2 ** 20, `${own.memory.buffer.byteLength} bytes`);
});
