/* Memory outside of Java's heap, which calls are handed: by its address, without a copy. */
package ffibench;

import com.sun.jna.Pointer;
import java.nio.charset.StandardCharsets;

public final class Memory {
    public static final Pointer NULL = null;
    public static final com.sun.jna.Callback NO_FUNCTION = null;

    private Memory() {
    }

    /** So many bytes, 0 at first. As in other languages a NUL follows. */
    public static com.sun.jna.Memory buffer(long size) {
        var memory = new Sized(size);
        memory.clear();
        return memory;
    }

    /** Memory with these bytes. */
    public static com.sun.jna.Memory bytes(byte[] content) {
        var memory = buffer(content.length);
        put(memory, content, content.length);
        return memory;
    }

    /** A text that a call gave, to be handed to another. */
    public static Pointer text(String text) {
        return text == null ? null : bytes(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** The bytes in it. */
    public static byte[] content(com.sun.jna.Memory memory) {
        return content(memory, ((Sized) memory).content);
    }

    /** The first of them. */
    public static byte[] content(Pointer memory, long size) {
        return memory.getByteArray(0, (int) size);
    }

    /** Those at some places. */
    public static byte[] content(Pointer memory, long[] places) {
        var content = new byte[places.length];
        for (int each = 0; each < places.length; each++)
            content[each] = memory.getByte(places[each]);
        return content;
    }

    /** Sets the first bytes. */
    public static void put(Pointer memory, byte[] content, int size) {
        memory.write(0, content, 0, size);
    }

    /** Memory for one value. */
    public static com.sun.jna.Memory cell(long value) {
        var cell = buffer(Long.BYTES);
        cell.setLong(0, value);
        return cell;
    }

    public static boolean isNull(Pointer address) {
        return address == null;
    }

    public static boolean getBoolean(Pointer cell) {
        return cell.getByte(0) != 0;
    }

    public static byte getByte(Pointer cell) {
        return cell.getByte(0);
    }

    public static short getShort(Pointer cell) {
        return cell.getShort(0);
    }

    public static int getInt(Pointer cell) {
        return cell.getInt(0);
    }

    public static long getLong(Pointer cell) {
        return cell.getLong(0);
    }

    public static float getFloat(Pointer cell) {
        return cell.getFloat(0);
    }

    public static double getDouble(Pointer cell) {
        return cell.getDouble(0);
    }

    public static Pointer getAddress(Pointer cell) {
        return cell.getPointer(0);
    }

    public static void putBoolean(Pointer cell, boolean value) {
        cell.setByte(0, (byte) (value ? 1 : 0));
    }

    public static void putByte(Pointer cell, byte value) {
        cell.setByte(0, value);
    }

    public static void putShort(Pointer cell, short value) {
        cell.setShort(0, value);
    }

    public static void putInt(Pointer cell, int value) {
        cell.setInt(0, value);
    }

    public static void putLong(Pointer cell, long value) {
        cell.setLong(0, value);
    }

    public static void putFloat(Pointer cell, float value) {
        cell.setFloat(0, value);
    }

    public static void putDouble(Pointer cell, double value) {
        cell.setDouble(0, value);
    }

    /* JNA has no memory of 0 bytes, and nothing after the last one. */
    private static final class Sized extends com.sun.jna.Memory {
        final long content;

        Sized(long size) {
            super(size + 1);
            content = size;
        }
    }
}
