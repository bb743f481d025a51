// The three views of the panel: what is mounted and why it is good, one row with who said what, and the mutations under way. Each
// draws itself from what the inspector says at that moment.
import type {
  ExplainedField,
  ExplainedRow,
  NothingKnown,
  RequestId,
  StaleReason,
} from './explanation.types.ts';
import type { InspectedReader, InspectedRequest, InspectedWrite } from './inspected.types.ts';
import { inWords, textOf } from './panel-dom.ts';
import type { Child, Make } from './panel-dom.ts';
import { createWindowedList } from './panel-list.ts';

/**
 * As much of an inspector as the panel asks.
 *
 * @example
 * const source: PanelSource = inspect();
 * mountPanel(source);
 */
export interface PanelSource {
  countMounted(): number;
  mounted(most: number): readonly InspectedReader[];
  writes(): readonly InspectedWrite[];
  requests(): readonly InspectedRequest[];
  whyFetched(id: RequestId): InspectedRequest | NothingKnown;
  entityTypes(): readonly { readonly entity: string; readonly count: number }[];
  pksOf(entity: string, from: number, count: number): readonly string[];
  explainPk(entity: string, pk: string): ExplainedRow | NothingKnown;
  listen(onChange: () => void): () => void;
}

export interface PanelView {
  readonly name: string;
  readonly element: HTMLElement;
  draw(): void;
}

/** Mutations that failed, shown at once. */
const MOST_FAILURES = 50;

/** Lines of a table that are made at once: what is mounted, and what is pending. */
const MOST_LINES = 200;

function timeOf(ms: number): string {
  return new Date(ms).toISOString().slice(11, 23);
}

/** A request in words. */
function nameRequest(source: PanelSource, id: RequestId | undefined): string {
  if (id === undefined) return 'not known';
  const request = source.whyFetched(id);
  if (request.found === 'nothing') return 'a request that is forgotten';
  const { kind, endpoint, startedAt, cause } = request;
  if (kind === 'direct-write') return `a direct write at ${timeOf(startedAt)}`;
  return `${endpoint} sent at ${timeOf(startedAt)} (${cause})`;
}

function describe(source: PanelSource, reason: StaleReason): string {
  const rule = inWords(reason.rule);
  if (reason.rule === 'failed') return `${rule} ${reason.times} times${reason.error && `: ${reason.error}`}`;
  if (reason.rule === 'lifetime-over') return `${rule} since ${timeOf(reason.since)}`;
  if (reason.rule === 'summary-only') return `${rule}, without ${reason.absent.join(', ')}`;
  if ('what' in reason)
    return `${reason.what}: ${rule}${reason.by === undefined ? '' : `, ${nameRequest(source, reason.by)}`}`;
  return rule;
}

function tableOf(make: Make, heads: readonly string[], lines: readonly HTMLElement[]): HTMLElement {
  const head = make('tr', {}, ...heads.map((text) => make('th', { 'scope': 'col' }, text)));
  return make('table', {}, make('thead', {}, head), make('tbody', {}, ...lines));
}

function listOf(make: Make, texts: readonly string[]): Child {
  return texts.length > 0 && make('ul', {}, ...texts.map((text) => make('li', {}, text)));
}

function moreThan(make: Make, count: number, most: number): Child {
  return count > most && make('p', { class: 'dim' }, `and ${count - most} more`);
}

export function createNowView(make: Make, source: PanelSource): PanelView {
  const element = make('div', {
    class: 'wide',
    role: 'region',
    'aria-label': 'What is mounted',
    tabindex: '0',
  });
  const draw = (): void => {
    const count = source.countMounted();
    const lines = source
      .mounted(MOST_LINES)
      .map(({ key, listenerCount, components, from, stale, wakeCount }) =>
        make(
          'tr',
          {},
          make('th', { 'scope': 'row' }, make('code', {}, key)),
          make('td', {}, components.join(', ') || String(listenerCount)),
          stale.length === 0
            ? make('td', { class: 'good' }, 'good')
            : make(
                'td',
                { class: 'bad' },
                listOf(
                  make,
                  stale.map((reason) => describe(source, reason)),
                ),
              ),
          make('td', {}, nameRequest(source, from)),
          make('td', {}, String(wakeCount)),
        ),
      );
    element.replaceChildren(
      make('h3', {}, `${count} mounted`),
      count > 0
        ? tableOf(make, ['What', 'Readers', 'State', 'Answer of', 'Told'], lines)
        : make('p', {}, 'Nothing is mounted.'),
      ...[moreThan(make, count, MOST_LINES)].filter((child) => child instanceof Object),
    );
  };
  return { name: 'Now', element, draw };
}

function drawField(make: Make, source: PanelSource, name: string, field: ExplainedField): HTMLElement {
  const { value, server, from, how, lost, guesses } = field;
  const lostTexts = lost.map(
    (one) => `${textOf(one.value)} from ${nameRequest(source, one.from)}: ${inWords(one.rule)}`,
  );
  const guessTexts = guesses.map((one) => `${textOf(one.value)} by ${one.endpoint} (${inWords(one.status)})`);
  return make(
    'tr',
    { 'data-field': name },
    make('th', { 'scope': 'row' }, name),
    make('td', {}, textOf(value)),
    make('td', {}, guesses.length > 0 ? textOf(server) : make('span', { class: 'dim' }, 'the same')),
    make('td', {}, how === 'guessed' ? 'only guessed' : `${nameRequest(source, from)}, ${inWords(how)}`),
    make('td', { 'data-part': 'lost' }, listOf(make, lostTexts) || make('span', { class: 'dim' }, 'none')),
    make('td', {}, listOf(make, guessTexts) || make('span', { class: 'dim' }, 'none')),
  );
}

