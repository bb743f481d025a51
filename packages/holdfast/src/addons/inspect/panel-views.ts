// The five views of the panel. A view has lines, which a search filters, and a text about the chosen line. The view reads the
// inspector each time it draws, and stores nothing.
import {
  describeField,
  describeList,
  describeMember,
  describeRequest,
  describeRow,
  describeStale,
  describeWake,
  describeWrite,
} from './describe.ts';
import type { Sentence } from './describe.ts';
import type { ExplainedRow, RequestId } from './explanation.types.ts';
import type { InspectedRequest } from './inspected.types.ts';
import type { FoundRow, Inspector } from './inspector.ts';
import { nameCall, nameList, nameReader, nameRow, nameSpan } from './names.ts';
import type { Child, MakeElement } from './panel-dom.ts';
import type { Lines, ListLine } from './panel-list.ts';
import { createScale } from './panel-scale.ts';

export type ViewName = 'Timeline' | 'Rows' | 'Lists' | 'Requests' | 'Renders';

export interface PanelView {
  readonly name: ViewName;
  lines(query: string): Lines;
  /**
   * The text about the chosen line. Without a chosen line, the text tells what can be chosen, or that the search has found nothing.
   */
  detail(id: string | undefined, query: string): Child;
}

/** The parts of the panel that the views use. */
export interface PanelParts {
  readonly make: MakeElement;
  readonly source: Inspector;
  readonly isDevelopment: boolean;
  /** Shows a line of a view. With a query, shows the lines that the query finds. */
  open(view: ViewName, id: string | undefined, query?: string): void;
}

/** How many members of a list, found rows or readers are shown at most. */
const MOST_LINES = 200;

/** How many requests a chain of causes has at most. */
const MOST_CAUSES = 5;

/** Identifies a row among the lines of all rows. */
export const rowIdOf = ({ entity, pk }: FoundRow): string => JSON.stringify([entity, pk]);

