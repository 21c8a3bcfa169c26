// Pointers and keys. One pointer uses the tool, two zoom and move the view, as do the wheel and the
// right button.

export const tools = {drag: 0, shoot: 1, draw: 2, explode: 3, dig: 4};
export const touchPhases = {down: 0, move: 1, up: 2};
const keyBits = {ArrowLeft: 1, KeyA: 1, ArrowRight: 2, KeyD: 2, ArrowUp: 4, KeyW: 4, ArrowDown: 8,
                 KeyS: 8};

export class Input {
    // `actions` has touch(phase, x, y), keys(bits) and press(code).
    constructor(canvas, camera, actions) {
        Object.assign(this, {canvas, camera, actions});
        this.pointers = new Map();
        this.isUsing = false;
        this.held = new Set();
        this.buttons = 0;
        canvas.addEventListener('pointerdown', (event) => this.begin(event));
        canvas.addEventListener('pointermove', (event) => this.move(event));
        for (const kind of ['pointerup', 'pointercancel']) {
            canvas.addEventListener(kind, (event) => this.end(event));
        }
        canvas.addEventListener('contextmenu', (event) => event.preventDefault());
        canvas.addEventListener('wheel', (event) => this.turnWheel(event), {passive: false});
        window.addEventListener('keydown', (event) => this.pressKey(event));
        window.addEventListener('keyup', (event) => this.releaseKey(event));
        window.addEventListener('blur', () => this.releaseAll());
    }

    use(phase, event) {
        const {x, y} = this.camera.toWorld(event.clientX, event.clientY);
        this.isUsing = phase !== touchPhases.up;
        this.actions.touch(phase, Math.fround(x), Math.fround(y));
    }

    begin(event) {
        this.canvas.focus({preventScroll: true});
        this.canvas.setPointerCapture(event.pointerId);
        this.pointers.set(event.pointerId, {x: event.clientX, y: event.clientY,
                                            pans: event.button > 0});
        if (this.pointers.size > 1) {
            this.stop(event);
        } else if (event.button === 0) {
            this.use(touchPhases.down, event);
        }
    }

    stop(event) {
        if (this.isUsing) {
            this.use(touchPhases.up, event);
        }
    }

    move(event) {
        const pointer = this.pointers.get(event.pointerId);
        if (!pointer) {
            return;
        }
        const before = {...pointer};
        pointer.x = event.clientX;
        pointer.y = event.clientY;
        if (this.pointers.size === 2) {
            this.pinch(event.pointerId, before, pointer);
        } else if (pointer.pans) {
            this.camera.pan(pointer.x - before.x, pointer.y - before.y);
        } else if (this.isUsing) {
            this.use(touchPhases.move, event);
        }
    }

    pinch(id, before, after) {
        const [other] = [...this.pointers].filter(([key]) => key !== id).map(([, value]) => value);
        const apart = (one) => Math.hypot(one.x - other.x, one.y - other.y) || 1;
        this.camera.pan((after.x - before.x) / 2, (after.y - before.y) / 2);
        this.camera.zoom(apart(after) / apart(before), (after.x + other.x) / 2,
                         (after.y + other.y) / 2);
    }

    end(event) {
        this.stop(event);
        this.pointers.delete(event.pointerId);
    }

    turnWheel(event) {
        event.preventDefault();
        this.camera.zoom(Math.exp(-event.deltaY * 0.0015), event.clientX, event.clientY);
    }

    tellKeys() {
        let bits = this.buttons;
        this.held.forEach((code) => {
            bits |= keyBits[code];
        });
        this.actions.keys(bits);
    }

    pressKey(event) {
        if (event.ctrlKey || event.metaKey || event.altKey) {
            return;
        }
        if (keyBits[event.code] && event.target.type !== 'range') {
            event.preventDefault();
            this.held.add(event.code);
            this.tellKeys();
        } else if (!event.repeat && (event.code !== 'Space' || event.target.tagName !== 'BUTTON')) {
            this.actions.press(event);
        }
    }

    releaseKey(event) {
        if (this.held.delete(event.code)) {
            this.tellKeys();
        }
    }

    releaseAll() {
        this.held.clear();
        this.buttons = 0;
        this.tellKeys();
    }

    // Buttons on the screen, for those without a keyboard: [text, bit] in two groups.
    showButtons(place, groups) {
        place.replaceChildren(...groups.map((group) => {
            const box = document.createElement('div');
            box.append(...group.map(([text, bit]) => this.makeButton(text, bit)));
            return box;
        }));
        place.classList.toggle('used', groups.length > 0);
    }

    makeButton(text, bit) {
        const button = document.createElement('button');
        button.textContent = text;
        const set = (isDown) => (event) => {
            event.preventDefault();
            button.classList.toggle('down', isDown);
            this.buttons = isDown ? this.buttons | bit : this.buttons & ~bit;
            this.tellKeys();
        };
        button.addEventListener('pointerdown', set(true));
        for (const kind of ['pointerup', 'pointercancel', 'pointerleave']) {
            button.addEventListener(kind, set(false));
        }
        return button;
    }
}
