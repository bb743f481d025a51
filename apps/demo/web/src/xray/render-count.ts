// Counts the renders of React, card by card and list by list, and lets them flash while the X-ray is on screen. Counting is an
// effect without dependencies: React runs it once for each render of the component.
import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';
import { ExternalValue } from '../external-value.ts';

export type Rendered = 'card' | 'row' | 'list';

export interface RenderCount {
  /** Since the page was opened. */
  readonly all: Readonly<Record<Rendered, number>>;
  /** How many different components the last change has rendered. */
  readonly last: Readonly<Record<Rendered, number>>;
}

/** Renders within this time of each other belong to one change. */
const PAUSE_MS = 1_200;
const FLASH_MS = 900;
/** A change that renders more is a new view: its components do not flash. */
const MOST_FLASHED = 40;

const NONE = { card: 0, row: 0, list: 0 };

class Renders extends ExternalValue<RenderCount> {
  /** True when components flash as they render. */
  isShown = false;
  readonly #all: Record<Rendered, number> = { ...NONE };
  readonly #last: Record<Rendered, Set<Element>> = {
    card: new Set(),
    row: new Set(),
    list: new Set(),
  };
  /** The counts that were asked for: each since its own beginning. */
  readonly #followed = new Set<Record<Rendered, Set<Element>>>();
  readonly #unseen = new Set<HTMLElement>();
  #lastAtMs = 0;
  #isTold = true;

  /** Counts from now on, until the returned function gives how many different components have rendered. */
  follow(): () => Readonly<Record<Rendered, number>> {
    const counted = { card: new Set<Element>(), row: new Set<Element>(), list: new Set<Element>() };
    this.#followed.add(counted);
    return () => {
      this.#followed.delete(counted);
      return { card: counted.card.size, row: counted.row.size, list: counted.list.size };
    };
  }

  note(kind: Rendered, element: HTMLElement): void {
    const nowMs = performance.now();
    if (nowMs - this.#lastAtMs > PAUSE_MS) for (const elements of Object.values(this.#last)) elements.clear();
    this.#lastAtMs = nowMs;
    this.#all[kind] += 1;
    this.#last[kind].add(element);
    for (const counted of this.#followed) counted[kind].add(element);
    element.dataset['renders'] = String(Number(element.dataset['renders'] ?? 0) + 1);
    this.#unseen.add(element);
    if (!this.#isTold) return;
    this.#isTold = false;
    requestAnimationFrame(() => {
      this.#isTold = true;
      const { card, row, list } = this.#last;
      if (this.isShown && this.#unseen.size <= MOST_FLASHED) this.#unseen.forEach(flash);
      this.#unseen.clear();
      this.write({ all: { ...this.#all }, last: { card: card.size, row: row.size, list: list.size } });
    });
  }
}

export const renders = new Renders({ all: NONE, last: NONE });

/** The reference for the element of the component; each of its renders is counted. */
export function useRenderMark<E extends HTMLElement>(kind: Rendered): RefObject<E | null> {
  const element = useRef<E>(null);
  useEffect(() => {
    if (element.current) renders.note(kind, element.current);
  });
  return element;
}

function flash(element: HTMLElement): void {
  if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  element.animate([{ boxShadow: '0 0 0 2px var(--flash)' }, { boxShadow: '0 0 0 2px transparent' }], {
    duration: FLASH_MS,
    easing: 'ease-out',
  });
}
