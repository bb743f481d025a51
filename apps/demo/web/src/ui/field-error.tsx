// Shows the server's error about a field, below that field.
import type { ReactNode } from 'react';

interface FieldErrorProps {
  id?: string;
  /** The name of the field, for people. */
  name: string;
  message: string | undefined;
}

export function FieldError({ id, name, message }: FieldErrorProps): ReactNode {
  return (
    message && (
      <span id={id} className="field-error" role="alert">
        {name} {message}
      </span>
    )
  );
}
