// Reads the doc comment in front of a declaration of the built `.d.ts` files: its text and its examples.

export interface DocComment {
  /** Markdown, without tags; `{@link X}` is kept. */
  readonly text: string;
  readonly examples: readonly string[];
}

const EMPTY: DocComment = { text: '', examples: [] };

/** The comment that ends where the declaration begins, `export` and `declare` aside. */
export function readComment(source: string, start: number): DocComment {
  const before = source.slice(0, start).replace(/(?:\b(?:export|declare|default|abstract)\s+)*$/, '');
  const found = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(before);
  return found ? parseComment(found[1] ?? '') : EMPTY;
}

function parseComment(inner: string): DocComment {
  const body = inner
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, ''))
    .join('\n')
    .trim();
  const [text = '', ...tags] = body.split(/^@(?=\w)/m);
  const examples = tags
    .filter((tag) => tag.startsWith('example'))
    .map((tag) =>
      tag
        .replace(/^example\s*/, '')
        .replace(/^```\w*\n?|```\s*$/g, '')
        .trim(),
    );
  return { text: text.trim(), examples };
}

/** Comments of overloads say one thing together. */
export function joinComments(comments: readonly DocComment[]): DocComment {
  return {
    text: [...new Set(comments.map(({ text }) => text).filter(Boolean))].join('\n\n'),
    examples: comments.flatMap(({ examples }) => examples),
  };
}
