// Inserts saved states into React's stream of HTML. A part is all HTML that React writes synchronously; an element may be inserted
// between two parts. The first state follows the first part, but precedes `</body></html>` if the part ends with it. Each later
// state precedes the part whose components need it. The HTML is not searched for other text.
import type { Timers } from '../../support/environment.ts';

type Chunk = string | Uint8Array;

/** The end of a complete document, as React writes it. */
const DOCUMENT_END = '</body></html>';
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * The methods that React and the library need of a Node stream.
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

interface StreamDestination {
  write(chunk: Chunk): boolean;
  end(): void;
  on(event: string, listener: (reason?: unknown) => void): unknown;
  destroy(error?: Error): void;
  flush?(): void;
  readonly writableNeedDrain?: boolean;
}

/** Adds the next state to each part of the HTML. */
class StateInserter {
  readonly #takeBlock: () => string;
  #isFirst = true;

  /**
   * `takeBlock` returns a script element with the data that is new since its last call; a later call returns '' if there is no new
   * data.
   */
  constructor(takeBlock: () => string) {
    this.#takeBlock = takeBlock;
  }

  addNextState(part: readonly Chunk[]): Chunk[] {
    const block = this.#takeBlock();
    if (!this.#isFirst) return block === '' ? [...part] : [block, ...part];
    this.#isFirst = false;
    const whole = joinChunks(part);
    const isEnded = decoder.decode(whole.subarray(-DOCUMENT_END.length)) === DOCUMENT_END;
    return isEnded ? [whole.subarray(0, -DOCUMENT_END.length), block, DOCUMENT_END] : [whole, block];
  }
}

function joinChunks(part: readonly Chunk[]): Uint8Array {
  const chunks = part.map((chunk) => (typeof chunk === 'string' ? encoder.encode(chunk) : chunk));
  const whole = new Uint8Array(chunks.reduce((size, { length }) => size + length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  return whole;
}

/** For web streams: returns the HTML with the states inserted. Calls `finish` when the stream ends, fails or is cancelled. */
export function insertIntoWebStream(
  html: ReadableStream<Uint8Array>,
  takeBlock: () => string,
  timers: Timers,
  finish: (reason?: unknown) => void,
): ReadableStream<Uint8Array> {
  const inserter = new StateInserter(takeBlock);
  const reader = html.getReader();
  let nextRead: Promise<ReadableStreamReadResult<Uint8Array>> | null = null;

  async function readPart(): Promise<{ part: Uint8Array[]; isOver: boolean }> {
    const part: Uint8Array[] = [];
    let read: ReadableStreamReadResult<Uint8Array> | null = await (nextRead ?? reader.read());
    while (read && !read.done) {
      part.push(read.value);
      nextRead = reader.read();
      // All chunks of a part can be read before a timer of 0 ms fires.
      read = await valueBeforePause(nextRead, timers);
    }
    return { part, isOver: read !== null };
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(out) {
        try {
          const { part, isOver } = await readPart();
          const chunks = part.length > 0 ? inserter.addNextState(part) : [];
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
    // One part is read ahead, so that the first state is taken when React has rendered the shell, not when the client reads it.
    { highWaterMark: 1 },
  );
}

/** Settles like the promise if the promise settles before a timer of 0 ms fires; else resolves with null. */
async function valueBeforePause<T>(promise: Promise<T>, timers: Timers): Promise<T | null> {
  let timer: unknown;
  const pause = new Promise<null>((resolve) => {
    timer = timers.set(() => resolve(null), 0);
  });
  promise.catch(() => undefined); // the next `readPart` awaits this promise too, and throws its error
  try {
    return await Promise.race([promise, pause]);
  } finally {
    timers.clear(timer);
  }
}

/** For Node streams: React's `pipe` writes to this object, which inserts the states and writes to the destination. */
export class StateWriter implements StreamDestination {
  readonly #destination: StreamDestination;
  readonly #inserter: StateInserter;
  readonly #finish: (reason?: unknown) => void;
  #part: Chunk[] = [];
  #isScheduled = false;
  #isEnding = false;

  constructor(destination: NodeDestination, takeBlock: () => string, finish: (reason?: unknown) => void) {
    this.#destination = destination as StreamDestination; // cast: avoids a dependency on the types of Node
    this.#inserter = new StateInserter(takeBlock);
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

  /** Sends the collected chunks in a microtask, when React has written all chunks of the part. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => this.#send());
  }

  #send(): void {
    this.#isScheduled = false;
    const part = this.#part.splice(0);
    const chunks = part.length > 0 ? this.#inserter.addNextState(part) : [];
    for (const chunk of chunks) if (chunk.length > 0) this.#destination.write(chunk);
    this.#destination.flush?.();
    if (!this.#isEnding) return;
    this.#finish();
    this.#destination.end();
  }
}
