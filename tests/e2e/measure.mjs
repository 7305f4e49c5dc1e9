// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors

/// Measures a node host against a real gateway and prints a table: run-e2e --measure [STARTS]. Use a release build
/// and a quiet machine. The node's own time runs from the request that arrives to the result that leaves.
import fs from "node:fs";
import { treeOf } from "./harness/processtable.mjs";
import { sleep } from "./harness/waiting.mjs";
import { connectNode, endSharedWorld, sharedWorld } from "./harness/world.mjs";

const starts = Number(process.argv[2] ?? 5);
const calls = 100;

function addRow(name, unit, values) {
    const sorted = values.toSorted((a, b) => a - b);
    const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))].toFixed(1);
    console.log([name.padEnd(34), `${at(0.5)} ${unit}`.padStart(14), `${at(0)}`.padStart(10),
        `${at(0.95)}`.padStart(10), `${values.length}`.padStart(6)].join(""));
}

/// Proportional set size in MB, and CPU seconds, of the processes together.
function memoryOf(processes) {
    const sizes = processes.map(({ pid }) =>
        Number(/^Pss:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))[1]));
    return sizes.reduce((sum, size) => sum + size, 0) / 1000;
}
function cpuSecondsOf({ pid }) {
    const text = fs.readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function measureStarts(world, node) {
    const [connects, hellos, cpu, memory] = [[], [], [], []];
    for (let i = 0; i < starts; ++i) {
        await node.host.stop();
        await sleep(1000);
        const seen = node.tap.frames.length;
        node.host.start({ port: node.tap.port, token: world.gateway.token });
        const isNew = (entry) => node.tap.frames.indexOf(entry) >= seen;
        const limit = { limitMs: 60000, everyMs: 100 };
        const connect = await node.tap.waitForFrame("a connect",
            ({ method }, entry) => method === "connect" && isNew(entry), limit);
        const hello = await node.tap.waitForFrame("a hello",
            ({ payload }, entry) => payload?.type === "hello-ok" && isNew(entry), limit);
        connects.push(connect.at - node.host.startedAt);
        hellos.push(hello.at - node.host.startedAt);
        cpu.push(1000 * cpuSecondsOf(node.host.process));
        await sleep(5000);
        memory.push(memoryOf(treeOf(node.host.process)));
    }
    addRow("start to connect sent", "ms", connects);
    addRow("start to hello-ok", "ms", hellos);
    addRow("CPU until hello-ok", "ms", cpu);
    addRow("idle PSS, 5 s after the start", "MB", memory);
}

async function measureCalls(node, command, params) {
    const times = [];
    for (let i = 0; i < calls + 10; ++i) {
        const seen = node.tap.frames.length;
        await node.invoke(command, params);
        const frames = node.tap.frames.slice(seen);
        const request = frames.find(({ frame }) => frame.event === "node.invoke.request");
        const result = frames.find(({ frame }) => frame.params?.id === request.frame.payload.id);
        times.push(result.at - request.at);
    }
    addRow(`${command}, node only`, "ms", times.slice(10));
}

for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.once(name, () => endSharedWorld({ keep: false }).then(() => process.exit(1)));
}
try {
    const world = await sharedWorld();
    const node = await connectNode(world, "measure", { mode: "full" });
    console.log([" ".repeat(34), "median".padStart(14), "least".padStart(10), "95 %".padStart(10),
        "n".padStart(6)].join(""));
    await measureStarts(world, node);
    const shell = { command: ["/bin/sh", "-lc", "true"], rawCommand: "true", security: "full", ask: "off" };
    await measureCalls(node, "system.which", { bins: ["git"] });
    await measureCalls(node, "system.run.prepare", shell);
    await measureCalls(node, "system.run", { command: ["/bin/true"] });
    addRow("PSS after all of this", "MB", [memoryOf(treeOf(node.host.process))]);
} finally {
    await endSharedWorld({ keep: false });
}
process.exit(process.exitCode ?? 0);
