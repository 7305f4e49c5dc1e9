// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { execOnNode, outputOf, runTurn } from "./harness/agent.mjs";
import { connectNode, sharedWorld } from "./harness/world.mjs";

const gatewayOnly = {
    OPENCLAW_GATEWAY_PASSWORD: "not-for-children",
    CF_ACCESS_CLIENT_ID: "not-for-children", CF_ACCESS_CLIENT_SECRET: "not-for-children",
    TELSON_SECRET: "not-for-children",
};

describe("the environment of a run", () => {
    let world, node;

    before(async () => {
        world = await sharedWorld();
        const variables = { ...gatewayOnly, KEPT: "kept", PYTHONPATH: "/removed" };
        node = await connectNode(world, "environment", { mode: "full", variables });
    });
    after(() => node?.end());

    async function exec(args) {
        const [text] = await runTurn(world, [[execOnNode(node.nodeId, args)]]);
        return outputOf(text);
    }
    async function environmentOf(command, env) {
        const { stdout } = await node.invoke("system.run", { command, env });
        return Object.fromEntries(stdout.trimEnd().split("\n").map((line) => line.split(/=(.*)/s, 2)));
    }

    test("is that of the service, without what belongs to Telson and its gateways", async () => {
        const text = await exec({ command: "env" });
        assert.match(text, /^KEPT=kept$/m);
        assert.match(text, /^OPENCLAW_CLI=1$/m);
        assert.doesNotMatch(text, /^(TELSON_|OPENCLAW_GATEWAY_|CF_ACCESS_|PYTHONPATH)/m);
        assert.doesNotMatch(text, new RegExp(`not-for-children|${world.gateway.token}`));
    });

    test("takes harmless variables of a direct command", async () => {
        const { FOO, TERM } = await environmentOf(["/usr/bin/env"], { FOO: "bar", TERM: "dumb" });
        assert.deepEqual([FOO, TERM], ["bar", "dumb"]);
    });

    test("takes only those of the terminal and the language for a shell's command", async () => {
        const { FOO, TERM, LC_ALL } = await environmentOf(["/bin/sh", "-lc", "env"],
            { FOO: "bar", TERM: "dumb", LC_ALL: "C" });
        assert.deepEqual([FOO, TERM, LC_ALL], [undefined, "dumb", "C"]);
    });

    test("is not given LD_PRELOAD by an agent: the gateway refuses", async () => {
        assert.match(await exec({ command: "echo run", env: { LD_PRELOAD: "/tmp/x.so" } }),
            /Security Violation: Environment variable 'LD_PRELOAD' is forbidden during host execution\./);
    });

    const refused = {
        "LD_PRELOAD": [{ LD_PRELOAD: "/tmp/x.so" }, "blocked override keys: LD_PRELOAD"],
        "PATH": [{ PATH: "/tmp" }, "blocked override keys: PATH"],
        "several, in order": [{ NODE_OPTIONS: "-r x", BASH_ENV: "x", "a-b": "x" },
            "blocked override keys: BASH_ENV, NODE_OPTIONS; invalid non-portable override keys: a-b"],
    };
    for (const [name, [env, reason]] of Object.entries(refused)) {
        test(`is not given what could change the program: ${name}`, async () => {
            await assert.rejects(node.invoke("system.run", { command: ["/bin/echo", "run"], env }), ({ message }) => {
                assert.equal(message,
                    `INVALID_REQUEST: SYSTEM_RUN_DENIED: environment override rejected (${reason})`);
                return true;
            });
        });
    }
});
