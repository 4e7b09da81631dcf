// The loops of a case, by its step. This module is loaded once for each case, so that each has functions of its own:
// shared ones would be compiled for the messages of all cases, as in no program that has one call for each message.

// Encodes each message; the bytes before are dropped.
export function encode(bench, iterations) {
    const { made, encode } = bench;
    let sum = 0;
    for (let iteration = 0; iteration < iterations; iteration++) {
        const request = encode(made(iteration));
        bench.request = request;
        sum += request.length;
    }
    bench.sum = sum;
}

// Has the same message answered.
export function call(bench, iterations) {
    const { number, request, answer, call } = bench;
    const size = request.length;
    const room = answer.length;
    let sum = 0;
    let length = 0n;
    for (let iteration = 0; iteration < iterations; iteration++) {
        length = call(number, request, size, answer, room);
        if (length < 0n) throw new Error(`the library refuses a message: ${length}`);
        sum += Number(length);
    }
    bench.length = Number(length);
    bench.sum = sum;
}

// Decodes answers that are ready; the values before are dropped.
export function decode(bench, iterations) {
    const { ready, decode, light } = bench;
    let sum = 0;
    for (let iteration = 0; iteration < iterations; iteration++) {
        const answer = ready(iteration);
        const value = decode(answer, answer.length);
        bench.value = value;
        sum += light(value);
    }
    bench.sum = sum;
}

// Encodes a message, has it answered, and decodes the answer.
export function total(bench, iterations) {
    const { number, made, encode, decode, light, answer, call } = bench;
    const room = answer.length;
    let sum = 0;
    for (let iteration = 0; iteration < iterations; iteration++) {
        const request = encode(made(iteration));
        const length = call(number, request, request.length, answer, room);
        if (length < 0n) throw new Error(`the library refuses a message: ${length}`);
        const size = Number(length);
        const value = decode(answer, size);
        bench.request = request;
        bench.length = size;
        bench.value = value;
        sum += light(value);
    }
    bench.sum = sum;
}

// Makes the messages alone. It is given what it works on: it is compiled before all other loops, and would be again if
// one of these gave the bench a field of another kind.
export function empty(made, rooms, kept, iterations) {
    let sum = 0;
    for (let iteration = 0; iteration < iterations; iteration++) {
        kept.message = made(iteration);
        const length = rooms[iteration & 1]; // no compiler knows which of the two it is
        if (length < 0) throw new Error(`the library refuses a message: ${length}`);
        sum += length;
    }
    kept.sum = sum;
}
