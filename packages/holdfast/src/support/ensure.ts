// A look-up that makes a missing value.

/** The value of the key in the map. If the map has no value for the key, `create` makes one. */
export function ensure<K, V>(
  map: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  create: (key: K) => V,
): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = create(key)));
  return value;
}
