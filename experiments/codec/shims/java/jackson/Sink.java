/* What a generator writes to, again and again. A ByteArrayOutputStream locks for each write, which takes 30 ns. */

import java.io.OutputStream;
import java.util.Arrays;

final class Sink extends OutputStream {
    private byte[] bytes = new byte[512];
    private int size;

    Sink emptied() {
        size = 0;
        return this;
    }

    @Override
    public void write(int each) {
        grow(1);
        bytes[size++] = (byte) each;
    }

    @Override
    public void write(byte[] more, int offset, int length) {
        grow(length);
        System.arraycopy(more, offset, bytes, size, length);
        size += length;
    }

    byte[] toBytes() {
        return Arrays.copyOf(bytes, size);
    }

    private void grow(int more) {
        if (size + more > bytes.length)
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
    }
}
