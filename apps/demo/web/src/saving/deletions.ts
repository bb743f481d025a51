// The ids of issues whose deletion has no response yet. Their cards are gone already, so the corner for notices asks where somebody
// else has changed such an issue.
import { ExternalValue } from '../external-value.ts';

export const deletions = new ExternalValue<readonly string[]>([]);

export function noteDeletions(ids: readonly string[], end: Promise<unknown>): void {
  deletions.write([...deletions.read(), ...ids]);
  void end.then(() => deletions.write(deletions.read().filter((id) => !ids.includes(id))));
}
