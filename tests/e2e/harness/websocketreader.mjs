// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The Telson authors

/// Reads one direction of a WebSocket connection from raw bytes, without taking part in it.
/// It calls `onText(text)` for every text message. Compressed messages are not understood.
export class WebSocketReader {
    #bytes = Buffer.alloc(0);
    #isPastHead = false;
    #parts = [];

    get isBetweenFrames() {
        return this.#isPastHead && this.#bytes.length === 0;
    }

    constructor(onText) {
        this.onText = onText;
    }

    add(bytes) {
        this.#bytes = this.#bytes.length ? Buffer.concat([this.#bytes, bytes]) : bytes;
        if (!this.#isPastHead) {
            const end = this.#bytes.indexOf("\r\n\r\n");
            if (end < 0) {
                return;
            }
            this.#bytes = this.#bytes.subarray(end + 4);
            this.#isPastHead = true;
        }
        while (this.#takeFrame()) {
            // the next one
        }
    }

    /// RFC 6455 §5.2. False when the frame is not complete yet.
    #takeFrame() {
        const bytes = this.#bytes;
        if (bytes.length < 2) {
            return false;
        }
        const shortLength = bytes[1] & 0x7f;
        const lengthBytes = shortLength === 126 ? 2 : shortLength === 127 ? 8 : 0;
        const isMasked = (bytes[1] & 0x80) !== 0;
        const headLength = 2 + lengthBytes + (isMasked ? 4 : 0);
        if (bytes.length < headLength) {
            return false;
        }
        const length = lengthBytes ? bytes.readUIntBE(2 + Math.max(0, lengthBytes - 6), Math.min(6, lengthBytes))
            : shortLength;
        if (bytes.length < headLength + length) {
            return false;
        }
        const payload = Buffer.from(bytes.subarray(headLength, headLength + length));
        if (isMasked) {
            const mask = bytes.subarray(headLength - 4, headLength);
            payload.forEach((byte, index) => (payload[index] = byte ^ mask[index % 4]));
        }
        this.#bytes = bytes.subarray(headLength + length);
        this.#takeMessage(bytes[0], payload);
        return true;
    }

    #takeMessage(firstByte, payload) {
        const [isLast, opcode] = [(firstByte & 0x80) !== 0, firstByte & 0x0f];
        if (opcode > 1) {
            return; // binary and control frames
        }
        this.#parts.push(payload);
        if (isLast) {
            this.onText(Buffer.concat(this.#parts).toString("utf8"));
            this.#parts = [];
        }
    }
}

/// A whole text message as a server sends it.
export function textFrame(text) {
    const payload = Buffer.from(text, "utf8");
    const head = Buffer.alloc(10);
    head[0] = 0x81;
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(payload.length), 2);
    // A length is written in its shortest form.
    if (payload.length < 126) {
        head[1] = payload.length;
        return Buffer.concat([head.subarray(0, 2), payload]);
    }
    if (payload.length < 65536) {
        head[1] = 126;
        head.writeUInt16BE(payload.length, 2);
        return Buffer.concat([head.subarray(0, 4), payload]);
    }
    return Buffer.concat([head, payload]);
}
