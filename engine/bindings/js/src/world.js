// A world: bodies, terrain, and the step that moves them.
import { Body } from './body.js';
import { Chain } from './chain.js';
import { Contact } from './cursors.js';
import { GrazeError, refuse } from './errors.js';
import { enums } from './layout.js';
import { ContactEndList, ContactList, RemovalList } from './lists.js';
import * as queries from './queries.js';
import { codecOf, offsetOf, sizeOf, uint, writeNamed } from './structs.js';

const BODY_SIZE = sizeOf('graze_body_def'), ID_SIZE = sizeOf('graze_body_id');
const SURFACE_SIZE = sizeOf('graze_surface');
const POINTS = offsetOf('graze_chain_def', 'points');
const COUNT = offsetOf('graze_chain_def', 'count');
const SURFACES = offsetOf('graze_chain_def', 'surfaces');

export class World {
    // A world of an address is one that a replay owns.
    constructor(library, def = {}, address = 0) {
        this.library = library;
        this.number = library.enter(this);
        this.bodyHandles = [];
        this.chainHandles = [];
        this.contactList = new ContactList(this);
        this.endList = new ContactEndList(this);
        this.removalList = new RemovalList(this);
        this.views = new Map();
        this.rays = { address: 0, size: 0 };
        this.chunks = null;
        this.callbacks = 0; // Functions of the game that are being called from inside a call.
        this.owned = !address;
        this.pointer = address || this.create(def);
    }

    create({ log = null, filter = null, ...def }) {
        const { library, number } = this;
        for (const [name, call] of Object.entries({ log, filter })) {
            if (call !== null && typeof call !== 'function') {
                refuse(`World.${name}`, 'a function', call);
            }
        }
        this.log = log;
        this.filter = filter;
        const at = library.worldDef.put(def, 'World');
        const { calls, worlds } = library, { rays } = this;
        const pointer = calls.graze_js_world_create(at, filter ? 1 : 0, number) >>> 0;
        if (!pointer) {
            worlds.delete(number);
            library.fail(library.logged); // There is no world that would have a status.
        }
        library.registry.register(this, () => {
            calls.graze_world_destroy(pointer);
            calls.free(rays.address);
            worlds.delete(number);
        }, this);
        return pointer;
    }

    get address() {
        return this.pointer || gone();
    }

    destroy() {
        if (this.callbacks > 0) {
            throw new GrazeError('busy', 'destroy: the world is in the midst of a call');
        }
        if (this.pointer && this.owned) {
            const { calls, registry } = this.library;
            registry.unregister(this);
            calls.graze_world_destroy(this.pointer);
            calls.free(this.rays.address);
        }
        this.library.worlds.delete(this.number);
        this.pointer = 0;
        this.forget();
    }

    // Views of what the last step reported are empty from now on.
    forget() {
        this.contactList.clear();
        this.endList.clear();
        this.removalList.clear();
    }

    // --- the step ---

    step(dt) {
        const { address, library } = this;
        this.forget();
        library.check(library.calls.graze_world_step(address, +dt));
    }

    get gravity() {
        this.library.calls.graze_world_gravity(this.library.scratch, this.address);
        return codecOf('vec2').read(this.library, this.library.scratch);
    }

    set gravity(gravity) {
        const at = this.library.vector.put(gravity, 'gravity');
        this.library.check(this.library.calls.graze_world_set_gravity(this.address, at));
    }

    get substeps() {
        return this.library.calls.graze_world_substeps(this.address);
    }

    set substeps(count) {
        this.library.check(this.library.calls.graze_world_set_substeps(this.address,
            uint(count, 'substeps')));
    }

    explode(center, radius, impulse, filter = {}) {
        const { address, library } = this;
        const at = library.vector.put(center, 'center');
        const only = library.filter.put(filter, 'filter');
        library.check(library.calls.graze_world_explode(address, at, +radius, +impulse, only));
    }

    sort() {
        this.library.check(this.library.calls.graze_world_sort(this.address));
    }

    get stats() {
        const { address, library } = this;
        library.calls.graze_world_get_stats(library.scratch, address);
        const stats = codecOf('graze_world_stats').read(library, library.scratch);
        const times = stats.phaseSeconds.map((seconds, i) => [enums.graze_phase[i], seconds]);
        return { ...stats, phaseSeconds: Object.fromEntries(times) };
    }

    // --- bodies ---

    createBody(def = {}) {
        const { address, library } = this;
        const at = library.bodyDef.put(def, 'createBody');
        library.calls.graze_body_create(library.scratch, address, at);
        return this.bodyFrom(library.scratch) ?? this.failed();
    }

