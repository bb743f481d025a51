// The parts of paths.ts: parameters, responses, problems.
import { ref } from './schemas.ts';
import type { JsonSchema } from './schemas.ts';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly required: true;
    readonly content: Record<string, { schema: JsonSchema }>;
  };
  readonly responses: Record<string, JsonSchema>;
  /** The tokens that it needs, by the names in document.ts. */
  readonly security?: readonly Record<string, readonly never[]>[];
}

export const pathParameter = (name: string): Parameter => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string', minLength: 1 },
});
export const query = (name: string, schema: JsonSchema, description?: string): Parameter => ({
  name,
  in: 'query',
  required: false,
  ...(description ? { description } : {}),
  schema,
});

/** A header that identifies a request, so that it can be repeated after its response was lost. */
export const once = (description: string): Parameter => ({
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description,
  schema: { type: 'string', minLength: 1, maxLength: 200 },
});

export const header = (description: string): JsonSchema => ({ description, schema: { type: 'string' } });
export const ETAG = {
  ETag: header(
    'Send it back as If-None-Match, or as If-Match when writing. The tag of an issue begins with its version, and If-Match "7" is for version 7.',
  ),
};
export const COOKIES = { 'Set-Cookie': header('demo_access and demo_refresh; no script reads them.') };
export const LINK = { Link: header('RFC 8288 links: next, and for offset paging first, prev and last.') };

export const reply = (description: string, schema: JsonSchema, headers: JsonSchema = {}): JsonSchema => ({
  description,
  headers,
  content: { 'application/json': { schema } },
});
export const problem = (description: string): JsonSchema => ({
  description,
  content: { 'application/problem+json': { schema: ref('Problem') } },
});

export const NOT_MODIFIED = {
  '304': { description: 'What If-None-Match names is still current.', headers: ETAG },
};
export const UNAUTHENTICATED = { '401': problem('Nobody is signed in, or the access token is over.') };
export const MISSING = { '404': problem('There is no such thing.') };
export const INVALID = { '422': problem('A field or parameter is not valid; `errors` names it.') };
export const BAD_BODY = {
  '400': problem('The body is not JSON.'),
  '415': problem('The body is not declared as JSON.'),
  ...INVALID,
};
export const STALE = { '412': problem('If-Match names another version than the stored one.') };
export const WRITE = { ...BAD_BODY, ...UNAUTHENTICATED };

export const json = (name: string, merge = false): Pick<Operation, 'requestBody'> => ({
  requestBody: {
    required: true,
    content: {
      'application/json': { schema: ref(name) },
      ...(merge ? { 'application/merge-patch+json': { schema: ref(name) } } : {}),
    },
  },
});

export const operation = (
  operationId: string,
  tag: string,
  summary: string,
  parts: Partial<Operation> & Pick<Operation, 'responses'>,
): Operation => ({
  operationId,
  summary,
  tags: [tag],
  parameters: [],
  // an operation that may respond with 401 needs the access token
  ...('401' in parts.responses ? { security: [{ access: [] }] } : {}),
  ...parts,
});
