/*
 * A struct by the rules of C: each field lies at the next multiple of its alignment. What is in it is set and read by
 * the path of a number, `x`, `inner.x` or `items[2]`, in the bytes that a binding hands over.
 */
package ffibench;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.Map;

public final class Struct {
    private record Place(int offset, String type) {
    }

    private final Map<String, Place> places = new LinkedHashMap<>();
    private int end;
    private int alignment = 1;

    /** A field with the path's beginning `name`, of a C type without qualifiers. */
    public Struct field(String name, String type) {
        places.put(name, new Place(place(sizeOf(type), sizeOf(type)), type));
        return this;
    }

    public Struct field(String name, Struct inner) {
        int offset = place(inner.size(), inner.alignment);
        inner.places.forEach((path, place) -> places.put(name + inside(path), new Place(offset + place.offset, place.type)));
        return this;
    }

    /** The items of an array, each of which is a struct with one field that has no name. */
    public Struct field(String name, Struct item, int length) {
        for (int each = 0; each < length; each++)
            field(name + "[" + each + "]", item);
        return this;
    }

    public static Struct item(String type) {
        return new Struct().field("", type);
    }

    private static String inside(String path) {
        return path.isEmpty() || path.startsWith("[") ? path : "." + path;
    }

    private int place(int size, int aligned) {
        int offset = (end + aligned - 1) / aligned * aligned;
        end = offset + size;
        alignment = Math.max(alignment, aligned);
        return offset;
    }

    public int size() {
        return (end + alignment - 1) / alignment * alignment;
    }

    /** Bytes with these numbers; the others are 0. */
    public byte[] with(Object... pathsAndNumbers) {
        var memory = memory(new byte[size()]);
        for (int each = 0; each < pathsAndNumbers.length; each += 2) {
            var place = places.get((String) pathsAndNumbers[each]);
            put(memory, place.offset, place.type, (Number) pathsAndNumbers[each + 1]);
        }
        return memory.array();
    }

    public long integer(byte[] content, String path) {
        var place = places.get(path);
        return switch (sizeOf(place.type)) {
            case 1 -> content[place.offset];
            case 2 -> memory(content).getShort(place.offset);
            case 4 -> memory(content).getInt(place.offset);
            default -> memory(content).getLong(place.offset);
        };
    }

    /** A whole number as C has it. */
    public BigInteger exact(byte[] content, String path) {
        var type = places.get(path).type;
        var value = BigInteger.valueOf(integer(content, path));
        boolean wraps = value.signum() < 0 && (type.startsWith("unsigned"));
        return wraps ? value.add(BigInteger.ONE.shiftLeft(8 * sizeOf(type))) : value;
    }

    public double real(byte[] content, String path) {
        var place = places.get(path);
        boolean isFloat = place.type.equals("float");
        return isFloat ? memory(content).getFloat(place.offset) : memory(content).getDouble(place.offset);
    }

    /** Numbers side by side. */
    public static byte[] array(String type, Number... numbers) {
        var memory = memory(new byte[numbers.length * sizeOf(type)]);
        for (int each = 0; each < numbers.length; each++)
            put(memory, each * sizeOf(type), type, numbers[each]);
        return memory.array();
    }

    /** The numbers 0, 1 .. */
    public static byte[] counting(String type, int length) {
        var numbers = new Number[length];
        for (int each = 0; each < length; each++)
            numbers[each] = each;
        return array(type, numbers);
    }

    private static ByteBuffer memory(byte[] content) {
        return ByteBuffer.wrap(content).order(ByteOrder.nativeOrder());
    }

    private static void put(ByteBuffer memory, int offset, String type, Number number) {
        switch (type) {
            case "float" -> memory.putFloat(offset, number.floatValue());
            case "double" -> memory.putDouble(offset, number.doubleValue());
            default -> {
                switch (sizeOf(type)) {
                    case 1 -> memory.put(offset, number.byteValue());
                    case 2 -> memory.putShort(offset, number.shortValue());
                    case 4 -> memory.putInt(offset, number.intValue());
                    default -> memory.putLong(offset, number.longValue());
                }
            }
        }
    }

    private static int sizeOf(String type) {
        return switch (type) {
            case "_Bool", "char", "signed char", "unsigned char" -> 1;
            case "short", "unsigned short" -> 2;
            case "int", "unsigned int", "float" -> 4;
            case "long", "unsigned long", "long long", "unsigned long long", "double", "void *" -> 8;
            default -> throw new IllegalArgumentException("no number of C: " + type);
        };
    }
}
