// C9, the law of an edit in conflict: a person types, the edit saves by itself, another client changes the same document, and the person
// decides. While the person decides, the question has what was typed last; what was typed last is saved, unless a decision gave it up;
// and nothing is replaced that the person has not seen.
import { Controller, Entity, getPending, RestEndpoint } from 'holdfast';
import { edit } from 'holdfast/edit';
import { HttpSemantics } from 'holdfast/http';
import type { OpenConflict } from 'holdfast/http';
import { ConflictServer, FIELDS } from './conflict-server.ts';
import type { Doc, Field } from './conflict-server.ts';
import { createRandom } from './random.ts';
import { settle } from './simulate.ts';
import { VirtualTime } from './virtual-time.ts';

class Page extends Entity {
  static override key = 'Page';
  id = '';
  title = '';
  text = '';
  votes = 0;
  tags: readonly string[] = [];
  version = 0;
}

/** How often the schedules of this process have reached what the law is about. */
export const typed = { questions: 0, letters: 0 };

/** The violation of one seed. */
export async function checkTyping(seed: number): Promise<string | undefined> {
  const random = createRandom(seed);
  const kind = {
    tags: 'strong',
    isWriteTagged: random.chance(0.7),
    isWriteEmpty: random.chance(0.2),
    conflict409: 'never',
    isStrict: false,
  } as const;
  const isWhole = random.chance(0.3);
  const mayCall = random.chance(0.4);
  const about = JSON.stringify({ kind, isWhole, mayCall });
  const server = new ConflictServer(kind, createRandom(0));
  const time = new VirtualTime();
  const http = new HttpSemantics({
    validators: false,
    preconditions: kind.isWriteTagged ? 'known' : 'required',
    conflicts: { resolve: 'ask', rounds: 30 },
  });
  const controller = new Controller({
    clock: time.clock,
    timers: time.timers,
    random: createRandom(1).next,
    fetch: server.connect(0),
    managers: [http],
    timeoutMs: Infinity,
  });
  const options = {
    urlPrefix: 'https://api.test',
    path: '/pages/:id',
    schema: Page,
    idempotencyKey: true,
    optimistic: true,
  };
  const get = new RestEndpoint(options);
  const update = new RestEndpoint({ ...options, method: 'PATCH', body: {} as Partial<Doc> });
  const replace = new RestEndpoint({ ...options, method: 'PUT', body: {} as Partial<Doc> });
  /** What the option `body` has returned. */
  const bodies = new Set<unknown>();
  const wholeOf = (fields: object, row: unknown): Partial<Doc> => {
    const { version: _version, ...whole } = { ...(row as Doc), ...fields }; // cast: the row is there
    bodies.add(whole);
    return whole;
  };
  const page = edit(
    controller,
    (isWhole ? replace : update) as typeof update, // cast: one type for both
    { id: '1' },
    isWhole ? { body: wholeOf } : {},
  );
  const asked = http.conflicts(Page, { id: '1' });

  const last = new Map<Field, string>();
  /** Values that the person has seen, and those that gave way to another by a decision. */
  const seen = new Set<unknown>();
  const yielded = new Set<unknown>();
  /** Whether a decision, or a rule, may have changed what the save in conflict sends: then it is not amended any more. */
  let mayDiffer = false;
  let count = 0;

  const decide = (open: readonly OpenConflict[], how: string): void => {
    for (const { theirs } of open) seen.add(theirs);
    for (const { mine, theirs, take, cancel } of open) {
      if (how === 'cancel') {
        // an edit keeps what it could not save; another call does not
        for (const each of open) if (String(each.mine).startsWith('called')) yielded.add(each.mine);
        cancel();
        return;
      }
      if (how === 'mine') {
        take(mine);
        continue;
      }
      yielded.add(mine);
      mayDiffer = true;
      if (how === 'theirs') take(theirs);
      else {
        count += 1;
        take(`both ${count}`);
      }
    }
  };
  const check = (): string | undefined => {
    const shown = controller.get(Page, { id: '1' });
    for (const field of FIELDS) seen.add(shown?.[field]);
    const pending = getPending(controller, Page, { id: '1' });
    const statuses = pending.map(({ status }) => status);
    // a rule gives a PUT what others have changed in other fields
    if (isWhole && !bodies.has(pending[0]?.args[1])) mayDiffer = true;
    if (page.read().state !== 'saving') mayDiffer = false;
    for (const { field, mine } of asked.read()) {
      typed.questions += 1;
      // a call that waits for the save shows its own values, and what is typed after a call is no part of the call
      const isOther = statuses.includes('waiting') || String(mine).startsWith('called');
      if (!mayDiffer && !isOther && mine !== shown?.[field as Field])
        return `C9: asks about "${String(mine)}" when "${shown?.[field as Field]}" is shown; ${about}`;
    }
    return undefined;
  };
  const rest = async (): Promise<void> => {
    for (let round = 0; server.inFlight.length > 0; round += 1) {
      if (round > 500) throw new Error('the client does not come to rest');
      server.inFlight[0]!.deliver(false);
      await settle();
    }
  };

  void controller.fetch(get, { id: '1' });
  await settle();
  await rest();
  for (let step = 0; step < 60; step += 1) {
    const chance = random.next();
    const field = random.pick(FIELDS);
    count += 1;
    const request = server.inFlight[random.below(server.inFlight.length || 1)];
    const open = asked.read();
    if (chance < 0.3) {
      if (open.length > 0) typed.letters += 1;
      last.set(field, `typed ${count}`);
      page.set({ [field]: `typed ${count}` } as never); // cast: the page has the field
    } else if (chance < 0.45) time.advance(random.pick([100, 800, 3_000]));
    else if (chance < 0.55)
      server.doc = { ...server.doc, [field]: `other ${count}`, version: server.doc.version + 1 };
    else if (chance < 0.65) request?.handle();
    else if (chance < 0.82) request?.deliver(false);
    else if (chance < 0.86) void controller.fetch(get, { id: '1' });
    else if (chance < 0.88 && mayCall) {
      last.set(field, `called ${count}`);
      controller.fetch(update, { id: '1' }, { [field]: `called ${count}` }).catch(() => undefined);
    } else if (chance < 0.9) page.flush().catch(() => undefined);
    else if (open.length > 0 && chance < 0.97)
      decide(open, random.pick(['mine', 'mine', 'mine', 'theirs', 'both', 'cancel']));
    await settle();
    const broken = check();
    if (broken) return `${broken}, at step ${step}`;
  }
  for (let round = 0; round < 40; round += 1) {
    await rest();
    if (asked.read().length > 0) decide(asked.read(), 'mine');
    else if (page.read().state !== 'clean') page.flush().catch(() => undefined);
    await settle();
  }
  await rest();
  if (page.read().state !== 'clean')
    return `C9: the edit is ${page.read().state} in the end: ${String(page.read().error)}; ${about}`;
  for (const [field, value] of last) {
    const own = server.writes.filter(({ before, after }) => before[field] !== after[field]).at(-1)?.after[
      field
    ];
    if (!yielded.has(value) && own !== value)
      return `C9: "${value}" was typed last, and "${own}" saved last; ${about}`;
  }
  for (const { before, after } of server.writes)
    for (const field of FIELDS) {
      const old = before[field];
      if (old !== after[field] && !seen.has(old) && old !== 'first')
        return `C9: "${old}", which nobody has seen, is replaced by "${after[field]}"; ${about}`;
    }
  const [forbidden] = server.forbidden;
  return forbidden && `C9: ${forbidden} was sent; ${about}`;
}
