/* The clocks of libc. */
package ffibench;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

final class Clock {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle CLOCK_GETTIME = LINKER.downcallHandle(
        LINKER.defaultLookup().find("clock_gettime").orElseThrow(), FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
    private static final MemorySegment NOW = Arena.global().allocate(JAVA_LONG, 2);

    private Clock() {
    }

    /** The nanoseconds of a clock. */
    static long read(int id) {
        try {
            if ((int) CLOCK_GETTIME.invokeExact(id, NOW) != 0)
                throw new IllegalStateException("cannot read a clock");
        } catch (Throwable failure) {
            throw new AssertionError(failure);
        }
        return NOW.getAtIndex(JAVA_LONG, 0) * 1_000_000_000 + NOW.getAtIndex(JAVA_LONG, 1);
    }
}
