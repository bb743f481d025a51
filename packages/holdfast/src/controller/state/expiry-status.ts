// How good stored data is: the word that `getResponse`, observers and snapshots give with it.

/** How good stored data is. */
export const ExpiryStatus = {
  /** Must not be shown: it was invalidated, or a required part is gone. */
  Invalid: 1,
  /** May be shown while fresh only. */
  InvalidIfStale: 2,
  /** May be shown; refetched in the background when stale. */
  Valid: 3,
} as const;
export type ExpiryStatus = (typeof ExpiryStatus)[keyof typeof ExpiryStatus];
