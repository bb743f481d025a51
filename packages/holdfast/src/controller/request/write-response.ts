// Puts one answer into the store: the answer is normalized, its effects are applied, and the answer of a read enters its slot. Called
// for the answers of reads (fetch-read.ts) and for answers that came another way (write-direct.ts). fetch-write.ts stores the answers
// of mutations, because they replace a guess.
import { slotOf } from '../slot/read-slot.ts';
import { writePage, writeResult } from '../slot/write-slot.ts';
import { forgetAcknowledged, keepAcknowledged } from './keep-acknowledged.ts';
import { nameOf, ValidationError } from '../../support/errors.ts';
import type { EndpointCall } from '../../dispatch/call.ts';
import type { RequestOutcome } from '../../endpoint/run-request.ts';
import type { WriteOptions } from '../../normalize/write.ts';
import type { Effects } from '../../store/effects.ts';
import type { Origin } from '../../store/stamp.ts';
import type { Core } from '../state/core.ts';

type PutOptions = Partial<Pick<WriteOptions, 'args'>> & Pick<RequestOutcome, 'isOwned' | 'finish'>;

/** Stores an answer, and writes that of a read into its slot. Called inside a batch. */
export function writeResponse(
  core: Core,
  call: EndpointCall,
  value: unknown,
  origin: Origin,
  { args = call.args, isOwned, finish }: PutOptions = {},
): Effects {
  const { engine } = core;
  const { name, sideEffect } = call.endpoint;
  const isMutation = sideEffect && !origin.isRead;
  if (call.hasSchema && (value === null || value === undefined)) refuse(value, name, 'a body');
  const sent = isMutation ? call.splitSent(args) : args;
  const effects = engine.normalize(call.kind, value, { args, sent, isOwned, name });
  if (!origin.isRead) effects.noteNested();
  // no request was sent for a message
  if (origin.sent === origin.settled) keepAcknowledged(core, effects);
  else if (origin.isRead) forgetAcknowledged(core, effects, origin.sent);
  // before what the answer itself counts
  if (finish) effects.afterWrites.unshift(finish as never); // cast: opaque to endpoints
  engine.apply(effects, origin);
  const write = call.isPage ? writePage : writeResult;
  if (!isMutation) write(engine.store, slotOf(core, call), effects.stored, origin);
  return effects;
}

/** Refuses a value that is not what a schema is about, with one coded error for answers and direct writes. */
export function refuse(
  value: unknown,
  path: string,
  expected: string = 'an object',
  found: string = nameOf(value),
): never {
  throw new ValidationError('WRONG_SHAPE', { expected, found, path });
}
