// The endpoint class that every resource of the page is built with.
import { RestEndpoint } from 'holdfast';
import type { RestOptions } from 'holdfast';
import { conditions } from '../network/conditions.ts';

export class DemoEndpoint<O extends RestOptions = RestOptions> extends RestEndpoint<O> {
  /** Tells the demo server which network the visitor chose; a good one needs no words. */
  override getHeaders(headers: HeadersInit): HeadersInit {
    const { header } = conditions.read();
    if (header === '') return headers;
    const all = new Headers(headers);
    all.set('demo-network', header);
    return all;
  }
}
