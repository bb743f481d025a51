// What pending intents lay over one row or list, the oldest first. Fields that layers state, whatever is below, are also kept by
// name: a layer is put on or taken away without a look at the others, wherever it lies.
//
//   title:  t1  t2  t3 (on top: shown)          the call of t3 ends:  t1  t2

import { ensure } from '../support/ensure.ts';

type LayerFields = Readonly<Record<string, unknown>>;

/** What one intent makes of a node, given what is below it. */
export interface Layer<T> {
  /** The place of the intent in the order of calls. */
  readonly sent: number;
  // a method: layers of a row may stand where layers of anything are asked for
  edit(below: T): T;
  /** The fields that it states of a row that is there; null where it does anything else. */
  readonly stated: LayerFields | null;
}

export class Layers<T> extends Set<Layer<T>> {
  /** The layers that state each field, and those that do anything else; some may be gone. */
  readonly #byName = new Map<string | null, Layer<T>[]>();

  override add(layer: Layer<T>): this {
    for (const name of layer.stated ? Object.keys(layer.stated) : [null]) {
      ensure(this.#byName, name, () => []).push(layer);
    }
    return super.add(layer);
  }

  /** All that the layers state; null where one of them does something else. */
  get stated(): LayerFields | null {
    const top: [string, unknown][] = [];
    for (const [name, layers] of this.#byName) {
      while (layers[0] && !this.has(layers[0])) layers.shift();
      while (layers[0] && !this.has(layers.at(-1)!)) layers.pop(); // there is one
      const last = layers.at(-1);
      if (!last) this.#byName.delete(name);
      else if (name === null) return null;
      else top.push([name, last.stated?.[name]]);
    }
    return Object.fromEntries(top);
  }
}
