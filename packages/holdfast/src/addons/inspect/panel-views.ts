// The five views of the panel. A view has lines, which a search narrows, and says something about the chosen one. It reads the
// inspector each time it draws, and has no record of its own.
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
import type { Inspector } from './inspector.ts';
import { nameCall, nameList, nameRow, nameSpan } from './names.ts';
import type { Child, MakeElement } from './panel-dom.ts';
import type { Lines } from './panel-list.ts';

export type ViewName = 'Timeline' | 'Rows' | 'Lists' | 'Requests' | 'Renders';

export interface PanelView {
  readonly name: ViewName;
  lines(query: string): Lines;
  /** What is said about the chosen line; without one, about the page as a whole. */
  detail(id: string | undefined): readonly Child[];
}

/** What the views need of the panel. */
export interface PanelParts {
  readonly make: MakeElement;
  readonly source: Inspector;
  /** Whether there are buttons that change what the page does. */
  readonly hasButtons: boolean;
  /** Shows a line of a view; with a query, the lines that it finds. */
  open(view: ViewName, id: string | undefined, query?: string): void;
}

/** How many members of a list, and how many found rows, are shown at most. */
const MOST_LINES = 200;

/** How many requests a chain of causes has at most. */
const MOST_CAUSES = 5;

/** Identifies a row among the lines of all rows. */
export const rowIdOf = ({ entity, pk }: { entity: string; pk: string }): string =>
  JSON.stringify([entity, pk]);

