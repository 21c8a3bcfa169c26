// The playground's page: loads the program, plays it at 60 steps a second, and draws it.
//
// The address may say what to begin with: #scene=pit, #bullets=100000, #lanes=scalar, #paused.

import {Camera} from './camera.js';
import {Input, tools} from './input.js';
import {Panel} from './panel.js';
import {Renderer} from './renderer.js';
import {chooseLanes, loadGame} from './wasm.js';

const stepSeconds = 1 / 60;
const mostStepsAFrame = 3;
const leastRate = 22; // Frames a second; below it bullets are drawn as thin lines.
const showSparks = 16;
const bulletCounts = [1000, 2000, 3000, 5000, 7000, 10000, 15000, 20000, 25000, 30000, 35000, 40000,
                      45000, 50000, 60000, 65000, 70000, 75000, 80000, 90000, 100000];
const sides = {left: ['\u25c0', 1], right: ['\u25b6', 2], up: ['\u25b2', 4], down: ['\u25bc', 8]};
const buttonsOf = {
    platformer: [[sides.left, sides.right], [sides.down, sides.up]],
    horde: [[sides.left, sides.right], [sides.down, sides.up]],
    flippers: [[sides.left], [sides.right]]};

const find = (id) => document.getElementById(id);

class Page {
    constructor(game, lanes, wishes) {
        this.game = game;
        this.lanes = lanes;
        this.canvas = find('stage');
        this.renderer = new Renderer(this.canvas);
        this.camera = new Camera(this.canvas);
        this.panel = new Panel();
        this.isPaused = wishes.has('paused');
        const isPhone = window.matchMedia('(pointer: coarse)').matches;
        this.bullets = Number(wishes.get('bullets')) || (isPhone ? 7000 : 20000);
        this.debt = 0; // Seconds that are not yet played.
        this.changes = 0; // Between steps.
        this.touches = []; // All that was done in this game, as graze_playground reads it.
        this.input = new Input(this.canvas, this.camera, {
            touch: (phase, x, y) => this.touch(phase, x, y),
            keys: (bits) => this.setKeys(bits),
            press: (event) => this.press(event)});
        this.makeScenes();
        this.makeSwitches();
        this.start(wishes.get('scene') ?? 'bullets');
        window.addEventListener('resize', () => this.resize());
        this.resize();
    }

    // --- scenes ---

    makeScenes() {
        find('scenes').replaceChildren(...this.game.scenes.map(({name}) => {
            const button = document.createElement('button');
            button.textContent = name;
            button.dataset.scene = name;
            button.addEventListener('click', () => this.start(name));
            return button;
        }));
    }

    start(name) {
        const number = Math.max(0, this.game.scenes.findIndex((scene) => scene.name === name));
        this.scene = this.game.scenes[number].name;
        if (!this.game.call('start', number, this.bullets)) {
            throw new Error(`${this.scene} could not be built: memory ran out.`);
        }
        this.touches = [];
        ++this.changes;
        this.renderer.isLate = false;
        this.lateSeconds = 0;
        this.debt = 0;
        this.showRecording(false);
        this.camera.isFree = false;
        this.panel.clear();
        for (const button of find('scenes').children) {
            const isCurrent = button.dataset.scene === this.scene;
            button.setAttribute('aria-current', String(isCurrent));
            if (isCurrent) {
                button.scrollIntoView({block: 'nearest', inline: 'center'});
            }
        }
        find('bullets-row').hidden = this.scene !== 'bullets';
        find('dig').hidden = this.scene !== 'digging';
        this.chooseTool(this.scene === 'digging' ? tools.dig : tools.drag);
        this.input.showButtons(find('keys'), buttonsOf[this.scene] ?? []);
        this.readSettings();
        this.moveCamera(1);
        this.keys = 0;
        this.input.tellKeys();
    }

    // --- switches ---

