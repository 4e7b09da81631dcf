// weather through every Node shim: one file for all bindings and both roles, in the signature of C.

import { constants } from "node:os";
import { getSystemErrorName } from "node:util";

const { EAGAIN } = constants.errno;
const FILTER = "10001 ";
const ROOM = 256;

function fail(reason) {
    throw new Error(reason);
}

export default async function (native, worker) {
    const { option } = worker;
    const patience = Number(option("patience"));
    const publishes = option("role") === "publisher";

    function check(ok, call) {
        if (!ok) fail(`${call}: ${getSystemErrorName(-native.zmq_errno())}`);
    }

    const context = native.zmq_ctx_new();
    check(context, "zmq_ctx_new");
    // An XPUB sends by the same code as a PUB, and can tell that somebody has subscribed.
    const socket = native.zmq_socket(context, publishes ? native.ZMQ_XPUB : native.ZMQ_SUB);
    check(socket, "zmq_socket");

    const station = { native, worker, socket, check, patience, set };
    function set(name, value) {
        check(native.zmq_setsockopt(socket, name, value, worker.argument(value.byteLength)) === 0, "zmq_setsockopt");
    }

    set(publishes ? native.ZMQ_SNDHWM : native.ZMQ_RCVHWM, Int32Array.of(0));
    set(native.ZMQ_RCVTIMEO, Int32Array.of(1000 * patience));
    await (publishes ? publisher(station) : subscriber(station));
    check(native.zmq_close(socket) === 0, "zmq_close");
    check(native.zmq_ctx_term(context) === 0, "zmq_ctx_term");
}

function publisher({ native, worker, socket, check, patience }) {
    const { option, argument } = worker;
    const zipcodes = Number(option("zipcodes"));
    const seed = Number(option("seed"));
    const { zmq_send, zmq_recv } = native;

    function await_subscription() {
        const event = Buffer.alloc(ROOM);
        while (event[0] !== 1) {
            // The subscription before has been taken back, which comes first.
            if (zmq_recv(socket, event, argument(ROOM), 0) >= 0) continue;
            if (native.zmq_errno() === EAGAIN) fail(`publisher: no subscriber came within ${patience} s`);
            check(false, "zmq_recv");
        }
    }

    function publish(iterations) {
        let state = seed;
        let total = 0;
        for (let i = 0; i < iterations; i++) {
            state = (16807 * state) % 2147483647;
            const zipcode = (10001 + (state % zipcodes)) % 100000;
            state = (16807 * state) % 2147483647;
            const temperature = (state % 215) - 80;
            state = (16807 * state) % 2147483647;
            const humidity = (state % 50) + 10;
            const update = Buffer.from(`${String(zipcode).padStart(5, "0")} ${temperature} ${humidity}`);
            const size = update.length;
            if (zmq_send(socket, update, argument(size), 0) !== size) {
                fail("publisher: zmq_send did not take the whole update");
            }
            total += size;
        }
        return { updates: iterations, bytes: total };
    }

    function publish_nothing(iterations) {
        let state = seed;
        let total = 0;
        for (let i = 0; i < iterations; i++) {
            state = (16807 * state) % 2147483647;
            const zipcode = (10001 + (state % zipcodes)) % 100000;
            state = (16807 * state) % 2147483647;
            const temperature = (state % 215) - 80;
            state = (16807 * state) % 2147483647;
            const humidity = (state % 50) + 10;
            const update = Buffer.from(`${String(zipcode).padStart(5, "0")} ${temperature} ${humidity}`);
            const size = update.length;
            const sent = [size, size]; // no compiler knows which of the two it is
            if (sent[i & 1] !== size) fail("publisher: zmq_send did not take the whole update");
            total += size;
        }
        return total;
    }

    const port = option("port");
    const address = `tcp://127.0.0.1:${port === "0" ? "*" : port}`;
    check(native.zmq_bind(socket, worker.text(address)) === 0, `publisher: ${address}`);
    const endpoint = Buffer.alloc(ROOM);
    const length = worker.cell("unsigned long");
    length[0] = BigInt(ROOM);
    check(native.zmq_getsockopt(socket, native.ZMQ_LAST_ENDPOINT, endpoint, length) === 0, "zmq_getsockopt");
    return worker.serve({
        endpoint: endpoint.toString("latin1", 0, Number(length[0]) - 1), // without the NUL
        cases: { publish: { run: publish, empty: publish_nothing, before: await_subscription } },
    });
}

async function subscriber({ native, worker, socket, check, patience, set }) {
    const { option } = worker;
    const filter = Buffer.from(FILTER);
    const memory = Buffer.alloc(ROOM);
    const room = worker.argument(ROOM);
    const { zmq_recv } = native;
    let matches = 0;
    let total = 0;
    let first_match_ns = 0;

    function missed(came) {
        check(native.zmq_errno() === EAGAIN, "zmq_recv");
        const within = `within ${patience} s of each other; waiting for the publisher`;
        fail(`subscriber: ${came} of ${matches} updates came ${within}`);
    }

    function receive(iterations) {
        matches = iterations;
        const start = process.hrtime.bigint();
        set(native.ZMQ_SUBSCRIBE, filter);
        const size = zmq_recv(socket, memory, room, 0);
        if (size < 0) missed(0);
        const [, temperature] = memory.toString("latin1", 0, size).split(" ");
        total = Number(temperature);
        first_match_ns = Number(process.hrtime.bigint() - start);
        total += rest(iterations);
        return { matches: iterations, temperature: total };
    }

    function rest(iterations) {
        let sum = 0;
        for (let came = 1; came < iterations; came++) {
            const size = zmq_recv(socket, memory, room, 0);
            if (size < 0) missed(came);
            const [, temperature] = memory.toString("latin1", 0, size).split(" ");
            sum += Number(temperature);
        }
        return sum;
    }

    function receive_nothing(iterations) {
        let sum = 0;
        const size = memory.write("10001 30 40", "latin1");
        for (let came = 0; came < iterations; came++) {
            if (size < 0) missed(came);
            const [, temperature] = memory.toString("latin1", 0, size).split(" ");
            sum += Number(temperature);
        }
        return sum;
    }

    function unsubscribe() {
        set(native.ZMQ_UNSUBSCRIBE, filter);
        return {};
    }

    check(native.zmq_connect(socket, worker.text(option("endpoint"))) === 0, "zmq_connect");
    const figures = () => ({ first_match_ns });
    await worker.serve({ cases: { receive: { run: receive, empty: receive_nothing, after: unsubscribe, figures } } });

    // Whatever else was sent lies there still, and is seen by one who subscribes to everything.
    set(native.ZMQ_SUBSCRIBE, Buffer.alloc(0));
    if (zmq_recv(socket, memory, room, native.ZMQ_DONTWAIT) >= 0) fail(`subscriber: more than ${matches} updates came`);
    check(native.zmq_errno() === EAGAIN, "zmq_recv");
    if (matches > 0 && option("verbose") === "1") {
        console.error(`Average temperature for zipcode '${FILTER}' was ${Math.trunc(total / matches)}F`);
    }
}
