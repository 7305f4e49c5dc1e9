// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { execOnNode, outputOf, runTurn } from "./harness/agent.mjs";
import { nodeNamed, waitUntilServing } from "./harness/pairing.mjs";
import { isRunning, processesWithArgument, unusualSeconds } from "./harness/processtable.mjs";
import { waitUntil } from "./harness/waiting.mjs";
import { newNodeHost, sharedWorld } from "./harness/world.mjs";

describe("when the gateway dies in the middle of a run", () => {
    let world, host, nodeId;
    const seconds = unusualSeconds(90);

    before(async () => {
        world = await sharedWorld();
        host = await newNodeHost(world, "gatewayrestart", { mode: "full" });
        host.start({ port: world.gateway.port, token: world.gateway.token });
        ({ nodeId } = await waitUntilServing(world.operator, host.displayName));
    });
    after(() => host?.stop());

    test("the run is ended", async () => {
        const command = { nodeId, command: "system.run", params: { command: ["/bin/sleep", seconds] } };
        world.operator.request("node.invoke", { ...command, idempotencyKey: "restart" }).catch(() => {});
        await waitUntil("the run", () => processesWithArgument(seconds).length === 1);
        await world.gateway.kill();
        await waitUntil("the end of the run", () => processesWithArgument(seconds).length === 0, { limitMs: 10000 });
    });

    test("telson stays, and says that it is not connected", async () => {
        assert.ok(isRunning(host.process));
        const [gateway] = (await host.status()).gateways;
        assert.notEqual(gateway.state, "connected");
    });

    test("it comes back by itself as the same device", { timeout: 180000 }, async () => {
        await world.gateway.start();
        world.operator = await world.gateway.connectOperator();
        const node = await waitUntil("the node to be back", async () => {
            const found = await nodeNamed(world.operator, host.displayName);
            return found?.connected && found.commands.includes("system.run") ? found : null;
        }, { limitMs: 60000, everyMs: 200 });
        assert.equal(node.nodeId, nodeId);
    });

    test("and a new turn works", async () => {
        const [text] = await runTurn(world, [[execOnNode(nodeId, { command: "echo back" })]]);
        assert.equal(outputOf(text), "back");
    });
});
