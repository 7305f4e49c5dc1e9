// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors

/// Starts programs and sees to it that none of them outlives the run, whatever happens to the run.
import { spawn } from "node:child_process";
import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { identify, isRunning, signal, treeOf } from "./processtable.mjs";
import { waitUntil } from "./waiting.mjs";

const started = new Set();
let reaper;

/// The reaper is told of every process and ends those that are left when our end of its pipe closes,
/// which happens even when this process is killed.
function tellReaper(sign, { pid, startTime }) {
    if (!reaper) {
        const script = fileURLToPath(new URL("./reaper.mjs", import.meta.url));
        reaper = spawn(process.execPath, [script], {
            stdio: ["pipe", "ignore", "inherit"], detached: true,
        });
        reaper.stdin.on("error", () => {});
        reaper.unref();
        reaper.stdin.unref?.();
    }
    reaper.stdin.write(`${sign}${pid} ${startTime}\n`);
}

/// `{pid, startTime, exited, child}`; `exited` becomes `{code, signal}`. Both output streams go to `logFile`
/// unless `stdio` says otherwise.
export function startProcess(program, args, { environment, folder, logFile, stdio } = {}) {
    const log = logFile ? fs.openSync(logFile, "a", 0o600) : null;
    const child = spawn(program, args, {
        env: environment, cwd: folder, stdio: stdio ?? ["ignore", log ?? "ignore", log ?? "ignore"],
    });
    if (log !== null) {
        fs.closeSync(log);
    }
    const exited = new Promise((resolve, reject) => {
        child.once("error", reject);
        child.once("exit", (code, signalName) => resolve({ code, signal: signalName }));
    });
    exited.catch(() => {});
    const entry = { ...identify(child.pid ?? 0), exited, child };
    if (child.pid) {
        started.add(entry);
        tellReaper("+", entry);
        exited.then(() => {
            started.delete(entry);
            tellReaper("-", entry);
        });
    }
    return entry;
}

/// Ends a process: asks it first, then kills it with all its descendants. Does nothing when it has ended.
export async function endProcess(entry, { graceMs = 5000 } = {}) {
    const tree = treeOf(entry);
    signal(entry, "SIGTERM");
    const isGone = () => !tree.some(isRunning);
    await waitUntil("an end", isGone, { limitMs: graceMs }).catch(() => {});
    tree.filter(isRunning).forEach((process_) => signal(process_, "SIGKILL"));
    await waitUntil(`process ${entry.pid} to end`, isGone, { limitMs: 5000 });
}

export async function endAllProcesses() {
    await Promise.all([...started].map((entry) => endProcess(entry)));
    reaper?.stdin.end();
    reaper = undefined;
}

/// Runs a program to its end: `{code, signal, stdout, stderr}`.
export async function runProcess(program, args, { environment, folder, input, limitMs = 30000 } = {}) {
    const entry = startProcess(program, args, {
        environment, folder, stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    });
    const output = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"]) {
        entry.child[name].setEncoding("utf8").on("data", (text) => (output[name] += text));
    }
    entry.child.stdin?.end(input);
    const closed = new Promise((resolve) => entry.child.once("close", resolve));
    const timer = setTimeout(() => endProcess(entry, { graceMs: 1000 }), limitMs);
    try {
        const end = await entry.exited;
        await Promise.race([closed, waitUntil("closed pipes", () => false, { limitMs: 2000 })
            .catch(() => {})]);
        return { ...end, ...output };
    } finally {
        clearTimeout(timer);
    }
}
