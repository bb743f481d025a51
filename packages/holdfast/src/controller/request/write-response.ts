// Stores one response: normalizes it, applies its effects, and writes the response of a read into its slot. The response to a
// mutation that this controller has sent is stored in fetch-write.ts, because it replaces an optimistic update.
import { slotOf } from '../slot/read-slot.ts';
import { applyPayload } from './apply-payload.ts';
import { writePage, writeResult } from '../slot/write-slot.ts';
import { forgetAcknowledged, removeProtectedFields } from './keep-acknowledged.ts';
import { describeType, ValidationError } from '../../support/errors.ts';
import type { EndpointCall } from '../../dispatch/call.ts';
import type { Flight } from '../../dispatch/flights.ts';
import type { WriteOptions } from '../../normalize/write.ts';
import type { Effects } from '../../store/effects.ts';
import { isRead } from '../../store/order.ts';
import type { Stamp } from '../../store/order.ts';
import type { Core } from '../state/core.ts';

interface ResponseWriteOptions extends Partial<Pick<WriteOptions, 'args' | 'isOwned'>> {
  /** The read that received the response; undefined for any other value, such as a response that other code received. */
  readonly flight?: Flight;
}

/** Stores the response. Call it inside a batch. */
export function writeResponse(
  core: Core,
  call: EndpointCall,
  value: unknown,
  origin: Stamp,
  { args = call.args, isOwned, flight }: ResponseWriteOptions = {},
): Effects {
  const { engine } = core;
  const { name, sideEffect } = call.endpoint;
  const isMutation = sideEffect && !isRead(origin);
  if (call.hasSchema && (value === null || value === undefined)) throwWrongShape(value, name, 'a body');
  const sent = isMutation ? call.splitSentArgs(args) : args;
  const effects = engine.normalize(call.kind, value, { args, sent, isOwned, name });
  if (!isRead(origin)) effects.noteNested();
  // The times are equal: this is a message, for which no request was sent.
  if (origin.sent === origin.settled) removeProtectedFields(core, effects);
  else if (isRead(origin)) forgetAcknowledged(core, effects, origin.sent);
  // The functions of extensions run first: one of them places the rows of a page, and the function of a total counts the rows of the
  // list.
  if (flight) effects.afterWrites.unshift(...flight.afterWrites);
  applyPayload(core, effects, origin, flight);
  if (isMutation) return effects;
  const slot = slotOf(core, call);
  // A response to a read may turn out to be incomplete, which counts as a failure: `receiveRead` sets the count.
  if (!flight) slot.failureCount = 0;
  (call.isPage ? writePage : writeResult)(engine.store, slot, effects.stored, origin);
  return effects;
}

/** Throws the error for a value that does not have the form of its schema, in responses and in direct writes. */
export function throwWrongShape(
  value: unknown,
  path: string,
  expected: string = 'an object',
  found: string = describeType(value),
): never {
  throw new ValidationError('WRONG_SHAPE', { expected, found, path });
}
