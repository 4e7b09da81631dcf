/* Bad messages: one that ends too soon, and one with a text that is not UTF-8. */

import java.io.IOException;
import java.util.Arrays;

final class Bad {
    private static final byte NOT_UTF_8 = (byte) 0xff;

    private Bad() {
    }

    /* How many of them host and library refuse. `coder` is that of requests, in one of the two ways. */
    static int refused(Coder<Request, Request> coder) throws IOException {
        var good = coder.encode(new Request("a text", 1));
        var notText = good.clone();
        for (int place = 0; place < notText.length; place++)
            if (notText[place] == 't')
                notText[place] = NOT_UTF_8;
        int found = 0;
        for (var bad : new byte[][] {Arrays.copyOf(good, good.length - 1), notText})
            found += (isRefusedByLibrary(bad, coder) ? 1 : 0) + (isRefusedHere(bad, coder) ? 1 : 0);
        return found;
    }

    private static boolean isRefusedByLibrary(byte[] bad, Coder<Request, Request> coder) {
        try {
            coder.crossing.check(bad, coder.crossing.spare);
            return false;
        } catch (IllegalArgumentException refused) {
            return true;
        }
    }

    private static boolean isRefusedHere(byte[] bad, Coder<Request, Request> coder) {
        var answer = coder.crossing.spare;
        answer.set(bad);
        try {
            coder.decode(answer);
            return false;
        } catch (IOException refused) {
            return true;
        }
    }
}
