// The programs of README.md are run as they stand there, with a canvas that counts.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';

const blocks = [...(await readFile('README.md', 'utf8')).matchAll(/^```js\n(.*?)^```$/gms)]
    .map(([, code]) => code);

function makePage() {
    const page = { arcs: 0, places: [], frames: [] };
    const canvas = {
        getContext: () => ({ clearRect() {}, beginPath() {}, moveTo() {}, fill() {},
            arc(x, y) {
                ++page.arcs;
                page.places.push([x, y]);
            } }),
    };
    globalThis.document = { querySelector: () => canvas };
    globalThis.requestAnimationFrame = (frame) => page.frames.push(frame);
    return page;
}

async function runBlock(number) {
    await writeFile(`readme_${number}.mjs`, blocks[number]);
    await import(`./readme_${number}.mjs`);
}

test('the first program draws a thousand bodies in ten lines', async () => {
    const page = makePage();
    assert.ok(blocks[0].trimEnd().split('\n').length <= 10);
    await runBlock(0);
    for (let i = 0; i < 200; ++i) {
        page.arcs = 0;
        page.places = [];
        page.frames.shift()();
        assert.equal(page.arcs, 1000);
    }
    assert.ok(page.places.every(([x, y]) => x > 0 && x < 800 && y > -100 && y < 600));
    assert.ok(page.places.filter(([, y]) => y > 400).length > 250);
});

for (let number = 1; number < blocks.length; ++number) {
    test(`program ${number} of the README runs`, () => runBlock(number));
}
