// What a call throws that fails. `status` is the library's, in words, and `message` its line.
export class GrazeError extends Error {
    constructor(status, message) {
        super(message);
        this.name = 'GrazeError';
        this.status = status;
    }
}

// Throws for a value that JavaScript itself refuses, before the library sees it.
export function refuse(what, expected, value) {
    throw new GrazeError('argument', `${what} is ${describe(value)}, not ${expected}`);
}

function describe(value) {
    if (typeof value === 'string') {
        return JSON.stringify(value);
    }
    try {
        return typeof value === 'object' && value ? JSON.stringify(value) : String(value);
    } catch {
        return 'an object';
    }
}
