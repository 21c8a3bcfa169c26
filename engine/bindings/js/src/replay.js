// Replaying a record, and finding the first step whose result differs.
import { GrazeError, refuse } from './errors.js';
import { enums } from './layout.js';
import { codecOf } from './structs.js';
import { World } from './world.js';

export class Replay {
    constructor(library, bytes) {
        if (!(bytes instanceof Uint8Array)) {
            refuse('Replay: the record', 'a Uint8Array', bytes);
        }
        this.library = library;
        this.record = library.allocate(bytes.length || 1);
        library.u8.set(bytes, this.record);
        this.pointer = this.create(bytes.length);
        this.world = new World(library, {}, library.calls.graze_replay_world(this.pointer) >>> 0);
        this.world.owner = this; // Who reads the world keeps the replay.
        const { calls, worlds } = library, { pointer, record } = this, { number } = this.world;
        library.registry.register(this, () => {
            release(calls, pointer, record);
            worlds.delete(number);
        }, this);
    }

    create(size) {
        const { calls, scratch } = this.library;
        const status = calls.graze_js_replay_create(this.record, size, 0, scratch);
        if (status !== 0) {
            calls.free(this.record);
        }
        this.library.check(status);
        return this.library.u32[scratch >>> 2];
    }

    get address() {
        if (!this.pointer) {
            throw new GrazeError('argument', 'the replay has been destroyed');
        }
        return this.pointer;
    }

    destroy() {
        if (this.pointer) {
            this.library.registry.unregister(this);
            release(this.library.calls, this.pointer, this.record);
            this.world.destroy();
            this.pointer = 0;
        }
    }

    advance() {
        this.world.forget();
        const state = this.library.calls.graze_replay_advance(this.address);
        return enums.graze_replay_state[state];
    }

    get status() {
        return enums.graze_status[this.library.calls.graze_replay_status(this.address)];
    }

    get message() {
        return this.library.text(this.library.calls.graze_replay_message(this.address) >>> 0);
    }

    get stepCount() {
        const count = this.library.calls.graze_replay_step_count(this.address);
        return Number(BigInt.asUintN(64, count));
    }

    get difference() {
        const { library } = this;
        library.calls.graze_replay_get_difference(library.scratch, this.address);
        return codecOf('graze_replay_difference').read(library, library.scratch);
    }
}

if (Symbol.dispose) {
    Replay.prototype[Symbol.dispose] = Replay.prototype.destroy;
}

function release(calls, pointer, record) {
    calls.graze_replay_destroy(pointer);
    calls.free(record);
}
