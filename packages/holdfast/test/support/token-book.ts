// The sessions of a server: a refresh token can be used once, and each use gives new tokens. A refresh token that is used again
// revokes its whole session, as on servers with reuse detection. Counts the events that the laws of sessions limit.

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
  /** Access tokens that have expired. */
  readonly #expired = new Set<string>();
  #last = 0;
  refreshes = 0;
  /** Refresh tokens that were sent again after they had been used. */
  replays = 0;
  /** Refreshes for an unknown or revoked session. */
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

  /** The user of a valid access token. */
  userOf(accessToken: string | undefined): string | undefined {
    const entry = this.#entries.find(({ access }) => access === accessToken);
    return entry && !entry.isRevoked && !this.#expired.has(entry.access) ? entry.userId : undefined;
  }

  /** The user of an access token, valid or not. */
  ownerOf(accessToken: string | undefined): string | undefined {
    return accessToken?.split('.')[0];
  }

  /** Expires all access tokens. */
  expire(): void {
    for (const { access } of this.#entries) this.#expired.add(access);
  }

  /** Ends all sessions. */
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
