// The layers of one row or list, the oldest first. Layers that only overwrite fields are also indexed by field name, so that such
// a layer is added or removed without a look at the other layers.
//
//   title:  t1  t2  t3 (on top: shown)          the call of t3 ends:  t1  t2

import { ensure } from '../support/ensure.ts';

type LayerFields = Readonly<Record<string, unknown>>;

/** One change that an intent makes to a node, as a function of the state below. */
export interface Layer<T> {
  /** When the mutation of the intent was called: `calledAt` of the intent. */
  readonly calledAt: number;
  // This is a method, because TypeScript then accepts a layer of a row as a `Layer<unknown>`.
  edit(below: T): T;
  /**
   * The fields that this layer overwrites in an existing row; null if the layer makes any other change: it creates, deletes or
   * merges a row, changes a field by which rows are looked up or placed, or edits a list.
   */
  readonly overwritten: LayerFields | null;
}

export class Layers<T> extends Set<Layer<T>> {
  /**
   * The layers that overwrite each field, by the field's name; under null, all other layers. A removed layer stays in the array
   * until `collectOverwritten` finds it at an end of the array.
   */
  readonly #byName = new Map<string | null, Layer<T>[]>();

  override add(layer: Layer<T>): this {
    for (const name of layer.overwritten ? Object.keys(layer.overwritten) : [null]) {
      ensure(this.#byName, name, () => []).push(layer);
    }
    return super.add(layer);
  }

  /** The fields that all layers together overwrite; null if a layer makes any other change. */
  collectOverwritten(): LayerFields | null {
    const top: [string, unknown][] = [];
    for (const [name, layers] of this.#byName) {
      while (layers[0] && !this.has(layers[0])) layers.shift();
      while (layers[0] && !this.has(layers.at(-1)!)) layers.pop(); // not empty
      const last = layers.at(-1);
      if (!last) this.#byName.delete(name);
      else if (name === null) return null;
      else top.push([name, last.overwritten?.[name]]);
    }
    return Object.fromEntries(top);
  }
}
