// The signed-in users. A session is a family of tokens: short-lived access tokens that identify the writer, and refresh tokens
// that are valid for one renewal each. A refresh token that is used a second time was stolen or lost, so it ends its whole
// session. Tokens are stored as hashes only; routes/session.ts sends them in cookies.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Database, Row } from './database.ts';
import { Problem } from './problem.ts';

/** How long an access token is valid. `DEMO_ACCESS_SECONDS` changes it for `npm start`. */
export const DEFAULT_ACCESS_SECONDS = 300;
const REFRESH_SECONDS = 30 * 86_400;

export interface Tokens {
  readonly userId: string;
  readonly access: string;
  readonly accessSeconds: number;
  readonly refresh: string;
  readonly refreshSeconds: number;
  readonly expiresAtMs: number;
}

/** The tokens that a request carries. */
export interface Shown {
  readonly access?: string | undefined;
  readonly refresh?: string | undefined;
}

export interface SessionOptions {
  /** Default: {@link DEFAULT_ACCESS_SECONDS}. */
  readonly accessSeconds?: number | undefined;
  /** The time in milliseconds. Default: Date.now. */
  readonly now?: (() => number) | undefined;
}

export class SessionStore {
  readonly #db: Database;
  readonly #accessSeconds: number;
  readonly #now: () => number;

  constructor(db: Database, options: SessionOptions = {}) {
    this.#db = db;
    this.#accessSeconds = options.accessSeconds ?? DEFAULT_ACCESS_SECONDS;
    this.#now = options.now ?? Date.now;
  }

  /** Signs a user in and ends the session before. */
  start(userId: string, shown: Shown = {}): Tokens {
    return this.#db.transaction(() => {
      this.#forget();
      this.#revoke(this.#find(shown));
      const id = randomUUID();
      this.#db.run('insert into session (id, user_id) values (?, ?)', id, userId);
      return this.#issue(id, userId);
    });
  }

  /**
   * New tokens for a refresh token. `key` identifies this renewal: repeated with the same key, because the response was lost, it
   * gives new tokens again as long as nobody has used the lost ones.
   */
  renew(refresh: string | undefined, key: string | undefined): Tokens {
    // the refusal is thrown outside of the transaction, because the end of the session must be written in any case
    const tokens = this.#db.transaction(() => {
      const token = this.#live(refresh, 'refresh');
      if (!token) return undefined;
      const hash = String(token['hash']);
      const session = String(token['session_id']);
      if (token['is_used'] === 1 && !this.#isRepeated(token, key)) {
        this.#db.run('update session set replays = replays + 1 where id = ?', session);
        this.#revoke(session);
        return undefined;
      }
      // the tokens of the lost response are removed: the page that repeats never had them
      this.#db.run('delete from token where parent = ?', hash);
      if (token['is_used'] === 0) {
        const usedKey = key === undefined ? null : hashOf(key);
        this.#db.run('update token set is_used = 1, used_key = ? where hash = ?', usedKey, hash);
        this.#db.run('update session set renewals = renewals + 1 where id = ?', session);
      }
      return this.#issue(session, String(token['user_id']), hash);
    });
    if (!tokens) throw new Problem(401, 'The session is over. Sign in again: PUT /api/session.');
    return tokens;
  }

  /** The user who may write with this access token. */
  readWriter(access: string | undefined): string | undefined {
    return this.#live(access, 'access')?.['user_id'] as string | undefined;
  }

  /** The signed-in user, also when only a renewal is due: then `expiresAtMs` is past. */
  read(shown: Shown): { userId: string; expiresAtMs: number } | undefined {
    const token = this.#live(shown.access, 'access') ?? this.#live(shown.refresh, 'refresh');
    if (!token) return undefined;
    const newest = this.#db.get(
      "select max(expires_at) n from token where session_id = ? and kind = 'access'",
      String(token['session_id']),
    );
    const expiresAtMs = Number(token['kind'] === 'access' ? token['expires_at'] : (newest?.['n'] ?? 0));
    return { userId: String(token['user_id']), expiresAtMs };
  }

  /** How often the session was renewed, and how often with a token that was used before. */
  readLog(shown: Shown): { renewals: number; replays: number } {
    const row = this.#db.get('select * from session where id = ?', this.#find(shown) ?? '');
    return { renewals: Number(row?.['renewals'] ?? 0), replays: Number(row?.['replays'] ?? 0) };
  }

  end(shown: Shown): void {
    this.#db.transaction(() => this.#revoke(this.#find(shown)));
  }

  /** A token that has not expired, of a session that has not ended, with the user of that session. */
  #live(token: string | undefined, kind: 'access' | 'refresh'): Row | undefined {
    if (token === undefined) return undefined;
    return this.#db.get(
      `select token.*, user_id from token join session on session.id = session_id
       where hash = ? and kind = ? and expires_at > ? and is_revoked = 0`,
      hashOf(token),
      kind,
      this.#now(),
    );
  }

  /** The session of the tokens, ended or not. */
  #find(shown: Shown): string | undefined {
    for (const token of [shown.access, shown.refresh]) {
      const row = token && this.#db.get('select session_id from token where hash = ?', hashOf(token));
      if (row) return String(row['session_id']);
    }
    return undefined;
  }

  #isRepeated(token: Row, key: string | undefined): boolean {
    const isSameKey = key !== undefined && token['used_key'] === hashOf(key);
    const sql = 'select 1 from token where parent = ? and is_used = 1';
    return isSameKey && this.#db.get(sql, String(token['hash'])) === undefined;
  }

  #revoke(session: string | undefined): void {
    if (session !== undefined) this.#db.run('update session set is_revoked = 1 where id = ?', session);
  }

  #issue(session: string, userId: string, parent: string | null = null): Tokens {
    const [access, refresh] = [createToken(), createToken()];
    const nowMs = this.#now();
    const expiresAtMs = nowMs + this.#accessSeconds * 1000;
    const isOver = "session_id = ? and kind = 'access' and expires_at <= ?";
    this.#db.run(`delete from token where ${isOver}`, session, nowMs);
    const sql = 'insert into token (hash, session_id, kind, expires_at, parent) values (?, ?, ?, ?, ?)';
    this.#db.run(sql, hashOf(access), session, 'access', expiresAtMs, parent);
    this.#db.run(sql, hashOf(refresh), session, 'refresh', nowMs + REFRESH_SECONDS * 1000, parent);
    return {
      userId,
      access,
      accessSeconds: this.#accessSeconds,
      refresh,
      refreshSeconds: REFRESH_SECONDS,
      expiresAtMs,
    };
  }

  /** Removes sessions whose last token has expired. */
  #forget(): void {
    const nowMs = this.#now();
    this.#db.run("delete from token where expires_at <= ? and kind = 'refresh'", nowMs);
    this.#db.run(
      "delete from session where not exists (select 1 from token where session_id = session.id and kind = 'refresh')",
    );
  }
}

function createToken(): string {
  return randomBytes(32).toString('base64url');
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
