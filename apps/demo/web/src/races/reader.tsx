// A dialog that shows a page of the documentation or a source file of the repository.
import { use, useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { Boundary } from '../ui/boundary.tsx';
import { LineIcon } from '../ui/icons.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

export interface OpenReading {
  readonly title: string;
  readonly text: Promise<string>;
}

export function Reader({ reading, onClose }: { reading: OpenReading; onClose: () => void }): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="dialog reader" aria-labelledby="reader-title" onClose={onClose}>
      <div className="reader-head">
        <h2 id="reader-title">{reading.title}</h2>
        <button
          type="button"
          className="icon-button"
          aria-label="Close"
          onClick={() => dialog.current?.close()}
        >
          <LineIcon name="close" />
        </button>
      </div>
      <Boundary name={reading.title} fallback={<Skeleton label={reading.title} count={8} />}>
        <Text text={reading.text} />
      </Boundary>
    </dialog>
  );
}

function Text({ text }: { text: Promise<string> }): ReactNode {
  return (
    <pre tabIndex={0} aria-label="Text">
      {use(text)}
    </pre>
  );
}
