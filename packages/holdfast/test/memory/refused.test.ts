// The reports of refused rows do not keep the store of a user who has signed out.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Controller } from 'holdfast';
import { EntityOf, getRefused } from 'holdfast/validate';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void; // cast: what the flag gives

class Note extends EntityOf('Note', { id: z.string(), title: z.string() }, { onInvalid: 'drop' }) {}

/** A controller with a refused row and another row; the other row is held weakly. */
async function fill(): Promise<readonly [Controller, WeakRef<Note>]> {
  const controller = new Controller();
  await controller.set(Note, { id: '1', title: 'milk' });
  await controller.set(Note, { id: '2', title: 5 } as never).catch(() => undefined); // cast: as a server may send it
  expect(getRefused(controller)).toHaveLength(1);
  return [controller, new WeakRef(controller.get(Note, { id: '1' })!)]; // it is set
}

test('a row of the former store is collected after a reset, although the store had a refused row', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const [controller, row] = await fill();
  controller.resetEntireStore();
  await new Promise((resolve) => setTimeout(resolve, 10));
  collect();

  expect(row.deref()).toBeUndefined();
  expect(getRefused(controller)).toEqual([]);
});
