// The namespace `schema`: every kind under its contract name. The one barrel of the library: an object literal in its
// place would keep every kind in every bundle.
export { All } from './kinds/all.ts';
export { ArraySchema as Array } from './kinds/array.ts';
export { Collection } from './collection/collection.ts';
export { Invalidate } from './kinds/invalidate.ts';
export { Lazy } from './kinds/lazy.ts';
export { ObjectSchema as Object } from './kinds/object.ts';
export { Query } from './kinds/query.ts';
export { Union } from './kinds/union.ts';
export { Values } from './kinds/values.ts';
