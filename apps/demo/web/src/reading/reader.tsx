// A dialog that shows a page of the documentation or a source file of the repository.
import { use, useEffect, useRef, useState } from 'react';
import type { MouseEvent, ReactNode } from 'react';
import '../styles/reader.css';
import { Boundary } from '../ui/boundary.tsx';
import { LineIcon } from '../ui/icons.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { docsPage } from './readings.ts';

export interface Reading {
  readonly title: string;
  /** The text as HTML of the build. */
  load(): Promise<string>;
}

export function Reader({ reading, onClose }: { reading: Reading; onClose: () => void }): ReactNode {
  const [shown, setShown] = useState(() => ({ title: reading.title, html: reading.load() }));
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  // links between the pages stay in the dialog
  const follow = (event: MouseEvent): void => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const page = /(?:^|\/)([\w-]+)(?:\.md|\.html)?(?:#.*)?$/.exec(link?.getAttribute('href') ?? '')?.[1];
    if (!link || /^https?:/.test(link.getAttribute('href') ?? '')) return;
    event.preventDefault();
    if (page === undefined) return;
    const next = docsPage({ page });
    setShown({ title: next.title, html: next.load() });
  };
  return (
    <dialog ref={dialog} className="dialog reader" aria-labelledby="reader-title" onClose={onClose}>
      <div className="reader-head">
        <h2 id="reader-title">{shown.title}</h2>
        <button
          type="button"
          className="icon-button"
          aria-label="Close the reader"
          onClick={() => dialog.current?.close()}
        >
          <LineIcon name="close" />
        </button>
      </div>
      <Boundary key={shown.title} name={shown.title} fallback={<Skeleton label={shown.title} count={8} />}>
        <Text html={shown.html} onClick={follow} />
      </Boundary>
    </dialog>
  );
}

function Text({ html, onClick }: { html: Promise<string>; onClick: (event: MouseEvent) => void }): ReactNode {
  return (
    <div
      className="reader-text"
      role="region"
      aria-label="Text"
      tabIndex={0}
      onClick={onClick}
      // the HTML is from the build
      dangerouslySetInnerHTML={{ __html: use(html) }}
    />
  );
}
