// The answers of endpoints that show something of a node. Asked when the node comes into doubt, or goes.
import { viewsOver } from './graph.ts';
import type { Node } from './graph.ts';
import { Slot } from './nodes.ts';

/** Through however many views. */
export function slotsOver(node: Node): Slot[] {
  const subjects = new Set([...viewsOver(node)].map(({ subject }) => subject));
  return [...subjects].filter((subject) => subject instanceof Slot);
}
