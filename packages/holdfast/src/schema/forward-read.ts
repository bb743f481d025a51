// Reads a draft through the row that the server named in its place. Made by entity-kind.ts.
import type { Row } from '../store/nodes.ts';
import type { View } from '../store/view.ts';
import { ReadFrame } from './protocol.ts';
import type { Kind, ReadContext } from './protocol.ts';

/** Reads a draft that turned out to be a row that was there already: mounted readers of the draft see that row. */
export class ForwardRead extends ReadFrame {
  readonly size = 1;
  override readonly view: View;
  readonly #kind: Kind;
  readonly #row: Row;
  #value: unknown;

  constructor(view: View, kind: Kind, row: Row) {
    super();
    this.view = view;
    this.#kind = kind;
    this.#row = row;
  }

  next(at: ReadContext): unknown {
    return at.view(this.#row, this.#kind);
  }

  accept(value: unknown): void {
    this.#value = value;
  }

  finish(at: ReadContext): unknown {
    at.complete(this.view, this.#value);
    return this.#value;
  }
}
