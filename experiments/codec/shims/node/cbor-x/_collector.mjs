// V8's collector. A slice begins with the space for new objects empty: else it would be by chance whether the collector
// comes in a short one.
import { PerformanceObserver } from "node:perf_hooks";
import { setImmediate as turn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");

let count = 0;
new PerformanceObserver((list) => (count += list.getEntries().length)).observe({ entryTypes: ["gc"] });

// How often the collector has come since the space was emptied. Node tells it in a later turn of its event loop, the
// observer in one after that.
export async function collected() {
    await turn();
    await turn();
    return count;
}

// Empties the space.
export async function emptied() {
    collect({ type: "minor" });
    await collected();
    count = 0;
}
