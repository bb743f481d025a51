// Rules that the reference client can break on demand, one at a time: the simulator has to notice each.

export const DEFECTS = [
  'order by the wall clock',
  'no tombstones',
  'a fetch joins any request in flight',
  'a failure removes every layer',
  'a response removes every layer',
  'a late read replaces a write',
  'calls of one row leave together',
  'an older list replaces a newer one',
  'a list read forgets creations',
  'no epochs',
  'reset leaves promises waiting',
  'rows change in place',
  'watchers are notified of every change',
  'watchers miss removals',
  'moved rows stay',
  'moved rows do not arrive',
  'unknown ends stay fresh',
  'an older response ends an invalidation',
  'no time limit',
  'a draft stays beside its row',
  'edits of a draft are sent with its local id',
  'a 404 is only an error',
  'an empty response rolls the intent back',
  'an id alone counts as the whole row',
  'lists hold new arrays',
  'a write of a row that was never read leaves no mark',
  'one fresh page makes all pages fresh',
] as const;

export type Defect = (typeof DEFECTS)[number];
