// Shown until the page knows the user: the first paint of the document, or grey shapes at any other time.
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { Skeleton } from '../ui/skeleton.tsx';
import { FirstPaint } from './first-paint.tsx';

let isOpening = true;

export function Loading({ isPainted }: { isPainted: boolean }): ReactNode {
  const [isFirst] = useState(isOpening);
  useEffect(
    () => () => {
      isOpening = false;
    },
    [],
  );
  return isPainted && isFirst ? <FirstPaint /> : <Skeleton label="Harbor" kind="page" count={6} />;
}
