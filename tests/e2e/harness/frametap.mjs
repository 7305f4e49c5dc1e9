// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors

/// Stands between a node and its gateway, passes every byte on unchanged, and notes the frames.
///
/// `frames` are `{at, connection, from, frame}`: `at` in milliseconds as performance.now(), `from` is "node"
/// or "gateway", `frame` is the JSON with paramsJSON and payloadJSON parsed into params and payload.
import crypto from "node:crypto";
import net from "node:net";
import { waitUntil } from "./waiting.mjs";
import { textFrame, WebSocketReader } from "./websocketreader.mjs";

function unfold(frame) {
    const body = frame.params ?? frame.payload;
    for (const [folded, name] of [["paramsJSON", "params"], ["payloadJSON", "payload"]]) {
        if (typeof body?.[folded] === "string") {
            body[name] = JSON.parse(body[folded]);
        }
    }
    return frame;
}

export class FrameTap {
    frames = [];
    #sockets = new Set();
    #connections = 0;
    #toNode;
    #server = net.createServer((socket) => this.#connect(socket));

    constructor(gatewayPort) {
        this.gatewayPort = gatewayPort;
    }

    async start() {
        await new Promise((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
        this.port = this.#server.address().port;
    }

    async stop() {
        this.#sockets.forEach((socket) => socket.destroy());
        await new Promise((resolve) => this.#server.close(resolve));
    }

    #connect(node) {
        const connection = ++this.#connections;
        const gateway = net.connect(this.gatewayPort, "127.0.0.1");
        this.#pass(node, gateway, connection, "node");
        this.#pass(gateway, node, connection, "gateway");
    }

    #pass(source, target, connection, from) {
        let arrival = 0;
        const reader = new WebSocketReader((text) => {
            this.frames.push({ at: arrival, connection, from, frame: unfold(JSON.parse(text)) });
        });
        this.#sockets.add(source.setNoDelay());
        if (from === "gateway") {
            this.#toNode = { socket: target, reader, connection };
        }
        source.on("data", (bytes) => {
            arrival = performance.now();
            target.write(bytes);
            reader.add(bytes);
        });
        source.on("error", () => {});
        source.on("end", () => target.end());
        source.on("close", () => {
            this.#sockets.delete(source);
            target.destroySoon();
        });
    }

    /// The first noted frame for which `fits(frame, entry)` holds, when it has arrived.
    waitForFrame(what, fits, options) {
        return waitUntil(what, () => this.frames.find((entry) => fits(entry.frame, entry)), options);
    }

    /// All frames of one invoke: `{request, cancel, event, result}`, each an entry of `frames` or undefined.
    /// The events exec.finished and exec.denied belong to an invoke by the run id.
    invoke(fits) {
        const find = (test) => this.frames.find(({ frame }) => test(frame));
        const request = find((frame) => frame.event === "node.invoke.request" && fits(frame.payload));
        const { id, params } = request?.frame.payload ?? {};
        return {
            request,
            cancel: find(({ event, payload }) => event === "node.invoke.cancel" && payload.invokeId === id),
            event: find(({ method, params: sent }) => method === "node.event"
                && sent.event.startsWith("exec.") && sent.payload.runId === params?.runId),
            result: find(({ method, params: sent }) => method === "node.invoke.result" && sent.id === id),
        };
    }

    /// Sends the node an invoke that the gateway never made, and returns the error of its result, or null.
    async pretendInvoke(nodeId, command, params) {
        const id = crypto.randomUUID();
        const { socket, reader } = this.#toNode;
        await waitUntil("the end of a frame", () => reader.isBetweenFrames, { everyMs: 5 });
        socket.write(textFrame(JSON.stringify({
            type: "event", event: "node.invoke.request",
            payload: { id, nodeId, command, paramsJSON: JSON.stringify(params), timeoutMs: 10000 },
        })));
        const { frame } = await this.waitForFrame("a result",
            ({ method, params: sent }) => method === "node.invoke.result" && sent.id === id);
        return frame.params.ok ? null : frame.params.error;
    }
}
