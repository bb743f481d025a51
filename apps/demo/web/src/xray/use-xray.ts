// Reads the X-ray again after something has happened, at most ten times a second.
import type { describeRequest, Inspector } from 'holdfast/inspect';
import { useEffect, useState } from 'react';
import { readXray } from './read-xray.ts';
import type { Xray } from './read-xray.ts';
import { renders } from './render-count.ts';

const PAUSE_MS = 100;

export function useXray(inspector: Inspector): Xray {
  const [xray, setXray] = useState(() => readXray(inspector));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let describe: typeof describeRequest | undefined;
    const look = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        setXray(readXray(inspector, describe));
      }, PAUSE_MS);
    };
    void import('../inspector/sentences-module.ts').then((loaded) => {
      describe = loaded.describeRequest;
      look();
    });
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