    createBodies(defs) {
        const { address, library } = this;
        const count = Array.isArray(defs) ? defs.length
            : refuse('createBodies: defs', 'an array', defs);
        const { bodyDef } = library;
        const at = library.room(count * (BODY_SIZE + ID_SIZE)), ids = at + count * BODY_SIZE;
        for (let i = 0; i < count; ++i) {
            const place = at + i * BODY_SIZE;
            bodyDef.putDefaults(place);
            writeNamed(bodyDef.codec, library, place, defs[i], 'createBodies', i);
        }
        if (library.calls.graze_body_create_many(address, at, count, ids) >>> 0 !== count) {
            this.failed();
        }
        return Array.from({ length: count }, (_, i) => this.bodyFrom(ids + i * ID_SIZE));
    }

    failed() {
        this.library.fail(this.library.calls.graze_world_last_status(this.address));
    }

    bodyAt(index) {
        const { address, library } = this;
        library.calls.graze_world_body_at(library.scratch, address, uint(index, 'index'));
        return this.bodyFrom(library.scratch);
    }

    *bodies() {
        for (const index of this.indices.slice()) {
            const body = this.bodyAt(index);
            if (body) {
                yield body;
            }
        }
    }

    // The body of an id in memory, null for none. There is one object for each body.
    bodyFrom(at) {
        const { u32 } = this.library;
        return this.bodyOf(u32[at >>> 2], u32[(at >>> 2) + 1]);
    }

    bodyOf(index, generation) {
        if (generation === 0) {
            return null;
        }
        const known = this.bodyHandles[index];
        return known?.generation === generation ? known
            : this.bodyHandles[index] = new Body(this, index, generation);
    }

    // --- terrain ---

    createChain(def) {
        const { address, library } = this;
        const { points, surfaces, ...rest } = def;
        const at = library.chainDef.put(rest, 'createChain');
        const count = points?.length / (typeof points?.[0] === 'number' ? 2 : 1);
        if (!Number.isInteger(count)) {
            refuse('createChain.points', 'an array of [x, y], or of x and y in turn', points);
        }
        const room = library.room(8 * count + SURFACE_SIZE * (surfaces?.length ?? 0));
        this.putPoints(points, room, count);
        library.u32[(at + POINTS) >>> 2] = room;
        library.u32[(at + COUNT) >>> 2] = count;
        if (surfaces) {
            library.u32[(at + SURFACES) >>> 2] = room + 8 * count;
            this.putSurfaces(surfaces, room + 8 * count, rest.loop ? count : count - 1);
        }
        library.calls.graze_chain_create(library.scratch, address, at);
        return this.chainFrom(library.scratch) ?? this.failed();
    }

    putPoints(points, at, count) {
        const { library } = this;
        if (typeof points[0] === 'number') {
            library.f32.set(points, at >>> 2);
            return;
        }
        const codec = codecOf('vec2');
        for (let i = 0; i < count; ++i) {
            writeNamed(codec, library, at + 8 * i, points[i], 'createChain.points', i);
        }
    }

    putSurfaces(surfaces, at, count) {
        const { library } = this;
        if (surfaces.length !== count) {
            throw new GrazeError('argument',
                `createChain.surfaces has ${surfaces.length}, and there are ${count} segments`);
        }
        surfaces.forEach((surface, i) => {
            const place = at + i * SURFACE_SIZE;
            library.surface.putDefaults(place);
            library.surface.codec.write(library, place, surface, `createChain.surfaces[${i}]`);
        });
    }

    // The chain of a segment's or chain's id in memory, null for none.
    chainFrom(at) {
        const { u32 } = this.library;
        return this.chainOf(u32[at >>> 2], u32[(at >>> 2) + 1]);
    }

    chainOf(index, generation) {
        if (generation === 0) {
            return null;
        }
        const known = this.chainHandles[index];
        return known?.generation === generation ? known
            : this.chainHandles[index] = new Chain(this, index, generation);
    }

    // --- columns ---

    get bodyCount() {
        return this.column('graze_world_indices', Uint32Array, 1).length;
    }

    get positions() {
        return this.column('graze_world_positions', Float32Array, 2);
    }

    get velocities() {
        return this.column('graze_world_velocities', Float32Array, 2);
    }

    get angles() {
        return this.column('graze_world_angles', Float32Array, 1);
    }

    get indices() {
        return this.column('graze_world_indices', Uint32Array, 1);
    }

