// The library in the simulator, read through React: whatever is watched is also shown by every kind of reading hook,
// and each look at the watch compares the screen with the store.
import { Profiler, StrictMode, Suspense } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import type { Root } from 'react-dom/client';
import type { Controller, ReadEndpoint } from 'holdfast';
import { DataProvider, ErrorBoundary, useCache, useDLE, useSuspense } from 'holdfast/react';
import { HoldfastSubject } from '../simulation/holdfast-subject.ts';
import type { ReadCall, SubjectEnvironment, Watch } from '../simulation/subject.ts';
import { Violation } from '../simulation/violation.ts';

interface Reading {
  readonly key: number;
  readonly endpoint: ReadEndpoint;
  readonly args: readonly [null];
}

type Hook = (endpoint: ReadEndpoint, ...args: readonly [null]) => unknown;

interface Shown {
  readonly id: string;
}

/** A row, a list of rows or nothing as text, each row marked with its id. */
function Rows({ value }: { value: unknown }): ReactNode {
  if (value === undefined || value === null) return 'nothing';
  const rows = (Array.isArray(value) ? value : [value]) as readonly Shown[]; // cast: what the model's endpoints bring
  return rows.map((row) => (
    <b key={row.id} data-row={`${row.constructor.name} ${row.id}`}>
      {JSON.stringify(row)}
    </b>
  ));
}

function Waiting({ hook, reading }: { hook: Hook; reading: Reading }): ReactElement {
  const useHook = hook;
  return (
    <div data-waits={reading.key}>
      <Rows value={useHook(reading.endpoint, ...reading.args)} />
    </div>
  );
}

function Telling({ reading }: { reading: Reading }): ReactElement {
  const { data, loading, error } = (useDLE as Hook)(reading.endpoint, ...reading.args) as {
    data: unknown;
    loading: boolean;
    error: Error | undefined;
  };
  return (
    <div data-tells={reading.key} data-state={loading ? 'loading' : error ? 'failed' : 'shown'}>
      <Rows value={data} />
    </div>
  );
}

function Stored({ reading }: { reading: Reading }): ReactElement {
  return (
    <div data-stores={reading.key}>
      <Rows value={(useCache as Hook)(reading.endpoint, ...reading.args)} />
    </div>
  );
}

function Screen({
  controller,
  readings,
  onCommit,
}: {
  controller: Controller;
  readings: readonly Reading[];
  onCommit: () => void;
}) {
  return (
    <DataProvider controller={controller}>
      <Profiler id="screen" onRender={onCommit}>
        {readings.map((reading) => (
          <section key={reading.key}>
            <Telling reading={reading} />
            <Stored reading={reading} />
            <Suspense fallback={<i data-fallback={reading.key} />}>
              <ErrorBoundary fallbackComponent={() => <i data-failed={reading.key} />}>
                <Waiting hook={useSuspense as Hook} reading={reading} />
              </ErrorBoundary>
            </Suspense>
          </section>
        ))}
      </Profiler>
    </DataProvider>
  );
}

export class ReactSubject extends HoldfastSubject {
  readonly #element = document.createElement('main');
  readonly #root: Root;
  readonly #isStrict: boolean;
  #readings: readonly Reading[] = [];
  #count = 0;
  #isTelling = false;
  #torn: string | undefined;
  commits = 0;
  /** The screen shows rows and plain lists of them. */
  override readonly hasShapes = false;

  constructor(environment: SubjectEnvironment, isStrict: boolean) {
    super(environment);
    this.#isStrict = isStrict;
    document.body.append(this.#element);
    this.#root = createRoot(this.#element);
  }

  override watch(call: ReadCall, onChange: () => void): Watch {
    const base = super.watch(call, () => {
      this.#isTelling = true;
      try {
        onChange();
      } finally {
        this.#isTelling = false;
      }
    });
    const { endpoint, args } = this.reading(call);
    const reading = { key: ++this.#count, endpoint, args } as unknown as Reading; // cast: checked by the model
    this.#show([...this.#readings, reading]);
    return {
      read: () => {
        if (!this.#isTelling) this.#check(reading);
        return base.read();
      },
      stop: () => {
        this.#show(this.#readings.filter((other) => other !== reading));
        base.stop();
      },
    };
  }

  /** Takes the screen down; nothing may be left of it. */
  end(): void {
    flushSync(() => this.#root.unmount());
    this.#element.remove();
  }

  /** Readers that wait although there is data: React reveals them a little later. */
  get late(): readonly string[] {
    return this.#readings.filter((reading) => this.#isLate(reading)).map((reading) => reading.endpoint.name);
  }

  #show(readings: readonly Reading[]): void {
    this.#readings = readings;
    const screen = (
      <Screen controller={this.controller} readings={readings} onCommit={() => this.#onCommit()} />
    );
    flushSync(() => this.#root.render(this.#isStrict ? <StrictMode>{screen}</StrictMode> : screen));
  }

  /** I21: in one commit every reader of a row shows one version of it. */
  #onCommit(): void {
    this.commits += 1;
    queueMicrotask(() => {
      const versions = new Map<string, string>();
      for (const element of this.#element.querySelectorAll<HTMLElement>('b[data-row]')) {
        if (element.closest<HTMLElement>('[data-waits]')?.style.display === 'none') continue;
        const row = element.dataset['row'] ?? '';
        const text = element.textContent;
        if (versions.has(row) && versions.get(row) !== text)
          this.#torn ??= `${row} is shown as ${versions.get(row)} and as ${text}`;
        versions.set(row, text);
      }
    });
  }

  #isLate({ key, endpoint, args }: Reading): boolean {
    const waits = this.#element.querySelector(`[data-fallback="${key}"]`) !== null;
    return waits && !this.controller.watch(endpoint, ...args).readShown().isBlocked;
  }

  /** After React has rendered, the screen shows the data of the store. */
  #check(reading: Reading): void {
    if (this.#torn !== undefined) throw new Violation('I21', this.#torn);
    const { key, endpoint, args } = reading;
    const { data, error, isBlocked } = this.controller.watch(endpoint, ...args).readShown();
    const expected = textOf(data);
    const tells = this.#element.querySelector<HTMLElement>(`[data-tells="${key}"]`);
    const state = isBlocked ? 'loading' : error ? 'failed' : 'shown';
    const found = `${tells?.dataset['state']} ${tells?.textContent}`;
    if (found !== `${state} ${expected}`)
      throw new Violation('I21', `useDLE shows ${found} while the store has ${state} ${expected}`);
    const stored = this.#element.querySelector(`[data-stores="${key}"]`)?.textContent;
    if (stored !== expected)
      throw new Violation('I21', `useCache shows ${stored} while the store has ${expected}`);
    const waits = this.#element.querySelector<HTMLElement>(`[data-waits="${key}"]`);
    const isVisible = waits !== null && waits.style.display !== 'none';
    if (isVisible && isBlocked)
      throw new Violation('I21', `useSuspense shows ${waits.textContent}, which is invalid`);
    if (isVisible && waits.textContent !== expected)
      throw new Violation('I21', `useSuspense shows ${waits.textContent} while the store has ${expected}`);
  }
}

function textOf(data: unknown): string {
  if (data === undefined || data === null) return 'nothing';
  return (Array.isArray(data) ? data : [data]).map((row) => JSON.stringify(row)).join('');
}
