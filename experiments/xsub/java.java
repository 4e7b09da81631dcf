/* xsub through every Java shim: one loop for all bindings, in the signature of C. */

import static ffibench.Binding.*;
import static ffibench.Memory.*;

import ffibench.Known;
import ffibench.Loops;
import ffibench.Worker;
import java.util.Map;

final class Contestant {
    static void check(boolean ok, String call) {
        if (!ok)
            throw new IllegalStateException(call + ": error " + zmq_errno());
    }

    public static void main(String[] arguments) throws Exception {
        var worker = new Worker(arguments);
        var context = zmq_ctx_new();
        check(!isNull(context), "zmq_ctx_new");
        // An XPUB sends by the same code as a PUB, and can tell that somebody has subscribed.
        long peers = worker.number("peers");
        var socket = zmq_socket(context, peers > 0 ? ZMQ_XPUB : ZMQ_PUB);
        check(!isNull(socket), "zmq_socket");
        check(zmq_bind(socket, bytes(worker.bytes("endpoint"))) == 0, "zmq_bind");
        for (long peer = 0; peer < peers; peer++) // a subscription to everything is a message of one byte
            check(zmq_recv(socket, buffer(1), 1, 0) == 1, "zmq_recv");

        int size = worker.bytes("message").length;
        var message = bytes(worker.bytes("message"));
        var sent = Known.integer(size);
        worker.serve(Map.of("send", new Loops(
            iterations -> {
                for (long i = 0; i < iterations; i++)
                    if (zmq_send(socket, message, size, 0) != size)
                        throw new IllegalStateException("zmq_send did not take the whole message");
                return Map.of("sends", iterations, "bytes", iterations * size);
            },
            iterations -> {
                for (long i = 0; i < iterations; i++)
                    if (sent.integer != size)
                        throw new IllegalStateException("zmq_send did not take the whole message");
            })));

        check(zmq_close(socket) == 0, "zmq_close");
        check(zmq_ctx_term(context) == 0, "zmq_ctx_term");
    }
}
