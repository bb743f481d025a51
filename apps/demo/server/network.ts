// A bad network on request. A page that sends `Demo-Network: delay=300..2000; fail=0.2; drop=0.1` has its own requests slowed by
// a random time (which also reorders them), refused with 503, or cut off: half of the cuts before the work is done, half after
// it, when only the response is lost. `hold=2000` does the work at once and delays the response, whose data is old when it
// arrives. Two more conditions are about data: `broken=3` breaks three rows of the lists of issues, `refuse=4` refuses every
// fourth row of a bulk change.
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context, MiddlewareHandler } from 'hono';
import { setTimeout as sleep } from 'node:timers/promises';
import { FLAWS } from './flaws.ts';
import { invalid, Problem } from './problem.ts';

export interface NetworkConditions {
  minDelayMs: number;
  maxDelayMs: number;
  /** Share of requests that get 503 without any effect. */
  fail: number;
  /** Share of requests whose connection is cut. */
  drop: number;
  /** How long a response is delayed after the work is done. */
  holdMs: number;
  /** How many rows are broken in lists of issues. */
  broken: number;
  /** Which rows of a bulk change are refused: every second, third and so on; 0 for none. */
  refuse: number;
}

const MAX_DELAY_MS = 30_000;

export function parseConditions(header: string): NetworkConditions {
  const conditions: NetworkConditions = {
    minDelayMs: 0,
    maxDelayMs: 0,
    fail: 0,
    drop: 0,
    holdMs: 0,
    broken: 0,
    refuse: 0,
  };
  for (const part of header.split(';')) {
    const [name = '', text = ''] = part.split('=').map((piece) => piece.trim());
    if (name === '') continue;
    if (name === 'delay') {
      const [from, to = from] = text.split('..').map(Number);
      if (from === undefined || !(from >= 0) || !(Number(to) >= from) || Number(to) > MAX_DELAY_MS)
        refuse(part);
      Object.assign(conditions, { minDelayMs: from, maxDelayMs: to });
    } else if (name === 'fail' || name === 'drop') {
      const share = Number(text);
      if (text === '' || !(share >= 0 && share <= 1)) refuse(part);
      conditions[name] = share;
    } else if (name === 'hold') {
      const holdMs = Number(text);
      if (text === '' || !(holdMs >= 0 && holdMs <= MAX_DELAY_MS)) refuse(part);
      conditions.holdMs = holdMs;
    } else if (name === 'broken' || name === 'refuse') {
      const isFine = /^\d{1,4}$/.test(text) && (name === 'refuse' || Number(text) <= FLAWS.length);
      if (!isFine) refuse(part);
      conditions[name] = Number(text);
    } else {
      refuse(part);
    }
  }
  return conditions;
}

/** The conditions that the requesting page has chosen. */
export function readConditions(context: Context): NetworkConditions {
  return parseConditions(context.req.header('demo-network') ?? '');
}

function refuse(part: string): never {
  throw invalid([{ field: 'Demo-Network', message: `does not understand "${part.trim()}"` }]);
}

export function createNetwork(random: () => number): MiddlewareHandler<{ Bindings: HttpBindings }> {
  return async (context, next) => {
    const header = context.req.header('demo-network');
    if (header === undefined) return next();
    const { minDelayMs, maxDelayMs, fail, drop, holdMs } = parseConditions(header);

    const draw = random();
    const isCut = draw < drop;
    const isCutAfter = isCut && random() < 0.5;
    await sleep(minDelayMs + random() * (maxDelayMs - minDelayMs));
    if (isCut && !isCutAfter) {
      context.env.outgoing.destroy();
      return RESPONSE_ALREADY_SENT;
    }
    if (!isCut && draw < drop + fail) {
      throw new Problem(503, 'The server is not available for a moment.', [], { 'retry-after': '1' });
    }
    await next();
    await sleep(holdMs);
    if (isCutAfter) context.env.outgoing.destroy();
    return;
  };
}
