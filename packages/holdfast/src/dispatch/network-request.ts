// One request on its way to the network, as managers and extensions receive it. The controller creates it in send-flight.ts.
import type { EndpointInterface } from '../endpoint/endpoint-interface.ts';
import type { RequestOutcome } from '../endpoint/run-request.ts';
import type { Environment } from '../support/environment.ts';

/**
 * One request, as managers receive it before it is sent.
 *
 * @example
 * const withToken: Manager = {
 *   request: (request: Manager.Request, next) => next({ ...request, headers: { ...request.headers, token: 'abc' } }),
 * };
 */
export interface NetworkRequest {
  readonly endpoint: EndpointInterface;
  /** The sent arguments: each local id is replaced by the server's id. */
  readonly args: readonly unknown[];
  readonly key: string;
  readonly isRead: boolean;
  /**
   * The call that reads the list. Set only on the request for the first page of a list in pages, and only if the arguments of this
   * request contain a token and so differ from those of the call.
   */
  readonly firstPageOf?: Pick<NetworkRequest, 'endpoint' | 'args' | 'key'>;
  /**
   * Aborts the request: a read when its last reader has left, a mutation by the endpoint's `signal` or when it is discarded, and
   * both when the store is reset or a server render ends. `controller.stop()` does not abort requests.
   */
  readonly signal: AbortSignal;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The environment in which the request runs: that of the controller, unless a manager or a feature has replaced a part of it. */
  readonly environment: Environment;
}

/**
 * Passes a request to the next manager; after the last manager, sends it.
 *
 * @example
 * const twice = async (request: Manager.Request, next: Manager.Send) => next(request).catch(() => next(request));
 * const manager: Manager = { request: twice };
 */
export type Send = (request: NetworkRequest) => Promise<RequestOutcome>;
