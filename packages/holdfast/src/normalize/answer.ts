// The views at the top: the stored answer of an endpoint, and a look-up by arguments alone. Both read one schema kind
// and keep the previous value's parts where they did not change.
import { freezePlain } from '#env';
import { isNode, Slot } from '../store/nodes.ts';
import { View } from '../store/view.ts';
import type { Kind, QueryContext, ReadContext } from '../schema/protocol.ts';
import { INVALID, ReadFrame, UNKNOWN } from '../schema/protocol.ts';
import { share } from '../schema/share.ts';

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

  openView(view: View, _at: ReadContext): unknown {
    const stored = view.subject instanceof Slot ? view.subject.stored : undefined;
    return new AnswerRead(view, this.kind, stored);
  }
}

/** Reads what arguments name. */
export class CellKind extends AnswerKind {
  override openView(view: View, _at: ReadContext): unknown {
    return new CellRead(view, this.kind);
  }
}

class AnswerRead extends ReadFrame {
  static readonly specimen: object = new AnswerRead(new View(null, null, []), {} as never, undefined); // cast: never run
  readonly size: number = 1;
  override readonly view: View;
  protected readonly kind: Kind;
  protected stored: unknown;
  /** What stands for something that is not there any more. */
  protected readonly absent: unknown = INVALID;
  readonly #previous: unknown;
  #value: unknown = undefined;

  constructor(view: View, kind: Kind, stored: unknown) {
    super();
    this.view = view;
    this.kind = kind;
    this.stored = stored;
    this.#previous = view.value;
  }

  next(at: ReadContext): unknown {
    return this.kind.open(this.stored, at);
  }

  accept(value: unknown): void {
    this.#value = value;
  }

  finish(at: ReadContext): unknown {
    // the value of a row or a list is its own view's and keeps its references by itself
    const isStable = this.#value === INVALID || isNode(this.stored);
    const own = this.#value === INVALID ? this.absent : this.#value;
    const value = isStable ? own : share(this.#previous, own);
    freezePlain(value);
    at.complete(this.view, value);
    return value;
  }
}

class CellRead extends AnswerRead {
  static override readonly specimen: object = new CellRead(new View(null, null, []), {} as never); // cast: never run
  // to a look-up deleted and unknown are one: its readers are not told that one became the other
  protected override readonly absent: unknown = undefined;

  constructor(view: View, kind: Kind) {
    super(view, kind, UNKNOWN);
  }

  override next(at: ReadContext & QueryContext): unknown {
    this.stored = this.kind.query(at.args, at);
    this.view.stored = this.stored;
    return this.stored === UNKNOWN ? undefined : super.next(at);
  }
}
