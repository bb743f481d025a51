// The way from the first screen to the library: the line that installs it, its documentation and the source of this page.
import { lazy, Suspense, useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import type { Reading } from '../reading/reader.tsx';

// no visitor needs them for the first screen
const Reader = lazy(async () => ({ default: (await import('../reading/reader.tsx')).Reader }));
const readings = () => import('../reading/readings.ts');

/** The package as this server has packed it: there is no release yet. */
const PACKAGE = '/holdfast.tgz';
const COPIED_MS = 2_000;

export function HomeLinks(): ReactNode {
  const [reading, setReading] = useState<Reading | null>(null);
  const [isCopied, setIsCopied] = useState(false);
  // the paint of the build does not know the address
  const origin = typeof window === 'undefined' ? '' : window.location.origin;
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setIsCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const line = `npm install ${origin}${PACKAGE}`;
  const copy = (): void => void navigator.clipboard.writeText(line).then(() => setIsCopied(true));
  return (
    <>
      <span className="install">
        <code>{line}</code>
        <button
          type="button"
          className="button quiet small"
          aria-label="Copy the install line"
          onClick={copy}
        >
          {isCopied ? 'Copied' : 'Copy'}
        </button>
      </span>
      <button
        type="button"
        className="text-link"
        onClick={() =>
          void readings().then(({ docsPage }) => setReading(docsPage({ page: 'getting-started' })))
        }
      >
        Docs
      </button>
      <button
        type="button"
        className="text-link"
        onClick={() => void readings().then(({ issueSource }) => setReading(issueSource))}
      >
        Source
      </button>
      {reading && (
        <Suspense>
          <Reader key={reading.title} reading={reading} onClose={() => setReading(null)} />
        </Suspense>
      )}
    </>
  );
}
