// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors

/// A "model" whose answers are written in the test: an OpenAI-compatible server on loopback.
///
/// `script(steps)` returns a script whose `prompt` goes into a user message. A step is a list of tool
/// calls `{tool, args}` that are made in one reply. After the last step the model answers "done".
/// `script.results` are the tool results exactly as the model received them.
import crypto from "node:crypto";
import http from "node:http";

const modelName = "scripted";

function textOf(content) {
    if (Array.isArray(content)) {
        return content.map((part) => part?.text ?? "").join("");
    }
    return typeof content === "string" ? content : "";
}

export class ScriptedModel {
    /// When the model was asked, as performance.now(), and by which script's conversation if any.
    calls = [];
    #scripts = new Map();
    #server = http.createServer((request, response) => this.#serve(request, response));

    async start() {
        await new Promise((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
        this.port = this.#server.address().port;
    }

    stop() {
        this.#server.closeAllConnections();
        return new Promise((resolve) => this.#server.close(resolve));
    }

    script(steps) {
        const marker = `script-${crypto.randomUUID()}`;
        const script = { prompt: `Follow ${marker}.`, steps, results: [] };
        this.#scripts.set(marker, script);
        return script;
    }

    /// The provider entry for the gateway's configuration.
    get provider() {
        return {
            baseUrl: `http://127.0.0.1:${this.port}/v1`, apiKey: "local", api: "openai-completions",
            models: [{
                id: modelName, name: "Scripted", reasoning: false, input: ["text"],
                cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
                contextWindow: 1000000, maxTokens: 100000,
            }],
        };
    }

    /// The next message of the assistant in this conversation.
    #answer(messages) {
        // The gateway adds user messages of its own; the one with a marker is ours.
        const isOurs = ({ role, content }) => role === "user" && /script-[0-9a-f-]{36}/.test(textOf(content));
        const start = messages.findLastIndex(isOurs);
        const marker = start < 0 ? "" : /script-[0-9a-f-]{36}/.exec(textOf(messages[start].content))[0];
        const script = this.#scripts.get(marker);
        this.calls.push({ at: performance.now(), script });
        if (!script) {
            return { text: "no script" };
        }
        const after = messages.slice(start + 1);
        script.results = after.filter(({ role }) => role === "tool").map(({ content }) => textOf(content));
        const step = script.steps[after.filter(({ role }) => role === "assistant").length];
        return step ? { tools: step } : { text: "done" };
    }

    async #serve(request, response) {
        let body = "";
        for await (const part of request.setEncoding("utf8")) {
            body += part;
        }
        if (request.method !== "POST") {
            response.setHeader("content-type", "application/json");
            response.end(JSON.stringify({ object: "list", data: [{ id: modelName, object: "model" }] }));
            return;
        }
        const { messages, stream } = JSON.parse(body);
        const { text, tools } = this.#answer(messages);
        const calls = tools?.map(({ tool, args }, index) => ({
            index, id: `call${crypto.randomBytes(6).toString("hex")}`, type: "function",
            function: { name: tool, arguments: JSON.stringify(args) },
        }));
        const message = { role: "assistant", content: text ?? null, ...(calls && { tool_calls: calls }) };
        const reason = calls ? "tool_calls" : "stop";
        const base = { id: "answer", created: Math.floor(Date.now() / 1000), model: modelName };
        const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
        if (!stream) {
            response.setHeader("content-type", "application/json");
            response.end(JSON.stringify({
                ...base, object: "chat.completion", usage,
                choices: [{ index: 0, finish_reason: reason, message }],
            }));
            return;
        }
        response.setHeader("content-type", "text/event-stream");
        const send = (choices, extra) => response.write(`data: ${JSON.stringify({
            ...base, object: "chat.completion.chunk", choices, ...extra,
        })}\n\n`);
        send([{ index: 0, delta: message, finish_reason: null }]);
        send([{ index: 0, delta: {}, finish_reason: reason }]);
        send([], { usage });
        response.end("data: [DONE]\n\n");
    }
}
