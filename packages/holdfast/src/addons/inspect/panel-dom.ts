// Creates the panel's elements with the page's document. Uses neither HTML strings nor style attributes, so that a strict content
// security policy allows the panel.

/** The attributes of an element by name; a function is a listener for the event of this name. */
export type Attributes = Readonly<Record<string, string | ((event: Event) => void) | undefined>>;

export type Child = Node | string | false | undefined;

/** Creates an element of one page. */
export type MakeElement = (
  tag: string,
  attributes?: Attributes,
  ...children: readonly Child[]
) => HTMLElement;

export function createElementMaker(page: Document): MakeElement {
  return (tag, attributes = {}, ...children) => {
    const element = page.createElement(tag);
    for (const [name, value] of Object.entries(attributes))
      if (typeof value === 'function') element.addEventListener(name, value);
      else if (value !== undefined) element.setAttribute(name, value);
    element.append(...children.filter((child) => child !== false && child !== undefined));
    return element;
  };
}
