// The views at the top: the stored answer of an endpoint, and a look-up by arguments alone. Both read one schema kind
// and keep the previous value's parts where they did not change.
import { freezePlain } from '#env';
import { isEqual } from '../store/fields.ts';
import { isNode, Slot } from '../store/nodes.ts';
import type { View } from '../store/graph.ts';
import type { Kind, QueryContext, ReadContext, ViewReader } from '../schema/protocol/protocol.ts';
import { INVALID, UNKNOWN } from '../schema/protocol/protocol.ts';
import { share } from '../schema/protocol/share.ts';

/** Reads what a slot holds. */
export class AnswerKind implements ViewReader {
  readonly kind: Kind;

  constructor(kind: Kind) {
    this.kind = kind;
  }

  build(view: View, at: ReadContext & QueryContext): void {
    const previous = view.value;
    at.begin(view);
    const stored = this.storedFor(view, at);
    const value = stored === UNKNOWN ? undefined : at.open(this.kind, stored);
    // the value of a row or a list is its own view's and keeps its references by itself
    const own = value === INVALID ? this.absent : value;
    at.complete(view, value === INVALID || isNode(stored) ? own : share(previous, own));
    freezePlain(view.value);
  }

  /** What stands for something that is not there any more. */
  protected get absent(): unknown {
    return INVALID;
  }

  protected storedFor({ subject }: View, _at: QueryContext): unknown {
    return subject instanceof Slot ? subject.stored : undefined;
  }
}

/** Reads what arguments name. */
export class CellKind extends AnswerKind {
  // to a look-up deleted and unknown are one: its readers are not told that one became the other
  protected override get absent(): unknown {
    return undefined;
  }

  protected override storedFor(view: View, at: QueryContext): unknown {
    const stored = this.kind.query(at.args, at);
    // the same form at every attempt: deep parts of it are known by identity
    if (!isEqual(view.stored, stored)) view.stored = stored;
    return view.stored;
  }
}
