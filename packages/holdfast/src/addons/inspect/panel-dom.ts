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
    fill(element, ...children);
    return element;
  };
}

/** These and nothing else stand in the element. */
export function fill(element: HTMLElement, ...children: readonly Child[]): void {
  element.replaceChildren(...children.filter((child) => child !== false && child !== undefined));
}

/** A part of the panel that scrolls, and so can have the focus. */
export function createRegion(make: Make, label: string): HTMLElement {
  return make('div', { class: 'wide', role: 'region', 'aria-label': label, tabindex: '0' });
}

/** One line of a table: what it is about, then the rest. */
export function createLine(make: Make, head: Child, ...cells: readonly Child[]): HTMLElement {
  return make('tr', {}, make('th', { 'scope': 'row' }, head), ...cells.map((cell) => make('td', {}, cell)));
}

/** How long a value may be in a table. */
const MOST_TEXT = 120;

/** A value in one line. */
export function shortText(value: unknown): string {
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
