// The laws of `holdfast/http` under random responses: see http-laws.ts. SIM_SEED replays one of them.
import { expect, test } from 'vitest';
import { checkHttp } from './http-laws.ts';

const seed = process.env['SIM_SEED'];
const first = Number(seed ?? process.env['SIM_BASE'] ?? 0);
const count = seed === undefined ? Number(process.env['SIM_HTTP'] ?? 60) : 1;

test('expiry times, gates, links and warnings follow from the headers, whatever they contain', async () => {
  for (let at = first; at < first + count; at += 1) expect(await checkHttp(at)).toBeUndefined();
}, 3_600_000);
