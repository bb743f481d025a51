// What a Collection tells the store of a list: who it is, and how it wants its members merged. Made in schema, kept by
// the List in nodes.ts.
import type { Origin, Stamp } from './stamp.ts';

/** The members of a page by the Collection's own merge; the stamp is that of the members it has. */
export type MergePage = (
  present: readonly unknown[],
  incoming: readonly unknown[],
  stamp: Stamp,
  origin: Origin,
) => readonly unknown[];

/** What a list's identity and options say; made once per Collection object and key. */
export interface ListIdentity {
  /** Entity type + scope + canonical key, as one text. */
  readonly id: string;
  /** The key's members as text, in their own order; null for a list that takes no part in filters. */
  readonly key: ReadonlyMap<string, string> | null;
  /** The key's names that filter rows; the rest (sort orders and so on) do not decide membership. */
  readonly filterNames: readonly string[];
  readonly hasOrder: boolean;
  /** Whether membership follows fields, or only the server decides. */
  readonly followsFields: boolean;
  /** Whether members have names: Values instead of an Array. */
  readonly isKeyed: boolean;
}
