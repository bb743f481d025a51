// The views at the top: the stored answer of an endpoint, and a look-up by arguments alone. Both read one schema kind
// and keep the previous value's parts where they did not change.
import { freezePlain } from '#env';
import { isNode, Slot } from '../store/nodes.ts';
import type { View } from '../store/view.ts';
import type { Kind, QueryContext, ReadContext } from '../schema/protocol/protocol.ts';
import { INVALID, UNKNOWN } from '../schema/protocol/protocol.ts';
import { share } from '../schema/protocol/share.ts';

/** Reads what a slot holds. */
export class AnswerKind implements Kind {
  readonly kind: Kind;

  constructor(kind: Kind) {
    this.kind = kind;
  }

  enter(value: unknown): unknown {
    return value;
  }

  open(stored: unknown): unknown {
    return stored;
  }

  query(): unknown {
    return UNKNOWN;
  }

  openView(view: View, at: ReadContext & QueryContext): unknown {
    const previous = view.value;
    at.begin(view);
    const stored = this.storedFor(view, at);
    const value = stored === UNKNOWN ? undefined : this.kind.open(stored, at);
    // the value of a row or a list is its own view's and keeps its references by itself
    const own = value === INVALID ? this.absent : value;
    at.complete(view, value === INVALID || isNode(stored) ? own : share(previous, own));
    freezePlain(view.value);
    at.end();
    return view.value;
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
    view.stored = this.kind.query(at.args, at);
    return view.stored;
  }
}
