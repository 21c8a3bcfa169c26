// The playground's C program as WebAssembly: the page holds it, gzipped, once a set of lanes.

// A module with one SIMD instruction: engines without them refuse it.
const simdProbe = new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253,
    15, 253, 98, 11]);

export function chooseLanes(wish) {
    const best = WebAssembly.validate(simdProbe) ? 'simd128' : 'scalar';
    return wish === 'scalar' ? 'scalar' : best;
}

async function unpack(lanes) {
    const text = document.getElementById(`wasm-${lanes}`).textContent.trim();
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Response(stream).arrayBuffer();
}

// Of WASI the program needs the clock, and an environment, which is empty.
function makeImports(memoryOf) {
    const calls = {
        clock_time_get(clock, precision, result) {
            const nanoseconds = BigInt(Math.round(performance.now() * 1e6));
            new DataView(memoryOf()).setBigUint64(result, nanoseconds, true);
            return 0;
        },
        environ_sizes_get(count, size) {
            const view = new DataView(memoryOf());
            view.setUint32(count, 0, true);
            view.setUint32(size, 0, true);
            return 0;
        },
        environ_get: () => 0,
    };
    const notSupported = 52;
    return {wasi_snapshot_preview1: new Proxy(calls, {
        get: (known, name) => known[name] ?? (() => notSupported)})};
}

// The functions of playground.h: game.call('step') is play_step(), and so on. Typed views are made
// anew each time, since they end when memory grows.
class Game {
    constructor(instance) {
        this.exports = instance.exports;
        this.exports._initialize();
        this.pointer = this.exports.play_create(1);
        const count = this.exports.play_scene_count();
        this.scenes = Array.from({length: count}, (_, i) => ({
            name: this.text(this.exports.play_scene_name(i)),
            hint: this.text(this.exports.play_scene_hint(i))}));
    }

    get memory() {
        return this.exports.memory.buffer;
    }

    text(pointer) {
        const bytes = new Uint8Array(this.memory, pointer);
        return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
    }

    call(name, ...values) {
        return this.exports[`play_${name}`](this.pointer, ...values);
    }

    floats(pointer, count) {
        return new Float32Array(this.memory, pointer, count);
    }

    words(pointer, count) {
        return new Uint32Array(this.memory, pointer, count);
    }

    // The bytes of the record that ends here; none if there is none.
    endRecord() {
        const size = this.exports.malloc(4);
        const pointer = this.call('end_record', size);
        const bytes = new Uint8Array(this.memory, pointer, this.words(size, 1)[0]).slice();
        this.exports.free(size);
        return bytes;
    }

    hash() {
        return BigInt.asUintN(64, this.call('hash')).toString(16).padStart(16, '0');
    }

    view() {
        const [left, bottom, right, top] = this.floats(this.call('view'), 4);
        return {left, bottom, right, top};
    }

    report() {
        const values = Array.from(this.floats(this.call('measure'), 17));
        const [bodies, asleep, contacts, pairs, segments, kilobytes, cells, smallest, largest] =
            values;
        return {bodies, asleep, contacts, pairs, segments, kilobytes, cells, smallest, largest,
                phases: values.slice(9, 16), steps: values[16]};
    }

    // Null if memory ran out.
    frame(shown) {
        const pointer = this.call('draw', shown);
        if (!pointer) {
            return null;
        }
        const [positions, velocities, angles, indices, bodyCount, looks, lookCount, solids,
            solidCount, rays, rayCount, marks, markCount, terrainVersion, triangles, cornerCount,
            rims, rimCount, isRoom] = this.words(pointer, 19);
        return {positions, velocities, angles, indices, bodyCount, looks, lookCount, solids,
                solidCount, rays, rayCount, marks, markCount, terrainVersion, triangles,
                cornerCount, rims, rimCount, isRoom};
    }
}

export async function loadGame(lanes) {
    let instance = null;
    const imports = makeImports(() => instance.exports.memory.buffer);
    ({instance} = await WebAssembly.instantiate(await unpack(lanes), imports));
    return new Game(instance);
}
