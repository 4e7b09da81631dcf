/* The bytes of a message as CBOR, where all characters of its texts are ASCII. */
final class Sizes {
    private Sizes() {
    }

    static long of(Request message) {
        long number = message.number();
        return 1 + of(message.message()) + head(number < 0 ? ~number : number);
    }

    static long of(Response message) {
        return 1 + of(message.first()) + of(message.second());
    }

    static long of(Complex message) {
        long size = 1 + head(message.items().size()) + head(message.tags().size());
        for (var item : message.items())
            size += of(item);
        for (var tag : message.tags())
            size += of(tag);
        return size + (message.note() == null ? 1 : of(message.note()));
    }

    private static long of(String text) {
        return head(text.length()) + text.length();
    }

    /* A head with a number that is not negative. */
    private static int head(long number) {
        return number < 24 ? 1 : number < 1L << 8 ? 2 : number < 1L << 16 ? 3 : number < 1L << 32 ? 5 : 9;
    }
}
