/*
 * A value that the compiler knows nothing of: it is read anew each time that it is asked for. With it the empty loop
 * tests what the loop tests of a call, and is neither deleted nor done once.
 */
package ffibench;

public final class Known {
    public volatile long integer;
    public volatile double real;
    public volatile Object address;

    private Known() {
    }

    public static Known integer(long value) {
        var known = new Known();
        known.integer = value;
        return known;
    }

    public static Known real(double value) {
        var known = new Known();
        known.real = value;
        return known;
    }

    public static Known address(Object value) {
        var known = new Known();
        known.address = value;
        return known;
    }
}
