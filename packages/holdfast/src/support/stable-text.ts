// The canonical string of arguments: the keys of endpoints and of look-ups in the store contain it. Equal data gives the same string
// in any order of its properties. Beyond the two limits below, the same parts must also be shared objects in both values.
//
//   different strings   plain data, Maps, Sets, forms and typed arrays that differ: NaN is not null, 1n is not 1, a Map is not {}
//   the same string     -0 and 0; an undefined and an absent property; a value with `toJSON` and the result of `toJSON`; an
//                       ArrayBuffer or a DataView and the Uint8Array of its bytes; all references to an enclosing object
//   without a name      Values that `nameOf` does not name: all functions have the same string, symbols differ by their description,
//                       Blobs by their size and type, and any other object, such as a RegExp or an Error, by its enumerable
//                       properties alone, so that its string is usually {}
import { ensure } from './ensure.ts';
import { hasToJson, isObject, tagOf } from './plain.ts';

type NamedMembers = Readonly<Record<string, unknown>>;

/** A name for an object that is compared by identity; undefined for an object that is compared by content. */
type NameOf = (value: object | symbol) => string | undefined;

/**
 * Up to this many levels are written in place. Deeper objects are written after them, because arguments may nest deeper than the
 * call stack.
 */
const LEVELS_IN_PLACE = 100;
/**
 * Up to this many objects are written in place. Each further object is written once and then referred to, because an object that
 * is shared many times would otherwise be written as often.
 */
const OBJECTS_IN_PLACE = 1e4;

/** JSON with sorted properties, and a tagged form for values that JSON would drop or treat as equal. */
export function stableText(root: unknown, nameOf?: NameOf): string {
  const deep = new Map<unknown, number>([[root, 0]]);
  let objects = 0;

  const textOf = (value: unknown, above: readonly unknown[]): string => {
    if (typeof value === 'string') return JSON.stringify(value);
    if (typeof value === 'bigint') return `${value}n`;
    if (typeof value === 'symbol') return nameOf?.(value) ?? String(value);
    if (typeof value === 'function') return nameOf?.(value) ?? '(function)';
    if (!isObject(value)) return String(value); // the same string for -0 and 0
    objects += 1;
    const name = nameOf?.(value) ?? (above.includes(value) ? '(cycle)' : undefined);
    if (name !== undefined) return name;
    if (above.length < (objects < OBJECTS_IN_PLACE ? LEVELS_IN_PLACE : 1))
      return membersOf(value, [...above, value]);
    return `(part ${ensure(deep, value, () => deep.size)})`;
  };

  // Arrays in template strings are joined by commas.
  const membersOf = (value: object, above: readonly unknown[]): string => {
    const text = (member: unknown): string => textOf(member, above);
    if (Array.isArray(value)) return `[${value.map(text)}]`;
    if (hasToJson(value)) return text(value.toJSON());
    const tag = tagOf(value);
    // Maps, sets, forms, headers, typed arrays.
    if (Symbol.iterator in value) return `(${tag} ${text([...(value as Iterable<unknown>)])})`; // cast: checked by `in`
    if (/Buffer|View/.test(tag)) {
      const { buffer = value as ArrayBuffer, byteOffset, byteLength } = value as Partial<DataView>; // casts: by its tag
      return text(new Uint8Array(buffer, byteOffset, byteLength));
    }
    if (/^(Blob|File)$/.test(tag)) {
      const { size, type } = value as Blob; // cast: by its tag
      return `(Blob ${size} ${JSON.stringify(type)})`;
    }
    // casts: read by its own names only
    const names = Object.keys(value).filter((name) => (value as NamedMembers)[name] !== undefined);
    return `{${names.sort().map((name) => `${JSON.stringify(name)}:${text((value as NamedMembers)[name])}`)}}`;
  };

  let text = '';
  for (const start of deep.keys()) text += textOf(start, []); // `deep` grows in the loop
  return text;
}
