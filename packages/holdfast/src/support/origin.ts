// Parses URLs, and reads the origins in options that list where requests or tokens may be sent.
import { HoldfastError } from './errors.ts';

export function parseAddress(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

export function isHttp({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}

/**
 * The origin of an http(s) URL. Throws ORIGIN_INVALID for any other string. Unless `mayHavePath` is true, it also throws for a URL
 * with more than an origin: a path, a query, a fragment or a user.
 */
export function originOf(text: string, { mayHavePath = false }: { mayHavePath?: boolean } = {}): string {
  const url = parseAddress(text);
  if (!url || !isHttp(url) || (!mayHavePath && url.href !== `${url.origin}/`))
    throw new HoldfastError('ORIGIN_INVALID', { origin: text });
  return url.origin;
}
