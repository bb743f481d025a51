// Changes that the server did not take. Holdfast has already taken them back; this list remembers
// them, so that the row is marked and the visitor can try again with one click.
import { isAbortError, isConnectionError, isHttpError, ResetError } from 'holdfast';
import { ExternalValue, useExternalValue } from '../external-value.ts';

export interface Failure {
  /** What it is about: an issue's id, or an own name for a creation. */
  readonly subject: string;
  /** What was tried, for people: "Rename LTH-12". */
  readonly label: string;
  readonly reason: string;
  readonly retry: () => void;
}

export const failures = new ExternalValue<readonly Failure[]>([]);

export function dismiss(failure: Failure): void {
  failures.write(failures.read().filter((other) => other !== failure));
}

/** Runs a change, and remembers it when it fails. Resolves to whether it went through. */
export async function save(subject: string, label: string, run: () => Promise<unknown>): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (error) {
    // called off by what the visitor did next (a delete, signing out): nothing to tell
    if (isAbortError(error) || error instanceof ResetError) return false;
    const failure: Failure = {
      subject,
      label,
      reason: explain(error),
      retry: () => {
        dismiss(failure);
        void save(subject, label, run);
      },
    };
    failures.write([...failures.read(), failure]);
    return false;
  }
}

export function useFailures(subject?: string): readonly Failure[] {
  const all = useExternalValue(failures);
  return subject === undefined ? all : all.filter((failure) => failure.subject === subject);
}

/** The server's own words where it sent some. */
export function explain(error: unknown): string {
  if (isHttpError(error)) {
    const problem = error.problem;
    const fields = problem?.['errors'];
    if (Array.isArray(fields)) {
      return fields
        .map((entry: { field: string; message: string }) => `${entry.field} ${entry.message}`)
        .join(', ');
    }
    return String(problem?.['detail'] ?? `the server answered ${error.status}`);
  }
  return isConnectionError(error) ? 'the connection was lost' : 'it did not reach the server';
}
