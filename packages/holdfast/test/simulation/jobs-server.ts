// Jobs: rows in lists of every shape, filtered by a field that the server sets, by a nested row, by a search and by a limit. The
// server also decides by itself: it sets fields that were not sent, and changes some that were.
import type { Filter, ServerReply, ServerRequest } from './model-server.ts';

export interface ServerJob {
  readonly id: string;
  readonly kind: 'job';
  readonly title: string;
  /** Set by the server when the job is created. */
  readonly state: string;
  readonly owner: string;
}

/** A list of jobs: its address and its arguments. */
export interface JobList {
  readonly path: string;
  readonly query: Filter;
}

const QUERIES: readonly Filter[] = [
  {},
  { state: 'new' },
  { state: 'done' },
  { owner: 'p1' },
  { owner: 'p2', state: 'new' },
  { search: '1' },
  { limit: '2' },
  { limit: '2', state: 'new' },
];

/** The same filters as an array, in an envelope and as a map; then a list in a row, and a list of two types. */
export const JOB_LISTS: readonly JobList[] = [
  ...QUERIES.map((query) => ({ path: '/jobs', query })),
  ...QUERIES.slice(0, 6).map((query) => ({ path: '/job-box', query })),
  ...QUERIES.slice(0, 5).map((query) => ({ path: '/job-map', query })),
  { path: '/people/p1', query: {} },
  { path: '/people/p2', query: {} },
  { path: '/job-things', query: {} },
  { path: '/job-things', query: { state: 'new' } },
];

/** Ordered lists: one order is declared by the client, and one is known only to the server. */
export const ORDERED_LISTS: readonly JobList[] = [
  { sort: 'title' },
  { sort: '-title' },
  { sort: 'title', state: 'new' },
  { sort: '-state,title' },
  { sort: 'state' },
  { orderBy: 'title' },
  { orderBy: '-state,title', owner: 'p1' },
  { orderBy: 'newest' },
].map((query) => ({ path: '/jobs', query }));

const PEOPLE: Readonly<Record<string, object>> = {
  p1: { id: 'p1', kind: 'person', name: 'Eve' },
  p2: { id: 'p2', kind: 'person', name: 'Max' },
};

/** Jobs that exist from the start. */
const SEED_JOBS = 4;

export class JobServer {
  readonly jobs = new Map<string, ServerJob>();
  #lastId = 0;

  constructor() {
    for (let index = 0; index < SEED_JOBS; index++)
      this.create({ title: `seed ${index}`, owner: index === 1 ? 'p2' : 'p1' });
    this.change('j2', { state: 'done' });
  }

  create({ title = '', owner = 'p1', state = 'new' }: Partial<ServerJob>): ServerJob {
    const job: ServerJob = { id: `j${++this.#lastId}`, kind: 'job', title, state, owner };
    this.jobs.set(job.id, job);
    return job;
  }

  /** Every third job gets another person than requested, and every fifth is done at once. */
  #createAsked(given: Partial<ServerJob>): ServerJob {
    const at = this.#lastId + 1;
    const owner = given.owner === 'p1' ? 'p2' : 'p1';
    return this.create({ ...given, ...(at % 3 === 0 && { owner }), ...(at % 5 === 0 && { state: 'done' }) });
  }

  /** A job as in responses and messages. */
  say(id: string): object | undefined {
    const job = this.jobs.get(id);
    return job && whole(job);
  }

  change(id: string, fields: Partial<ServerJob>): void {
    const job = this.jobs.get(id);
    if (!job) return;
    const { title = job.title, state = job.state, owner = job.owner } = fields;
    this.jobs.set(id, { ...job, title, state, owner });
  }

  /** The members of a list, as the server would send them now. */
  list({ path, query }: JobList): ServerJob[] {
    const { state, owner = path.split('/people/')[1], search, limit } = query;
    const isIn = (job: ServerJob): boolean =>
      (state ?? job.state) === job.state &&
      (owner ?? job.owner) === job.owner &&
      job.title.includes(search ?? '');
    const order = query['sort'] ?? query['orderBy'] ?? '';
    const jobs = [...this.jobs.values()].filter(isIn);
    if (order === 'newest') return jobs.reverse();
    const sorted = jobs.toSorted((left, right) => compareJobs(left, right, order));
    return sorted.slice(0, Number(limit ?? Infinity));
  }

  answer(request: ServerRequest): ServerReply {
    const { method, path, query, body } = request;
    const id = path.split('/')[2];
    const given = body as Partial<ServerJob>; // cast: bodies are made by the simulator
    if (method === 'POST') return { status: 201, value: whole(this.#createAsked(given)) };
    if (method === 'GET') return { status: 200, value: shapeOf(path, this.list({ path, query }).map(whole)) };
    if (!this.jobs.has(id!)) return { status: 404, value: { error: 'no such job' } };
    if (method === 'DELETE') {
      this.jobs.delete(id!);
      return { status: 204 };
    }
    this.change(id!, isHandover(given) ? { ...given, state: 'new' } : given);
    return { status: 200, value: whole(this.jobs.get(id!)!) };
  }
}

/** A job that is assigned to this person starts again: the server sets a field that was not sent. */
export const isHandover = (body: unknown): boolean =>
  (body as Partial<ServerJob> | undefined)?.owner === 'p2'; // cast: as above

const whole = (job: ServerJob) => ({ ...job, owner: { ...PEOPLE[job.owner] } });

function shapeOf(path: string, jobs: readonly { id: string }[]): unknown {
  if (path === '/job-box') return { results: jobs, total: jobs.length };
  if (path === '/job-map') return Object.fromEntries(jobs.map((job) => [job.id, job]));
  if (path === '/job-things') return [...jobs, { ...PEOPLE['p1'] }];
  return path === '/jobs' ? jobs : { ...PEOPLE[path.slice(-2)], jobs };
}

/** By the fields of the order; equal jobs stay in the order of creation. */
export function compareJobs(left: ServerJob, right: ServerJob, order: string): number {
  for (const part of order.split(',').filter((name) => name !== '')) {
    const name = part.replace('-', '') as 'title' | 'state'; // cast: orders are made above
    const [one, two] = part.startsWith('-') ? [right, left] : [left, right];
    if (one[name] !== two[name]) return one[name] < two[name] ? -1 : 1;
  }
  return 0;
}
