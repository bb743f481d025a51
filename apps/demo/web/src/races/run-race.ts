// Runs one race: makes two stages on the server, opens a board on each, plays the race on both, and compares both with the server's
// rows. It needs no page: scripts/races.ts runs it in Node.
import { openHoldfastBoard, openLastBoard } from './boards.ts';
import type { Board, Side } from './boards.ts';
import { COLUMNS } from './card.ts';
import type { Column, PlainCard } from './card.ts';
import type { Held, Race, Stage } from './race.ts';
import { describeEffect, judge } from './verdict.ts';
import type { Verdict } from './verdict.ts';
import { Wire } from './wire.ts';
import type { Lane } from './wire.ts';

export interface BoardView {
  readonly side: Side;
  readonly userId: string;
  readonly columns: readonly Column[];
  readonly cards: readonly PlainCard[];
  readonly lanes: readonly Lane[];
  /** Null until the end. */
  readonly verdict: Verdict | null;
  /** What the inspector of the library says of the card at the end. */
  readonly why: readonly string[];
  /** What the visitor is asked; empty where nothing is asked. */
  readonly question: string;
}

export interface RaceView {
  readonly steps: readonly string[];
  readonly cardId: string;
  readonly boards: readonly BoardView[];
  readonly isOver: boolean;
  /** Why the race could not be played to its end. */
  readonly problem: string | null;
}

export interface Run {
  /** Resolves with the end. */
  readonly ended: Promise<RaceView>;
  /** Ends the race at once, and removes its stages. Also needed after the end. */
  leave(): void;
}

interface Surroundings {
  /** The address of the server: empty in its own page. */
  readonly origin: string;
  readonly fetch: typeof fetch;
  pause(): Promise<void>;
  onChange(view: RaceView): void;
}

interface Opened {
  readonly board: Board;
  readonly address: string;
  verdict: Verdict | null;
  why: readonly string[];
}

export function runRace(race: Race, { origin, fetch: send, pause, onChange }: Surroundings): Run {
  const opened: Opened[] = [];
  const left = new AbortController();
  let view: RaceView = { steps: [], cardId: '', boards: [], isOver: false, problem: null };
  let isTold = true;
  const change = (changes: Partial<RaceView> = {}): void => {
    view = { ...view, ...changes };
    if (!isTold) return;
    isTold = false;
    // several events of one turn are told once
    queueMicrotask(() => {
      isTold = true;
      view = { ...view, boards: opened.map(viewOf) };
      if (!left.signal.aborted) onChange(view);
    });
  };

  const ask = async (address: string, init: RequestInit = {}): Promise<unknown> => {
    const response = await send(origin + address, { ...init, signal: left.signal });
    const isGone = response.status === 404 && init.method === undefined;
    if (!response.ok && !isGone) throw new Error(`${address}: ${response.status}`);
    return isGone || response.status === 204 ? undefined : response.json();
  };
  const remove = (address: string): void => {
    // it reaches the server although the page is being closed
    void send(origin + address, { method: 'DELETE', keepalive: true }).catch(() => undefined);
  };
  const open = async (openBoard: typeof openHoldfastBoard): Promise<void> => {
    const { id } = (await ask('/stages', { method: 'POST' })) as { id: string };
    const address = `/stages/${id}`;
    if (left.signal.aborted) return remove(address);
    const wire = new Wire({
      stage: origin + address,
      fetch: send,
      onChange: () => change(),
      readShown: () => board.shown(),
      describe: describeEffect,
    });
    const board = openBoard(wire, () => change(), race.asks !== undefined);
    opened.push({ board, address, verdict: null, why: [] });
  };

  const play = async (): Promise<void> => {
    await Promise.all([open(openLastBoard), open(openHoldfastBoard)]);
    opened.sort((a, b) => (a.board.side > b.board.side ? -1 : 1));
    const cardId = race.isAdded ? 'NEW-1' : await addCards(race, opened, ask);
    change({ cardId });
    const columns = race.columns ?? COLUMNS;
    await Promise.all(opened.flatMap(({ board }) => columns.map((status) => board.read(status))));
    await Promise.all(opened.map(({ board }) => board.wire.quiet()));
    for (const { board } of opened) board.wire.begin();
    change();
    await pause();
    const stage = createStage(opened, cardId, {
      say: (text) => {
        for (const { board } of opened) board.wire.step += 1;
        change({ steps: [...view.steps, text] });
      },
      pause: async () => {
        await pause();
        left.signal.throwIfAborted();
      },
      ask,
    });
    await race.play(stage);
    await Promise.all(opened.map(({ board }) => board.wire.quiet()));
    for (const one of opened) {
      const { board, address } = one;
      const headers = { 'stage-user': board.wire.userId };
      const server = (await ask(`${address}/cards`, { headers })) as PlainCard[];
      const seen = server.filter(({ status }) => board.columns().some((column) => column === status));
      const saved = (await ask(`${address}/cards/${cardId}`)) as PlainCard | undefined;
      one.why = board.explain(cardId, Object.keys(race.wants ?? {}));
      one.verdict = judge(board.shown(), seen, { saved, wants: race.wants, ...race.asks });
    }
  };

  const ended = play()
    .catch((error: unknown) => change({ problem: error instanceof Error ? error.message : 'unknown' }))
    .then(async () => {
      change({ isOver: true });
      await Promise.resolve();
      return view;
    });
  return {
    ended,
    leave() {
      left.abort();
      for (const { board, address } of opened.splice(0)) {
        board.wire.open();
        board.close();
        remove(address);
      }
    },
  };
}

