// A mutation whose optimistic update is shown now, and that is sent later, such as each mutation of a transaction. A row that it
// creates has its local id at once, and later mutations may name the row by this id.
import { discardWrite } from '../../controller/request/amend-write.ts';
import { registerDrafts } from '../../controller/request/drafts.ts';
import { openWrite, sendWrite } from '../../controller/request/fetch-write.ts';
import type { Core } from '../../controller/state/core.ts';
import type { EndpointCall } from '../../dispatch/call.ts';
import type { Flight } from '../../dispatch/flights.ts';
import { ResetError } from '../../support/errors.ts';

export interface HeldWrite {
  readonly flight: Flight;
  send(): Promise<unknown>;
  discard(): void;
}

export function holdWrite(core: Core, call: EndpointCall): HeldWrite {
  const { engine } = core;
  const flight = openWrite(core, call);
  const drafts = flight.intent?.drafts ?? [];
  let respond!: (responded: Promise<unknown>) => void;
  const responded = new Promise((resolve) => (respond = resolve));
  responded.catch(() => undefined); // whoever has called the mutation handles its failure
  registerDrafts(core, drafts, responded);
  return {
    flight,
    send() {
      // The mutation is not sent after a reset. A reset ends only mutations for which `sendWrite` was called, so the held mutation
      // is ended here. A discarded mutation is not sent either, for example because another call of its transaction has failed.
      if (core.engine !== engine || flight.isSettled) {
        core.flights.endFlight(flight);
        const ended = Promise.reject(new ResetError());
        respond(ended);
        return ended;
      }
      core.actionCount += 1;
      const sent = sendWrite(core, flight);
      respond(sent);
      return sent;
    },
    discard() {
      for (const { localId } of drafts) if (localId) core.drafts.delete(localId);
      respond(Promise.reject(new ResetError()));
      discardWrite(core, flight);
    },
  };
}
