// The two boards of a race, behind one interface: a cache in which the last response wins, and Holdfast. Each talks to its own copy of
// the cards on the server, so that neither sees what the other has done.
import { describeField, describeMember, describeRequest, describeRow, inspect } from 'holdfast/inspect';
import { Controller, FailedManager, getDefaultManagers, isDraft } from 'holdfast';
import { HttpSemantics } from 'holdfast/http';
import { Card, CardResource, COLUMNS } from './card.ts';
import type { CardFields, Column, PlainCard } from './card.ts';
import { LastResponseWins } from './last-response-wins.ts';
import type { Wire } from './wire.ts';

export type Side = 'last' | 'holdfast';

export interface Board {
  readonly side: Side;
  readonly wire: Wire;
  /** The columns that are open, in their order. */
  columns(): readonly Column[];
  /** Reads a column from the server, and opens it. */
  read(status: Column): Promise<unknown>;
  /** Reads the card by itself. */
  open(id: string): Promise<unknown>;
  edit(id: string, fields: CardFields): Promise<unknown>;
  /** Adds a card, and gives the id that it has until the server has answered. */
  add(fields: CardFields & { status: Column }): {
    readonly localId: string;
    readonly saved: Promise<unknown>;
  };
  /** Signs the visitor out, and somebody else in: the cache is emptied, and the columns are read. */
  signIn(userId: string): Promise<unknown>;
  /** What the visitor is asked about the card that is open; empty where nothing is asked. */
  question(): string;
  /** Answers the question. */
  decide(value: string): void;
  /** The cards on the board, by their ids. */
  shown(): readonly PlainCard[];
  /** Why the card is as it is; empty where nothing can say so. */
  explain(id: string, fields: readonly string[]): readonly string[];
  close(): void;
}

const byId = (a: PlainCard, b: PlainCard): number => (a.id < b.id ? -1 : 1);
const plain = ({ id, title, status, priority }: PlainCard): PlainCard => ({ id, title, status, priority });

export function openLastBoard(wire: Wire, onChange: () => void): Board {
  const open = new Set<Column>();
  const send = async (method: string, path: string, body?: CardFields): Promise<unknown> => {
    const response = await wire.fetch(path, body ? { method, body: JSON.stringify(body) } : { method });
    if (!response.ok) throw new Error(`the server responded with ${response.status}`);
    return response.json();
  };
  const cache = new LastResponseWins(send, onChange);
  return {
    side: 'last',
    wire,
    columns: () => COLUMNS.filter((status) => open.has(status)),
    read(status) {
      open.add(status);
      wire.ask(status);
      return cache.read(status);
    },
    open: (id) => cache.open(id),
    edit: (id, fields) => cache.edit(id, fields),
    add: (fields) => ({ localId: 'local-1', saved: cache.add('local-1', fields) }),
    signIn(userId) {
      cache.clear();
      wire.userId = userId;
      return Promise.all([...open].map((status) => cache.read(status)));
    },
    question: () => '',
    decide: () => undefined,
    shown: () => [...cache.cards.values()].map(plain).toSorted(byId),
    explain: () => [],
    close: () => undefined,
  };
}

export function openHoldfastBoard(wire: Wire, onChange: () => void, asks: boolean): Board {
  const inspector = inspect();
  const http = new HttpSemantics({
    validators: false,
    preconditions: 'known',
    conflicts: { resolve: 'ask' },
  });
  const controller = new Controller({
    fetch: wire.fetch,
    managers: [inspector, ...(asks ? [http] : []), new FailedManager(), ...getDefaultManagers()],
  });
  controller.start();
  const open = new Map<Column, { readonly shown: () => readonly PlainCard[]; readonly stop: () => void }>();
  let openCard = http.conflicts(Card, { id: '' });
  let stopAsking = (): void => undefined;
  const watch = (status: Column): void => {
    const list = controller.watch(CardResource.getList, { status });
    open.set(status, { shown: () => list.readShown().data ?? [], stop: list.subscribe(onChange) });
  };
  return {
    side: 'holdfast',
    wire,
    columns: () => COLUMNS.filter((status) => open.has(status)),
    read(status) {
      wire.ask(status);
      if (open.has(status)) return controller.fetch(CardResource.getList, { status });
      watch(status);
      return Promise.resolve(controller.fetchIfStale(CardResource.getList, { status }));
    },
    open(id) {
      openCard = http.conflicts(Card, { id });
      stopAsking = openCard.listen(onChange);
      return controller.fetch(CardResource.get, { id });
    },
    edit: (id, fields) => controller.fetch(CardResource.partialUpdate, { id }, fields),
    add(fields) {
      const saved = controller.fetch(CardResource.getList.push, { status: fields.status }, fields);
      const { data } = controller.getResponse(CardResource.getList, { status: fields.status });
      return { localId: data?.find((card) => isDraft(card))?.id ?? '', saved };
    },
    async signIn(userId) {
      wire.userId = userId;
      controller.resetEntireStore();
      await Promise.all(
        [...open.keys()].map(async (status) => controller.fetchIfStale(CardResource.getList, { status })),
      );
    },
    question: () =>
      openCard
        .read()
        .map(({ mine, theirs }) => `Somebody else has named it “${theirs}”. You have named it “${mine}”.`)
        .join(' '),
    decide: (value) => openCard.read().forEach(({ take }) => take(value)),
    // what is on screen: a card stands in each list that holds it
    shown: () =>
      [...open.values()]
        .flatMap((column) => column.shown())
        .map(plain)
        .toSorted(byId),
    explain(id, fields) {
      const row = inspector.explain(Card, { id });
      const ofRow =
        row.found === 'entity'
          ? [
              ...fields.map((name) => [{ text: `${name} is` }, ...describeField(inspector, row, name)]),
              describeRow(inspector, row),
              // the lists that the card is in by more than their last response
              ...inspector
                .listsFor(row)
                .filter(({ items }) => items.some(({ how }) => how !== 'answered'))
                .map((list) => [
                  { text: `In the column ${list.arguments['status']}:` },
                  describeMember(inspector, list, row),
                ]),
            ]
          : [];
      const ofFailures = inspector
        .requests()
        .filter(({ outcome }) => outcome === 'failed' || outcome === 'given-up')
        .map((request) => describeRequest(inspector, request));
      return [...ofRow, ...ofFailures]
        .map((sentences) => sentences.map(({ text }) => text).join(' '))
        .filter(Boolean);
    },
    close() {
      stopAsking();
      for (const { stop } of open.values()) stop();
      controller.stop();
    },
  };
}
