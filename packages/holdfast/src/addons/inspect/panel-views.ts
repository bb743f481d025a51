// The five views of the panel. A view has lines, which a search filters, and a text about the chosen line. The view reads the
// inspector each time it draws, and stores nothing.
import { DEV } from '#env';
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
import type { ExplainedField, ExplainedRow, NothingKnown, RequestId } from './explanation.types.ts';
import type { InspectedRequest } from './inspected.types.ts';
import type { FoundRow } from './find-subject.ts';
import type { Inspector } from './inspector.ts';
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

/** What differs between the views. `T` is an item of which the view has one line. */
interface ViewOf<T, Found = T> {
  /** The items that the text of the search finds; the text is in lower case. */
  items(query: string): readonly T[];
  /** The line of an item. `drawn` are the items of all lines that are drawn. */
  line(item: T, drawn: readonly T[]): ListLine;
  find(id: string): Found | undefined;
  /** The text about the item of the chosen line. */
  show(found: Found): Child;
  /** The text without a chosen line. */
  rest(): Child;
}

/** The parts of the panel that the views use. */
export interface PanelParts {
  readonly make: MakeElement;
  readonly source: Inspector;
  /** Shows a line of a view. With a query, shows the lines that the query finds. */
  open(view: ViewName, id: string | undefined, query?: string): void;
}

/** At most this many members of a list are shown, and at most this many readers. */
const MOST_LINES = 200;

/** How many requests a chain of causes has at most. */
const MOST_CAUSES = 5;

/** Identifies a row among the lines of all rows. */
export const lineIdOf = ({ entity, pk }: FoundRow): string => JSON.stringify([entity, pk]);

