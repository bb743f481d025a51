// Makes the panel's elements: by the page's own document, without markup in texts and without style attributes, so that a strict
// content policy has nothing to refuse.

/** By name, as texts. */
export type Attributes = Readonly<Record<string, string>>;

export type Child = HTMLElement | string | false | undefined;

/** Makes elements of one page. */
export type Make = (tag: string, attributes?: Attributes, ...children: readonly Child[]) => HTMLElement;

export function createMake(page: Document): Make {
  return (tag, attributes = {}, ...children) => {
    const element = page.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children.filter((child) => child !== false && child !== undefined));
    return element;
  };
}

/** How long a value may be in a table. */
const MOST_TEXT = 120;

/** A value in one line. */
export function textOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  let text: string;
  try {
    text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  } catch {
    text = String(value);
  }
  return text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text;
}

/** A rule as words. */
export function inWords(rule: string): string {
  return rule.replaceAll('-', ' ');
}
