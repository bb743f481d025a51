// The API's operations: `paths` of the OpenAPI document. operations.ts mounts a handler for each
// operationId below, so a route that is not described here cannot exist.
import { LABELS, PRIORITIES, STATUSES } from '../vocabulary.ts';
import { array, ref } from './schemas.ts';
import {
  BAD_BODY,
  COOKIES,
  ETAG,
  INVALID,
  LINK,
  MISSING,
  NOT_MODIFIED,
  STALE,
  UNAUTHENTICATED,
  WRITE,
  header,
  json,
  once,
  operation,
  pathParameter,
  problem,
  query,
  reply,
} from './parts.ts';
import type { Operation } from './parts.ts';

const ONCE = [once('Repeating the request with the same key does nothing more and gives the same answer.')];
const RENEWED_ONCE = [
  once(
    'Repeating a renewal with the same key gives tokens again, unless those of the first answer were used.',
  ),
];
const LIMIT = query('limit', { type: 'integer', minimum: 1, maximum: 500, default: 100 }, 'Page size.');
const PAGE = [
  query(
    'cursor',
    { type: 'string' },
    'Where the page starts: the `cursor` of the page before. Not with `offset`.',
  ),
  query('offset', { type: 'integer', minimum: 0 }, 'How many to skip. Not with `cursor`.'),
  LIMIT,
];
const SORTABLE = [
  'id',
  'title',
  'status',
  'priority',
  'assigneeId',
  'dueDate',
  'estimate',
  'rank',
  'createdAt',
  'updatedAt',
];
const WORDS = query('q', { type: 'string', maxLength: 200 }, 'Words that the id or title contains.');
const ISSUE_FILTERS = [
  query('projectId', { type: 'string' }),
  query('status', { type: 'string', enum: [...STATUSES] }),
  query('priority', { type: 'string', enum: [...PRIORITIES] }),
  query('assigneeId', { type: 'string' }),
  query('label', { type: 'string', enum: [...LABELS] }),
  query('dueBefore', { type: 'string', format: 'date' }, 'Only issues due before that day.'),
  WORDS,
  query(
    'orderBy',
    { type: 'string', enum: SORTABLE.flatMap((name) => [name, `-${name}`]), default: '-createdAt' },
    'A leading minus sorts downwards.',
  ),
];

const issue = [pathParameter('id')];
const ofIssue = [pathParameter('issueId')];
const commentOfIssue = [pathParameter('issueId'), pathParameter('id')];

