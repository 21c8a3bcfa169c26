#!/usr/bin/env node
// Plays the playground's page in a real browser, without a window:
//
//   check_page.mjs PAGE.html PROGRAM GRAZE MODULES PICTURES
//
// PROGRAM is graze_playground, whose hashes must be the page's; GRAZE is the program graze, which
// replays what the page records. MODULES is the folder in which npm
// installed playwright-core; PICTURES is where screenshots go. What is expected is an error if it
// fails. Speeds are printed only, since other programs slow them down.

import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';

const [pagePath, program, graze, modules, pictures] =
    process.argv.slice(2).map((path) => resolve(path));
const {chromium} = createRequire(join(modules, 'package.json'))('playwright-core');
const scratch = mkdtempSync(join(tmpdir(), 'graze-playground-'));
const desktop = {viewport: {width: 1280, height: 720}};
const phone = {viewport: {width: 390, height: 844}, deviceScaleFactor: 2, hasTouch: true,
               isMobile: true};
const faults = [];

function expect(isTrue, claim) {
    if (!isTrue) {
        throw new Error(`not so: ${claim}`);
    }
}

// What the native program says: after so many steps, and with the touches, if any.
function playNatively(scene, steps, touches) {
    const file = join(scratch, 'touches.txt');
    writeFileSync(file, (touches ?? []).map((line) => `${line}\n`).join(''));
    const text = execFileSync(program, [scene, steps, 2, 0, file].map(String), {encoding: 'utf8'});
    return text.match(/^hash +([0-9a-f]{16})$/m)[1];
}

async function open(browser, kind, wishes) {
    const context = await browser.newContext(kind);
    const page = await context.newPage();
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
        if (message.type() === 'error') {
            faults.push(message.text());
        }
    });
    page.on('request', (request) => {
        if (!request.url().startsWith(`file://${pagePath}`) && !/^(data|blob):/.test(request.url())) {
            faults.push(`the page asks for ${request.url()}`);
        }
    });
    await page.goto(`file://${pagePath}#${wishes}`);
    await page.waitForFunction(() => window.playground?.drawn > 1);
    return page;
}

const start = (page, scene) => page.evaluate((name) => {
    playground.start(name);
    playground.setPaused(true);
}, scene);

// Steps, without waiting for frames; then what was drawn of it.
const play = (page, steps) => page.evaluate(async (count) => {
    playground.step(count);
    const drawn = playground.drawn;
    while (playground.drawn < drawn + 2) {
        await new Promise(requestAnimationFrame);
    }
    return playground.game.hash();
}, steps);

// The same, with the panel's chart as it is in a game that is watched.
const playWatched = async (page, steps) => {
    await page.evaluate((count) => {
        for (let i = 0; i < count; i += 2) {
            playground.step(2);
            playground.panel.show(playground.game);
        }
    }, steps - 2);
    return play(page, 2);
};

async function checkHashes(browser, lanes, steps) {
    const page = await open(browser, desktop, `paused&lanes=${lanes}`);
    expect(await page.evaluate(() => playground.lanes) === lanes, `the lanes are ${lanes}`);
    const scenes = await page.evaluate(() => playground.game.scenes.map(({name}) => name));
    expect(scenes.length === 9, 'there are nine scenes');
    for (const scene of scenes) {
        await start(page, scene);
        const hash = await play(page, steps);
        const native = playNatively(scene, steps);
        expect(hash === native, `${scene} after ${steps} steps: ${hash} in the page (${lanes}), ` +
            `${native} natively`);
    }
    console.log(`hashes     ${scenes.length} scenes, ${steps} steps, ${lanes}: as natively`);
    await page.context().close();
}

// The colours of a screenshot, and how many of its pixels are bright.
const look = (page, picture) => page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], {type: 'image/png'}));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const pen = canvas.getContext('2d');
    pen.drawImage(bitmap, 0, 0);
    const words = new Uint32Array(pen.getImageData(0, 0, bitmap.width, bitmap.height).data.buffer);
    const lightOf = (word) => (word & 255) + (word >> 8 & 255) + (word >> 16 & 255);
    const bright = words.filter((word) => lightOf(word) > 300);
    return {colors: new Set(words).size, bright: bright.length / words.length};
}, picture.toString('base64'));

// Of the canvas alone: bars and panel are never blank.
async function checkPicture(page, name) {
    const hide = (isHidden) => page.addStyleTag({content:
        `body > :not(canvas) { visibility: ${isHidden ? 'hidden' : 'inherit'} !important }`});
    const style = await hide(true);
    const {colors, bright} = await look(page, await page.screenshot());
    await style.evaluate((element) => element.remove());
    expect(colors > 100 && bright > 0.004, `${name} is no blank picture (${colors} colours, ` +
        `${(100 * bright).toFixed(2)} % bright)`);
}

async function takePicture(page, name) {
    await checkPicture(page, name);
    const path = join(pictures, `playground-${name}.png`);
    await page.screenshot({path});
    execFileSync('pngquant', ['--force', '--speed', '1', '--nofs', '--strip', '--output', path,
                              '160', path]);
    console.log(`picture    ${path} (${Math.round(statSync(path).size / 1000)} kB)`);
}

