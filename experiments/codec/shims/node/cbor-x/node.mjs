// codec through cbor-x and through Buffer: messages are encoded in JavaScript, answered by the library, and decoded.
import { Buffer } from "node:buffer";

import { cborOf } from "./_cbor.mjs";
import { collected, emptied } from "./_collector.mjs";
import { asFields, fixtures, ROTATED, timed } from "./_messages.mjs";
import * as struct from "./_struct.mjs";

const SHAPES = ["request", "response", "complex", "payload"]; // in the order of their numbers in codec.h
const BAD = 0xff;

// What an iteration adds up of a message that was decoded.
const light = {
    request: ([, number]) => number,
    response: ([first]) => first.length,
    complex: ([[[, number]], tags]) => number + tags.length,
    payload: ([bytes]) => bytes[bytes.length - 1],
};

// What the loops of a case work on, and leave for the receipt.
class Bench {
    constructor(native, cbor, key, messages) {
        const [shape, way, step, ...kind] = key.split("_"); // payload_struct_total_view
        this.native = native;
        this.shape = shape;
        this.step = step;
        this.isView = kind[0] === "view";
        this.isWarm = kind[0] !== "default";
        this.isBlock = way === "struct";
        this.small = this.isBlock ? struct.request : cbor;
        const { encode, decode } = this.isBlock ? struct[this.isView ? "view" : shape] : cbor;
        this.encode = encode;
        this.decode = decode;
        this.light = light[shape];
        this.number = SHAPES.indexOf(shape);
        this.call = this.isBlock ? native.codec_answer_block : native.codec_answer_cbor;
        this.made = messages[shape];
        const sizes = [this.made(0), ...fixtures[shape]].map((message) => encode(message).length);
        const room = Math.max(...sizes) + ROTATED;
        this.rooms = [room, room];
        this.answer = Buffer.alloc(room);
        this.request = this.value = this.answers = this.ready = null;
        this.length = this.sum = this.collections = 0;
    }

    before() {
        this.value = null;
        if (this.isWarm && this.native.codec_warm_heap() !== 0) {
            throw new Error("the heap cannot be kept warm: malloc is not glibc's");
        }
        this.request = this.encode(this.made(0));
        if (this.step === "decode") {
            const count = this.shape === "payload" ? 1 : ROTATED;
            this.answers = Array.from({ length: count }, (_, place) => this.checked(this.encode(this.made(place))));
            this.ready = readied(this.answers);
        }
    }

    // Encodes the fixtures, has them answered and decodes them, then what the loop left of its last message.
    after(iterations) {
        const requests = fixtures[this.shape].map((message) => this.encode(message));
        const answers = requests.map((request) => this.checked(request));
        const fields = answers.map((answer) => asFields(this.decode(answer, answer.length)));
        const isCalled = this.step === "call" || this.step === "total";
        if (this.step === "decode") this.request = this.encode(this.made((iterations - 1) % ROTATED));
        requests.push(this.request);
        const last = isCalled ? Buffer.from(this.answer.subarray(0, this.length)) : this.checked(this.request);
        answers.push(last);
        if (this.step === "encode" || this.step === "call") {
            this.value = this.decode(last, last.length);
        } else if (!this.isView) {
            // What was copied must not change with what it was copied from.
            for (const answer of isCalled ? [this.answer] : this.answers) answer.fill(0);
        }
        fields.push(asFields(this.value));
        return {
            messages: iterations,
            sum: this.sum,
            requests: this.digest(requests),
            answers: this.digest(answers),
            fields: this.digest(fields),
            refused: this.refused(),
        };
    }

    // The answer of a message, outside of a loop.
    checked(request, number = this.number) {
        const answer = Buffer.alloc(request.length + ROTATED);
        const { native, isBlock } = this;
        const length = native.codec_check(+isBlock, number, request, request.length, answer, answer.length);
        if (length < 0n) throw new Error(`the library refuses a message: ${length}`);
        return answer.subarray(0, Number(length));
    }

    digest(parts) {
        return parts.reduce((digest, part) => this.native.codec_digest(digest, part, part.length), 0);
    }

    // Counts the bad messages that host and library refuse: one that ends too soon, one that is not UTF-8.
    refused() {
        const { encode, decode } = this.small;
        const good = encode(["a text", 1]);
        const notText = Buffer.from(good);
        notText[good.indexOf("t")] = BAD;
        const attempts = [good.subarray(0, -1), notText].flatMap((bad) => [
            () => this.checked(bad, SHAPES.indexOf("request")),
            () => decode(bad, bad.length),
        ]);
        return attempts.filter(throws).length;
    }
}

// A function that returns the answer which an iteration decodes. Of one alone, a payload's, the last byte is varied.
function readied(answers) {
    if (answers.length > 1) return (iteration) => answers[iteration % ROTATED];
    const [answer] = answers;
    return (iteration) => {
        answer[answer.length - 1] = (iteration % ROTATED) + 1;
        return answer;
    };
}

function throws(attempt) {
    try {
        attempt();
        return false;
    } catch {
        return true;
    }
}

export default async function (native, worker) {
    const { option, serve, cborx } = worker;
    const cbor = cborOf(cborx);
    const messages = timed(Number(option("size")));
    const cases = {};
    for (const entry of option("cases").split(",")) {
        const key = entry.slice(0, entry.lastIndexOf(":"));
        const bench = new Bench(native, cbor, key, messages);
        const loops = await import(`./_loops.mjs?${key}`);
        const kept = { message: null, sum: 0 };
        const encodes = bench.step === "encode" || bench.step === "total"; // the other steps make no messages
        const made = encodes ? bench.made : (iteration) => iteration;
        const empty = (iterations) => loops.empty(made, bench.rooms, kept, iterations);
        cases[key] = {
            run: (iterations) => loops[bench.step](bench, iterations),
            empty,
            async before(iterations) {
                bench.before();
                empty(iterations); // V8 drops the code of what nobody has called for some collections
                await emptied();
            },
            async after(iterations) {
                bench.collections = await collected();
                return bench.after(iterations);
            },
            figures: () => ({ collections: bench.collections }),
        };
    }
    await serve({ library: native.codec_version(), cases });
}
