// Text as a part of a URL: what path parameters, query parameters and the words of a key are written with.

const PLAIN = /^[\w-]+$/;
const LONE_SURROGATE = /\p{Surrogate}/gu;

/** The text as a URL component; a lone surrogate, which has no UTF-8 form, becomes U+FFFD. */
export function encodeText(text: string): string {
  if (PLAIN.test(text)) return text;
  // the quote as URL writes it in a query, so that a URL equals its parsed form
  return encodeURIComponent(text.replace(LONE_SURROGATE, '\uFFFD')).replaceAll("'", '%27');
}
