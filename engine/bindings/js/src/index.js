// Graze: physics for 2D games full of moving things and bullets. README.md is the manual.
import { GrazeError, refuse } from './errors.js';
import { makeGeometry } from './geometry.js';
import { version } from './layout.js';
import { Library } from './library.js';
import { Replay } from './replay.js';
import { World } from './world.js';

export { GrazeError, version };

// A function that has an instruction of simd128 in it.
const simdProbe = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0,
    10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);

export function hasSimd() {
    return WebAssembly.validate(simdProbe);
}

export const circle = (radius) => ({ kind: 'circle', radius });
export const rect = (halfX, halfY) => ({ kind: 'rect', half: [halfX, halfY] });
export const ray = () => ({ kind: 'ray' });

export async function load({ lanes, wasm } = {}) {
    if (![undefined, 'scalar', 'simd128'].includes(lanes)) {
        refuse('load: lanes', 'scalar or simd128', lanes);
    }
    const wanted = lanes ?? (hasSimd() ? 'simd128' : 'scalar');
    const module = await compile(wasm ?? await embedded(wanted));
    const library = new Library();
    const { exports } = await WebAssembly.instantiate(module, {
        graze: library.imports,
        wasi_snapshot_preview1: makeSystem(module, library),
    });
    library.start(exports);
    return makeGraze(library);
}

// --- where the WebAssembly comes from ---

// The import is of one file only, so that a bundler keeps the other one in a part of its own.
async function embedded(lanes) {
    const { base64 } = lanes === 'simd128' ? await import('./embedded_simd128.js')
        : await import('./embedded_scalar.js');
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

// A module, bytes, an address, or a response of fetch().
async function compile(wasm) {
    if (wasm instanceof WebAssembly.Module) {
        return wasm;
    }
    const source = await wasm;
    const isAddress = typeof source === 'string' || source instanceof URL;
    const answer = isAddress ? await fetch(source) : source;
    if (typeof Response === 'undefined' || !(answer instanceof Response)) {
        return WebAssembly.compile(answer);
    }
    if (!answer.ok) {
        throw new GrazeError('argument', `load: ${answer.url} gives ${answer.status}`);
    }
    return WebAssembly.compile(await answer.arrayBuffer());
}

// --- what the C library of WebAssembly imports ---

// A clock for the stats. There are no files and no environment: all other calls say so.
function makeSystem(module, library) {
    const known = {
        clock_time_get(_clock, _precision, at) {
            const nanoseconds = Math.round(performance.now() * 1e6);
            library.u32[at >>> 2] = nanoseconds % 2 ** 32;
            library.u32[(at >>> 2) + 1] = nanoseconds / 2 ** 32;
            return 0;
        },
        environ_get: () => 0,
        environ_sizes_get(count, size) {
            library.u32[count >>> 2] = 0;
            library.u32[size >>> 2] = 0;
            return 0;
        },
        proc_exit(status) {
            throw new GrazeError('argument', `the library has ended with ${status}`);
        },
    };
    const badFile = () => 8;
    const names = WebAssembly.Module.imports(module).map(({ name }) => name);
    return Object.fromEntries(names.map((name) => [name, known[name] ?? badFile]));
}

// --- what a game gets ---

function makeGraze(library) {
    const { calls } = library;
    return {
        World: class extends World {
            constructor(def) {
                super(library, def);
            }
        },
        Replay: class extends Replay {
            constructor(bytes) {
                super(library, bytes);
            }
        },
        GrazeError,
        circle,
        rect,
        ray,
        version: library.text(calls.graze_version_text()),
        get memory() {
            return calls.memory;
        },
        ...makeGeometry(library),
    };
}
