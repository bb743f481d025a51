// The JSON Schemas of the API's payloads: `components.schemas` of the OpenAPI document. validate.ts
// checks every request body against them at run time; the tests check every response.
import { LABELS, PRIORITIES, STATUSES } from '../vocabulary.ts';

/** A JSON Schema as plain data; ajv interprets it. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
export const array = (items: JsonSchema): JsonSchema => ({ type: 'array', items });

/** An object with no other properties than the listed ones; all required unless listed in `optional`. */
function object(properties: Record<string, JsonSchema>, optional: readonly string[] = []): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}

const text = (maxLength: number, minLength = 0): JsonSchema => ({ type: 'string', minLength, maxLength });
const id: JsonSchema = { type: 'string', minLength: 1 };
const count: JsonSchema = { type: 'integer', minimum: 0 };
const dateTime: JsonSchema = { type: 'string', format: 'date-time' };
const hue: JsonSchema = { type: 'integer', minimum: 0, maximum: 359 };

/** Text with at least one character that is not white space. */
const filledText = (maxLength: number): JsonSchema => ({ ...text(maxLength, 1), pattern: '\\S' });

/** A decimal number with at most four digits behind the point. */
export const ESTIMATE = '^(0|[1-9]\\d{0,5})(\\.\\d{1,4})?$';

const issueFields = {
  title: filledText(200),
  description: text(10_000),
  status: { type: 'string', enum: [...STATUSES] },
  priority: { type: 'string', enum: [...PRIORITIES] },
  assigneeId: { type: ['string', 'null'], minLength: 1 },
  labels: { ...array({ type: 'string', enum: [...LABELS] }), maxItems: 8, uniqueItems: true },
  dueDate: { type: ['string', 'null'], format: 'date' },
  estimate: {
    type: ['string', 'null'],
    pattern: ESTIMATE,
    description: 'Days of work as a decimal string, so that no digit is lost: "2.50".',
  },
  rank: {
    ...text(500, 1),
    pattern: '^[0-9A-Za-z]+$',
    description:
      'Where the issue stands in its column: a fractional index (base 62). Between any two there is another; `orderBy=rank` compares them as plain text, then the ids.',
  },
} satisfies Record<string, JsonSchema>;

const OPTIONAL_ON_WRITE = [
  'description',
  'status',
  'priority',
  'assigneeId',
  'labels',
  'dueDate',
  'estimate',
  'rank',
];

const storedIssue = {
  id,
  projectId: id,
  ...issueFields,
  commentCount: count,
  createdAt: dateTime,
  updatedAt: dateTime,
  version: { type: 'integer', minimum: 1 },
};
const comment = {
  id,
  issueId: id,
  author: ref('User'),
  body: filledText(5_000),
  createdAt: dateTime,
  updatedAt: dateTime,
};

export const schemas: Record<string, JsonSchema> = {
  User: object({ id, name: filledText(80), role: text(80), hue }),
  UserPatch: { ...object({ name: filledText(80), role: text(80) }, ['name', 'role']), minProperties: 1 },
  Project: object({
    id,
    name: filledText(80),
    description: text(500),
    hue,
    counts: object(Object.fromEntries(STATUSES.map((status) => [status, count]))),
  }),
  ProjectPatch: {
    ...object({ name: filledText(80), description: text(500) }, ['name', 'description']),
    minProperties: 1,
  },
  IssueSummary: object(storedIssue),
  Issue: {
    ...object({ ...storedIssue, project: ref('Project'), activity: array(ref('Activity')) }),
    description:
      'An issue with its project and its newest activity, so that one answer brings every view up to date.',
  },
  IssueHit: object({
    id,
    projectId: id,
    title: issueFields.title,
    status: issueFields.status,
    priority: issueFields.priority,
    assigneeId: issueFields.assigneeId,
    labels: issueFields.labels,
    version: storedIssue.version,
  }),
  IssuePage: object({
    results: array(ref('IssueSummary')),
    total: { ...count, description: 'How many issues match, over all pages.' },
    cursor: {
      type: 'string',
      description: 'Pass it as `cursor` to get the next page; empty on the last page.',
    },
  }),
  IssueCreate: object({ projectId: id, ...issueFields }, OPTIONAL_ON_WRITE),
  IssueReplace: object(issueFields, OPTIONAL_ON_WRITE),
  IssuePatch: { ...object(issueFields, Object.keys(issueFields)), minProperties: 1 },
  BulkRequest: {
    ...object(
      {
        update: {
          ...array({ type: 'object', properties: { id }, required: ['id'] }),
          description:
            'Each entry, an id beside the fields of `IssuePatch`, is merged into the issue with that id. One with wrong fields fails alone.',
        },
        delete: { ...array(id), uniqueItems: true },
      },
      ['update', 'delete'],
    ),
    minProperties: 1,
  },
  BulkResult: object({
    updated: array(ref('IssueSummary')),
    deleted: array(object({ id })),
    failed: {
      ...array(object({ id, status: { type: 'integer' }, message: { type: 'string', minLength: 1 } })),
      description:
        'The rows that were not changed: 404 there is no such issue, 409 somebody has locked it, 422 a field is not valid.',
    },
    projects: array(ref('Project')),
  }),
  Comment: object(comment),
  CommentWithIssue: object({ ...comment, issue: ref('IssueSummary') }),
  CommentCreate: object({ body: filledText(5_000) }),
  Activity: object({
    id,
    issueId: id,
    projectId: id,
    actor: ref('User'),
    kind: { type: 'string', enum: ['created', 'changed', 'commented', 'deleted', 'restored'] },
    field: { type: ['string', 'null'] },
    before: { type: ['string', 'null'] },
    after: { type: ['string', 'null'] },
    at: dateTime,
  }),
  ActivityPage: object({ results: array(ref('Activity')), total: count, cursor: { type: 'string' } }),
  Session: object({
    user: { oneOf: [ref('User'), { type: 'null' }] },
    expiresAt: {
      type: ['integer', 'null'],
      description:
        'When the access token ends, in milliseconds since 1970. When that is past, a renewal is due and writes are refused until then.',
    },
  }),
  SessionLog: object({
    renewals: count,
    replays: { ...count, description: 'How often a refresh token came that had been used before.' },
  }),
  SessionCreate: object({ userId: id }),
  Problem: {
    ...object(
      {
        type: { type: 'string', format: 'uri-reference' },
        title: { type: 'string' },
        status: { type: 'integer' },
        detail: { type: 'string' },
        errors: array(object({ field: id, message: { type: 'string', minLength: 1 } })),
      },
      ['detail', 'errors'],
    ),
    description: 'RFC 9457. A validation problem lists each field at fault.',
  },
};
