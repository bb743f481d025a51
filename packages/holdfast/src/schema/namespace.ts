// The public namespace `schema`: schema classes under their public names. They are re-exports, because bundlers can drop unused
// ones; an object with all of them would stay whole in every bundle.
export { All } from './kinds/all.ts';
export { ArraySchema as Array } from './kinds/array.ts';
export { Collection } from './collection/collection.ts';
export { Invalidate } from './kinds/invalidate.ts';
export { Lazy } from './kinds/lazy.ts';
export { ObjectSchema as Object } from './kinds/object.ts';
export { Query } from './kinds/query.ts';
export { Union } from './kinds/union.ts';
export { Values } from './kinds/values.ts';
