// The production half of `#env`: no message table, no development checks. See env.development.ts.
import type { MessageTable } from './support/messages.ts';

export const messages: MessageTable | undefined = undefined;

export const DEV: boolean = false;
