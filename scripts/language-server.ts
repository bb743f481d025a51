// Talks to the compiler's language server, as an editor does: what a hover shows over a place in a program. Used by the
// type tests of the library and by bench/types.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '..');

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: unknown;
}

/** Messages with a Content-Length header over the standard streams, as the protocol has it. */
class LanguageServer {
  #process = spawn('npx', ['tsc', '--lsp', '--stdio'], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  #received = Buffer.alloc(0);
  #waiting = new Map<number, (result: unknown) => void>();
  #nextId = 1;

  constructor() {
    this.#process.stdout.on('data', (chunk: Buffer) => this.#receive(chunk));
  }

  #receive(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    for (;;) {
      const headerEnd = this.#received.indexOf('\r\n\r\n');
      if (headerEnd < 0) return;
      const length = Number(
        /content-length: (\d+)/i.exec(this.#received.toString('latin1', 0, headerEnd))?.[1],
      );
      const end = headerEnd + 4 + length;
      if (this.#received.length < end) return;
      const message = JSON.parse(this.#received.toString('utf8', headerEnd + 4, end)) as Message; // cast: the protocol
      this.#received = this.#received.subarray(end);
      if (message.method !== undefined && message.id !== undefined)
        this.#send({ id: message.id, result: null });
      else if (message.id !== undefined) this.#waiting.get(message.id)?.(message.result);
    }
  }

  #send(message: object): void {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.#process.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  notify(method: string, params: object): void {
    this.#send({ method, params });
  }

  request(method: string, params: object): Promise<unknown> {
    const id = this.#nextId++;
    const answer = new Promise<unknown>((resolve) => this.#waiting.set(id, resolve));
    this.#send({ id, method, params });
    return answer;
  }

  stop(): void {
    this.#process.kill();
  }
}

function readText(result: unknown): string {
  const contents = (result as { contents?: { value?: string } } | null)?.contents?.value ?? ''; // cast: the protocol
  // the signature is in the first code block; documentation below it may be as long as it likes
  return /```\w*\n([\s\S]*?)```/.exec(contents)?.[1]?.trimEnd() ?? contents;
}

/** What an editor shows over each of these offsets in a file. */
export async function readHovers(path: string, offsets: readonly number[]): Promise<string[]> {
  const [hovers = []] = await readHoversOf([{ path, offsets }]);
  return hovers;
}

export interface Places {
  readonly path: string;
  readonly offsets: readonly number[];
}

/** The same for several files of one folder, by one server. */
export async function readHoversOf(files: readonly Places[]): Promise<string[][]> {
  const server = new LanguageServer();
  try {
    await server.request('initialize', {
      processId: process.pid,
      rootUri: pathToFileURL(dirname(files[0]?.path ?? root)).href,
      capabilities: { textDocument: { hover: { contentFormat: ['markdown'] } } },
    });
    server.notify('initialized', {});
    const found: string[][] = [];
    for (const { path, offsets } of files) {
      const text = readFileSync(path, 'utf8');
      const uri = pathToFileURL(path).href;
      const languageId = path.endsWith('x') ? 'typescriptreact' : 'typescript';
      server.notify('textDocument/didOpen', { textDocument: { uri, languageId, version: 1, text } });
      const hovers: string[] = [];
      for (const offset of offsets) {
        const linesBefore = text.slice(0, offset).split('\n');
        const position = { line: linesBefore.length - 1, character: linesBefore.at(-1)?.length ?? 0 };
        hovers.push(
          readText(await server.request('textDocument/hover', { textDocument: { uri }, position })),
        );
      }
      found.push(hovers);
    }
    return found;
  } finally {
    server.stop();
  }
}
