// What is asked for: an endpoint and its arguments, with the keys and the kind of schema that follow from them. Made once,
// where a call enters the library (a method of the controller, an observer), and passed on whole.
import type { AnyEndpoint, EndpointInterface } from '../endpoint/endpoint-interface.ts';
import { lookUpArgs } from '../endpoint/row-name.ts';
import { settle } from '../endpoint/endpoint-base.ts';
import { PlainKind } from '../schema/kinds/field-kind.ts';
import { kindOf } from '../schema/kinds/kind-of.ts';
import type { Kind } from '../schema/protocol/protocol.ts';
import { isSchema } from '../endpoint/url-text.ts';

interface Keys {
  key(...given: readonly unknown[]): string;
  listKey?(...given: readonly unknown[]): string;
}

const NO_SCHEMA: Kind = new PlainKind(undefined);

export class EndpointCall {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly key: string;
  /** The key under which the answer is stored: a page's is that of the list it extends. */
  readonly slotKey: string;
  /** The primary key of the row that a mutation names by other fields; null where it names none so. */
  pk: object | null = null;

  /** Finishes the endpoint: its options are applied over its class fields from here on. */
  constructor(endpoint: AnyEndpoint, args: readonly unknown[]) {
    const finished = settle(endpoint) as EndpointInterface; // cast: only endpoints have the slot that AnyEndpoint asks for
    const named = finished as unknown as Keys; // cast: the public signatures check arguments
    this.endpoint = finished;
    this.args = args;
    this.key = named.key(...args);
    this.slotKey = named.listKey?.(...args) ?? this.key;
  }

  /** Looked up at each use: an entity's kind is compiled from its static schema, which may be assigned late. */
  get kind(): Kind {
    const { schema } = this.endpoint;
    return isSchema(schema) ? kindOf(schema) : NO_SCHEMA;
  }

  /** The kind of what the request is about: of the entity itself where the schema says that it is removed. */
  get sourceKind(): Kind {
    const { kind } = this;
    return kind.removed?.() ?? kind;
  }

  get hasSchema(): boolean {
    const { schema } = this.endpoint;
    return schema !== undefined && schema !== null;
  }

  /** Whether the answer extends a list that is stored under another key. */
  get isPage(): boolean {
    return this.endpoint.listKey !== undefined;
  }

  /** The arguments of a look-up for what the request is about, with the primary key under its own name. */
  get lookUpArgs(): readonly unknown[] {
    return lookUpArgs(this.endpoint, this.withPk(this.args));
  }

  /** The arguments with the key that was found for them. */
  withPk(args: readonly unknown[]): readonly unknown[] {
    const [params, ...rest] = args;
    return this.pk ? [{ ...(params as object), ...this.pk }, ...rest] : args; // cast: its fields have named the row
  }

  /** Parameters and body of these arguments, told apart as the endpoint tells them apart. */
  sentOf(args: readonly unknown[]): readonly unknown[] {
    if (args.length > 2) return args;
    const { params, body } = this.endpoint.splitArgs(args);
    return [params, body];
  }
}

/** Whether there is nothing to ask for: null in place of arguments. */
export function isNothing(args: readonly unknown[]): boolean {
  return args[0] === null;
}
