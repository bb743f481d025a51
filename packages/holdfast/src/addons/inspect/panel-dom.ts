// Creates the panel's elements with the page's document. It uses neither HTML strings nor style attributes, so that a strict
// content security policy allows the panel.

/**
 * The attributes of an element by name. A function is a listener for the event with this name. A name that begins with `--` is a
 * style property that the panel's style sheet reads.
 */
export interface Attributes {
  readonly [name: string]: string | boolean | number | ((event: never) => void);
}

export type Child = Node | string | false | undefined | Attributes | readonly Child[];

/** Creates an element of one page: `make('p.dim', 'Text')` makes a paragraph with the class `dim`. */
export type MakeElement = <K extends string>(
  tag: K,
  ...content: readonly Child[]
) => K extends `${infer T extends keyof HTMLElementTagNameMap}.${string}`
  ? HTMLElementTagNameMap[T]
  : K extends keyof HTMLElementTagNameMap
    ? HTMLElementTagNameMap[K]
    : HTMLElement;

export const createElementMaker =
  (page: Document): MakeElement =>
  (tag: string, ...content: readonly Child[]) => {
    const [name = '', className = ''] = tag.split('.');
    const element = page.createElement(name);
    if (className) element.className = className;
    const add = (child: Child): void => {
      if (Array.isArray(child)) child.forEach(add);
      else if (typeof child === 'string' || (child && 'nodeType' in child))
        element.append(child as Node | string); // cast: only a node has a `nodeType`
      else
        for (const [key, value] of Object.entries(child || {}))
          if (typeof value === 'function') element.addEventListener(key, value);
          else if (key.startsWith('--')) element.style.setProperty(key, value);
          else element.setAttribute(key, value);
    };
    content.forEach(add);
    return element as never; // cast: the tag gives the type
  };
