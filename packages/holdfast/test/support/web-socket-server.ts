// A WebSocket server over node:http, with the part of RFC 6455 that the tests need: the handshake, text frames both ways, close
// and ping. Received messages are recorded; a connection can be closed properly, or cut.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AddressInfo } from 'node:net';

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const TEXT = 1;
const CLOSE = 8;
const PING = 9;
const PONG = 10;

/** One client, seen from the server. */
export class ServerSocket {
  /** The path and query of its request. */
  readonly url: string;
  readonly received: unknown[] = [];
  isClosed = false;
  readonly #socket: Duplex;
  #rest: Buffer = Buffer.alloc(0);

  constructor(url: string, socket: Duplex) {
    this.url = url;
    this.#socket = socket;
    socket.on('data', (part: Buffer) => this.#read(part));
    socket.on('close', () => (this.isClosed = true));
    socket.on('error', () => (this.isClosed = true));
  }

  send(message: unknown): void {
    this.#write(TEXT, Buffer.from(JSON.stringify(message)));
  }

  /** Sends a close frame. */
  close(): void {
    this.#write(CLOSE, Buffer.from([0x03, 0xe9])); // 1001, going away
    this.#socket.end();
  }

  /** Cuts the connection. */
  cut(): void {
    this.#socket.destroy();
  }

  #write(opcode: number, payload: Buffer): void {
    const { length } = payload;
    const head =
      length < 126
        ? Buffer.from([0x80 | opcode, length])
        : Buffer.from([0x80 | opcode, 126, length >> 8, length & 0xff]);
    if (!this.#socket.destroyed) this.#socket.write(Buffer.concat([head, payload]));
  }

  #read(part: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, part]);
    for (let frame = this.#take(); frame !== null; frame = this.#take()) {
      const { opcode, payload } = frame;
      if (opcode === TEXT) this.received.push(JSON.parse(payload.toString()));
      if (opcode === PING) this.#write(PONG, payload);
      if (opcode === CLOSE) {
        this.#write(CLOSE, payload);
        this.#socket.end();
      }
    }
  }

  /** The next whole frame; frames of clients are masked. */
  #take(): { opcode: number; payload: Buffer } | null {
    const data = this.#rest;
    if (data.length < 2) return null;
    const isLong = (data[1]! & 0x7f) === 126;
    const start = (isLong ? 4 : 2) + 4;
    const length = isLong ? data.readUInt16BE(2) : data[1]! & 0x7f;
    if (data.length < start + length) return null;
    const mask = data.subarray(start - 4, start);
    const payload = Buffer.from(data.subarray(start, start + length).map((byte, at) => byte ^ mask[at % 4]!));
    this.#rest = data.subarray(start + length);
    return { opcode: data[0]! & 0x0f, payload };
  }
}

export interface WebSocketServer {
  readonly url: string;
  /** Every connection since the start. */
  readonly sockets: readonly ServerSocket[];
  close(): Promise<void>;
}

export async function startWebSocketServer(): Promise<WebSocketServer> {
  const sockets: ServerSocket[] = [];
  const server = createServer((_request, response) => response.writeHead(426).end());
  server.on('upgrade', (request, socket) => {
    const accept = createHash('sha1')
      .update(`${request.headers['sec-websocket-key']}${GUID}`)
      .digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    sockets.push(new ServerSocket(request.url ?? '', socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // cast: listening on TCP
  return {
    url: `ws://127.0.0.1:${port}`,
    sockets,
    close: () => {
      for (const socket of sockets) socket.cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
