// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors

/// The program under test: a Telson profile of its own, its service in the foreground, and its command line.
import fs from "node:fs";
import path from "node:path";
import { baseEnvironment, installation, makeFolder } from "./installation.mjs";
import { endProcess, runProcess, startProcess } from "./processes.mjs";
import { signal } from "./processtable.mjs";

export class NodeHost {
    /// `variables` are added to the environment of everything that is started for this profile.
    constructor(folder, { displayName, variables = {} }) {
        this.displayName = displayName;
        this.profile = makeFolder(folder, "profile");
        this.home = makeFolder(folder, "home");
        this.runtime = makeFolder(folder, "runtime");
        this.logFile = path.join(folder, "node.log");
        this.variables = variables;
    }

    #environment(extra) {
        return baseEnvironment({
            HOME: this.home, TELSON_HOME: this.profile, OPENCLAW_STATE_DIR: this.profile,
            XDG_RUNTIME_DIR: this.runtime, XDG_CONFIG_HOME: path.join(this.home, ".config"),
            ...this.variables, ...extra,
        });
    }

    get isReference() {
        return installation.peer === "reference";
    }

    /// Runs one command of the command line to its end: `{code, stdout, stderr}`.
    run(args, { variables, input, limitMs } = {}) {
        return runProcess(installation.telsonProgram, args, {
            environment: this.#environment(variables), folder: this.home, input, limitMs,
        });
    }

    /// Like `run`, but throws when the command fails.
    async runWell(args, options) {
        const { code, stdout, stderr } = await this.run(args, options);
        if (code !== 0) {
            throw new Error(`telson ${args.join(" ")} exited with ${code}: ${stderr}${stdout}`);
        }
        return stdout;
    }

    /// What `telson status --json` says, or null where no service runs (exit code 4).
    async status() {
        const { code, stdout } = await this.run(["status", "--json"]);
        return code === 0 ? JSON.parse(stdout) : null;
    }

    /// Writes the gateway and its token into the profile, as a person would.
    async addGateway(id, { port, token }) {
        const tokenFile = path.join(this.home, "token");
        fs.writeFileSync(tokenFile, token, { mode: 0o600 });
        await this.runWell(["gateway", "add", id, `ws://127.0.0.1:${port}`, "--token-file", tokenFile]);
        fs.rmSync(tokenFile);
    }

    /// Starts `telson run` in another folder than the user's home. With `port` the gateway is named on the command line;
    /// without it, the profile says which.
    start({ port, token } = {}) {
        const variables = token ? { OPENCLAW_GATEWAY_TOKEN: token } : {};
        const gateway = port ? ["--gateway", `ws://127.0.0.1:${port}`] : [];
        const name = ["--display-name", this.displayName];
        const [program, args] = this.isReference
            ? [installation.nodeProgram, [installation.gatewayScript, "node", "run", "--host", "127.0.0.1",
                "--port", String(port), ...name]]
            : [installation.telsonProgram, ["run", ...gateway, ...name]];
        this.startedAt = performance.now();
        this.process = startProcess(program, args, {
            environment: this.#environment(variables), folder: this.runtime, logFile: this.logFile,
        });
    }

    async stop() {
        if (this.process) {
            await endProcess(this.process);
        }
    }

    async kill() {
        signal(this.process, "SIGKILL");
        await this.process.exited;
    }

    get log() {
        return fs.existsSync(this.logFile) ? fs.readFileSync(this.logFile, "utf8") : "";
    }
}
