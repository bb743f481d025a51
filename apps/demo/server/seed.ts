// Fills an empty database with users, projects, 10,000 issues, comments and activity. Deterministic:
// the same `now` gives the same rows, so tests and screenshots can rely on them. One transaction.
import { generateNKeysBetween } from 'fractional-indexing';
import { BY_RANK } from './database.ts';
import type { Database } from './database.ts';
import { FLAWS } from './flaws.ts';
import { byPosition } from './issue-query.ts';
import {
  BUG_TITLES,
  CHORE_TITLES,
  COMMENTS,
  DESCRIPTIONS,
  FEATURE_TITLES,
  PROJECTS,
  USERS,
} from './seed-words.ts';
import { LABELS, PRIORITIES } from './vocabulary.ts';
import type { Status } from './vocabulary.ts';

const DAY_MS = 86_400_000;

export interface SeedOptions {
  issues?: number;
  /** The time at which the data pretends to have been collected. Default: the start of today, UTC. */
  nowMs?: number;
}

/** mulberry32: four lines, good enough for generated data, and the same on every machine. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function isEmpty(db: Database): boolean {
  return db.get('select 1 from user limit 1') === undefined;
}

export function seed(db: Database, options: SeedOptions = {}): void {
  const total = options.issues ?? 10_000;
  const nowMs = options.nowMs ?? Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const random = createRandom(20_261_115);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T; // cast: index in range
  const weighted = <T>(pairs: readonly (readonly [T, number])[]): T => {
    let left = random() * pairs.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [value, weight] of pairs) if ((left -= weight) < 0) return value;
    return (pairs.at(-1) as readonly [T, number])[0];
  };
  const iso = (ms: number): string => new Date(ms).toISOString();

  db.transaction(() => {
    for (const user of USERS) {
      db.run(
        'insert into user (id, name, role, hue) values (?, ?, ?, ?)',
        user.id,
        user.name,
        user.role,
        user.hue,
      );
    }
    for (const project of PROJECTS) {
      const values = [project.id, project.name, project.description, project.hue];
      db.run('insert into project (id, name, description, hue) values (?, ?, ?, ?)', ...values);
    }

    const numbers = new Map<string, number>();
    for (let index = 0; index < total; index++) {
      const project = weighted(PROJECTS.map((entry) => [entry, entry.share] as const));
      const number = (numbers.get(project.id) ?? 0) + 1;
      numbers.set(project.id, number);
      const id = `${project.id}-${number}`;

      // oldest first: early issues are mostly done, late ones mostly open, as in a real tracker
      const age = 1 - index / total;
      const status = weighted<Status>([
        ['done', 0.15 + age * 6],
        ['review', 0.05],
        ['doing', 0.07],
        ['todo', 0.3],
        ['backlog', 1.1],
      ]);
      const priority = weighted([
        [PRIORITIES[0], status === 'backlog' ? 0 : 3],
        [PRIORITIES[1], 18],
        [PRIORITIES[2], 42],
        [PRIORITIES[3], 24],
        [PRIORITIES[4], status === 'backlog' ? 30 : 6],
      ]);
      const kind = weighted([
        ['bug', 45],
        ['feature', 35],
        ['chore', 20],
      ]);
      const labels = new Set<string>([kind]);
      if (random() < 0.4) labels.add(pick(LABELS));
      const thing = pick(project.things);
      const place = pick(project.places);
      const title = pick(kind === 'bug' ? BUG_TITLES : kind === 'feature' ? FEATURE_TITLES : CHORE_TITLES)
        .replace('{Thing}', thing.charAt(0).toUpperCase() + thing.slice(1))
        .replace('{Place}', place.charAt(0).toUpperCase() + place.slice(1))
        .replace('{thing}', thing)
        .replace('{place}', place);
      const isActive = status === 'doing' || status === 'review';
      const assignee = isActive || random() < 0.55 ? pick(USERS).id : null;
      const createdMs = nowMs - Math.floor(age * 700 * DAY_MS) - Math.floor(random() * DAY_MS);
      const updatedMs = Math.min(nowMs - 60_000, createdMs + Math.floor(random() ** 2 * 60 * DAY_MS));
      const due =
        status !== 'backlog' && random() < 0.35
          ? iso((status === 'done' ? updatedMs : nowMs) + Math.floor((random() * 40 - 8) * DAY_MS)).slice(
              0,
              10,
            )
          : null;
      const estimate = random() < 0.6 ? (Math.ceil(random() * 32) / 4).toFixed(2) : null;
      const comments = random() < 0.25 ? 1 + Math.floor(random() * 4) : 0;
      db.run(
        `insert into issue (id, project_id, title, description, status, priority, assignee_id, labels, due_date,
           estimate, comment_count, created_at, updated_at, rank) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '')`,
        id,
        project.id,
        title,
        pick(DESCRIPTIONS),
        status,
        priority,
        assignee,
        JSON.stringify([...labels]),
        due,
        estimate,
        comments,
        iso(createdMs),
        iso(updatedMs),
      );

      for (let nth = 0; nth < comments; nth++) {
        const at = iso(createdMs + Math.floor(((nth + 1) / (comments + 1)) * (updatedMs - createdMs)));
        const values = [id, pick(USERS).id, pick(COMMENTS), at, at];
        db.run(
          'insert into comment (issue_id, author_id, body, created_at, updated_at) values (?, ?, ?, ?, ?)',
          ...values,
        );
      }
      addActivity(db, id, project.id, pick(USERS).id, 'created', null, null, null, iso(createdMs));
      if (status !== 'backlog') {
        const actor = assignee ?? pick(USERS).id;
        addActivity(db, id, project.id, actor, 'changed', 'status', 'backlog', status, iso(updatedMs));
      }
    }
    for (const [project, number] of numbers) {
      db.run('update project set next_number = ? where id = ?', number + 1, project);
    }
    giveRanks(db, total);
    giveFlaws(db);
  });
}

/** The most urgent first, then the oldest: each board starts in the order of priority. */
function giveRanks(db: Database, total: number): void {
  const ranks = generateNKeysBetween(null, null, total);
  const rows = db.all(`select seq from issue order by ${byPosition('priority', PRIORITIES)}, seq`);
  rows.forEach((row, index) => db.run('update issue set rank = ? where seq = ?', ranks[index]!, row['seq']!)); // as many ranks as rows
}

/** Marks the rows that lists send broken when a page requests it: near the top of a column of the first board. */
function giveFlaws(db: Database): void {
  FLAWS.forEach((flaw, index) => {
    db.run(
      `update issue set flaw = ? where seq = (select seq from issue where project_id = ? and status = 'todo'
         order by ${BY_RANK} limit 1 offset ?)`,
      flaw,
      PROJECTS[0]!.id, // the list is not empty
      index + 1,
    );
  });
}

function addActivity(db: Database, ...values: (string | null)[]): void {
  db.run(
    'insert into activity (issue_id, project_id, actor_id, kind, field, before, after, at) values (?, ?, ?, ?, ?, ?, ?, ?)',
    ...values,
  );
}
