// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { execOnNode, outputOf, runTurn } from "./harness/agent.mjs";
import { processesWithArgument, unusualSeconds } from "./harness/processtable.mjs";
import { waitUntil } from "./harness/waiting.mjs";
import { connectNode, sharedWorld } from "./harness/world.mjs";

/// What the model may receive of one run: the gateway passes on no more than its first 64,000 characters.
const mostCharacters = 60000;

describe("a run is limited", () => {
    let world, node;

    before(async () => {
        world = await sharedWorld();
        node = await connectNode(world, "limits", { mode: "full" });
    });
    after(() => node?.end());

    async function exec(args) {
        const [text] = await runTurn(world, [[execOnNode(node.nodeId, args)]]);
        return outputOf(text);
    }

    test("of a long output the model receives the head, the tail, and how much is missing", async () => {
        const all = Array.from({ length: 50000 }, (_, index) => `${index + 1}\n`).join("");
        const text = await exec({ command: "seq 1 50000" });
        assert.ok(text.length <= mostCharacters, `${text.length} characters`);
        const marker = /[^0-9\n][^\n]*/.exec(text);
        assert.ok(marker, "there is a marker");
        const head = text.slice(0, marker.index).trimEnd();
        const tail = text.slice(marker.index + marker[0].length).trim();
        assert.ok(all.startsWith(head) && head.length > 1000, "the head is the start of the output");
        assert.ok(all.trimEnd().endsWith(tail) && tail.length > 1000, "the tail is the end of the output");
        const missing = Number(/[0-9][0-9,]*/.exec(marker[0])[0].replaceAll(",", ""));
        const shown = head.length + tail.length;
        // The line ends next to the marker and at the end may count either way.
        assert.ok(Math.abs(all.length - shown - missing) <= 3,
            `${missing} are said to be missing, ${all.length - shown} are`);
    });

    test("by a deadline, after which nothing of it is left", async () => {
        const [own, child] = [unusualSeconds(31), unusualSeconds(32)];
        const command = `echo begin; sleep ${child} & sleep ${own}`;
        const text = await exec({ command, timeoutSeconds: 2 });
        assert.match(text, /begin/);
        assert.match(text, /timed out/i);
        const { event, result } = node.tap.invoke(({ command: name, params }) =>
            name === "system.run" && params.command.at(-1) === command);
        const { exitCode, timedOut, success, stdout } = result.frame.params.payload;
        assert.deepEqual([exitCode, timedOut, success, stdout], [124, true, false, "begin\n"]);
        assert.deepEqual([event.frame.params.payload.exitCode, event.frame.params.payload.timedOut], [124, true]);
        await waitUntil("the end of both", () => processesWithArgument(own).length === 0
            && processesWithArgument(child).length === 0, { limitMs: 10000 });
    });

    test("by its caller, who no longer waits: it is ended and no result is sent", async () => {
        const [own, child] = [unusualSeconds(33), unusualSeconds(34)];
        const command = ["/bin/sh", "-c", `sleep ${child} & sleep ${own}`];
        const call = node.invoke("system.run", { command }, { timeoutMs: 3000 });
        await waitUntil("both to run", () => processesWithArgument(own).length === 1
            && processesWithArgument(child).length === 1, { limitMs: 2900 });
        await assert.rejects(call);
        const find = () => node.tap.invoke(({ params }) => params.command?.at(-1) === command.at(-1));
        await waitUntil("the cancel", () => find().cancel);
        await waitUntil("the end of both", () => processesWithArgument(own).length === 0
            && processesWithArgument(child).length === 0, { limitMs: 10000 });
        // Frames are answered in order: after this answer, a result would have been seen.
        await node.invoke("system.which", { bins: ["sh"] });
        assert.equal(find().result, undefined);
    });
});
