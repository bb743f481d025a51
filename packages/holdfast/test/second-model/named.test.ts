// The shortest schedules of the second model that reproduce former faults of the library.
import { expect, test } from 'vitest';
import { play } from './schedule.ts';
const NAMED = `a first read is older than a write of its row whose response omits the row
  fetch /items/i1; handle GET /items/i1; PATCH /items/i1 {"title":"x"}; deliver PATCH /items/i1 204; deliver GET /items/i1; mount /items/i1; rest
a first read is older than a write of a row that is nested in it
  mount /items; handle GET /items; PATCH /users/u1 {"name":"x"}; deliver PATCH /users/u1 500; deliver GET /items; rest
the first of the pages by hand is read again, and the second stays stale
  fetch /hand; rest; more /hand; rest; mount /hand; PATCH /items/i3 {"title":"x"}; deliver PATCH /items/i3 500; rest
a known row of a page that is not loaded moves to the first place
  mount /number?sort=rank; fetch /items/i4; rest; PATCH /items/i4 {"rank":0.5}; rest
the response to a creation arrives after its row was read and deleted
  POST /items {"title":"x"}; handle POST /items; fetch /counted; deliver GET /counted; DELETE /items/i6; deliver DELETE /items/i6; fetch /counted; deliver GET /counted; rest
the responses of two lists in pages cross, and one has a declared order
  mount /cursor?sort=rank; mount /cursor; deliver GET /cursor; deliver GET /cursor?sort=rank; PATCH /users/u1 {"name":"x"}; deliver PATCH /users/u1; rest
the last row of a page is written while the list is read
  mount /number?sort=rank; rest; PATCH /items/i2 {"title":"x"}; fetch /number?sort=rank; rest
a saved state arrives after a creation
  render /items; POST /items {"title":"x"}; deliver POST /items; hydrate /items; rest
a part of a page arrives after a change
  render /items?status=open; PATCH /items/i1 {"status":"shut"}; deliver PATCH /items/i1; part /items?status=open; mount /items?status=open; rest
two pages are read again while a write is in flight
  mount /offset; rest; PATCH /items/i5 {"title":"x"}; more /offset; idle
a search that a row has left is fresh after that row was deleted while it was stale
  mount /counted?q=a; PATCH /items/i2 {"title":"b"}; rest; PATCH /items/i2 {"rank":4}; handle PATCH /items/i2 success; DELETE /items/i2; rest
a row of a list in flight has changed on the server, and a newer read brings the row first
  mount /items?status=open; mount /counted?q=a; handle GET /items?status=open; handle GET /counted?q=a; foreign PATCH /items/i1 {"status":"shut"}; foreign PATCH /items/i3 {"title":"b"}; fetch /items/i1; fetch /items/i3; deliver GET /items/i1; deliver GET /items/i3; deliver GET /items?status=open; deliver GET /counted?q=a; rest`;
test.each(NAMED.split(/\n(?! )/).map((one) => one.split('\n')))('%s', async (_title, ...texts) => {
  const lines = texts.flatMap((text) => text.trim().split('; '));
  for (const mode of ['plain', 'optimistic'] as const)
    expect(await play(mode, () => lines)).toEqual({ mode, lines, wrong: [] });
});