// From a point of the world to another by mouse, with steps in between.
async function dragWithMouse(page, from, to) {
    const place = ([x, y]) => page.evaluate(([a, b]) => playground.camera.toPage(a, b), [x, y]);
    const begin = await place(from);
    const end = await place(to);
    await page.mouse.move(begin.x, begin.y);
    await page.mouse.down();
    for (let i = 1; i <= 12; ++i) {
        await page.mouse.move(begin.x + (end.x - begin.x) * i / 12,
                              begin.y + (end.y - begin.y) * i / 12);
        await page.evaluate(() => playground.step(2));
    }
    await page.mouse.up();
}

// The crate on top of the pyramid flies far, and the native program finds the same.
async function checkDrag(browser) {
    const page = await open(browser, desktop, 'paused&scene=pyramid');
    await play(page, 20);
    await dragWithMouse(page, [0, 19.5], [-9, 21]);
    const hash = await play(page, 40);
    const touches = await page.evaluate(() => playground.touches);
    const steps = await page.evaluate(() => playground.game.call('step_number'));
    expect(touches.length > 10, 'the mouse is noted');
    expect(hash === playNatively('pyramid', steps, touches), 'a drag gives the native hash');
    expect(hash !== playNatively('pyramid', steps), 'a drag moves a crate');
    const left = await page.evaluate(() => {
        const frame = playground.game.frame(0);
        const places = playground.game.floats(frame.positions, 2 * frame.bodyCount);
        return places.filter((x, i) => i % 2 === 0).reduce((least, x) => Math.min(least, x));
    });
    expect(left < -11, `a crate was thrown to the left (${left})`);
    console.log('drag       throws a crate, hash as natively');
    await page.context().close();
}

async function checkTools(browser) {
    const page = await open(browser, desktop, 'paused&scene=digging');
    await play(page, 30);
    await page.keyboard.press('5');
    await dragWithMouse(page, [20, 20], [30, 10]);
    await page.click('button[data-tool="2"]');
    await dragWithMouse(page, [40, 26], [46, 28]);
    await page.click('button[data-tool="3"]');
    await dragWithMouse(page, [50, 20], [50, 19]);
    await page.click('button[data-tool="1"]');
    await dragWithMouse(page, [32, 12], [33, 12]);
    const hash = await play(page, 30);
    const touches = await page.evaluate(() => playground.touches);
    const steps = await page.evaluate(() => playground.game.call('step_number'));
    expect(hash === playNatively('digging', steps, touches), 'tools give the native hash');
    await checkPicture(page, 'digging');
    await page.fill('#past', '10');
    const past = await page.evaluate(() => [playground.game.call('step_number'),
                                            playground.game.hash()]);
    expect(past[1] === playNatively('digging', past[0], touches), 'a rewind gives the past hash');
    console.log('tools      dig, draw, explode, shoot, rewind: hashes as natively');
    await page.context().close();
}

async function checkSwitches(browser) {
    const page = await open(browser, desktop, 'paused&scene=pit');
    await play(page, 300);
    const counts = [];
    for (const box of await page.locator('#shown input').all()) {
        await box.setChecked(true);
        counts.push(await page.evaluate(() => playground.game.frame(playground.shown()).markCount));
    }
    expect(counts[0] > 100 && counts[3] > counts[0] && counts[4] > counts[3] + 100, `marks are drawn (${counts})`);
    await play(page, 1);
    await takePicture(page, 'debug');
    await page.fill('#gravity', '5');
    await page.fill('#substeps', '8');
    const set = await page.evaluate(() => [playground.game.call('gravity'),
                                           playground.game.call('substeps')]);
    expect(set[0] === 5 && set[1] === 8, 'gravity and substeps are set');
    await page.click('#single');
    expect(await page.evaluate(() => playground.game.call('step_number')) === 302, 'one step');
    await page.click('#restart');
    await page.click('#pause');
    await page.waitForFunction(() => playground.game.call('step_number') > 3);
    await page.context().close();
}

// A record of the page replays natively, with the same hash at each step.
async function checkRecord(browser) {
    const page = await open(browser, desktop, 'paused&scene=tumbler');
    await play(page, 20);
    await page.click('#record');
    await play(page, 60);
    await page.evaluate(() => playground.rewind(40));
    const hash = await play(page, 50);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#record')]);
    const path = join(scratch, download.suggestedFilename());
    await download.saveAs(path);
    const text = execFileSync(graze, ['replay', path], {encoding: 'utf8'});
    expect(text.includes(hash), `graze replay ends with the hash ${hash}:\n${text}`);
    console.log('record     saved by the page, graze replay gives the same hashes');
    await page.context().close();
}

