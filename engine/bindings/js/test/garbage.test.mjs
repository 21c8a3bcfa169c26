// What a loop over contacts leaves to the garbage. Apart from other tests: what V8 compiles depends on
// all that the process has done before. Needs node --expose-gc.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import v8 from 'node:v8';
import { load } from 'graze-physics';

const graze = await load();

// Code that is not compiled yet makes a number on the heap for each field that is read. So V8 compiles
// the loop here and now, not at a time of its own: natives of V8, which are no part of JavaScript.
v8.setFlagsFromString('--allow-natives-syntax');
const compile = new Function('loop', `
    %PrepareFunctionForOptimization(loop);
    loop();
    %OptimizeFunctionOnNextCall(loop);
    loop();`);

// Node 18 makes them always.
const skip = parseInt(process.versions.node) < 20 && 'an older compiler';

test('a compiled loop over contacts makes no garbage', { skip }, () => {
    const world = new graze.World({ gravity: [0, -10] });
    world.createChain({ points: [[-20, 20], [-20, 0], [20, 0], [20, 20]] });
    world.createBodies(Array.from({ length: 100 }, (_, i) =>
        ({ position: [i % 10 * 1.1 - 5, 1 + i / 10] })));
    for (let i = 0; i < 100; ++i) {
        world.step(1 / 60);
    }
    const read = () => {
        let sum = 0;
        for (let i = 0; i < 1000; ++i) {
            for (const contact of world.contacts) {
                sum += contact.impulse + contact.pointX + contact.aIndex;
            }
            sum += world.positions[0];
        }
        return sum;
    };
    assert.ok(world.contacts.length >= 50);
    // No collection comes between: it drops code that knows objects that have gone.
    global.gc();
    compile(read);
    const before = process.memoryUsage().heapUsed;
    assert.ok(read() > 0);
    const made = process.memoryUsage().heapUsed - before;
    assert.ok(0 < made && made <= 500_000, `${made} bytes in 1000 loops`);
});
