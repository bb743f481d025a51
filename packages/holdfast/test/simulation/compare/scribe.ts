// Records values so that two builds can be compared: the whole content, and for each object the number of its first appearance.
// Equal texts mean equal content and the same references kept and changed since the run began.

export class Scribe {
  readonly #numbers = new WeakMap<object, number>();
  #count = 0;
  /** Objects that this record already contains: a second time the number is enough, and cycles end. */
  #told = new Set<object>();
  readonly #locals = new Map<string, string>();
  readonly #classes: ReadonlySet<unknown>;

  constructor(classes: readonly unknown[]) {
    this.#classes = new Set(classes);
  }

  /** Local ids that were seen, in order. */
  get locals(): readonly string[] {
    return [...this.#locals.keys()];
  }

  beginRecord(): void {
    this.#told = new Set();
  }

  number(value: unknown): string {
    return typeof value === 'object' && value !== null ? `#${this.#number(value)}` : this.write(value);
  }

  /** Local ids are random: they are named by their order of appearance. */
  text(text: string): string {
    if (!text.includes('local')) return text;
    return text.replaceAll(/local(?::|%3A)[\w-]+(?:\.[\w-]+)*/g, (id) => {
      let name = this.#locals.get(id);
      if (name === undefined) this.#locals.set(id, (name = `local~${this.#locals.size}`));
      return name;
    });
  }

  write(value: unknown): string {
    if (typeof value === 'string') return JSON.stringify(this.text(value));
    if (typeof value === 'function') return 'function';
    if (typeof value !== 'object' || value === null) return String(value);
    if (value instanceof Error) return describeError(value);
    if (value instanceof Promise) return 'promise';
    const name = `#${this.#number(value)}`;
    if (this.#told.has(value)) return name;
    this.#told.add(value);
    const frozen = Object.isFrozen(value) ? '*' : '';
    if (value instanceof Date) return `${name}Date(${value.getTime()})`;
    if (Array.isArray(value))
      return `${name}${frozen}[${value.map((member) => this.write(member)).join(',')}]`;
    if (value instanceof Map || value instanceof Set) return `${name}(${this.write([...value])})`;
    const owner: unknown = value.constructor;
    const kind = this.#classes.has(owner) ? (owner as { name: string }).name : '';
    const members = Object.keys(value).map(
      (key) => `${this.text(key)}:${this.write((value as Record<string, unknown>)[key])}`,
    );
    return `${name}${frozen}${kind}{${members.join(',')}}`;
  }

  #number(value: object): number {
    let number = this.#numbers.get(value);
    if (number === undefined) this.#numbers.set(value, (number = ++this.#count));
    return number;
  }
}

/** Without references: what is left when only content counts. */
export const withoutNumbers = (text: string): string => text.replaceAll(/#\d+/g, '#');

export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return `thrown ${String(error)}`;
  const { name, code, status } = error as Error & { code?: unknown; status?: unknown };
  return `${name}(${String(code)}${status === undefined ? '' : ` ${String(status)}`})`;
}
