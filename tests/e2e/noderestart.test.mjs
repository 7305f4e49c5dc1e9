// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { execOnNode, outputOf, runTurn } from "./harness/agent.mjs";
import { isRunning, processesWithArgument, unusualSeconds } from "./harness/processtable.mjs";
import { waitUntil } from "./harness/waiting.mjs";
import { connectNode, sharedWorld } from "./harness/world.mjs";

describe("when telson is started again", () => {
    let world, node;

    before(async () => {
        world = await sharedWorld();
        node = await connectNode(world, "noderestart", { mode: "full" });
    });
    after(() => node?.end());

    test("it ends when asked to, and takes its runs with it", async () => {
        const seconds = unusualSeconds(90);
        node.invoke("system.run", { command: ["/bin/sleep", seconds] }).catch(() => {});
        await waitUntil("the run", () => processesWithArgument(seconds).length === 1);
        await node.host.stop();
        assert.deepEqual(await node.host.process.exited, { code: 0, signal: null });
        assert.equal(processesWithArgument(seconds).length, 0);
    });

    test("it is the same device, and needs the shared token no more", async () => {
        node.host.start({ port: node.tap.port });
        const { frame: hello, connection } = await node.tap.waitForFrame("a second hello",
            ({ payload }, entry) => payload?.type === "hello-ok" && entry.connection > 1, { limitMs: 40000 });
        assert.ok(hello.ok);
        const { params } = node.tap.frames.find(({ frame, ...entry }) =>
            frame.method === "connect" && entry.connection === connection).frame;
        assert.equal(params.device.id, node.nodeId);
        assert.ok(params.auth.deviceToken);
        assert.ok(!Object.values(params.auth).includes(world.gateway.token));
    });

    test("and a new turn works, with nothing to approve", async () => {
        const [text] = await runTurn(world, [[execOnNode(node.nodeId, { command: "echo again" })]]);
        assert.equal(outputOf(text), "again");
    });

    test("after a kill -9 it is the same device too", async () => {
        await node.host.kill();
        assert.ok(!isRunning(node.host.process));
        node.host.start({ port: node.tap.port });
        const { frame } = await node.tap.waitForFrame("a third connect", ({ method }, { connection }) =>
            method === "connect" && connection > 2, { limitMs: 40000 });
        assert.equal(frame.params.device.id, node.nodeId);
    });
});
