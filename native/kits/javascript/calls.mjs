// What generated loops make and say: memory, and answers as exact text, as native/kits/c/ffibench_calls.h writes them.
import { Buffer } from "node:buffer";

const MEMORY_BYTES_MAX = 64;

// A NUL follows all memory, as in the bytes of other languages, so that none of it is without an address.
export function buffer(size, byte_at = () => 0) {
    const memory = new Uint8Array(size + 1).subarray(0, size);
    for (let index = 0; index < size; index++) memory[index] = byte_at(index);
    return memory;
}

// Memory in which a pattern repeats; each character of the pattern is a byte.
export function bytes(pattern, size = pattern.length) {
    return buffer(size, (index) => pattern.charCodeAt(index % pattern.length));
}

// Memory that counts 0, 1 .. 255, 0 ..
export function counted(size) {
    return buffer(size, (index) => index);
}

// A string of C, each of whose characters is a byte: as text where it is UTF-8, else as memory.
export function string(characters, text) {
    const data = Buffer.from(characters, "latin1");
    const decoded = data.toString("utf8");
    return Buffer.from(decoded, "utf8").equals(data) ? text(decoded) : bytes(characters);
}

// 0, 1, 2 .. as items of a class such as Float64Array.
export function counting(Items, size) {
    const item = Items.name.startsWith("Big") ? BigInt : Number;
    return Items.from({ length: size }, (_, index) => item(index));
}

export function wrong(reason) {
    throw new Error(reason);
}

export function address(value) {
    return value ? "not NULL" : "NULL";
}

// A whole number, of true and false too.
export function integer(value) {
    return typeof value === "boolean" ? Number(value) : value;
}

// The bits of a floating-point number. JavaScript has one NaN: it is said as `nan`, the bits of C's, where that is given.
export function real(value, nan) {
    if (nan && Number.isNaN(value)) return nan;
    const bits = Buffer.alloc(8);
    bits.writeDoubleBE(value);
    return bits.toString("hex");
}

// A text that a call gave, as its bytes. A string of JavaScript has no bytes that are not UTF-8: where C gave such ones,
// they are said if they read as this text.
export function given(text, bytes_of_c) {
    if (bytes_of_c && Buffer.from(bytes_of_c, "hex").toString("utf8") === text) return bytes_of_c;
    return text === null ? "NULL" : Buffer.from(text, "utf8").toString("hex");
}

// The bytes of memory, of a long one those that are spread evenly over it.
export function memory(view) {
    const all = Buffer.from(view.buffer, view.byteOffset, view.byteLength);
    if (all.length <= MEMORY_BYTES_MAX) return all.toString("hex");
    const last = MEMORY_BYTES_MAX - 1;
    const places = Array.from({ length: MEMORY_BYTES_MAX }, (_, each) => Math.floor((each * (all.length - 1)) / last));
    return Buffer.from(places.map((place) => all[place])).toString("hex");
}