    makeSwitches() {
        for (const button of find('tools').children) {
            button.setAttribute('role', 'radio');
            button.addEventListener('click', () => this.chooseTool(Number(button.dataset.tool)));
        }
        find('pause').addEventListener('click', () => this.setPaused(!this.isPaused));
        find('single').addEventListener('click', () => this.stepOnce());
        find('restart').addEventListener('click', () => this.start(this.scene));
        find('fit').addEventListener('click', () => this.showAll());
        find('past').addEventListener('input', (event) => this.rewind(Number(event.target.value)));
        find('gravity').addEventListener('input',
            (event) => this.set('set_gravity', 'gravity', event));
        find('substeps').addEventListener('input',
            (event) => this.set('set_substeps', 'substeps', event));
        find('bullets').addEventListener('input', (event) => {
            this.bullets = bulletCounts[Number(event.target.value)];
            this.start('bullets');
        });
        find('record').addEventListener('click', () => this.toggleRecord());
        find('panel-toggle').addEventListener('click', () => {
            const isOpen = find('panel').classList.toggle('open');
            find('panel-toggle').setAttribute('aria-expanded', String(isOpen));
        });
        find('engine').textContent = `WebAssembly, ${this.lanes}, one thread`;
        this.setPaused(this.isPaused);
    }

    set(call, id, event) {
        this.game.call(call, Number(event.target.value));
        this.readSettings();
    }

    readSettings() {
        const show = (id, value, text) => {
            find(id).value = value;
            find(id).nextElementSibling.textContent = text;
        };
        const gravity = this.game.call('gravity');
        show('gravity', gravity, gravity.toFixed(0));
        show('substeps', this.game.call('substeps'), String(this.game.call('substeps')));
        const place = bulletCounts.findIndex((count) => count >= this.bullets);
        show('bullets', place < 0 ? bulletCounts.length - 1 : place,
             this.bullets.toLocaleString('en').replaceAll(',', '\u2009'));
    }

    shown() {
        const boxes = [...find('shown').querySelectorAll('input:checked')];
        return boxes.reduce((bits, box) => bits | Number(box.value), showSparks);
    }

    chooseTool(tool) {
        this.tool = tool;
        for (const button of find('tools').children) {
            button.setAttribute('aria-checked', String(Number(button.dataset.tool) === tool));
        }
    }

    setPaused(isPaused) {
        this.isPaused = isPaused;
        this.debt = 0;
        this.panel.set('rate', '\u2013');
        find('pause').classList.toggle('on', isPaused);
        find('pause').querySelector('path').setAttribute('d',
            isPaused ? 'M7 5l12 7-12 7z' : 'M8 5v14M16 5v14');
    }

    // --- what the user does ---

    note(line) {
        this.touches.push(`${this.game.call('step_number')} ${line}`);
    }

    touch(phase, x, y) {
        ++this.changes;
        this.note(`touch ${this.tool} ${phase} ${x} ${y}`);
        this.game.call('touch', this.tool, phase, x, y);
    }

    setKeys(bits) {
        if (bits !== this.keys) {
            this.keys = bits;
            this.note(`keys ${bits}`);
            this.game.call('set_keys', bits);
        }
    }

    press(event) {
        const actions = {
            Space: () => this.setPaused(!this.isPaused),
            Period: () => this.stepOnce(),
            KeyR: () => this.start(this.scene),
            KeyF: () => this.showAll()};
        const tool = Number(event.key) - 1;
        if (tool >= 0 && tool <= (this.scene === 'digging' ? 4 : 3)) {
            this.chooseTool(tool);
        } else if (actions[event.code]) {
            event.preventDefault();
            actions[event.code]();
        }
    }

    showRecording(isOn) {
        this.isRecording = isOn;
        find('record').classList.toggle('on', isOn);
        find('record').textContent = isOn ? 'Stop, and save the record' : 'Record';
    }

