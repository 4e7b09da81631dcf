/*
 * A line of JSON, made byte by byte: strings, and whole numbers, which are exact. It is made between slices, where
 * nothing should be compiled, so that it is left to the interpreter and uses next to nothing of Java's own classes.
 */
package ffibench;

import java.io.IOException;
import java.io.OutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Map;

final class Line {
    private byte[] bytes = new byte[512];
    private int length;

    /* ASCII alone, for which the method that takes the low byte of each character is right, and the quickest. */
    @SuppressWarnings("deprecation")
    Line plain(String text) {
        grow(text.length());
        text.getBytes(0, text.length(), bytes, length);
        length += text.length();
        return this;
    }

    Line string(String text) {
        add('"');
        for (int each = 0; each < text.length(); each++) {
            char character = text.charAt(each);
            if (character == '"' || character == '\\')
                add('\\').add(character);
            else if (character < ' ')
                plain("\\u00").digit(character >> 4).digit(character & 15);
            else if (character < 0x7f)
                add(character);
            else
                each += encoded(text, each) - 1;
        }
        return add('"');
    }

    Line number(long value) {
        if (value < 0)
            return plain(Long.toString(value));
        int digits = 1;
        for (long rest = value / 10; rest > 0; rest /= 10)
            digits++;
        grow(digits);
        for (int each = digits; each > 0; each--, value /= 10)
            bytes[length + each - 1] = (byte) ('0' + value % 10);
        length += digits;
        return this;
    }

    /* A receipt or figures: the fields of some maps. */
    @SafeVarargs
    final Line object(Map<String, ?>... maps) {
        int begin = add('{').length;
        for (var fields : maps)
            for (var field : fields.entrySet())
                (length == begin ? this : plain(", ")).string(field.getKey()).plain(": ").value(field.getValue());
        return add('}');
    }

    void writeTo(OutputStream out) throws IOException {
        out.write(bytes, 0, length);
    }

    private Line value(Object value) {
        if (value instanceof String text)
            return string(text);
        if (value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte)
            return number(((Number) value).longValue());
        if (value instanceof BigInteger)
            return plain(value.toString());
        throw new IllegalArgumentException("a receipt with " + value + ", no whole number");
    }

    /* Adds what a character that is not ASCII has in UTF-8; returns of how many it was. */
    private int encoded(String text, int at) {
        int count = Character.charCount(text.codePointAt(at));
        for (byte each : text.substring(at, at + count).getBytes(StandardCharsets.UTF_8))
            add(each);
        return count;
    }

    private Line digit(int value) {
        return add("0123456789abcdef".charAt(value));
    }

    private Line add(int value) {
        grow(1);
        bytes[length++] = (byte) value;
        return this;
    }

    private void grow(int more) {
        if (length + more <= bytes.length)
            return;
        var larger = new byte[2 * bytes.length + more];
        System.arraycopy(bytes, 0, larger, 0, length);
        bytes = larger;
    }
}
