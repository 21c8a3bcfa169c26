// Draws a frame (playground.h) with WebGL 2.

import {bodyFragment, bodyVertex, copyFragment, groundFragment, groundVertex, markFragment,
        markVertex, rayFragment, rayVertex, rimFragment, rimVertex, solidFragment, solidVertex,
        thinRayFragment, thinRayVertex} from './shaders.js';

const textureWidth = 1024;

function compileShader(gl, kind, source) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) {
        throw new Error(gl.getShaderInfoLog(shader));
    }
    return shader;
}

class Program {
    constructor(gl, vertex, fragment) {
        this.gl = gl;
        this.program = gl.createProgram();
        gl.attachShader(this.program, compileShader(gl, gl.VERTEX_SHADER, vertex));
        gl.attachShader(this.program, compileShader(gl, gl.FRAGMENT_SHADER, fragment));
        gl.linkProgram(this.program);
        if (!gl.getProgramParameter(this.program, gl.LINK_STATUS)) {
            throw new Error(gl.getProgramInfoLog(this.program));
        }
        this.places = new Map();
    }

    place(name) {
        if (!this.places.has(name)) {
            this.places.set(name, this.gl.getUniformLocation(this.program, name));
        }
        return this.places.get(name);
    }

    use(camera, values) {
        const gl = this.gl;
        gl.useProgram(this.program);
        gl.uniform4f(this.place('camera'), camera.x, camera.y, camera.scale, 0);
        gl.uniform2f(this.place('viewport'), camera.width, camera.height);
        for (const [name, value] of Object.entries(values)) {
            gl.uniform1f(this.place(name), value);
        }
    }

    bind(textures) {
        Object.entries(textures).forEach(([name, texture], unit) => {
            this.gl.activeTexture(this.gl.TEXTURE0 + unit);
            this.gl.bindTexture(this.gl.TEXTURE_2D, texture.texture ?? texture);
            this.gl.uniform1i(this.place(name), unit);
        });
    }
}

// A list of values, in rows of a texture.
class Column {
    constructor(gl, internal, format, type, perTexel) {
        Object.assign(this, {gl, internal, format, type, perTexel, rows: 0});
        this.texture = gl.createTexture();
        gl.bindTexture(gl.TEXTURE_2D, this.texture);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
        this.grow(1);
    }

    grow(rows) {
        if (rows > this.rows) {
            this.rows = Math.ceil(rows * 1.25);
            this.gl.texImage2D(this.gl.TEXTURE_2D, 0, this.internal, textureWidth, this.rows, 0,
                               this.format, this.type, null);
        }
    }

    part(row, width, rows, values) {
        this.gl.texSubImage2D(this.gl.TEXTURE_2D, 0, 0, row, width, rows, this.format, this.type,
                              values);
    }

    // `values` is a view of the program's memory: full rows at once, then what is left.
    upload(values) {
        const count = values.length / this.perTexel;
        const whole = Math.floor(count / textureWidth);
        const rest = count - whole * textureWidth;
        this.gl.bindTexture(this.gl.TEXTURE_2D, this.texture);
        this.grow(whole + 1);
        if (whole > 0) {
            this.part(0, textureWidth, whole, values);
        }
        if (rest > 0) {
            this.part(whole, rest, 1, values.subarray(whole * textureWidth * this.perTexel));
        }
    }
}

// A picture that is drawn to.
class Target {
    constructor(gl) {
        this.gl = gl;
        this.texture = gl.createTexture();
        this.buffer = gl.createFramebuffer();
    }

    resize(width, height) {
        const gl = this.gl;
        if (this.width === width && this.height === height) {
            return;
        }
        Object.assign(this, {width, height});
        gl.bindTexture(gl.TEXTURE_2D, this.texture);
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, width, height, 0, gl.RGBA, gl.UNSIGNED_BYTE,
                      null);
        for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) {
            gl.texParameteri(gl.TEXTURE_2D, filter, gl.NEAREST);
        }
        for (const wrap of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) {
            gl.texParameteri(gl.TEXTURE_2D, wrap, gl.CLAMP_TO_EDGE);
        }
        gl.bindFramebuffer(gl.FRAMEBUFFER, this.buffer);
        gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, this.texture,
                                0);
    }

    bind() {
        this.gl.bindFramebuffer(this.gl.FRAMEBUFFER, this.buffer);
    }
}

