/* Reads lines `SHAPE WAY HEX LENGTH`, and says of each whether the contestant of codec decodes the message. */

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.HexFormat;
import java.util.List;

final class Decodes {
    private static final Cbor CBOR = new Cbor();
    private static final Blocks BLOCKS = new Blocks();

    private Decodes() {
    }

    private static List<Coder.Decoder<?>> decoders(String shape, boolean isBlock) {
        return switch (shape) {
            case "request" -> List.of(isBlock ? BLOCKS::request : CBOR::request);
            case "response" -> List.of(isBlock ? BLOCKS::response : CBOR::response);
            case "complex" -> List.of(isBlock ? BLOCKS::complex : CBOR::complex);
            default -> isBlock ? List.of(BLOCKS::payload, BLOCKS::view) : List.of(CBOR::payload);
        };
    }

    private static String said(String shape, String way, byte[] memory, int size) {
        var answer = new Answer(memory.length);
        answer.set(memory);
        answer.size = size;
        try {
            for (var decoder : decoders(shape, way.equals("struct")))
                decoder.decode(answer);
            return "taken";
        } catch (IOException refused) {
            return "refused";
        }
    }

    public static void main(String[] arguments) throws IOException {
        var in = new BufferedReader(new InputStreamReader(System.in));
        for (var line = in.readLine(); line != null; line = in.readLine()) {
            var words = line.split(" ");
            System.out.println(said(words[0], words[1], HexFormat.of().parseHex(words[2]), Integer.parseInt(words[3])));
        }
    }
}
