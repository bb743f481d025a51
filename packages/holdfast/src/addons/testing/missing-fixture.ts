// The error for a call that has no fixture, with the nearest fixture in its text: such a call often differs from a fixture by one
// argument only.
import type { NetworkRequest } from '../../dispatch/network-request.ts';
import type { EndpointInterface } from '../../endpoint/endpoint-interface.ts';
import { HoldfastError } from '../../support/errors.ts';
import { distanceOf } from '../../support/near-name.ts';
import { stableText } from '../../support/stable-text.ts';

/** At most this many characters of a call are printed and compared: arguments may contain a long body. */
const LONGEST_TEXT = 200;

/** A fixture, or an interceptor, which has no `args` and no `key`. */
export interface FixtureCall {
  readonly endpoint: EndpointInterface;
  readonly args?: readonly unknown[];
  readonly key?: string;
  /** True when the fixture is for other arguments of the endpoint that was called. */
  readonly isSameEndpoint: boolean;
}

/** The error for a call without a fixture. `fixtures` are the fixtures with which the call was compared. */
export function createMissingFixtureError(
  request: NetworkRequest,
  fixtures: readonly FixtureCall[],
): HoldfastError {
  const call = textOf(request);
  const ranked = fixtures
    .map((fixture) => ({ fixture, text: textOf(fixture) }))
    .map(({ fixture, text }) => ({
      fixture,
      text,
      rank: (fixture.isSameEndpoint ? 0 : LONGEST_TEXT * 2) + distanceOf(call, text),
    }))
    .sort((left, right) => left.rank - right.rank);
  const [first] = ranked;
  // If the texts of the call and of the fixture are equal, as after `extend`, the error also shows their keys, which differ.
  const params =
    first?.text === call
      ? { call: `${call}, ${request.key}`, nearest: first.fixture.key }
      : { call, nearest: first?.text };
  return new HoldfastError('FIXTURE_MISSING', params);
}

function textOf({ endpoint, args }: Pick<FixtureCall, 'endpoint' | 'args'>): string {
  const given = args ? stableText(args).slice(1, -1) : '…';
  const text = `${endpoint.name}(${given})`;
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}
