// The declarations of the application in a comparison, made once per build of the library: entities, resources, endpoints.
import type { Library } from './library.ts';

const urlPrefix = 'http://model.test';
export type Fields = Readonly<Record<string, unknown>>;

export type Shop = ReturnType<typeof createShop>;

export function createShop(library: Library, isOptimistic: boolean) {
  const {
    Collection,
    createResource,
    Endpoint,
    Entity,
    Invalidate,
    Lazy,
    Query,
    RestEndpoint,
    schema,
    Union,
    Values,
  } = library;
  const shared = { urlPrefix, optimistic: isOptimistic };

  class User extends Entity {
    id = '';
    name = '';
    static override key = 'User';
    static override indexes = ['name'] as const;
  }
  class Item extends Entity {
    id = '';
    title = '';
    status = '';
    group = '';
    body = '';
    votes = 0;
    version = 0;
    due = new Date(0);
    owner: User | undefined = undefined;
    watchers: User[] = [];
    static override key = 'Item';
    static override schema: Record<string, unknown> = { owner: User, watchers: [User], due: Date };
  }
  class TextCard extends Entity {
    id = '';
    type = 'text';
    title = '';
    text = '';
    board = '';
    static override key = 'TextCard';
  }
  class ImageCard extends Entity {
    id = '';
    type = 'image';
    title = '';
    url = '';
    board = '';
    static override key = 'ImageCard';
  }
  const Card = new Union({ text: TextCard, image: ImageCard }, 'type');
  class Note extends Entity {
    id = '';
    text = '';
    board = '';
    static override key = 'Note';
  }
  // a version decides which payload of a label counts
  class Label extends Entity {
    id = '';
    name = '';
    rank = 0;
    static override key = 'Label';
    static override shouldUpdate(_old: unknown, _new: unknown, existing: object, incoming: object): boolean {
      return Number((incoming as Fields)['rank'] ?? 0) >= Number((existing as Fields)['rank'] ?? 0);
    }
    static override merge(existing: object, incoming: object): object {
      return { ...existing, ...incoming };
    }
    static override process(input: object): object {
      return { ...input, name: String((input as Fields)['name']).toUpperCase() };
    }
  }
  const ofBoard = {
    argsKey: ({ board }: { board: string }) => ({ board }),
    nestKey: (parent: { id: string }) => ({ board: parent.id }),
  };
  const notesOfBoard = new Collection([Note], ofBoard);
  const cardsOfBoard = new Collection([Card]);
  class Board extends Entity {
    id = '';
    name = '';
    lead: User | undefined = undefined;
    sections: { title: string; items: Item[] }[] = [];
    cards: unknown[] = [];
    notes: Note[] = [];
    static override key = 'Board';
    static override schema: Record<string, unknown> = {
      lead: User,
      sections: [{ items: [Item] }],
      cards: cardsOfBoard,
      notes: notesOfBoard,
    };
  }
  class Digest extends Entity {
    id = '';
    user: User | undefined = undefined;
    static override key = 'Digest';
    static override schema: Record<string, unknown> = { user: new Lazy(User) };
  }

  const items = createResource({
    ...shared,
    path: '/items/:id',
    schema: Item,
    searchParams: {} as Fields,
    body: {} as Fields,
  });
  const users = createResource({ ...shared, path: '/users/:id', schema: User, body: {} as Fields });
  const cards = createResource({
    ...shared,
    path: '/cards/:id',
    schema: Card,
    searchParams: {} as Fields,
    body: {} as Fields,
  });
  const boards = createResource({ ...shared, path: '/boards/:id', schema: Board, body: {} as Fields });
  const box = items.getList.extend({ path: '/box', schema: { data: new Collection([Item]), total: 0 } });
  const scroll = new RestEndpoint({
    ...shared,
    path: '/scroll',
    schema: { results: new Collection([Item]), cursor: '' },
    searchParams: {} as Fields,
    paginationField: 'cursor',
  });
  const labels = new RestEndpoint({
    ...shared,
    path: '/labels',
    schema: new Collection(new Values(Label)),
    dataExpiryLength: 8_000,
  });
  const mixed = new RestEndpoint({
    ...shared,
    path: '/mixed/:id',
    schema: new schema.Object(
      {
        user: User,
        item: Item,
        cards: new schema.Array({ text: TextCard, image: ImageCard }, 'type'),
        count: 0,
      },
      { optional: ['item'] },
    ),
  });
  const notes = new RestEndpoint({
    ...shared,
    path: '/boards/:board/notes',
    method: 'POST',
    schema: notesOfBoard.push,
    body: {} as Fields,
  });
  const vote = items.get.extend({
    path: '/items/:id/vote',
    method: 'POST',
    body: undefined,
    ...(isOptimistic && {
      getOptimisticResponse(
        snapshot: { get(entity: unknown, args: object): unknown; readonly abort: Error },
        { id }: { id: string },
      ) {
        const item = snapshot.get(Item, { id }) as Item | undefined; // cast: an Item or nothing
        if (!item) throw snapshot.abort;
        return { id, votes: item.votes + 1 };
      },
    }),
  } as object);
  const close = new RestEndpoint({
    ...shared,
    path: '/items/:id/close',
    method: 'POST',
    schema: { item: Item, removed: new Invalidate(Item), at: 0 },
    body: undefined,
  });
  const many = {
    push: items.getList.push.extend({ body: [] as Fields[] }),
    patch: new RestEndpoint({
      ...shared,
      path: '/items',
      method: 'PATCH',
      schema: [Item],
      body: [] as Fields[],
      ...(isOptimistic && { getOptimisticResponse: (_snapshot: unknown, body: unknown) => body }),
    } as never),
    remove: new RestEndpoint({
      ...shared,
      path: '/items',
      method: 'DELETE',
      schema: [new Invalidate(Item)],
      body: [] as string[],
    } as never),
  };
  const polled = items.getList.extend({ pollFrequency: 4_000 });
  const soft = items.get.extend({
    errorPolicy: () => 'soft' as const,
    invalidIfStale: true,
    dataExpiryLength: 3_000,
  });
  const digest = new Endpoint(
    ({ id }: { id: string }) => Promise.resolve({ id, user: { id: 'A', name: `of ${id}` } }),
    {
      schema: Digest,
      name: 'digest',
    },
  );

  const lists: readonly Fields[] = [
    {},
    { status: 'open' },
    { status: 'done' },
    { group: 'a', status: 'open' },
    { orderBy: 'title', status: 'open' },
    { q: '1' },
    { status: 'all' },
    { status: 'open', limit: 10 },
  ];
  const arranged = new Query(items.getList.schema, {
    filter: (item: Item) => item.votes < 2,
    orderBy: 'title',
  } as never);
  const allItems = new schema.All(Item);
  const counted = new Query(allItems, (all: readonly unknown[]) => ({
    count: all.length,
    titles: (all as Item[]).map((item) => item.title),
  }));

  return {
    Item,
    User,
    TextCard,
    ImageCard,
    Card,
    Note,
    Label,
    Board,
    Digest,
    notesOfBoard,
    items,
    cards,
    boards,
    users,
    box,
    scroll,
    labels,
    mixed,
    notes,
    vote,
    close,
    many,
    polled,
    soft,
    digest,
    lists,
    allItems,
    counted,
    arranged,
  };
}
