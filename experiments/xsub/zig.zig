//! xsub through every Zig binding: one loop for all, in the signature of C.

const kit = @import("ffibench");
const native = @import("native");

extern "c" fn strerror(number: c_int) [*:0]const u8;

var socket: ?*anyopaque = null;
var message: [:0]const u8 = "";

fn check(ok: bool, call: []const u8) void {
    if (!ok)
        kit.fail("{s}: {s}", .{ call, strerror(native.zmq_errno()) });
}

fn tooShort() noreturn {
    kit.fail("zmq_send did not take the whole message", .{});
}

fn send(iterations: u64) void {
    const to = socket;
    const bytes = message;
    const size: c_int = @intCast(bytes.len);
    for (0..iterations) |_| {
        if (native.zmq_send(to, bytes.ptr, bytes.len, 0) != size)
            tooShort();
    }
}

fn sendNothing(iterations: u64) void {
    const size: c_int = @intCast(message.len);
    for (0..iterations) |_| {
        if (kit.hidden(size) != size)
            tooShort();
    }
}

fn receipt(iterations: u64, said: *kit.Line) void {
    said.integer("sends", iterations);
    said.integer("bytes", iterations * message.len);
}

pub export fn main(argc: c_int, argv: [*]const [*:0]const u8) c_int {
    kit.open(argc, argv);
    message = kit.option("message");
    const peers = kit.number(kit.option("peers"));
    const context = native.zmq_ctx_new();
    check(context != null, "zmq_ctx_new");
    // An XPUB sends by the same code as a PUB, and can tell that somebody has subscribed.
    socket = native.zmq_socket(context, if (peers > 0) native.ZMQ_XPUB else native.ZMQ_PUB);
    check(socket != null, "zmq_socket");
    check(native.zmq_bind(socket, kit.option("endpoint")) == 0, "zmq_bind");
    for (0..peers) |_| { // a subscription to everything is a message of one byte
        var subscription: u8 = 0;
        check(native.zmq_recv(socket, &subscription, 1, 0) == 1, "zmq_recv");
    }

    kit.serve(&.{.{ .name = "send", .run = send, .empty = sendNothing, .receipt = receipt }}, .{});

    check(native.zmq_close(socket) == 0, "zmq_close");
    check(native.zmq_ctx_term(context) == 0, "zmq_ctx_term");
    return 0;
}
