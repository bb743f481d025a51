// The types of edits. An edit has the fields of its endpoint's body.
import type { AnyEndpoint, EndpointArgs } from '../../endpoint/endpoint-interface.ts';

/**
 * The fields that an edit of this endpoint sets: the fields of the endpoint's body, each of them optional.
 *
 * @example const change: edit.Fields<typeof TodoResource.partialUpdate> = { title: 'tea' };
 */
export type EditFields<E extends AnyEndpoint> =
  EndpointArgs<E> extends readonly [unknown, (infer Body)?, ...(readonly unknown[])]
    ? unknown extends Body
      ? never
      : Readonly<Partial<WithoutForm<Body>>>
    : never;
// The type distributes over the types of the body, because the body of an update may also be a form, which has no fields to set.
type WithoutForm<Body> = Body extends undefined ? never : 'getAll' extends keyof Body ? never : Body;

/**
 * The parameters of the edited row: the first argument of the endpoint.
 *
 * @example const params: edit.Params<typeof TodoResource.partialUpdate> = { id: '5' };
 */
export type EditParams<E extends AnyEndpoint> = EndpointArgs<E>[0];

/**
 * The name of a field that an edit may set.
 *
 * @example const name: edit.Field<typeof TodoResource.partialUpdate> = 'title';
 */
export type EditField<E extends AnyEndpoint> = string & keyof EditFields<E>;

/**
 * Options of {@link edit} and `useEdit`.
 *
 * @example const slow: edit.Options<typeof TodoResource.partialUpdate> = { afterMs: 2_000, atMostMs: 10_000 };
 */
export interface EditOptions<E extends AnyEndpoint> {
  /**
   * `auto`: fields that are set are shown everywhere at once, and saved after a pause. `submit`: fields that are set are shown only
   * by this edit, until `flush` saves them. Default: `auto`.
   */
  readonly save?: 'auto' | 'submit';
  /** With `save: 'auto'`, milliseconds without a `set` until the fields are saved. Default: `defaults.edit.afterMs`. */
  readonly afterMs?: number;
  /**
   * With `save: 'auto'`, milliseconds after the first `set` until the fields are saved, even if no pause comes. Default:
   * `defaults.edit.atMostMs`.
   */
  readonly atMostMs?: number;
  /**
   * Returns a text for each field that the server refused. Default: the texts in `errors` of the response's JSON body, if the
   * status is 422.
   */
  readonly fieldErrors?: (error: Error) => Readonly<Record<string, string>>;
  /** Returns the body to send. Default: the fields that were set. Servers that take only whole rows need this option. */
  readonly body?: (fields: EditFields<E>, row: unknown) => EndpointArgs<E>[1];
}

/**
 * `clean`: no field has to be saved. `dirty`: fields were set and are not sent. `saving`: a save is in flight, or waits for its
 * turn or for a decision about conflicts. `failed`: the last save failed. Its fields are kept, and the next save sends them too.
 * `flush` begins a save, and with `save: 'auto'` so does the next `set`, after its pause.
 *
 * @example const isBusy = (status: edit.Status) => status === 'dirty' || status === 'saving';
 */
export type EditStatus = 'clean' | 'dirty' | 'saving' | 'failed';

/**
 * The state of an {@link edit}. `read` returns the same object until the state changes.
 *
 * @example
 * const markOf = ({ state, error }: edit.State<typeof TodoResource.partialUpdate>) =>
 *   state === 'failed' ? error?.message : state;
 */
export interface EditState<E extends AnyEndpoint> {
  /**
   * The fields of the row, overwritten by the fields that were set and are not acknowledged. If there is no row, only the fields
   * that were set.
   */
  readonly values: EditFields<E>;
  readonly state: EditStatus;
  /**
   * Why the last save failed. Undefined if it did not fail, if none of its fields was dirty any more when it failed, after
   * `discard` or a reset, and from the next save on.
   */
  readonly error: Error | undefined;
  /** The server's text for each field that the server refused, until the field is set again, saved or discarded. */
  readonly fieldErrors: Readonly<Partial<Record<EditField<E>, string>>>;
  /**
   * The unsaved fields that others have changed on the server to values other than this edit's: since the field was first set in this
   * edit, or since the server last acknowledged a mutation of this client that contained the field.
   */
  readonly changed: readonly EditField<E>[];
}

/**
 * An edit of one row: see {@link edit}. Its functions need no `this`.
 *
 * @example
 * const rename = (todo: edit.Edit<typeof TodoResource.partialUpdate>, title: string) => todo.set({ title });
 */
export interface EditHandle<E extends AnyEndpoint> {
  /** Sets fields of the row. With `save: 'auto'` they are shown everywhere at once. */
  readonly set: (fields: EditFields<E>) => void;
  readonly read: () => EditState<E>;
  /** Calls `onChange` after each change of the result of `read`. Returns a function that stops the calls. */
  readonly listen: (onChange: () => void) => () => void;
  /**
   * Waits for a save that is in flight, and then saves the other fields, even between `pause` and `resume`. The promise resolves
   * when every field that was set until now is acknowledged, and rejects when the save fails.
   */
  readonly flush: () => Promise<void>;
  /** Forgets every field that was set. A save that is in flight continues. */
  readonly discard: () => void;
  /** Until `resume` is called, neither `afterMs` nor `atMostMs` begins a save. Use it while an input method composes a text. */
  readonly pause: () => void;
  readonly resume: () => void;
}
