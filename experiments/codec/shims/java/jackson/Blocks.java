/* Messages as a struct in one block, by ByteBuffer, which is read and written little-endian. */

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;

final class Blocks {
    private static final int SPAN = 8;
    private static final int REQUEST = 16;
    private static final int RESPONSE = 16;
    private static final int COMPLEX = 24;
    private static final int NOTE = 16; /* where that of a complex one is */
    private static final char REPLACEMENT = '\ufffd';

    private byte[] received = new byte[0]; /* at its beginning a text that is being decoded */

    byte[] encode(Request message) {
        var text = bytes(message.message());
        var block = block(REQUEST + text.length);
        put(block, 0, REQUEST, text);
        block.putLong(SPAN, message.number());
        return block.array();
    }

    byte[] encode(Response message) {
        var first = bytes(message.first());
        var second = bytes(message.second());
        var block = block(RESPONSE + first.length + second.length);
        put(block, SPAN, put(block, 0, RESPONSE, first), second);
        return block.array();
    }

    byte[] encode(Complex message) {
        var items = message.items();
        var tags = message.tags();
        int tagsAt = COMPLEX + REQUEST * items.size();
        int end = tagsAt + SPAN * tags.size();
        var texts = new byte[items.size() + tags.size()][];
        var note = message.note() == null ? null : bytes(message.note());
        int size = end + (note == null ? 0 : note.length);
        int text = 0;
        for (var item : items)
            size += (texts[text++] = bytes(item.message())).length;
        for (var tag : tags)
            size += (texts[text++] = bytes(tag)).length;

        var block = block(size);
        block.putInt(0, COMPLEX).putInt(4, items.size()).putInt(8, tagsAt).putInt(12, tags.size());
        text = 0;
        int at = COMPLEX;
        for (var item : items) {
            end = put(block, at, end, texts[text++]);
            block.putLong(at + SPAN, item.number());
            at += REQUEST;
        }
        for (; text < texts.length; at += SPAN)
            end = put(block, at, end, texts[text++]);
        if (note != null)
            put(block, NOTE, end, note);
        return block.array();
    }

    byte[] encode(Payload message) {
        var block = block(SPAN + message.bytes().length);
        put(block, 0, SPAN, message.bytes());
        return block.array();
    }

    Request request(Answer answer) throws IOException {
        check(answer, 0, 1, REQUEST);
        return new Request(text(answer, 0), answer.block.getLong(SPAN));
    }

    Response response(Answer answer) throws IOException {
        check(answer, 0, 1, RESPONSE);
        return new Response(text(answer, 0), text(answer, SPAN));
    }

    Complex complex(Answer answer) throws IOException {
        check(answer, 0, 1, COMPLEX);
        var block = answer.block;
        int itemCount = count(answer, 0, REQUEST);
        int tagCount = count(answer, SPAN, SPAN);
        var items = new ArrayList<Request>(itemCount);
        var tags = new ArrayList<String>(tagCount);
        int at = block.getInt(0);
        for (int place = 0; place < itemCount; place++, at += REQUEST)
            items.add(new Request(text(answer, at), block.getLong(at + SPAN)));
        at = block.getInt(SPAN);
        for (int place = 0; place < tagCount; place++, at += SPAN)
            tags.add(text(answer, at));
        return new Complex(items, tags, block.getInt(NOTE) == 0 ? null : text(answer, NOTE));
    }

    Payload payload(Answer answer) throws IOException {
        check(answer, 0, 1, SPAN);
        var bytes = new byte[count(answer, 0, 1)];
        answer.block.get(answer.block.getInt(0), bytes);
        return new Payload(bytes);
    }

    PayloadView view(Answer answer) throws IOException {
        check(answer, 0, 1, SPAN);
        int count = count(answer, 0, 1);
        return new PayloadView(answer.memory.asSlice(answer.block.getInt(0), count));
    }

    private static ByteBuffer block(int size) {
        return ByteBuffer.wrap(new byte[size]).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /* Writes bytes to `end`, and where they lie to `at`. Returns where they end. */
    private static int put(ByteBuffer block, int at, int end, byte[] bytes) {
        block.putInt(at, end).putInt(at + 4, bytes.length).put(end, bytes);
        return end + bytes.length;
    }

    /* How many elements, each of `size` bytes, there are at the place that is written at `at`: all lie inside. */
    private static int count(Answer answer, int at, int size) throws IOException {
        int count = answer.block.getInt(at + 4);
        check(answer, answer.block.getInt(at), count, size);
        return count;
    }

    /* What is negative here is larger than any block. */
    private static void check(Answer answer, int offset, int count, int size) throws IOException {
        if (offset < 0 || count < 0 || offset + (long) count * size > answer.size)
            throw new IOException("a message names what lies outside its block");
    }

    private String text(Answer answer, int at) throws IOException {
        int length = count(answer, at, 1);
        if (received.length < length)
            received = new byte[length];
        answer.block.get(answer.block.getInt(at), received, 0, length);
        var text = new String(received, 0, length, StandardCharsets.UTF_8);
        return text.indexOf(REPLACEMENT) < 0 ? text : strictly(ByteBuffer.wrap(received, 0, length));
    }

    /* A String puts this character in the place of what is not UTF-8: only a text that has it is looked at again. */
    private static String strictly(ByteBuffer text) throws CharacterCodingException {
        return StandardCharsets.UTF_8.newDecoder().decode(text).toString(); /* a decoder reports what is malformed */
    }
}
