// The panel: what is measured, as numbers and as a chart.

const phases = [['predict', '#35c9ff'], ['sort', '#7cf29c'], ['pairs', '#ffb02e'],
                ['decide', '#ff4d9d'], ['respond', '#a98bff'], ['commit', '#ff6b45'],
                ['report', '#efe6d2']];
const sampleCount = 110;
const clippedSteps = 20; // The first steps allocate, and would flatten the rest.

const sum = (values) => values.reduce((all, value) => all + value, 0);

function showNumber(value) {
    return Math.round(value).toLocaleString('en').replaceAll(',', '\u2009');
}

class Chart {
    constructor(canvas) {
        this.canvas = canvas;
        this.samples = [];
    }

    // Clocks of browsers are coarse, so what is shown is smooth.
    add(times) {
        const before = this.samples.at(-1) ?? times;
        this.samples.push(times.map((time, i) => 0.7 * before[i] + 0.3 * time));
        if (this.samples.length > sampleCount) {
            this.samples.shift();
        }
    }

    // Its top is a round number above most samples: single late ones do not flatten the rest.
    top() {
        const sums = this.samples.map(sum).sort((a, b) => a - b);
        const high = 1.5 * (sums[Math.floor(0.85 * (sums.length - 1))] || 0.05);
        const unit = 10 ** Math.floor(Math.log10(high));
        return unit * [1, 2, 5, 10].find((factor) => factor * unit >= high);
    }

    prepare() {
        const density = Math.min(window.devicePixelRatio || 1, 2);
        const width = this.canvas.clientWidth;
        const height = this.canvas.clientHeight;
        this.canvas.width = width * density;
        this.canvas.height = height * density;
        const pen = this.canvas.getContext('2d');
        pen.scale(density, density);
        return {pen, width, height};
    }

    // Areas on top of each other, one for each phase.
    draw() {
        const {pen, width, height} = this.prepare();
        const top = this.top();
        const xOf = (i) => width - (this.samples.length - 1 - i) * width / (sampleCount - 1);
        const base = this.samples.map(() => 0);
        phases.forEach(([, color], phase) => {
            pen.beginPath();
            base.forEach((value, i) => pen.lineTo(xOf(i), height * (1 - value / top)));
            for (let i = this.samples.length - 1; i >= 0; --i) {
                base[i] += this.samples[i][phase];
                pen.lineTo(xOf(i), height * (1 - base[i] / top));
            }
            pen.fillStyle = color;
            pen.fill();
        });
        pen.font = '11px system-ui, sans-serif';
        pen.strokeStyle = '#080b14';
        pen.lineWidth = 4;
        pen.lineJoin = 'round';
        pen.fillStyle = '#d7e2f2';
        const text = `${Number(top.toPrecision(2))} ms`;
        pen.strokeText(text, 6, 14);
        pen.fillText(text, 6, 14);
    }
}

export class Panel {
    constructor() {
        this.chart = new Chart(document.getElementById('chart'));
        document.getElementById('legend').innerHTML =
            phases.map(([name, color]) => `<li><i style="background:${color}"></i>${name}</li>`)
                .join('');
        this.frames = 0;
        this.since = performance.now();
    }

    set(id, text) {
        const element = document.getElementById(id);
        if (element.textContent !== text) {
            element.textContent = text;
        }
    }

    clear() {
        this.chart.samples = [];
    }

    // Returns the frames of the last second when it is over, otherwise nothing.
    countFrame(now, isPaused) {
        ++this.frames;
        if (now - this.since < 1000) {
            return undefined;
        }
        const rate = this.frames * 1000 / (now - this.since);
        this.set('rate', isPaused ? '\u2013' : rate.toFixed(0));
        this.frames = 0;
        this.since = now;
        return rate;
    }

    show(game) {
        const report = game.report();
        const step = game.call('step_number');
        if (report.steps > 0 && step > clippedSteps) {
            this.chart.add(report.phases);
        }
        this.chart.draw();
        const recent = this.chart.samples.slice(-20).map(sum);
        recent.sort((a, b) => a - b);
        const time = recent[recent.length >> 1] ?? sum(report.phases);
        const bodies = showNumber(report.bodies);
        this.set('bodies', bodies);
        this.set('contacts', showNumber(report.contacts));
        this.set('milliseconds', time.toFixed(time < 1 ? 3 : 2));
        this.set('hash', game.hash());
        this.set('details', `step ${step}, ${showNumber(report.asleep)} asleep, ` +
            `${showNumber(report.segments)} segments, grid of ${showNumber(report.cells)} cells ` +
            `of ${report.smallest.toFixed(2)} to ${report.largest.toFixed(2)} m`);
        this.set('brief', `${bodies} bodies, ${time.toFixed(2)} ms a step`);
    }
}
