// What a pending guess hides, such as a row that is being deleted: its readers wait for the end of the mutation. Asking
// the server would bring the row again, and it would be hidden again.
import { ExpiryStatus } from '../state/expiry-status.ts';
import type { Core } from '../state/core.ts';
import type { Observation } from '../slot/read-slot.ts';

export function isHidden(core: Core, seen: Observation, now: number): boolean {
  const isFresh = seen.isOwn && seen.expiresAt > now && seen.error === undefined;
  if (!isFresh || seen.expiryStatus !== ExpiryStatus.Invalid) return false;
  return core.engine.store.intents.some(({ answeredAt }) => answeredAt === 0);
}
