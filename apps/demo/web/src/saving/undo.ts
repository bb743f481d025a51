// What was deleted last, for as long as it can be brought back by one click. Deleting and bringing back are two requests of
// their own: nothing is held back in the meantime.
import { ExternalValue } from '../external-value.ts';

export interface Deletion {
  readonly ids: readonly string[];
  /** What was deleted, for people. */
  readonly label: string;
}

export const lastDeletion = new ExternalValue<Deletion | null>(null);

/** Takes the offer back, unless something else was deleted since. */
export function withdraw(deletion: Deletion): void {
  if (lastDeletion.read() === deletion) lastDeletion.write(null);
}
