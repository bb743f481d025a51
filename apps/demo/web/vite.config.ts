// Builds the page into web/dist, which the server sends. `npm run dev -w demo` serves it with reloading and forwards /api to a
// running `npm start`, at PORT where that was set.
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { readings } from './reading-plugin.ts';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react({ compiler: true }), readings()],
  // prerender.ts looks up the names of the built files there
  build: {
    manifest: true,
    // the views that are loaded on demand share most of the library and the page's small parts: cut up, they would compress worse
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'shared',
              test: /(?:holdfast.dist.(?!.*inspect|(?:addons.)?local)|src.(?:ui|resources(?!.search)|saving|navigation|board|home|keyboard.shortcuts|work.use).)/,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': `http://127.0.0.1:${process.env['PORT'] ?? 4173}` } },
});
