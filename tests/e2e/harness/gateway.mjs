// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors

/// A real gateway with a state folder, a port and a token of its own.
import crypto from "node:crypto";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { baseEnvironment, installation, makeFolder } from "./installation.mjs";
import { Operator } from "./operator.mjs";
import { endProcess, runProcess, startProcess } from "./processes.mjs";
import { isRunning, signal } from "./processtable.mjs";
import { GaveUp, waitUntil } from "./waiting.mjs";

function freePort() {
    return new Promise((resolve, reject) => {
        const server = net.createServer().once("error", reject);
        server.listen(0, "127.0.0.1", () => {
            const { port } = server.address();
            server.close(() => resolve(port));
        });
    });
}

export class Gateway {
    constructor(folder, model) {
        this.folder = folder;
        this.model = model;
        this.token = crypto.randomBytes(24).toString("hex");
        this.logFile = path.join(folder, "gateway.log");
    }

    get #environment() {
        return baseEnvironment({
            HOME: path.join(this.folder, "home"),
            OPENCLAW_STATE_DIR: path.join(this.folder, "state"),
            OPENCLAW_GATEWAY_TOKEN: this.token,
            OPENCLAW_NO_RESPAWN: "1", // stay the process that we started
            OPENCLAW_NO_AUTO_UPDATE: "1",
            OPENCLAW_DISABLE_BONJOUR: "1",
            OPENCLAW_SKIP_CHANNELS: "1",
        });
    }

    async #writeConfiguration() {
        this.port = await freePort();
        const state = makeFolder(this.folder, "state");
        makeFolder(this.folder, "home");
        const workspace = makeFolder(this.folder, "workspace");
        const configuration = {
            gateway: {
                mode: "local", port: this.port, bind: "loopback",
                auth: { mode: "token", token: this.token }, controlUi: { enabled: false },
            },
            models: { mode: "replace", providers: { stub: this.model.provider } },
            agents: { defaults: { model: { primary: "stub/scripted" }, workspace, skipBootstrap: true } },
            tools: { exec: { host: "node" } },
        };
        fs.writeFileSync(path.join(state, "openclaw.json"), JSON.stringify(configuration), { mode: 0o600 });
    }

    /// Starts it, or starts it again on the same port and state, and waits until it answers requests. At the
    /// first start another program may have taken the port that was free a moment ago: then once more.
    async start({ limitMs = 240000 } = {}) {
        const isFirst = !this.port;
        if (isFirst) {
            await this.#writeConfiguration();
        }
        try {
            await this.#launch(limitMs);
        } catch (error) {
            if (!isFirst || !(error instanceof GaveUp)) {
                throw error;
            }
            console.error(`e2e: ${error.message}; its log ends: ${fs.readFileSync(this.logFile, "utf8").slice(-600)}`);
            await this.#writeConfiguration();
            await this.#launch(limitMs);
        }
    }

    async #launch(limitMs) {
        this.process = startProcess(
            installation.nodeProgram,
            [installation.gatewayScript, "gateway", "run", "--port", String(this.port), "--bind", "loopback"],
            { environment: this.#environment, folder: this.folder, logFile: this.logFile });
        await waitUntil("a usable gateway", async () => {
            if (!isRunning(this.process)) {
                throw new GaveUp(`the gateway has ended, see ${this.logFile}`);
            }
            const operator = await this.connectOperator();
            try {
                return await operator.request("status", {}, 20000);
            } finally {
                operator.close();
            }
        }, { limitMs, everyMs: 250 });
    }

    connectOperator(options = {}) {
        return Operator.connect({ port: this.port, token: this.token, ...options });
    }

    /// Ends it as a power cut would.
    async kill() {
        signal(this.process, "SIGKILL");
        await this.process.exited;
    }

    async stop() {
        if (this.process) {
            await endProcess(this.process, { graceMs: 10000 });
        }
    }

    /// Runs the gateway's command line as a person at the gateway's machine would.
    runCommandLine(args, { limitMs = 60000 } = {}) {
        return runProcess(installation.nodeProgram, [installation.gatewayScript, ...args],
            { environment: this.#environment, folder: this.folder, limitMs });
    }
}
