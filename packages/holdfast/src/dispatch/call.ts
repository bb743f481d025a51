// A call: an endpoint and its arguments, with the keys and the kind of schema that follow from them. It is created where a call
// enters the library, for example in a method of the controller, and then passed on as one object.
import type { AnyEndpoint, EndpointInterface } from '../endpoint/endpoint-interface.ts';
import { argsForLookUp } from '../endpoint/row-name.ts';
import { finishEndpoint } from '../endpoint/endpoint-base.ts';
import { PlainKind } from '../schema/kinds/field-kind.ts';
import { kindOf } from '../schema/kinds/kind-of.ts';
import { withoutRemoval } from '../schema/protocol/protocol.ts';
import type { Kind } from '../schema/protocol/protocol.ts';
import { isSchema } from '../endpoint/url-text.ts';

const NO_SCHEMA: Kind = new PlainKind(undefined);

export class EndpointCall {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly key: string;
  /** The key of the slot that stores the response. A further page is stored in the slot of its list. */
  readonly slotKey: string;
  /**
   * The row's primary key, as `{ field: value }`, when the arguments of a mutation identify a stored row by other fields than the
   * primary key; else null.
   */
  pkParams: object | null = null;

  /** Finishes the endpoint, so that its options override its class fields. */
  constructor(endpoint: AnyEndpoint, args: readonly unknown[]) {
    const finished = finishEndpoint(endpoint) as EndpointInterface; // cast: only endpoints have the symbol of AnyEndpoint
    this.endpoint = finished;
    this.args = args;
    this.key = finished.key(...args);
    this.slotKey = finished.listKey?.(...args) ?? this.key;
  }

  /** The kind is computed at each use, because an entity's static `schema` may be assigned after the call was created. */
  get kind(): Kind {
    const { schema } = this.endpoint;
    return isSchema(schema) ? kindOf(schema) : NO_SCHEMA;
  }

  /** The kind of the data that the request concerns. If the schema removes an entity, this is the kind of that entity. */
  get sourceKind(): Kind {
    return withoutRemoval(this.kind);
  }

  get hasSchema(): boolean {
    const { schema } = this.endpoint;
    return schema !== undefined && schema !== null;
  }

  /** Whether the response is a further page, which extends a list that is stored under the list's own key. */
  get isPage(): boolean {
    return this.endpoint.listKey !== undefined;
  }

  /**
   * The arguments for looking up the row of this call. The row's primary key, if it is known, is added under the name of the
   * entity's field.
   */
  get argsForLookUp(): readonly unknown[] {
    return argsForLookUp(this.endpoint, this.withPk(this.args));
  }

  /** Returns the arguments; if `pkParams` is set, with the row's primary key among the parameters. */
  withPk(args: readonly unknown[]): readonly unknown[] {
    const [params, ...rest] = args;
    return this.pkParams ? [{ ...(params as object), ...this.pkParams }, ...rest] : args; // cast: `pkParams` was found by fields of `params`
  }

  /** Up to two arguments as `[params, body]`, split by the endpoint's `splitArgs`. Returns more than two arguments unchanged. */
  splitSentArgs(args: readonly unknown[]): readonly unknown[] {
    if (args.length > 2) return args;
    const { params, body } = this.endpoint.splitArgs(args);
    return [params, body];
  }
}

/** Whether the caller passed `null` instead of arguments, so that no call is made. */
export function isNullCall(args: readonly unknown[]): boolean {
  return args[0] === null;
}
