// `holdfast/local/react`: the hooks for local queries, and for summaries with their details.
'use client';
export { useCovered } from './addons/local/use-covered.ts';
export { useLocal } from './addons/local/use-local.ts';
