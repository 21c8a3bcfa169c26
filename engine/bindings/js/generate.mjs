// Makes, from engine/api/api.json, what the package has of the C headers:
//
//   node generate.mjs API.json OUTPUT-FOLDER
//
// package/src/layout.js   where the fields of structs lie in wasm32, names of enums, geometry calls
// package/src/cursors.js  items of lists, such as contacts
// package/index.d.ts      types/index.d.in.ts with the fields and the comments of the headers
// package/package.json    with the version of version.h
// exports.txt             the functions that the WebAssembly has to export
// graze_js_layout.c       static asserts: the C compiler has every field where layout.js has it
//
// It fails if a function of the API has no place in the types and is not left out below.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const [apiFile, output] = process.argv.slice(2);
const api = JSON.parse(readFileSync(apiFile, 'utf8'));

// Headers of which only C has the functions, and functions for which JavaScript has something else.
const leftOutHeaders = ['grid.h', 'segment_grid.h', 'many.h', 'sweep.h', 'sweep_turn.h', 'vec2.h'];
const leftOut = ['graze_world_last_status', 'graze_body_restitution', 'graze_body_friction',
    'graze_rect_get_vertices', 'graze_rect_from_vertices', 'graze_shape_circle', 'graze_shape_rect',
    'graze_shape_ray', 'graze_phase_name'];
const geometryHeaders = ['cast.h', 'collide.h', 'cross.h', 'orient.h', 'overlap.h'];
const asGeometry = ['graze_rotation_from_angle'];

// Of GRAZE_PHASE_COUNT and the like JavaScript has no need: arrays know their length.
const enums = new Map(api.enums.map((item) => [item.name, { ...item,
    constants: item.constants.filter(({ name }) => !name.endsWith('_COUNT')) }]));
const structs = new Map(api.structs.map((item) => [item.name, item]));
const functions = new Map(api.functions.map((item) => [item.name, item]));

function fail(message) {
    console.error(`generate.mjs: ${message}`);
    process.exit(1);
}

// --- names ---

// hit_limit is hitLimit.
function camel(name) {
    return name.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());
}

// graze_body_def is BodyDef.
const otherNames = { graze_response: 'BodyResponse' };
function typeName(name) {
    const short = camel(name.replace(/^graze/, ''));
    return otherNames[name] ?? short[0].toUpperCase() + short.slice(1);
}

// GRAZE_CONTACT_BEGIN is begin: without the words that all constants of the enum begin with.
function constantNames(item) {
    const words = item.constants.map(({ name }) => name.split('_'));
    let shared = 0;
    while (words.every((word) => word.length > shared + 1 && word[shared] === words[0][shared])) {
        ++shared;
    }
    const names = words.map((word) => word.slice(shared).join('_').toLowerCase());
    return names.map((name) => name.replace(/^error_|^by_/, ''));
}

// --- layout.js ---

const scalars = { float: 'f32', double: 'f64', uint32_t: 'u32', int32_t: 'i32', int: 'i32',
    uint64_t: 'u64', size_t: 'u32', bool: 'bool', graze_vec2: 'vec2', 'const char *': 'text' };

function fieldType(type) {
    return scalars[type] ?? (type.includes('*') ? 'pointer' : type);
}

// Anonymous unions and structs are no more than their fields.
function flatFields(fields) {
    return fields.flatMap((field) => flatten(field.union ?? field.struct) ?? [field]);
    function flatten(inner) {
        return inner && flatFields(inner);
    }
}

function structLayout(struct) {
    const fields = {};
    for (const field of flatFields(struct.fields)) {
        const entry = { at: field.offset.wasm32, type: fieldType(field.type) };
        if (field.array) {
            entry.count = field.array[0];
        }
        fields[camel(field.name)] = entry;
    }
    return { size: struct.size.wasm32, fields };
}

const inScope = api.structs.filter(({ header }) => !leftOutHeaders.includes(header) ||
    header === 'vec2.h');

function isGeometry({ name, header }) {
    return geometryHeaders.includes(header) || asGeometry.includes(name);
}

// A polygon is passed by a pointer, other structs by value, which is a pointer in wasm32, too.
function geometrySignature({ name, result, parameters }) {
    const types = parameters.map(({ type }) => fieldType(type.replace(/^const (\w+) \*$/, '$1')));
    return { name, result: fieldType(result), parameters: types,
        names: parameters.map((parameter) => parameter.name) };
}

function inlineless({ inline }) {
    return !inline;
}

