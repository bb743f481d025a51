// data-client's react 0.10 was compiled with a Babel helper that writes React elements of version 18 as plain
// objects, which React 19 refuses. The bundle gives it a helper that asks React; nothing else of it is touched.
import type { Plugin } from 'esbuild';

const helper = `import { createElement } from 'react';
export default (type, props, key, ...children) => createElement(type, key === undefined ? props : { ...props, key }, ...children);`;

export function replaceOldJsxHelper(resolveDir: string): Plugin {
  return {
    name: 'replace-old-jsx-helper',
    setup(build) {
      build.onLoad({ filter: /@babel[/\\]runtime[/\\]helpers[/\\](esm[/\\])?jsx\.js$/ }, () => ({
        contents: helper,
        loader: 'js',
        resolveDir,
      }));
    },
  };
}
