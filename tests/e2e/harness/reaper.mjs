// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors

/// Reads "+pid startTime" and "-pid startTime" lines; at the end of its input it kills what is left.
import { createInterface } from "node:readline";
import { signal, treeOf } from "./processtable.mjs";

const left = new Map();
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(name, () => {}); // the run ends first, then we
}
for await (const line of createInterface({ input: process.stdin })) {
    const [pid, startTime] = line.slice(1).split(" ");
    if (line.startsWith("+")) {
        left.set(pid, { pid: Number(pid), startTime });
    } else if (left.get(pid)?.startTime === startTime) {
        left.delete(pid);
    }
}
for (const entry of left.values()) {
    treeOf(entry).forEach((process_) => signal(process_, "SIGKILL"));
}
