// VitePress' own theme without its web fonts: the reader's fonts are there at once and cost no bytes.
import type { Theme } from 'vitepress';
import theme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import { LostPage } from './lost-page.ts';
import { followRace } from './race.ts';
import './race.css';
import './style.css';
import './landing.css';
import { followTypes } from './types.ts';

/** The theme's start page has no main landmark: config.ts writes it into the HTML, and this follows the reader's way. */
function markMain(): void {
  const content = document.querySelector('#VPContent');
  if (content?.classList.contains('is-home')) content.setAttribute('role', 'main');
  else content?.removeAttribute('role');
}

/** The sidebar shows where the reader is, however long it is. */
function showPlace(): void {
  document.querySelector('.VPSidebar .is-link.is-active')?.scrollIntoView({ block: 'nearest' });
}

export default {
  extends: theme,
  Layout: () => h(theme.Layout, null, { 'not-found': () => h(LostPage) }),
  enhanceApp({ router }) {
    if (typeof document === 'undefined') return;
    followTypes();
    router.onAfterRouteChange = () =>
      void setTimeout(() => {
        markMain();
        showPlace();
        followRace();
      });
  },
} satisfies Theme;
