/*
 * Where the library is given messages and writes its answers: memory outside of Java's heap, as java.lang.foreign wants
 * it. What Java encodes is an array of bytes, which is copied there to be handed over.
 */

import static ffibench.Binding.codec_answer_block;
import static ffibench.Binding.codec_answer_cbor;
import static ffibench.Binding.codec_check;

import ffibench.Memory;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.stream.Stream;

/* An answer: `size` bytes at the beginning of its memory. */
final class Answer {
    final MemorySegment memory;
    final ByteBuffer block; /* the same memory */
    int size;

    Answer(int room) {
        memory = Memory.buffer(room);
        block = memory.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    }

    void set(byte[] bytes) {
        Memory.put(memory, bytes, bytes.length);
        size = bytes.length;
    }

    byte[] bytes() {
        return Memory.content(memory, size);
    }
}

/* The way across for messages of a shape, as CBOR or as a block. */
final class Crossing {
    final Answer answer, spare;
    private final boolean isBlock;
    private final int shape, room;
    private final MemorySegment given;

    /* `room` is the most that a message has, or its answer. */
    Crossing(boolean isBlock, int shape, int room) {
        this.isBlock = isBlock;
        this.shape = shape;
        this.room = room;
        given = Memory.buffer(room);
        answer = new Answer(room);
        spare = new Answer(room);
    }

    /* Has a message answered. */
    Answer call(byte[] request) {
        Memory.put(given, request, request.length);
        answer.size = size(isBlock ? codec_answer_block(shape, given, request.length, answer.memory, room)
            : codec_answer_cbor(shape, given, request.length, answer.memory, room));
        return answer;
    }

    /* The same outside of a loop, into any answer. */
    Answer check(byte[] request, Answer into) {
        Memory.put(given, request, request.length);
        into.size = size(codec_check(isBlock ? 1 : 0, shape, given, request.length, into.memory, room));
        return into;
    }

    /* Memory for so many answers. */
    Answer[] answers(int count) {
        return Stream.generate(() -> new Answer(room)).limit(count).toArray(Answer[]::new);
    }

    private static int size(long length) {
        if (length < 0)
            throw new IllegalArgumentException("the library refuses a message: " + length);
        return (int) length;
    }
}
