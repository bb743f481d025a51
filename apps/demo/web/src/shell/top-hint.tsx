// A hint about the page, in one line above it.
import type { ReactNode } from 'react';

export function TopHint(): ReactNode {
  return (
    <p className="top-hint wide-only">
      Edit, drag or delete anything: every view follows. Then make the network bad and try again.
    </p>
  );
}
