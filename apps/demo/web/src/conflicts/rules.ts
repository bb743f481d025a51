// What happens when somebody else has changed an issue since it was read. The server knows the versions of issues, and each endpoint
// that changes one says which version it is for (resources/issue.ts). Labels join, a place gives way to the last drag, and about
// everything else the visitor is asked (field-choice.tsx).
import { HttpSemantics, set } from 'holdfast/http';
import { Issue } from '../resources/issue.ts';

export const http = new HttpSemantics({
  // a response whose tag is known is not read again; the endpoints and the stream decide how long data is fresh
  expiry: false,
  conflicts: {
    // a row of a bulk change is locked (409): that is no question of versions
    statuses: [412],
    merge: [[Issue, { labels: set, rank: (_base, mine) => mine }]],
    resolve: 'ask',
  },
});