async function measureSpeed(browser) {
    const page = await open(browser, desktop, 'paused&scene=bullets&bullets=20000');
    const result = await page.evaluate(async () => {
        playground.step(300);
        const begin = performance.now();
        playground.step(200);
        const steps = 200000 / (performance.now() - begin);
        playground.setPaused(false);
        const wait = async (milliseconds) => {
            const end = performance.now() + milliseconds;
            while (performance.now() < end) {
                await new Promise(requestAnimationFrame);
            }
        };
        await wait(3500); // So that it has found out what this machine can draw.
        const drawn = playground.drawn;
        const since = performance.now();
        await wait(2500);
        return {steps, frames: (playground.drawn - drawn) * 1000 / (performance.now() - since),
                bodies: playground.game.frame(0).bodyCount};
    });
    expect(result.bodies > 20000, `there are 20 000 bullets (${result.bodies} bodies)`);
    console.log(`speed      20 000 bullets: ${result.steps.toFixed(0)} steps a second (goal 200)` +
        `, ${result.frames.toFixed(1)} frames a second in software (goal 15)`);
    await page.context().close();
}

// Keys: the hero runs and jumps; what it did natively gives the same.
async function playPlatformer(browser) {
    const page = await open(browser, desktop, 'paused&scene=platformer');
    await playWatched(page, 10);
    await page.keyboard.down('ArrowRight');
    for (const [steps, jump] of [[30], [30, true], [30], [30, true], [60], [22, true], [24],
                                 [16, true]]) {
        await page.keyboard[jump ? 'down' : 'up']('ArrowUp');
        await playWatched(page, steps);
    }
    const hash = await page.evaluate(() => playground.game.hash());
    const touches = await page.evaluate(() => playground.touches);
    const steps = await page.evaluate(() => playground.game.call('step_number'));
    expect(hash === playNatively('platformer', steps, touches), 'keys give the native hash');
    expect(hash !== playNatively('platformer', steps), 'keys move the hero');
    await page.evaluate(() => playground.showAll());
    await takePicture(page, 'platformer');
    await page.context().close();
}

async function takeBullets(browser) {
    const page = await open(browser, desktop, 'paused&scene=bullets');
    await playWatched(page, 270);
    await takePicture(page, 'bullets');
    await page.context().close();
}

async function takeCrates(browser) {
    const page = await open(browser, desktop, 'paused&scene=pit');
    await playWatched(page, 520);
    await takePicture(page, 'crates');
    await page.context().close();
}

// Two fingers that part make all larger, and use no tool.
async function checkPinch(page) {
    const client = await page.context().newCDPSession(page);
    const touch = (type, places) => client.send('Input.dispatchTouchEvent', {
        type, touchPoints: places.map(([x, y], id) => ({x, y, id}))});
    const before = await page.evaluate(() => [playground.camera.scale, playground.game.hash()]);
    await touch('touchStart', [[180, 400]]);
    await touch('touchStart', [[180, 400], [210, 430]]);
    await touch('touchMove', [[150, 370], [240, 460]]);
    await touch('touchMove', [[120, 340], [270, 490]]);
    await touch('touchEnd', []);
    const after = await page.evaluate(() => playground.camera.scale);
    expect(after > 3 * before[0], `two fingers zoom (from ${before[0]} to ${after})`);
    await page.tap('#fit');
    expect(await page.evaluate(() => playground.camera.scale) === before[0], 'all is shown again');
}

// On a phone nothing is cut off, and a finger explodes.
async function checkPhone(browser) {
    const page = await open(browser, phone, 'paused&scene=pit');
    await play(page, 420);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide <= phone.viewport.width, `the page is as wide as the phone (${wide})`);
    for (const id of ['tools', 'time', 'scenes']) {
        const box = await page.locator(`#${id}`).boundingBox();
        expect(box.x >= 0 && box.x + box.width <= phone.viewport.width &&
               box.y + box.height <= phone.viewport.height, `#${id} is on the screen`);
    }
    await page.tap('button[data-tool="3"]');
    const before = await page.evaluate(() => playground.game.hash());
    await page.touchscreen.tap(195, 420);
    expect(before !== await page.evaluate(() => playground.game.hash()), 'a finger explodes');
    await play(page, 12);
    await takePicture(page, 'phone');
    await checkPinch(page);
    await page.tap('#panel-toggle');
    await page.locator('#panel').waitFor({state: 'visible'});
    await start(page, 'platformer');
    await page.tap('#panel-toggle');
    expect(await page.locator('#keys button').first().isVisible(), 'there are keys on the screen');
    await page.context().close();
}

const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox']});
try {
    await checkHashes(browser, 'simd128', 600);
    await checkHashes(browser, 'scalar', 200);
    await checkDrag(browser);
    await checkTools(browser);
    await checkSwitches(browser);
    await checkRecord(browser);
    await playPlatformer(browser);
    await takeCrates(browser);
    await takeBullets(browser);
    await checkPhone(browser);
    await measureSpeed(browser);
    expect(faults.length === 0, `the browser's console has no errors: ${faults.join('; ')}`);
    console.log('playground in Chromium: all as it should be');
} catch (error) {
    console.error([`check_page: ${error.message}`, ...faults].join('\nconsole: '));
    process.exitCode = 1;
} finally {
    await browser.close();
    rmSync(scratch, {recursive: true});
}
