// A picture for each colour scheme: where `x-dark.png` lies beside `x.png`, the site shows it in dark colours. In the repository and in
// the package the Markdown names one picture.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';

export function darkPictures(md: MarkdownRenderer, docs: string): void {
  const { image } = md.renderer.rules;
  md.renderer.rules.image = (...given) => {
    const [tokens, index] = given;
    const token = tokens[index];
    const light = token?.attrGet('src') ?? '';
    const dark = light.replace(/\.png$/, '-dark.png');
    if (!token || dark === light || !existsSync(join(docs, dark))) return image?.(...given) ?? '';
    // the rule for a picture reads and may change the attributes of the token
    const draw = (source: string, name: string): string => {
      const attrs = [...(token.attrs ?? [])];
      token.attrSet('src', source);
      token.attrSet('class', name);
      const html = image?.(...given) ?? '';
      token.attrs = attrs;
      return html;
    };
    return draw(light, 'in-light') + draw(dark, 'in-dark');
  };
}
