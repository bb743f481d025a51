// `holdfast/auth`: sends the session's token with requests and renews it once for all requests and tabs. Re-exports by name.
export { AuthManager } from './addons/auth/auth-manager.ts';
export { localSession } from './addons/auth/session.ts';
export type { Session } from './addons/auth/session.ts';
export { tabChannel } from './addons/auth/session-tabs.ts';
