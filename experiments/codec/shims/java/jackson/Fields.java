/* Writes out the fields of a message that was decoded, so that two messages with different ones differ. */

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

final class Fields {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private Fields() {
    }

    static byte[] of(Object message) {
        var fields = new Fields();
        fields.add(message);
        return fields.out.toByteArray();
    }

    private void add(Object field) {
        if (field == null)
            plain("-");
        else if (field instanceof Long number)
            plain(number + ";");
        else if (field instanceof String text)
            bytes(text.getBytes(StandardCharsets.UTF_8));
        else if (field instanceof byte[] bytes)
            bytes(bytes);
        else if (field instanceof List<?> list)
            list(list.toArray());
        else if (field instanceof Request request)
            list(request.message(), request.number());
        else if (field instanceof Response response)
            list(response.first(), response.second());
        else if (field instanceof Complex complex)
            list(complex.items(), complex.tags(), complex.note());
        else if (field instanceof Payload payload)
            list((Object) payload.bytes());
        else if (field instanceof PayloadView view)
            list((Object) view.bytes().toArray(JAVA_BYTE));
        else
            throw new IllegalArgumentException("no field of a message: " + field);
    }

    private void list(Object... fields) {
        plain(fields.length + "[");
        for (var each : fields)
            add(each);
        plain("]");
    }

    private void bytes(byte[] bytes) {
        plain(bytes.length + ":");
        out.writeBytes(bytes);
    }

    private void plain(String text) {
        out.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }
}
