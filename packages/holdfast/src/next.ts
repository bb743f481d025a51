// The entry for Next.js: the provider for its App Router. Hooks come from `holdfast/react`. Re-exports by name.
'use client';
export { NextDataProvider as DataProvider } from './addons/next/provider.ts';