    // The view that was made before, unless the column is elsewhere or of another length now.
    column(call, View, width) {
        const { address, library } = this;
        const at = library.calls[call](address, library.scratch) >>> 0;
        const length = width * library.u32[library.scratch >>> 2];
        const { buffer } = at ? library.u8 : noMemory;
        const known = this.views.get(call);
        if (known && known.buffer === buffer && known.length === length &&
            known.byteOffset === at) {
            return known;
        }
        // No memory is read where there is no column: what is missing is all zeros.
        const made = at ? new View(buffer, at, length) : new View(length);
        this.views.set(call, made);
        return made;
    }

    // --- what the last step reported ---

    get contacts() {
        return this.look(this.contactList, 'graze_world_contacts');
    }

    get contactEnds() {
        return this.look(this.endList, 'graze_world_contact_ends');
    }

    get removals() {
        return this.look(this.removalList, 'graze_world_removals');
    }

    look(list, call) {
        this.library.calls[call](this.library.scratch, this.address);
        return list.look(this.library.scratch);
    }

    contactFrom(at) {
        const contact = new Contact(this);
        contact.address = at;
        return contact;
    }

    // --- queries ---

    queryRay(origin, delta, filter) {
        return queries.rayClosest(this, origin, delta, filter);
    }

    queryRayAll(origin, delta, filter) {
        return queries.rayAll(this, origin, delta, filter);
    }

    queryRayMany(rays, filter) {
        return queries.rayMany(this, rays, filter);
    }

    queryPoint(point, filter) {
        return queries.point(this, point, filter);
    }

    queryBox(lower, upper, filter) {
        return queries.box(this, lower, upper, filter);
    }

    queryNearest(point, radius, filter, most) {
        return queries.nearest(this, point, radius, filter, most);
    }

    queryCast(shape, from, delta, angle = 0, filter = undefined) {
        return queries.cast(this, shape, from, angle, delta, filter);
    }

    // --- snapshots and records ---

    hash() {
        return BigInt.asUintN(64, this.library.calls.graze_world_hash(this.address));
    }

    get snapshotSize() {
        return this.library.calls.graze_world_snapshot_size(this.address) >>> 0;
    }

    save(into = undefined) {
        const { address, library } = this;
        const size = this.snapshotSize;
        if (into && !(into.length >= size)) {
            throw new GrazeError('limit', `save: into has ${into.length} bytes, not ${size}`);
        }
        const at = library.room(size);
        library.check(library.calls.graze_world_save(address, at, size));
        const bytes = library.u8.subarray(at, at + size);
        if (!into) {
            return bytes.slice();
        }
        into.set(bytes);
        return into.subarray(0, size);
    }

    load(bytes) {
        const { address, library } = this;
        if (!(bytes instanceof Uint8Array)) {
            refuse('load: the snapshot', 'a Uint8Array', bytes);
        }
        const at = library.room(bytes.length);
        library.u8.set(bytes, at);
        this.forget();
        library.check(library.calls.graze_world_load(address, at, bytes.length));
    }

    get isRecording() {
        return this.library.calls.graze_record_is_on(this.address) !== 0;
    }

    startRecording({ write = null, namesBodies = true } = {}) {
        const { address, library, number } = this;
        if (this.isRecording) {
            throw new GrazeError('busy', 'startRecording: the world is being recorded already');
        }
        const chunks = [];
        this.chunks = write ? null : chunks;
        this.write = write ?? ((bytes) => void chunks.push(bytes));
        library.check(library.calls.graze_js_record_start(address, namesBodies ? 1 : 0, number));
    }

    // Returns the record, unless the game's own function has got it.
    stopRecording() {
        const { address, library } = this;
        library.check(library.calls.graze_record_stop(address));
        const { chunks } = this;
        this.chunks = null;
        return chunks && join(chunks);
    }

    // --- drawing ---

    debugDraw(painter) {
        const { address, library } = this;
        library.drawn = [];
        library.calls.graze_js_debug_draw(address, 0);
        for (const [name, shape, id] of library.drawn) {
            this.paint(painter, name, shape, id);
        }
    }

    paint(painter, name, shape, id) {
        if (name === 'contact') {
            painter.contact?.(this.contactFrom(shape));
        } else if (name === 'segment') {
            painter.segment?.(shape, this.chainOf(id[0], id[1]), id[2]);
        } else {
            painter[name]?.(shape, this.bodyOf(id[0], id[1]));
        }
    }
}

if (Symbol.dispose) {
    World.prototype[Symbol.dispose] = World.prototype.destroy;
}

const noMemory = { buffer: null };

function gone() {
    throw new GrazeError('argument', 'the world has been destroyed');
}

function join(chunks) {
    const bytes = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.length, 0));
    let size = 0;
    for (const chunk of chunks) {
        bytes.set(chunk, size);
        size += chunk.length;
    }
    return bytes;
}
