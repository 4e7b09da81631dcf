// The worker contract in JavaScript, for Node, Deno and Bun. This file is started, with source=FILE, shim=FILE and the
// arguments of the contract. The source exports a function:
//
//     export default async function (native, worker) {
//         ... set up with the functions and constants of the header, such as native.zmq_send ...
//         await worker.serve({
//             library: "4.3.5",                    // its own version, where it reports one
//             endpoint: "tcp://127.0.0.1:5556",    // optional: where it waits for roles that are started after it
//             cases: {
//                 send: {
//                     run(iterations) { ...; return { sends: iterations }; },    // or a promise of it
//                     empty(iterations) { ... },
//                     // optional; called outside the clocks of every slice that is not empty:
//                     before(iterations) { ... },
//                     after(iterations) { ...; return { more: "receipt" }; },
//                     figures() { return { first_match_ns: 1 }; },
//                 },
//                 recv: "why this contestant cannot run it",
//             },
//         });                                      // is done when standard input has closed
//         ... tear down ...
//     }
//
// `worker` has what calls.mjs exports, and what the shim exports as its helpers: how it takes and gives what other
// bindings take and give otherwise. An exception is reported on standard error, with a non-zero status.
import { Buffer } from "node:buffer";
import { readSync, writeSync } from "node:fs";
import { pathToFileURL } from "node:url";

import * as calls from "./calls.mjs";

const MONOTONIC = 1; // CLOCK_MONOTONIC and CLOCK_PROCESS_CPUTIME_ID of Linux
const PROCESSOR = 2;

function write(descriptor, text) {
    let left = Buffer.from(text);
    while (left.length > 0) left = left.subarray(writeSync(descriptor, left));
}

function fail(reason) {
    write(2, `ffibench worker: ${reason}\n`);
    process.exit(1);
}

const form = (text) => /^([^=]+)=(.*)$/s.exec(text) ?? fail(`not of the form NAME=VALUE: ${text}`);
const options = new Map(process.argv.slice(2).map((argument) => form(argument).slice(1)));

// The value of the argument NAME=VALUE.
function option(name) {
    return options.get(name) ?? fail(`missing argument: ${name}`);
}

function number(text) {
    const value = /^[0-9]+$/.test(text) ? Number(text) : NaN;
    return Number.isSafeInteger(value) ? value : fail(`not a number: ${text}`);
}

const byte = new Uint8Array(1);

// A line of standard input with its end; what there is of it where the input has closed. The start of a stream would
// take milliseconds.
function readLine() {
    let line = "";
    while (!line.endsWith("\n") && readSync(0, byte, 0, 1, null) === 1) line += String.fromCharCode(byte[0]);
    return line;
}

// A string, or a whole number that is exact to the last digit.
function value(given) {
    if (typeof given === "string") return JSON.stringify(given);
    if (typeof given === "bigint" || Number.isSafeInteger(given)) return `${given}`;
    return fail(`a receipt with ${given}, no whole number that is exact`);
}

function json(fields) {
    if (typeof fields !== "object" || fields === null) fail("a loop returned no receipt, an object");
    return `{${Object.keys(fields).map((name) => `${JSON.stringify(name)}: ${value(fields[name])}`).join(", ")}}`;
}

// The runtime's own clocks, of which that of the processor ticks in microseconds. A binding calls libc's clock_gettime.
let clock = (id, time) => {
    const { user, system } = process.cpuUsage();
    time[1] = id === MONOTONIC ? process.hrtime.bigint() : 1000n * BigInt(user + system);
    return 0;
};

const read = (id, time) => clock(id, time) === 0 || fail("cannot read a clock");
const between = (from, to) => (to[0] - from[0]) * 1_000_000_000n + to[1] - from[1];

// Memory for the readings of a slice, in their order, so that none is made while it is timed.
const [begun, cpu, wall, wallEnd, cpuEnd, ended] = Array.from({ length: 6 }, () => new BigInt64Array(2));

// Times slices of a `run` loop and prints a line for each, all at once: writing is work that nobody times.
async function measure(name, kind, slices, iterations, { run, before, after, figures }) {
    let lines = "";
    const head = `{"case": ${JSON.stringify(name)}, "kind": "${kind}", "slice": `;
    for (let slice = 0; slice < slices; slice++) {
        read(PROCESSOR, begun);
        if (before) await before(iterations);
        read(PROCESSOR, cpu);
        read(MONOTONIC, wall);
        let answer = run(iterations);
        if (answer instanceof Promise) answer = await answer;
        read(MONOTONIC, wallEnd);
        read(PROCESSOR, cpuEnd);
        let more = after?.(iterations);
        if (more instanceof Promise) more = await more;
        read(PROCESSOR, ended);
        let line = `${head}${slice}, "wall_ns": ${between(wall, wallEnd)}, "cpu_ns": ${between(cpu, cpuEnd)}`;
        if (before || after) line += `, "around_ns": ${between(begun, cpu) + between(cpuEnd, ended)}`;
        if (kind !== "empty") line += `, "receipt": ${json(after ? { ...answer, ...more } : answer)}`;
        if (figures) line += `, "figures": ${json(figures())}`;
        lines += `${line}}\n`;
    }
    if (lines) write(1, lines);
}

// Runs the contestant by the worker contract, after its set-up.
async function serve({ library = "", endpoint, cases }) {
    const [slices, warmup] = ["slices", "warmup"].map((name) => number(option(name)));
    const cold = number(options.get("cold") ?? "0");
    const asked = option("cases").split(",").map((entry) => {
        const [, name, count] = /^(.+):([^:]+)$/s.exec(entry) ?? fail(`not of the form NAME:ITERATIONS: ${entry}`);
        const loops = Object.hasOwn(cases, name) ? cases[name] : `${option("binding")} has no case ${name}`;
        return { name, iterations: number(count), loops };
    });
    // An empty loop must be compiled as well as the timed one, and has no warm-up slices.
    for (const { iterations, loops } of asked) {
        for (let slice = 0; slice < warmup && loops.empty; slice++) loops.empty(iterations);
    }
    write(1, `{"ready": ${json(endpoint === undefined ? { library } : { library, endpoint })}}\n`);
    if (readLine() !== "go\n") fail("expected go on standard input");
    for (const { name, iterations, loops } of asked) {
        if (typeof loops === "string") {
            write(1, `${json({ case: name, unsupported: loops })}\n`);
            continue;
        }
        if (cold > 0) await measure(name, "cold", 1, cold, loops);
        await measure(name, "warmup", warmup, iterations, loops);
        await measure(name, "timed", slices, iterations, loops);
        await measure(name, "empty", slices, iterations, { run: loops.empty });
    }
    while (readLine() !== ""); // the harness reads the live process meanwhile
}

try {
    const shim = options.has("shim") ? await import(pathToFileURL(option("shim"))) : { helpers: {} };
    const source = await import(pathToFileURL(option("source")));
    clock = shim.helpers.clock_gettime ?? clock;
    await source.default(shim.default, { ...calls, ...shim.helpers, option, serve });
} catch (error) {
    write(2, `${error.stack}\n${error.message}\n`); // a table shows the last line
    process.exit(1);
}
