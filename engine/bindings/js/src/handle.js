// What bodies and chains have in common.

// A class of ids with their world; `kind` is how it is logged and, in lower case, what C calls it.
export function handleOf(kind) {
    const validate = `graze_${kind.toLowerCase()}_is_valid`;
    const destroy = `graze_${kind.toLowerCase()}_destroy`;
    return class Handle {
        constructor(world, index, generation) {
            this.world = world;
            this.index = index;
            this.generation = generation;
        }

        // The arguments that all calls on it begin with: the world's address, and the id's.
        get id() {
            return this.world.library.putId(this.index, this.generation);
        }

        get isValid() {
            const { address, library } = this.world;
            return library.calls[validate](address, this.id) !== 0;
        }

        destroy() {
            const { address, library } = this.world;
            library.check(library.calls[destroy](address, this.id));
        }

        // Short, for logs: the world would be the whole library.
        toJSON() {
            return { index: this.index, generation: this.generation };
        }

        [Symbol.for('nodejs.util.inspect.custom')]() {
            return `${kind} ${this.index}:${this.generation}`;
        }

        equals(other) {
            return !!other && other.world === this.world && other.index === this.index &&
                other.generation === this.generation;
        }
    };
}
