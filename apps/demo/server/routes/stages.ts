// The boards of the races. A stage is a copy of a few cards that only one visitor knows, in memory: no race changes the data of other
// visitors, and nothing of it is stored. A stage is removed by the page that made it, or when nobody has used it for a while.
import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import { randomUUID } from 'node:crypto';
import type { Database } from '../database.ts';
import { notFound, Problem } from '../problem.ts';
import { PROJECTS } from '../seed-words.ts';
import { PRIORITIES, STATUSES } from '../vocabulary.ts';
import type { Priority, Status } from '../vocabulary.ts';

export interface StageCard {
  readonly id: string;
  title: string;
  status: Status;
  priority: Priority;
  assigneeId: string;
}

interface Stage {
  /** How often each card was changed; 0 for never. */
  readonly versions: Map<string, number>;
  readonly cards: Map<string, StageCard>;
  nextNumber: number;
  usedAtMs: number;
}

/** The columns that are copied, and whose the first cards of each are then. */
const COPIED: readonly Status[] = ['todo', 'doing', 'review', 'done'];
const OWNERS = ['mira', 'mira', 'ravi'] as const;
/** A page that was closed without a word leaves its stage behind for so long. */
const UNUSED_MS = 10 * 60_000;
const MOST_STAGES = 1_000;

export function mountStages(app: Hono<{ Bindings: HttpBindings }>, db: Database, now = Date.now): void {
  const stages = new Map<string, Stage>();

  const find = (id: string): Stage => {
    const stage = stages.get(id);
    if (!stage) throw notFound('stage', id);
    stage.usedAtMs = now();
    return stage;
  };
  const findCard = (stage: Stage, id: string): StageCard => {
    const card = stage.cards.get(id);
    if (!card) throw notFound('card', id);
    return card;
  };
  const tagOf = ({ versions }: Stage, id: string): string => `"${versions.get(id) ?? 0}"`;
  const removeUnused = (): void => {
    const oldest = [...stages].toSorted(([, a], [, b]) => b.usedAtMs - a.usedAtMs);
    for (const [index, [id, stage]] of oldest.entries())
      if (index >= MOST_STAGES || stage.usedAtMs < now() - UNUSED_MS) stages.delete(id);
  };

  app.post('/stages', (context) => {
    removeUnused();
    const id = randomUUID();
    stages.set(id, { cards: copyCards(db), versions: new Map(), nextNumber: 1, usedAtMs: now() });
    return context.json({ id }, 201);
  });
  app.delete('/stages/:stage', (context) => {
    stages.delete(context.req.param('stage'));
    return context.body(null, 204);
  });
  // with a user: the cards of that person; without one: all cards, for the verdict
  app.get('/stages/:stage/cards', (context) => {
    const userId = context.req.header('stage-user');
    const status = context.req.query('status');
    const cards = [...find(context.req.param('stage')).cards.values()].filter(
      (card) =>
        (userId === undefined || card.assigneeId === userId) &&
        (status === undefined || card.status === status),
    );
    return context.json(cards, 200, { 'cache-control': 'no-store' });
  });
  app.get('/stages/:stage/cards/:card', (context) => {
    const stage = find(context.req.param('stage'));
    const card = findCard(stage, context.req.param('card'));
    return context.json(card, 200, { 'cache-control': 'no-store', 'etag': tagOf(stage, card.id) });
  });
  app.post('/stages/:stage/cards', async (context) => {
    const stage = find(context.req.param('stage'));
    const id = `NEW-${stage.nextNumber++}`;
    const empty = { title: '', status: 'todo', priority: 'none' } as const;
    const card = {
      id,
      ...empty,
      ...readFields(await context.req.json()),
      assigneeId: context.req.header('stage-user') ?? OWNERS[0],
    };
    stage.cards.set(id, card);
    return context.json(card, 201);
  });
  app.patch('/stages/:stage/cards/:card', async (context) => {
    const stage = find(context.req.param('stage'));
    const card = findCard(stage, context.req.param('card'));
    if ((context.req.header('if-match') ?? tagOf(stage, card.id)) !== tagOf(stage, card.id))
      throw new Problem(412, 'It changed since you read it. Read it again and repeat the change.');
    if (context.req.header('stage-refuse') !== undefined)
      throw new Problem(409, 'Somebody else has locked this card.');
    Object.assign(card, readFields(await context.req.json()));
    stage.versions.set(card.id, (stage.versions.get(card.id) ?? 0) + 1);
    return context.json(card, 200, { etag: tagOf(stage, card.id) });
  });
  app.delete('/stages/:stage/cards/:card', (context) => {
    const stage = find(context.req.param('stage'));
    const card = findCard(stage, context.req.param('card'));
    stage.cards.delete(card.id);
    return context.json(card);
  });
  app.all('/stages/*', (context) => new Problem(404, `There is no ${context.req.path}.`).toResponse());
}

/** The first cards of four columns of the first project. */
function copyCards(db: Database): Map<string, StageCard> {
  const sql =
    'select id, title, priority from issue where project_id = ? and status = ? order by rank limit ?';
  const cards = COPIED.flatMap((status) =>
    db.all(sql, PROJECTS[0]!.id, status, OWNERS.length).map((row, index) => ({
      id: String(row['id']),
      title: String(row['title']),
      status,
      priority: pick(PRIORITIES, row['priority']) ?? 'none',
      assigneeId: OWNERS[index]!, // as many rows as owners at most
    })),
  );
  return new Map(cards.map((card) => [card.id, card]));
}

const pick = <T extends string>(values: readonly T[], given: unknown): T | undefined =>
  values.find((value) => value === given);

/** The known fields of a body. */
function readFields(body: unknown): Partial<Pick<StageCard, 'title' | 'status' | 'priority'>> {
  const given = Object(body) as Record<string, unknown>; // cast: a value of any kind as an object
  const fields: Partial<StageCard> = {};
  if (typeof given['title'] === 'string') fields.title = given['title'].slice(0, 200);
  const status = pick(STATUSES, given['status']);
  const priority = pick(PRIORITIES, given['priority']);
  if (status) fields.status = status;
  if (priority) fields.priority = priority;
  return fields;
}
