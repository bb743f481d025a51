// VitePress' own theme without its web fonts: the reader's fonts are there at once and cost no bytes.
import type { Theme } from 'vitepress';
import theme from 'vitepress/theme-without-fonts';
import './style.css';

/** The theme's start page has no main landmark: config.ts writes it into the HTML, and this follows the reader's way. */
function markMain(): void {
  const content = document.querySelector('#VPContent');
  if (content?.classList.contains('is-home')) content.setAttribute('role', 'main');
  else content?.removeAttribute('role');
}

export default {
  extends: theme,
  enhanceApp({ router }) {
    if (typeof document === 'undefined') return;
    router.onAfterRouteChange = () => void setTimeout(markMain);
  },
} satisfies Theme;
