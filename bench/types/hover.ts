// Asks the compiler's language server what an editor would show over the names of a program.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { rootFolder } from '../support/paths.ts';
import type { HoverResult } from './result.ts';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: unknown;
}

/** Messages with a Content-Length header over the standard streams, as the protocol has it. */
class LanguageServer {
  #process = spawn('npx', ['tsc', '--lsp', '--stdio'], {
    cwd: rootFolder,
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

/** Names of the generated program (types/generate) to point at, with the text that stands before each. */
const places: readonly { readonly symbol: string; readonly before: string; readonly name: string }[] = [
  { symbol: 'the resource', before: 'export const ', name: 'Thing1Resource' },
  { symbol: 'resource.get', before: 'useSuspense(Thing1Resource.', name: 'get' },
  { symbol: 'resource.getList', before: 'useSuspense(Thing1Resource.', name: 'getList' },
  { symbol: 'resource.archive (an extension)', before: 'controller.fetch(Thing1Resource.', name: 'archive' },
  { symbol: 'the value of useSuspense(get)', before: 'const ', name: 'thing = useSuspense(Thing1' },
  { symbol: 'the value of useSuspense(getList)', before: 'const ', name: 'list = useSuspense(Thing1' },
  { symbol: 'useSuspense', before: 'const thing = ', name: 'useSuspense(Thing1' },
  { symbol: 'controller', before: 'void ', name: 'controller.fetch(Thing1' },
  { symbol: 'controller.fetch', before: 'void controller.', name: 'fetch(Thing1' },
];

function readText(result: unknown): string {
  const contents = (result as { contents?: { value?: string } } | null)?.contents?.value ?? ''; // cast: the protocol
  // the signature is in the first code block; documentation below it may be as long as it likes
  return /```\w*\n([\s\S]*?)```/.exec(contents)?.[1]?.trimEnd() ?? contents;
}

/** Hover over each place of `program.ts` in the folder. */
export async function readHovers(folder: string): Promise<HoverResult[]> {
  const path = join(folder, 'program.ts');
  const text = readFileSync(path, 'utf8');
  const uri = pathToFileURL(path).href;
  const server = new LanguageServer();
  try {
    await server.request('initialize', {
      processId: process.pid,
      rootUri: pathToFileURL(folder).href,
      capabilities: { textDocument: { hover: { contentFormat: ['markdown'] } } },
    });
    server.notify('initialized', {});
    server.notify('textDocument/didOpen', {
      textDocument: { uri, languageId: 'typescript', version: 1, text },
    });
    const results: HoverResult[] = [];
    for (const { symbol, before, name } of places) {
      const offset = text.indexOf(before + name) + before.length;
      if (offset < before.length) throw new Error(`the generated program has no ${before}${name}`);
      const linesBefore = text.slice(0, offset).split('\n');
      const position = { line: linesBefore.length - 1, character: linesBefore.at(-1)?.length ?? 0 };
      const hover = readText(await server.request('textDocument/hover', { textDocument: { uri }, position }));
      results.push({ symbol, lines: hover.split('\n').length, text: hover });
    }
    return results;
  } finally {
    server.stop();
  }
}
