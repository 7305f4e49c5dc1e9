// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors

/// Where the programs under test are. The entry script `run-e2e` has checked that they exist.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const gatewayFolder = process.env.TELSON_E2E_GATEWAY ?? "";

export const installation = {
    /// The Node.js that the gateway is run with; the tests run with it too.
    nodeProgram: process.execPath,
    gatewayScript: path.join(gatewayFolder, "node_modules/openclaw/openclaw.mjs"),
    telsonProgram: process.env.TELSON_BIN ?? "",
    /// With "reference" the gateway's own node host takes Telson's place: it shows what differs,
    /// and that the harness itself works.
    peer: process.env.TELSON_E2E_PEER ?? "telson",
};

/// The variables that a started program needs from ours, and no other: a test decides what it sees.
export function baseEnvironment(extra = {}) {
    const environment = { NO_COLOR: "1", LANG: process.env.LANG ?? "C.UTF-8" };
    for (const name of ["TMPDIR", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"]) {
        if (process.env[name]) {
            environment[name] = process.env[name];
        }
    }
    const systemPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    environment.PATH = `${path.dirname(installation.nodeProgram)}:${systemPath}`;
    return { ...environment, ...extra };
}

/// A new folder of this run that only we can enter. The name is short: a socket's path has 107 bytes.
export function makeRunFolder() {
    return fs.mkdtempSync(path.join(os.tmpdir(), "telson-e2e-"));
}

export function makeFolder(...parts) {
    const folder = path.join(...parts);
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    return folder;
}
