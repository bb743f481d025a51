// Follows the links of the built site: every address on the site must be a file of it, and every anchor an id of that page.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const attribute = /<a\b[^>]*?\shref="([^"]*)"|<(?:img|script)\b[^>]*?\ssrc="([^"]*)"/g;
const decode = (text: string): string => decodeURIComponent(text.replaceAll('&amp;', '&'));

export function checkLinks(site: string): { links: number; problems: string[] } {
  const files = globSync('**/*.html', { cwd: site }).map((file) => file.replaceAll('\\', '/'));
  const texts = new Map(files.map((file) => [file, readFileSync(join(site, file), 'utf8')]));
  const anchors = new Map(
    [...texts].map(([file, text]) => [
      file,
      new Set([...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)),
    ]),
  );
  let links = 0;
  const problems: string[] = [];
  for (const [file, text] of texts) {
    // the page of a lost reader links to nothing of its own
    if (file === '404.html') continue;
    const targets = new Set([...text.matchAll(attribute)].map(([, href, src]) => href ?? src ?? ''));
    for (const target of targets) {
      if (/^(?:https?:|mailto:|data:)/.test(target)) continue;
      links += 1;
      const [path = '', anchor = ''] = target.split('#');
      const absolute =
        path === ''
          ? file
          : posix.join('/', path.startsWith('/') ? path : posix.join(posix.dirname(file), path)).slice(1);
      const page = absolute === '' || absolute.endsWith('/') ? `${absolute}index.html` : absolute;
      const found = [page, `${page}.html`].find((one) => existsSync(join(site, one)));
      if (found === undefined) problems.push(`${file} links to ${target}, which is not there`);
      else if (anchor !== '' && anchors.has(found) && !anchors.get(found)?.has(decode(anchor)))
        problems.push(`${file} links to ${target}, which has no such heading`);
    }
  }
  return { links, problems };
}
