// Reads the X-ray again after something has happened, at most ten times a second.
import type { Inspector } from 'holdfast/inspect';
import { useEffect, useState } from 'react';
import { readXray } from './read-xray.ts';
import type { Xray } from './read-xray.ts';
import { renders } from './render-count.ts';

const PAUSE_MS = 100;

export function useXray(inspector: Inspector): Xray {
  const [xray, setXray] = useState(() => readXray(inspector));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        setXray(readXray(inspector));
      }, PAUSE_MS);
    };
    const stop = inspector.listen(look);
    look();
    renders.isShown = true;
    return () => {
      stop();
      clearTimeout(timer);
      renders.isShown = false;
    };
  }, [inspector]);
  return xray;
}
