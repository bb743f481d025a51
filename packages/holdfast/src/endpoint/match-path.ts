// Says whether a URL was made from a path template: `testKey` asks it. The template becomes a small program whose
// possible positions are followed side by side, so the time is linear in the URL whatever the template.
import type { PathTemplate, PathToken } from './path-template.ts';

// a step is a character code, or one of these
const SEGMENT_TEXT = -1; // one or more characters of one segment
const ANY_TEXT = -2; // one or more characters
const MAYBE = -3; // go on, or jump over a group
const SLASH = 47;

interface Program {
  readonly steps: readonly number[];
  /** Where a MAYBE at the same place jumps. */
  readonly jumps: readonly number[];
}

/** A function that recognises the URLs of a template, its query part and further parameters included. */
export function createPathMatcher(template: PathTemplate): (url: string) => boolean {
  const path = compile(template.tokens);
  const pieces = template.query.filter((piece) => !piece.isOptional).map((piece) => compile(piece.tokens));
  return (url) => {
    const mark = url.indexOf('?');
    if (!runs(path, mark < 0 ? url : url.slice(0, mark))) return false;
    if (pieces.length === 0) return true;
    const found = mark < 0 ? [] : url.slice(mark + 1).split('&');
    return pieces.every((piece) => found.some((text) => runs(piece, text)));
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

function runs({ steps, jumps }: Program, text: string): boolean {
  // position i in `seenAt` holds the last text index at which step i was entered: a set without clearing
  const seenAt = new Int32Array(steps.length + 1).fill(-1);
  let current: number[] = [];
  let next: number[] = [];
  const enter = (step: number, at: number): void => {
    if (seenAt[step] === at) return;
    seenAt[step] = at;
    if (steps[step] === MAYBE) {
      enter(step + 1, at);
      enter(jumps[step] ?? steps.length, at);
    } else {
      next.push(step);
    }
  };
  enter(0, 0);
  for (let index = 0; index < text.length; index++) {
    [current, next] = [next, current];
    next.length = 0;
    if (current.length === 0) return false;
    const code = text.charCodeAt(index);
    for (const step of current) {
      const wanted = steps[step];
      if (wanted === code) enter(step + 1, index + 1);
      else if (wanted === ANY_TEXT || (wanted === SEGMENT_TEXT && code !== SLASH)) {
        enter(step, index + 1);
        enter(step + 1, index + 1);
      }
    }
  }
  return next.includes(steps.length);
}
