/* weather through every Java shim: one file for all bindings and both roles, in the signature of C. */

import static ffibench.Binding.*;
import static ffibench.Memory.*;

import ffibench.Loops;
import ffibench.Worker;
import java.nio.charset.StandardCharsets;
import java.util.Map;

final class Contestant {
    static final byte[] FILTER = "10001 ".getBytes(StandardCharsets.US_ASCII);
    static final int ROOM = 256;
    static final int AGAIN = 11; /* EAGAIN of Linux */

    static double patience;
    static long zipcodes;
    static long seed;

    static IllegalStateException failed(String reason) {
        return new IllegalStateException(reason);
    }

    static void check(boolean ok, String call) {
        if (!ok)
            throw failed(call + ": error " + zmq_errno());
    }

    public static void main(String[] arguments) throws Exception {
        var worker = new Worker(arguments);
        patience = Double.parseDouble(worker.option("patience"));
        boolean publishes = worker.option("role").equals("publisher");
        var context = zmq_ctx_new();
        check(!isNull(context), "zmq_ctx_new");
        // An XPUB sends by the same code as a PUB, and can tell that somebody has subscribed.
        var socket = zmq_socket(context, publishes ? ZMQ_XPUB : ZMQ_SUB);
        check(!isNull(socket), "zmq_socket");
        check(zmq_setsockopt(socket, publishes ? ZMQ_SNDHWM : ZMQ_RCVHWM, cell(0), Integer.BYTES) == 0, "zmq_setsockopt");
        check(zmq_setsockopt(socket, ZMQ_RCVTIMEO, cell((int) (1000 * patience)), Integer.BYTES) == 0, "zmq_setsockopt");

        var filter = bytes(FILTER);
        var memory = buffer(ROOM);
        if (publishes) {
            zipcodes = worker.number("zipcodes");
            seed = worker.number("seed");
            var port = worker.option("port");
            var address = "tcp://127.0.0.1:" + (port.equals("0") ? "*" : port);
            check(zmq_bind(socket, bytes(address.getBytes(StandardCharsets.US_ASCII))) == 0, "publisher: " + address);
            var size = cell(ROOM);
            check(zmq_getsockopt(socket, ZMQ_LAST_ENDPOINT, memory, size) == 0, "zmq_getsockopt");
            var endpoint = new String(content(memory, getLong(size) - 1), StandardCharsets.US_ASCII); // without the NUL

            var publish = new Loops(
                iterations -> {
                    var weather = new Weather();
                    long total = 0;
                    for (long i = 0; i < iterations; i++) {
                        int length = weather.next();
                        put(memory, weather.text, length);
                        if (zmq_send(socket, memory, length, 0) != length)
                            throw failed("publisher: zmq_send did not take the whole update");
                        total += length;
                    }
                    return Map.of("updates", iterations, "bytes", total);
                },
                iterations -> {
                    var weather = new Weather();
                    long total = 0;
                    for (long i = 0; i < iterations; i++) {
                        int length = weather.next();
                        put(memory, weather.text, length);
                        total += length;
                    }
                    if (total < iterations)
                        throw failed("publisher: updates without text");
                });
            worker.serve(endpoint, Map.of("publish", publish.before(iterations -> {
                put(memory, new byte[1], 1); // the subscription before has been taken back, which comes first
                while (getByte(memory) != 1)
                    if (zmq_recv(socket, memory, ROOM, 0) < 0) {
                        if (zmq_errno() == AGAIN)
                            throw failed("publisher: no subscriber came within " + patience + " s");
                        check(false, "zmq_recv");
                    }
            })));
        } else {
            check(zmq_connect(socket, bytes(worker.bytes("endpoint"))) == 0, "zmq_connect");
            var matches = new long[1];
            var temperature = new long[1];
            var first_match_ns = new long[1];
            var fixed = "10001 30 40".getBytes(StandardCharsets.US_ASCII);
            var receive = new Loops(
                iterations -> {
                    long total = 0;
                    long start = System.nanoTime();
                    check(zmq_setsockopt(socket, ZMQ_SUBSCRIBE, filter, FILTER.length) == 0, "zmq_setsockopt");
                    for (long came = 0; came < iterations; came++) {
                        int size = zmq_recv(socket, memory, ROOM, 0);
                        if (size < 0)
                            throw missed(came, iterations);
                        total += temperature(content(memory, size));
                        if (came == 0)
                            first_match_ns[0] = System.nanoTime() - start;
                    }
                    matches[0] = iterations;
                    temperature[0] = total;
                    return Map.of("matches", iterations, "temperature", total);
                },
                iterations -> {
                    long total = 0;
                    put(memory, fixed, fixed.length);
                    for (long came = 0; came < iterations; came++)
                        total += temperature(content(memory, fixed.length));
                    if (total != 30 * iterations)
                        throw failed("subscriber: a sum of " + total);
                });
            worker.serve(Map.of("receive", receive.after(iterations -> {
                check(zmq_setsockopt(socket, ZMQ_UNSUBSCRIBE, filter, FILTER.length) == 0, "zmq_setsockopt");
                return Map.of();
            }).figures(iterations -> Map.of("first_match_ns", first_match_ns[0]))));

            // Whatever else was sent lies there still, and is seen by one who subscribes to everything.
            check(zmq_setsockopt(socket, ZMQ_SUBSCRIBE, filter, 0) == 0, "zmq_setsockopt");
            if (zmq_recv(socket, memory, ROOM, ZMQ_DONTWAIT) >= 0)
                throw failed("subscriber: more than " + matches[0] + " updates came");
            check(zmq_errno() == AGAIN, "zmq_recv");
            if (matches[0] > 0 && worker.option("verbose").equals("1"))
                System.err.println("Average temperature for zipcode '10001 ' was " + temperature[0] / matches[0] + "F");
        }

        check(zmq_close(socket) == 0, "zmq_close");
        check(zmq_ctx_term(context) == 0, "zmq_ctx_term");
    }

