// Long code in a table may break after a dot, a slash, a bracket or a comma, and between the words of a long name; a name in a heading may
// break after an underscore. Without these places one name such as `defaults.controller.dataExpiryLength` makes its column so wide that
// the text beside it is a word wide, and a narrow screen breaks RESOURCE_WITHOUT_SCHEMA before its last letter.
import type { MarkdownRenderer } from 'vitepress';

const LONG = 18;
const PLACES = /(?<=[./(,:](?! ))(?=[\w'"&({[…])/g;
const LONG_NAME = /\w{20,}/g;
const WORDS = /(?<=[a-z\d]{3})(?=[A-Z][a-z]{2})|(?<=[A-Za-z]{3}_)(?=[A-Z])/g;

export function breakCodes(md: MarkdownRenderer): void {
  const { rules } = md.renderer;
  const { code_inline: write, text: writeText } = rules;
  const isIn = { table: false, heading: false };
  for (const part of ['table', 'heading'] as const)
    for (const end of ['open', 'close'] as const) {
      const before = rules[`${part}_${end}`];
      rules[`${part}_${end}`] = (...given) => {
        isIn[part] = end === 'open';
        const [tokens, index, options, , renderer] = given;
        return before?.(...given) ?? renderer.renderToken(tokens, index, options);
      };
    }
  rules.text = (...given) => {
    const html = writeText?.(...given) ?? '';
    return isIn.heading ? html.replaceAll(/(?<=[A-Z]_)(?=[A-Z])/g, '<wbr>') : html;
  };
  rules.code_inline = (...given) => {
    const [tokens, index] = given;
    const html = write?.(...given) ?? '';
    if (!isIn.table || (tokens[index]?.content.length ?? 0) < LONG) return html;
    return html.replace(
      />([^<]*)</,
      (_, text: string) =>
        `>${text.replaceAll(PLACES, '<wbr>').replaceAll(LONG_NAME, (name) => name.replaceAll(WORDS, '<wbr>'))}<`,
    );
  };
}
