// The entry of sessions: who is signed in, renewed once for all requests and tabs. Re-exports by name.
export { AuthManager } from './addons/auth/auth-manager.ts';
export { DEFAULT_REFRESH_TIMEOUT_MS, DEFAULT_RENEW_BEFORE_MS } from './addons/auth/options.ts';
export type { AuthOptions } from './addons/auth/options.ts';
export { localSession } from './addons/auth/session.ts';
export type { Session, SessionStore } from './addons/auth/session.ts';
export { tabChannel } from './addons/auth/session-tabs.ts';
export type { SessionChannel, SessionLock } from './addons/auth/session-tabs.ts';
