// The entry of sessions: who is signed in, renewed once for all requests and tabs. Re-exports by name.
export { AuthManager } from './addons/auth/auth-manager.ts';
export { localSession } from './addons/auth/session.ts';
export type { Session } from './addons/auth/session.ts';
export { tabChannel } from './addons/auth/session-tabs.ts';
