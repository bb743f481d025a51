// Builds both halves: `vite build` the browser's, with a manifest of its files; `vite build --ssr` the server's, as one
// module with everything in it.
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig(({ isSsrBuild }) => ({
  root: import.meta.dirname,
  plugins: [react()],
  define: { 'process.env.NODE_ENV': '"production"' },
  ssr: { noExternal: true },
  logLevel: 'warn',
  build: isSsrBuild
    ? { outDir: 'dist/server', rolldownOptions: { input: 'src/render.tsx' } }
    : { outDir: 'dist/client', manifest: true, rolldownOptions: { input: 'src/client.tsx' } },
}));
