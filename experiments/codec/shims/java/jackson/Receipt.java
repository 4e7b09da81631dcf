/* What a slice says of its messages: digests, by the library, of requests, of answers and of the fields of values. */

import static ffibench.Binding.codec_digest;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.Map;

final class Receipt {
    private int requests, answers, fields;

    void add(byte[] request, byte[] answer) {
        requests = digest(requests, request);
        answers = digest(answers, answer);
    }

    void add(Object value) {
        fields = digest(fields, Fields.of(value));
    }

    /* The fixtures of a shape are encoded, answered and decoded. */
    <M, V> void addFixtures(Coder<M, V> coder) throws IOException {
        for (var fixture : coder.fixtures) {
            var request = coder.encode(fixture);
            var answer = coder.crossing.check(request, coder.crossing.spare);
            add(request, answer.bytes());
            add(coder.decode(answer));
        }
    }

    Map<String, Long> of(long messages, long sum, int refused) {
        return Map.of("messages", messages, "sum", sum, "requests", Integer.toUnsignedLong(requests), "answers",
            Integer.toUnsignedLong(answers), "fields", Integer.toUnsignedLong(fields), "refused", (long) refused);
    }

    private static int digest(int before, byte[] bytes) {
        try (var arena = Arena.ofConfined()) {
            return codec_digest(before, arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes), bytes.length);
        }
    }
}
