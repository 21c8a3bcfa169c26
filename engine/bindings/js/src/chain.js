// A chain of terrain: an id with its world.
import { handleOf } from './handle.js';
import { codecOf, offsetOf, uint } from './structs.js';

const ALL_SEGMENTS = 0xffffffff;
const POINTS = offsetOf('graze_chain_def', 'points') >>> 2;

export class Chain extends handleOf('Chain') {
    get def() {
        const { address, library } = this.world;
        library.calls.graze_chain_get_def(library.scratch, address, this.id);
        const { count, ...def } = codecOf('graze_chain_def').read(library, library.scratch);
        const at = library.u32[(library.scratch >>> 2) + POINTS] >>> 2;
        return { ...def, points: library.f32.slice(at, at + 2 * count) };
    }

    surface(segment = 0) {
        const { address, library } = this.world;
        const { scratch } = library;
        library.calls.graze_chain_surface(scratch, address, this.id, uint(segment, 'segment'));
        return codecOf('graze_surface').read(library, scratch);
    }

    // What is left out of the surface stays as it is in the segment, or in the first one.
    setSurface(surface, segment = ALL_SEGMENTS) {
        const { address, library } = this.world;
        const from = segment === ALL_SEGMENTS ? 0 : uint(segment, 'segment');
        const { at } = library.surface;
        library.calls.graze_chain_surface(at, address, this.id, from);
        library.surface.change(surface, 'surface');
        library.check(library.calls.graze_chain_set_surface(address, this.id, segment, at));
    }
}
