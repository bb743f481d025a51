// The error of a mutation whose conflicts were not resolved. Thrown by write-sender.ts.
import { HoldfastError } from '../../support/errors.ts';
import type { Conflict } from './conflict.types.ts';

/**
 * A mutation that was not sent, or was refused, because another client has changed the same fields. It makes nothing stale: the
 * store has the other client's values.
 *
 * @example
 * const mineOf = (error: unknown) => (error instanceof ConflictError ? error.conflicts.map(({ mine }) => mine) : []);
 */
export class ConflictError extends HoldfastError {
  override name = 'ConflictError';
  readonly conflicts: readonly Conflict[];
  /** The response that refused the mutation; absent when the mutation was not sent. */
  declare readonly response?: Response;

  constructor(conflicts: readonly Conflict[], cause?: unknown) {
    const [{ entity, pk } = {}] = conflicts;
    super(
      'WRITE_CONFLICT',
      { entity, pk, fields: conflicts.map(({ field }) => field).join(', ') },
      { cause },
    );
    this.conflicts = conflicts;
    const { response } = Object(cause) as { response?: Response }; // cast: undefined for any other cause
    if (response) Object.defineProperty(this, 'response', { value: response });
  }
}
