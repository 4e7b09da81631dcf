/* The arguments of a worker. */
package ffibench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

final class Options {
    private final Map<String, String> values = new HashMap<>();

    /* Arguments are bytes. What Java makes of them follows the locale; the kernel has the last `count` as they were given. */
    Options(int count) throws IOException {
        var given = Files.readString(Path.of("/proc/self/cmdline"), StandardCharsets.ISO_8859_1).split("\0", -1);
        for (int each = given.length - 1 - count; each < given.length - 1; each++) {
            int end = given[each].indexOf('=');
            if (end < 0)
                throw new IllegalArgumentException("not of the form NAME=VALUE: " + given[each]);
            values.put(given[each].substring(0, end), given[each].substring(end + 1));
        }
    }

    boolean has(String name) {
        return values.containsKey(name);
    }

    byte[] bytes(String name) {
        var value = values.get(name);
        if (value == null)
            throw new IllegalArgumentException("missing argument: " + name);
        return value.getBytes(StandardCharsets.ISO_8859_1);
    }

    String text(String name) {
        return new String(bytes(name), StandardCharsets.UTF_8);
    }

    long number(String name) {
        return parsed(text(name));
    }

    /* The cases that the harness asks for, in its order, with their iterations. */
    Map<String, Long> cases() {
        var asked = new LinkedHashMap<String, Long>();
        for (var entry : text("cases").split(",")) {
            int end = entry.lastIndexOf(':');
            if (end < 0)
                throw new IllegalArgumentException("not of the form NAME:ITERATIONS: " + entry);
            asked.put(entry.substring(0, end), parsed(entry.substring(end + 1)));
        }
        return asked;
    }

    private static long parsed(String text) {
        try {
            if (!text.startsWith("+") && !text.startsWith("-"))
                return Long.parseLong(text);
        } catch (NumberFormatException failure) {
            // told below
        }
        throw new IllegalArgumentException("not a number: " + text);
    }
}
