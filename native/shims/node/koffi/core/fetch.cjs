// Fetches a package of npm by the lock file, whose checksums npm verifies, and writes a module that is this package.
// No script of a package is run.
"use strict";

const { spawnSync } = require("node:child_process");
const { writeFileSync } = require("node:fs");
const { join } = require("node:path");

const [npm, name, folder, output] = process.argv.slice(2);
const { version } = require(join(folder, "package-lock.json")).packages[`node_modules/${name}`];
const quiet = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"];
const command = [npm, "ci", "--ignore-scripts", "--include=optional", "--fetch-retries=1", ...quiet];
const answer = spawnSync(process.execPath, command, { cwd: folder, encoding: "utf8" });

if (answer.status !== 0) {
    const lines = `${answer.error ?? answer.stderr}`.split("\n").map((line) => line.replace(/^npm (ERR!|error) /, ""));
    const why = lines.find((line) => line.includes("reason:")) ?? lines.find((line) => line.trim() !== "");
    console.error(`error: could not fetch ${name} ${version} from npm: ${why ?? `status ${answer.status}`}`);
    process.exit(1);
}
writeFileSync(output, `module.exports = require("../node_modules/${name}");\n`);
