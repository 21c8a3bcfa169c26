// The programs of README.md are run as they stand there, with a canvas that counts.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';

const blocks = [...(await readFile('README.md', 'utf8')).matchAll(/^```js\n(.*?)^```$/gms)]
    .map(([, code]) => code);

function makePage() {
    const page = { places: [], frames: [] };
    const canvas = {
        getContext: () => ({
            clearRect: () => page.places = [],
            fillRect: (x, y, width, height) => page.places.push([x + width / 2, y + height / 2]),
        }),
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
        assert.equal(page.places.length, 1000);
        page.frames.shift()();
    }
    assert.ok(page.places.every(([x, y]) => x > 0 && x < 800 && y > -100 && y < 600));
    assert.ok(page.places.filter(([, y]) => y > 400).length > 250);
});

test('the second program does what it says', async (context) => {
    const { mock } = context.mock.method(console, 'assert');
    await runBlock(1);
    assert.equal(blocks.length, 2);
    assert.deepEqual(mock.calls.map(({ arguments: [fine] }) => fine), [true, true, true, true]);
});
