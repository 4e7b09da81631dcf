// Reads lines `SHAPE WAY HEX LENGTH`, and says of each whether the contestant of codec decodes the message. Its
// arguments are the module of the binding and the folder of the contestant.
import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [module, folder] = process.argv.slice(2);
const { helpers } = await import(pathToFileURL(module));
const { cborOf } = await import(pathToFileURL(join(folder, "_cbor.mjs")));
const struct = await import(pathToFileURL(join(folder, "_struct.mjs")));
const cbor = cborOf(helpers.cborx);

function decoders(shape, way) {
    if (way === "cbor") return [cbor];
    return shape === "payload" ? [struct.payload, struct.view] : [struct[shape]];
}

for (const line of readFileSync(0, "ascii").trimEnd().split("\n")) {
    const [shape, way, digits, size] = line.split(" ");
    const memory = Buffer.from(digits, "hex");
    try {
        for (const { decode } of decoders(shape, way)) decode(memory, Number(size));
        console.log("taken");
    } catch {
        console.log("refused");
    }
}