export function createViews({ make, source, hasButtons, open }: PanelParts): readonly PanelView[] {
  const link = (text: string, onClick: () => void): HTMLElement =>
    make('button', { class: 'link', type: 'button', click: onClick }, text);
  const requestLink = (text: string, id: RequestId): HTMLElement =>
    link(text, () => open('Requests', String(id)));
  const rowLink = (row: { entity: string; pk: string }): HTMLElement =>
    link(nameOf(row), () => open('Rows', rowIdOf(row)));

  const sentence = ({ parts }: Sentence): Child[] =>
    parts.map(({ text, request, isValue }) => {
      if (request !== undefined) return requestLink(text, request);
      return isValue ? make('span', { class: 'value' }, text) : text;
    });
  const paragraph = (sentences: readonly Sentence[], ...before: readonly Child[]): HTMLElement =>
    make('p', {}, ...before, ...sentences.flatMap((one) => [...sentence(one), ' ']));
  const bullets = (items: readonly (readonly Child[])[]): Child =>
    items.length > 0 && make('ul', {}, ...items.map((item) => make('li', {}, ...item)));
  const part = (title: string, items: readonly (readonly Child[])[]): readonly Child[] =>
    items.length > 0 ? [make('h4', {}, title), bullets(items)] : [];
  const hint = (text: string): HTMLElement => make('p', { class: 'dim' }, text);
  const actions = (...buttons: readonly (readonly [string, () => void])[]): HTMLElement =>
    make(
      'div',
      { class: 'acts' },
      ...buttons.map(([text, click]) => make('button', { type: 'button', click }, text)),
    );
  const ago = (ms: number): string => `${nameSpan(source.now() - ms)} ago`;
  const line = (name: string, note: string, kind = ''): Child[] => [
    make('span', { class: 'name' }, name),
    make('span', { class: `note ${kind}` }, note),
  ];
  const nameOf = ({ entity, pk }: { entity: string; pk: string }): string => {
    const row = source.explainPk(entity, pk);
    return row.found === 'entity' ? nameRow(row) : `${entity} ${pk}`;
  };
  const toLines = <T>(items: readonly T[], show: (item: T) => { id: string; content: Child[] }): Lines => ({
    count: items.length,
    from: (first, count) => items.slice(first, first + count).map(show),
  });

  // ── requests ───────────────────────────────────────────────────────────────────────────────

  const findRequests = (query: string): InspectedRequest[] => {
    const wanted = query.trim().toLowerCase();
    return source
      .requests()
      .filter((request) => {
        const text = `${nameCall(request)} ${request.endpoint} ${JSON.stringify(request.args)} ${request.outcome}`;
        return text.toLowerCase().includes(wanted);
      })
      .reverse();
  };
  /** The causes of a request: the requests that made its data stale, and theirs. */
  const causesOf = (request: InspectedRequest, depth = 0): readonly Child[] => {
    if (depth === MOST_CAUSES) return [];
    const causes = new Set(request.reasons.map((reason) => ('by' in reason ? reason.by : undefined)));
    const known = [...causes].flatMap((id) => {
      const cause = id === undefined ? undefined : source.whyFetched(id);
      return cause?.found === 'request' && cause.id !== request.id ? cause : [];
    });
    return part(
      depth === 0 ? 'What led to it' : 'and to that',
      known.map((cause) => [paragraph(describeRequest(source, cause)), ...causesOf(cause, depth + 1)]),
    );
  };
  const readActions = (id: RequestId | undefined): (readonly [string, () => void])[] =>
    hasButtons && id !== undefined
      ? [
          ['Load again', () => source.loadAgain(id)],
          ['Make stale', () => source.makeStale(id)],
        ]
      : [];
  const showRequest = (id: string | undefined): readonly Child[] => {
    const request = source.whyFetched(Number(id));
    if (id === undefined) {
      const waiting = source.writes().map((write) => sentence(describeWrite(write)));
      return [
        ...part('Mutations without a response', waiting),
        hint('Choose a request to see why it was sent and how it ended.'),
      ];
    }
    if (request.found === 'nothing') return [hint('This request is forgotten.')];
    return [
      make('h3', {}, nameCall(request)),
      actions(...(request.kind === 'read' ? readActions(request.id) : [])),
      paragraph(describeRequest(source, request)),
      ...causesOf(request),
      make('h4', {}, 'Call'),
      make('p', {}, make('code', {}, `${request.endpoint || 'set'} ${JSON.stringify(request.args)}`)),
    ];
  };
  const timeline: PanelView = {
    name: 'Timeline',
    lines(query) {
      const found = findRequests(query);
      return {
        count: found.length,
        from(first, count) {
          const drawn = found.slice(first, first + count);
          const now = source.now();
          const from = Math.min(...drawn.map(({ startedAt }) => startedAt));
          const until = Math.max(
            ...drawn.map(({ startedAt, endedAt }) => endedAt ?? Math.max(now, startedAt)),
          );
          const place = (ms: number): string => `${((ms - from) / Math.max(1, until - from)) * 97}%`;
          return drawn.map((request) => {
            const { id, outcome, startedAt, endedAt = until, effectAt } = request;
            const bar = make('span', { class: `bar ${outcome}` });
            bar.style.left = place(startedAt);
            bar.style.width = place(from + endedAt - startedAt);
            const mark = effectAt !== undefined && make('span', { class: 'mark' });
            if (mark && effectAt !== undefined) mark.style.left = place(effectAt);
            const track = make('span', { class: 'track' }, bar, mark);
            return {
              id: String(id),
              content: [...line(nameCall(request), outcome.replaceAll('-', ' '), outcome), track],
            };
          });
        },
      };
    },
    detail: showRequest,
  };
  const requests: PanelView = {
    name: 'Requests',
    lines: (query) =>
      toLines(findRequests(query), (request) => {
        const { id, startedAt, outcome } = request;
        return {
          id: String(id),
          content: line(nameCall(request), `${outcome.replaceAll('-', ' ')}, ${ago(startedAt)}`, outcome),
        };
      }),
    detail: showRequest,
  };

  // ── rows ───────────────────────────────────────────────────────────────────────────────────

  const showRow = (row: ExplainedRow): readonly Child[] => {
    const names = Object.keys(row.fields);
    const isContested = (name: string): boolean => {
      const { lost, guesses, history } = row.fields[name]!; // of the row's own names
      return lost.length + guesses.length + history.length > 0;
    };
    const isRead = (id: RequestId): boolean => {
      const request = source.whyFetched(id);
      return request.found === 'request' && request.kind === 'read';
    };
    const origins = names.flatMap((name) => [row.fields[name]!.from ?? 0, ...row.fields[name]!.confirmed]);
    const lastRead = [...new Set(origins)].sort((one, other) => other - one).find(isRead);
    const places = source
      .listsFor(row)
      .map((list) => [
        link(nameList(list), () => open('Lists', list.id)),
        ': ',
        ...sentence(describeMember(source, list, row)),
      ]);
    return [
      make('h3', {}, nameRow(row)),
      actions(...readActions(lastRead), ['Its requests', () => open('Timeline', undefined, row.pk)]),
      bullets(describeRow(source, row).map(sentence)),
      ...[...names.filter(isContested), ...names.filter((name) => !isContested(name))].map((name) =>
        make(
          'div',
          { 'class': 'field', 'data-field': name },
          paragraph(describeField(source, row, name), make('b', {}, name), ' is '),
        ),
      ),
      ...part('Lists', places),
    ];
  };
  const rows: PanelView = {
    name: 'Rows',
    lines(query) {
      const show = (row: { entity: string; pk: string }): { id: string; content: Child[] } => ({
        id: rowIdOf(row),
        content: line(nameOf(row), ''),
      });
      const types = source.entityTypes();
      const wanted = query.trim().toLowerCase();
      const chosen = types.filter(({ entity }) => wanted === '' || entity.toLowerCase() === wanted);
      if (chosen.length === 0) return toLines(source.findRows(query, MOST_LINES), show);
      return {
        count: chosen.reduce((sum, { count }) => sum + count, 0),
        from(first, count) {
          const found: { entity: string; pk: string }[] = [];
          let skipped = first;
          for (const { entity, count: size } of chosen) {
            if (skipped < size)
              for (const pk of source.pksOf(entity, skipped, count - found.length))
                found.push({ entity, pk });
            skipped = Math.max(0, skipped - size);
            if (found.length >= count) break;
          }
          return found.map(show);
        },
      };
    },
    detail(id) {
      if (id !== undefined) {
        const [entity = '', pk = ''] = JSON.parse(id) as readonly string[]; // cast: written by `rowIdOf`
        const row = source.explainPk(entity, pk);
        return row.found === 'entity' ? showRow(row) : [hint(row.why)];
      }
      const refused = source
        .refused()
        .map(({ entity, pk, fields, path }) => [
          `${entity} ${pk ?? ''} `,
          make('code', {}, path),
          bullets(fields.map(({ field, message }) => [`${field}: ${message}`])),
        ]);
      return [
        hint('Choose a row, or pick it on the page, to see who said what it shows.'),
        ...part('Refused by checks', refused),
      ];
    },
  };

  // ── lists and renders ──────────────────────────────────────────────────────────────────────

  const lists: PanelView = {
    name: 'Lists',
    lines(query) {
      const wanted = query.trim().toLowerCase();
      const found = source.lists(0).filter((list) => nameList(list).toLowerCase().includes(wanted));
      return toLines(found, (list) => ({ id: list.id, content: line(nameList(list), String(list.count)) }));
    },
    detail(id) {
      const list = source.lists(MOST_LINES).find((one) => one.id === id);
      if (!list) return [hint('Choose a list to see why each row is in it, and who has left.')];
      const { count, items, gone, pages } = list;
      const place = (row: { entity: string; pk: string }): readonly Child[] => [
        rowLink(row),
        ': ',
        ...sentence(describeMember(source, list, row)),
      ];
      const known = pages.flatMap((page) => {
        const request = page === undefined ? undefined : source.whyFetched(page);
        return request?.found === 'request' ? request : [];
      });
      return [
        make('h3', {}, nameList(list)),
        actions(...readActions(known[0]?.id)),
        paragraph(describeList(list), `${count} rows. `),
        ...part(
          'Loaded by',
          known.map((request) => [requestLink(nameCall(request), request.id), `, ${ago(request.startedAt)}`]),
        ),
        ...part('In it', items.map(place)),
        items.length < count && hint(`and ${count - items.length} more`),
        ...part(
          'Out of it',
          gone.map((row) => place(row)),
        ),
      ];
    },
  };
  const renders: PanelView = {
    name: 'Renders',
    lines(query) {
      const wanted = query.trim().toLowerCase();
      const found = source
        .wakes()
        .map((wake) => {
          const call = wake.endpoint ? nameCall({ ...wake, kind: 'read', method: '' }) : 'a query';
          return { wake, name: [wake.components.join(', '), call].filter(Boolean).join(' · ') };
        })
        .filter(({ name }) => name.toLowerCase().includes(wanted))
        .reverse();
      return toLines(found, ({ wake, name }) => ({ id: String(wake.id), content: line(name, ago(wake.at)) }));
    },
    detail(id) {
      const wake = source.wakes().find((one) => String(one.id) === id);
      if (wake) {
        const [first, ...because] = describeWake(source, wake);
        return [
          make('h3', {}, 'Why it rendered'),
          first && paragraph([first]),
          bullets(because.map(sentence)),
        ];
      }
      const mounted = source
        .mounted(MOST_LINES)
        .map(({ endpoint, args, components, stale, from, listenerCount }) => {
          const name = nameCall({ endpoint, args, kind: 'read', method: '' });
          const by =
            components.join(', ') || `${listenerCount} ${listenerCount === 1 ? 'reader' : 'readers'}`;
          return [
            from === undefined ? name : requestLink(name, from),
            ` (${by}): `,
            ...(stale.length === 0
              ? ['fresh.']
              : stale.flatMap((reason) => [...sentence(describeStale(source, reason)), ' '])),
          ];
        });
      return [
        hint('Choose a rendering to see what caused it.'),
        ...part(`On this page: ${source.countMounted()}`, mounted),
      ];
    },
  };
  return [timeline, rows, lists, requests, renders];
}
