// Look-ups that make what they do not find. Used by every folder that keeps maps.

/** What the map has under the key, made where there is nothing. */
export function ensure<K, V>(
  map: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  create: () => V,
): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = create()));
  return value;
}
