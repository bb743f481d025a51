// What `http.conflicts` returns is kept for rows that somebody watches, and for the row that was asked about last.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Entity } from 'holdfast';
import { HttpSemantics } from 'holdfast/http';
import { expect, test } from 'vitest';

class Doc extends Entity {
  static override key = 'WatchedDoc';
  id = '';
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void; // cast: what the flag gives

const ROWS = 10_000;

test.each(['were asked for once', 'nobody watches any more'])(
  'of ten thousand rows whose conflicts %s, none is kept',
  async (what) => {
    const http = new HttpSemantics({ conflicts: { resolve: 'ask' } });
    const asked: WeakRef<object>[] = [];
    const stops: (() => void)[] = [];
    for (let at = 0; at < ROWS; at += 1) {
      const watched = http.conflicts(Doc, { id: String(at) });
      asked.push(new WeakRef(watched));
      if (what !== 'were asked for once') stops.push(watched.listen(() => undefined));
    }
    for (const stop of stops.splice(0)) stop();
    await new Promise((resolve) => setTimeout(resolve, 0));
    collect();

    expect(asked.filter((each) => each.deref()).length).toBeLessThan(3);
    expect(http.conflicts(Doc, { id: '1' })).toBe(http.conflicts(Doc, { id: '1' }));
  },
);
