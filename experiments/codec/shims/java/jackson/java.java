/*
 * codec through Jackson and through ByteBuffer: messages are encoded in Java, answered by the library, and decoded.
 * A contestant has the loops of a case, what they work on, and what they leave for the receipt. Of messages of the type
 * M it decodes values of the type V. The loops are methods of this class, since it is compiled the earliest.
 */

import static ffibench.Binding.codec_version;
import static ffibench.Binding.codec_warm_heap;

import ffibench.Known;
import ffibench.Loops;
import ffibench.Worker;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

final class Contestant<M, V> {
    private static final long LITTLE = 4 << 20; /* bytes that a slice encodes */
    private static final List<GarbageCollectorMXBean> COLLECTORS = ManagementFactory.getGarbageCollectorMXBeans();

    private final Coder<M, V> coder;
    private final Coder<Request, Request> requests;
    private final Crossing crossing;
    private final String step;
    private final boolean isWarm;
    private final long warmup;
    private final Answer[] ready; /* to be decoded */
    private final Known room;
    private byte[] request;
    M message; /* kept, so that the empty loop makes it */
    private V value;
    private long slices, sum, collections;

    /* `requests` are coded in the same way. Where the heap is not warmed, it stays as it is. */
    private Contestant(
        Coder<M, V> coder, Coder<Request, Request> requests, String step, boolean isWarm, long warmup) {
        this.coder = coder;
        this.requests = requests;
        this.step = step;
        this.isWarm = isWarm;
        this.warmup = warmup;
        crossing = coder.crossing;
        room = Known.integer(coder.room);
        /* That of a payload is one, of which the last byte is varied. */
        int count = coder.message(0) instanceof Payload ? 1 : Messages.ROTATED;
        ready = crossing.answers(step.equals("decode") ? count : 0);
    }

    /* Encodes each message; the bytes before are dropped. */
    private void encode(long iterations) throws IOException {
        long total = 0;
        for (long iteration = 0; iteration < iterations; iteration++) {
            request = coder.encode(coder.message(iteration));
            total += request.length;
        }
        sum = total;
    }

    /* Has the same message answered. */
    private void call(long iterations) {
        long total = 0;
        for (long iteration = 0; iteration < iterations; iteration++)
            total += crossing.call(request).size;
        sum = total;
    }

    /* Decodes answers that are ready; the values before are dropped. */
    private void decode(long iterations) throws IOException {
        long total = 0;
        for (long iteration = 0; iteration < iterations; iteration++) {
            value = coder.decode(ready[(int) (iteration % Messages.ROTATED)]);
            total += coder.light(value);
        }
        sum = total;
    }

    private void decodePayload(long iterations) throws IOException {
        long total = 0;
        var given = ready[0];
        for (long iteration = 0; iteration < iterations; iteration++) {
            given.block.put(given.size - 1, (byte) (iteration % Messages.ROTATED + 1));
            value = coder.decode(given);
            total += coder.light(value);
        }
        sum = total;
    }

    /* Encodes a message, has it answered, decodes the answer. */
    private void total(long iterations) throws IOException {
        long total = 0;
        for (long iteration = 0; iteration < iterations; iteration++) {
            request = coder.encode(coder.message(iteration));
            value = coder.decode(crossing.call(request));
            total += coder.light(value);
        }
        sum = total;
    }

    /* Makes the messages alone. */
    private void empty(long iterations) {
        boolean encodes = step.equals("encode") || step.equals("total"); /* the other steps make no messages */
        long total = 0;
        for (long iteration = 0; iteration < iterations; iteration++) {
            if (encodes)
                message = coder.message(iteration);
            long length = room.integer;
            if (length < 0)
                throw new IllegalStateException("the library refuses a message: " + length);
            total += length;
        }
        sum = total;
    }

    /* Drops what the slice before left, and warms the heap where the case has it so. */
    private void before(long iterations) throws IOException {
        value = null;
        if (isWarm && codec_warm_heap() != 0)
            throw new IllegalStateException("the heap cannot be kept warm: malloc is not glibc's");
        request = coder.encode(coder.message(0));
        for (int place = 0; place < ready.length; place++)
            crossing.check(coder.encode(coder.message(place)), ready[place]);
        /* Where messages are small, a slice makes a tenth of the garbage that brings the collector, which would come by
           chance and take as long as the slice. It comes now, and the last slice of the warm-up is after it. */
        if (++slices == warmup && iterations * request.length < LITTLE)
            System.gc();
        collections = collected();
    }

    private Map<String, Long> after(long iterations) throws IOException {
        collections = collected() - collections;
        var receipt = new Receipt();
        receipt.addFixtures(coder);
        boolean isCalled = step.equals("call") || step.equals("total");
        if (step.equals("decode"))
            request = coder.encode(coder.message((iterations - 1) % Messages.ROTATED));
        var last = isCalled ? crossing.answer : crossing.check(request, crossing.spare);
        receipt.add(request, last.bytes());
        if (step.equals("encode") || step.equals("call"))
            value = coder.decode(last);
        else if (!(value instanceof PayloadView)) /* what was copied must not change with what it was copied from */
            for (var answer : isCalled ? new Answer[] {last} : ready)
                answer.memory.fill((byte) 0);
        receipt.add(value);
        return receipt.of(iterations, sum, Bad.refused(requests));
    }

    /* How often the collector has come. */
    private static long collected() {
        return COLLECTORS.stream().mapToLong(GarbageCollectorMXBean::getCollectionCount).sum();
    }

    private Loops loops() {
        Loops.Step loop = switch (step) {
            case "encode" -> this::encode;
            case "call" -> this::call;
            case "decode" -> ready.length > 1 ? this::decode : this::decodePayload;
            case "total" -> this::total;
            default -> throw new IllegalArgumentException("there is no step " + step);
        };
        return new Loops(iterations -> {
            loop.run(iterations);
            return Map.of();
        }, this::empty).before(this::before).after(this::after)
            .figures(iterations -> Map.of("collections", collections));
    }

    public static void main(String[] arguments) throws Exception {
        var worker = new Worker(arguments);
        var payloads = Messages.payloads((int) worker.number("size"));
        var coders = Map.of("cbor", new Coders(false, payloads), "struct", new Coders(true, payloads));
        var cases = new HashMap<String, Loops>();
        for (var key : worker.cases()) {
            var words = key.split("_", 4); /* payload_struct_total_view */
            var kind = words.length > 3 ? words[3] : "";
            var way = coders.get(words[1]);
            var coder = way.of(words[0], kind.equals("view"));
            boolean isWarm = !kind.equals("default_heap");
            cases.put(key, new Contestant<>(coder, way.requests, words[2], isWarm, worker.number("warmup")).loops());
        }
        worker.library(codec_version()).serve(cases);
    }
}
