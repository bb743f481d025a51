// The array that an inverse field shows. The array is computed, so JSON leaves it out of the entity. A body that is made from an
// instance therefore omits these rows, and two entities that refer to each other through such a field can be written as JSON.

export class InverseItems extends Array<unknown> {
  /**
   * The name of the field; undefined when another class with the same key has declared it, empty for an entity without a primary
   * key.
   */
  readonly #field: string | undefined;

  /** Arrays that `map` and similar methods make from this array are plain arrays. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  constructor(field: string | undefined) {
    super();
    this.#field = field;
  }

  /**
   * Undefined for a property with the name of the field, so that JSON omits it; for any other name, and without a name, the items.
   * If `#field` is undefined, undefined for every property.
   */
  toJSON(name: string = ''): unknown {
    return name === (this.#field ?? name) && name !== '' ? undefined : [...this];
  }
}
