// What no answer could know: rows of which something newer is stored, and what only guesses show. A declared order judges answers
// without them.
import { isEqual } from '../../store/fields.ts';
import { viewsOver } from '../../store/graph.ts';
import { Row } from '../../store/nodes.ts';
import type { Stamp } from '../../store/stamp.ts';
import type { Store } from '../../store/store.ts';

/** Whether more is known of the row than an answer with this stamp, one of those of these dates, could tell. */
export function isNewer(subject: unknown, { fetchedAt }: Stamp, dates: ReadonlySet<number>): boolean {
  if (!(subject instanceof Row)) return false;
  const { stamp, staleSince } = subject;
  // what was restored has no place on the line, but times
  return staleSince > fetchedAt || (!dates.has(stamp.date) && (stamp.fence || stamp.date) > fetchedAt);
}

/** The values of all views that pending guesses change. */
export function guessedIn({ intents }: Store): ReadonlySet<unknown> {
  const nodes = new Set([...intents].flatMap(({ laid }) => [...laid.values()]));
  const changed = [...nodes].filter(({ base, shown }) => !isEqual(base, shown));
  return new Set(changed.flatMap((node) => [...viewsOver(node)].map(({ value }) => value)));
}
