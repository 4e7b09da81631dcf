// Messages as a struct in one block, by the methods of Buffer, which check that what they read lies inside.
import { Buffer } from "node:buffer";

import { putText, textAt } from "./_text.mjs";

const SPAN = 8;
const REQUEST = 16;
const RESPONSE = 16;
const COMPLEX = 24;
const HIGH = 2 ** 32;

// A number of 64 bits: as a Number in two halves, which makes no BigInt on the way.
function putNumber(block, number, at) {
    if (typeof number === "bigint") {
        block.writeBigInt64LE(number, at);
    } else {
        block.writeInt32LE(number | 0, at);
        block.writeInt32LE(Math.floor(number / HIGH), at + 4);
    }
}

function numberAt(block, at) {
    const number = block.readInt32LE(at + 4) * HIGH + block.readUInt32LE(at);
    return Number.isSafeInteger(number) ? number : block.readBigInt64LE(at);
}

// Writes a text to `end`, and where it lies to `at`. Returns where it ends.
function putSpan(block, text, at, end) {
    const length = putText(block, text, end);
    block.writeUInt32LE(end, at);
    block.writeUInt32LE(length, at + 4);
    return end + length;
}

const takeText = (block, size, at) => textAt(block, size, block.readUInt32LE(at), block.readUInt32LE(at + 4));

function checkHead(size, head) {
    if (size < head) throw new RangeError("the block is too short");
}

// Where the elements of a list begin, each of which has `each` bytes, and how many there are.
function listAt(block, size, at, each) {
    const offset = block.readUInt32LE(at);
    const count = block.readUInt32LE(at + 4);
    if (offset + count * each > size) throw new RangeError("a list lies outside the block");
    return { offset, count };
}

export const request = {
    encode([text, number]) {
        const block = Buffer.allocUnsafe(REQUEST + Buffer.byteLength(text));
        putSpan(block, text, 0, REQUEST);
        putNumber(block, number, SPAN);
        return block;
    },

    decode(block, size) {
        checkHead(size, REQUEST);
        return [takeText(block, size, 0), numberAt(block, SPAN)];
    },
};

export const response = {
    encode([first, second]) {
        const block = Buffer.allocUnsafe(RESPONSE + Buffer.byteLength(first) + Buffer.byteLength(second));
        putSpan(block, second, SPAN, putSpan(block, first, 0, RESPONSE));
        return block;
    },

    decode(block, size) {
        checkHead(size, RESPONSE);
        return [takeText(block, size, 0), takeText(block, size, SPAN)];
    },
};

export const complex = {
    encode([items, tags, note]) {
        const tagsAt = COMPLEX + REQUEST * items.length;
        let end = tagsAt + SPAN * tags.length;
        let size = end + (note === null ? 0 : Buffer.byteLength(note));
        for (const [text] of items) size += Buffer.byteLength(text);
        for (const tag of tags) size += Buffer.byteLength(tag);
        const block = Buffer.allocUnsafe(size);
        block.writeUInt32LE(COMPLEX, 0);
        block.writeUInt32LE(items.length, 4);
        block.writeUInt32LE(tagsAt, 8);
        block.writeUInt32LE(tags.length, 12);
        for (let place = 0, at = COMPLEX; place < items.length; place++, at += REQUEST) {
            const [text, number] = items[place];
            end = putSpan(block, text, at, end);
            putNumber(block, number, at + SPAN);
        }
        for (let place = 0, at = tagsAt; place < tags.length; place++, at += SPAN) {
            end = putSpan(block, tags[place], at, end);
        }
        if (note === null) block.fill(0, 16, COMPLEX);
        else putSpan(block, note, 16, end);
        return block;
    },

    decode(block, size) {
        checkHead(size, COMPLEX);
        const items = listAt(block, size, 0, REQUEST);
        const tags = listAt(block, size, SPAN, SPAN);
        const requests = new Array(items.count);
        const texts = new Array(tags.count);
        for (let place = 0, at = items.offset; place < items.count; place++, at += REQUEST) {
            requests[place] = [takeText(block, size, at), numberAt(block, at + SPAN)];
        }
        for (let place = 0, at = tags.offset; place < tags.count; place++, at += SPAN) {
            texts[place] = takeText(block, size, at);
        }
        return [requests, texts, block.readUInt32LE(16) === 0 ? null : takeText(block, size, 16)];
    },
};

// The bytes of a payload, which stay where they are.
function bytesAt(block, size) {
    checkHead(size, SPAN);
    const { offset, count } = listAt(block, size, 0, 1);
    return block.subarray(offset, offset + count);
}

export const payload = {
    encode([bytes]) {
        const block = Buffer.allocUnsafe(SPAN + bytes.length);
        block.writeUInt32LE(SPAN, 0);
        block.writeUInt32LE(bytes.length, 4);
        block.set(bytes, SPAN);
        return block;
    },

    decode: (block, size) => [Buffer.from(bytesAt(block, size))],
};

export const view = { encode: payload.encode, decode: (block, size) => [bytesAt(block, size)] };