    // `graze replay` plays the file, and compares the hash of each step.
    toggleRecord() {
        if (!this.isRecording) {
            this.showRecording(Boolean(this.game.call('record')));
            return;
        }
        const link = document.createElement('a');
        link.href = URL.createObjectURL(new Blob([this.game.endRecord()]));
        link.download = `${this.scene}.graze`;
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 1000);
        this.showRecording(false);
    }

    showAll() {
        this.camera.isFree = false;
        this.moveCamera(1);
    }

    rewind(past) {
        this.setPaused(true);
        ++this.changes;
        this.game.call('rewind', past);
        this.readSettings();
    }

    stepOnce() {
        this.setPaused(true);
        this.step(1);
    }

    // --- the loop ---

    step(count) {
        for (let i = 0; i < count; ++i) {
            if (!this.game.call('step')) {
                throw new Error(this.game.text(this.game.call('message')));
            }
        }
    }

    // A machine that is too slow shows slow motion.
    play(seconds) {
        if (this.isPaused) {
            return;
        }
        this.debt = Math.min(this.debt + seconds, mostStepsAFrame * stepSeconds);
        const begin = performance.now();
        while (this.debt >= stepSeconds && performance.now() - begin < 24) {
            this.step(1);
            this.debt -= stepSeconds;
        }
    }

    resize() {
        if (window.innerWidth <= 760) {
            this.camera.margins = {top: 86, right: 6, bottom: 142, left: 6};
        } else if (window.innerHeight <= 500) {
            this.camera.margins = {top: 54, right: 8, bottom: 58, left: 8};
        } else {
            this.camera.margins = {top: 84, right: 288, bottom: 76, left: 12};
        }
        this.camera.resize();
        this.moveCamera(1);
    }

    moveCamera(share) {
        const hasHero = this.scene === 'platformer';
        this.camera.follow(this.game.view(), hasHero, hasHero ? share : 1);
    }

    showPast() {
        const count = this.game.call('past_count');
        const slider = find('past');
        slider.max = Math.max(0, count - 1);
        const last = this.game.call('past_step', Math.max(0, count - 1));
        const step = this.game.call('step_number');
        if (step > last) {
            slider.value = slider.max;
        }
        const behind = (last - step) / 60;
        const text = behind > 0 ? `\u2212${behind.toFixed(1)} s` : 'now';
        this.panel.set('past-text', text);
    }

    showHint() {
        const {hint} = this.game.scenes.find(({name}) => name === this.scene);
        const note = this.game.text(this.game.call('note'));
        const html = hint + (note ? `<b>${note}</b>` : '');
        if (this.hint !== html) {
            this.hint = html;
            find('hint').innerHTML = html;
        }
    }

    // Nothing is drawn twice: a page that is paused costs nothing.
    drawIfChanged() {
        const {x, y, scale, width, height} = this.camera;
        const seen = [this.changes, this.game.call('step_number'), this.shown(), x, y, scale, width,
                      height].join(' ');
        if (seen !== this.seen) {
            this.seen = seen;
            this.draw();
        }
    }

    draw() {
        const frame = this.game.frame(this.shown());
        if (!frame) {
            throw new Error('Memory ran out.');
        }
        this.renderer.draw(this.game, frame, this.camera);
    }

    // Late for two seconds, it is no accident.
    noteRate(rate) {
        if (rate !== undefined) {
            this.lateSeconds = rate < leastRate && !this.isPaused ? this.lateSeconds + 1 : 0;
            this.renderer.isLate ||= this.lateSeconds >= 2;
        }
    }

    frame(now) {
        const seconds = Math.min((now - (this.last ?? now)) / 1000, 0.1);
        this.last = now;
        this.play(seconds);
        this.moveCamera(1 - Math.exp(-8 * seconds));
        this.drawIfChanged();
        this.noteRate(this.panel.countFrame(now, this.isPaused));
        this.drawn = (this.drawn ?? 0) + 1;
        if (now - (this.shownAt ?? 0) > 120) {
            this.shownAt = now;
            this.panel.show(this.game);
            this.showPast();
            this.showHint();
        }
    }
}

function fail(error) {
    find('fault').textContent = error.message ?? String(error);
    find('fault').hidden = false;
    throw error;
}

// `playground` is what the browser's console, and the test, can use.
async function run() {
    const wishes = new URLSearchParams(location.hash.slice(1));
    const lanes = chooseLanes(wishes.get('lanes'));
    const page = new Page(await loadGame(lanes), lanes, wishes);
    window.playground = page;
    const loop = (now) => {
        try {
            page.frame(now);
        } catch (error) {
            fail(error);
        }
        requestAnimationFrame(loop);
    };
    requestAnimationFrame(loop);
}

run().catch(fail);
