/* The coders of all shapes in one of the two ways: as CBOR, or as a block. */

import static ffibench.Binding.CODEC_COMPLEX;
import static ffibench.Binding.CODEC_PAYLOAD;
import static ffibench.Binding.CODEC_REQUEST;
import static ffibench.Binding.CODEC_RESPONSE;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.IOException;
import java.util.function.LongFunction;

final class Coders {
    final Coder<Request, Request> requests;
    private final Coder<Response, Response> responses;
    private final Coder<Complex, Complex> complexes;
    private final Coder<Payload, Payload> payloads;
    private final Coder<Payload, PayloadView> views; /* of blocks alone */

    Coders(boolean isBlock, LongFunction<Payload> maker) throws IOException {
        var cbor = new Cbor();
        var blocks = new Blocks();
        requests = new Coder<>(isBlock, CODEC_REQUEST, Messages.requests(), Messages.REQUESTS,
            isBlock ? blocks::encode : cbor::encode, isBlock ? blocks::request : cbor::request, Request::number);
        responses = new Coder<>(isBlock, CODEC_RESPONSE, Messages.responses(), Messages.RESPONSES,
            isBlock ? blocks::encode : cbor::encode, isBlock ? blocks::response : cbor::response,
            value -> value.first().length());
        complexes = new Coder<>(isBlock, CODEC_COMPLEX, Messages.complexes(), Messages.COMPLEXES,
            isBlock ? blocks::encode : cbor::encode, isBlock ? blocks::complex : cbor::complex,
            value -> value.items().get(0).number() + value.tags().size());
        payloads = new Coder<>(isBlock, CODEC_PAYLOAD, maker, Messages.PAYLOADS,
            isBlock ? blocks::encode : cbor::encode, isBlock ? blocks::payload : cbor::payload,
            value -> Byte.toUnsignedLong(value.bytes()[value.bytes().length - 1]));
        views = isBlock ? new Coder<>(isBlock, CODEC_PAYLOAD, maker, Messages.PAYLOADS, blocks::encode, blocks::view,
            value -> Byte.toUnsignedLong(value.bytes().get(JAVA_BYTE, value.bytes().byteSize() - 1))) : null;
    }

    Coder<?, ?> of(String shape, boolean isView) {
        return switch (shape) {
            case "request" -> requests;
            case "response" -> responses;
            case "complex" -> complexes;
            case "payload" -> isView ? views : payloads;
            default -> throw new IllegalArgumentException("there is no shape " + shape);
        };
    }
}
