// Checks real exchanges against the OpenAPI document: status, media type, required headers and body of each response. Records
// which (operation, status) pairs it saw.
import { paths } from '../server/openapi/paths.ts';
import type { Operation } from '../server/openapi/parts.ts';
import type { JsonSchema } from '../server/openapi/schemas.ts';
import { absolute, createAjv } from '../server/validate.ts';

interface ResponseDescription {
  headers?: Record<string, JsonSchema>;
  content?: Record<string, { schema: JsonSchema }>;
}

const ajv = createAjv(false);

export class Conformity {
  readonly seen = new Set<string>();

  /** Every (operation, status) pair that the document promises. */
  get promised(): string[] {
    return Object.values(paths).flatMap((methods) =>
      Object.values(methods).flatMap((operation) =>
        Object.keys(operation.responses).map((status) => `${operation.operationId} ${status}`),
      ),
    );
  }

  /** Throws when the response is not one that the document describes for this request. */
  async check(method: string, path: string, response: Response): Promise<unknown> {
    const operation = findOperation(method, path);
    const name = `${operation.operationId} ${response.status}`;
    const description = operation.responses[String(response.status)] as ResponseDescription | undefined;
    if (!description) throw new Error(`${name} is not in the document`);
    this.seen.add(name);

    for (const header of Object.keys(description.headers ?? {})) {
      // a Link header exists only when there is another page
      if (header !== 'Link' && !response.headers.has(header))
        throw new Error(`${name} lacks the header ${header}`);
    }
    const text = await response.text();
    if (!description.content) {
      if (text !== '') throw new Error(`${name} has a body: ${text}`);
      return undefined;
    }
    const mediaType = response.headers.get('content-type')?.split(';')[0] ?? '';
    const content = description.content[mediaType];
    if (!content) throw new Error(`${name} came as ${mediaType}`);
    const value: unknown = JSON.parse(text);
    const validate = ajv.compile(absolute(content.schema));
    if (!validate(value))
      throw new Error(`${name}: ${ajv.errorsText(validate.errors)} in ${text.slice(0, 500)}`);
    return value;
  }
}

function findOperation(method: string, path: string): Operation {
  const pathname = path.split('?')[0] ?? '';
  for (const [template, methods] of Object.entries(paths)) {
    const pattern = new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    const operation = methods[method.toLowerCase()];
    // literal paths precede templates in the document, so /issues/bulk is found first
    if (operation && pattern.test(pathname)) return operation;
  }
  throw new Error(`${method} ${pathname} is not in the document`);
}
