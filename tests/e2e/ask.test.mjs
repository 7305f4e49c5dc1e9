// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { execOnNode, outputOf, startTurn } from "./harness/agent.mjs";
import { connectNode, sharedWorld } from "./harness/world.mjs";

describe("a fresh profile asks before it runs anything", () => {
    let world, node, approver, traces;

    before(async () => {
        world = await sharedWorld();
        node = await connectNode(world, "ask");
        approver = await world.gateway.connectOperator({ caps: ["exec-approvals"] });
        traces = path.join(node.host.home, "traces");
        fs.mkdirSync(traces);
    });
    after(async () => {
        approver?.close();
        await node?.end();
    });

    /// Every run of this command leaves one file.
    const trace = (name) => `mktemp ${traces}/${name}-XXXXXX`;
    const runs = (name) => fs.readdirSync(traces).filter((file) => file.startsWith(`${name}-`)).length;
    const approvalRequired = ({ message }) => message.endsWith("SYSTEM_RUN_DENIED: approval required");

    /// Starts a turn and answers the gateway's question about it.
    async function decide(name, decision) {
        const turn = await startTurn(world, [[execOnNode(node.nodeId, { command: trace(name) })]]);
        const question = await approver.waitForEvent("exec.approval.requested",
            ({ request }) => request.sessionKey === turn.sessionKey);
        assert.equal(runs(name), 0, "nothing runs before the answer");
        assert.deepEqual([question.request.nodeId, question.request.host], [node.nodeId, "node"]);
        assert.equal(question.request.systemRunPlan.commandPreview, trace(name));
        await approver.request("exec.approval.resolve", { id: question.id, decision });
        const [text] = await turn.finished;
        return outputOf(text);
    }

    test("a direct run is refused", async () => {
        const command = ["/bin/sh", "-c", trace("direct")];
        await assert.rejects(node.invoke("system.run", { command }), approvalRequired);
        const { event } = node.tap.invoke(({ params }) => params.command?.at(-1) === command.at(-1));
        const { reason, sessionKey } = event.frame.params.payload;
        assert.deepEqual([event.frame.params.event, reason, sessionKey], ["exec.denied", "approval-required", "node"]);
        assert.equal(runs("direct"), 0);
    });

    test("an agent's command runs once when a person allows it once", async () => {
        assert.match(await decide("allowed", "allow-once"), /allowed-/);
        assert.equal(runs("allowed"), 1);
    });

    test("an agent's command does not run when a person denies it", async () => {
        assert.match(await decide("denied", "deny"), /exec denied: user-denied/);
        assert.equal(runs("denied"), 0);
    });

    test("an approval that the gateway never gave is refused by the gateway", async () => {
        const command = ["/bin/sh", "-c", trace("forged")];
        await assert.rejects(node.invoke("system.run",
            { command, approved: true, approvalDecision: "allow-once", runId: "forged" }));
        assert.equal(runs("forged"), 0);
    });

    test("a claim of an approval is refused by the node when it has made no plan for it", async () => {
        const command = ["/bin/sh", "-lc", trace("claimed")];
        const plan = {
            argv: command, cwd: node.host.home, commandText: `/bin/sh -lc "${trace("claimed")}"`,
            commandPreview: trace("claimed"), agentId: "main", sessionKey: "agent:main:claimed",
            policySnapshot: {
                security: "full", ask: "off", askFallback: "deny", autoAllowSkills: false, allowlistRules: [],
            },
        };
        const error = await node.tap.pretendInvoke(node.nodeId, "system.run", {
            command, rawCommand: trace("claimed"), cwd: plan.cwd, agentId: plan.agentId,
            sessionKey: plan.sessionKey, runId: "claimed", systemRunPlan: plan,
            approved: true, approvalDecision: "allow-once",
        });
        assert.match(error.message, /SYSTEM_RUN_DENIED/);
        assert.equal(runs("claimed"), 0);
    });

    test("an approval does not count a second time", async () => {
        await decide("again", "allow-once");
        const { request } = node.tap.invoke(({ command, params }) =>
            command === "system.run" && params.rawCommand === trace("again"));
        assert.equal(request.frame.payload.params.approved, true);
        const error = await node.tap.pretendInvoke(node.nodeId, "system.run", request.frame.payload.params);
        assert.match(error.message, /SYSTEM_RUN_DENIED/);
        assert.equal(runs("again"), 1);
    });
});
