// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { execOnNode, startTurn } from "./harness/agent.mjs";
import { zombiesOf } from "./harness/processtable.mjs";
import { connectNode, sharedWorld } from "./harness/world.mjs";

describe("the frames of a node", () => {
    let world, node;

    before(async () => {
        world = await sharedWorld();
        node = await connectNode(world, "frames", { mode: "full" });
    });
    after(() => node?.end());

    const runOf = (text) => node.tap.invoke(({ command, params }) =>
        command === "system.run" && params.command.at(-1) === text);

    test("system.which names the programs that are there, and only those", async () => {
        const { bins, ...rest } = await node.invoke("system.which", { bins: ["sh", "no-such-program", "/bin/sh"] });
        assert.deepEqual([Object.keys(bins), rest], [["sh"], {}]);
        assert.match(bins.sh, /^\/.*\/sh$/);
    });

    test("system.which without names is a bad request", async () => {
        await assert.rejects(node.invoke("system.which", {}), ({ message }) => /^INVALID_REQUEST/.test(message));
    });

    test("system.run.prepare answers the plan of an agent's command", async () => {
        const { plan, execPolicy, allowAlwaysCoverage, ...rest } = await node.invoke("system.run.prepare", {
            command: ["/bin/sh", "-lc", "echo \"a b\""], rawCommand: "echo \"a b\"", cwd: node.host.home,
            security: "full", ask: "off", agentId: "main", sessionKey: "agent:main:frames",
        });
        const { policySnapshot, ...planned } = plan;
        assert.deepEqual(planned, {
            argv: ["/bin/sh", "-lc", "echo \"a b\""], cwd: node.host.home,
            commandText: "/bin/sh -lc \"echo \\\"a b\\\"\"", commandPreview: "echo \"a b\"",
            agentId: "main", sessionKey: "agent:main:frames",
        });
        assert.deepEqual([policySnapshot.security, policySnapshot.ask, policySnapshot.askFallback,
            policySnapshot.autoAllowSkills, policySnapshot.allowlistRules], ["full", "off", "deny", false, []]);
        assert.deepEqual(execPolicy, { security: "full", ask: "off" });
        assert.deepEqual(rest, {});
    });

    test("system.run answers the result in its exact shape", async () => {
        assert.deepEqual(await node.invoke("system.run", { command: ["/bin/sh", "-c", "echo out; echo err >&2; exit 3"] }), {
            exitCode: 3, timedOut: false, success: false, stdout: "out\n", stderr: "err\n", error: null,
        });
    });

    test("a program that can't be started is a failed run, not a failed call", async () => {
        const { error, ...result } = await node.invoke("system.run", { command: ["/no/such/program"] });
        assert.deepEqual(result, { timedOut: false, success: false, stdout: "", stderr: "" });
        assert.ok(error.length > 0);
    });

    test("exec.finished is sent before the result, with the names that the gateway gave the run", async () => {
        const turn = await startTurn(world, [[execOnNode(node.nodeId, { command: "echo one; echo two >&2; exit 5" })]]);
        await turn.finished;
        const { request, event, result } = runOf("echo one; echo two >&2; exit 5");
        const { params } = request.frame.payload;
        assert.equal(params.sessionKey, turn.sessionKey);
        assert.ok(node.tap.frames.indexOf(event) < node.tap.frames.indexOf(result), "event first");
        const { suppressNotifyOnExit, ...sent } = event.frame.params.payload;
        assert.equal(event.frame.params.event, "exec.finished");
        assert.equal(suppressNotifyOnExit, true, "the agent has the result and must not be woken for it");
        assert.deepEqual(sent, {
            sessionKey: turn.sessionKey, runId: params.runId, host: "node",
            command: "/bin/sh -lc \"echo one; echo two >&2; exit 5\"",
            exitCode: 5, timedOut: false, success: false, output: "one\n\ntwo",
        });
        assert.deepEqual(Object.keys(result.frame.params).filter((name) => name !== "payload").toSorted(),
            ["id", "nodeId", "ok", "payloadJSON"]);
        const accepted = node.tap.frames.find(({ frame }) => frame.type === "res" && frame.id === event.frame.id);
        assert.notEqual(accepted.frame.payload.handled, false, "the gateway knows this run");
    });

    const badRequests = {
        "no command": [{}, "command required"],
        "an empty command": [{ command: [] }, "command required"],
        "a text that is not the command": [{ command: ["/bin/echo", "a"], rawCommand: "b" },
            "INVALID_REQUEST: rawCommand does not match command"],
        "a plan that is none": [{ command: ["/bin/echo"], systemRunPlan: {} }, "systemRunPlan invalid"],
        "an unknown source of approval": [{ command: ["/bin/echo"], approvalSource: "x" },
            "approvalSource invalid"],
        "an approval without a plan": [{ command: ["/bin/echo"], approved: true, runId: "x" },
            "explicit approval requires matching systemRunPlan"],
    };
    for (const [name, [params, message]] of Object.entries(badRequests)) {
        test(`system.run answers a bad request: ${name}`, async () => {
            const error = await node.tap.pretendInvoke(node.nodeId, "system.run", params);
            assert.deepEqual(error, { code: "INVALID_REQUEST", message });
        });
    }

    test("an unknown command is answered as unsupported", async () => {
        const error = await node.tap.pretendInvoke(node.nodeId, "no.such.command", {});
        assert.deepEqual(error, { code: "UNAVAILABLE", message: "command not supported" });
    });

    test("nothing that ended is left as a zombie", async () => {
        assert.deepEqual(zombiesOf(node.host.process), []);
    });
});
