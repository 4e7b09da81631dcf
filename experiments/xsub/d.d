/// xsub through the D shim, in the signature of C.
module xsub;

import core.stdc.string : strerror;
import ffibench : fail, Loops, number, option, Receipt, serve;
import ffibench_calls : opaque;
import native;
import std.string : fromStringz, toStringz;

void check(bool ok, string call)
{
    if (!ok)
        fail(call ~ ": " ~ strerror(zmq_errno()).fromStringz.idup);
}

void main()
{
    auto context = zmq_ctx_new();
    check(context !is null, "zmq_ctx_new");
    // An XPUB sends by the same code as a PUB, and can tell that somebody has subscribed.
    immutable peers = number(option("peers"));
    auto socket = zmq_socket(context, peers ? ZMQ_XPUB : ZMQ_PUB);
    check(socket !is null, "zmq_socket");
    check(zmq_bind(socket, option("endpoint").toStringz) == 0, "zmq_bind");
    foreach (peer; 0 .. peers) // a subscription to everything is a message of one byte
    {
        ubyte subscription;
        check(zmq_recv(socket, &subscription, 1, 0) == 1, "zmq_recv");
    }

    immutable message = option("message");

    void run(ulong iterations)
    {
        const text = message.ptr;
        immutable size = message.length;
        foreach (i; 0 .. iterations)
            if (zmq_send(socket, text, size, 0) != size)
                fail("zmq_send did not take the whole message");
    }

    void empty(ulong iterations)
    {
        immutable size = message.length;
        foreach (i; 0 .. iterations)
            if (opaque(cast(int) size) != size)
                fail("zmq_send did not take the whole message");
    }

    Receipt receipt(ulong iterations)
    {
        return Receipt().put("sends", iterations).put("bytes", iterations * message.length);
    }

    serve(["send": Loops(&run, &empty, &receipt)]);

    check(zmq_close(socket) == 0, "zmq_close");
    check(zmq_ctx_term(context) == 0, "zmq_ctx_term");
}