export function createViews({ make, source, isDevelopment, open }: PanelParts): readonly PanelView[] {
  const link = (text: string, view: ViewName, id: string): Child =>
    make(
      'a',
      {
        'href': '#',
        'data-to': id,
        click(event: Event) {
          event.preventDefault();
          open(view, id);
        },
      },
      text,
    );
  const requestLink = (text: string, id: RequestId | undefined): Child =>
    id === undefined ? text : link(text, 'Requests', String(id));
  const sentence = ({ parts }: Sentence): Child =>
    parts.map(({ text, request, isValue }) => {
      const linked = requestLink(text, request);
      return isValue ? make('b', linked) : linked;
    });
  const paragraph = (sentences: readonly Sentence[], ...before: readonly Child[]): Child =>
    make(
      'p',
      before,
      sentences.map((one) => [sentence(one), ' ']),
    );
  const part = (title: string, items: readonly Child[]): Child =>
    items.length > 0 && [
      title && make('h3', title),
      make(
        'ul',
        items.map((item) => make('li', item)),
      ),
    ];
  const hint = (text: string): Child => make('p.dim', text);
  const action = (text: string, click: () => void): Child => make('button', { click }, text);
  const actionsOf = (id: RequestId | undefined): Child =>
    isDevelopment &&
    id !== undefined && [
      action('Load again', () => source.loadAgain(id)),
      action('Make stale', () => source.makeStale(id)),
    ];
  const ago = (ms: number): string => `${nameSpan(source.now() - ms)} ago`;
  const line = (id: unknown, name: string, note = '', kind = '', more?: Child): ListLine => ({
    id: String(id),
    content: [make('span.name', { title: name }, name), make('span', { class: `note ${kind}` }, note), more],
  });
  const nameOf = ({ entity, pk }: FoundRow): string => {
    const row = source.explainPk(entity, pk);
    return row.found === 'entity' ? nameRow(row) : `${entity} ${pk}`;
  };
  const find = (id: RequestId | undefined): InspectedRequest | undefined => {
    const request = source.whyFetched(id ?? 0);
    return request.found === 'request' ? request : undefined;
  };
  /** The items whose text contains the text of the search, as lines. */
  const search = <T>(
    query: string,
    items: readonly T[],
    textOf: (item: T) => string,
    show: (item: T, drawn: readonly T[]) => ListLine,
  ): Lines => {
    const wanted = query.trim().toLowerCase();
    const found = items.filter((item) => textOf(item).toLowerCase().includes(wanted));
    return {
      count: found.length,
      from(first, count) {
        const drawn = found.slice(first, first + count);
        return drawn.map((item) => show(item, drawn));
      },
    };
  };

  // ── requests ───────────────────────────────────────────────────────────────────────────────

  /** The causes of a request: the requests that made its data stale, with their own causes. */
  const causesOf = ({ id, reasons }: InspectedRequest, depth = 0): Child => {
    const causes = new Set(reasons.map((reason) => ('by' in reason && reason.by) || 0));
    const known = [...causes].flatMap((cause) => (cause === id ? [] : (find(cause) ?? [])));
    return (
      depth < MOST_CAUSES &&
      part(
        depth ? 'and to that' : 'What led to it',
        known.map((cause) => [paragraph(describeRequest(source, cause)), causesOf(cause, depth + 1)]),
      )
    );
  };
  const createRequestView = (
    name: ViewName,
    show: (request: InspectedRequest, drawn: readonly InspectedRequest[]) => ListLine,
  ): PanelView => ({
    name,
    lines: (query) =>
      search(
        query,
        [...source.requests()].reverse(),
        (one) => `${nameCall(one)} ${one.endpoint} ${JSON.stringify(one.args)} ${one.outcome}`,
        show,
      ),
    detail(id) {
      const request = find(Number(id));
      if (!request)
        return [
          part(
            'Without a response',
            source.writes().map((write) => sentence(describeWrite(write))),
          ),
          hint('Choose a request to see why it was sent and how it ended.'),
        ];
      return [
        make('h2', nameCall(request)),
        make('div.acts', request.kind === 'read' && actionsOf(request.id)),
        paragraph(describeRequest(source, request)),
        causesOf(request),
        make('h3', 'Call'),
        make('code', `${request.endpoint || 'set'} ${JSON.stringify(request.args)}`),
      ];
    },
  });
  const endOf = ({ outcome }: InspectedRequest): string => outcome.replaceAll('-', ' ');
  const timeline = createRequestView('Timeline', (request, drawn) => {
    const { id, outcome, startedAt, endedAt = source.now(), effectAt } = request;
    const place = createScale(
      drawn.flatMap((one) => [one.startedAt, one.effectAt ?? one.startedAt, one.endedAt ?? source.now()]),
    );
    const from = place(startedAt);
    return line(
      id,
      nameCall(request),
      endOf(request),
      outcome,
      make(
        'span.track',
        make('span', {
          'class': `bar ${outcome}`,
          '--from': `${from}%`,
          '--width': `${place(endedAt) - from}%`,
        }),
        effectAt !== undefined && make('span.mark', { '--from': `${place(effectAt)}%` }),
      ),
    );
  });
  const requests = createRequestView('Requests', (request) =>
    line(request.id, nameCall(request), `${endOf(request)}, ${ago(request.startedAt)}`, request.outcome),
  );

  // ── rows ───────────────────────────────────────────────────────────────────────────────────

  const showRow = (row: ExplainedRow): Child => {
    const fields = Object.entries(row.fields);
    const contested = fields.filter(
      ([, { lost, guesses, history }]) => lost.length + guesses.length + history.length > 0,
    );
    const [lastRead] = fields
      .flatMap(([, { from, confirmed }]) => [from ?? 0, ...confirmed])
      .filter((id) => find(id)?.kind === 'read')
      .sort((one, other) => other - one);
    return [
      make('h2', nameRow(row)),
      make(
        'div.acts',
        actionsOf(lastRead),
        action('Its requests', () => open('Timeline', undefined, row.pk)),
      ),
      paragraph(describeRow(source, row)),
      [...new Set([...contested, ...fields])].map(([name]) =>
        make(
          'div.field',
          { 'data-field': name },
          paragraph(describeField(source, row, name), make('b', name), ' is '),
        ),
      ),
      part(
        'Lists',
        source
          .listsFor(row)
          .map((list) => [
            link(nameList(list), 'Lists', list.id),
            ': ',
            sentence(describeMember(source, list, row)),
          ]),
      ),
    ];
  };
  const rows: PanelView = {
    name: 'Rows',
    lines(query) {
      const wanted = query.trim().toLowerCase();
      const types = source.entityTypes().filter(({ entity }) => !wanted || entity.toLowerCase() === wanted);
      const show = (row: FoundRow): ListLine => line(rowIdOf(row), nameOf(row));
      if (!types[0]) return search('', source.findRows(query, MOST_LINES), String, show);
      return {
        count: types.reduce((sum, { count }) => sum + count, 0),
        from(first, count) {
          let skip = first;
          let left = count;
          return types.flatMap(({ entity, count: size }) => {
            const pks = left > 0 && skip < size ? source.pksOf(entity, skip, left) : [];
            skip = Math.max(0, skip - size);
            left -= pks.length;
            return pks.map((pk) => show({ entity, pk }));
          });
        },
      };
    },
    detail(id, query) {
      if (!id && query && rows.lines(query).count === 0)
        return hint(`Nothing is known of “${query}”: it is neither the key nor a value of a row.`);
      const [entity = '', pk = ''] = JSON.parse(id ?? '[]') as readonly string[]; // cast: written by `rowIdOf`
      const row = source.explainPk(entity, pk);
      if (row.found === 'entity') return showRow(row);
      return [
        hint(id ? row.why : 'Choose a row, or pick it on the page, to see who said what it shows.'),
        part(
          'Refused by checks',
          source.refused().map(({ entity: name, pk: key = '', fields, path }) => [
            `${name} ${key} `,
            make('code', path),
            part(
              '',
              fields.map(({ field, message }) => `${field}: ${message}`),
            ),
          ]),
        ),
      ];
    },
  };

  // ── lists and renders ──────────────────────────────────────────────────────────────────────

  const lists: PanelView = {
    name: 'Lists',
    lines: (query) =>
      search(query, source.lists(0), nameList, (list) => line(list.id, nameList(list), String(list.count))),
    detail(id) {
      const list = source.lists(MOST_LINES).find((one) => one.id === id);
      if (!list) return hint('Choose a list to see its rows.');
      const { count, items, gone, pages } = list;
      const place = (row: FoundRow): Child => [
        link(nameOf(row), 'Rows', rowIdOf(row)),
        ': ',
        sentence(describeMember(source, list, row)),
      ];
      const known = pages.flatMap((page) => find(page) ?? []);
      return [
        make('h2', nameList(list)),
        make('div.acts', actionsOf(known[0]?.id)),
        paragraph(describeList(list), `${count} ${count === 1 ? 'row' : 'rows'}. `),
        part(
          'Loaded by',
          known.map((one) => [requestLink(nameCall(one), one.id), `, ${ago(one.startedAt)}`]),
        ),
        part('In it', items.map(place)),
        items.length < count && hint(`and ${count - items.length} more`),
        part('Out of it', gone.map(place)),
      ];
    },
  };
  const renders: PanelView = {
    name: 'Renders',
    lines: (query) =>
      search(query, [...source.wakes()].reverse(), nameReader, (wake) =>
        line(wake.id, nameReader(wake), ago(wake.at)),
      ),
    detail(id) {
      const wake = source.wakes().find((one) => String(one.id) === id);
      if (wake) {
        const [first, ...because] = describeWake(source, wake);
        return [make('h2', 'Why it rendered'), first && paragraph([first]), part('', because.map(sentence))];
      }
      return [
        hint('Choose a rendering to see what caused it.'),
        part(
          `On this page: ${source.countMounted()}`,
          source
            .mounted(MOST_LINES)
            .map((reader) => [
              requestLink(nameReader(reader), reader.from),
              ': ',
              reader.stale[0]
                ? reader.stale.map((reason) => [sentence(describeStale(source, reason)), ' '])
                : 'fresh.',
            ]),
        ),
      ];
    },
  };
  return [timeline, rows, lists, requests, renders];
}
