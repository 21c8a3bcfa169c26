// The bits are those of the library in C, with both lanes.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { load } from 'graze-physics';
import { playBindingsScene, playPyramid } from './scene.mjs';

const root = process.env.GRAZE_ROOT;

async function lineOf(file, scene) {
    const lines = (await readFile(`${root}/tests/golden/${file}`, 'utf8')).split('\n');
    return lines.find((line) => line.startsWith(`${scene} `));
}

for (const lanes of ['scalar', 'simd128']) {
    test(`${lanes}: the scene of all bindings has its hashes`, async () => {
        const graze = await load({ lanes });
        const expected = await readFile(`${root}/engine/bindings/hashes.txt`, 'utf8');
        assert.equal(playBindingsScene(graze), expected);
    });

    test(`${lanes}: the golden pyramid has its hashes`, async () => {
        const graze = await load({ lanes });
        const isShort = lanes === 'scalar';
        const file = isShort ? 'hashes_short.txt' : 'hashes.txt';
        assert.equal(playPyramid(graze, { isShort }), await lineOf(file, 'pyramid'));
    });
}
