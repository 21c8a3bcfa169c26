// Structs between JavaScript's objects and the library's memory, by layout.js. A type's codec has
// read(library, address) and write(library, address, value, name). `name` is for messages: without
// one, those are not fit to be read, and a caller writes again to get them (Argument).
import { GrazeError, refuse } from './errors.js';
import { enums, structs } from './layout.js';

function number(value, name) {
    return typeof value === 'number' ? value : refuse(name, 'a number', value);
}

function whole(value, name, least, most) {
    const fits = Number.isInteger(value) && value >= least && value <= most;
    return fits ? value : refuse(name, `a whole number from ${least} to ${most}`, value);
}

export function uint(value, name) {
    return whole(value, name, 0, 0xffffffff);
}

// A number of 64 bits, as a BigInt.
export function uint64(value, name) {
    const big = typeof value === 'bigint' ? value
        : BigInt(whole(value, name, 0, Number.MAX_SAFE_INTEGER));
    return big >= 0n && big < 1n << 64n ? big : refuse(name, 'of 64 bits', value);
}

const scalars = {
    f32: {
        read: (library, at) => library.f32[at >>> 2],
        write(library, at, value, name) {
            library.f32[at >>> 2] = number(value, name);
        },
    },
    f64: {
        read: (library, at) => library.f64[at >>> 3],
        write(library, at, value, name) {
            library.f64[at >>> 3] = number(value, name);
        },
    },
    u32: {
        read: (library, at) => library.u32[at >>> 2],
        write(library, at, value, name) {
            library.u32[at >>> 2] = uint(value, name);
        },
    },
    i32: {
        read: (library, at) => library.u32[at >>> 2] | 0,
        write(library, at, value, name) {
            library.u32[at >>> 2] = whole(value, name, -0x80000000, 0x7fffffff);
        },
    },
    // Read as a number: exact up to 2^53.
    u64: {
        read: (library, at) => library.u32[at >>> 2] + 0x100000000 * library.u32[(at >>> 2) + 1],
        write(library, at, value, name) {
            const big = uint64(value, name);
            library.u32[at >>> 2] = Number(big & 0xffffffffn);
            library.u32[(at >>> 2) + 1] = Number(big >> 32n);
        },
    },
    bool: {
        read: (library, at) => library.u8[at] !== 0,
        write(library, at, value, name) {
            library.u8[at] = typeof value === 'boolean' ? +value : refuse(name, 'a boolean', value);
        },
    },
    text: { read: (library, at) => library.text(library.u32[at >>> 2]) },
    vec2: {
        read: (library, at) => [library.f32[at >>> 2], library.f32[(at >>> 2) + 1]],
        write(library, at, value, name) {
            const x = value?.[0] ?? value?.x, y = value?.[1] ?? value?.y;
            if (typeof x !== 'number' || typeof y !== 'number') {
                refuse(name, '[x, y] or {x, y}', value);
            }
            library.f32[at >>> 2] = x;
            library.f32[(at >>> 2) + 1] = y;
        },
    },
};

function enumCodec(names) {
    return {
        read: (library, at) => names[library.u32[at >>> 2]],
        write(library, at, value, name) {
            const index = names.indexOf(value);
            library.u32[at >>> 2] = index >= 0 ? index : refuse(name, `one of ${names.join(', ')}`,
                value);
        },
    };
}

function arrayCodec(codec, stride, count) {
    return {
        read: (library, at) =>
            Array.from({ length: count }, (_, i) => codec.read(library, at + i * stride)),
        write(library, at, value, name) {
            if (!(value?.length <= count)) {
                refuse(name, `an array of at most ${count}`, value);
            }
            for (let i = 0; i < value.length; ++i) {
                codec.write(library, at + i * stride, value[i], name && `${name}[${i}]`);
            }
        },
    };
}

function unknown(name, key, codecs) {
    const known = [...codecs.keys()].join(', ');
    throw new GrazeError('argument', `${name} has no field ${key}; there are ${known}`);
}

// What an object leaves out keeps what lies in memory; a field that the struct lacks is refused.
function structCodec({ fields }) {
    const codecs = new Map();
    for (const [name, { at, type, count }] of Object.entries(fields)) {
        if (type !== 'pointer' && name !== 'cookie') {
            const inner = codecOf(type);
            const codec = count ? arrayCodec(inner, sizeOf(type), count) : inner;
            codecs.set(name, { at, codec });
        }
    }
    return {
        read(library, at) {
            const object = {};
            for (const [name, field] of codecs) {
                object[name] = field.codec.read(library, at + field.at);
            }
            return object;
        },
        write(library, at, value, name) {
            if (typeof value !== 'object' || value === null) {
                refuse(name, 'an object', value);
            }
            for (const key in value) {
                const field = codecs.get(key) ?? unknown(name, key, codecs);
                if (value[key] !== undefined) {
                    const inner = name && `${name}.${key}`;
                    field.codec.write(library, at + field.at, value[key], inner);
                }
            }
        },
    };
}

export function sizeOf(type) {
    const sizes = { f64: 8, u64: 8, vec2: 8, bool: 1 };
    return structs[type]?.size ?? sizes[type] ?? 4;
}

const made = new Map(Object.entries(scalars));

export function codecOf(type) {
    if (!made.has(type)) {
        made.set(type, enums[type] ? enumCodec(enums[type]) : structCodec(structs[type]));
    }
    return made.get(type);
}

// Where a field lies, in bytes.
export function offsetOf(struct, field) {
    return structs[struct].fields[field].at;
}

// Writes a value, with a message that names what is wrong with it: as an element of a list, if it
// has an index.
export function writeNamed(codec, library, at, value, name, index = undefined) {
    try {
        codec.write(library, at, value);
    } catch {
        codec.write(library, at, value, index === undefined ? name : `${name}[${index}]`);
    }
}

// The place of an argument that is a struct; `defaults` is a call that returns what is left out.
export class Argument {
    constructor(library, type, defaults = null) {
        this.library = library;
        this.codec = codecOf(type);
        this.size = sizeOf(type);
        this.at = library.allocate(this.size);
        if (defaults) {
            library.calls[defaults](this.at);
            this.defaults = library.u8.slice(this.at, this.at + this.size);
        }
    }

    // Returns the address. The callee may use the place, so it is written for each call.
    put(value, name) {
        this.putDefaults(this.at);
        return this.change(value, name);
    }

    // What the value leaves out stays as it lies there.
    change(value, name) {
        writeNamed(this.codec, this.library, this.at, value, name);
        return this.at;
    }

    putDefaults(at) {
        if (this.defaults) {
            this.library.u8.set(this.defaults, at);
        }
    }
}
