// A body: an id with its world. All else is read from the library when it is asked for.
import { ContactList } from './lists.js';
import { refuse } from './errors.js';
import { handleOf } from './handle.js';
import { enums } from './layout.js';
import { codecOf, uint, uint64 } from './structs.js';

export class Body extends handleOf('Body') {
    get isAsleep() {
        const { address, library } = this.world;
        return library.calls.graze_body_is_asleep(address, this.id) !== 0;
    }

    get x() {
        return this.component('graze_body_position', 0);
    }

    get y() {
        return this.component('graze_body_position', 1);
    }

    get velocityX() {
        return this.component('graze_body_velocity', 0);
    }

    get velocityY() {
        return this.component('graze_body_velocity', 1);
    }

    component(call, index) {
        const { address, library } = this.world;
        library.calls[call](library.scratch, address, this.id);
        return library.f32[(library.scratch >>> 2) + index];
    }

    get contacts() {
        const { address, library } = this.world;
        library.calls.graze_body_contacts(library.scratch, address, this.id);
        return new ContactList(this.world).look(library.scratch);
    }

    applyImpulse(impulse, point = this.position) {
        const { address, library } = this.world;
        const at = library.vector.put(impulse, 'impulse');
        const place = library.second.put(point, 'point');
        library.check(library.calls.graze_body_apply_impulse(address, this.id, at, place));
    }

    applySpinImpulse(impulse) {
        const { address, library } = this.world;
        library.check(library.calls.graze_body_apply_spin_impulse(address, this.id, +impulse));
    }
}

// --- properties: a getter of the library and its setter ---

function property(name, getter, setter, read, write) {
    Object.defineProperty(Body.prototype, name, {
        configurable: true,
        enumerable: true,
        get() {
            const { address, library } = this.world;
            return read(library, library.calls[getter], address, this.id);
        },
        set(value) {
            const { address, library } = this.world;
            const argument = write(library, value, library.calls[getter], address, this);
            library.check(library.calls[setter](address, this.id, argument));
        },
    });
}

// What C has as a number.
function scalar(name, word, check, fromC = (value) => value, getter = `graze_body_${word}`) {
    property(name, getter, `graze_body_set_${word}`,
        (_, get, address, id) => fromC(get(address, id)),
        (_, value) => check(value, name));
}

function isNumber(value, name) {
    return typeof value === 'number' ? value : refuse(name, 'a number', value);
}

function isBoolean(value, name) {
    return typeof value === 'boolean' ? +value : refuse(name, 'a boolean', value);
}

function isResponse(value, name) {
    const index = enums.graze_response.indexOf(value);
    return index >= 0 ? index : refuse(name, `one of ${enums.graze_response.join(', ')}`, value);
}

// What C has as a struct; `place` is the library's argument for it. What is left out stays.
function struct(name, type, place) {
    property(name, `graze_body_${name}`, `graze_body_set_${name}`,
        (library, get, address, id) => {
            get(library.scratch, address, id);
            return codecOf(type).read(library, library.scratch);
        },
        (library, value, get, address, body) => {
            get(library[place].at, address, body.id);
            return library[place].change(value, name);
        });
}

const numbers = { angle: 'angle', spin: 'spin', mass: 'mass', inertia: 'inertia',
    friction: 'friction', restitution: 'restitution', damping: 'damping',
    spinDamping: 'spin_damping', gravityScale: 'gravity_scale', lifetime: 'lifetime' };
for (const [name, word] of Object.entries(numbers)) {
    scalar(name, word, isNumber);
}
scalar('hitLimit', 'hit_limit', uint, (value) => value >>> 0);
scalar('neverSleeps', 'never_sleeps', isBoolean, Boolean);
scalar('sensor', 'sensor', isBoolean, Boolean, 'graze_body_is_sensor');
scalar('response', 'response', isResponse, (value) => enums.graze_response[value]);
scalar('userData', 'user_data', (value, name) => BigInt.asIntN(64, uint64(value, name)),
    (value) => Number(BigInt.asUintN(64, value)));
struct('position', 'vec2', 'vector');
struct('velocity', 'vec2', 'vector');
struct('surface', 'graze_surface', 'surface');
struct('filter', 'graze_filter', 'filter');
struct('shape', 'graze_shape', 'shape');
