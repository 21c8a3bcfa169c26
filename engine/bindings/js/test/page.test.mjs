// The example page, in Chromium, from the folder into which the package was installed.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { load } from 'graze-physics';
import { hex } from './scene.mjs';

const chromium = '/usr/bin/chromium';
const types = { html: 'text/html', js: 'text/javascript', mjs: 'text/javascript',
    wasm: 'application/wasm' };

// Added to the page: it sends what it has put out.
const reporter = `<script type="module">
    const timer = setInterval(() => {
        const text = document.querySelector('output').textContent;
        if (text) {
            clearInterval(timer);
            fetch('/result', { method: 'POST', body: text });
        }
    }, 20);
</script>`;

async function answer({ url }, response) {
    try {
        const { pathname } = new URL(url, 'http://localhost');
        response.setHeader('Content-Type', types[pathname.split('.').pop()] ?? 'text/plain');
        response.write(await readFile(`.${pathname}`));
        response.end(pathname === '/index.html' ? reporter : '');
    } catch {
        response.writeHead(404).end();
    }
}

async function readBody(request) {
    let text = '';
    for await (const part of request) {
        text += part;
    }
    return text;
}

// Resolves to what the page puts out.
async function openPage(query) {
    const folder = await mkdtemp(`${tmpdir()}/graze-page-`);
    let report;
    const result = new Promise((resolve) => report = resolve);
    const server = createServer(async (request, response) => {
        if (request.method === 'POST') {
            report(await readBody(request));
        }
        await answer(request, response);
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const browser = spawn(chromium, ['--headless', '--no-sandbox', '--disable-gpu',
        `--user-data-dir=${folder}`, '--remote-debugging-port=0',
        `http://127.0.0.1:${server.address().port}/index.html${query}`], { stdio: 'ignore' });
    const ended = new Promise((resolve) => browser.once('exit', resolve));
    const timer = setTimeout(() => report('nothing within a minute'), 60000);
    const text = await Promise.race([result, ended.then(() => 'Chromium ended')]);
    clearTimeout(timer);
    browser.kill();
    await ended;
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    return text;
}

const skip = existsSync(chromium) ? false : 'there is no Chromium here';

test('the page runs in Chromium with the same bits', { skip }, async () => {
    const text = await openPage('?steps=120');
    const graze = await load();
    const { makeWorld } = await import('./world.mjs');
    const world = makeWorld(graze);
    for (let i = 0; i < 120; ++i) {
        world.step(1 / 60);
    }
    assert.equal(text, `1000 bodies, ${hex(world.hash())}`);
});