const geometry = api.functions.filter(isGeometry).filter(inlineless);

function makeLayout() {
    const entries = inScope.map((struct) => [struct.name, structLayout(struct)]);
    const names = [...enums.values()].filter(({ name }) => name)
        .map((item) => [item.name, constantNames(item)]);
    const calls = geometry.map((item) => [camel(item.name.replace('graze_', '')),
        geometrySignature(item)]);
    const lines = [
        '// Made by generate.mjs from api.json.',
        `export const version = ${JSON.stringify(api.version)};`,
        ...[['structs', entries], ['enums', names], ['geometry', calls]].map(([name, pairs]) =>
            `export const ${name} = {\n${pairs.map(([key, value]) =>
                `    ${key}: ${JSON.stringify(value)},\n`).join('')}};`),
    ];
    return lines.join('\n') + '\n';
}

// --- cursors.js ---

// The getters of a field. A vector also has its components, which need no array: pointX, pointY.
function makeGetters({ name, type, offset: { wasm32: at } }) {
    const kind = fieldType(type), key = name === 'id' ? 'body' : camel(name);
    const word = `this.library.u32[this.address + ${at} >>> 2]`;
    const float = (more) => `this.library.f32[this.address + ${at + more} >>> 2]`;
    const known = {
        f32: { [key]: float(0) },
        u32: { [key]: word },
        vec2: { [key]: `[${float(0)}, ${float(4)}]`, [`${key}X`]: float(0), [`${key}Y`]: float(4) },
        graze_body_id: { [key]: `this.world.bodyFrom(this.address + ${at})`,
            [`${key}Index`]: word },
        graze_segment_id: { chain: `this.world.chainFrom(this.address + ${at})`,
            segmentIndex: `this.library.u32[this.address + ${at + 8} >>> 2]` },
    };
    return known[kind] ?? { [key]: `enums.${kind}[${word}]` };
}

// Each flag of a contact: isSensor.
function flagGetters() {
    const item = enums.get('graze_contact_flag');
    return Object.fromEntries(constantNames(item).map((name, i) => [camel(`is_${name}`),
        `(this.flags & ${item.constants[i].value}) !== 0`]));
}

function makeCursor(name) {
    const fields = structs.get(name).fields.map(makeGetters);
    const getters = Object.assign({}, ...fields, name === 'graze_contact' && flagGetters());
    const lines = Object.entries(getters).map(([key, value]) => `
    get ${key}() {
        return ${value};
    }
`);
    return `
export class ${typeName(name)} {
    constructor(world) {
        this.world = world;
        this.library = world.library;
        this.address = 0;
    }
${lines.join('')}
    toJSON() {
        return codecOf('${name}').read(this.library, this.address);
    }
}
`;
}

function makeCursors() {
    const names = ['graze_contact', 'graze_contact_end', 'graze_removal', 'graze_query_hit'];
    return `// Made by generate.mjs from api.json: what an item of a list reads where it lies.
import { enums } from './layout.js';
import { codecOf } from './structs.js';
${names.map(makeCursor).join('')}`;
}

function makeLayoutCheck() {
    const lines = inScope.flatMap((struct) => [
        `_Static_assert(sizeof(${struct.name}) == ${struct.size.wasm32}, "${struct.name}");`,
        ...flatFields(struct.fields).map(({ name, offset }) =>
            `_Static_assert(offsetof(${struct.name}, ${name}) == ${offset.wasm32}, ` +
            `"${struct.name}.${name}");`),
    ]);
    for (const { name, constants } of enums.values()) {
        constants.forEach((item, index) => {
            if (name && !name.endsWith('_flag') && item.value !== index) {
                fail(`${name} does not count from 0: its names cannot be an array`);
            }
        });
    }
    return '#include "graze.h"\n\n#include <stddef.h>\n\n' + lines.join('\n') + '\n';
}

// --- index.d.ts ---

const template = readFileSync(join(here, 'types/index.d.in.ts'), 'utf8').split('\n');
const places = new Map(); // Of C functions and types in TypeScript, for what comments name.
const covered = new Set();

