// `holdfast/auth`: sends the session's headers with requests, and renews the session once for all requests and tabs.
export { AuthManager } from './addons/auth/auth-manager.ts';
export { localSession } from './addons/auth/session.ts';
export type { Session } from './addons/auth/session.ts';
export { tabChannel } from './addons/auth/session-tabs.ts';