export function createRowView(make: Make, source: PanelSource): PanelView {
  let entity: string | undefined;
  let pk: string | undefined;
  const types = make('select', { id: 'entity' }) as HTMLSelectElement; // cast: by its tag
  const pane = make('div', {
    class: 'wide',
    role: 'region',
    'aria-label': 'The row',
    tabindex: '0',
  });
  const key = make('input', { id: 'key', type: 'search', autocomplete: 'off' }) as HTMLInputElement; // cast: by its tag
  key.addEventListener('input', () => {
    pk = key.value.trim() || undefined;
    draw();
  });
  const pks = createWindowedList(make, 'Rows', (chosen) => {
    pk = chosen;
    key.value = chosen;
    draw();
  });
  const draw = (): void => {
    const all = source.entityTypes();
    entity = all.some((one) => one.entity === entity) ? entity : all[0]?.entity;
    const names = all.map((one) => one.entity).join('\n');
    if (types.getAttribute('data-names') !== names) {
      types.setAttribute('data-names', names);
      types.replaceChildren(...all.map((one) => make('option', { value: one.entity }, one.entity)));
    }
    types.value = entity ?? '';
    const type = entity ?? '';
    pks.draw(
      all.find((one) => one.entity === entity)?.count ?? 0,
      (first, count) => source.pksOf(type, first, count).map((one) => ({ id: one, text: one })),
      pk,
    );
    drawRow(type);
  };
  const drawRow = (type: string): void => {
    if (pk === undefined) {
      pane.replaceChildren(make('p', {}, 'Choose a row to see who said what stands in it.'));
      return;
    }
    const row = source.explainPk(type, pk);
    if (row.found === 'nothing') {
      pane.replaceChildren(make('p', {}, row.why));
      return;
    }
    const lines = Object.entries(row.fields).map(([name, field]) => drawField(make, source, name, field));
    const notes = [
      ...(row.isDeleted ? ['The server has deleted it.'] : []),
      ...row.stale.map((reason) => describe(source, reason)),
      ...row.late.map(({ from, rule }) => `${nameRequest(source, from)}: ${inWords(rule)}`),
    ];
    pane.replaceChildren(
      make('h3', {}, `${row.entity} ${row.pk}`),
      ...[listOf(make, notes)].filter((child) => child instanceof Object),
      tableOf(make, ['Field', 'Shown', 'Server', 'Said by', 'Lost', 'Guesses'], lines),
    );
  };
  types.addEventListener('change', () => {
    entity = types.value;
    pk = undefined;
    key.value = '';
    draw();
  });
  const narrow = make(
    'div',
    { class: 'narrow' },
    make('label', { for: 'entity' }, 'Type', types),
    make('label', { for: 'key' }, 'Key', key),
    pks.element,
  );
  const element = make('div', { class: 'wide row-view' }, narrow, pane);
  return { name: 'Row', element, draw };
}

export function createWritesView(make: Make, source: PanelSource): PanelView {
  const element = make('div', { class: 'wide', role: 'region', 'aria-label': 'Mutations', tabindex: '0' });
  const draw = (): void => {
    const writes = source.writes();
    const pending = writes
      .slice(0, MOST_LINES)
      .map((write) =>
        make(
          'tr',
          {},
          make('th', { 'scope': 'row' }, write.endpoint),
          make('td', {}, make('code', {}, textOf(write.args))),
          make('td', {}, write.waitsFor === undefined ? write.status : `waiting for ${write.waitsFor}`),
          make('td', {}, write.standsIn.join(', ') || 'none'),
          make('td', {}, write.over.join(', ') || 'nothing'),
        ),
      );
    const failed = source
      .requests()
      .filter(({ kind, status }) => kind === 'mutation' && status === 'failed')
      .slice(-MOST_FAILURES)
      .reverse();
    const failures = failed.map(({ endpoint, args, error, startedAt }) =>
      make(
        'tr',
        {},
        make('th', { 'scope': 'row' }, endpoint),
        make('td', {}, make('code', {}, textOf(args))),
        make('td', { class: 'bad' }, error ?? ''),
        make('td', {}, timeOf(startedAt)),
      ),
    );
    element.replaceChildren(
      make('h3', {}, `${writes.length} pending`),
      writes.length > 0
        ? tableOf(make, ['Call', 'Arguments', 'State', 'Lanes', 'Shown over'], pending)
        : make('p', {}, 'No mutation is pending.'),
      ...[moreThan(make, writes.length, MOST_LINES)].filter((child) => child instanceof Object),
      make('h3', {}, `${failed.length} failed`),
      failed.length > 0
        ? tableOf(make, ['Call', 'Arguments', 'Failure', 'Sent at'], failures)
        : make('p', {}, 'None failed.'),
    );
  };
  return { name: 'Writes', element, draw };
}
