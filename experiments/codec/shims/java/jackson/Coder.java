/*
 * A shape in one of the two ways. It makes the message of an iteration, encodes it, has it answered, and decodes the
 * answer to a value, of which an iteration adds up what `light` returns.
 */

import java.io.IOException;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;

final class Coder<M, V> {
    @FunctionalInterface
    interface Encoder<M> {
        byte[] encode(M message) throws IOException;
    }

    @FunctionalInterface
    interface Decoder<V> {
        V decode(Answer answer) throws IOException;
    }

    final List<M> fixtures;
    final int room; /* the most bytes of a message or of its answer */
    final Crossing crossing;
    private final LongFunction<M> maker;
    private final Encoder<M> encoder;
    private final Decoder<V> decoder;
    private final ToLongFunction<V> light;

    Coder(boolean isBlock, int shape, LongFunction<M> maker, List<M> fixtures, Encoder<M> encoder, Decoder<V> decoder,
        ToLongFunction<V> light) throws IOException {
        this.maker = maker;
        this.fixtures = fixtures;
        this.encoder = encoder;
        this.decoder = decoder;
        this.light = light;
        int most = encode(message(0)).length;
        for (var fixture : fixtures)
            most = Math.max(most, encode(fixture).length);
        room = most + Messages.ROTATED;
        crossing = new Crossing(isBlock, shape, room);
    }

    M message(long iteration) {
        return maker.apply(iteration);
    }

    byte[] encode(M message) throws IOException {
        return encoder.encode(message);
    }

    V decode(Answer answer) throws IOException {
        return decoder.decode(answer);
    }

    long light(V value) {
        return light.applyAsLong(value);
    }
}
