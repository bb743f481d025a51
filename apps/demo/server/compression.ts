// Compresses JSON and the page for clients that accept it. The event stream is not compressed: its messages must leave at once.
import type { MiddlewareHandler } from 'hono';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { encodedTag } from './tags.ts';
import type { Encoding } from './tags.ts';

const COMPRESSIBLE = /^(application\/(problem\+)?json|text\/(html|css|javascript))\b/;
/** Smaller responses fit into one packet anyway. */
const MIN_BYTES = 1_024;
/** Fast enough for each response; the files of the page are compressed better, at build time. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

const compress: Record<Encoding, (body: Uint8Array) => Promise<Uint8Array<ArrayBuffer>>> = {
  br: (body) => promisify(brotliCompress)(body, BROTLI),
  gzip: (body) => promisify(gzip)(body),
};

export function createCompression(): MiddlewareHandler {
  return async (context, next) => {
    await next();
    const { status, headers } = context.res;
    if (!COMPRESSIBLE.test(headers.get('content-type') ?? '') || headers.has('content-encoding')) return;
    const body = new Uint8Array(await context.res.arrayBuffer());
    const changed = new Headers(headers);
    if (!/accept-encoding/i.test(changed.get('vary') ?? '')) changed.append('vary', 'accept-encoding');
    const encoding =
      body.length < MIN_BYTES ? undefined : chooseEncoding(context.req.header('accept-encoding'));
    const sent = encoding ? await compress[encoding](body) : body;
    changed.set('content-length', String(sent.length));
    if (encoding) {
      changed.set('content-encoding', encoding);
      const tag = changed.get('etag');
      if (tag) changed.set('etag', encodedTag(tag, encoding));
    }
    // Hono would replace these headers with those of the former response
    context.res = undefined;
    context.res = new Response(sent, { status, headers: changed });
  };
}

/** Brotli before gzip, unless the client prefers or refuses one. */
function chooseEncoding(header = ''): Encoding | undefined {
  const weights = new Map(
    header.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const weight = parameters.find((text) => text.startsWith('q='))?.slice(2);
      return [name, weight === undefined ? 1 : Number(weight)];
    }),
  );
  const weightOf = (name: Encoding): number => weights.get(name) ?? weights.get('*') ?? 0;
  const best: Encoding = weightOf('gzip') > weightOf('br') ? 'gzip' : 'br';
  return weightOf(best) > 0 ? best : undefined;
}
