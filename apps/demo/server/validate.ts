// Compiles the OpenAPI document's schemas into the checks that every request passes before its
// handler runs. One source for documentation and behaviour: they cannot disagree.
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { document } from './openapi/document.ts';
import type { Operation } from './openapi/parts.ts';
import { ESTIMATE } from './openapi/schemas.ts';
import type { JsonSchema } from './openapi/schemas.ts';
import { invalid, Problem } from './problem.ts';
import type { FieldError } from './problem.ts';

const DOCUMENT = 'openapi';

export interface Validators {
  readonly query: (values: Record<string, string>) => Record<string, unknown>;
  readonly body: (request: Request) => Promise<unknown>;
}

/** An ajv that contains the document, so that `openapi#/components/...` resolves. */
export function createAjv(coerceTypes: boolean): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true, strict: false, coerceTypes, useDefaults: coerceTypes });
  formats.default(ajv);
  ajv.addSchema(document as unknown as JsonSchema, DOCUMENT, undefined, false);
  return ajv;
}

/** The same schema with its local references made absolute, so that it can be compiled on its own. */
export function absolute(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema).replaceAll('"$ref":"#/', `"$ref":"${DOCUMENT}#/`);
  return JSON.parse(text) as JsonSchema; // cast: JSON in, JSON out
}

const bodies = createAjv(false);
const queries = createAjv(true);

export function createValidators(operation: Operation): Validators {
  const parameters = operation.parameters.filter((parameter) => parameter.in === 'query');
  const checkQuery = queries.compile({
    type: 'object',
    properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter.schema])),
    additionalProperties: false,
  });
  const content = operation.requestBody?.content ?? {};
  const mediaTypes = Object.keys(content);
  const schema = content['application/json']?.schema;
  const checkBody = schema && bodies.compile(absolute(schema));

  return {
    query(values) {
      const copy: Record<string, unknown> = { ...values };
      refuse(checkQuery, copy);
      return copy;
    },
    async body(request) {
      if (!checkBody) return undefined;
      const mediaType = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
      if (!mediaTypes.includes(mediaType)) {
        throw new Problem(415, `Send the body as ${mediaTypes.join(' or ')}.`, [], {
          accept: mediaTypes.join(', '),
        });
      }
      let value: unknown;
      try {
        value = JSON.parse(await request.text());
      } catch {
        throw new Problem(400, 'The body is not valid JSON.');
      }
      refuse(checkBody, value);
      return value;
    },
  };
}

/** Checks a value against one schema of the document: returns the errors, field by field. */
export function createCheck(name: string): (value: unknown) => FieldError[] {
  const check = bodies.compile({ $ref: `${DOCUMENT}#/components/schemas/${name}` });
  return (value) => (check(value) ? [] : (check.errors ?? []).map(toFieldError));
}

/** What a pattern asks for, in words. */
const PATTERNS: Readonly<Record<string, string>> = {
  '\\S': 'must not be blank',
  [ESTIMATE]: 'must be a number of days such as 2.5',
};

function refuse(check: ValidateFunction, value: unknown): void {
  if (!check(value)) throw invalid((check.errors ?? []).map(toFieldError));
}

function toFieldError(error: ErrorObject): FieldError {
  const parent = error.instancePath.slice(1).replaceAll('/', '.');
  // for these three the error is a property of the object that ajv points at
  const member =
    error.params['missingProperty'] ?? error.params['additionalProperty'] ?? error.params['propertyName'];
  const field = [parent, member].filter(Boolean).join('.') || 'body';
  return { field, message: toSentence(error) };
}

function toSentence({ keyword, params, message }: ErrorObject): string {
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
      return 'is not a known field';
    case 'minLength':
    case 'minProperties':
      return 'must not be empty';
    case 'maxLength':
      return `must have at most ${params['limit']} characters`;
    case 'enum':
      return `must be one of ${(params['allowedValues'] as string[]).join(', ')}`;
    case 'format':
      return params['format'] === 'date' ? 'must be a day like 2026-11-15' : `must be a ${params['format']}`;
    case 'pattern':
      return PATTERNS[String(params['pattern'])] ?? 'has the wrong form';
    default:
      return message ?? 'is not valid';
  }
}
