/*
 * What generated loops hand over and say of their answers, as native/kits/c/ffibench_calls.h writes it: the bits of
 * floating-point numbers, and the bytes of texts and of memory, in hexadecimal digits.
 */
package ffibench;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

public final class Answers {
    private static final int MEMORY_BYTES_MAX = 64;

    private Answers() {
    }

    /** Loads what answers are told with, so that no slice waits for it. */
    public static void load() {
        var number = Struct.item("long").exact(Struct.array("long", 0L), "");
        text(real(number.doubleValue()) + memory(new byte[places(1).length]));
    }

    public static IllegalStateException wrong(String what) {
        return new IllegalStateException(what);
    }

    /** A pattern that repeats, in `size` bytes. A character of the pattern is a byte. */
    public static byte[] repeated(String pattern, int size) {
        var memory = new byte[size];
        for (int each = 0; each < size; each++)
            memory[each] = (byte) pattern.charAt(each % pattern.length());
        return memory;
    }

    /** The bytes 0, 1 .. 255, 0 .. */
    public static byte[] counted(int size) {
        var memory = new byte[size];
        for (int each = 0; each < size; each++)
            memory[each] = (byte) each;
        return memory;
    }

    public static String real(double value) {
        return HexFormat.of().toHexDigits(Double.doubleToRawLongBits(value));
    }

    /** A number of an unsigned type, which Java has as the signed one of the same bits. */
    public static Number unsigned(long value) {
        return value >= 0 ? (Number) value : new BigInteger(Long.toUnsignedString(value));
    }

    /** A text as a binding gives it: bytes, or characters each of which is one. */
    public static String text(Object text) {
        if (text == null)
            return "NULL";
        return HexFormat.of().formatHex(text instanceof byte[] bytes ? bytes : latin(text.toString()));
    }

    public static byte[] latin(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Where the bytes of memory lie that are compared: of a long one they are spread evenly over it. */
    public static long[] places(long size) {
        var places = new long[(int) Math.min(size, MEMORY_BYTES_MAX)];
        for (int each = 0; each < places.length; each++)
            places[each] = size <= MEMORY_BYTES_MAX ? each : each * (size - 1) / (MEMORY_BYTES_MAX - 1);
        return places;
    }

    public static String memory(byte[] memory) {
        return HexFormat.of().formatHex(memory);
    }
}
