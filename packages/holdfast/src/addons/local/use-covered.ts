// `useCovered`: the hook of a component that shows the stored fields of a row while the other fields load.
import { useMemo, useSyncExternalStore } from 'react';
import { useController } from '../../bindings/controller-context.ts';
import type { ResponseData } from '../../controller/controller.types.ts';
import type { AnyReadEndpoint, EndpointArgs, ReadEndpoint } from '../../endpoint/endpoint-interface.ts';
import { stableText } from '../../support/stable-text.ts';
import type { FieldNameOf } from './local.types.ts';
import { CoveredObserver } from './watch-covered.ts';

/** Any endpoint whose response is not an array; else a message that the editor shows. */
type WithRow<E extends AnyReadEndpoint> =
  NonNullable<ResponseData<E>> extends readonly unknown[]
    ? 'This endpoint has a list. Pass one whose response is a row, such as TodoResource.get.'
    : unknown;

/**
 * The result of {@link useCovered}.
 *
 * @example
 * const Title = ({ data, loading }: useCovered.Result<Todo>) => <h1 aria-busy={loading}>{data?.title}</h1>;
 */
export interface CoveredResult<T> {
  /** The fields that are not missing; undefined when no field of the row can be shown. */
  readonly data: Partial<T> | undefined;
  /**
   * The fields that are not stored and that no response has declared yet. Empty when the row is whole, and when it is deleted, not
   * stored or invalidated.
   */
  readonly missing: readonly FieldNameOf<T>[];
  /** Whether a request for the missing fields is in flight, or will be sent when the component is mounted. */
  readonly loading: boolean;
  /** Why the last request failed. The stored fields are shown even after a failure. */
  readonly error: Error | undefined;
}

/**
 * Reads one row, and shows at once the fields that are stored, for example those that the response of a list contained (see
 * {@link pick}). The other fields are requested; until a response has declared them, `missing` names them.
 *
 * @example
 * function TodoPage({ id }: { id: string }) {
 *   const { data, missing } = useCovered(TodoResource.get, { id });
 *   return <h1 aria-busy={missing.length > 0}>{data?.title}</h1>;
 * }
 */
export function useCovered<E extends AnyReadEndpoint>(
  endpoint: E & WithRow<E>,
  ...args: EndpointArgs<E>
): CoveredResult<NonNullable<ResponseData<E>>> {
  const controller = useController();
  const key = stableText(args);
  const observer = useMemo(
    () => new CoveredObserver(controller, endpoint as unknown as ReadEndpoint, args), // cast: only endpoints have the symbol of AnyEndpoint
    // `key` stands for the arguments, because callers write new objects at each render.
    // oxlint-disable-next-line react/exhaustive-deps
    [controller, endpoint, key],
  );
  const state = useSyncExternalStore(observer.subscribe, observer.read, observer.read);
  return state as unknown as CoveredResult<NonNullable<ResponseData<E>>>; // cast: the fields follow from the endpoint
}

export declare namespace useCovered {
  export type { CoveredResult as Result };
}
