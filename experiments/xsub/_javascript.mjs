// xsub through every shim of Node, Deno and Bun: one loop for all bindings, in the signature of C.

import { getSystemErrorName } from "node:util";

export default async function (native, worker) {
    const { option, serve, text, bytes, buffer, argument } = worker;

    async function check(ok, call) {
        if (!ok) throw new Error(`${call}: ${getSystemErrorName(-(await native.zmq_errno()))}`);
    }

    const context = await native.zmq_ctx_new();
    await check(context, "zmq_ctx_new");
    // An XPUB sends by the same code as a PUB, and can tell that somebody has subscribed.
    const peers = Number(option("peers"));
    const socket = await native.zmq_socket(context, peers ? native.ZMQ_XPUB : native.ZMQ_PUB);
    await check(socket, "zmq_socket");
    await check((await native.zmq_bind(socket, text(option("endpoint")))) === 0, "zmq_bind");
    for (let peer = 0; peer < peers; peer++) {
        // A subscription to everything is a message of one byte.
        await check((await native.zmq_recv(socket, buffer(1), argument(1), 0)) === 1, "zmq_recv");
    }

    const message = new TextEncoder().encode(option("message"));
    const size = message.length;
    const length = argument(size); // as a binding takes a size_t
    const { zmq_send } = native;

    function run(iterations) {
        for (let i = 0; i < iterations; i++) {
            if (zmq_send(socket, message, length, 0) !== size) {
                throw new Error("zmq_send did not take the whole message");
            }
        }
        return { sends: iterations, bytes: iterations * size };
    }

    // Through a shim whose functions give promises.
    async function run_waiting(iterations) {
        for (let i = 0; i < iterations; i++) {
            if ((await zmq_send(socket, message, length, 0)) !== size) {
                throw new Error("zmq_send did not take the whole message");
            }
        }
        return { sends: iterations, bytes: iterations * size };
    }

    function empty(iterations) {
        const sent = [size, size]; // no compiler knows which of the two it is
        for (let i = 0; i < iterations; i++) {
            if (sent[i & 1] !== size) throw new Error("zmq_send did not take the whole message");
        }
    }

    await serve({ cases: { send: { run: worker.waits ? run_waiting : run, empty } } });

    await check((await native.zmq_close(socket)) === 0, "zmq_close");
    await check((await native.zmq_ctx_term(context)) === 0, "zmq_ctx_term");
}
