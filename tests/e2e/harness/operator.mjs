// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors

/// An operator's connection to the gateway over one WebSocket: requests, and the events that arrive.
import { withLimit } from "./waiting.mjs";

const scopes = ["admin", "read", "write", "approvals", "pairing"].map((name) => `operator.${name}`);

/// What the gateway answered to a request that failed; `details` as in the frame.
export class GatewayError extends Error {
    constructor({ code, message, details }) {
        super(message);
        Object.assign(this, { code, details });
    }
}

export class Operator {
    #pending = new Map();
    #count = 0;
    /// Every event since the connect, as `{event, payload}`.
    events = [];
    #listeners = new Set();

    /// With `caps: ["exec-approvals"]` the gateway counts this connection as a place to ask a person.
    static async connect({ port, token, caps = [], limitMs = 10000 }) {
        const operator = new Operator();
        const hello = operator.#open(port, token, caps);
        await withLimit(hello, limitMs, "an operator connection").catch((error) => {
            operator.close();
            throw error;
        });
        return operator;
    }

    #open(port, token, caps) {
        return new Promise((resolve, reject) => {
            this.socket = new WebSocket(`ws://127.0.0.1:${port}`);
            this.socket.onerror = () => reject(new Error("the gateway can't be reached"));
            this.socket.onclose = ({ code, reason }) => {
                const error = new Error(`connection closed: ${code} ${reason}`);
                reject(error);
                this.#pending.forEach((request) => request.reject(error));
                this.#pending.clear();
            };
            this.socket.onmessage = ({ data }) => {
                const frame = JSON.parse(data);
                if (frame.event === "connect.challenge") {
                    this.#introduce(token, caps).then(resolve, reject);
                } else {
                    this.#take(frame);
                }
            };
        });
    }

    /// On loopback this client id needs no device key, and the scopes that it asks for are kept.
    #introduce(token, caps) {
        const client = { id: "gateway-client", mode: "backend", version: "0.0.0", platform: "linux" };
        return this.request("connect", {
            minProtocol: 4, maxProtocol: 4, client, role: "operator", scopes, caps, auth: { token },
        });
    }

    #take(frame) {
        if (frame.type === "event") {
            this.events.push(frame);
            this.#listeners.forEach((listener) => listener(frame));
            return;
        }
        const request = this.#pending.get(frame.id);
        this.#pending.delete(frame.id);
        if (frame.ok) {
            request?.resolve(frame.payload);
        } else {
            request?.reject(new GatewayError(frame.error));
        }
    }

    request(method, params = {}, limitMs = 30000) {
        const id = String(++this.#count);
        const answer = new Promise((resolve, reject) => this.#pending.set(id, { resolve, reject }));
        this.socket.send(JSON.stringify({ type: "req", id, method, params }));
        return withLimit(answer, limitMs, `the answer to ${method}`);
    }

    /// The payload of the next event of this name that fits, those that have arrived included.
    waitForEvent(name, fits = () => true, limitMs = 60000) {
        const matches = ({ event, payload }) => event === name && fits(payload);
        const earlier = this.events.find(matches);
        if (earlier) {
            return Promise.resolve(earlier.payload);
        }
        let listener;
        const arrival = new Promise((resolve) => {
            listener = (frame) => matches(frame) && resolve(frame.payload);
            this.#listeners.add(listener);
        });
        return withLimit(arrival, limitMs, `event ${name}`)
            .finally(() => this.#listeners.delete(listener));
    }

    close() {
        this.socket?.close();
    }
}
