// The shared parts of the hook tests: a small application over a space of the shared server, with a gate in front of the network
// so that a test decides when responses arrive, and a count of renders.
import { act, cleanup, render } from '@testing-library/react';
import { Component, Suspense, useLayoutEffect } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { afterEach, beforeEach, vi } from 'vitest';
import { Controller, createResource, Entity } from 'holdfast';
import type { ControllerOptions } from 'holdfast';
import { DataProvider } from 'holdfast/react';
import { createSpace } from '../support/space.ts';

// warnings of React fail the test: an update during a render, one outside act, `use` called conditionally
const complaints: string[] = [];
const isReport = /error occurred in|above error|^%o|^Error: Uncaught/i;

beforeEach(() => {
  complaints.length = 0;
  vi.spyOn(console, 'error').mockImplementation((...words: unknown[]) => {
    const text = words.map(String).join(' ');
    if (!isReport.test(text)) complaints.push(text);
  });
});

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
});

export class Todo extends Entity {
  id = '';
  title = '';
  done = false;
  static override key = 'Todo';
}

/** A gate in front of the real network: while it is closed, requests wait until the test opens it. */
export class Gate {
  /** The requests so far: `GET /todos/1`. */
  readonly sent: string[] = [];
  /** When, in milliseconds. */
  readonly sentAt: number[] = [];
  readonly aborted: string[] = [];
  /** The status with which the server should fail. */
  failure: number | null = null;
  #isOpen = true;
  #waiting: (() => void)[] = [];
  readonly #base: string;

  constructor(base: string) {
    this.#base = base;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  readonly fetch = async (input: string, init?: RequestInit): Promise<Response> => {
    const name = `${init?.method ?? 'GET'} ${input.slice(this.#base.length)}`;
    this.sent.push(name);
    this.sentAt.push(performance.now());
    init?.signal?.addEventListener('abort', () => this.aborted.push(name));
    if (!this.#isOpen) await new Promise<void>((pass) => this.#waiting.push(pass));
    return globalThis.fetch(this.failure === null ? input : `${input}?fail=${this.failure}`, init);
  };

  close(): void {
    this.#isOpen = false;
  }

  /** Lets the oldest request, or the one at that place, go to the server. */
  pass(at = 0): void {
    this.#waiting.splice(at, 1)[0]?.();
  }

  open(): void {
    this.#isOpen = true;
    for (const pass of this.#waiting.splice(0)) pass();
  }
}

export async function setup(options: ControllerOptions = {}) {
  const space = createSpace();
  await space.seed('todos', [
    { id: '1', title: 'milk', done: false },
    { id: '2', title: 'bread', done: false },
  ]);
  const gate = new Gate(space.url);
  const controller = new Controller({ fetch: gate.fetch, ...options });
  const TodoResource = createResource({
    urlPrefix: space.url,
    path: '/todos/:id',
    schema: Todo,
    optimistic: true,
  });
  /** Changes a row on the server without a message to the application. Responses may arrive meanwhile. */
  const changeElsewhere = async (id: string, fields: object): Promise<void> => {
    const headers = { 'content-type': 'application/json' };
    await act(async () => {
      await fetch(`${space.url}/todos/${id}`, { method: 'PATCH', headers, body: JSON.stringify(fields) });
    });
  };
  return { space, gate, controller, TodoResource, changeElsewhere };
}

/** Renders below a provider and a boundary that shows "waiting" and, after an error, its message. */
export async function show(controller: Controller, children: ReactNode): Promise<ReturnType<typeof render>> {
  return await act(async () => render(<Page controller={controller}>{children}</Page>));
}

export function Page({
  controller,
  children,
}: {
  controller: Controller;
  children: ReactNode;
}): ReactElement {
  return (
    <DataProvider controller={controller}>
      <Catch>
        <Suspense fallback={<i>waiting</i>}>{children}</Suspense>
      </Catch>
    </DataProvider>
  );
}

/** A plain React error boundary: shows the error of a component as text. */
class Catch extends Component<{ children: ReactNode }, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error ? <b role="alert">{`${error.name}: ${error.message}`}</b> : this.props.children;
  }
}

/** Waits until a condition is true, and lets React work meanwhile. */
export async function until(holds: () => boolean, what: string): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    if (holds()) return;
    await act(async () => new Promise((next) => setTimeout(next, 5)));
  }
  throw new Error(`never so: ${what}`);
}

/** Lets time pass. */
export async function pause(ms: number): Promise<void> {
  await act(async () => new Promise((next) => setTimeout(next, ms)));
}

/** A function of a component that a test calls from outside: `go.call('2')`. */
export class Handle<A extends readonly unknown[]> {
  #run: ((...args: A) => unknown) | undefined;

  take(run: (...args: A) => unknown): void {
    this.#run = run;
  }

  call(...args: A): unknown {
    if (!this.#run) throw new Error('nothing to call: no component has given it yet');
    return this.#run(...args);
  }
}

export function useHandle<A extends readonly unknown[]>(
  handle: Handle<A>,
  run: (...args: A) => unknown,
): void {
  // together with the screen: other effects may run later than a test that sees it
  useLayoutEffect(() => handle.take(run));
}

/** What happened while rendering, line by line. */
export class Log {
  readonly lines: string[] = [];

  add(line: string = ''): void {
    this.lines.push(line);
  }

  /** The entries that were added since the last call. */
  take(): string[] {
    return this.lines.splice(0);
  }
}
