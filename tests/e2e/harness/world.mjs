// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors

/// What one run of the tests shares: a scripted model, a gateway, and an operator's connection to it.
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { FrameTap } from "./frametap.mjs";
import { Gateway } from "./gateway.mjs";
import { installation, makeFolder, makeRunFolder } from "./installation.mjs";
import { NodeHost } from "./nodehost.mjs";
import { waitUntilServing } from "./pairing.mjs";
import { endAllProcesses } from "./processes.mjs";
import { ScriptedModel } from "./scriptedmodel.mjs";

let shared;

async function startWorld() {
    const world = { folder: makeRunFolder(), model: new ScriptedModel(), taps: new Set() };
    await world.model.start();
    world.gateway = new Gateway(makeFolder(world.folder, "gateway"), world.model);
    await world.gateway.start();
    world.operator = await world.gateway.connectOperator();
    return world;
}

/// The shared world, started by the first who asks.
export function sharedWorld() {
    shared ??= startWorld();
    return shared;
}

/// Ends everything that was started. With `keep` the files stay, and the answer is their folder.
export async function endSharedWorld({ keep }) {
    const world = await shared?.catch(() => null);
    world?.operator.close();
    await endAllProcesses();
    await Promise.all([...world?.taps ?? []].map((tap) => tap.stop()));
    await world?.model.stop();
    if (world && !keep) {
        fs.rmSync(world.folder, { recursive: true, force: true });
    }
    return keep ? world?.folder : undefined;
}

/// A profile that has never been used. `mode` is the setting exec.mode; without it the default stays.
export async function newNodeHost(world, name, { mode, variables } = {}) {
    const displayName = `${name}-${crypto.randomBytes(3).toString("hex")}`;
    const host = new NodeHost(makeFolder(world.folder, displayName), { displayName, variables });
    if (mode && installation.peer !== "reference") {
        await host.runWell(["config", "set", "exec.mode", mode]);
    }
    return host;
}

/// A tap before the gateway; it is stopped with the world.
export async function newTap(world) {
    const tap = new FrameTap(world.gateway.port);
    await tap.start();
    world.taps.add(tap);
    return tap;
}

/// A new node that is paired, connected through a tap, and allowed to serve its commands.
export async function connectNode(world, name, options) {
    const host = await newNodeHost(world, name, options);
    const tap = await newTap(world);
    host.start({ port: tap.port, token: world.gateway.token });
    const { nodeId } = await waitUntilServing(world.operator, host.displayName, 60000);
    return {
        host, tap, nodeId,
        /// Calls a command of the node directly; the answer is its payload.
        async invoke(command, params, { timeoutMs = 30000, operator = world.operator } = {}) {
            const { payload } = await operator.request("node.invoke", {
                nodeId, command, params, timeoutMs, idempotencyKey: crypto.randomUUID(),
            }, timeoutMs + 10000);
            return payload;
        },
        async end() {
            fs.writeFileSync(path.join(world.folder, host.displayName, "frames.json"),
                tap.frames.map((entry) => JSON.stringify(entry)).join("\n"), { mode: 0o600 });
            await host.stop();
        },
    };
}
