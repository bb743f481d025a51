// Says whether a URL was made from a path template: `testKey` asks it. The template becomes a small program whose
// sets of possible positions become states as they are met, so the time is linear in the URL whatever the template.
import type { PathTemplate, PathToken } from './path-template.ts';

// a step is a character code, or one of these
const SEGMENT_TEXT = -1; // one or more characters of one segment
const ANY_TEXT = -2; // one or more characters
const MAYBE = -3; // go on, or jump over a group
const SLASH = 47;
const MAX_CODE = 128; // literals are ASCII: others are written encoded
const MAX_STATES = 500;

interface Program {
  readonly steps: readonly number[];
  /** Where a MAYBE at the same place jumps. */
  readonly jumps: readonly number[];
}

/** All positions the program may be at, and where each character leads from there. */
interface State {
  readonly positions: readonly number[];
  readonly next: (State | undefined)[];
}

/** A function that recognises the URLs of a template, its query part and further parameters included. */
export function createPathMatcher(template: PathTemplate): (url: string) => boolean {
  const path = createMatcher(compile(template.tokens));
  const pieces = template.query
    .filter((piece) => !piece.isOptional)
    .map((piece) => createMatcher(compile(piece.tokens)));
  return (url) => {
    const mark = url.indexOf('?');
    if (!path(mark < 0 ? url : url.slice(0, mark))) return false;
    const found = mark < 0 ? [] : url.slice(mark + 1).split('&');
    return pieces.every((piece) => found.some(piece));
  };
}

function compile(tokens: readonly PathToken[]): Program {
  const steps: number[] = [];
  const jumps: number[] = [];
  const add = (token: PathToken): void => {
    if (typeof token === 'string') {
      for (let index = 0; index < token.length; index++) steps.push(token.charCodeAt(index));
    } else if ('name' in token) {
      steps.push(token.isWildcard ? ANY_TEXT : SEGMENT_TEXT);
    } else {
      const maybe = steps.push(MAYBE) - 1;
      token.tokens.forEach(add);
      jumps[maybe] = steps.length;
    }
  };
  tokens.forEach(add);
  return { steps, jumps };
}

function createMatcher(program: Program): (text: string) => boolean {
  const { steps } = program;
  let known = new Map<string, State>();

  const stateOf = (positions: readonly number[]): State => {
    const name = positions.join();
    let state = known.get(name);
    // states are few; a template made to have many starts over instead of keeping them
    if (known.size > MAX_STATES) known = new Map();
    if (!state) known.set(name, (state = { positions, next: [] }));
    return state;
  };
  const start = stateOf(enter(program, [], 0));

  return (text) => {
    let state = start;
    for (let index = 0; index < text.length; index++) {
      if (state.positions.length === 0) return false;
      const code = text.charCodeAt(index);
      const kind = code < MAX_CODE ? code : 0; // no program tells others apart
      state = state.next[kind] ??= stateOf(advance(program, state.positions, kind));
    }
    return state.positions.includes(steps.length);
  };
}

/** Where one character leads from all positions. */
function advance(program: Program, positions: readonly number[], code: number): readonly number[] {
  const next: number[] = [];
  for (const step of positions) {
    const wanted = program.steps[step];
    if (wanted === code) enter(program, next, step + 1);
    else if (wanted === ANY_TEXT || (wanted === SEGMENT_TEXT && code !== SLASH)) {
      enter(program, next, step);
      enter(program, next, step + 1);
    }
  }
  return next.sort((left, right) => left - right);
}

/** Adds a position, and for a group the one behind it. */
function enter(program: Program, positions: number[], step: number): readonly number[] {
  if (positions.includes(step)) return positions;
  if (program.steps[step] !== MAYBE) {
    positions.push(step);
    return positions;
  }
  enter(program, positions, step + 1);
  return enter(program, positions, program.jumps[step] ?? program.steps.length);
}
