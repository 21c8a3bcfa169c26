// Views of what the library lists: contacts, ends, removals, hits. An item is a cursor, a small
// object that reads its fields where they lie. A loop makes one cursor, not one an item.
import { enums, structs } from './layout.js';
import { codecOf } from './structs.js';

class Cursor {
    constructor(world) {
        this.world = world;
        this.address = 0;
    }

    float(at) {
        return this.world.library.f32[(this.address + at) >> 2];
    }

    word(at) {
        return this.world.library.u32[(this.address + at) >> 2];
    }

    vector(at) {
        return [this.float(at), this.float(at + 4)];
    }
}

// --- what the structs have ---

const readers = {
    f32: (at) => function read() {
        return this.float(at);
    },
    u32: (at) => function read() {
        return this.word(at);
    },
    vec2: (at) => function read() {
        return this.vector(at);
    },
    graze_body_id: (at) => function read() {
        return this.world.bodyFrom(this.address + at);
    },
};

function readerOf({ at, type }) {
    const names = enums[type];
    return readers[type]?.(at) ?? function read() {
        return names[this.word(at)];
    };
}

// Of a vector there are the components, too, which need no array: pointX, pointY.
function getters(name, field) {
    const found = { [name]: readerOf(field) };
    if (field.type === 'vec2') {
        found[`${name}X`] = readers.f32(field.at);
        found[`${name}Y`] = readers.f32(field.at + 4);
    }
    if (field.type === 'graze_body_id') {
        found[`${name}Index`] = readers.u32(field.at);
    }
    return found;
}

// A segment is a chain, or null, and its index in that.
function segmentGetters(at) {
    return {
        chain() {
            return this.world.chainFrom(this.address + at);
        },
        segmentIndex: readers.u32(at + 8),
    };
}

// The class of a struct's cursors.
function cursorOf(struct) {
    const made = class extends Cursor {};
    for (const [name, field] of Object.entries(structs[struct].fields)) {
        const found = field.type === 'graze_segment_id' ? segmentGetters(field.at)
            : getters(name, field);
        for (const [key, get] of Object.entries(found)) {
            Object.defineProperty(made.prototype, key, { get, enumerable: true });
        }
    }
    made.prototype.toJSON = function toJSON() {
        return codecOf(struct).read(this.world.library, this.address);
    };
    return made;
}

export const Contact = cursorOf('graze_contact');
const flags = { isSensor: 1, isBlocked: 2, isSpent: 4, isDropped: 8 };
for (const [name, bit] of Object.entries(flags)) {
    Object.defineProperty(Contact.prototype, name, {
        enumerable: true,
        get() {
            return (this.flags & bit) !== 0;
        },
    });
}

// --- lists ---

class Loop {
    constructor(list) {
        this.list = list;
        this.result = { done: false, value: new list.Item(list.world) };
        this.item = this.result.value;
        this.item.address = list.address - list.stride;
        this.left = list.length;
    }

    next() {
        const { result } = this;
        if (this.left > 0) {
            --this.left;
            this.item.address += this.list.stride;
        } else {
            result.done = true;
            result.value = undefined;
        }
        return result;
    }

    [Symbol.iterator]() {
        return this;
    }
}

function listOf(struct, Item) {
    return class List {
        constructor(world) {
            this.world = world;
            this.clear();
        }

        // Looks at `count` items at an address.
        show(address, count) {
            this.address = address;
            this.length = count;
            return this;
        }

        // Looks at a list of C, which is an address and a count.
        look(at) {
            const { u32 } = this.world.library;
            return this.show(u32[at >> 2], u32[(at >> 2) + 1]);
        }

        clear() {
            return this.show(0, 0);
        }

        // The item is the list's own, and another one after the next call.
        at(index) {
            if (!(index >= 0 && index < this.length)) {
                return undefined;
            }
            this.item ??= new Item(this.world);
            this.item.address = this.address + index * this.stride;
            return this.item;
        }

        [Symbol.iterator]() {
            return new Loop(this);
        }

        get stride() {
            return structs[struct].size;
        }

        get Item() {
            return Item;
        }
    };
}

export const ContactList = listOf('graze_contact', Contact);
export const ContactEndList = listOf('graze_contact_end', cursorOf('graze_contact_end'));
export const RemovalList = listOf('graze_removal', cursorOf('graze_removal'));
export const HitList = listOf('graze_query_hit', cursorOf('graze_query_hit'));
