// The endpoint class that every resource of the page is built with.
import { RestEndpoint } from 'holdfast';
import type { RestOptions } from 'holdfast';
import { CLIENT_ID } from '../live/client-id.ts';
import { readNetworkHeader } from '../network/conditions.ts';

export class DemoEndpoint<const O extends RestOptions = RestOptions> extends RestEndpoint<O> {
  /** Sends the id of the page, and the network that the visitor chose for it. */
  override getHeaders(headers: HeadersInit): HeadersInit {
    const all = new Headers(headers);
    all.set('client-id', CLIENT_ID);
    const header = readNetworkHeader();
    if (header !== '') all.set('demo-network', header);
    return all;
  }
}
