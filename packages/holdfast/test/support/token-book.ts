// A server's book of sessions: refresh tokens are good once and each use gives new ones. A refresh token that comes again
// revokes its whole session, as servers with reuse detection do. Counts what the laws of sessions are about.

export interface Tokens {
  readonly userId: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresAt?: number;
}

interface Entry {
  readonly userId: string;
  access: string;
  refresh: string;
  readonly spent: Set<string>;
  isRevoked: boolean;
}

export class TokenBook {
  readonly #entries: Entry[] = [];
  /** Access tokens that time has ended. */
  readonly #expired = new Set<string>();
  #last = 0;
  refreshes = 0;
  /** Refresh tokens that were sent again after they had been used. */
  replays = 0;
  /** Refreshes that ask for a session that nobody knows, or that was revoked. */
  refused = 0;

  logIn(userId: string): Tokens {
    const entry: Entry = { userId, access: '', refresh: '', spent: new Set(), isRevoked: false };
    this.#entries.push(entry);
    return this.#issue(entry);
  }

  /** The new tokens; undefined when the server refuses. */
  renew(refreshToken: string): Tokens | undefined {
    const entry = this.#entries.find((each) => each.refresh === refreshToken || each.spent.has(refreshToken));
    if (entry?.spent.has(refreshToken)) {
      this.replays += 1;
      entry.isRevoked = true;
    }
    if (!entry || entry.isRevoked) {
      this.refused += 1;
      return undefined;
    }
    this.refreshes += 1;
    entry.spent.add(refreshToken);
    return this.#issue(entry);
  }

  /** Whose token it is, if it is good. */
  userOf(accessToken: string | undefined): string | undefined {
    const entry = this.#entries.find(({ access }) => access === accessToken);
    return entry && !entry.isRevoked && !this.#expired.has(entry.access) ? entry.userId : undefined;
  }

  /** Whoever it belongs to, good or not. */
  ownerOf(accessToken: string | undefined): string | undefined {
    return accessToken?.split('.')[0];
  }

  /** Ends all access tokens that are out. */
  expire(): void {
    for (const { access } of this.#entries) this.#expired.add(access);
  }

  /** Ends all sessions that are out. */
  revoke(): void {
    for (const entry of this.#entries) entry.isRevoked = true;
  }

  #issue(entry: Entry): Tokens {
    this.#last += 1;
    entry.access = `${entry.userId}.a${this.#last}`;
    entry.refresh = `${entry.userId}.r${this.#last}`;
    return { userId: entry.userId, accessToken: entry.access, refreshToken: entry.refresh };
  }
}
