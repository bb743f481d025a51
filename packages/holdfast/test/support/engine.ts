// The engine by itself for tests of order, memo and growth: responses with chosen send and arrival stamps.
import { Engine } from '../../src/normalize/engine.ts';
import { kindOf } from '../../src/schema/kinds/kind-of.ts';
import type { Effects } from '../../src/store/effects.ts';
import { stampOfRead, stampOfWrite } from '../../src/store/order.ts';
import { Timeline } from '../../src/store/timeline.ts';

export interface Answer {
  readonly sent: number;
  readonly settled: number;
  readonly schema: unknown;
  readonly value: unknown;
  readonly args?: readonly unknown[];
}

export interface EngineBench {
  readonly engine: Engine;
  /** Marks a request as in flight from its send on. */
  send(): number;
  /** The response to a read, or to a write, sent and settled at these stamps. */
  read(answer: Answer): Effects;
  write(answer: Answer): Effects;
  /** The value that the arguments identify; undefined when it is not stored. */
  get(schema: unknown, ...args: readonly unknown[]): unknown;
  /** The same without memo. */
  getFresh(schema: unknown, ...args: readonly unknown[]): unknown;
}

export function createBench(): EngineBench {
  let time = 1000;
  const timeline = new Timeline({ now: () => (time += 1) });
  const engine = new Engine({ timeline, random: () => 0.5 });
  const apply = (isRead: boolean, { sent, settled, schema, value, args = [] }: Answer): Effects => {
    const effects = engine.normalize(kindOf(schema), value, { args });
    engine.apply(
      effects,
      (isRead ? stampOfRead : stampOfWrite)({ sent, settled, expiresAt: Infinity, storedAt: 0 }),
    );
    return effects;
  };
  return {
    engine,
    send: () => engine.store.timeline.open(),
    read: (answer) => apply(true, answer),
    write: (answer) => apply(false, answer),
    get: (schema, ...args) => engine.read(engine.cellView(kindOf(schema), args)),
    getFresh: (schema, ...args) => engine.readWithoutMemo(engine.cellView(kindOf(schema), args)).value,
  };
}