export class Renderer {
    constructor(canvas) {
        const gl = canvas.getContext('webgl2', {alpha: false, antialias: false});
        if (!gl) {
            throw new Error('This browser has no WebGL 2.');
        }
        canvas.addEventListener('webglcontextlost', () => location.reload());
        this.gl = gl;
        this.makePrograms();
        this.makeColumns();
        this.corners = gl.createBuffer();
        this.terrain = new Target(gl);
        this.backdrop = new Target(gl);
        this.quads = gl.createBuffer();
        this.quadCount = 0;
        this.empty = gl.createVertexArray();
        this.solids = gl.createVertexArray();
        this.seen = '';
        this.isLate = false; // Frames come too late: draw less.
    }

    makePrograms() {
        const gl = this.gl;
        this.bodies = new Program(gl, bodyVertex, bodyFragment);
        this.rays = new Program(gl, rayVertex, rayFragment);
        this.thinRays = new Program(gl, thinRayVertex, thinRayFragment);
        this.marks = new Program(gl, markVertex, markFragment);
        this.solid = new Program(gl, solidVertex, solidFragment);
        this.rim = new Program(gl, rimVertex, rimFragment);
        this.ground = new Program(gl, groundVertex, groundFragment);
        this.copy = new Program(gl, groundVertex, copyFragment);
    }

    makeColumns() {
        const gl = this.gl;
        const numbers = [gl.R32UI, gl.RED_INTEGER, gl.UNSIGNED_INT, 1];
        const words = [gl.RGBA32UI, gl.RGBA_INTEGER, gl.UNSIGNED_INT, 4];
        this.columns = {
            positions: new Column(gl, gl.RG32F, gl.RG, gl.FLOAT, 2),
            velocities: new Column(gl, gl.RG32F, gl.RG, gl.FLOAT, 2),
            angles: new Column(gl, gl.R32F, gl.RED, gl.FLOAT, 1),
            indices: new Column(gl, ...numbers),
            looks: new Column(gl, ...words),
            solids: new Column(gl, ...numbers),
            rays: new Column(gl, ...numbers)};
        this.markColumn = new Column(gl, ...words);
        this.rimColumn = new Column(gl, gl.RGBA32F, gl.RGBA, gl.FLOAT, 4);
    }

    fillScreen() {
        this.gl.bindVertexArray(this.empty);
        this.gl.drawArrays(this.gl.TRIANGLES, 0, 3);
    }

