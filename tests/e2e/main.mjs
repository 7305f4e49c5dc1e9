// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors

/// Runs the topics (all, or those named as arguments) one after the other in this process, so that they
/// share one gateway. Exit code 0 when every test passed.
import fs from "node:fs";
import path from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { fileURLToPath } from "node:url";
import { endSharedWorld } from "./harness/world.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const ending = ".test.mjs";
const topics = fs.readdirSync(here).filter((name) => name.endsWith(ending)).sort();
const wanted = process.argv.slice(2).map((topic) => topic + ending);
const files = (wanted.length ? wanted : topics).map((name) => path.join(here, name));

const failures = [];
let isReported = false;
async function finish() {
    if (!isReported) {
        failures.forEach(({ name, details }) => console.error(`e2e: ${name}:`, details?.error.cause ?? details));
    }
    const folder = await endSharedWorld({ keep: failures.length > 0 });
    if (folder) {
        console.error(`e2e: logs and profiles of this run are in ${folder}`);
    }
    process.exit(failures.length ? 1 : 0);
}
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.once(name, () => {
        failures.push({ name: `ended by ${name}` });
        finish();
    });
}
const events = run({ files, isolation: "none", concurrency: 1, timeout: 120000 });
// The runner ends when nothing is left to wait for, so the shared world has to end before: with the last topic.
let topicsLeft = files.length;
events.on("test:fail", (failure) => failures.push(failure));
events.on("test:complete", ({ nesting, details }) => {
    if (nesting === 0 && details.type === "suite" && --topicsLeft === 0) {
        endSharedWorld({ keep: true });
        setTimeout(finish, 20000).unref(); // for what a failed test may have left open
    }
});
const report = events.compose(new spec());
report.pipe(process.stdout);
report.on("end", () => {
    isReported = true;
    finish();
});
