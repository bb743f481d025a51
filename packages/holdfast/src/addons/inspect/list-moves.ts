// Records how rows entered and left lists: compares which lists contain a row before and after a payload is applied. recorder.ts
// keeps one `ListMoves` per list in a WeakMap, so that the record is freed with its list.
import type { Effects } from '../../store/effects.ts';
import { itemsOf } from '../../store/graph.ts';
import { memberDifference } from '../../store/list-members.ts';
import type { List, Row } from '../../store/nodes.ts';
import { rowOf } from '../../store/stored-form.ts';
import type { ExplainedLeave, ExplainedMember } from './explanation.types.ts';
import type { KnownRequest } from './known-request.ts';

interface MemberEntered {
  readonly how: ExplainedMember['how'];
  readonly by: KnownRequest;
}

export interface MemberLeft {
  readonly row: Row;
  readonly how: ExplainedLeave['how'];
  readonly by: KnownRequest;
}

/** How many removed rows are remembered per list. */
const MOST_LEFT = 32;

/** The rows that entered and left one list. */
export class ListMoves {
  /** How each row entered the list. Only rows that entered while the inspector was installed are recorded. */
  readonly entered: WeakMap<Row, MemberEntered> = new WeakMap();
  departed: readonly MemberLeft[] = [];

  addMoves(came: Iterable<Row>, left: Iterable<Row>, reasons: MoveReasons): void {
    for (const row of came) this.entered.set(row, { how: reasons.ofEntering(row), by: reasons.by });
    const newlyLeft = [...left].map((row) => ({ row, how: reasons.ofLeaving(row), by: reasons.by }));
    if (newlyLeft.length > 0) this.departed = [...newlyLeft.reverse(), ...this.departed].slice(0, MOST_LEFT);
  }
}

interface MoveReasons {
  readonly by: KnownRequest;
  ofEntering(row: Row): ExplainedMember['how'];
  ofLeaving(row: Row): ExplainedLeave['how'];
}

/** The rows that the arguments of a failed read identify, each with the lists that contained it before the failure. */
export type RowsWithLists = readonly (readonly [Row, readonly List[]])[];

/** The reasons for moves after a read has failed because the server had deleted the row. */
export function reasonsForDeletion(by: KnownRequest): MoveReasons {
  return { by, ofEntering: () => 'answered', ofLeaving: () => 'deleted' };
}

/** A list that the payload contains: the members of the list before the payload, and the members in the payload. */
interface WrittenList {
  readonly before: readonly unknown[];
  readonly members: readonly unknown[];
}

/** The state before a payload is applied: the lists that contain the payload's rows, and the members of the payload's lists. */
export class MembershipBefore {
  readonly #effects: Effects;
  readonly #holders = new Map<Row, readonly List[]>();
  readonly #writtenLists = new Map<List, WrittenList>();
  readonly #removed: ReadonlySet<Row>;
  /**
   * The memo of `#isAmong`: for each array of members, the rows among them. A payload may have 100,000 rows, and a search of the
   * array for each row would take quadratic time.
   */
  readonly #rowsOfMembers = new Map<readonly unknown[], ReadonlySet<Row>>();

  constructor(effects: Effects) {
    this.#effects = effects;
    this.#removed = new Set(effects.removed);
    const { rows, removed, placements, namings, lists } = effects;
    const placed = placements.flatMap(({ members }) => members.flatMap((member) => rowOf(member) ?? []));
    for (const row of [...rows, ...removed, ...placed, ...namings.map(({ draft }) => draft)])
      this.#holders.set(row, itemsOf(row.listsInBase));
    for (const { list, members } of lists) this.#writtenLists.set(list, { before: list.base, members });
  }

  /** Called after the payload is applied: records which rows entered and left lists, and returns these lists. */
  recordMoves(by: KnownRequest, isNew: (row: Row) => boolean, movesOf: (list: List) => ListMoves): Set<List> {
    const changed = new Map<List, { readonly came: Set<Row>; readonly gone: Set<Row> }>();
    const changeOf = (list: List): { readonly came: Set<Row>; readonly gone: Set<Row> } => {
      const known = changed.get(list) ?? { came: new Set<Row>(), gone: new Set<Row>() };
      changed.set(list, known);
      return known;
    };
    for (const [list, { before }] of this.#writtenLists) {
      if (before === list.base) continue;
      const [came, left] = memberDifference(before, list.base);
      for (const row of came.map(rowOf)) if (row) changeOf(list).came.add(row);
      for (const row of left) if (row) changeOf(list).gone.add(row);
    }
    for (const [row, before] of this.#holders) {
      const now = itemsOf(row.listsInBase);
      for (const list of now)
        if (!before.includes(list) && !this.#writtenLists.has(list)) changeOf(list).came.add(row);
      for (const list of before)
        if (!now.includes(list) && !this.#writtenLists.has(list)) changeOf(list).gone.add(row);
    }
    for (const [list, { came, gone }] of changed)
      movesOf(list).addMoves(came, gone, {
        by,
        ofEntering: (row) => this.#howItEntered(list, row, isNew),
        ofLeaving: (row) => this.#howItLeft(list, row),
      });
    return new Set(changed.keys());
  }

  #howItEntered(list: List, row: Row, isNew: (row: Row) => boolean): ExplainedMember['how'] {
    const written = this.#writtenLists.get(list);
    if (written) return this.#isAmong(written.members, row) ? 'answered' : 'created-while-under-way';
    const placement = this.#effects.placements.find(({ members }) => this.#isAmong(members, row));
    if (!placement) return isNew(row) ? 'creation-by-row' : 'field-changed';
    // A user's own filter is not run a second time only to explain its result.
    if (placement.hasHooks || !placement.isByRow) return 'put-by-the-call';
    return placement.takes(list, row) ? 'put-by-the-call' : 'creation-by-row';
  }

  #howItLeft(list: List, row: Row): ExplainedLeave['how'] {
    if (this.#removed.has(row)) return 'deleted';
    if (this.#writtenLists.has(list)) return 'not-in-the-answer';
    const isMoved = this.#effects.placements.some(
      ({ mustLeave, members }) => mustLeave && this.#isAmong(members, row),
    );
    return isMoved ? 'taken-out-by-the-call' : 'field-changed';
  }

  #isAmong(members: readonly unknown[], row: Row): boolean {
    const known = this.#rowsOfMembers.get(members);
    const rows = known ?? new Set(members.flatMap((member) => rowOf(member) ?? []));
    if (!known) this.#rowsOfMembers.set(members, rows);
    return rows.has(row);
  }
}
