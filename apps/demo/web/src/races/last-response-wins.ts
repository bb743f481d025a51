// A cache in which the last response wins: each card is stored once, a change shows at once, and a failed one puts back the snapshot
// from before it. No library is meant: it is what one writes in an afternoon.
import type { CardFields, Column, PlainCard } from './card.ts';

type Send = (method: string, path: string, body?: CardFields) => Promise<unknown>;

export class LastResponseWins {
  cards: ReadonlyMap<string, PlainCard> = new Map();
  readonly #send: Send;
  readonly #onChange: () => void;

  constructor(send: Send, onChange: () => void) {
    this.#send = send;
    this.#onChange = onChange;
  }

  async read(status: Column): Promise<void> {
    const found = (await this.#send('GET', `/cards?status=${status}`)) as PlainCard[];
    this.#store([...[...this.cards.values()].filter((card) => card.status !== status), ...found]);
  }

  async open(id: string): Promise<void> {
    const found = (await this.#send('GET', `/cards/${id}`)) as PlainCard;
    this.#store([...this.cards.values(), found]);
  }

  async edit(id: string, fields: CardFields): Promise<void> {
    const shown = {
      id,
      title: '',
      status: 'todo',
      priority: 'none',
      ...this.cards.get(id),
      ...fields,
    } as const;
    await this.#change(id, shown, () => this.#send('PATCH', `/cards/${id}`, fields));
  }

  /** Until the server has answered, the card has a local id. */
  async add(localId: string, fields: CardFields): Promise<void> {
    const shown = { id: localId, title: '', status: 'todo', priority: 'none', ...fields } as const;
    await this.#change(localId, shown, () => this.#send('POST', '/cards', fields));
  }

  async #change(id: string, shown: PlainCard, send: () => Promise<unknown>): Promise<void> {
    const snapshot = [...this.cards.values()];
    this.#store([...snapshot, shown]);
    try {
      const saved = (await send()) as PlainCard;
      this.#store([...[...this.cards.values()].filter((card) => card.id !== id), saved]);
    } catch (error) {
      this.#store(snapshot);
      throw error;
    }
  }

  clear(): void {
    this.#store([]);
  }

  #store(cards: readonly PlainCard[]): void {
    this.cards = new Map(cards.map((card) => [card.id, card]));
    this.#onChange();
  }
}
