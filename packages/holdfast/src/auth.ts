// The entry of sessions: who is signed in, renewed once for all requests and tabs. Re-exports by name.
export { AuthManager } from './dispatch/auth-manager.ts';
export { DEFAULT_REFRESH_TIMEOUT_MS, DEFAULT_RENEW_BEFORE_MS } from './dispatch/auth-options.ts';
export type { AuthOptions } from './dispatch/auth-options.ts';
export { localSession } from './dispatch/session.ts';
export type { Session, SessionStore } from './dispatch/session.ts';
export { tabChannel } from './dispatch/session-tabs.ts';
export type { SessionChannel, SessionLock } from './dispatch/session-tabs.ts';
