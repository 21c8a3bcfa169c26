// What calls from JavaScript cost. Where the package is installed: node bench.mjs [scalar|simd128]
import { load } from 'graze-physics';

const graze = await load({ lanes: process.argv[2] });

// Prints the least time of some runs, of which each does something `count` times.
function measure(name, count, run) {
    let least = Infinity;
    for (let i = 0; i < 15; ++i) {
        const begin = performance.now();
        run();
        least = Math.min(least, performance.now() - begin);
    }
    console.log(`${name.padEnd(44)}${(least * 1e6 / count).toFixed(1).padStart(12)} ns`);
}

function makeBullets(count) {
    const world = new graze.World();
    const side = Math.ceil(Math.sqrt(count));
    world.createBodies(Array.from({ length: count }, (_, i) => ({ shape: graze.ray(), mass: 0,
        position: [3 * (i % side), 3 * Math.floor(i / side)], response: 'pass',
        velocity: [i % 7 - 3, i % 5 - 2] })));
    return world;
}

const COUNT = 10000;

function addBodies(create) {
    return () => {
        const world = new graze.World({ bodyCapacity: COUNT });
        create(world);
        world.destroy();
    };
}

const shape = graze.circle(0.5);
measure('an empty world, made and destroyed', 1, () => new graze.World().destroy());
measure('createBody, a def of three fields', COUNT, addBodies((world) => {
    for (let i = 0; i < COUNT; ++i) {
        world.createBody({ shape, position: [i, 0], velocity: [1, 0] });
    }
}));
const defs = Array.from({ length: COUNT }, (_, i) =>
    ({ shape, position: [i, 0], velocity: [1, 0] }));
measure('createBodies, likewise', COUNT, addBodies((world) => world.createBodies(defs)));

const world = makeBullets(COUNT), bodies = [...world.bodies()];
let sum = 0;
measure('body.x', COUNT, () => bodies.forEach((body) => sum += body.x));
measure('body.position', COUNT, () => bodies.forEach((body) => sum += body.position[0]));
measure('body.mass', COUNT, () => bodies.forEach((body) => sum += body.mass));
measure('body.velocity = [x, y]', COUNT, () => bodies.forEach((body, i) => {
    body.velocity = [i % 7 - 3, 1];
}));
measure('world.positions, and one element of each body', COUNT, () => {
    const { positions } = world;
    for (let i = 0; i < positions.length; i += 2) {
        sum += positions[i];
    }
});

const empty = new graze.World();
measure('a step of an empty world', 1000, () => {
    for (let i = 0; i < 1000; ++i) {
        empty.step(1 / 60);
    }
});
const bullets = makeBullets(20000);
measure('a step of 20 000 bullets', 10, () => {
    for (let i = 0; i < 10; ++i) {
        bullets.step(1 / 60);
    }
});
const { phaseSeconds } = bullets.stats;
const inside = Object.values(phaseSeconds).reduce((all, seconds) => all + seconds);
console.log(`  of the last one, ${(inside * 1e9).toFixed(0)} ns in the phases of the library`);

const pile = new graze.World({ gravity: [0, -10] });
pile.createChain({ points: [[-500, 0], [500, 0]] });
pile.createBodies(Array.from({ length: 900 }, (_, i) => ({ position: [i - 450, 0.5] })));
pile.step(1 / 60);
measure('a contact of a loop, three fields', 100 * pile.contacts.length, () => {
    for (let i = 0; i < 100; ++i) {
        for (const contact of pile.contacts) {
            sum += contact.impulse + contact.pointX + contact.aIndex;
        }
    }
});
measure('contact.a of each', pile.contacts.length, () => {
    for (const { a } of pile.contacts) {
        sum += a.index;
    }
});
console.log(sum === 0.5 ? '' : ''); // Used, so that nothing is left out.
