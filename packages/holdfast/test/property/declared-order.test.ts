// A declared order: after every step the list equals a fresh sort. Equal rows keep their order, and rows that were added or moved
// are placed behind their equals, unless they return to their place in the response.
import { Controller, Endpoint, Entity, orderBy, schema } from 'holdfast';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FakeWorld } from '../support/fake-world.ts';

class Card extends Entity {
  static override key = 'Card';
  id = '';
  rank = 0;
  note = '';
}

interface Step {
  readonly kind: 'answer' | 'push' | 'set' | 'note' | 'delete' | 'guess' | 'accept' | 'refuse';
  readonly at: number;
  readonly rank: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(
    'answer',
    'push',
    'set',
    'set',
    'note',
    'delete',
    'guess',
    'guess',
    'accept',
    'refuse',
  ),
  at: fc.nat(11),
  rank: fc.nat(3),
});

const list = new schema.Collection([Card], { order: orderBy((left, right) => left.rank - right.rank) });
const pushCard = new Endpoint(async (card: { id: string; rank: number }) => card as unknown, {
  name: 'push',
  schema: list.push,
  sideEffect: true,
});
const removeCard = new Endpoint(async (card: { id: string }) => card as unknown, {
  name: 'remove',
  schema: new schema.Invalidate(Card),
  sideEffect: true,
});

/** One list and the steps that change it; the server has the rows that were sent in responses, set and accepted. */
class Board {
  readonly controller = new Controller(new FakeWorld().options);
  readonly truth = new Map<string, number>();
  readonly #getCards = new Endpoint(async () => this.#list() as unknown, { name: 'cards', schema: list });
  readonly #pending: { id: string; rank: number; end: (isGood: boolean) => Promise<void> }[] = [];
  #next = 0;

  async act({ kind, at, rank }: Step): Promise<void> {
    const { controller, truth } = this;
    const ids = [...truth.keys()];
    const id = ids[at % ids.length];
    if (kind === 'answer') {
      await controller.fetch(this.#getCards);
    } else if (kind === 'push') {
      const card = { id: `c${(this.#next += 1)}`, rank };
      truth.set(card.id, rank);
      await controller.setResponse(pushCard, card, card as never); // cast: loose here
    } else if (kind === 'accept' || kind === 'refuse') {
      const [pending] = this.#pending.splice(at % (this.#pending.length || 1), 1);
      if (pending && kind === 'accept' && truth.has(pending.id)) truth.set(pending.id, pending.rank);
      await pending?.end(kind === 'accept');
    } else if (id === undefined) return;
    else if (kind === 'set') {
      truth.set(id, rank);
      await controller.set(Card, { id }, (card: Card) => ({ ...card, rank }));
    } else if (kind === 'note')
      await controller.set(Card, { id }, (card: Card) => ({ ...card, note: `${rank}` }));
    else if (kind === 'delete') {
      truth.delete(id);
      await controller.setResponse(removeCard, { id }, { id } as never); // cast: loose here
    } else this.#guess(id, rank);
  }

  #list(): object[] {
    const cards = [...this.truth].map(([id, rank]) => ({ id, rank }));
    return cards.toSorted((left, right) => left.rank - right.rank);
  }

  #guess(id: string, rank: number): void {
    let end: (isGood: boolean) => void = () => {};
    const answer = new Promise<unknown>((resolve, reject) => {
      end = (isGood) => (isGood ? resolve({ id, rank }) : reject(new Error('refused')));
    });
    const change = new Endpoint(async (_card: { id: string; rank: number }) => answer, {
      name: 'change',
      schema: Card,
      sideEffect: true,
      queue: () => null,
      getOptimisticResponse: (_snap: unknown, card: object) => card,
    });
    const call = this.controller.fetch(change, { id, rank }).catch(() => undefined);
    this.#pending.push({
      id,
      rank,
      end: async (isGood) => {
        end(isGood);
        await call;
      },
    });
  }

  read(): readonly Card[] {
    return this.controller.get(list, {}) ?? [];
  }
}

test('a list in a declared order is a stable sort of its members, whatever has happened', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const board = new Board();
      await board.act({ kind: 'push', at: 0, rank: 1 });
      await board.act({ kind: 'push', at: 0, rank: 1 });
      await board.act({ kind: 'answer', at: 0, rank: 0 });
      let before = board.read();
      for (const each of steps) {
        await board.act(each);
        const now = board.read();
        const ranks = now.map(({ rank }) => rank);
        expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
        expect(now.map(({ id }) => id).toSorted()).toEqual([...board.truth.keys()].toSorted());
        // a row with an unchanged rank keeps its order; a response and the end of an optimistic update put rows where the server
        // has them
        if (['push', 'set', 'note', 'delete', 'guess'].includes(each.kind)) {
          const old = new Map(before.map((card) => [card.id, card.rank]));
          const stayed = now.filter(({ id, rank }) => old.get(id) === rank).map(({ id }) => id);
          const kept = new Set(stayed);
          expect(stayed).toEqual(before.map(({ id }) => id).filter((id) => kept.has(id)));
        }
        if (each.kind === 'push') {
          const { rank, id } = now.find((card) => !before.some((old) => old.id === card.id))!;
          expect(now.findLast((card) => card.rank === rank)?.id).toBe(id);
        }
        before = now;
      }
      // the same by a sort of the stored list
      const ids = (cards: readonly Card[]): string[] => cards.map(({ id }) => id);
      await board.act({ kind: 'answer', at: 0, rank: 0 });
      const plain = new Map([...board.truth].toSorted(([, a], [, b]) => a - b));
      if (board.read().every(({ id, rank }) => plain.get(id) === rank))
        expect(ids(board.read())).toEqual([...plain.keys()]);
    }),
    { numRuns: 300 },
  );
});
