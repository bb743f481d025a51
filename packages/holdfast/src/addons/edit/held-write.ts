// A mutation that is shown now and sent later, such as those of a transaction. A row that it creates has its local id at once, and
// later mutations may name it.
import { discardWrite } from '../../controller/request/amend-write.ts';
import { registerDrafts } from '../../controller/request/drafts.ts';
import { openWrite, sendWrite } from '../../controller/request/fetch-write.ts';
import type { Core } from '../../controller/state/core.ts';
import type { EndpointCall } from '../../dispatch/call.ts';
import type { Flight } from '../../dispatch/flights.ts';
import { ResetError } from '../../support/errors.ts';
import { AbortError } from '../../support/network-errors.ts';

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
      if (core.engine !== engine) {
        core.flights.endFlight(flight); // a reset ends only mutations that were sent
        return Promise.reject(new ResetError());
      }
      if (flight.isSettled) {
        // It was discarded meanwhile: a call of the same transaction has failed before it was sent.
        const { name, method = 'POST' } = call.endpoint;
        const error = new AbortError({ method, url: name });
        respond(Promise.reject(error));
        return Promise.reject(error);
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