export const paths: Record<string, Record<string, Operation>> = {
  '/api/session': {
    get: operation('readSession', 'session', 'Who is signed in.', {
      responses: { '200': reply('The session.', ref('Session')) },
    }),
    put: operation('signIn', 'session', 'Sign in as a user. The demo asks for no password.', {
      ...json('SessionCreate'),
      responses: { '200': reply('Signed in.', ref('Session'), COOKIES), ...BAD_BODY },
    }),
    delete: operation('signOut', 'session', 'Sign out: every token of the session is over.', {
      responses: { '204': { description: 'Signed out.', headers: COOKIES } },
    }),
  },
  '/api/session/refresh': {
    post: operation(
      'renewSession',
      'session',
      'Renew the session: a refresh token is good for one renewal.',
      {
        parameters: RENEWED_ONCE,
        security: [{ refresh: [] }],
        responses: {
          '200': reply('New tokens.', ref('Session'), COOKIES),
          '401': problem(
            'There is no refresh token, it is over, or it was used before: then the whole session is over.',
          ),
        },
      },
    ),
  },
  '/api/session/log': {
    get: operation('readSessionLog', 'session', 'How often this session was renewed; also after its end.', {
      responses: { '200': reply('The counts.', ref('SessionLog')) },
    }),
  },
  '/api/users': {
    get: operation('listUsers', 'users', 'Everybody.', {
      responses: { '200': reply('All users.', array(ref('User')), ETAG), ...NOT_MODIFIED },
    }),
  },
  '/api/users/{id}': {
    get: operation('readUser', 'users', 'One user.', {
      parameters: issue,
      responses: { '200': reply('The user.', ref('User'), ETAG), ...NOT_MODIFIED, ...MISSING },
    }),
    patch: operation('patchUser', 'users', 'Change a name or role.', {
      parameters: issue,
      ...json('UserPatch', true),
      responses: { '200': reply('The changed user.', ref('User')), ...WRITE, ...MISSING },
    }),
  },
  '/api/projects': {
    get: operation('listProjects', 'projects', 'All projects with their counts.', {
      responses: { '200': reply('All projects.', array(ref('Project')), ETAG), ...NOT_MODIFIED },
    }),
  },
  '/api/projects/{id}': {
    get: operation('readProject', 'projects', 'One project.', {
      parameters: issue,
      responses: { '200': reply('The project.', ref('Project'), ETAG), ...NOT_MODIFIED, ...MISSING },
    }),
    patch: operation('patchProject', 'projects', 'Change a name or description.', {
      parameters: issue,
      ...json('ProjectPatch', true),
      responses: { '200': reply('The changed project.', ref('Project')), ...WRITE, ...MISSING },
    }),
  },
  '/api/issues': {
    get: operation('listIssues', 'issues', 'Issues: filtered, sorted, by cursor or by offset.', {
      parameters: [...ISSUE_FILTERS, ...PAGE],
      responses: {
        '200': reply('A page.', ref('IssuePage'), { ...ETAG, ...LINK }),
        ...NOT_MODIFIED,
        ...INVALID,
      },
    }),
    post: operation(
      'createIssue',
      'issues',
      'Create an issue: without `rank` it stands on top of its column.',
      {
        parameters: ONCE,
        ...json('IssueCreate'),
        responses: {
          '201': reply('The new issue.', ref('Issue'), { ...ETAG, Location: header('Its address.') }),
          ...WRITE,
        },
      },
    ),
  },
  '/api/search': {
    get: operation('searchIssues', 'issues', 'The issues that were changed last: a few fields of each.', {
      parameters: [WORDS, LIMIT],
      responses: {
        '200': reply('What was found.', array(ref('IssueHit')), ETAG),
        ...NOT_MODIFIED,
        ...INVALID,
      },
    }),
  },
  '/api/issues/bulk': {
    post: operation('bulkIssues', 'issues', 'Change and delete many issues, each row on its own.', {
      parameters: ONCE,
      ...json('BulkRequest'),
      responses: { '200': reply('What became of each row.', ref('BulkResult')), ...WRITE },
    }),
  },
  '/api/issues/{id}': {
    get: operation('readIssue', 'issues', 'One issue with its project and activity.', {
      parameters: issue,
      responses: { '200': reply('The issue.', ref('Issue'), ETAG), ...NOT_MODIFIED, ...MISSING },
    }),
    put: operation(
      'replaceIssue',
      'issues',
      'Replace an issue: what is left out returns to its default; without `rank` it keeps its place.',
      {
        parameters: issue,
        ...json('IssueReplace'),
        responses: { '200': reply('The issue.', ref('Issue'), ETAG), ...WRITE, ...MISSING, ...STALE },
      },
    ),
    patch: operation('patchIssue', 'issues', 'Change the named fields (RFC 7396 merge patch).', {
      parameters: issue,
      ...json('IssuePatch', true),
      responses: { '200': reply('The issue.', ref('Issue'), ETAG), ...WRITE, ...MISSING, ...STALE },
    }),
    delete: operation('deleteIssue', 'issues', 'Delete an issue and its comments; it can be restored.', {
      parameters: issue,
      responses: {
        '200': reply('The issue as it was.', ref('Issue')),
        ...UNAUTHENTICATED,
        ...MISSING,
        ...STALE,
      },
    }),
  },
  '/api/issues/{id}/restore': {
    post: operation('restoreIssue', 'issues', 'Bring a deleted issue back, with its comments.', {
      parameters: [...issue, ...ONCE],
      responses: {
        '200': reply('The issue.', ref('Issue'), ETAG),
        ...UNAUTHENTICATED,
        ...MISSING,
        '409': problem('The issue is not deleted.'),
        ...INVALID,
      },
    }),
  },
  '/api/issues/{issueId}/comments': {
    get: operation('listComments', 'comments', 'The comments of an issue, oldest first.', {
      parameters: ofIssue,
      responses: { '200': reply('All comments.', array(ref('Comment')), ETAG), ...NOT_MODIFIED, ...MISSING },
    }),
    post: operation('createComment', 'comments', 'Comment on an issue.', {
      parameters: [...ofIssue, ...ONCE],
      ...json('CommentCreate'),
      responses: {
        '201': reply('The comment, and its issue.', ref('CommentWithIssue')),
        ...WRITE,
        ...MISSING,
      },
    }),
  },
  '/api/issues/{issueId}/comments/{id}': {
    get: operation('readComment', 'comments', 'One comment.', {
      parameters: commentOfIssue,
      responses: { '200': reply('The comment.', ref('CommentWithIssue'), ETAG), ...NOT_MODIFIED, ...MISSING },
    }),
    patch: operation('patchComment', 'comments', 'Edit a comment.', {
      parameters: commentOfIssue,
      ...json('CommentCreate', true),
      responses: { '200': reply('The comment.', ref('CommentWithIssue')), ...WRITE, ...MISSING },
    }),
    delete: operation('deleteComment', 'comments', 'Delete a comment.', {
      parameters: commentOfIssue,
      responses: {
        '200': reply('The comment as it was.', ref('CommentWithIssue')),
        ...UNAUTHENTICATED,
        ...MISSING,
      },
    }),
  },
  '/api/issues/{issueId}/activity': {
    get: operation('listIssueActivity', 'activity', 'What happened to an issue, newest first.', {
      parameters: ofIssue,
      responses: {
        '200': reply('The newest entries.', array(ref('Activity')), ETAG),
        ...NOT_MODIFIED,
        ...MISSING,
      },
    }),
  },
  '/api/activity': {
    get: operation('listActivity', 'activity', 'What happened everywhere, newest first.', {
      parameters: [query('projectId', { type: 'string' }), ...PAGE],
      responses: {
        '200': reply('A page.', ref('ActivityPage'), { ...ETAG, ...LINK }),
        ...NOT_MODIFIED,
        ...INVALID,
      },
    }),
  },
  '/api/stream': {
    get: operation('streamChanges', 'stream', 'Server-sent events, one per change, resumable.', {
      parameters: [
        {
          name: 'Last-Event-ID',
          in: 'header',
          required: false,
          schema: { type: 'string', pattern: '^\\d+$' },
        },
        query(
          'after',
          { type: 'integer', minimum: 0 },
          'Where to resume, for clients that cannot set the header.',
        ),
        query('client', { type: 'string' }, 'Leave out the creations of requests with this Client-Id.'),
      ],
      responses: {
        '200': {
          description:
            'Messages {op: upsert, type, id, value} and {op: delete, type, id}; {op: ready} first; {op: reset} when the wanted ones are no longer known.',
          content: { 'text/event-stream': { schema: { type: 'string' } } },
        },
        ...INVALID,
      },
    }),
  },
};
