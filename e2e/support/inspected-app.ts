// An application without a framework, for the panel: rows behind a controller with an inspector, and the means to make races from
// outside. Bundled by inspected-page.ts and run in a browser.
import { Controller, createResource, Entity, getDefaultManagers, versionBy } from 'holdfast';
import {
  describeField,
  describeList,
  describeMember,
  describeRequest,
  describeRow,
  describeWake,
  inspect,
  mountPanel,
} from 'holdfast/inspect';
import type { Sentence } from 'holdfast/inspect';

class Todo extends Entity {
  id = '';
  title = '';
  done = false;
  userId = '';
  static override key = 'Todo';
}

class Doc extends Entity {
  id = '';
  text = '';
  version = 0;
  static override key = 'Doc';
  static override version = versionBy('version');
}

const shared = { urlPrefix: '/api', optimistic: true };
const todos = createResource({
  ...shared,
  path: '/todos/:id',
  schema: Todo,
  searchParams: {} as { userId?: string } | undefined,
  body: {} as Partial<Todo>,
});
const docs = createResource({ ...shared, path: '/docs/:id', schema: Doc });
const inspector = inspect();
const controller = new Controller({ managers: [inspector, ...getDefaultManagers()] });
controller.start();
mountPanel(inspector);

export interface App {
  get(id: string): void;
  patch(id: string, body: object): void;
  message(id: string, title: string): void;
  getDoc(id: string): void;
  mount(id: string): void;
  invalidate(id: string): void;
  fill(count: number): void;
  /** Shows a list on the page, and keeps it up to date. */
  show(userId: string): void;
  list(userId: string): void;
  reset(): void;
  /** The requests of the trace, without their times. */
  traced(): readonly string[];
  /** The sentences of the trace, for each line of each view of the panel. */
  said(): Readonly<Record<string, readonly SaidOfLine[]>>;
}

export interface SaidOfLine {
  readonly id: string;
  readonly sentences: readonly string[];
}

const app: App = {
  get: (id) => void controller.fetch(todos.get, { id }).catch(() => undefined),
  patch: (id, body) => void controller.fetch(todos.partialUpdate, { id }, body).catch(() => undefined),
  message: (id, title) => void controller.set(Todo, { id }, { title }),
  getDoc: (id) => void controller.fetch(docs.get, { id }).catch(() => undefined),
  mount: (id) => void controller.watch(todos.get, { id }).subscribe(() => undefined),
  invalidate: (id) => controller.invalidate(docs.get, { id }),
  fill(count) {
    const rows = Array.from({ length: count }, (_, at) => ({
      id: String(at),
      title: `Todo ${at}`,
      userId: '1',
    }));
    void controller.setResponse(todos.getList, { userId: '1' }, rows);
  },
  show(userId) {
    const list = document.createElement('ul');
    document.querySelector('main')?.append(list);
    const reader = controller.watch(todos.getList, { userId });
    const draw = (): void => {
      const { data } = controller.getResponse(todos.getList, { userId });
      list.replaceChildren(
        ...(data ?? []).map(({ title }) => {
          const item = document.createElement('li');
          item.textContent = title;
          return item;
        }),
      );
    };
    reader.subscribe(draw);
  },
  list: (userId) => void controller.fetch(todos.getList, { userId }).catch(() => undefined),
  reset: () => controller.resetEntireStore(),
  traced: () =>
    inspector.trace().requests.map(({ endpoint, cause, outcome }) => `${endpoint} ${cause} ${outcome}`),
  said() {
    const { entities, lists, requests, wakes } = inspector.trace();
    const source: Sentence.Source = {
      whyFetched: (id) =>
        requests.find((one) => one.id === id) ?? { found: 'nothing', why: 'not in the trace' },
    };
    const line = (id: unknown, said: readonly Sentence[]): SaidOfLine => ({
      id: String(id),
      sentences: said.map(({ text }) => text),
    });
    const ofRequests = requests.map((one) => line(one.id, describeRequest(source, one)));
    return {
      Timeline: ofRequests,
      Rows: entities.map((row) =>
        line(JSON.stringify([row.entity, row.pk]), [
          ...describeRow(source, row),
          ...Object.keys(row.fields).flatMap((name) => describeField(source, row, name)),
          ...lists.map((list) => describeMember(source, list, row)),
        ]),
      ),
      Lists: lists.map((list) =>
        line(list.id, [
          ...describeList(list),
          ...[...list.items, ...list.gone].map((row) => describeMember(source, list, row)),
        ]),
      ),
      Requests: ofRequests,
      Renders: wakes.map((wake) => line(wake.id, describeWake(source, wake))),
    };
  },
};
Object.assign(window, { app });
