// Long code in a table may break after a dot, a slash, a bracket or a comma. Without these places one name such as
// `defaults.controller.dataExpiryLength` makes its column so wide that the text beside it is a word wide.
import type { MarkdownRenderer } from 'vitepress';

const LONG = 18;
const PLACES = /(?<=[./(,:](?! ))(?=[\w'"&({[…])/g;

export function breakCodes(md: MarkdownRenderer): void {
  const { rules } = md.renderer;
  const { code_inline: write } = rules;
  let isInTable = false;
  for (const [rule, opens] of [
    ['table_open', true],
    ['table_close', false],
  ] as const) {
    const before = rules[rule];
    rules[rule] = (...given) => {
      isInTable = opens;
      const [tokens, index, options, , renderer] = given;
      return before?.(...given) ?? renderer.renderToken(tokens, index, options);
    };
  }
  rules.code_inline = (...given) => {
    const [tokens, index] = given;
    const html = write?.(...given) ?? '';
    if (!isInTable || (tokens[index]?.content.length ?? 0) < LONG) return html;
    return html.replace(/>([^<]*)</, (_, text: string) => `>${text.replaceAll(PLACES, '<wbr>')}<`);
  };
}
