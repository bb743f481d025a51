// `useCovered`: a component that shows what is there of a row while the rest loads.
import { useMemo, useSyncExternalStore } from 'react';
import { useController } from '../../bindings/controller-context.ts';
import type { ResponseData } from '../../controller/controller.types.ts';
import type { AnyReadEndpoint, EndpointArgs, ReadEndpoint } from '../../endpoint/endpoint-interface.ts';
import { stableText } from '../../support/stable-text.ts';
import type { FieldNameOf } from './local.types.ts';
import { CoveredObserver } from './watch-covered.ts';

/** Any endpoint of one row; else a message that the editor shows. */
type WithRow<E extends AnyReadEndpoint> =
  NonNullable<ResponseData<E>> extends readonly unknown[]
    ? 'This endpoint has a list. Pass one whose response is a row, such as TodoResource.get.'
    : unknown;

/**
 * What {@link useCovered} returns.
 *
 * @example
 * const Title = ({ data, loading }: useCovered.Result<Todo>) => <h1 aria-busy={loading}>{data?.title}</h1>;
 */
export interface CoveredResult<T> {
  /** The fields that are there; undefined when nothing of the row is. */
  readonly data: Partial<T> | undefined;
  /** The fields that no response has brought so far. Empty when the row is whole. */
  readonly missing: readonly FieldNameOf<T>[];
  /** Whether a request for the missing fields is in flight, or will be sent when the component is mounted. */
  readonly loading: boolean;
  /** Why the last request failed; what is there is shown all the same. */
  readonly error: Error | undefined;
}

/**
 * Reads one row, and shows at once what is there of it: of a row that a list has brought with some of its fields (see {@link pick}),
 * those fields. The rest is requested once. `missing` names the fields that are not there yet.
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
    () => new CoveredObserver(controller, endpoint as unknown as ReadEndpoint, args), // cast: an endpoint
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
