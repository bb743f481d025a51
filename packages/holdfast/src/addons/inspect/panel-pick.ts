// Finds the row that an element of the page shows: the row whose key or value is a text of the element, of an element around it, or
// of an element inside one of these.
import type { FoundRow } from './find-subject.ts';
import type { Inspector } from './inspector.ts';

/** How many elements around the picked element are searched, and how many elements inside each. */
const MOST_AROUND = 8;
const MOST_WITHIN = 200;

/** Texts that may name a row: the element's own text, the last part of its address, and its attributes `id`, `value` and `data-…`. */
function textsOf(element: Element): string[] {
  const own = [...element.childNodes].map((node) => (node.nodeType === 3 ? (node.textContent ?? '') : ''));
  const address = element.getAttribute('href')?.split(/[/?#]/).at(-1) ?? '';
  const marks = [...element.attributes].flatMap(({ name, value }) =>
    /^(?:data-|id$|value$)/.test(name) ? value : [],
  );
  return [own.join('').trim(), decodeURIComponent(address), ...marks].filter((text) => text.length > 1);
}

export function findPicked(source: Inspector, picked: Element): FoundRow | undefined {
  const levels: string[][] = [];
  let around: Element | null = picked;
  for (; around && levels.length < MOST_AROUND; around = around.parentElement) {
    const within = [around, ...around.querySelectorAll('*')].slice(0, MOST_WITHIN);
    levels.push(within.flatMap(textsOf).map((text) => text.toLowerCase()));
  }
  const found = source.findByTexts(new Set(levels.flat()));
  for (const texts of levels) {
    // Of the texts that identify a row, the longest text is the most specific.
    const [best] = texts.filter((text) => found.has(text)).sort((one, other) => other.length - one.length);
    if (best !== undefined) return found.get(best);
  }
  return undefined;
}
