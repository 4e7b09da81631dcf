// The messages of codec: those that are timed, the fixtures, and how a host writes out what it decoded, as
// _messages.py has them. A message is the array of its fields; a number is a BigInt where no Number is exact.
import { Buffer } from "node:buffer";

const FIRST_NUMBER = 100_000;
const SHORT_TEXT = 16;
const ODD_TEXT = "é€😀";
const ODD_TIMES = 100;

export const ROTATED = 8; // messages in a row that differ

// For each shape the function that returns the message of an iteration; `size` is that of a payload.
export function timed(size) {
    const responses = Array.from({ length: ROTATED }, (_, place) => [
        "status: everything is fine",
        "x".repeat(SHORT_TEXT + place),
    ]);
    const [second, third] = [["second item", 1], ["third item", -2]];
    const tags = ["alpha", "beta", "gamma", "delta"];
    const note = "a note, which may be absent";
    const memory = Buffer.alloc(size);
    for (let place = 0; place < size; place++) memory[place] = 7 * place + 3;

    return {
        request: (iteration) => ["hello from the other side", FIRST_NUMBER + iteration],
        response: (iteration) => responses[iteration % ROTATED],
        complex: (iteration) => [[["first item", FIRST_NUMBER + iteration], second, third], tags, note],
        payload(iteration) {
            memory[size - 1] = iteration;
            return [memory];
        },
    };
}

// A message that is empty or absent, one that is little, and extremes.
export const fixtures = {
    request: [["", 0], ["a", -1], [ODD_TEXT.repeat(ODD_TIMES), 2n ** 63n - 1n]],
    response: [["", ""], ["a", ""], [ODD_TEXT.repeat(ODD_TIMES), "z".repeat(300)]],
    complex: [
        [[], [], null],
        [[["", 0]], [""], null],
        [Array(ODD_TIMES).fill([ODD_TEXT, -(2n ** 63n)]), Array(ODD_TIMES).fill(ODD_TEXT), ""],
    ],
    payload: [0, 1, 1024].map((size) => [Buffer.from(Array.from({ length: size }, (_, place) => place % 256))]),
};

// Writes fields out, so that two messages with different ones differ.
export function asFields(field) {
    if (field === null) return Buffer.from("-");
    if (typeof field === "number" || typeof field === "bigint") return Buffer.from(`${field};`);
    if (Array.isArray(field)) {
        return Buffer.concat([Buffer.from(`${field.length}[`), ...field.map(asFields), Buffer.from("]")]);
    }
    const bytes = typeof field === "string" ? Buffer.from(field) : field;
    return Buffer.concat([Buffer.from(`${bytes.length}:`), bytes]);
}
