// Scenes that C plays, too: hashes.txt of engine/bindings and of tests/golden have their hashes.

export function hex(number) {
    return number.toString(16).padStart(16, '0');
}

// --- bindings_scene.c ---

function makeWorld(graze) {
    return new graze.World({ gravity: [0, -10] });
}

function bodyDef(graze, i) {
    const def = { position: [i % 40 * 1.25 - 24.375, 2 + Math.floor(i / 40) * 1.25], userData: i };
    if (i % 3 === 0) {
        return { ...def, shape: graze.rect(0.5, 0.375), angle: i % 16 * 0.125 };
    }
    return i % 3 === 1 ? def : { ...def, shape: graze.circle(0.375), response: 'bounce',
        surface: { restitution: 0.5 } };
}

function shoot(graze, world, step) {
    world.createBody({ shape: graze.ray(), position: [-25, 8],
        velocity: [100, Math.floor(step / 10) % 8 * 4 - 20], mass: 0.125, response: 'stop',
        hitLimit: 1, lifetime: 2 });
}

function reload(graze, world) {
    const loaded = makeWorld(graze);
    loaded.load(world.save());
    world.destroy();
    return loaded;
}

function playStep(graze, world, step) {
    if (step % 10 === 1) {
        shoot(graze, world, step);
    }
    if (step === 101) {
        world.explode([0, 0], 10, 20);
    }
    const next = step === 151 ? reload(graze, world) : world;
    if (step === 201) {
        next.queryBox([-5, -5], [5, 5]).forEach((body) => body.destroy());
    }
    next.step(1 / 64);
    return next;
}

// Returns the lines of hashes.txt.
export function playBindingsScene(graze) {
    let world = makeWorld(graze), contacts = 0, removals = 0, lines = '';
    world.createChain({ points: [[-30, 30], [-28, 0], [0, -2], [28, 0], [30, 30]] });
    world.createBodies(Array.from({ length: 1000 }, (_, i) => bodyDef(graze, i)));
    for (let step = 1; step <= 300; ++step) {
        world = playStep(graze, world, step);
        contacts += world.contacts.length;
        removals += world.removals.length;
        if (step % 100 === 0) {
            lines += `${step} ${hex(world.hash())} ${contacts} ${removals}\n`;
        }
    }
    world.destroy();
    return lines;
}

// --- golden_pyramid() of tests/golden, with its tape ---

const factor = 0x9E3779B97F4A7C15n, mask = (1n << 64n) - 1n;
const bits = new DataView(new ArrayBuffer(4));

class Tape {
    constructor() {
        this.hash = 0n;
        this.snapshots = 0n;
    }

    add(number) {
        const mixed = ((this.hash ^ number) * factor) & mask;
        this.hash = mixed ^ (mixed >> 29n);
    }

    addFloat(number) {
        bits.setFloat32(0, number);
        this.add(BigInt(bits.getUint32(0)));
    }

    addId(thing) {
        this.add(thing ? BigInt(thing.index) << 32n | BigInt(thing.generation) : 0n);
    }

    addPair({ a, b, chain, segmentIndex }) {
        this.addId(a);
        this.addId(b);
        this.addId(chain);
        this.add(BigInt(segmentIndex));
    }

    addContact(contact) {
        this.addPair(contact);
        const { time, point, normal, depth, approach, impulse, phase, flags } = contact;
        [time, ...point, ...normal, depth, approach, impulse].forEach((x) => this.addFloat(x));
        this.add((phase === 'stay' ? 1n << 32n : 0n) | BigInt(flags));
    }

    step(world) {
        world.step(1 / 60);
        this.add(0n);
        this.add(world.hash());
        this.add(BigInt(world.contacts.length));
        for (const contact of world.contacts) {
            this.addContact(contact);
        }
        this.add(BigInt(world.contactEnds.length));
        for (const end of world.contactEnds) {
            this.addPair(end);
        }
    }

    reload(graze, world) {
        const bytes = world.save();
        for (const byte of bytes) {
            this.snapshots = ((this.snapshots ^ BigInt(byte)) * 0x100000001b3n) & mask;
        }
        const loaded = makeWorld(graze);
        loaded.load(bytes);
        world.destroy();
        return loaded;
    }
}

// Returns the line of hashes.txt, or of hashes_short.txt.
export function playPyramid(graze, { isShort }) {
    const tape = new Tape(), rows = 20;
    let world = makeWorld(graze);
    world.createChain({ points: [[-40, 30], [-40, 0], [-3, 0], [4, 0], [40, 0], [40, 30]] });
    for (let row = 0; row < rows; ++row) {
        for (let i = row; i < rows; ++i) {
            const x = i - 0.5 * (rows - 1 + row);
            world.createBody({ shape: graze.rect(0.5, 0.5), position: [x, 0.5 + row] });
        }
    }
    world.createBody({ shape: graze.circle(1), position: [-18, 5], velocity: [60, 0], mass: 50 });
    for (let step = 1; step <= (isShort ? 30 : 300); ++step) {
        tape.step(world);
        if (step % (isShort ? 30 : 300) === 0) {
            world = tape.reload(graze, world);
        }
    }
    world.destroy();
    return `pyramid ${hex(tape.hash)} ${hex(tape.snapshots)}`;
}
