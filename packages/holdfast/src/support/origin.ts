// The origin of an address: for lists of origins that may be asked, or may hear a token.
import { HoldfastError } from './errors.ts';

/** The address as the platform reads it; undefined where it is none. */
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

/** Refuses with ORIGIN_INVALID what is no origin of http, or has something behind it. */
export function originOf(text: string, { mayHavePath = false }: { mayHavePath?: boolean } = {}): string {
  const url = parseAddress(text);
  if (!url || !isHttp(url) || (!mayHavePath && url.href !== `${url.origin}/`))
    throw new HoldfastError('ORIGIN_INVALID', { origin: text });
  return url.origin;
}
