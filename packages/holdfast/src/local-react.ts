// `holdfast/local/react`: the hooks for local queries.
'use client';
export { useLocal } from './addons/local/use-local.ts';
