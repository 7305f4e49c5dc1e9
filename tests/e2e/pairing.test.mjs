// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { approveDevice, approveSurface, nodeNamed, pendingSurface } from "./harness/pairing.mjs";
import { waitUntil } from "./harness/waiting.mjs";
import { newNodeHost, newTap, sharedWorld } from "./harness/world.mjs";

const commands = ["system.execApprovals.get", "system.execApprovals.set", "system.run",
    "system.run.prepare", "system.which"];

describe("pairing", () => {
    let world, host, tap, nodeId;

    before(async () => {
        world = await sharedWorld();
        host = await newNodeHost(world, "pairing", { mode: "full" });
        tap = await newTap(world);
        const gateway = { port: tap.port, token: world.gateway.token };
        if (host.isReference) {
            host.start(gateway);
        } else {
            await host.addGateway("lab", gateway);
            host.start();
        }
    });
    after(() => host?.stop());

    test("a new node introduces itself as a node host with exactly the commands it serves", async () => {
        const { frame } = await tap.waitForFrame("a connect", ({ method }) => method === "connect");
        const { client, role, scopes, commands: declared, device, minProtocol, maxProtocol } = frame.params;
        nodeId = device.id;
        assert.deepEqual([client.id, client.mode, role, scopes], ["node-host", "node", "node", []]);
        assert.deepEqual([client.platform, client.deviceFamily], ["linux", "Linux"]);
        assert.equal(client.displayName, host.displayName);
        assert.deepEqual(declared.toSorted(), commands);
        assert.match(device.id, /^[0-9a-f]{64}$/);
        assert.ok(minProtocol <= 4 && maxProtocol === 4);
    });

    test("it is connected while its commands wait for a person", async () => {
        const surface = await waitUntil("a request to serve commands", async () => {
            await approveDevice(world.operator, host.displayName);
            return pendingSurface(world.operator, host.displayName);
        });
        assert.equal(surface.nodeId, nodeId);
        assert.deepEqual(surface.commands.toSorted(), commands);
        const node = await nodeNamed(world.operator, host.displayName);
        assert.deepEqual([node.connected, node.commands, node.approvalState], [true, [], "pending-approval"]);
    });

    test("once approved, its commands are live on the same connection", async () => {
        await approveSurface(world.operator, await pendingSurface(world.operator, host.displayName));
        const { connection } = await tap.waitForFrame("the decision",
            ({ event, payload }) => event === "node.pair.resolved" && payload.decision === "approved");
        await waitUntil("live commands", async () => {
            const node = await nodeNamed(world.operator, host.displayName);
            return node.commands.includes("system.run");
        });
        const { payload } = await world.operator.request("node.invoke", {
            nodeId, command: "system.which", params: { bins: ["sh"] }, idempotencyKey: "pairing",
        });
        assert.match(payload.bins.sh, /^\/.*\/sh$/);
        assert.equal(tap.frames.at(-1).connection, connection);
    });

    test("telson status says that it is connected, and as which device", async () => {
        const status = await host.status();
        assert.deepEqual([status.deviceId, status.displayName, status.execMode],
            [nodeId, host.displayName, "full"]);
        const [{ id, url, state }] = status.gateways;
        assert.deepEqual([id, url, state], ["lab", `ws://127.0.0.1:${tap.port}`, "connected"]);
    });

    test("openclaw nodes status shows it connected with its commands", { timeout: 90000 }, async () => {
        const { code, stdout, stderr } = await world.gateway.runCommandLine(["nodes", "status", "--json"]);
        assert.equal(code, 0, stderr);
        const node = JSON.parse(stdout).nodes.find((entry) => entry.nodeId === nodeId);
        assert.deepEqual([node.displayName, node.connected, node.paired], [host.displayName, true, true]);
        assert.deepEqual(node.commands.toSorted(), commands);
    });
});
