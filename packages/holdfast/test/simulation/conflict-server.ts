// The server of conflicts.ts: one document with versions, and requests that are sent, handled and delivered at three moments.
import type { Random } from './random.ts';

export const FIELDS = ['title', 'text'] as const;
export type Field = (typeof FIELDS)[number];

export interface Doc {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly votes: number;
  readonly tags: readonly string[];
  readonly version: number;
}

/** What the server says of versions. `wrong`: a tag that no later request matches. */
export interface ServerKind {
  readonly tags: 'strong' | 'weak' | 'none' | 'wrong';
  /** Whether responses to mutations have a tag, and a body. */
  readonly isWriteTagged: boolean;
  readonly isWriteEmpty: boolean;
  /** Whether a body with an older `version` is refused with 409, and whether the refusal has the row. */
  readonly conflict409: 'never' | 'bare' | 'row';
  /** Whether requests of mutations without a precondition are refused with 428. */
  readonly isStrict: boolean;
}

export interface HandledWrite {
  readonly client: number;
  readonly method: string;
  readonly before: Doc;
  readonly after: Doc;
}

interface InFlight {
  handle(): void;
  /** The connection breaks after the request was handled, and the platform sends the request again, as browsers do. */
  repeat(): void;
  deliver(isLost: boolean): void;
}

export class ConflictServer {
  doc: Doc = { id: '1', title: 'first', text: 'first', votes: 0, tags: ['a', 'b'], version: 1 };
  readonly writes: HandledWrite[] = [];
  readonly inFlight: InFlight[] = [];
  /** The mutations that were sent, by client. */
  readonly sent: number[] = [0, 0];
  refusals = 0;
  /** How many mutations a platform has sent twice. */
  repeated = 0;
  /** Preconditions that a client must not send: weak tags, and tags of another user. */
  readonly forbidden: string[] = [];
  readonly keys = new Map<string, string>();
  readonly #kind: ServerKind;
  readonly #random: Random;

  constructor(kind: ServerKind, random: Random) {
    this.#kind = kind;
    this.#random = random;
  }

  /** The `fetch` of one client. */
  readonly connect =
    (client: number) =>
    (_url: string, init: RequestInit = {}): Promise<Response> =>
      new Promise((resolve, reject) => {
        const user = `${client}${new Headers(init.headers).get('authorization') ?? ''}`;
        let response: Response | undefined;
        const handle = (): void => void (response ??= this.#handle(client, user, init));
        if (init.method !== 'GET') this.sent[client]! += 1;
        const request: InFlight = {
          handle,
          repeat: () => {
            handle();
            response = undefined;
            if (init.method !== 'GET') this.repeated += 1;
          },
          deliver: (isLost) => {
            handle();
            this.inFlight.splice(this.inFlight.indexOf(request), 1);
            if (isLost) reject(new TypeError('lost'));
            else resolve(response!); // handled
          },
        };
        this.inFlight.push(request);
      });

  /** A request that a manager holds before it is sent. */
  readonly pass = (): Promise<void> =>
    new Promise((resolve) => {
      const request: InFlight = {
        handle: () => undefined,
        repeat: () => undefined,
        deliver: () => {
          this.inFlight.splice(this.inFlight.indexOf(request), 1);
          resolve();
        },
      };
      this.inFlight.push(request);
    });

  #tag(user: string): string | undefined {
    const { tags } = this.#kind;
    if (tags === 'none') return undefined;
    // each user has tags of its own: the tag of another one is refused
    const text = tags === 'wrong' ? String(this.#random.next()) : `${user}-${this.doc.version}`;
    return `${tags === 'weak' ? 'W/' : ''}"${text}"`;
  }

  #respond(user: string, { isTagged = true, isEmpty = false } = {}): Response {
    const tag = isTagged ? this.#tag(user) : undefined;
    const headers = { 'content-type': 'application/json', ...(tag && { etag: tag }) };
    return isEmpty
      ? new Response(null, { status: 204, headers })
      : new Response(JSON.stringify(this.doc), { headers });
  }

  #refuse(status: number, body?: object): Response {
    this.refusals += 1;
    return new Response(JSON.stringify(body ?? {}), {
      status,
      headers: { 'content-type': 'application/json' },
    });
  }

  #handle(client: number, user: string, { method = 'GET', headers, body: text }: RequestInit): Response {
    const { conflict409, isStrict, isWriteTagged, isWriteEmpty } = this.#kind;
    if (method === 'GET') return this.#respond(user);
    const match = new Headers(headers).get('if-match');
    const body = JSON.parse(String(text)) as Partial<Doc>;
    const key = new Headers(headers).get('idempotency-key') ?? '';
    const same = this.keys.get(key) ?? String(text);
    if (same !== String(text)) this.forbidden.push(`the key of ${same} with ${String(text)}`);
    this.keys.set(key, String(text));
    if (match?.startsWith('W/')) this.forbidden.push(`the weak tag ${match}`);
    if (match !== null && this.#kind.tags !== 'wrong' && !match.startsWith(`"${user}-`))
      this.forbidden.push(`the tag ${match} of another user`);
    if (match === null && isStrict) return new Response('{}', { status: 428 });
    if (match !== null && match !== this.#tag(user)) return this.#refuse(412);
    const isOlder = body.version !== undefined && body.version !== this.doc.version;
    if (conflict409 !== 'never' && (isOlder || body.version === undefined))
      return this.#refuse(409, { title: 'Conflict', ...(conflict409 === 'row' && { current: this.doc }) });
    const before = this.doc;
    const kept = method === 'PATCH' ? before : { id: '1', title: '', text: '', votes: 0, tags: [] };
    this.doc = { ...kept, ...body, id: '1', version: before.version + 1 };
    this.writes.push({ client, method, before, after: this.doc });
    return this.#respond(user, { isTagged: isWriteTagged, isEmpty: isWriteEmpty });
  }
}
