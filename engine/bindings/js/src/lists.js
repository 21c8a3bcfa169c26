// Views of what the library lists: contacts, ends, removals, hits. An item is a cursor, a small
// object that reads its fields where they lie. A loop makes one cursor, not one an item.
import { Contact, ContactEnd, QueryHit, Removal } from './cursors.js';
import { structs } from './layout.js';

class Loop {
    constructor(list) {
        this.list = list;
        this.result = { done: false, value: new list.Item(list.world) };
        this.item = this.result.value;
        this.item.address = list.address - list.stride;
        this.left = list.length;
    }

    next() {
        const { result } = this;
        if (this.left > 0 && this.list.length > 0) {
            --this.left;
            this.item.address += this.list.stride;
        } else {
            result.done = true;
            result.value = undefined;
        }
        return result;
    }

    [Symbol.iterator]() {
        return this;
    }
}

function listOf(struct, Item) {
    return class List {
        constructor(world) {
            this.world = world;
            this.clear();
        }

        // Looks at `count` items at an address.
        show(address, count) {
            this.address = address;
            this.length = count;
            return this;
        }

        // Looks at a list of C, which is an address and a count.
        look(at) {
            const { u32 } = this.world.library;
            return this.show(u32[at >>> 2], u32[(at >>> 2) + 1]);
        }

        clear() {
            return this.show(0, 0);
        }

        // The item is the list's own, and another one after the next call.
        at(index) {
            if (!(index >= 0 && index < this.length)) {
                return undefined;
            }
            this.item ??= new Item(this.world);
            this.item.address = this.address + index * this.stride;
            return this.item;
        }

        [Symbol.iterator]() {
            return new Loop(this);
        }

        get stride() {
            return structs[struct].size;
        }

        get Item() {
            return Item;
        }
    };
}

export const ContactList = listOf('graze_contact', Contact);
export const ContactEndList = listOf('graze_contact_end', ContactEnd);
export const RemovalList = listOf('graze_removal', Removal);
export const HitList = listOf('graze_query_hit', QueryHit);
