// Finds the slots that show data of a node: when the node becomes stale, these slots become stale too.
import { viewsOver } from './graph.ts';
import type { Node } from './graph.ts';
import { Slot } from './slot.ts';

/** The slots that show the node, directly or through other views. */
export function slotsOver(node: Node): Slot[] {
  const subjects = new Set([...viewsOver(node)].map(({ subject }) => subject));
  return [...subjects].filter((subject) => subject instanceof Slot);
}
