// Reads the body of a successful answer, and the problem in a failed one. RestEndpoint.parseResponse is `readResponse`;
// an override gets the Response itself, headers included.
import { ConnectionError, ParseError } from '../support/network-errors.ts';
import type { Problem, RequestName } from '../support/network-errors.ts';

/** How an endpoint wants the body read. */
export type ResponseContent = 'json' | 'text' | 'blob' | 'arrayBuffer' | 'stream';

export interface ReadOptions {
  readonly content: ResponseContent | undefined;
  /** True when something after this step can only use data: a schema. */
  readonly needsData: boolean;
  readonly isMutation: boolean;
}

const TEXT_TYPES = /^text\/|xml|html|javascript|css|csv|urlencoded|ecmascript|yaml/i;
const FOUND_HTML = 'expected JSON, found HTML: is the URL right, and does the server route it?';
const LARGEST_PROBLEM_BYTES = 1_000_000;

/** The value of a body. Bodies that cannot be there (204, 205, 304, HEAD) give null; empty ones too, unless `content` says what they are. */
export async function readResponse(
  response: Response,
  request: RequestName,
  options: ReadOptions,
): Promise<unknown> {
  const { status, headers } = response;
  const { content, needsData, isMutation } = options;
  const refuse = (reason: string, cause?: unknown): never => {
    throw new ParseError(request, response, reason, cause === undefined ? undefined : { cause });
  };
  if (status === 204 || status === 205 || status === 304 || request.method === 'HEAD') return null;
  if (content === undefined && headers.get('content-length') === '0') return null;
  const type = headers.get('content-type') ?? '';
  if (content === 'stream') return response.body;
  if (content === 'blob' || content === 'arrayBuffer') return read(response, request, content);
  const isJson = content === 'json' || (content === undefined && /json/i.test(type));
  if (!isJson && content === undefined && type !== '' && !TEXT_TYPES.test(type)) {
    if (!needsData) return read(response, request, 'blob');
    return isMutation ? null : refuse(`expected JSON, the content type is ${type}`);
  }
  const text = String(await read(response, request, 'text')).replace(/^\uFEFF/, '');
  if (content === 'text') return text;
  // some platforms decode a cut, compressed body to nothing instead of failing
  if (text === '' && Number(headers.get('content-length')) > 0) refuse('the body was cut short');
  if (!isJson && !needsData) return text === '' ? null : text;
  if (text.trim() === '') return null;
  // JSON that nobody marked as such is taken, pages of HTML are not
  if (isJson || /^\s*[[{"]/.test(text)) {
    try {
      return JSON.parse(text);
    } catch (error) {
      return refuse(isMarkup(text) ? FOUND_HTML : 'the JSON is malformed or cut short', error);
    }
  }
  if (isPage(text, type, isMutation)) refuse(FOUND_HTML);
  // the server said yes to a mutation: "OK" is no data, but no failure either
  return isMutation ? null : refuse('expected JSON, found text');
}

/**
 * A page is a log-in form, a proxy's notice or a single-page application: it says nothing about what was asked. Where
 * a mutation is answered, a word that the framework marked as HTML, or an XML receipt, is none.
 */
function isPage(text: string, type: string, isMutation: boolean): boolean {
  const isXml = /xml/i.test(type) && !/html/i.test(type);
  return isMutation ? isMarkup(text) && !isXml : isMarkup(text) || /html|xml/i.test(type);
}

function isMarkup(text: string): boolean {
  return /^\s*</.test(text);
}

async function read(
  response: Response,
  request: RequestName,
  as: 'text' | 'blob' | 'arrayBuffer',
): Promise<unknown> {
  try {
    return await response[as]();
  } catch (error) {
    // the connection broke while the body came; an abort is told apart by run-request.ts
    throw new ConnectionError(request, { cause: error });
  }
}

/** The JSON object that came with an error status. Never fails: a bad problem body is no problem body. */
export async function readProblem(response: Response): Promise<Problem | undefined> {
  if (!/json/i.test(response.headers.get('content-type') ?? '')) return undefined;
  if (Number(response.headers.get('content-length') ?? 0) > LARGEST_PROBLEM_BYTES) return undefined;
  try {
    const value: unknown = await response.clone().json();
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Problem)
      : undefined; // cast: tested
  } catch {
    return undefined;
  }
}
