// The format of a state in a page: JSON in a script element whose type no browser executes. render.ts writes it, and read-page.ts
// reads it. No state can end the element, because `<`, `>` and `&` are escaped; in JSON they occur only inside strings.
import type { DehydratedState } from '../state/dehydrate.ts';
import { HoldfastError } from '../../support/errors.ts';

/** The attribute that marks the element of a state; its value is the name of the render. */
const BLOCK_ATTRIBUTE = 'data-holdfast';
const BLOCK_TYPE = 'application/json';

export interface BlockOptions {
  /** The name that distinguishes the states of several applications on one page. Default: ''. */
  readonly name?: string;
  /** The nonce of the page's content security policy. */
  readonly nonce?: string | undefined;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** The JSON of a state, escaped so that it can be inside a script element. */
export function toPageJson(state: DehydratedState): string {
  return JSON.stringify(state).replace(/[<>&\u2028\u2029]/g, (found) => ESCAPES[found] ?? '');
}

/**
 * The attributes of the element. Throws for a name or nonce with special characters, because such a character could end the
 * attribute.
 */
export function blockAttributes({ name = '', nonce }: BlockOptions): Readonly<Record<string, string>> {
  if (!/^[\w-]*$/.test(name)) throw new HoldfastError('BLOCK_OPTION_INVALID', { option: 'name' });
  if (nonce !== undefined && !/^[\w+/-]+={0,2}$/.test(nonce))
    throw new HoldfastError('BLOCK_OPTION_INVALID', { option: 'nonce' });
  return { type: BLOCK_TYPE, [BLOCK_ATTRIBUTE]: name, ...(nonce !== undefined && { nonce }) };
}

export function blockHtml(attributes: Readonly<Record<string, string>>, text: string): string {
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${value}"`);
  return `<script${written.join('')}>${text}</script>`;
}
