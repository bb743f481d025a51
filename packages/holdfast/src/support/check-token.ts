// Warns in development when the first response of a list in pages lacks the path of the next page's token, and has a property of a
// similar name. This file is part of `#env`, so that production does not ship it.
import type { CodedError } from './check-resource.ts';
import { nearName } from './near-name.ts';
import { isRecord } from './plain.ts';

export function checkToken(path: string, body: unknown, Coded: CodedError): void {
  const names = path.split('.');
  const last = names.at(-1)!; // a path has a part
  const parent = names
    .slice(0, -1)
    .reduce((part: unknown, name) => (isRecord(part) ? part[name] : undefined), body);
  // The response is no object; or it has the property, so its value counts: null or undefined ends the list.
  if (!isRecord(body) || (isRecord(parent) && last in parent)) return;
  const inside = Object.entries(body).flatMap(([name, part]) =>
    isRecord(part) ? Object.keys(part).map((inner) => `${name}.${inner}`) : [],
  );
  const found = [...Object.keys(body), ...inside].find((name) =>
    isSimilarName(name.split('.').at(-1)!, last),
  ); // as above
  // oxlint-disable-next-line no-console -- a warning of development
  if (found) console.warn(new Coded('PAGE_TOKEN_MISSING', { path, found }).message);
}

function isSimilarName(left: string, right: string): boolean {
  const [one, other] = [left, right].map((name) => name.replaceAll(/[_-]/g, '').toLowerCase()) as [
    string,
    string,
  ]; // cast: two names
  return one.includes(other) || nearName(right, [left]) !== undefined;
}
