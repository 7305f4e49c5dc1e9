// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { execOnNode, runTurn } from "./harness/agent.mjs";
import { connectNode, sharedWorld } from "./harness/world.mjs";

describe("an operator and the approvals document of the node", () => {
    let world, node;

    const read = () => world.operator.request("exec.approvals.node.get", { nodeId: node.nodeId });
    const write = (file, baseHash) =>
        world.operator.request("exec.approvals.node.set", { nodeId: node.nodeId, file, baseHash });
    const policy = (defaults) => ({ version: 1, defaults });

    before(async () => {
        world = await sharedWorld();
        node = await connectNode(world, "document", { mode: "full" });
    });
    after(() => node?.end());

    test("it can be read, without the token of the socket", async () => {
        const document = await read();
        assert.equal(typeof document.path, "string");
        assert.equal(document.file.version, 1);
        assert.equal(document.file.socket?.token, undefined);
        assert.match(document.hash, /^(missing:)?[0-9a-f]{64}$/);
        assert.equal(document.hash.startsWith("missing:"), !document.exists);
    });

    test("it can be tightened", async () => {
        const before = await read();
        const answer = await write(policy({ security: "full", ask: "always", askFallback: "deny" }), before.hash);
        assert.notEqual(answer.hash, before.hash);
        const now = await read();
        assert.deepEqual([now.exists, now.hash, now.file.defaults.ask], [true, answer.hash, "always"]);
    });

    test("a writer who has not seen the last change is refused", async () => {
        const { hash } = await read();
        await assert.rejects(write(policy({ security: "deny", ask: "off" }), "0".repeat(64)),
            ({ message }) => /exec approvals changed; reload and retry/.test(message));
        assert.equal((await read()).hash, hash);
    });

    const looser = {
        "less asking": policy({ security: "full", ask: "off", askFallback: "deny" }),
        "a looser fallback": policy({ security: "full", ask: "always", askFallback: "full" }),
        "nothing at all": { version: 1 },
        "an agent that may do more": {
            ...policy({ security: "full", ask: "always", askFallback: "deny" }),
            agents: { other: { security: "full", ask: "off" } },
        },
    };
    for (const [name, file] of Object.entries(looser)) {
        test(`it can't be loosened from afar: ${name}`, async () => {
            const { hash } = await read();
            await assert.rejects(write(file, hash), ({ message }) => /INVALID_REQUEST/.test(message));
            assert.equal((await read()).hash, hash);
        });
    }

    test("security=deny refuses a direct run, and the gateway is told why", async () => {
        await write(policy({ security: "deny", ask: "off", askFallback: "deny" }), (await read()).hash);
        await assert.rejects(node.invoke("system.run", { command: ["/bin/echo", "denied"] }),
            ({ message }) => message.endsWith("SYSTEM_RUN_DISABLED: security=deny"));
        const { event } = node.tap.invoke(({ command, params }) =>
            command === "system.run" && params.command[1] === "denied");
        const { reason, host, command } = event.frame.params.payload;
        assert.deepEqual([event.frame.params.event, reason, host, command],
            ["exec.denied", "security=deny", "node", "/bin/echo denied"]);
    });

    test("security=deny refuses an agent", async () => {
        const [text] = await runTurn(world, [[execOnNode(node.nodeId, { command: "echo hello" })]]);
        assert.match(text, /exec denied: host=node security=deny|SYSTEM_RUN_DISABLED: security=deny/);
        assert.doesNotMatch(text, /hello/);
    });
});
