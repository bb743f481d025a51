// The tables from which a script picks by number: reads by endpoint, writes, and queries by schema.
import type { Library } from './library.ts';
import type { Fields, Shop } from './shop.ts';

export interface Call {
  readonly name: string;
  readonly endpoint: unknown;
  readonly args: readonly unknown[];
}

/** The choices of a step: ids on the server or on screen, and texts that were not used before. */
export interface Choices {
  item(): string;
  card(): string;
  board(): string;
  user(): string;
  text(): string;
  /** The same fraction for all choices of one step. */
  readonly with: number;
  readonly at: number;
}

/** The item at a position given as a fraction. */
export function pick<T>(choices: readonly T[], fraction: number): T {
  return choices[Math.floor(fraction * choices.length)]!;
}

export type Tables = ReturnType<typeof createTables>;

export function createTables(shop: Shop) {
  const { items, users, cards, boards, box, scroll, labels, mixed, notes, vote, close, many, soft, digest } =
    shop;
  const { Item, User, Card, Board, Digest, notesOfBoard, lists, allItems, counted, arranged } = shop;
  const { getList } = items;
  const lazyUser = Digest.schema['user'] as InstanceType<Library['Lazy']>; // cast: its only member

  /** Reads by endpoint: fetched, mounted, invalidated. */
  const reads: readonly ((choose: Choices) => Call)[] = [
    ({ with: fraction }) => ({ name: 'items', endpoint: items.getList, args: [pick(lists, fraction)] }),
    (choose) => ({ name: 'items', endpoint: items.getList, args: [pick(lists, choose.with)] }),
    (choose) => ({ name: 'item', endpoint: items.get, args: [{ id: choose.item() }] }),
    (choose) => ({ name: 'soft', endpoint: soft, args: [{ id: choose.item() }] }),
    (choose) => ({ name: 'user', endpoint: users.get, args: [{ id: choose.user() }] }),
    (choose) => ({
      name: 'cards',
      endpoint: cards.getList,
      args: [pick([{}, { board: 'b1' }, { type: 'text' }], choose.with)],
    }),
    (choose) => ({ name: 'card', endpoint: cards.get, args: [{ id: choose.card() }] }),
    (choose) => ({ name: 'board', endpoint: boards.get, args: [{ id: choose.board() }] }),
    () => ({ name: 'boards', endpoint: boards.getList, args: [] }),
    (choose) => ({
      name: 'box',
      endpoint: box,
      args: [pick([{}, { status: 'open' }, { group: 'a' }], choose.with)],
    }),
    (choose) => ({ name: 'scroll', endpoint: scroll, args: [pick([{}, { group: 'a' }], choose.with)] }),
    (choose) => ({ name: 'page', endpoint: scroll.getPage, args: [pageArgs(choose)] }),
    (choose) => ({ name: 'page', endpoint: scroll.getPage, args: [pageArgs(choose)] }),
    () => ({ name: 'labels', endpoint: labels, args: [] }),
    (choose) => ({ name: 'mixed', endpoint: mixed, args: [{ id: choose.item() }] }),
    (choose) => ({ name: 'digest', endpoint: digest, args: [{ id: choose.user() }] }),
  ];
  const pageArgs = ({ at, with: fraction }: Choices): Fields => ({
    ...(fraction < 0.7 ? {} : { group: 'a' }),
    cursor: pick(['2', '4', '6'], (at * 10) % 1),
  });

  const part = (choose: Choices): Fields => {
    const fraction = choose.with;
    if (fraction < 0.3) return { status: fraction < 0.15 ? 'done' : 'open' };
    if (fraction < 0.45) return { group: fraction < 0.38 ? 'a' : 'b' };
    if (fraction < 0.5)
      return { due: new Date(Date.UTC(2031, 0, 1 + Math.floor(fraction * 100))).toISOString() };
    return { title: choose.text() };
  };
  const wholeOf = (choose: Choices): Fields => ({
    title: choose.text(),
    status: choose.with < 0.5 ? 'open' : 'done',
    group: (choose.with * 10) % 1 < 0.5 ? 'a' : 'b',
    body: choose.text(),
  });
  const newCard = (choose: Choices): Fields =>
    choose.with < 0.45
      ? { type: 'text', title: choose.text(), text: choose.text(), board: choose.board() }
      : {
          type: choose.with < 0.9 ? 'image' : 'sound',
          title: choose.text(),
          url: choose.text(),
          board: choose.board(),
        };
  const pushBoxed = box.push.extend({ path: '/items' });

  const writes: Readonly<Record<string, (choose: Choices) => Omit<Call, 'name'>>> = {
    create: (choose) => ({ endpoint: getList.push, args: [wholeOf(choose)] }),
    createFirst: (choose) => ({ endpoint: getList.unshift, args: [wholeOf(choose)] }),
    createIn: (choose) => ({ endpoint: getList.push, args: [pick(lists, choose.at), wholeOf(choose)] }),
    createMany: (choose) => ({ endpoint: many.push, args: [[wholeOf(choose), wholeOf(choose)]] }),
    createBoxed: (choose) => ({ endpoint: pushBoxed, args: [wholeOf(choose)] }),
    patch: (choose) => ({ endpoint: items.partialUpdate, args: [{ id: choose.item() }, part(choose)] }),
    patchAgain: (choose) => ({ endpoint: items.partialUpdate, args: [{ id: choose.item() }, part(choose)] }),
    put: (choose) => ({ endpoint: items.update, args: [{ id: choose.item() }, wholeOf(choose)] }),
    vote: (choose) => ({ endpoint: vote, args: [{ id: choose.item() }] }),
    remove: (choose) => ({ endpoint: items.delete, args: [{ id: choose.item() }] }),
    rename: (choose) => ({
      endpoint: users.partialUpdate,
      args: [{ id: choose.user() }, { name: choose.text() }],
    }),
    patchMany: (choose) => ({
      endpoint: many.patch,
      args: [[choose.item(), choose.item()].map((id) => ({ id, ...part(choose) }))],
    }),
    removeMany: (choose) => ({ endpoint: many.remove, args: [[choose.item(), choose.item()]] }),
    move: (choose) => ({
      endpoint: getList.move,
      args: [{ id: choose.item() }, part({ ...choose, with: choose.with * 0.45 })],
    }),
    takeOut: (choose) => ({
      endpoint: getList.remove,
      args: [pick(lists, choose.with), { id: choose.item() }],
    }),
    createCard: (choose) => ({ endpoint: cards.getList.push, args: [newCard(choose)] }),
    patchCard: (choose) => ({
      endpoint: cards.partialUpdate,
      args: [
        { id: choose.card() },
        choose.with < 0.2 ? { type: 'text', title: choose.text() } : { title: choose.text() },
      ],
    }),
    removeCard: (choose) => ({ endpoint: cards.delete, args: [{ id: choose.card() }] }),
    patchBoard: (choose) => ({
      endpoint: boards.partialUpdate,
      args: [{ id: choose.board() }, { name: choose.text() }],
    }),
    addNote: (choose) => ({ endpoint: notes, args: [{ board: choose.board() }, { text: choose.text() }] }),
    label: (choose) => ({
      endpoint: labels.assign,
      args: [
        {
          [pick(['red', 'green'], choose.with)]: {
            id: pick(['red', 'green'], choose.with),
            name: choose.text(),
            rank: choose.at < 0.5 ? 1 : 2,
          },
        },
      ],
    }),
    close: (choose) => ({ endpoint: close, args: [{ id: choose.item() }] }),
  };

  /** Reads by schema, without an endpoint. */
  const queries: readonly ((choose: Choices) => {
    name: string;
    schema: unknown;
    args: readonly unknown[];
  })[] = [
    (choose) => ({ name: 'Item', schema: Item, args: [{ id: choose.item() }] }),
    (choose) => ({
      name: 'User',
      schema: User,
      args: [choose.with < 0.5 ? { id: choose.user() } : { name: 'Bob' }],
    }),
    (choose) => ({
      name: 'Card',
      schema: Card,
      args: [{ id: choose.card(), type: choose.with < 0.5 ? 'text' : 'image' }],
    }),
    (choose) => ({ name: 'Board', schema: Board, args: [{ id: choose.board() }] }),
    (choose) => ({ name: 'itemList', schema: getList.schema, args: [pick(lists, choose.with)] }),
    (choose) => ({ name: 'arranged', schema: arranged, args: [pick(lists, choose.with)] }),
    () => ({ name: 'all', schema: allItems, args: [] }),
    () => ({ name: 'counted', schema: counted, args: [] }),
    (choose) => ({ name: 'notes', schema: notesOfBoard, args: [{ board: choose.board() }] }),
    () => ({
      name: 'lazy',
      schema: lazyUser.query,
      args: ['A'],
    }),
  ];

  return { reads, writes, queries };
}

type Address = { path: string; query: Record<string, string> };

/** The address of a read of this name. */
export const addressOf: Readonly<Record<string, (args: readonly unknown[]) => Address>> = {
  items: ([filter]) => ({ path: '/items', query: filter as Address['query'] }), // cast: filters are texts
  item: ([params]) => ({ path: `/items/${idOf(params)}`, query: {} }),
  card: ([params]) => ({ path: `/cards/${idOf(params)}`, query: {} }),
  cards: ([filter]) => ({ path: '/cards', query: filter as Address['query'] }), // cast: filters are texts
  board: ([params]) => ({ path: `/boards/${idOf(params)}`, query: {} }),
  box: ([filter]) => ({ path: '/box', query: filter as Address['query'] }), // cast: filters are texts
  labels: () => ({ path: '/labels', query: {} }),
};

const idOf = (params: unknown): string => (params as { id: string }).id; // cast: reads of one row
