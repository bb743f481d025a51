// For an address without a view.
import type { ReactNode } from 'react';
import { Link } from '../navigation/navigation.tsx';

export function UnknownPage({ path }: { path: string }): ReactNode {
  return (
    <section className="unknown-page" aria-label="Not found">
      <h1>There is no such page</h1>
      <p>
        <code>{path}</code> leads nowhere. It may have been mistyped, or moved.
      </p>
      <p>
        <Link to="/" className="button primary">
          First look
        </Link>{' '}
        <Link to="/table" className="button">
          All issues
        </Link>
      </p>
    </section>
  );
}
