// SWR has no engine to speak of outside React; here only its key serializer. bench/render has the rest.
import { unstable_serialize } from 'swr';

import type { Contestant } from './contestant.ts';

export const swr: Contestant = {
  name: 'SWR',
  packageName: 'swr',
  createKey: () => (id) => unstable_serialize(['item', { id }]),
};
