// The readers of a comparison: mounted readers that are notified of changes, and a read of everything that has a name.
import type { LooseController, LooseObserver, LoosePendingObserver } from './library.ts';
import { describeError } from './scribe.ts';
import type { Stage } from './stage.ts';

interface Reader {
  name: string;
  observer?: LooseObserver;
  /** Mounts the readers again after the controller was replaced. */
  mount(controller: LooseController): void;
  describe(): string;
  stop(): void;
}

export class Readers {
  readonly #stage: Stage;
  #mounted: Reader[] = [];
  #count = 0;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** `isUsing`: like a hook, which keeps data fresh; otherwise the reader is only notified of changes. */
  mount(
    what: string,
    args: readonly unknown[],
    watch: (controller: LooseController) => LooseObserver,
    isUsing: boolean,
  ): void {
    const { scribe, script } = this.#stage;
    const name = `${++this.#count} ${what} ${JSON.stringify(args)}`;
    let stop: () => void = () => undefined;
    const reader: Reader = {
      name,
      mount: (controller) => {
        const observer = watch(controller);
        reader.observer = observer;
        const onChange = (): void => {
          const seen = script.readsWhenCalled ? scribe.number(observer.read().data) : '';
          this.#stage.note('wake', `${name} ${seen}`);
        };
        const listen = observer.subscribePassively ?? observer.listen;
        stop = (isUsing || !listen ? observer.subscribe : listen)(onChange);
      },
      describe: () => {
        const observer = reader.observer!;
        const { data, error, expiryStatus, isFetching, isBlocked } = observer.read();
        const failure = error === undefined ? '' : describeError(error);
        const flags = [expiryStatus, isFetching, isBlocked].map(String).join(' ');
        return `${scribe.write(data)} ${failure} ${flags} ${scribe.number((observer.readShown ?? observer.look)?.())}`;
      },
      stop: () => stop(),
    };
    this.#begin(reader);
  }

  mountPending(id: string): void {
    const stage = this.#stage;
    const name = `${++this.#count} pending ${id}`;
    let observer: LoosePendingObserver | undefined;
    let stop: () => void = () => undefined;
    this.#begin({
      name,
      mount: (controller) => {
        observer = controller.watchPending(stage.shop.Item, { id });
        stop = observer.subscribe(() => stage.note('wake', name));
      },
      describe: () => `${stage.scribe.number(observer!.read())} ${observer!.read().length}`,
      stop: () => stop(),
    });
  }

  #begin(reader: Reader): void {
    this.#stage.note('act', `mount ${reader.name}`);
    reader.mount(this.#stage.controller);
    this.#mounted.push(reader);
  }

  observerAt(fraction: number): LooseObserver | undefined {
    return this.#mounted[Math.floor(fraction * this.#mounted.length)]?.observer;
  }

  unmount(fraction: number): void {
    this.#mounted.splice(Math.floor(fraction * this.#mounted.length), 1)[0]?.stop();
  }

  unmountAll(): void {
    for (const reader of this.#mounted.splice(0)) reader.stop();
  }

  stop(): void {
    for (const reader of this.#mounted) reader.stop();
  }

  mountAgain(): void {
    for (const reader of this.#mounted) reader.mount(this.#stage.controller);
  }

  describe(): void {
    for (const reader of this.#mounted) this.#stage.record('reader', reader.name, () => reader.describe());
  }

  /** Everything that has a name: responses with their age and errors, rows with their pending calls, queries. */
  readAll(): void {
    const { controller, scribe, shop, depot } = this.#stage;
    const { items, cards, boards, labels, box, scroll, users, lists, Item } = shop;
    const { allItems, counted, arranged } = shop;
    const ids = [...depot.tables.items.keys()].slice(0, 8);
    const answers: [unknown, ...unknown[]][] = [
      ...lists.map((filter): [unknown, unknown] => [items.getList, filter]),
      [cards.getList, {}],
      [cards.getList, { board: 'b1' }],
      [boards.getList],
      [boards.get, { id: 'b1' }],
      [box, { status: 'open' }],
      [box, {}],
      [scroll, {}],
      [labels],
      ...ids.map((id): [unknown, unknown] => [items.get, { id }]),
      ...[...depot.tables.cards.keys()].slice(0, 4).map((id): [unknown, unknown] => [cards.get, { id }]),
      [users.get, { id: 'A' }],
    ];
    for (const [index, [endpoint, ...args]] of answers.entries()) {
      this.#stage.record('answer', `${index} ${JSON.stringify(args)}`, () => {
        const { data, expiryStatus, expiresAt } = controller.getResponse(endpoint, ...args);
        const error = controller.getError(endpoint, ...args);
        const failure = error === undefined ? '' : describeError(error);
        // on separate lines, so that either can be left out of a comparison
        this.#stage.note('expiry', `${index} ${String(expiresAt)}`);
        return `${scribe.write(data)} ${String(expiryStatus)} ${failure}`;
      });
    }
    for (const id of [...ids, ...scribe.locals.slice(-3)]) {
      this.#stage.record('row', id, () => {
        const pending = controller.getPending(Item, { id }).map(({ status }) => status);
        return `${scribe.write(controller.get(Item, { id }))} ${pending.join()}`;
      });
    }
    for (const [name, schema] of Object.entries({ allItems, counted, arranged }))
      this.#stage.record('query', name, () => scribe.write(controller.get(schema, {})));
    this.#stage.record('size', '', () => String(controller.size));
  }
}
