// Cards follow the pointer: a mouse at once, a finger after a moment, so that a swipe still scrolls. During a drag no element of
// React is changed: a copy follows the pointer and a line shows the new place of the card.

/** The card, the status of the column, and the card before which it is inserted; null for the end. */
export type Drop = (id: string, status: string, before: string | null) => void;

interface Place {
  readonly column: HTMLElement;
  readonly before: HTMLElement | undefined;
}

/** A pointer that is down on a card; dragged as soon as there is a copy. */
interface Hand {
  readonly pointerId: number;
  readonly card: HTMLElement;
  readonly startX: number;
  readonly startY: number;
  x: number;
  y: number;
  rest?: ReturnType<typeof setTimeout>;
  copy?: HTMLElement;
  line?: HTMLElement;
  place?: Place | undefined;
}

const SLACK_PX = 5;
const REST_MS = 220;
/** Within this distance of an edge, the element below scrolls. */
const EDGE_PX = 44;
const SCROLL_PX = 9;

/** Listens on a board until the returned function is called. */
export function followDrags(board: HTMLElement, drop: Drop): () => void {
  let hand: Hand | null = null;
  const listening = new AbortController();
  const { signal } = listening;

  const end = (): void => {
    if (!hand) return;
    clearTimeout(hand.rest);
    if (hand.copy) {
      delete board.dataset['dragging'];
      delete hand.card.dataset['dragged'];
      delete hand.place?.column.dataset['target'];
      hand.copy.remove();
      hand.line?.remove();
    }
    hand = null;
  };

  const lift = (held: Hand): void => {
    const { card, startX, startY } = held;
    const { left, top, width } = card.getBoundingClientRect();
    const copy = card.cloneNode(true) as HTMLElement; // cast: a copy of an HTMLElement
    copy.removeAttribute('data-card');
    copy.classList.add('card-copy');
    copy.inert = true;
    copy.style.width = `${width}px`;
    copy.style.left = `${left - startX}px`;
    copy.style.top = `${top - startY}px`;
    held.copy = copy;
    held.line = document.createElement('div');
    held.line.className = 'drop-line';
    board.dataset['dragging'] = '';
    card.dataset['dragged'] = '';
    // on the page itself: panes clip fixed elements
    document.body.append(copy, held.line);
    getSelection()?.removeAllRanges();
    requestAnimationFrame(() => scrollAtEdges(held));
  };

  const follow = (held: Hand): void => {
    const { copy, line, x, y } = held;
    if (!copy || !line) return;
    copy.style.translate = `${x}px ${y}px`;
    const place = findPlace(board, held.card, x, y);
    if (place?.column !== held.place?.column) {
      delete held.place?.column.dataset['target'];
      if (place) place.column.dataset['target'] = '';
    }
    held.place = place;
    line.hidden = !place;
    if (place) drawLine(line, place, held.card);
  };

  const scrollAtEdges = (held: Hand): void => {
    if (hand !== held) return;
    const { x, y } = held;
    const across = board.getBoundingClientRect();
    const step = (at: number, from: number, until: number): number =>
      at < from + EDGE_PX ? -SCROLL_PX : at > until - EDGE_PX ? SCROLL_PX : 0;
    board.scrollLeft += step(x, across.left, across.right);
    const cards = held.place?.column.querySelector('.cards');
    if (cards) {
      const down = cards.getBoundingClientRect();
      cards.scrollTop += step(y, down.top, down.bottom);
    }
    follow(held);
    requestAnimationFrame(() => scrollAtEdges(held));
  };

  const onDown = (event: PointerEvent): void => {
    const target = event.target as Element; // cast: pointers hit elements
    const card = target.closest<HTMLElement>('[data-card]');
    const isControl = target.closest('select, button, input, textarea') !== null;
    if (hand || !card || isControl || event.button !== 0 || !event.isPrimary) return;
    const { pointerId, clientX: x, clientY: y } = event;
    const held: Hand = { pointerId, card, startX: x, startY: y, x, y };
    hand = held;
    if (event.pointerType === 'touch') held.rest = setTimeout(() => lift(held), REST_MS);
  };
  const onMove = (event: PointerEvent): void => {
    if (event.pointerId !== hand?.pointerId) return;
    hand.x = event.clientX;
    hand.y = event.clientY;
    if (!hand.copy) {
      if (Math.hypot(hand.x - hand.startX, hand.y - hand.startY) < SLACK_PX) return;
      // a finger that moves before the delay scrolls
      if (event.pointerType === 'touch') {
        end();
        return;
      }
      lift(hand);
    }
    follow(hand);
  };
  const onUp = (event: PointerEvent): void => {
    if (event.pointerId !== hand?.pointerId) return;
    const { copy, place, card } = hand;
    end();
    if (!copy) return;
    swallowClick();
    if (place)
      drop(
        card.dataset['card'] ?? '',
        place.column.dataset['status'] ?? '',
        place.before?.dataset['card'] ?? null,
      );
  };
  const onCancel = (event: PointerEvent): void => {
    if (event.pointerId === hand?.pointerId) end();
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') end();
  };
  const preventWhileDragged = (event: Event): void => {
    if (hand?.copy) event.preventDefault();
  };

  board.addEventListener('pointerdown', onDown, { signal });
  board.addEventListener('touchmove', preventWhileDragged, { signal, passive: false });
  board.addEventListener('contextmenu', preventWhileDragged, { signal });
  window.addEventListener('pointermove', onMove, { signal });
  window.addEventListener('pointerup', onUp, { signal });
  window.addEventListener('pointercancel', onCancel, { signal });
  window.addEventListener('keydown', onKey, { signal });
  return () => {
    end();
    listening.abort();
  };
}

/** The column below the pointer, and the first card there whose middle is below it. */
function findPlace(board: HTMLElement, dragged: HTMLElement, x: number, y: number): Place | undefined {
  const column = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-status]');
  if (!column || !board.contains(column)) return undefined;
  const before = otherCards(column, dragged).find((card) => {
    const { top, height } = card.getBoundingClientRect();
    return y < top + height / 2;
  });
  return { column, before };
}

function otherCards(column: HTMLElement, dragged: HTMLElement): HTMLElement[] {
  return [...column.querySelectorAll<HTMLElement>('[data-card]')].filter((card) => card !== dragged);
}

function drawLine(line: HTMLElement, { column, before }: Place, dragged: HTMLElement): void {
  const cards = column.querySelector('.cards')?.getBoundingClientRect();
  if (!cards) return;
  const last = otherCards(column, dragged).at(-1)?.getBoundingClientRect();
  const y = before ? before.getBoundingClientRect().top - 5 : last ? last.bottom + 3 : cards.top + 2;
  line.style.left = `${cards.left}px`;
  line.style.width = `${cards.width - 16}px`;
  line.style.top = `${Math.min(Math.max(y, cards.top), cards.bottom)}px`;
}

/** Releasing a card does not open it. */
function swallowClick(): void {
  const swallow = (event: Event): void => {
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener('click', swallow, { capture: true, once: true });
  setTimeout(() => window.removeEventListener('click', swallow, { capture: true }));
}
