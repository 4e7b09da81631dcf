/* The loops of a case. */
package ffibench;

import java.util.Map;

public record Loops(Loop run, Step empty, Step before, Loop after, Loop figures, String unsupported) {
    /** Runs the iterations and returns what they did, the receipt. */
    @FunctionalInterface
    public interface Loop {
        Map<String, ?> run(long iterations) throws Exception;
    }

    /** The same without the native call; or what begins a slice, outside the clocks. */
    @FunctionalInterface
    public interface Step {
        void run(long iterations) throws Exception;
    }

    public Loops(Loop run, Step empty) {
        this(run, empty, null, null, null, null);
    }

    /** Why this contestant cannot run the case. */
    public static Loops unsupported(String reason) {
        return new Loops(null, null, null, null, null, reason);
    }

    /** With a step that begins each slice, outside the clocks. */
    public Loops before(Step step) {
        return new Loops(run, empty, step, after, figures, unsupported);
    }

    /** With a step that ends each slice, outside the clocks, and may add to its receipt. */
    public Loops after(Loop step) {
        return new Loops(run, empty, before, step, figures, unsupported);
    }

    /** With more figures of each slice. */
    public Loops figures(Loop more) {
        return new Loops(run, empty, before, after, more, unsupported);
    }

    /** The empty loop as one that is measured. */
    Loops withoutCalls() {
        return new Loops(new Loop() { // no lambda: the first slices would wait until Java had made its class
            @Override
            public Map<String, ?> run(long iterations) throws Exception {
                empty.run(iterations);
                return Map.of();
            }
        }, empty);
    }
}