    /* Why an update did not come, when so many of the slice had. */
    static IllegalStateException missed(long came, long wanted) {
        check(zmq_errno() == AGAIN, "zmq_recv");
        return failed("subscriber: " + came + " of " + wanted + " updates came within " + patience
            + " s of each other; waiting for the publisher");
    }

    /* The second of the numbers in an update. */
    static int temperature(byte[] update) {
        var text = new String(update, StandardCharsets.ISO_8859_1);
        int begin = text.indexOf(' ') + 1;
        return Integer.parseInt(text, begin, text.indexOf(' ', begin), 10);
    }

    /* The updates of a slice, from the first one on. */
    static final class Weather {
        final byte[] text = new byte[32];
        private long state = seed;

        private long draw() {
            state = 16807 * state % 2147483647;
            return state;
        }

        /* Draws and formats the next update, "%05d %d %d"; returns its length. */
        int next() {
            int zipcode = (int) ((10001 + draw() % zipcodes) % 100000);
            int temperature = (int) (draw() % 215) - 80;
            int humidity = (int) (draw() % 50) + 10;
            for (int place = 4; place >= 0; place--, zipcode /= 10)
                text[place] = (byte) ('0' + zipcode % 10);
            text[5] = ' ';
            int end = number(6, temperature);
            text[end] = ' ';
            return number(end + 1, humidity);
        }

        /* Writes a number, and returns where it ends. */
        private int number(int begin, int value) {
            if (value < 0) {
                text[begin] = '-';
                return number(begin + 1, -value);
            }
            int end = begin + (value < 10 ? 1 : value < 100 ? 2 : 3);
            for (int place = end - 1; place >= begin; place--, value /= 10)
                text[place] = (byte) ('0' + value % 10);
            return end;
        }
    }
}
