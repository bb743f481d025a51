// The last deletion, for as long as one click can undo it. Deleting and restoring are two separate requests: nothing is delayed
// in the meantime.
import { ExternalValue } from '../external-value.ts';

export interface Deletion {
  readonly ids: readonly string[];
  /** The deleted issue, for people. */
  readonly label: string;
}

export const lastDeletion = new ExternalValue<Deletion | null>(null);

/** Removes the offer, unless something else was deleted since. */
export function withdraw(deletion: Deletion): void {
  if (lastDeletion.read() === deletion) lastDeletion.write(null);
}
