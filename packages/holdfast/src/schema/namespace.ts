// The namespace `schema`: every kind under its contract name. The one barrel of the library: an object literal in its
// place would keep every kind in every bundle.
export { All } from './all.ts';
export { ArraySchema as Array } from './array.ts';
export { Collection } from './collection.ts';
export { Invalidate } from './invalidate.ts';
export { Lazy } from './lazy.ts';
export { ObjectSchema as Object } from './object.ts';
export { Query } from './query.ts';
export { Union } from './union.ts';
export { Values } from './values.ts';
