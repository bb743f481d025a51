// The array that an inverse field shows. It is computed, so JSON leaves it out of the entity: a body that is made from an instance
// contains no rows that the body is not about, and two entities that show each other can be written as JSON.

export class InverseItems extends Array<unknown> {
  /** The name of the field; undefined when a subclass of the entity has declared it, empty for an entity without a primary key. */
  readonly #field: string | undefined;

  /** Arrays that are made from this one, by `map` and the like, are plain. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  constructor(field: string | undefined) {
    super();
    this.#field = field;
  }

  /** Undefined for the property of the entity, which JSON then omits; elsewhere the items. */
  toJSON(name: string = ''): unknown {
    return name === (this.#field ?? name) && name !== '' ? undefined : [...this];
  }
}
