// Puts states into React's stream of HTML. React writes each part in one go, so what arrives together ends where an
// element may stand: a state goes before the part whose components need it, and behind the first part, which opens the
// document. Nothing is looked for in the HTML, so no text in it can move the place.
import type { Timers } from '../../support/environment.ts';

type Chunk = string | Uint8Array;

/** The end of a whole document, as React writes it. */
const END = '</body></html>';
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * What a stream of Node has for React, and for us.
 *
 * @example
 * function send(render: createServerRender.Result, destination: createServerRender.NodeDestination) {
 *   render.pipe((into: { end(): void }) => into.end(), destination);
 * }
 */
export interface NodeDestination {
  write(chunk: never): boolean;
  end(): unknown;
  on(event: string, listener: (reason?: never) => void): unknown;
  destroy(error?: Error): unknown;
}

interface Destination {
  write(chunk: Chunk): boolean;
  end(): void;
  on(event: string, listener: (reason?: unknown) => void): unknown;
  destroy(error?: Error): void;
  flush?(): void;
  readonly writableNeedDrain?: boolean;
}

/** Lays states around parts of the HTML. */
class Parts {
  readonly #takeBlock: () => string;
  #isFirst = true;

  /** `takeBlock` gives what is new since the last call, or nothing. */
  constructor(takeBlock: () => string) {
    this.#takeBlock = takeBlock;
  }

  around(part: readonly Chunk[]): Chunk[] {
    const block = this.#takeBlock();
    if (!this.#isFirst) return block === '' ? [...part] : [block, ...part];
    this.#isFirst = false;
    const whole = join(part);
    const isEnded = decoder.decode(whole.subarray(-END.length)) === END;
    return isEnded ? [whole.subarray(0, -END.length), block, END] : [whole, block];
  }
}

function join(part: readonly Chunk[]): Uint8Array {
  const chunks = part.map((chunk) => (typeof chunk === 'string' ? encoder.encode(chunk) : chunk));
  const whole = new Uint8Array(chunks.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** For streams of the web: the HTML with the states. `finish` is called when it is over. */
export function insertIntoWeb(
  html: ReadableStream<Uint8Array>,
  takeBlock: () => string,
  timers: Timers,
  finish: (reason?: unknown) => void,
): ReadableStream<Uint8Array> {
  const parts = new Parts(takeBlock);
  const reader = html.getReader();
  let ahead: Promise<ReadableStreamReadResult<Uint8Array>> | null = null;

  async function readPart(): Promise<{ part: Uint8Array[]; isOver: boolean }> {
    const part: Uint8Array[] = [];
    let read: ReadableStreamReadResult<Uint8Array> | null = await (ahead ?? reader.read());
    while (read && !read.done) {
      part.push(read.value);
      ahead = reader.read();
      // what was written together is there without a pause
      read = await beforePause(ahead, timers);
    }
    return { part, isOver: read !== null };
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(out) {
        try {
          const { part, isOver } = await readPart();
          const chunks = part.length > 0 ? parts.around(part) : [];
          for (const chunk of chunks) out.enqueue(typeof chunk === 'string' ? encoder.encode(chunk) : chunk);
          if (!isOver) return;
          finish();
          out.close();
        } catch (error) {
          finish(error);
          throw error;
        }
      },
      cancel(reason) {
        finish(reason);
        return reader.cancel(reason);
      },
    },
    // One part is read ahead: the state is taken when the shell is rendered, not when somebody reads the shell.
    { highWaterMark: 1 },
  );
}

/** The value if it comes before anything else happens; null when there is a pause. */
async function beforePause<T>(promise: Promise<T>, timers: Timers): Promise<T | null> {
  let timer: unknown;
  const pause = new Promise<null>((resolve) => {
    timer = timers.set(() => resolve(null), 0);
  });
  promise.catch(() => undefined); // the next read of the stream meets the failure
  try {
    return await Promise.race([promise, pause]);
  } finally {
    timers.clear(timer);
  }
}

/** For streams of Node: what React's `pipe` is given in place of the destination. */
export class StateWriter implements Destination {
  readonly #destination: Destination;
  readonly #parts: Parts;
  readonly #finish: (reason?: unknown) => void;
  #part: Chunk[] = [];
  #isScheduled = false;
  #isEnding = false;

  constructor(destination: NodeDestination, takeBlock: () => string, finish: (reason?: unknown) => void) {
    this.#destination = destination as unknown as Destination; // cast: its own types are Node's
    this.#parts = new Parts(takeBlock);
    this.#finish = finish;
    this.#destination.on('close', () => finish());
  }

  write(chunk: Chunk): boolean {
    this.#part.push(chunk);
    this.#schedule();
    return this.#destination.writableNeedDrain !== true;
  }

  end(): void {
    this.#isEnding = true;
    this.#schedule();
  }

  on(event: string, listener: (reason?: unknown) => void): this {
    this.#destination.on(event, listener);
    return this;
  }

  destroy(error?: Error): void {
    this.#finish(error);
    this.#destination.destroy(error);
  }

  /** React has written a part, which is over when this call is. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => this.#send());
  }

  #send(): void {
    this.#isScheduled = false;
    const part = this.#part.splice(0);
    const chunks = part.length > 0 ? this.#parts.around(part) : [];
    for (const chunk of chunks) if (chunk.length > 0) this.#destination.write(chunk);
    this.#destination.flush?.();
    if (!this.#isEnding) return;
    this.#finish();
    this.#destination.end();
  }
}
