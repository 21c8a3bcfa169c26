// The tests of shapes that need no world: overlap, collide, cast, cross, orient. layout.js has
// their signatures; structs are passed by address. A struct that is the result is written to the
// first argument.
import { GrazeError } from './errors.js';
import { geometry, structs } from './layout.js';
import { codecOf, sizeOf } from './structs.js';

// What an argument may leave out.
const optional = { graze_rect: ['rotation'], graze_polygon: ['count'] };

function checkFields(value, type, name) {
    for (const key of Object.keys(structs[type].fields)) {
        if (value?.[key] === undefined && !optional[type]?.includes(key)) {
            throw new GrazeError('argument', `${name} has no ${key}`);
        }
    }
}

function completed(value, type) {
    if (type === 'graze_rect' && !value.rotation) {
        return { ...value, rotation: { cosine: 1, sine: 0 } };
    }
    return type === 'graze_polygon' ? { count: value.vertices.length, ...value } : value;
}

const results = { bool: (value) => value !== 0, f32: (value) => value, i32: (value) => value };

function makeCall(library, { name, result, parameters, names }) {
    const call = library.calls[name];
    const places = parameters.map((type) => type === 'f32' ? 0 : library.allocate(sizeOf(type)));
    const title = name.replace('graze_', '');
    const pass = (type, value, i) => {
        const what = `${title}: ${names[i]}`;
        if (type === 'f32') {
            return +value;
        }
        if (type !== 'vec2') {
            checkFields(value, type, what);
        }
        codecOf(type).write(library, places[i], completed(value, type), what);
        return places[i];
    };
    const size = sizeOf(result);
    return (...values) => {
        const words = parameters.map((type, i) => pass(type, values[i], i));
        if (results[result]) {
            return results[result](call(...words));
        }
        library.u8.fill(0, library.scratch, library.scratch + size);
        call(library.scratch, ...words);
        return codecOf(result).read(library, library.scratch);
    };
}

// All calls by their names, such as overlapCircles.
export function makeGeometry(library) {
    const calls = Object.entries(geometry).map(([name, item]) => [name, makeCall(library, item)]);
    return Object.fromEntries(calls);
}