export function createViews({ make, source, open }: PanelParts): readonly PanelView[] {
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
    parts.map(({ text, request, isValue }) => make(isValue ? 'b' : 'span', requestLink(text, request)));
  const paragraph = (sentences: readonly Sentence[], ...before: readonly Child[]): Child =>
    make(
      'p',
      before,
      sentences.map((one) => [sentence(one), ' ']),
    );
  const part = (title: string, items: readonly Child[]): Child =>
    items.length > 0 && [
      make('h3', title),
      make(
        'ul',
        items.map((item) => make('li', item)),
      ),
    ];
  const hint = (text: string): Child => make('p.dim', text);
  const action = (text: string, click: () => void): Child => make('button', { click }, text);
  const heading = (name: string, id?: RequestId | false, ...more: readonly Child[]): Child => [
    make('h2', name),
    make(
      'div.acts',
      DEV &&
        !!id && [
          action('Load again', () => source.loadAgain(id)),
          action('Make stale', () => source.makeStale(id)),
        ],
      more,
    ),
  ];
  const ago = (ms: number): string => `${nameSpan(source.now() - ms)} ago`;
  const line = (id: unknown, name: string, note = '', kind = '', more?: Child): ListLine => ({
    id: String(id),
    kind,
    content: [make('span.name', { title: name }, name), more, make('span.note', note)],
  });
  const nameOf = ({ entity, pk }: FoundRow): string => {
    const row = source.explainPk(entity, pk);
    return row.found === 'entity' ? nameRow(row) : `${entity} ${pk}`;
  };
  const find = (id: unknown): InspectedRequest | undefined => {
    const request = source.whyFetched(Number(id));
    return request.found === 'request' ? request : undefined;
  };
  const createView = <T, Found>(
    name: ViewName,
    { items, line: lineOf, find: findOne, show, rest }: ViewOf<T, Found>,
  ): PanelView => ({
    name,
    lines(query) {
      const found = items(query.trim().toLowerCase());
      return {
        count: found.length,
        from(first, count) {
          const drawn = found.slice(first, first + count);
          return drawn.map((item) => lineOf(item, drawn));
        },
      };
    },
    detail(id, query) {
      const found = id && findOne(id);
      if (found) return show(found);
      return query && !this.lines(query).count ? hint(`Nothing is known of “${query}”.`) : rest();
    },
  });
  /** The items whose text contains the text of the search, the last first. */
  const search = <T>(items: readonly T[], query: string, textOf: (item: T) => string): readonly T[] =>
    items.filter((item) => textOf(item).toLowerCase().includes(query)).reverse();

  // ── requests ───────────────────────────────────────────────────────────────────────────────

  /** The causes of a request: the requests that made its data stale, with their own causes. */
  const causesOf = ({ id, reasons }: InspectedRequest, depth = 0): Child => {
    const causes = new Set(reasons.map((reason) => 'by' in reason && reason.by !== id && reason.by));
    const known = [...causes].flatMap((cause) => find(cause) ?? []);
    return (
      depth < MOST_CAUSES &&
      part(
        depth ? 'and to that' : 'What led to it',
        known.map((cause) => [paragraph(describeRequest(source, cause)), causesOf(cause, depth + 1)]),
      )
    );
  };
  const requests: Omit<ViewOf<InspectedRequest>, 'line'> = {
    items: (query) => search(source.requests(), query, (one) => `${nameCall(one)} ${JSON.stringify(one)}`),
    find,
    show: (request) => [
      heading(nameCall(request), request.kind === 'read' && request.id),
      paragraph(describeRequest(source, request)),
      causesOf(request),
      make('h3', 'Call'),
      make('code', `${request.endpoint || 'set'} ${JSON.stringify(request.args)}`),
    ],
    rest: () => [
      part(
        'Changes that are not saved yet',
        source.writes().map((write) => sentence(describeWrite(write))),
      ),
      hint('Choose a request to see why it was sent and how it ended.'),
    ],
  };
  const endOf = ({ outcome }: InspectedRequest): string => outcome.replaceAll('-', ' ');
  const timeline = createView('Timeline', {
    ...requests,
    line(request, drawn: readonly InspectedRequest[]) {
      const momentsOf = ({
        startedAt,
        effectAt = startedAt,
        endedAt = source.now(),
      }: InspectedRequest): number[] => [startedAt, endedAt, effectAt];
      const place = createScale(drawn.flatMap(momentsOf));
      const [from = 0, to = 0, mark = 0] = momentsOf(request).map(place);
      const track = {
        '--from': `${from}%`,
        // The bar reaches the mark, because a response is stored shortly after its arrival.
        '--width': `${Math.max(to, mark) - from}%`,
        ...(request.effectAt && { '--mark': `${mark}%` }),
      };
      return line(request.id, nameCall(request), endOf(request), request.outcome, make('span.track', track));
    },
  });

  // ── rows ───────────────────────────────────────────────────────────────────────────────────

  const showRow = (row: ExplainedRow): Child => {
    const fields = Object.entries(row.fields);
    const contestedRank = ([, { lost, guesses, history }]: readonly [string, ExplainedField]): number =>
      Math.sign(lost.length + guesses.length + history.length);
    const reads = fields
      .flatMap(([, { from = 0, confirmed }]) => [from, ...confirmed])
      .filter((id) => find(id)?.kind === 'read');
    return [
      heading(
        nameRow(row),
        Math.max(0, ...reads),
        action('Its requests', () => open('Timeline', undefined, row.pk)),
      ),
      paragraph(describeRow(source, row)),
      fields
        .sort((one, other) => contestedRank(other) - contestedRank(one))
        .map(([name]) =>
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
  const rows = createView<FoundRow, ExplainedRow | NothingKnown>('Rows', {
    items: (query) => source.findRows(query),
    line: (row) => line(lineIdOf(row), nameOf(row)),
    find(id) {
      const [entity = '', pk = ''] = JSON.parse(id) as readonly string[]; // cast: written by `lineIdOf`
      return source.explainPk(entity, pk);
    },
    show: (row) => (row.found === 'entity' ? showRow(row) : hint(row.why)),
    rest: () => [
      hint('Choose a row, or pick it on the page, to see who said what it shows.'),
      part(
        'Refused by checks',
        source
          .refused()
          .map(({ entity, pk = '', fields, path }) => [
            `${entity} ${pk} `,
            make('code', path),
            fields.map(({ field, message }) => make('p', `${field}: ${message}`)),
          ]),
      ),
    ],
  });

  // ── lists and renders ──────────────────────────────────────────────────────────────────────

  const lists = createView('Lists', {
    items: (query) => search(source.lists(0), query, nameList),
    line: (list) => line(list.id, nameList(list), String(list.count)),
    find: (id) => source.lists(MOST_LINES).find((one) => one.id === id),
    show(list) {
      const { count, items, gone, pages } = list;
      const place = (row: FoundRow): Child => [
        link(nameOf(row), 'Rows', lineIdOf(row)),
        ': ',
        sentence(describeMember(source, list, row)),
      ];
      const known = pages.flatMap((page) => find(page) ?? []);
      return [
        heading(nameList(list), known[0]?.id),
        paragraph(describeList(list), `${count} ${count === 1 ? 'row' : 'rows'}. `),
        part(
          'Loaded by',
          known.map((one) => [requestLink(nameCall(one), one.id), `, ${ago(one.startedAt)}`]),
        ),
        part('Rows in it', items.map(place)),
        items.length < count && hint(`and ${count - items.length} more`),
        part('Rows that left it', gone.map(place)),
      ];
    },
    rest: () => hint('Choose a list to see its rows.'),
  });
  const renders = createView('Renders', {
    items: (query) => search(source.wakes(), query, nameReader),
    line: (wake) => line(wake.id, nameReader(wake), ago(wake.at)),
    find: (id) => source.wakes().find((one) => String(one.id) === id),
    show: (wake) => [heading('Why it rendered'), describeWake(source, wake).map((one) => paragraph([one]))],
    rest: () => [
      hint('Choose a rendering to see what caused it.'),
      part(
        `Shown on this page: ${source.countMounted()}`,
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
    ],
  });
  return [
    timeline,
    rows,
    lists,
    createView('Requests', {
      ...requests,
      line: (request) =>
        line(request.id, nameCall(request), `${endOf(request)}, ${ago(request.startedAt)}`, request.outcome),
    }),
    renders,
  ];
}
