// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors

/// Agent turns: the gateway asks the scripted model, which calls tools.
import crypto from "node:crypto";

/// A call of the exec tool on a node.
export const execOnNode = (node, args) => ({ tool: "exec", args: { host: "node", node, ...args } });

/// Starts a turn whose model makes the calls of `steps`. `finished` becomes what the model received as
/// tool results, in order.
export async function startTurn({ operator, model }, steps, { limitMs = 90000 } = {}) {
    const script = model.script(steps);
    const sessionKey = `agent:main:e2e-${crypto.randomBytes(4).toString("hex")}`;
    const { runId } = await operator.request("chat.send", {
        sessionKey, message: script.prompt, idempotencyKey: crypto.randomUUID(),
    });
    const wait = operator.request("agent.wait", { runId, timeoutMs: limitMs }, limitMs + 5000);
    const finished = wait.then(({ status, error }) => {
        if (status !== "ok") {
            throw new Error(`the turn ended with ${status} ${JSON.stringify(error ?? "")}`);
        }
        return script.results;
    });
    finished.catch(() => {});
    return { sessionKey, runId, script, finished };
}

export async function runTurn(world, steps, options) {
    const turn = await startTurn(world, steps, options);
    return turn.finished;
}

/// A tool result without the lines that the gateway adds to every result of a node.
export function outputOf(text) {
    const isNote = (line) => /^(Warning: tools\.exec\.pathPrepend |Node: )/.test(line);
    return text.split("\n").filter((line) => !isNote(line)).join("\n").trim();
}
