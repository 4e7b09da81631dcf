/* The messages of codec: those that are timed and the fixtures, as _messages.py has them. */

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.LongFunction;

record Request(String message, long number) {
}

record Response(String first, String second) {
}

record Complex(List<Request> items, List<String> tags, String note) {
}

record Payload(byte[] bytes) {
}

/* The bytes of a payload where they are. */
record PayloadView(MemorySegment bytes) {
}

final class Messages {
    static final int ROTATED = 8; /* messages in a row that differ */

    private static final long FIRST_NUMBER = 100_000;
    private static final int SHORT_TEXT = 16;
    private static final int LONG_TEXT = 300;
    private static final int ODD_TIMES = 100;
    private static final String ODD_TEXT = "\u00e9\u20ac\ud83d\ude00";
    private static final String MUCH = ODD_TEXT.repeat(ODD_TIMES);

    private Messages() {
    }

    /* Each returns what makes the message of an iteration. */

    static LongFunction<Request> requests() {
        return iteration -> new Request("hello from the other side", FIRST_NUMBER + iteration);
    }

    static LongFunction<Response> responses() {
        var ready = new Response[ROTATED];
        for (int place = 0; place < ROTATED; place++)
            ready[place] = new Response("status: everything is fine", "x".repeat(SHORT_TEXT + place));
        return iteration -> ready[(int) (iteration % ROTATED)];
    }

    static LongFunction<Complex> complexes() {
        var second = new Request("second item", 1);
        var third = new Request("third item", -2);
        var tags = List.of("alpha", "beta", "gamma", "delta");
        return iteration -> {
            var first = new Request("first item", FIRST_NUMBER + iteration);
            return new Complex(List.of(first, second, third), tags, "a note, which may be absent");
        };
    }

    static LongFunction<Payload> payloads(int size) {
        var bytes = new byte[size];
        for (int place = 0; place < size; place++)
            bytes[place] = (byte) (7 * place + 3);
        return iteration -> {
            bytes[size - 1] = (byte) iteration;
            return new Payload(bytes);
        };
    }

    /* A message that is empty or absent, one that is little, and extremes. */

    static final List<Request> REQUESTS =
        List.of(new Request("", 0), new Request("a", -1), new Request(MUCH, Long.MAX_VALUE));

    static final List<Response> RESPONSES =
        List.of(new Response("", ""), new Response("a", ""), new Response(MUCH, "z".repeat(LONG_TEXT)));

    static final List<Complex> COMPLEXES = List.of(
        new Complex(List.of(), List.of(), null),
        new Complex(List.of(new Request("", 0)), List.of(""), null),
        new Complex(Collections.nCopies(ODD_TIMES, new Request(ODD_TEXT, Long.MIN_VALUE)),
            Collections.nCopies(ODD_TIMES, ODD_TEXT), ""));

    static final List<Payload> PAYLOADS = counted(0, 1, 1024);

    private static List<Payload> counted(int... sizes) {
        var made = new ArrayList<Payload>();
        for (int size : sizes) {
            var bytes = new byte[size];
            for (int place = 0; place < size; place++)
                bytes[place] = (byte) place;
            made.add(new Payload(bytes));
        }
        return made;
    }
}
