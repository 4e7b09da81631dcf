/*
 * The worker contract in Java.
 *
 *     var worker = new Worker(arguments);
 *     ... set up ...
 *     worker.serve(Map.of("send", new Loops(run, empty)));     // returns when standard input has closed
 *     ... tear down ...
 *
 * An experiment's file has a class `Contestant` with a method `main`. An exception is reported on standard error, with
 * a non-zero status. The kit needs one class of a binding: `Clock`, whose `static long read(int id)` reads a clock by
 * libc's clock_gettime, in nanoseconds. System.nanoTime is not seen from outside, and Java's own processor time ticks.
 */
package ffibench;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

public final class Worker {
    private static final int MONOTONIC = 1, PROCESSOR = 2; /* of clock_gettime(2), on Linux */
    private static final int READINGS = 300; /* after which a clock is what it stays; the audit keeps a thousand */
    private static final int COMPILED = 30_000; /* iterations after which a loop is */

    private final Options options;
    private final BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);
    private String library = "";

    public Worker(String[] arguments) throws IOException {
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
            failure.printStackTrace();
            var cause = failure.getCause() == null ? failure : failure.getCause();
            System.err.println("ffibench worker: " + (cause.getMessage() == null ? cause : cause.getMessage()));
        });
        options = new Options(arguments.length);
    }

    /** The value of the argument NAME=VALUE. */
    public String option(String name) {
        return options.text(name);
    }

    /** The bytes of the same. */
    public byte[] bytes(String name) {
        return options.bytes(name);
    }

    /** The value of an argument that is a number. */
    public long number(String name) {
        return options.number(name);
    }

    /** The names of the cases that the harness asks for. */
    public Iterable<String> cases() {
        return options.cases().keySet();
    }

    /** Its own version of the library, where it reports one. */
    public Worker library(String version) {
        library = version;
        return this;
    }

    public void serve(Map<String, Loops> cases) throws Exception {
        serve(null, cases);
    }

    /** Runs the contestant, after its set-up. `endpoint` is where it waits for roles that are started after it. */
    public void serve(String endpoint, Map<String, Loops> cases) throws Exception {
        long slices = number("slices"), warmup = number("warmup");
        long cold = options.has("cold") ? number("cold") : 0;
        var asked = options.cases();

        prepare(asked, cases, warmup);
        /* The main thread of the process is not that of Java, which waits for it: this one is to be pinned. */
        var thread = Long.valueOf(Path.of("/proc/thread-self").toRealPath().getFileName().toString());
        var place = endpoint == null ? Map.<String, Object>of() : Map.<String, Object>of("endpoint", endpoint);
        emit(new Line().plain("{\"ready\": ").object(Map.of("library", library, "thread", thread), place));
        if (!"go".equals(in.readLine()))
            throw new IllegalStateException("expected go on standard input");
        for (var each : asked.entrySet()) {
            var name = each.getKey();
            long iterations = each.getValue();
            var loops = cases.getOrDefault(name, Loops.unsupported(option("binding").concat(" has no case ").concat(name)));
            if (loops.unsupported() != null) {
                emit(new Line().plain("{\"case\": ").string(name).plain(", \"unsupported\": ").string(loops.unsupported()));
                continue;
            }
            if (cold > 0)
                measure(name, "cold", 1, cold, loops);
            measure(name, "warmup", warmup, iterations, loops);
            measure(name, "timed", slices, iterations, loops);
            measure(name, "empty", slices, iterations, loops.withoutCalls());
        }
        while (in.readLine() != null)
            continue; /* the harness reads the live process meanwhile */
    }

    /* The contract has no warm-up slices for the empty loops: they are compiled before it begins, and what is between
       the slices is loaded. */
    private static void prepare(Map<String, Long> asked, Map<String, Loops> cases, long warmup) throws Exception {
        for (int each = 0; each < READINGS; each++)
            Clock.read(MONOTONIC);
        line("a case", 0, "timed", 0, 0).object(Map.of("operations", 0), Map.of("bytes", "0"));
        for (var each : asked.entrySet()) {
            var loops = cases.get(each.getKey());
            boolean here = loops != null && loops.unsupported() == null;
            for (long calls = 0; here && (calls < warmup || calls * Math.max(1, each.getValue()) < COMPILED); calls++)
                loops.withoutCalls().run().run(Math.max(1, each.getValue()));
        }
    }

    private void measure(String name, String kind, long slices, long iterations, Loops loops) throws Exception {
        for (long slice = 0; slice < slices; slice++) {
            long begun = Clock.read(PROCESSOR);
            if (loops.before() != null)
                loops.before().run(iterations);
            long cpu = Clock.read(PROCESSOR);
            long wall = Clock.read(MONOTONIC);
            var answer = loops.run().run(iterations);
            long wallNs = Clock.read(MONOTONIC) - wall;
            long ended = Clock.read(PROCESSOR);
            var more = loops.after() == null ? Map.<String, Object>of() : loops.after().run(iterations);
            long aroundNs = cpu - begun + Clock.read(PROCESSOR) - ended;
            boolean around = loops.before() != null || loops.after() != null;

            var line = line(name, slice, kind, wallNs, ended - cpu);
            if (around)
                line.plain(", \"around_ns\": ").number(aroundNs);
            if (!kind.equals("empty"))
                line.plain(", \"receipt\": ").object(answer, more);
            if (loops.figures() != null)
                line.plain(", \"figures\": ").object(loops.figures().run(iterations));
            emit(line);
        }
    }

    private static Line line(String name, long slice, String kind, long wallNs, long cpuNs) {
        return new Line().plain("{\"case\": ").string(name).plain(", \"slice\": ").number(slice).plain(", \"kind\": ")
            .string(kind).plain(", \"wall_ns\": ").number(wallNs).plain(", \"cpu_ns\": ").number(cpuNs);
    }

    /* Adds the last brace. What is written to a descriptor is flushed. */
    private void emit(Line line) throws IOException {
        line.plain("}\n").writeTo(out);
    }
}
