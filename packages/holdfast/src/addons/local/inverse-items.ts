// The array that an inverse field shows. The array is computed, so JSON leaves it out of the entity. A body that is made from an
// instance therefore omits these rows, and two entities that refer to each other through such a field can be written as JSON.

export class InverseItems extends Array<unknown> {
  /** The name of the field; undefined when a subclass of the entity has declared it, empty for an entity without a primary key. */
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
   * Undefined for the property of an entity with a primary key, so that JSON omits it. In any other place, the items. If `#field`
   * is undefined, every property counts as the property of the entity.
   */
  toJSON(name: string = ''): unknown {
    return name === (this.#field ?? name) && name !== '' ? undefined : [...this];
  }
}
