// Fetches cbor-x from npm by the lock file, whose checksums npm verifies, and writes a module that is this package. No
// script of a package is run. What is optional is left out: an addon that extracts texts.
"use strict";

const { spawnSync } = require("node:child_process");
const { writeFileSync } = require("node:fs");
const { join } = require("node:path");

const [npm, folder, output] = process.argv.slice(2);
const { version } = require(join(folder, "package-lock.json")).packages["node_modules/cbor-x"];

function fail(why) {
    console.error(`error: could not fetch cbor-x ${version} from npm: ${why}`);
    process.exit(1);
}

if (npm === "") fail("there is no npm for this node; apt-get install npm");
const quiet = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"];
const command = [npm, "ci", "--ignore-scripts", "--omit=optional", "--fetch-retries=1", ...quiet];
const answer = spawnSync(process.execPath, command, { cwd: folder, encoding: "utf8" });

if (answer.status !== 0) {
    const lines = `${answer.error ?? answer.stderr}`.split("\n").map((line) => line.replace(/^npm (ERR!|error) /, ""));
    const why = lines.find((line) => line.includes("reason:")) ?? lines.find((line) => line.trim() !== "");
    fail(why ?? `status ${answer.status}`);
}
writeFileSync(output, 'module.exports = require("../node_modules/cbor-x");\n');