// The words after `/// @doc` and `/// @covers` are C names; the next line's first name is theirs.
function readPlaces() {
    let owner = '';
    for (let i = 0; i < template.length; ++i) {
        owner = /^export (?:interface|class) (\w+)/.exec(template[i])?.[1] ?? owner;
        const words = /^\s*\/\/\/ @(?:doc|covers) (.*)$/.exec(template[i])?.[1];
        if (!words) {
            continue;
        }
        let next = i + 1;
        while (template[next].trim().startsWith('///')) {
            ++next;
        }
        const member = /^\s*(?:export |function |interface |class |readonly |get |set )*(\w+)/
            .exec(template[next])[1];
        for (const word of words.split(' ')) {
            covered.add(word);
            const inside = template[next].startsWith(' ') && owner !== 'Geometry';
            places.set(word, inside ? `${owner}.${member}` : member);
        }
    }
}

const wordsOfFields = new Set(inScope.flatMap(({ fields }) => flatFields(fields))
    .map(({ name }) => name).filter((name) => name.includes('_')));
const wordsOfConstants = new Map([...enums.values()].flatMap((item) => constantNames(item))
    .map((name) => [name.toUpperCase(), name]));

// A comment of C, with the names of JavaScript. A def's defaults are what an empty object means.
function translate(doc) {
    return doc
        .replace(/ \(\w+\.h(, \w+)?\)/g, '')
        .replace(/^Sizes as shape\.h states\. /, '')
        .replace(/ ?(Start from|See) (graze_\w+_default\(\)|Steering below)\./g, '')
        .replace(/^surface\.h\. /, '')
        .replace(/\bgraze_\w+_default\(\)/g, '{}')
        .replace(/\bgraze_\w+(\(\))?/g, (name) => translateName(name.replace('()', '')))
        .replace(/\bGRAZE_\w+/g, (name) => constantPlace(name))
        .replace(/\b[A-Z_]{2,}\b/g, (word) => wordsOfConstants.has(word)
            ? `'${wordsOfConstants.get(word)}'` : word)
        .replace(/\b[a-z]+_[a-z_]+\b/g, (word) => wordsOfFields.has(word) ? camel(word) : word)
        .replace(/\*\//g, '* /');
}

function translateName(name) {
    if (places.has(name)) {
        return places.get(name);
    }
    const known = inScope.some((struct) => struct.name === name) || enums.has(name);
    return known ? typeName(name) : name;
}

function constantPlace(constant) {
    for (const item of enums.values()) {
        const index = item.constants.findIndex(({ name }) => name === constant);
        if (index >= 0 && item.name) {
            return `'${constantNames(item)[index]}'`;
        }
    }
    return constant;
}

function docOf(name) {
    const item = functions.get(name) ?? structs.get(name) ?? enums.get(name) ??
        fail(`index.d.in.ts names ${name}, which is not in api.json`);
    const shared = item.doc_of && functions.get(item.doc_of).doc;
    return [shared, item.doc].filter(Boolean).join('\n');
}

// Lines as wide as the comments of this tree. What has a table or a list stays as it is.
function wrap(text, width) {
    if (/\n[ -]|\n\n/.test(text)) {
        return text;
    }
    const lines = [''];
    for (const word of text.split(/\s+/)) {
        const longer = `${lines.at(-1)} ${word}`.trim();
        if (longer.length > width) {
            lines.push(word);
        } else {
            lines[lines.length - 1] = longer;
        }
    }
    return lines.join('\n');
}

function comment(indent, text) {
    if (!text.includes('\n') && indent.length + text.length < 93) {
        return [`${indent}/** ${text} */`];
    }
    const lines = text.split('\n').map((line) => `${indent} * ${line}`.trimEnd());
    return [`${indent}/**`, ...lines, `${indent} */`];
}

const inputTypes = { f32: 'number', f64: 'number', u32: 'number', i32: 'number', bool: 'boolean',
    u64: 'number | bigint', vec2: 'Vec2Like', text: 'string' };
const outputTypes = { ...inputTypes, u64: 'number', vec2: 'Vec2' };

function memberType(field, types) {
    const kind = fieldType(field.type);
    const name = types[kind] ?? typeName(kind);
    return field.array ? `${name.includes(' ') ? `(${name})` : name}[]` : name;
}

function isPlain({ name, type }) {
    return name !== 'cookie' && type !== 'graze_segment_id' &&
        (!type.includes('*') || type === 'const char *') && !type.startsWith('graze_allocator');
}

// `/// @fields NAME [in] [except...]`: the fields of a struct; those of "in" may be missing.
function makeFields(indent, [name, ...words]) {
    const optional = words[0] === 'in';
    const types = optional ? inputTypes : outputTypes;
    const fields = flatFields(structs.get(name).fields).filter(isPlain)
        .filter((field) => !words.includes(field.name));
    return fields.flatMap((field) => [
        ...(field.doc ? comment(indent, wrap(translate(field.doc), 96 - indent.length)) : []),
        `${indent}${optional ? '' : 'readonly '}${camel(field.name)}${optional ? '?' : ''}: ` +
            `${memberType(field, types)};`,
    ]);
}

function makeEnum(indent, [name]) {
    const item = enums.get(name);
    const names = constantNames(item);
    const docs = item.constants.map(({ doc }, i) => doc &&
        wrap(`- '${names[i]}': ${translate(doc.replace(/\n/g, ' '))}`, 94).replace(/\n/g, '\n  '));
    const doc = [translate(item.doc), '', ...docs.filter(Boolean)].join('\n').trim();
    return [...comment(indent, doc),
        `export type ${typeName(name)} = ${names.map((word) => `'${word}'`).join(' | ')};`];
}

function makeGeometry(indent) {
    return geometry.flatMap((item) => {
        const parameters = item.parameters.map(({ name, type }) => `${camel(name)}: ` +
            memberType({ type: type.replace(/^const (\w+) \*$/, '$1') }, inputTypes));
        const result = item.name === 'graze_rotation_from_angle' ? 'Rotation'
            : memberType({ type: item.result }, outputTypes);
        covered.add(item.name);
        return [...comment(indent, translate(docOf(item.name))),
            `${indent}${camel(item.name.replace('graze_', ''))}(${parameters.join(', ')}): ` +
                `${result};`];
    });
}

const makers = { fields: makeFields, enum: makeEnum, geometry: makeGeometry };

// Of a property: what it is, not what a function returns.
function ofProperty(doc) {
    return doc.replace(/^Returns (\w)/, (_, letter) => letter.toUpperCase());
}

// The lines of a comment block of the template, from `///` to the line that it is about.
function makeBlock(indent, words, about) {
    const text = [], made = [];
    const adapt = /^\s+(readonly )?\w+: /.test(about) ? ofProperty : (doc) => doc;
    for (const line of words) {
        const [, word, names] = /^@(\w+) ?(.*)$/.exec(line) ?? [];
        if (makers[word]) {
            made.push(...makers[word](indent, names.split(' ')));
        } else if (word === 'doc') {
            const docs = names.split(' ').map((name) => adapt(translate(docOf(name))));
            text.push(...(text.length ? [''] : []), ...new Set(docs.filter(Boolean)));
        } else if (word !== 'covers') {
            text.push(line);
        }
    }
    return [...made, ...(text.length ? comment(indent, text.join('\n')) : [])];
}

function makeTypes() {
    readPlaces();
    geometry.forEach(({ name }) => places.set(name, camel(name.replace('graze_', ''))));
    const lines = [];
    for (let i = 0; i < template.length; ++i) {
        const indent = /^(\s*)\/\/\//.exec(template[i])?.[1];
        if (indent === undefined) {
            lines.push(template[i]);
            continue;
        }
        const words = [];
        for (; /^\s*\/\/\//.test(template[i]); ++i) {
            words.push(template[i].replace(/^\s*\/\/\/ ?/, ''));
        }
        lines.push(...makeBlock(indent, words, template[i]));
        --i;
    }
    return lines.join('\n');
}

function checkCoverage() {
    const missing = api.functions.filter(inlineless)
        .filter(({ name, header }) => !leftOutHeaders.includes(header) && !leftOut.includes(name))
        .map(({ name }) => name)
        .filter((name) => !covered.has(name) && !name.endsWith('_default'));
    if (missing.length) {
        fail(`these are neither in index.d.in.ts nor left out: ${missing.join(', ')}`);
    }
}

// --- all ---

const own = readFileSync(join(here, 'src/graze_js.c'), 'utf8').match(/\bgraze_js_\w+(?=\()/g);
const exported = api.functions.filter(inlineless).map(({ name, header }) => [name, header])
    .filter(([, header]) => !leftOutHeaders.includes(header)).map(([name]) => name);

function write(file, text) {
    mkdirSync(dirname(join(output, file)), { recursive: true });
    writeFileSync(join(output, file), text);
}

write('package/src/layout.js', makeLayout());
write('package/src/cursors.js', makeCursors());
write('package/index.d.ts', makeTypes());
checkCoverage();
write('package/package.json', readFileSync(join(here, 'package.json'), 'utf8')
    .replace('"0.0.0"', JSON.stringify(api.version)));
write('exports.txt', ['malloc', 'free', ...new Set(own), ...exported].join('\n') + '\n');
write('graze_js_layout.c', makeLayoutCheck());
