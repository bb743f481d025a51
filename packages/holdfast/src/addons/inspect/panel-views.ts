// The three views of the panel: the mounted readers and the refused rows; one row with the source of each field; the pending and
// the failed mutations. A view reads the inspector each time it draws.
import type { RefusedRow } from '../validate/refused-rows.ts';
import type {
  ExplainedField,
  ExplainedRow,
  NothingKnown,
  RequestId,
  StaleReason,
} from './explanation.types.ts';
import type { InspectedReader, InspectedRequest, InspectedWrite } from './inspected.types.ts';
import { createTableLine, createRegion, replaceChildren, ruleInWords, shortText } from './panel-dom.ts';
import type { Child, MakeElement } from './panel-dom.ts';
import { createWindowedList } from './panel-list.ts';

/**
 * The methods of an inspector that the panel uses.
 *
 * @example
 * const source: mountPanel.Source = inspect();
 * mountPanel(source);
 */
export interface PanelSource {
  countMounted(): number;
  mounted(most: number): readonly InspectedReader[];
  writes(): readonly InspectedWrite[];
  requests(): readonly InspectedRequest[];
  refused(): readonly RefusedRow[];
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

/** How many lines a section shows at most. */
const MOST_LINES = 200;

function formatTime(ms: number): string {
  return new Date(ms).toISOString().slice(11, 23);
}

/** A request as a readable string. */
function nameRequest(source: PanelSource, id: RequestId | undefined): string {
  if (id === undefined) return 'not known';
  const request = source.whyFetched(id);
  if (request.found === 'nothing') return 'a request that is forgotten';
  const { kind, endpoint, startedAt, cause } = request;
  if (kind === 'direct-write') return `a direct write at ${formatTime(startedAt)}`;
  return `${endpoint} sent at ${formatTime(startedAt)} (${cause})`;
}

function describeReason(source: PanelSource, reason: StaleReason): string {
  const rule = ruleInWords(reason.rule);
  if (reason.rule === 'failed') return `${rule} ${reason.times} times${reason.error && `: ${reason.error}`}`;
  if (reason.rule === 'lifetime-over') return `${rule} since ${formatTime(reason.since)}`;
  if (reason.rule === 'summary-only') return `${rule}, without ${reason.absent.join(', ')}`;
  if ('what' in reason)
    return `${reason.what}: ${rule}${reason.by === undefined ? '' : `, ${nameRequest(source, reason.by)}`}`;
  return rule;
}

function createTable(
  make: MakeElement,
  heads: readonly string[],
  lines: readonly HTMLElement[],
): HTMLElement {
  const head = make('tr', {}, ...heads.map((text) => make('th', { 'scope': 'col' }, text)));
  return make('table', {}, make('thead', {}, head), make('tbody', {}, ...lines));
}

function createBullets(make: MakeElement, texts: readonly string[]): Child {
  return texts.length > 0 && make('ul', {}, ...texts.map((text) => make('li', {}, text)));
}

function createDimText(make: MakeElement, text: string): HTMLElement {
  return make('span', { class: 'dim' }, text);
}

/** A heading with the count, a table of the given lines, and the number of lines that are left out. */
function createSection(
  make: MakeElement,
  count: number,
  what: string,
  heads: readonly string[],
  lines: readonly HTMLElement[],
): HTMLElement {
  const rest = count - lines.length;
  return make(
    'section',
    {},
    make('h3', {}, `${count} ${what}`),
    count > 0 && createTable(make, heads, lines),
    rest > 0 && make('p', { class: 'dim' }, `and ${rest} more`),
  );
}

export function createNowView(make: MakeElement, source: PanelSource): PanelView {
  const element = createRegion(make, 'What is mounted');
  const draw = (): void => {
    const count = source.countMounted();
    const lines = source
      .mounted(MOST_LINES)
      .map(({ key, listenerCount, components, from, stale, wakeCount }) =>
        createTableLine(
          make,
          make('code', {}, key),
          components.join(', ') || String(listenerCount),
          stale.length === 0
            ? make('span', { class: 'good' }, 'good')
            : make(
                'div',
                { class: 'bad' },
                createBullets(
                  make,
                  stale.map((reason) => describeReason(source, reason)),
                ),
              ),
          nameRequest(source, from),
          String(wakeCount),
        ),
      );
    const refused = source.refused();
    const reports = refused.slice(0, MOST_LINES).map(({ entity, pk, path, fields, outcome }) =>
      createTableLine(
        make,
        `${entity} ${pk ?? ''}`,
        createBullets(
          make,
          fields.map(({ field, message }) => `${field}: ${message}`),
        ),
        outcome,
        make('code', {}, path),
      ),
    );
    replaceChildren(
      element,
      createSection(make, count, 'mounted', ['What', 'Readers', 'State', 'Answer of', 'Told'], lines),
      refused.length > 0 &&
        createSection(make, refused.length, 'refused by checks', ['Row', 'Why', 'Outcome', 'Where'], reports),
    );
  };
  return { name: 'Now', element, draw };
}

function drawField(make: MakeElement, source: PanelSource, name: string, field: ExplainedField): HTMLElement {
  const { value, server, from, how, lost, guesses } = field;
  const lostTexts = lost.map(
    (loss) => `${shortText(loss.value)} from ${nameRequest(source, loss.from)}: ${ruleInWords(loss.rule)}`,
  );
  const guessTexts = guesses.map(
    (guess) => `${shortText(guess.value)} by ${guess.endpoint} (${ruleInWords(guess.status)})`,
  );
  const line = createTableLine(
    make,
    name,
    shortText(value),
    guesses.length > 0 ? shortText(server) : createDimText(make, 'the same'),
    how === 'guessed' ? 'only guessed' : `${nameRequest(source, from)}, ${ruleInWords(how)}`,
    make('div', { 'data-part': 'lost' }, createBullets(make, lostTexts) || createDimText(make, 'none')),
    createBullets(make, guessTexts) || createDimText(make, 'none'),
  );
  line.setAttribute('data-field', name);
  return line;
}

export function createRowView(make: MakeElement, source: PanelSource): PanelView {
  let entity: string | undefined;
  let pk: string | undefined;
  const types = make('select', { id: 'entity' }) as HTMLSelectElement; // cast: the tag gives the type
  const pane = createRegion(make, 'The row');
  const key = make('input', { id: 'key', type: 'search', autocomplete: 'off' }) as HTMLInputElement; // cast: the tag gives the type
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
    entity = all.some((type) => type.entity === entity) ? entity : all[0]?.entity;
    const names = all.map((type) => type.entity).join('\n');
    if (types.getAttribute('data-names') !== names) {
      types.setAttribute('data-names', names);
      types.replaceChildren(...all.map((type) => make('option', { value: type.entity }, type.entity)));
    }
    types.value = entity ?? '';
    const chosenType = entity ?? '';
    pks.draw(
      all.find((type) => type.entity === entity)?.count ?? 0,
      (first, count) => source.pksOf(chosenType, first, count).map((id) => ({ id, text: id })),
      pk,
    );
    drawRow(chosenType);
  };
  const drawRow = (type: string): void => {
    if (pk === undefined) {
      replaceChildren(pane, make('p', {}, 'Choose a row to see who said what stands in it.'));
      return;
    }
    const row = source.explainPk(type, pk);
    if (row.found === 'nothing') {
      replaceChildren(pane, make('p', {}, row.why));
      return;
    }
    const lines = Object.entries(row.fields).map(([name, field]) => drawField(make, source, name, field));
    const notes = [
      ...(row.isDeleted ? ['The server has deleted it.'] : []),
      ...row.stale.map((reason) => describeReason(source, reason)),
      ...row.late.map(({ from, rule }) => `${nameRequest(source, from)}: ${ruleInWords(rule)}`),
    ];
    replaceChildren(
      pane,
      make('h3', {}, `${row.entity} ${row.pk}`),
      createBullets(make, notes),
      createTable(make, ['Field', 'Shown', 'Server', 'Said by', 'Lost', 'Guesses'], lines),
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

export function createWritesView(make: MakeElement, source: PanelSource): PanelView {
  const element = createRegion(make, 'Mutations');
  const draw = (): void => {
    const writes = source.writes();
    const pending = writes
      .slice(0, MOST_LINES)
      .map(({ endpoint, args, status, waitsFor, standsIn, over }) =>
        createTableLine(
          make,
          endpoint,
          make('code', {}, shortText(args)),
          waitsFor === undefined ? status : `waiting for ${waitsFor}`,
          standsIn.join(', ') || 'none',
          over.join(', ') || 'nothing',
        ),
      );
    const failed = source
      .requests()
      .filter(({ kind, status }) => kind === 'mutation' && status === 'failed')
      .reverse();
    const failures = failed
      .slice(0, MOST_LINES)
      .map(({ endpoint, args, error, startedAt }) =>
        createTableLine(
          make,
          endpoint,
          make('code', {}, shortText(args)),
          make('span', { class: 'bad' }, error ?? ''),
          formatTime(startedAt),
        ),
      );
    replaceChildren(
      element,
      createSection(
        make,
        writes.length,
        'pending',
        ['Call', 'Arguments', 'State', 'Queues', 'Shown over'],
        pending,
      ),
      createSection(make, failed.length, 'failed', ['Call', 'Arguments', 'Failure', 'Sent at'], failures),
    );
  };
  return { name: 'Writes', element, draw };
}
