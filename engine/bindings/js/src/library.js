// One instance of the WebAssembly: its memory, its calls, what it calls back, and its errors.
import { GrazeError } from './errors.js';
import { enums } from './layout.js';
import { Argument, codecOf } from './structs.js';

// Results are written to the scratch block; the id that most calls take is at its end.
const RESULT_SIZE = 512, ID_SIZE = 8;

const decoder = new TextDecoder();

export class Library {
    constructor() {
        this.worlds = new Map(); // WeakRefs, by the number that callbacks get.
        this.drawn = []; // Of the drawing that is going on: what a painter is called with.
        this.message = ''; // The last line of a log, and its status.
        this.logged = 0;
        this.thrown = null; // By a callback, to be thrown again when the library has returned.
        this.registry = new FinalizationRegistry((release) => release());
        this.imports = this.makeImports();
        this.lastNumber = 0;
    }

    // To be called once, with the exports of the instance that got `imports`.
    start(calls) {
        this.calls = calls;
        this.calls._initialize();
        this.scratch = this.allocate(RESULT_SIZE + ID_SIZE);
        this.id = this.scratch + RESULT_SIZE;
        this.list = { address: 0, size: 0 };
        this.makeArguments();
    }

    makeArguments() {
        const make = (type, defaults) => new Argument(this, type, defaults);
        this.vector = make('vec2');
        this.second = make('vec2');
        this.ray = make('graze_ray');
        this.box = make('graze_aabb');
        this.shape = make('graze_shape', 'graze_shape_ray');
        this.filter = make('graze_filter', 'graze_filter_default');
        this.surface = make('graze_surface', 'graze_surface_default');
        this.worldDef = make('graze_world_def', 'graze_world_def_default');
        this.bodyDef = make('graze_body_def', 'graze_body_def_default');
        this.chainDef = make('graze_chain_def', 'graze_chain_def_default');
    }

    // --- memory ---

    // Views of the memory. When that grows, the old ones have length 0.
    get u8() {
        return this.bytes?.length ? this.bytes : this.renew().bytes;
    }

    get u32() {
        return this.words?.length ? this.words : this.renew().words;
    }

    get f32() {
        return this.floats?.length ? this.floats : this.renew().floats;
    }

    get f64() {
        return new Float64Array(this.calls.memory.buffer);
    }

    renew() {
        const { buffer } = this.calls.memory;
        this.bytes = new Uint8Array(buffer);
        this.words = new Uint32Array(buffer);
        this.floats = new Float32Array(buffer);
        return this;
    }

    allocate(size) {
        const address = this.calls.malloc(size) >>> 0;
        if (!address) {
            throw new GrazeError('out_of_memory', `there is no room for ${size} bytes`);
        }
        return address;
    }

    // Memory that the next call of this function may use again.
    room(size) {
        if (size > this.list.size) {
            this.calls.free(this.list.address);
            this.list = { address: 0, size: 0 };
            this.list = { address: this.allocate(2 * size), size: 2 * size };
        }
        return this.list.address;
    }

    text(address) {
        const end = this.u8.indexOf(0, address);
        return decoder.decode(this.u8.subarray(address, end));
    }

    // Where an id goes as an argument. The callee may use the place: it is written for each call.
    putId(index, generation) {
        const { u32, id } = this;
        u32[id >>> 2] = index;
        u32[(id >>> 2) + 1] = generation;
        return id;
    }

    // --- errors ---

    check(status) {
        if (this.thrown || status !== 0) {
            this.fail(status);
        }
    }

    fail(status) {
        if (this.thrown) {
            this.throwAgain();
        }
        const message = this.message || this.text(this.calls.graze_status_text(status));
        this.message = '';
        throw new GrazeError(enums.graze_status[status], message);
    }

    throwAgain() {
        const { error } = this.thrown;
        this.thrown = null;
        throw error;
    }

    // --- callbacks ---

    // A number by which callbacks find the world or replay; it does not keep that alive.
    enter(thing) {
        this.worlds.set(++this.lastNumber, new WeakRef(thing));
        return this.lastNumber;
    }

    // Nothing may be thrown through the library: it would stay in the midst of a call. Nor may the
    // world be destroyed meanwhile.
    guard(world, call, otherwise) {
        ++world.callbacks;
        try {
            return call();
        } catch (error) {
            this.thrown ??= { error };
            return otherwise;
        } finally {
            --world.callbacks;
        }
    }

    makeImports() {
        const worldOf = (user) => this.worlds.get(user)?.deref();
        return {
            log: (status, message, user) => {
                this.message = this.text(message >>> 0);
                this.logged = status;
                const world = worldOf(user), { message: line } = this;
                if (world?.log) {
                    this.guard(world, () => world.log(enums.graze_status[status], line));
                }
            },
            filter: (_, a, b, segment, user) => {
                const world = worldOf(user);
                return this.guard(world, () => +!!world.filter(world.bodyFrom(a >>> 0),
                    world.bodyFrom(b >>> 0), world.chainFrom(segment >>> 0)), 1);
            },
            write: (bytes, size, user) => {
                const world = worldOf(user);
                const copy = this.u8.slice(bytes >>> 0, (bytes >>> 0) + size);
                return world ? +this.guard(world, () => world.write(copy) !== false, false) : 0;
            },
            ...this.makePainter(),
        };
    }

    // The numbers of an id: index, generation, and of a segment's which of the chain.
    idAt(address) {
        return this.u32.slice(address >>> 2, (address >>> 2) + 3);
    }

    // What is drawn is kept until the library has returned: a painter may do what it likes then.
    makePainter() {
        const paint = (name, type) => (shape, id) => {
            this.drawn.push([name, codecOf(type).read(this, shape >>> 0), this.idAt(id)]);
        };
        return {
            segment: paint('segment', 'graze_segment'),
            circle: paint('circle', 'graze_circle'),
            rect: paint('rect', 'graze_rect'),
            ray: paint('ray', 'graze_ray'),
            contact: (address) => void this.drawn.push(['contact', address >>> 0]),
        };
    }
}
