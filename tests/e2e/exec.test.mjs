// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { execOnNode, outputOf, runTurn } from "./harness/agent.mjs";
import { isRunning, processesWithArgument, signal, unusualSeconds } from "./harness/processtable.mjs";
import { connectNode, sharedWorld } from "./harness/world.mjs";

describe("an agent's exec call runs on this machine", () => {
    let world, node;

    /// What the model receives for one call of the exec tool.
    async function exec(args) {
        const [text] = await runTurn(world, [[execOnNode(node.nodeId, args)]]);
        return outputOf(text);
    }
    /// The payload that the node answered to the run of this command.
    const payloadOf = (command) => node.tap.invoke(({ command: name, params }) =>
        name === "system.run" && params.command.at(-1) === command).result.frame.params.payload;

    before(async () => {
        world = await sharedWorld();
        node = await connectNode(world, "exec", { mode: "full" });
    });
    after(() => node?.end());

    test("and the agent gets its output", async () => {
        assert.equal(await exec({ command: "echo hello" }), "hello");
    });

    test("and both output streams", async () => {
        assert.equal(await exec({ command: "echo out; echo err >&2" }), "out\n\nerr");
    });

    test("and its exit code", async () => {
        assert.equal(await exec({ command: "echo out; exit 7" }), "out\n\n(Command exited with code 7)");
    });

    test("and the name of the signal that ended it", async () => {
        const command = "kill -9 $$";
        assert.match(await exec({ command }), /killed by SIGKILL/);
        assert.deepEqual(payloadOf(command), {
            exitCode: 137, timedOut: false, success: false, stdout: "", stderr: "",
            error: "killed by SIGKILL",
        });
    });

    test("and what the shell says of a program that is not there", async () => {
        assert.match(await exec({ command: "no-such-program" }),
            /no-such-program: not found[^]*\(Command exited with code 127\)/);
    });

    test("with standard input at its end", async () => {
        assert.equal(await exec({ command: "cat; echo end" }), "end");
    });

    test("with invalid bytes shown as U+FFFD", async () => {
        assert.equal(await exec({ command: "printf '\\303\\251 \\377\\376 end'" }), "\u00e9 \ufffd\ufffd end");
    });

    test("in the user's home where no folder is named", async () => {
        assert.equal(await exec({ command: "pwd" }), fs.realpathSync(node.host.home));
    });

    test("in the folder that is named", async () => {
        const workdir = fs.mkdtempSync(path.join(fs.realpathSync(node.host.home), "folder "));
        assert.equal(await exec({ command: "pwd", workdir }), workdir);
    });

    test("but not in a folder that is missing", async () => {
        assert.match(await exec({ command: "pwd", workdir: "/no/such/folder" }),
            /SYSTEM_RUN_DENIED: working directory does not exist or is inaccessible/);
    });

    test("two at the same time", async () => {
        // Each of the two waits for the other, so that one after the other would never end.
        const [a, b] = ["a", "b"].map((name) => path.join(node.host.home, name));
        const meet = (mine, other) => execOnNode(node.nodeId, {
            command: `touch ${mine}; until [ -e ${other} ]; do sleep 0.1; done; echo met`,
            timeoutSeconds: 60,
        });
        const texts = await runTurn(world, [[meet(a, b), meet(b, a)]]);
        assert.deepEqual(texts.map(outputOf), ["met", "met"]);
    });

    test("and a child that stays in the background does not hold the answer back", async () => {
        const seconds = unusualSeconds(45);
        const command = `sleep ${seconds} & echo started`;
        assert.equal(await exec({ command }), "started");
        const { request, result } = node.tap.invoke(({ command: name, params }) =>
            name === "system.run" && params.command.at(-1) === command);
        assert.ok(result.at - request.at < 20000, `took ${result.at - request.at} ms`);
        const [child] = processesWithArgument(seconds);
        assert.ok(isRunning(child), "the child is still running");
        signal(child, "SIGKILL");
    });
});
