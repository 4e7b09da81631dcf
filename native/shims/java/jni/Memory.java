/* Memory outside of Java's heap, which calls are handed: direct buffers, whose address JNI gives without a copy. */
package ffibench;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

public final class Memory {
    public static final long NULL = 0;
    public static final long NO_FUNCTION = 0;

    private static final int ALIGNMENT = 16;

    private Memory() {
    }

    /** So many bytes, 0 at first. As in other languages a NUL follows. */
    public static ByteBuffer buffer(long size) {
        var memory = ByteBuffer.allocateDirect((int) size + 1 + ALIGNMENT).alignedSlice(ALIGNMENT);
        return memory.slice(0, (int) size).order(ByteOrder.nativeOrder());
    }

    /** Memory with these bytes. */
    public static ByteBuffer bytes(byte[] content) {
        return buffer(content.length).put(0, content);
    }

    /** A text that a call gave, to be handed to another. */
    public static ByteBuffer text(String text) {
        return text == null ? null : bytes(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** The bytes in it. */
    public static byte[] content(ByteBuffer memory) {
        return content(memory, memory.capacity());
    }

    /** The first of them. */
    public static byte[] content(ByteBuffer memory, long size) {
        var content = new byte[(int) size];
        memory.get(0, content);
        return content;
    }

    /** Those at some places. */
    public static byte[] content(ByteBuffer memory, long[] places) {
        var content = new byte[places.length];
        for (int each = 0; each < places.length; each++)
            content[each] = memory.get((int) places[each]);
        return content;
    }

    /** Sets the first bytes. */
    public static void put(ByteBuffer memory, byte[] content, int size) {
        memory.put(0, content, 0, size);
    }

    /** Memory for one value. */
    public static ByteBuffer cell(long value) {
        return buffer(Long.BYTES).putLong(0, value);
    }

    public static boolean isNull(long address) {
        return address == 0;
    }

    public static boolean getBoolean(ByteBuffer cell) {
        return cell.get(0) != 0;
    }

    public static byte getByte(ByteBuffer cell) {
        return cell.get(0);
    }

    public static short getShort(ByteBuffer cell) {
        return cell.getShort(0);
    }

    public static int getInt(ByteBuffer cell) {
        return cell.getInt(0);
    }

    public static long getLong(ByteBuffer cell) {
        return cell.getLong(0);
    }

    public static float getFloat(ByteBuffer cell) {
        return cell.getFloat(0);
    }

    public static double getDouble(ByteBuffer cell) {
        return cell.getDouble(0);
    }

    public static long getAddress(ByteBuffer cell) {
        return cell.getLong(0);
    }

    public static void putBoolean(ByteBuffer cell, boolean value) {
        cell.put(0, (byte) (value ? 1 : 0));
    }

    public static void putByte(ByteBuffer cell, byte value) {
        cell.put(0, value);
    }

    public static void putShort(ByteBuffer cell, short value) {
        cell.putShort(0, value);
    }

    public static void putInt(ByteBuffer cell, int value) {
        cell.putInt(0, value);
    }

    public static void putLong(ByteBuffer cell, long value) {
        cell.putLong(0, value);
    }

    public static void putFloat(ByteBuffer cell, float value) {
        cell.putFloat(0, value);
    }

    public static void putDouble(ByteBuffer cell, double value) {
        cell.putDouble(0, value);
    }
}
