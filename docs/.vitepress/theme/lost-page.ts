// In place of a page that is not there.
import { withBase } from 'vitepress';
import { h } from 'vue';
import type { VNode } from 'vue';

const WAYS = [
  ['/getting-started', 'Getting started'],
  ['/guides', 'All guides'],
  ['/reference/', 'All exports'],
  ['/', 'Start page'],
] as const;

export function LostPage(): VNode {
  return h('main', { class: 'lost vp-doc' }, [
    h('h1', 'There is no such page'),
    h(
      'p',
      'It may have been mistyped, or moved. The search at the top finds every page, heading and export.',
    ),
    h(
      'ul',
      WAYS.map(([path, name]) => h('li', h('a', { href: withBase(path) }, name))),
    ),
  ]);
}
