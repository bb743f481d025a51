import { fileURLToPath } from 'node:url';
import type { NextConfig } from 'next';

const config: NextConfig = {
  // the repository's root, where the packages are
  turbopack: { root: fileURLToPath(new URL('../..', import.meta.url)) },
};

export default config;
