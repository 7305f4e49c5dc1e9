// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors

/// Waiting with a limit: nothing in these tests waits without one.

export const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/// Rejects with what was waited for when `promise` is not settled in time.
export function withLimit(promise, limitMs, what) {
    let timer;
    const limit = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error(`waited ${limitMs} ms for ${what}`)), limitMs);
    });
    return Promise.race([promise, limit]).finally(() => clearTimeout(timer));
}

/// Thrown by a probe when waiting on is of no use.
export class GaveUp extends Error {}

/// Calls `probe` until it answers something true, and returns that. An exception counts as "not yet", but
/// for `GaveUp`, which is passed on.
export async function waitUntil(what, probe, { limitMs = 30000, everyMs = 50 } = {}) {
    const end = performance.now() + limitMs;
    let problem = "";
    for (;;) {
        try {
            const value = await probe();
            if (value) {
                return value;
            }
        } catch (error) {
            if (error instanceof GaveUp) {
                throw error;
            }
            problem = ` (${error.message})`;
        }
        if (performance.now() > end) {
            throw new Error(`waited ${limitMs} ms for ${what}${problem}`);
        }
        await sleep(everyMs);
    }
}
