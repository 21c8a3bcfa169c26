// Where the view is: its middle, and pixels per unit. It shows the scene between the bars, or
// follows a hero, until the user zooms or pans.

export class Camera {
    constructor(canvas) {
        this.canvas = canvas;
        this.x = this.y = 0;
        this.scale = 10;
        this.margins = {top: 0, right: 0, bottom: 0, left: 0};
        this.isFree = false;
        this.resize();
    }

    resize() {
        this.density = Math.min(window.devicePixelRatio || 1, 2);
        this.width = Math.max(1, Math.round(this.canvas.clientWidth * this.density));
        this.height = Math.max(1, Math.round(this.canvas.clientHeight * this.density));
        if (this.canvas.width !== this.width || this.canvas.height !== this.height) {
            this.canvas.width = this.width;
            this.canvas.height = this.height;
        }
    }

    // What of the scene is seen when nobody moves the view. A scene with a hero fills the screen.
    fit(view, fills) {
        const {top, right, bottom, left} = this.margins;
        const wide = this.width / this.density - left - right;
        const high = this.height / this.density - top - bottom;
        const scales = [wide / (view.right - view.left), high / (view.top - view.bottom)];
        const least = Math.min(...scales);
        const scale = fills ? Math.min(Math.max(...scales), 1.8 * least) : least;
        return {scale: scale * this.density,
                x: (view.left + view.right) / 2 + (right - left) / 2 / scale,
                y: (view.bottom + view.top) / 2 + (top - bottom) / 2 / scale};
    }

    // `share` of the way to where it should be, 1 for all of it.
    follow(view, fills, share) {
        if (this.isFree) {
            return;
        }
        const goal = this.fit(view, fills);
        this.scale = goal.scale;
        this.x += (goal.x - this.x) * share;
        this.y += (goal.y - this.y) * share;
    }

    toWorld(pageX, pageY) {
        const box = this.canvas.getBoundingClientRect();
        const x = (pageX - box.left) * this.density - this.width / 2;
        const y = (pageY - box.top) * this.density - this.height / 2;
        return {x: this.x + x / this.scale, y: this.y - y / this.scale};
    }

    toPage(x, y) {
        const box = this.canvas.getBoundingClientRect();
        return {x: box.left + (this.width / 2 + (x - this.x) * this.scale) / this.density,
                y: box.top + (this.height / 2 - (y - this.y) * this.scale) / this.density};
    }

    zoom(factor, pageX, pageY) {
        const before = this.toWorld(pageX, pageY);
        this.scale = Math.min(Math.max(this.scale * factor, 1), 400);
        const after = this.toWorld(pageX, pageY);
        this.x += before.x - after.x;
        this.y += before.y - after.y;
        this.isFree = true;
    }

    pan(byX, byY) {
        this.x -= byX * this.density / this.scale;
        this.y += byY * this.density / this.scale;
        this.isFree = true;
    }
}
