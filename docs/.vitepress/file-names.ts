// The name of a file as the tab of its block: a line such as `` `api.ts`: `` above a block of code becomes the caption of a figure.
import type { MarkdownRenderer } from 'vitepress';

const NAMED = /^`([\w./@[\]-]+)`(?:, [^:]*)?:$/;

interface Token {
  readonly type: string;
  readonly content: string;
  meta: unknown;
}

/** Finds the names. A line that says more than the name stays as it is, above the tab. */
function nameBlocks({ tokens }: { tokens: Token[] }): void {
  for (const [index, token] of tokens.entries()) {
    const [, file] = NAMED.exec(tokens[index - 2]?.content ?? '') ?? [];
    if (token.type !== 'fence' || file === undefined || tokens[index - 2]?.type !== 'inline') continue;
    token.meta = { ...(token.meta as object | null), file };
  }
  const isOnlyName = (at: number): boolean => /^`[^`]*`:$/.test(tokens[at]?.content ?? '');
  const kept = tokens.filter((_, index) => {
    // the three tokens of the paragraph stand before the block
    for (const ahead of [1, 2, 3]) {
      const block = tokens[index + ahead];
      if (block?.type === 'fence' && fileOf(block) !== undefined && isOnlyName(index + ahead - 2))
        return false;
    }
    return true;
  });
  tokens.splice(0, tokens.length, ...kept);
}

const fileOf = ({ meta }: { meta: unknown }): string | undefined => (meta as { file?: string } | null)?.file; // cast: set above

export function fileNames(md: MarkdownRenderer): void {
  md.core.ruler.push('file-names', nameBlocks);
  const { fence } = md.renderer.rules;
  md.renderer.rules.fence = (...given) => {
    const [tokens, index] = given;
    const token = tokens[index];
    const file = token && fileOf(token);
    const block = fence?.(...given) ?? '';
    return file === undefined
      ? block
      : `<figure class="file"><figcaption>${md.utils.escapeHtml(file)}</figcaption>${block}</figure>`;
  };
}
