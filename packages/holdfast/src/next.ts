// `holdfast/next`: the provider for the App Router of Next.js. Hooks come from `holdfast/react`.
'use client';
export { NextDataProvider as DataProvider } from './addons/next/provider.ts';
