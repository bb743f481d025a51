// The error responses of the API: RFC 9457 problem documents. Handlers throw a Problem, app.ts turns it into the response; a
// validation problem contains each wrong field.

export interface FieldError {
  /** The wrong body property or query parameter, e.g. `title` or `labels.2`. */
  field: string;
  message: string;
}

export interface ProblemDocument {
  type: string;
  title: string;
  status: number;
  detail?: string;
  errors?: FieldError[];
}

const TITLES: Record<number, string> = {
  400: 'Bad request',
  401: 'Not signed in',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  412: 'Changed meanwhile',
  415: 'Unsupported media type',
  422: 'Invalid input',
  500: 'Internal error',
  503: 'Unavailable',
};

export class Problem extends Error {
  readonly status: number;
  readonly errors: readonly FieldError[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    detail: string,
    errors: readonly FieldError[] = [],
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail);
    this.name = 'Problem';
    this.status = status;
    this.errors = errors;
    this.headers = headers;
  }

  toResponse(): Response {
    const document: ProblemDocument = {
      type: 'about:blank',
      title: TITLES[this.status] ?? 'Error',
      status: this.status,
      detail: this.message,
    };
    if (this.errors.length > 0) document.errors = [...this.errors];
    return new Response(JSON.stringify(document), {
      status: this.status,
      headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...this.headers },
    });
  }
}

export function notFound(type: string, id: string): Problem {
  return new Problem(404, `There is no ${type} ${id}.`);
}

export function invalid(errors: readonly FieldError[]): Problem {
  const fields = [...new Set(errors.map((error) => error.field))].join(', ');
  return new Problem(422, `Please check: ${fields}.`, errors);
}
