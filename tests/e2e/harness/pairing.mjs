// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors

/// What a person with an operator's rights does with a new node.
import { waitUntil } from "./waiting.mjs";

export async function nodeNamed(operator, displayName) {
    const { nodes } = await operator.request("node.list");
    return nodes.find((node) => node.displayName === displayName);
}

/// Approves the device where the gateway has not done so by itself. True when there was something to do.
export async function approveDevice(operator, displayName) {
    const { pending } = await operator.request("device.pair.list");
    const request = pending.find((entry) => entry.displayName === displayName);
    if (request) {
        await operator.request("device.pair.approve", { requestId: request.requestId });
    }
    return Boolean(request);
}

/// The pending request of a node to serve commands, or undefined.
export async function pendingSurface(operator, displayName) {
    const { pending } = await operator.request("node.pair.list");
    return pending.find((entry) => entry.displayName === displayName);
}

export function approveSurface(operator, { requestId }) {
    return operator.request("node.pair.approve", { requestId });
}

/// Waits until the node is connected and may serve system.run, approving what needs it on the way.
export function waitUntilServing(operator, displayName, limitMs = 30000) {
    return waitUntil(`node ${displayName} to serve commands`, async () => {
        await approveDevice(operator, displayName);
        const surface = await pendingSurface(operator, displayName);
        if (surface) {
            await approveSurface(operator, surface);
        }
        const node = await nodeNamed(operator, displayName);
        return node?.connected && node.commands.includes("system.run") ? node : null;
    }, { limitMs, everyMs: 100 });
}
