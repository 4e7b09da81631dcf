/* Memory outside of Java's heap, which calls are handed: by its address, without a copy. */
package ffibench;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

public final class Memory {
    public static final MemorySegment NULL = MemorySegment.NULL;
    public static final MemorySegment NO_FUNCTION = MemorySegment.NULL;

    private static final long ALIGNMENT = 16;

    private Memory() {
    }

    /** So many bytes, 0 at first, for as long as the program runs. As in other languages a NUL follows. */
    public static MemorySegment buffer(long size) {
        return Arena.global().allocate(size + 1, ALIGNMENT).asSlice(0, size);
    }

    /** Memory with these bytes. */
    public static MemorySegment bytes(byte[] content) {
        return buffer(content.length).copyFrom(MemorySegment.ofArray(content));
    }

    /** A text that a call gave, to be handed to another. */
    public static MemorySegment text(String text) {
        return text == null ? MemorySegment.NULL : Arena.ofAuto().allocateFrom(text, StandardCharsets.ISO_8859_1);
    }

    /** The bytes in it. */
    public static byte[] content(MemorySegment memory) {
        return memory.toArray(JAVA_BYTE);
    }

    /** The first of them. */
    public static byte[] content(MemorySegment memory, long size) {
        return content(memory.asSlice(0, size));
    }

    /** Those at some places. */
    public static byte[] content(MemorySegment memory, long[] places) {
        var content = new byte[places.length];
        for (int each = 0; each < places.length; each++)
            content[each] = memory.get(JAVA_BYTE, places[each]);
        return content;
    }

    /** Sets the first bytes. */
    public static void put(MemorySegment memory, byte[] content, int size) {
        MemorySegment.copy(content, 0, memory, JAVA_BYTE, 0, size);
    }

    /** Memory for one value. */
    public static MemorySegment cell(long value) {
        var cell = buffer(ADDRESS.byteSize());
        putLong(cell, value);
        return cell;
    }

    public static boolean isNull(MemorySegment address) {
        return address.address() == 0;
    }

    public static boolean getBoolean(MemorySegment cell) {
        return getByte(cell) != 0;
    }

    public static byte getByte(MemorySegment cell) {
        return cell.get(JAVA_BYTE, 0);
    }

    public static short getShort(MemorySegment cell) {
        return cell.get(JAVA_SHORT, 0);
    }

    public static int getInt(MemorySegment cell) {
        return cell.get(JAVA_INT, 0);
    }

    public static long getLong(MemorySegment cell) {
        return cell.get(JAVA_LONG, 0);
    }

    public static float getFloat(MemorySegment cell) {
        return cell.get(JAVA_FLOAT, 0);
    }

    public static double getDouble(MemorySegment cell) {
        return cell.get(JAVA_DOUBLE, 0);
    }

    public static MemorySegment getAddress(MemorySegment cell) {
        return cell.get(ADDRESS, 0);
    }

    public static void putBoolean(MemorySegment cell, boolean value) {
        putByte(cell, (byte) (value ? 1 : 0));
    }

    public static void putByte(MemorySegment cell, byte value) {
        cell.set(JAVA_BYTE, 0, value);
    }

    public static void putShort(MemorySegment cell, short value) {
        cell.set(JAVA_SHORT, 0, value);
    }

    public static void putInt(MemorySegment cell, int value) {
        cell.set(JAVA_INT, 0, value);
    }

    public static void putLong(MemorySegment cell, long value) {
        cell.set(JAVA_LONG, 0, value);
    }

    public static void putFloat(MemorySegment cell, float value) {
        cell.set(JAVA_FLOAT, 0, value);
    }

    public static void putDouble(MemorySegment cell, double value) {
        cell.set(JAVA_DOUBLE, 0, value);
    }
}