async function addCards(
  { card }: Race,
  opened: readonly Opened[],
  ask: (address: string, init: RequestInit) => Promise<unknown>,
): Promise<string> {
  const init = { method: 'POST', body: JSON.stringify(card) };
  const made = await Promise.all(opened.map(({ address }) => ask(`${address}/cards`, init)));
  return (made[0] as PlainCard).id;
}

function viewOf({ board, verdict, why }: Opened): BoardView {
  const { side, wire } = board;
  const { userId, lanes } = wire;
  return {
    side,
    userId,
    columns: board.columns(),
    cards: board.shown(),
    lanes,
    verdict,
    why,
    question: board.question(),
  };
}

interface Telling {
  say(text: string): void;
  pause(): Promise<void>;
  ask(address: string, init: RequestInit): Promise<unknown>;
}

function createStage(opened: readonly Opened[], cardId: string, { say, pause, ask }: Telling): Stage {
  const boards = opened.map(({ board }) => board);
  const quiet = (): Promise<unknown> => Promise.all(boards.map(({ wire }) => wire.quiet()));
  /** A call that the server refuses rejects: that is part of the race. */
  const act = (call: (board: Board) => unknown): Promise<unknown> =>
    Promise.allSettled(boards.map((board) => Promise.resolve(call(board))));
  const held = (release: () => void, calls: Promise<unknown>): Held => ({
    async release() {
      release();
      await calls;
      await quiet();
    },
    async letGo() {
      release();
      await quiet();
    },
  });
  return {
    cardId,
    say,
    pause,
    async both(call) {
      void act(call);
      await quiet();
    },
    async hold(method, when, call, requests = 1) {
      const gates = Array.from({ length: requests }).flatMap(() =>
        boards.map(({ wire }) => wire.hold(method, when)),
      );
      const calls = act(call);
      await quiet();
      return held(() => gates.forEach((gate) => gate.release()), calls);
    },
    async refuse(method, from, call) {
      for (let at = 1; at < from; at++) for (const { wire } of boards) wire.hold(method, 'before').release();
      const gates = boards.map(({ wire }) => wire.hold(method, 'before', { isRefused: true }));
      const calls = act(call);
      await quiet();
      return held(() => gates.forEach((gate) => gate.release()), calls);
    },
    async asSomebodyElse(method, path, body) {
      const init = { method, ...(body && { body: JSON.stringify(body) }) };
      await Promise.all(opened.map(({ address }) => ask(address + path, init)));
    },
  };
}
