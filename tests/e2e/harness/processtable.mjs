// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors

/// The process table, read from /proc. A process is `{pid, startTime}`: the pid alone may be used again.
import crypto from "node:crypto";
import fs from "node:fs";

/// `{parent, state, startTime}`, or null when there is no such process.
function statusOf(pid) {
    try {
        const text = fs.readFileSync(`/proc/${pid}/stat`, "latin1");
        // The name in parentheses may hold anything, so the fields are counted from its end.
        const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
        return { state: fields[0], parent: Number(fields[1]), startTime: fields[19] };
    } catch {
        return null;
    }
}

const allPids = () => fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map(Number);

export function identify(pid) {
    return { pid, startTime: statusOf(pid)?.startTime ?? null };
}

/// A zombie is not running: it only waits to be read by its parent.
export function isRunning({ pid, startTime }) {
    const status = statusOf(pid);
    return startTime !== null && status?.startTime === startTime && status.state !== "Z";
}

/// The process and all that descend from it, parents first.
export function treeOf(root) {
    if (!isRunning(root)) {
        return [];
    }
    const children = new Map();
    for (const pid of allPids()) {
        const status = statusOf(pid);
        if (status) {
            children.set(status.parent, [...(children.get(status.parent) ?? []), pid]);
        }
    }
    const pids = [root.pid];
    for (let i = 0; i < pids.length; ++i) {
        pids.push(...(children.get(pids[i]) ?? []));
    }
    return pids.map(identify).filter(isRunning);
}

/// A sleep of about so many seconds, as text that no other process has as its argument.
export const unusualSeconds = (seconds) => `${seconds}.${crypto.randomInt(1e8, 1e9)}`;

/// Running processes that have `argument` as one of their arguments, say of `unusualSeconds`.
export function processesWithArgument(argument) {
    return allPids().map(identify).filter((process) => {
        try {
            const line = fs.readFileSync(`/proc/${process.pid}/cmdline`, "utf8").split("\0");
            return line.includes(argument) && isRunning(process);
        } catch {
            return false;
        }
    });
}

/// Zombies among the children of `parent`.
export function zombiesOf(parent) {
    return allPids().filter((pid) => {
        const status = statusOf(pid);
        return status?.parent === parent.pid && status.state === "Z";
    });
}

export function signal(process_, name) {
    if (isRunning(process_)) {
        try {
            process.kill(process_.pid, name);
        } catch {
            // It ended between the two lines.
        }
    }
}
