// The production version of `#env`: no sentences for errors, no development checks. See env.development.ts.
import type { Interference } from './addons/inspect/interference.ts';
import type { MessageTable } from './support/messages.ts';

export const messages: MessageTable | undefined = undefined;

export const DEV: boolean = false;

// Callers do not test DEV first, because bundlers remove calls of empty functions, and then the code that only these calls use.
export function deepFreeze(_root: unknown, _isUnfinished?: (value: object) => boolean): void {}

export function inDevelopment(_run: () => void): void {}

export function freezePlain(_value: unknown): void {}

export function checkArguments(_list: object, _rows: object, _Coded: unknown): void {}

export function checkResource(
  _options: object,
  _names: readonly string[],
  _Endpoint: unknown,
  _Coded: unknown,
): void {}

export function checkFields(_compiled: object, _Coded: unknown): void {}

export function checkRows(_entity: object, _rows: readonly object[], _Coded: unknown): void {}

export function checkToken(_path: string, _body: unknown, _Coded: unknown): void {}

export function checkChanges(_memory: object, _value: object, _change: object): void {}

export function checkRoles(_rules: object, _isExempt: (name: string) => boolean, _Coded: unknown): void {}

export function printOnce(_owner: object, _subject: string, _text: () => string): void {}

export function noteOwner(_names: WeakMap<object, Set<string>>, _observer: object): void {}

export function createInterference(_Failure: unknown): Interference | undefined {
  return undefined;
}
