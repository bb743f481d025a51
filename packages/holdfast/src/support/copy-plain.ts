// Copies the arrays and plain objects of a payload that belongs to somebody else, so that a change to it afterwards
// cannot reach the store. Other objects (dates, users' classes) are kept.
import { isPlain, mapPlain } from './map-plain.ts';

export function copyPlain(root: unknown): unknown {
  return isPlain(root) ? mapPlain(root, (leaf) => leaf) : root;
}
