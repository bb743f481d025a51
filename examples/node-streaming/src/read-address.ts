// What an address asks for; the same on both sides.
import type { PageProps } from './app.tsx';

export function readAddress(url: URL): PageProps {
  return {
    articleId: /^\/articles\/([\w-]+)$/.exec(url.pathname)?.[1],
    isWhole: url.searchParams.has('wait'),
  };
}
