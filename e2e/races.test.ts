// The demo's own bad networks, driven as fast as a browser can be: two races of each, all at the same time. The same
// code runs a hundred of each in `npm run races`.
import { expect, test } from 'vitest';
import { startHarbor } from './support/harbor.ts';
import { race, SWITCHES } from './support/races.ts';

const harbor = startHarbor({ seed: { issues: 150 } });

test('on a bad network every card ends as the server has it, and every failed call is listed', async () => {
  const networks = [1, 2].flatMap(() => SWITCHES);
  const results = await Promise.all(networks.map((network) => race(harbor, network, Math.random)));

  expect(results.flatMap(({ problems }) => problems)).toEqual([]);
});
