// Texts in a block. A short one is written and read here, character by character while it is ASCII: a call into Node's
// C++ takes longer.
const SHORT = 64;
const SHORTEST = 16; // an array of characters becomes a string in less time up to here
const ASCII_END = 0x80;
const REPLACEMENT = "\ufffd";
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

// What decodes in a hurry, as Buffer and cbor-x do, puts U+FFFD in the place of what is not UTF-8: a text without this
// character was good, and only one that has it is looked at again.
export const isDoubtful = (text) => text.includes(REPLACEMENT);

// Writes a text to `at`. Returns its bytes.
export function putText(block, text, at) {
    const { length } = text;
    if (length >= SHORT) return block.write(text, at);
    for (let place = 0; place < length; place++) {
        const character = text.charCodeAt(place);
        if (character >= ASCII_END) return block.write(text, at);
        block[at + place] = character;
    }
    return length;
}

// The text that lies in a block. Throws where it lies outside, or is not UTF-8.
export function textAt(block, size, offset, length) {
    const end = offset + length;
    if (end > size) throw new RangeError("a text lies outside the block");
    if (length < SHORTEST) {
        const characters = new Array(length);
        let place = 0;
        for (; place < length && block[offset + place] < ASCII_END; place++) characters[place] = block[offset + place];
        if (place === length) return String.fromCharCode.apply(null, characters);
    }
    const text = block.toString("utf8", offset, end);
    return isDoubtful(text) ? strict.decode(block.subarray(offset, end)) : text;
}
