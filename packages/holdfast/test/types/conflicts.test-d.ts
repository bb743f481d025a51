// Rules for conflicts: what merges, resolvers and watchables take and give.
import { Entity } from 'holdfast';
import { count, HttpSemantics } from 'holdfast/http';
import type { Conflict, ConflictError, OpenConflict, Resolution, Resolve } from 'holdfast/http';
import { useWatched } from 'holdfast/react';
import { expectTypeOf, test } from 'vitest';

class Doc extends Entity {
  static override key = 'Doc';
  id = '';
  votes = 0;
}

test('a resolver gets conflicts and gives a resolution', () => {
  const resolve: Resolve = (conflicts) => {
    expectTypeOf(conflicts).toEqualTypeOf<readonly Conflict[]>();
    return { votes: 1 };
  };
  void new HttpSemantics({ conflicts: { resolve, merge: [[Doc, { votes: count }]] } });
  expectTypeOf<'mine'>().toExtend<Resolution>();
  // @ts-expect-error no such decision
  void new HttpSemantics({ conflicts: { resolve: 'yours' } });
  // @ts-expect-error a merge is a function
  void new HttpSemantics({ conflicts: { merge: [[Doc, { votes: 1 }]] } });
});

test('the conflicts of a row can be watched', () => {
  const http = new HttpSemantics();
  expectTypeOf(useWatched(http.conflicts(Doc, { id: '1' }))).toEqualTypeOf<readonly OpenConflict[]>();
  // @ts-expect-error a row has an id
  void (() => http.conflicts(Doc, { votes: 1, name: 'x' }));
});

test('the error has the conflicts', () => {
  expectTypeOf<ConflictError['conflicts']>().toEqualTypeOf<readonly Conflict[]>();
  expectTypeOf<ConflictError['response']>().toEqualTypeOf<Response | undefined>();
});
