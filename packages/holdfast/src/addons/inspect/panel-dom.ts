// Creates the panel's elements with the page's document. Uses neither HTML strings nor style attributes, so that a strict content
// security policy allows the panel.

/** The values of attributes, by name. */
export type Attributes = Readonly<Record<string, string>>;

export type Child = HTMLElement | string | false | undefined;

/** Creates an element of one page. */
export type MakeElement = (
  tag: string,
  attributes?: Attributes,
  ...children: readonly Child[]
) => HTMLElement;

export function createElementMaker(page: Document): MakeElement {
  return (tag, attributes = {}, ...children) => {
    const element = page.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    replaceChildren(element, ...children);
    return element;
  };
}

/** Replaces the children of the element; `false` and `undefined` are skipped. */
export function replaceChildren(element: HTMLElement, ...children: readonly Child[]): void {
  element.replaceChildren(...children.filter((child) => child !== false && child !== undefined));
}

/** A part of the panel that scrolls. It can have the focus, so that keys can scroll it. */
export function createRegion(make: MakeElement, label: string): HTMLElement {
  return make('div', { class: 'wide', role: 'region', 'aria-label': label, tabindex: '0' });
}

/** One line of a table: a header cell, then the data cells. */
export function createTableLine(make: MakeElement, head: Child, ...cells: readonly Child[]): HTMLElement {
  return make('tr', {}, make('th', { 'scope': 'row' }, head), ...cells.map((cell) => make('td', {}, cell)));
}

/** How many characters of a value a table shows. */
const MOST_CHARACTERS = 120;

/** The value as a string of one line, shortened if it is long. */
export function shortText(value: unknown): string {
  if (value === undefined) return 'nothing';
  let text: string;
  try {
    text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  } catch {
    text = String(value);
  }
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}

/** The name of a rule as words: `row-was-deleted` is shown as `row was deleted`. */
export function ruleInWords(rule: string): string {
  return rule.replaceAll('-', ' ');
}
