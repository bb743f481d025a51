// The results that the option `results` of a BatchManager returns for each call: a success with the call's value, or a failure with
// a status.
import type { RequestOutcome } from '../../endpoint/run-request.ts';
import type { NetworkRequest } from '../../dispatch/network-request.ts';
import { HoldfastError } from '../../support/errors.ts';
import { HttpError } from '../../support/network-errors.ts';
import { isRecord } from '../../support/plain.ts';

/** The method that ends one call of a batch: it returns the call's outcome, or throws its error. */
const END: unique symbol = Symbol();

/**
 * The end of one call of a batch, made by {@link success} or {@link failure}.
 *
 * @example
 * const resultOf = (row: { error?: string }): BatchManager.Result =>
 *   row.error ? failure(422, { detail: row.error }) : success(row);
 */
export interface BatchResult {
  /** @internal */
  readonly [END]: (request: NetworkRequest) => RequestOutcome;
}

/**
 * Reports that the call has succeeded. The value is the one with which the call's own request would have resolved. Without a value,
 * the call ends as after an empty response.
 *
 * @example const results = (rows: readonly object[]) => rows.map((row) => success(row));
 */
export function success(value: unknown = null): BatchResult {
  return { [END]: () => ({ value }) };
}

/**
 * Reports that the call has failed. Its error is an `HttpError` with this status, whose `problem` is the body, unless the body is
 * an array.
 *
 * @example
 * const results = (response: { errors: readonly string[] }) =>
 *   response.errors.map((text) => failure(422, { errors: { title: text } }));
 */
export function failure(status: number, body?: object): BatchResult {
  if (!(status >= 400 && status < 600)) throw new HoldfastError('BATCH_STATUS_INVALID', { found: status });
  return {
    [END]({ endpoint, args }) {
      const { method = 'GET', name } = endpoint;
      const { url } = endpoint as { url?: (params: unknown) => string }; // cast: only REST endpoints have `url`
      const request = { method, url: url?.call(endpoint, endpoint.splitArgs(args).params) ?? name };
      throw new HttpError(request, new Response(null, { status }), isRecord(body) ? body : undefined);
    },
  };
}

export function isBatchResult(value: unknown): value is BatchResult {
  return END in Object(value);
}

export function endByResult(result: BatchResult, request: NetworkRequest): RequestOutcome {
  return result[END](request);
}
