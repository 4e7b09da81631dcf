/* Messages as CBOR, by Jackson's generator and parser. */

import static com.fasterxml.jackson.core.JsonToken.END_ARRAY;
import static com.fasterxml.jackson.core.JsonToken.START_ARRAY;
import static com.fasterxml.jackson.core.JsonToken.VALUE_EMBEDDED_OBJECT;
import static com.fasterxml.jackson.core.JsonToken.VALUE_NULL;
import static com.fasterxml.jackson.core.JsonToken.VALUE_NUMBER_INT;
import static com.fasterxml.jackson.core.JsonToken.VALUE_STRING;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.cbor.CBORFactory;
import com.fasterxml.jackson.dataformat.cbor.CBORGenerator;
import com.fasterxml.jackson.dataformat.cbor.CBORParser;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;

final class Cbor {
    private final CBORFactory factory = new CBORFactory();
    private final Sink sink = new Sink();
    private byte[] received = new byte[0]; /* at its beginning what is being decoded */

    byte[] encode(Request message) throws IOException {
        try (var out = generator()) {
            write(out, message);
        }
        return sink.toBytes();
    }

    byte[] encode(Response message) throws IOException {
        try (var out = generator()) {
            out.writeStartArray(null, 2);
            out.writeString(message.first());
            out.writeString(message.second());
            out.writeEndArray();
        }
        return sink.toBytes();
    }

    byte[] encode(Complex message) throws IOException {
        try (var out = generator()) {
            out.writeStartArray(null, 3);
            out.writeStartArray(null, message.items().size());
            for (var item : message.items())
                write(out, item);
            out.writeEndArray();
            out.writeStartArray(null, message.tags().size());
            for (var tag : message.tags())
                out.writeString(tag);
            out.writeEndArray();
            out.writeString(message.note()); /* a null where there is none */
            out.writeEndArray();
        }
        return sink.toBytes();
    }

    byte[] encode(Payload message) throws IOException {
        try (var out = generator()) {
            out.writeStartArray(null, 1);
            out.writeBinary(message.bytes());
            out.writeEndArray();
        }
        return sink.toBytes();
    }

    Request request(Answer answer) throws IOException {
        try (var in = parser(answer)) {
            expect(in.nextToken(), START_ARRAY);
            var message = request(in);
            end(in);
            if (Sizes.of(message) != answer.size)
                compare(encode(message), answer);
            return message;
        }
    }

    Response response(Answer answer) throws IOException {
        try (var in = parser(answer)) {
            expect(in.nextToken(), START_ARRAY);
            var message = new Response(text(in), text(in));
            expect(in.nextToken(), END_ARRAY);
            end(in);
            if (Sizes.of(message) != answer.size)
                compare(encode(message), answer);
            return message;
        }
    }

    Complex complex(Answer answer) throws IOException {
        try (var in = parser(answer)) {
            expect(in.nextToken(), START_ARRAY);
            expect(in.nextToken(), START_ARRAY);
            var items = new ArrayList<Request>();
            while (in.nextToken() == START_ARRAY)
                items.add(request(in));
            expect(in.currentToken(), END_ARRAY);
            expect(in.nextToken(), START_ARRAY);
            var tags = new ArrayList<String>();
            while (in.nextToken() == VALUE_STRING)
                tags.add(in.getText());
            expect(in.currentToken(), END_ARRAY);
            var note = in.nextTextValue();
            if (note == null)
                expect(in.currentToken(), VALUE_NULL);
            expect(in.nextToken(), END_ARRAY);
            end(in);
            var message = new Complex(items, tags, note);
            if (Sizes.of(message) != answer.size)
                compare(encode(message), answer);
            return message;
        }
    }

    Payload payload(Answer answer) throws IOException {
        try (var in = parser(answer)) {
            expect(in.nextToken(), START_ARRAY);
            expect(in.nextToken(), VALUE_EMBEDDED_OBJECT);
            var message = new Payload(in.getBinaryValue());
            expect(in.nextToken(), END_ARRAY);
            end(in);
            return message;
        }
    }

    private CBORGenerator generator() throws IOException {
        return factory.createGenerator(sink.emptied());
    }

    /* A parser of bytes in Java's heap: it takes no others. */
    private CBORParser parser(Answer answer) throws IOException {
        if (received.length < answer.size)
            received = new byte[answer.size];
        MemorySegment.copy(answer.memory, JAVA_BYTE, 0, received, 0, answer.size);
        return factory.createParser(received, 0, answer.size);
    }

    private static void write(CBORGenerator out, Request message) throws IOException {
        out.writeStartArray(null, 2);
        out.writeString(message.message());
        out.writeNumber(message.number());
        out.writeEndArray();
    }

    /* The rest of a request, after the beginning of its array. */
    private static Request request(CBORParser in) throws IOException {
        var text = text(in);
        expect(in.nextToken(), VALUE_NUMBER_INT);
        long number = in.getLongValue();
        expect(in.nextToken(), END_ARRAY);
        return new Request(text, number);
    }

    private static String text(CBORParser in) throws IOException {
        var text = in.nextTextValue();
        if (text == null)
            throw new IOException("a message has " + in.currentToken() + " where a text was expected");
        return text;
    }

    private static void end(CBORParser in) throws IOException {
        if (in.nextToken() != null)
            throw new IOException("a message goes on after its end");
    }

    private static void expect(JsonToken found, JsonToken wanted) throws IOException {
        if (found != wanted)
            throw new IOException("a message has " + found + " where " + wanted + " was expected");
    }

    /*
     * Jackson takes for UTF-8 what is not: longer forms than need be, and surrogates. A message that is as long as if
     * its texts were ASCII has nothing else. Any other is encoded again, and comes out as it came in if it was good.
     */
    private static void compare(byte[] again, Answer answer) throws IOException {
        if (!Arrays.equals(again, answer.bytes()))
            throw new IOException("a text is not UTF-8, or a message not canonical");
    }
}
