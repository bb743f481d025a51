// The error of a mutation whose conflicts were not resolved.
import { HoldfastError } from '../../support/errors.ts';
import type { Conflict } from './conflict.types.ts';

/**
 * A mutation that was not sent, or was refused, because another client has changed its row. After a refusal that did not bring the
 * row (`current`), the lists that contain the row are stale, and the row is stale until it is read.
 *
 * @example
 * const mineOf = (error: unknown) => (error instanceof ConflictError ? error.conflicts.map(({ mine }) => mine) : []);
 */
export class ConflictError extends HoldfastError {
  override name = 'ConflictError';
  readonly conflicts: readonly Conflict[];
  /** The last response that refused the mutation, other than a 428; absent if there was none. */
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
