// Messages as CBOR, by cbor-x.
import { isDoubtful } from "./_text.mjs";

export function cborOf({ Encoder }) {
    const coder = new Encoder({ useRecords: false, copyBuffers: true });

    const encode = (message) => coder.encode(message);

    // cbor-x takes any bytes for a text. A replacement character that was in it comes out as it went in.
    function decode(memory, size) {
        const message = coder.decode(memory, size);
        if (hasDoubt(message) && !coder.encode(message).equals(memory.subarray(0, size))) {
            throw new TypeError("a text is not UTF-8");
        }
        return message;
    }

    return { encode, decode };
}

function hasDoubt(field) {
    return typeof field === "string" ? isDoubtful(field) : Array.isArray(field) && field.some(hasDoubt);
}