    // Two triangles each, of four vertices that shaders place.
    drawQuads(count) {
        const gl = this.gl;
        gl.bindVertexArray(this.empty);
        if (count > this.quadCount) {
            this.quadCount = Math.ceil(count * 1.5);
            const corners = [0, 1, 2, 2, 1, 3];
            const indices = Uint32Array.from({length: 6 * this.quadCount},
                (_, i) => 4 * Math.floor(i / 6) + corners[i % 6]);
            gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.quads);
            gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, indices, gl.STATIC_DRAW);
        }
        gl.drawElements(gl.TRIANGLES, 6 * count, gl.UNSIGNED_INT, 0);
    }

    // Each triangle inverts what it covers.
    fillSolids(game, frame, camera) {
        const gl = this.gl;
        gl.clearColor(frame.isRoom ? 1 : 0, 0, 0, 1);
        gl.clear(gl.COLOR_BUFFER_BIT);
        if (frame.cornerCount === 0) {
            return;
        }
        gl.bindVertexArray(this.solids);
        gl.bindBuffer(gl.ARRAY_BUFFER, this.corners);
        gl.bufferData(gl.ARRAY_BUFFER, game.floats(frame.triangles, 2 * frame.cornerCount),
                      gl.DYNAMIC_DRAW);
        this.solid.use(camera, {});
        const place = gl.getAttribLocation(this.solid.program, 'point');
        gl.enableVertexAttribArray(place);
        gl.vertexAttribPointer(place, 2, gl.FLOAT, false, 0, 0);
        gl.colorMask(true, false, false, false);
        gl.blendFunc(gl.ONE_MINUS_DST_COLOR, gl.ZERO);
        gl.drawArrays(gl.TRIANGLES, 0, frame.cornerCount);
    }

    drawRims(game, frame, camera) {
        const gl = this.gl;
        if (frame.rimCount === 0) {
            return;
        }
        gl.colorMask(false, true, false, false);
        gl.blendFunc(gl.ONE, gl.ONE);
        gl.blendEquation(gl.MAX);
        this.rimColumn.upload(game.floats(frame.rims, 4 * frame.rimCount));
        this.rim.use(camera, {reach: this.reach});
        this.rim.bind({rims: this.rimColumn});
        this.drawQuads(frame.rimCount);
        gl.blendEquation(gl.FUNC_ADD);
    }

    // Drawn when it changes, or is seen from elsewhere; each frame begins with a copy.
    updateBackdrop(game, frame, camera) {
        const gl = this.gl;
        const seen = [frame.terrainVersion, camera.x, camera.y, camera.scale, camera.width,
                      camera.height].join(' ');
        if (seen === this.seen) {
            return;
        }
        this.seen = seen;
        const reach = Math.min(13 + 2.2 * camera.scale / camera.density, 40);
        this.reach = (frame.rimCount > 300 ? Math.min(reach, 26) : reach) * camera.density;
        this.terrain.resize(camera.width, camera.height);
        this.terrain.bind();
        gl.enable(gl.BLEND);
        this.fillSolids(game, frame, camera);
        this.drawRims(game, frame, camera);
        gl.colorMask(true, true, true, true);
        gl.disable(gl.BLEND);
        this.backdrop.resize(camera.width, camera.height);
        this.backdrop.bind();
        this.ground.use(camera, {reach: this.reach, density: camera.density});
        this.ground.bind({terrain: this.terrain});
        this.fillScreen();
    }

    uploadBodies(game, frame) {
        const {positions, velocities, angles, indices, looks, solids, rays} = this.columns;
        const count = frame.bodyCount;
        positions.upload(game.floats(frame.positions, 2 * count));
        velocities.upload(game.floats(frame.velocities, 2 * count));
        indices.upload(game.words(frame.indices, count));
        looks.upload(game.words(frame.looks, 4 * frame.lookCount));
        if (frame.angles) {
            angles.upload(game.floats(frame.angles, count));
        }
        solids.upload(game.words(frame.solids, frame.solidCount));
        rays.upload(game.words(frame.rays, frame.rayCount));
    }

    drawSolids(frame, camera) {
        const {positions, angles, solids, indices, looks} = this.columns;
        this.bodies.use(camera, {});
        this.gl.uniform1i(this.bodies.place('hasAngles'), frame.angles ? 1 : 0);
        this.bodies.bind({positions, angles, solids, indices, looks});
        this.drawQuads(frame.solidCount);
    }

    // Where bullets are many, or seen from afar, each of them glows less.
    drawRays(frame, camera) {
        const {positions, velocities, rays, indices, looks} = this.columns;
        const many = Math.max(1.6, 4.4 - frame.rayCount / 9000);
        const glow = Math.min(many, Math.max(0.28 * camera.scale / camera.density, 0.7));
        const brightness = Math.min(1, 1.2 - frame.rayCount / 150000);
        const program = this.isLate ? this.thinRays : this.rays;
        program.use(camera, {glow: glow * camera.density, streak: 0.055, brightness});
        program.bind({positions, velocities, rays, indices, looks});
        this.gl.bindVertexArray(this.empty);
        if (this.isLate) {
            this.gl.drawArrays(this.gl.LINES, 0, 2 * frame.rayCount);
        } else {
            this.gl.drawArrays(this.gl.POINTS, 0, frame.rayCount);
        }
    }

    drawBodies(game, frame, camera) {
        if (frame.bodyCount > 0) {
            this.uploadBodies(game, frame);
            this.drawSolids(frame, camera);
            this.drawRays(frame, camera);
        }
    }

    drawMarks(game, frame, camera) {
        const gl = this.gl;
        if (frame.markCount === 0) {
            return;
        }
        this.markColumn.upload(game.words(frame.marks, 8 * frame.markCount));
        this.marks.use(camera, {density: camera.density});
        this.marks.bind({marks: this.markColumn});
        this.drawQuads(frame.markCount);
    }

    draw(game, frame, camera) {
        const gl = this.gl;
        gl.viewport(0, 0, camera.width, camera.height);
        this.updateBackdrop(game, frame, camera);
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        gl.disable(gl.BLEND);
        this.copy.use(camera, {});
        this.copy.bind({picture: this.backdrop});
        this.fillScreen();
        gl.enable(gl.BLEND);
        gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
        this.drawBodies(game, frame, camera);
        this.drawMarks(game, frame, camera);
    }
}
