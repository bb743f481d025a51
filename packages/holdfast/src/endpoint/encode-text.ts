// Text as a part of a URL: what path parameters, query parameters and the words of a key are written with.

const LONE_SURROGATE = /\p{Surrogate}/gu;

/** The text as a URL component; a lone surrogate, which has no UTF-8 form, becomes U+FFFD. */
export function encodeText(text: string): string {
  if (isPlain(text)) return text;
  // the quote as URL writes it in a query, so that a URL equals its parsed form
  return encodeURIComponent(text.replace(LONE_SURROGATE, '\uFFFD')).replaceAll("'", '%27');
}

/** Letters, digits, `_` and `-`, at least one: the same when encoded. A loop, because keys are made at every render. */
export function isPlain(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const lower = code | 32; // only letters become letters
    const isLetter = lower >= 97 && lower <= 122;
    if (!isLetter && (code < 48 || code > 57) && code !== 45 && code !== 95) return false;
  }
  return text !== '';
}
